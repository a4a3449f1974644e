"""The site's settings as the tests want them: keys of their own, quick passwords, mail kept in memory."""

import os

os.environ.setdefault("SECRET_KEY", "only-for-tests-" + "0123456789" * 5)
os.environ.setdefault("SEAL_KEYS", "test:" + "dGVzdC10ZXN0LXRlc3QtdGVzdC10ZXN0LXRlc3QtISE=")
os.environ.setdefault("DEBUG", "1")

from config.settings import *  # noqa: F403
from config.settings import DATABASES, MIDDLEWARE

DEBUG = False
DEMO = False
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# With or without a Redis, so that queries count the same; those that are about Redis ask for it (tests.redis_server).
REDIS_URL = ""
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
SESSION_ENGINE, SESSION_CACHE_ALIAS = "django.contrib.sessions.backends.db", "default"
CELERY_BROKER_URL = "memory://"
# What tests commit need not outlive a power cut: nothing waits for a slow disk.
if DATABASES["default"]["ENGINE"].endswith("postgresql"):
    DATABASES["default"]["OPTIONS"]["options"] = "-c synchronous_commit=off"
# The live server serves static files itself; nothing is collected for tests.
MIDDLEWARE = [name for name in MIDDLEWARE if not name.startswith("whitenoise.")]
# Tests sign up and log in more often in a minute than people may.
ACCOUNT_RATE_LIMITS = False
# Students of the tests train at any hour, whatever day it is, but where a test says otherwise.
TRAINING_HOURS = ""
