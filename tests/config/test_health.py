"""/healthz, /readyz, and the staff's page on the state of the site."""

import datetime as dt
import json
import logging

import pytest
from django.contrib.admin.models import LogEntry
from django.db import OperationalError
from django.test import Client

from config import health
from duels import clock
from duels.actions.heartbeat import beat, silences
from duels.actions.sweep import sweep
from duels.models import Duel, Heartbeat
from duels.models.duel import SET_ASIDE
from notices.actions.telling import drain
from notices.models import Delivery
from tests import play
from tests.duels.readers import as_user
from tests.factories import RefereeFactory, StaffFactory, UserFactory
from tests.tournaments import play as tournament_play
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def works(monkeypatch):
    """A broker that answers, and a clock that has just swept."""
    monkeypatch.setattr(health, "broker_answers", lambda: True)
    beat(at=clock.now())


def ready(client=None):
    answer = (client or Client()).get("/readyz")
    return answer.status_code, json.loads(answer.content)


class TestHealthz:
    def test_the_process_answers_asking_nothing(self, django_assert_num_queries):
        with django_assert_num_queries(0):
            answer = Client().get("/healthz")
        assert answer.status_code == 200
        assert answer.cookies == {}

    def test_whatever_host_is_named_and_without_https(self, settings):
        settings.ALLOWED_HOSTS = ["duels.example"]
        settings.SECURE_SSL_REDIRECT = True
        assert Client().get("/healthz", headers={"host": "10.0.0.7:8000"}).status_code == 200

    @pytest.mark.parametrize("path", ["/healthz", "/readyz"])
    def test_it_is_only_read(self, path):
        assert Client().post(path).status_code == 405


class TestReadyz:
    def test_ready(self, works):
        status, told = ready()
        assert (status, told["ready"], told["reasons"]) == (200, True, [])
        assert told["last_sweep"] < 5
        assert told["oldest_overdue"] is None

    def test_no_cache_keeps_it(self, works):
        assert Client().get("/readyz")["Cache-Control"] == "no-store"

    def test_without_a_broker(self, works, monkeypatch):
        monkeypatch.setattr(health, "broker_answers", lambda: False)
        status, told = ready()
        assert (status, told["reasons"]) == (503, ["the broker does not answer"])

    def test_before_the_first_sweep(self, works):
        Heartbeat.objects.all().delete()
        assert ready()[1]["reasons"] == ["no sweep yet"]

    def test_when_sweeps_have_stopped(self, works):
        Heartbeat.objects.update(since=clock.now() - dt.timedelta(hours=1), at=clock.now() - dt.timedelta(minutes=3))
        status, told = ready()
        assert status == 503
        assert told["reasons"][0].startswith("no sweep for 18")

    def test_when_a_duel_is_overdue(self, works, time):
        duel = play.running()
        time.go_to(duel.due_at, minutes=3)
        beat(at=clock.now())
        status, told = ready()
        assert status == 503
        assert told["reasons"] == [f"a duel is overdue by {told['oldest_overdue']:.0f} s"]
        assert told["oldest_overdue"] > 120

    @pytest.mark.parametrize("stage", [tournament_play.announced, tournament_play.running])
    def test_when_the_start_or_the_round_of_a_tournament_is_overdue(self, works, time, stage):
        tournament = stage(2)
        Duel.objects.update(wake_at=None)
        time.go_to(tournament.wake_at, minutes=1)
        beat(at=clock.now())
        assert ready()[0] == 200
        time.go_to(tournament.wake_at, minutes=3)
        beat(at=clock.now())
        status, told = ready()
        assert (status, told["oldest_overdue"]) == (503, None)
        assert told["reasons"] == [f"a tournament is overdue by {told['oldest_overdue_tournament']:.0f} s"]
        assert 175 < told["oldest_overdue_tournament"] < 200
        assert told["reasons"][0] in as_user(StaffFactory()).get("/etat/").text
        Tournament.objects.update(failures=SET_ASIDE)
        assert (ready()[0], ready()[1]["set_aside"]) == (200, 1)

    def test_what_is_set_aside_is_counted_and_makes_nothing_unready(self, works, time):
        duel = play.running()
        Duel.objects.filter(pk=duel.pk).update(failures=SET_ASIDE)
        time.go_to(duel.due_at, hours=1)
        beat(at=clock.now())
        status, told = ready()
        assert (status, told["set_aside"]) == (200, 1)

    def test_without_a_database_it_says_so_and_no_secret(self, works, monkeypatch):
        def fail():
            raise OperationalError("could not connect as user duels with password hunter2")

        monkeypatch.setattr(clock, "now", fail)
        answer = Client().get("/readyz")
        assert answer.status_code == 503
        assert json.loads(answer.content)["reasons"] == ["the database does not answer"]
        assert "hunter2" not in answer.content.decode()

    @pytest.mark.parametrize("url", ["redis://:hunter2@127.0.0.1:1/0", ""])
    def test_a_broker_that_is_not_there_says_no_secret(self, settings, url):
        settings.REDIS_URL = url
        settings.BROKER_SOCKET = ""
        answer = Client().get("/readyz")
        assert "the broker does not answer" in answer.content.decode()
        assert "hunter2" not in answer.content.decode()


class TestHeartbeat:
    def test_each_sweep_is_noted(self, time):
        sweep()
        first = Heartbeat.objects.get()
        time.go_on(seconds=20)
        sweep()
        again = Heartbeat.objects.get()
        assert again.since == first.since
        assert again.at - first.at >= dt.timedelta(seconds=20)

    def test_a_silence_begins_a_new_row_and_is_known(self):
        now = clock.now()
        for minutes in (60, 58, 30, 28, 1):
            beat(at=now - dt.timedelta(minutes=minutes))
        assert Heartbeat.objects.count() == 3
        found = silences(now - dt.timedelta(hours=2), now)
        assert [round((one.until - one.since).total_seconds() / 60) for one in found] == [28, 27]
        assert silences(now - dt.timedelta(minutes=20), now) == found[1:]
        assert silences(now - dt.timedelta(hours=2), now - dt.timedelta(minutes=40)) == []

    def test_two_clocks_at_once_make_no_silence(self):
        now = clock.now()
        for seconds in (600, 595, 300):
            Heartbeat.objects.create(since=now - dt.timedelta(seconds=seconds), at=now - dt.timedelta(seconds=seconds))
        beat(at=now - dt.timedelta(seconds=299))
        assert silences(now - dt.timedelta(hours=1), now) == []

    def test_a_beat_that_comes_late_sets_nothing_back(self):
        now = clock.now()
        beat(at=now)
        beat(at=now - dt.timedelta(seconds=30))
        assert Heartbeat.objects.get().at == now


class TestStatePage:
    def test_for_staff_only(self, works):
        assert Client().get("/etat/").url.startswith("/compte/login/")
        for user in (UserFactory(), RefereeFactory()):
            assert as_user(user).get("/etat/").status_code == 403
            assert as_user(user).post("/etat/", {"row": "duel:1"}).status_code == 403
        assert as_user(StaffFactory()).get("/etat/").status_code == 200

    def test_it_says_what_is_wrong(self, works):
        Heartbeat.objects.all().delete()
        assert "no sweep yet" in as_user(StaffFactory()).get("/etat/").content.decode()

    def test_a_duel_set_aside_is_tried_again_and_it_is_written_down_by_whom(self, works, caplog):
        duel = play.running()
        Duel.objects.filter(pk=duel.pk).update(failures=SET_ASIDE)
        staff = StaffFactory()
        client = as_user(staff)
        assert f'value="duel:{duel.pk}"' in client.get("/etat/").content.decode()
        with caplog.at_level(logging.INFO, "config.state"):
            client.post("/etat/", {"row": f"duel:{duel.pk}"})
        assert play.fresh(duel).failures == 0
        entry = LogEntry.objects.get()
        assert (entry.user, entry.object_id) == (staff, str(duel.pk))
        assert f"as user {staff.pk} asked" in caplog.text
        assert f'value="duel:{duel.pk}"' not in client.get("/etat/").content.decode()

    def test_mail_set_aside_is_tried_again(self, works):
        play.challenged()
        drain()
        Delivery.objects.update(status="aside", reason="failed", tries=5)
        delivery = Delivery.objects.get()
        client = as_user(StaffFactory())
        text = client.get("/etat/").content.decode()
        assert f'value="mail:{delivery.pk}"' in text
        assert delivery.user.email not in text
        client.post("/etat/", {"row": f"mail:{delivery.pk}"})
        delivery.refresh_from_db()
        assert (delivery.status, delivery.tries) == ("waiting", 0)

    def test_what_is_not_set_aside_is_left_alone(self, works):
        duel = play.running()
        Duel.objects.filter(pk=duel.pk).update(failures=1)
        as_user(StaffFactory()).post("/etat/", {"row": f"duel:{duel.pk}"})
        assert Duel.objects.get(pk=duel.pk).failures == 1
        assert not LogEntry.objects.exists()

    @pytest.mark.parametrize("row", ["", "duel:", "duel:x", "user:1", "duel:-1"])
    def test_a_made_up_row_does_not_exist(self, works, row):
        assert as_user(StaffFactory()).post("/etat/", {"row": row}).status_code == 404

    def test_a_get_tries_nothing_again(self, works):
        duel = play.running()
        Duel.objects.filter(pk=duel.pk).update(failures=SET_ASIDE)
        as_user(StaffFactory()).get("/etat/", {"row": f"duel:{duel.pk}"})
        assert Duel.objects.get(pk=duel.pk).failures == SET_ASIDE
