"""Pages work while the broker and Redis are down, and what was to be told is told when they are back."""

from contextlib import contextmanager

import pytest
import redis
from celery import Celery
from celery.app.task import Task
from django.conf import settings
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from config import cache as steady
from config import serving
from config.celery import app
from duels.tasks import sweep
from notices.models import Notice
from notices.tasks import drain, send_mail
from tests import play
from tests.config.people import sign_in, somebody
from tests.duels.readers import as_player, as_user

NOWHERE = {
    "default": {
        "BACKEND": "config.cache.SteadyRedisCache",
        "LOCATION": "redis://127.0.0.1:1/0",
        "OPTIONS": {"socket_connect_timeout": 0.2, "socket_timeout": 0.2},
    }
}


def _refuse(*_arguments, **_options):
    raise AssertionError("a request spoke to the broker")


@pytest.fixture
def down(settings, monkeypatch):
    """Neither a broker nor Redis; and whoever speaks to the broker is found out."""
    settings.CACHES = NOWHERE
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"
    monkeypatch.setattr(Celery, "send_task", _refuse)
    monkeypatch.setattr(Task, "apply_async", _refuse)


@pytest.mark.django_db
@pytest.mark.usefixtures("down")
class TestPages:
    def test_people_read(self):
        duel = play.running()
        for client in (as_user(), as_player(duel, "a")):
            for address in ("/", "/duels/", duel.get_absolute_url(), "/regles/arene/"):
                assert client.get(address).status_code == 200, address

    def test_people_sign_in(self, client, settings):
        settings.ACCOUNT_RATE_LIMITS = {"login_failed": "3/m/ip"}
        somebody()
        assert sign_in(client, "alma").status_code == 302

    def test_people_file_and_are_told_when_it_is_back(self):
        duel = play.running()
        body = {"do": "file", "turn": 1, "text": play.TEXT, "thrust": "head", "parry": "torso", "option": ""}
        assert as_player(duel, "a").post(reverse("duels:turn", args=[duel.pk]), body).status_code == 302
        assert "a" in play.fresh(duel).phase.filed
        assert not Notice.objects.exists()
        drain()
        assert Notice.objects.filter(user=play.player(duel, "b"), happening__what="filed").count() == 1


class TestMemory:
    """What processes remember together stands in each one's memory while Redis does not answer."""

    @pytest.fixture
    def remembered(self, settings):
        settings.CACHES = NOWHERE
        caches["default"]._memory.clear()
        return caches["default"]

    def test_it_remembers(self, remembered):
        remembered.set("a", 1)
        assert remembered.get("a") == 1
        assert remembered.incr("a") == 2
        assert not remembered.add("a", 5)
        assert remembered.get_many(["a", "b"]) == {"a": 2}
        assert remembered.delete("a")
        assert "a" not in remembered

    def test_no_page_waits_for_what_is_down_twice(self, remembered, monkeypatch):
        tried = []
        monkeypatch.setattr(steady.RedisCache, "get", lambda *_all: tried.append(1) or _fail())
        for _time in range(5):
            remembered.get("a")
        assert len(tried) == 1

    def test_it_goes_back_to_redis(self, settings, monkeypatch, tmp_path_factory):
        path = tmp_path_factory.mktemp("r") / "s"
        monkeypatch.setattr(steady, "REST", 0)
        settings.CACHES = {"default": NOWHERE["default"] | {"LOCATION": f"unix://{path}"}}
        remembered = caches["default"]
        with broker(path):
            remembered.set("a", 1)
        assert remembered.get("a") is None
        remembered.set("b", 2)
        with broker(path):
            assert remembered.get("b") is None
            remembered.set("c", 3)
            assert remembered.get("c") == 3
        assert remembered.get("b") is None  # what one outage left is not for the next one

    @pytest.mark.django_db
    def test_who_signs_out_while_redis_is_down_is_signed_out_a_minute_after_it_is_back(
        self, client, settings, monkeypatch, tmp_path_factory
    ):
        """Redis keeps what it holds, as the public site's does: it comes back with the session in it."""
        path = tmp_path_factory.mktemp("r") / "s"
        there = NOWHERE["default"] | {"LOCATION": f"unix://{path}", "BACKEND": "config.cache.BriefRedisCache"}
        settings.CACHES = NOWHERE | {"sessions": there}
        settings.SESSION_CACHE_ALIAS, settings.SESSION_ENGINE = "sessions", "django.contrib.sessions.backends.cached_db"
        monkeypatch.setattr(steady, "REST", 0)
        with broker(path), redis.Redis(unix_socket_path=str(path)) as remembered:
            client.force_login(somebody())
            cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
            assert is_signed_in(cookie)
            remembered.save()
        assert client.post(reverse("account_logout")).status_code == 302
        assert not is_signed_in(cookie)
        with broker(path), redis.Redis(unix_socket_path=str(path)) as remembered:
            (key,) = remembered.keys("*")
            assert is_signed_in(cookie)
            assert 0 < remembered.ttl(key) <= steady.BRIEF <= 60
            remembered.expire(key, 0)  # that minute is over
            assert not is_signed_in(cookie)

    def test_what_is_wrong_otherwise_is_said(self, remembered):
        with pytest.raises(ValueError, match="not found"):
            remembered.incr("nobody")


def is_signed_in(cookie):
    """Say whether the site knows who shows this session's cookie."""
    browser = Client()
    browser.cookies[settings.SESSION_COOKIE_NAME] = cookie
    return browser.get("/").wsgi_request.user.is_authenticated


def _fail():
    raise steady.ConnectionError("down")


@contextmanager
def broker(path):
    troupe = serving.Troupe()
    troupe.start("broker", serving.broker(path))
    troupe.wait_until(lambda: serving.broker_answers(path))
    try:
        yield
    finally:
        troupe.stop()


class TestSchedule:
    def test_every_task_that_is_sent_exists(self):
        app.loader.import_default_modules()
        assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(app.tasks)

    def test_what_no_worker_took_is_dropped_later_than_clocks_may_be_apart(self):
        for entry in app.conf.beat_schedule.values():
            assert 600 <= entry["options"]["expires"] <= 3600

    def test_what_a_killed_worker_held_comes_back_soon_and_never_while_it_runs(self):
        wait = app.conf.broker_transport_options["visibility_timeout"]
        assert app.conf.task_time_limit < wait < 600
        assert app.conf.visibility_timeout == app.conf.result_backend_transport_options["visibility_timeout"] == wait
        assert app.conf.task_acks_late
        assert app.conf.task_reject_on_worker_lost
        assert app.conf.worker_prefetch_multiplier == 1

    @pytest.mark.django_db
    def test_each_task_does_its_work_however_often_it_comes(self):
        play.challenged()
        for task in (sweep, drain, send_mail) * 2:
            task()
        assert Notice.objects.count() == 1
