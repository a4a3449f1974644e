"""Settings, all from the environment; the defaults suit a developer's machine.

With DEBUG off (any public site) SECRET_KEY, SEAL_KEYS and ALLOWED_HOSTS have no default: the site refuses to start
without them. docs/settings.md lists every variable.
"""

import secrets
from pathlib import Path
from typing import Any
from urllib.parse import quote

import django_stubs_ext
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from environs import Env

from config import keys

django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent
RUN_DIR = BASE_DIR / ".run"
env = Env()


def required(variable: str, what: str, fresh: str) -> str:
    """Return a secret from the environment; on a developer's machine, one made once and kept in `.run/`."""
    if value := env.str(variable, ""):
        return value
    if not DEBUG:
        raise ImproperlyConfigured(f"{variable} is not set. With DEBUG off the site needs it: {what}.")
    return keys.kept_on_this_machine(RUN_DIR, variable.lower(), fresh)


# What kind of site this is

DEBUG = env.bool("DEBUG", True)
DEMO = env.bool("DEMO", False)
SITE_NAME = env.str("SITE_NAME", "La Salle des duels")
SITE_URL = env.str("SITE_URL", "http://127.0.0.1:8000").rstrip("/")

# The school's own date, on which ages are counted; empty: today's.
SCHOOL_DATE = env.date("SCHOOL_DATE", None) if env.str("SCHOOL_DATE", "") else None
# The edition of the arena's rules that new duels pin.
ARENA_EDITION = env.str("ARENA_EDITION", "beta")
# When students train (article 3), in the site's zone; empty: at any hour. From which day to which there are training
# hours; empty: all year.
TRAINING_HOURS = env.str("TRAINING_HOURS", "wednesday 14:00-17:00")
SCHOOL_YEAR = env.str("SCHOOL_YEAR", "09-01/06-30")
# What a day's salary is worth in Liards, by year of study: "1=2,2=3,adult=20"; a year that is left out: nothing.
DAILY_SALARY: dict[str, int] = env.dict(
    "DAILY_SALARY",
    {"1": 2, "2": 3, "3": 4, "4": 5, "5": 6, "6": 8, "7": 10, "adult": 20},
    subcast_keys=str,
    subcast_values=int,
)

# Secrets

SECRET_KEY = required("SECRET_KEY", "50 random characters or more", secrets.token_urlsafe(50))
SEAL_KEYS = keys.parse_ring(
    required("SEAL_KEYS", "id:base64 of 32 random bytes, several separated by commas, oldest first", keys.new_ring())
)

# Where it answers

ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", ["127.0.0.1", "localhost", "[::1]", "testserver"] if DEBUG else [])
if not DEBUG and not ALLOWED_HOSTS:
    raise ImproperlyConfigured("ALLOWED_HOSTS is not set. With DEBUG off, list the site's host names in it.")
CSRF_FAILURE_VIEW = "duels.views.access.csrf_failure"
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", [])
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

INSTALLED_APPS = [
    "config",
    "duels",
    "referee",
    "tournaments",
    "notices",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "bootstrap",
    "crispy_forms",
    "crispy_bootstrap5",
    "csp",
    "django_htmx",
    "django.contrib.humanize",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "config.health.HealthMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.language.ChosenLanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.received.ReceivedMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.zone.ReadersZoneMiddleware",
    "config.reader.KnownReaderMiddleware",
    "config.mfa.SecondFactorMiddleware",
    "config.demo.NotFoundMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.site",
            ],
        },
    },
]
FORM_RENDERER = "django.forms.renderers.DjangoTemplates"
CRISPY_ALLOWED_TEMPLATE_PACKS = "bootstrap5"
CRISPY_TEMPLATE_PACK = "bootstrap5"

# What is stored

SQLITE_OPTIONS = {
    # Writers queue at BEGIN instead of failing half-way, and append-only triggers also see a REPLACE.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA recursive_triggers=ON;",
}


def database() -> dict[str, Any]:
    """Return the database of DATABASE_URL; without it, an SQLite file beside the code."""
    default: dict[str, Any] = env.dj_db_url("DATABASE_URL", f"sqlite:///{BASE_DIR / 'db.sqlite3'}")
    if default["ENGINE"] == "django.db.backends.sqlite3":
        default["OPTIONS"] = {**SQLITE_OPTIONS, **default.get("OPTIONS", {})}
    else:
        default.update(CONN_MAX_AGE=60, CONN_HEALTH_CHECKS=True)
        # Planned once for each connection: that takes a third of what the database does for the clock.
        default["OPTIONS"] = {"server_side_binding": True, "prepare_threshold": 3, **default.get("OPTIONS", {})}
    return default


DATABASES = {"default": database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.str("REDIS_URL", "")
# Tries and codes used once are remembered here: with several processes, set REDIS_URL so that all remember the same.
CACHES = {
    "default": {
        "BACKEND": "config.cache.SteadyRedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "duels",
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}

# Where there is Redis a session is read from it, at no query; the database keeps it all the same, and is asked again
# every minute: who signs out while Redis is down is signed out when it is back.
SESSION_ENGINE = f"django.contrib.sessions.backends.{'cached_db' if REDIS_URL else 'db'}"
SESSION_CACHE_ALIAS = "sessions" if REDIS_URL else "default"
if REDIS_URL:
    CACHES["sessions"] = {**CACHES["default"], "BACKEND": "config.cache.BriefRedisCache"}

MEDIA_URL = "media/"
MEDIA_ROOT = Path(env.str("MEDIA_ROOT", str(BASE_DIR / "media")))
STATIC_URL = "static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", str(BASE_DIR / "staticfiles")))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
FILE_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024  # the heaviest that a form takes: nothing sent touches the disk
HEAVIEST_REQUEST = 10 * 1024 * 1024
FILE_UPLOAD_HANDLERS = [
    "config.uploads.BoundedUploadHandler",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

# Languages and hours

LANGUAGE_CODE = "fr"
LANGUAGES = [("fr", "Français"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "locale" / "accounts"]  # the second: what allauth says, as we say it
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"
TIME_ZONE = "Europe/Paris"
USE_I18N = True
USE_TZ = True

# Accounts

AUTHENTICATION_BACKENDS = ["config.accounts.AccountBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "config.accounts.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email", "username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
# Codes to type rather than links: a link's secret would end in logs of addresses.
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = 10 * 60  # seconds
# Address and password change only for who has typed the password within the last five minutes.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = f"[{SITE_NAME}] "
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USERNAME_MIN_LENGTH = 3
MFA_ADAPTER = "config.mfa.SecondFactorAdapter"
MFA_FORMS = {"activate_totp": "config.mfa.SetUpForm"}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = SITE_NAME

EMAIL_CONFIG = env.dj_email_url("EMAIL_URL", "console:")
vars().update({key: value for key, value in EMAIL_CONFIG.items() if key.isupper()})
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", "duels@localhost")
EMAIL_TIMEOUT = EMAIL_CONFIG.get("EMAIL_TIMEOUT") or 10  # seconds; a page that sends a code waits no longer

# What a browser is told

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_AGE = 14 * 24 * 3600  # seconds from signing in or proving anew who one is, not from each visit
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = not DEBUG
if not DEBUG:  # so named, a browser takes them from this host alone, and over HTTPS
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-session", "__Host-csrf"
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", not DEBUG)
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", 0 if DEBUG else 365 * 24 * 3600)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = SECURE_HSTS_SECONDS > 0
if env.bool("BEHIND_PROXY", False):
    # Only behind a proxy that sets these headers itself, whatever the client sent. Without the address, all who sign
    # in would share the tries of one.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    ALLAUTH_TRUSTED_PROXY_COUNT = 1

# What is logged: addresses and errors, never what people filed (see config.discretion)

DEFAULT_EXCEPTION_REPORTER_FILTER = "config.discretion.DiscreetReporterFilter"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "config.discretion.LineFormatter",
            "format": "{asctime}Z {levelname} {name}: {message}",
            "style": "{",
        },
    },
    "filters": {"without_refusals": {"()": "config.discretion.WithoutRefusals"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["without_refusals"]},
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", "INFO")},
    # No mail to admins: a report by mail would carry what was posted.
    "loggers": {"django": {"handlers": ["console"], "level": env.str("LOG_LEVEL", "INFO"), "propagate": False}},
}

# Work outside requests (config.celery); pages are served without a broker

# The socket of the broker that `manage.py serve` brings along where there is no Redis; it tells the others.
BROKER_SOCKET = env.str("BROKER_SOCKET", "")
CELERY_BROKER_URL = REDIS_URL or (f"redis+socket://{quote(BROKER_SOCKET)}" if BROKER_SOCKET else "memory://")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 60
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True  # they will be handed out again
CELERY_WORKER_REDIRECT_STDOUTS = False  # mail that is printed stays readable
# What a killed worker held is handed out again after this many seconds: above the time limit, far below the hour.
CELERY_VISIBILITY_TIMEOUT = 120
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": CELERY_VISIBILITY_TIMEOUT, "unacked_restore_interval": 5}
CELERY_RESULT_BACKEND_TRANSPORT_OPTIONS = {"visibility_timeout": CELERY_VISIBILITY_TIMEOUT}
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # the schedule is config.celery's: nothing to keep in a file
CELERY_BEAT_MAX_LOOP_INTERVAL = 5
CELERY_BEAT_ENABLE_REMOTE_CONTROL = True  # so that a health check can ask whether it beats
CELERY_TIMEZONE = TIME_ZONE
