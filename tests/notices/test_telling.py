"""From what happened to notices: everybody concerned is told, once, and nobody of what they did themselves."""

import datetime as dt
import re
from pathlib import Path

import pytest
from django.db import IntegrityError
from django.urls import reverse
from django.utils import translation

from duels import clock
from duels.actions.challenges import accept_challenge, decline_challenge, withdraw_challenge
from duels.actions.ending import offer_draw, refuse_draw
from duels.actions.preparation import ask_to_start
from duels.actions.time_outs import answer_time_out, ask_time_out
from duels.models import Happening
from notices.actions import telling
from notices.actions.reading import settle
from notices.actions.telling import drain, settled
from notices.kinds import GROUPS, KINDS, address, sentence
from notices.models import Cursor, Delivery, Notice, Preference
from notices.news import News
from tests import play, spells_play
from tests.factories import UserFactory

from .told import begin_here, noticed, player

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[2]


def test_every_kind_of_happening_is_told():
    """What the actions note is known here; `time_out_…` is put together from its answer."""
    code = "\n".join(path.read_text() for app in ("duels", "referee") for path in (ROOT / app / "actions").glob("*.py"))
    noted = set(re.findall(r'tell\(\s*duel, "(\w+)"', code)) | set(re.findall(r'_remind\("(\w+)"\)', code))
    assert len(noted) > 20
    assert noted - set(KINDS) == set()
    assert {"hand_over_asked", "hand_over_declined"} <= noted
    assert {"candidacy_sent", "candidacy_accepted", "candidacy_declined"} <= set(KINDS)
    assert {"time_out_granted", "time_out_refused", "time_out_lapsed"} <= set(KINDS)


def test_no_kind_stands_in_two_groups():
    assert sum(len(kinds) for _title, kinds in GROUPS.values()) == len(KINDS)


def test_a_challenge_is_news_to_whom_it_challenges():
    duel = play.challenged()
    drain()
    assert noticed(player(duel, "b")) == ["challenged"]
    assert noticed(player(duel, "a")) == []


@pytest.mark.parametrize(
    ("answer", "who", "told", "what"),
    [
        (accept_challenge, "b", "a", "accepted"),
        (decline_challenge, "b", "a", "declined"),
        (withdraw_challenge, "a", "b", "withdrawn"),
    ],
)
def test_an_answer_is_news_to_the_other(answer, who, told, what):
    duel = play.challenged()
    answer(user=player(duel, who), duel_id=duel.pk)
    drain()
    assert what in noticed(player(duel, told))
    assert what not in noticed(player(duel, who))


def test_a_turn_from_its_opening_to_its_publication():
    duel = play.running()
    play.file(duel, "a")
    drain()
    assert noticed(player(duel, "a")) == ["accepted", "announced", "started", "turn_opened"]
    assert noticed(player(duel, "b")) == ["challenged", "announced", "start_asked", "started", "turn_opened", "filed"]
    play.file(duel, "b")
    duel = play.publish(duel)
    drain()
    assert noticed(player(duel, "a"))[4:] == ["filed", "turn_published", "turn_opened"]
    assert noticed(duel.referee) == ["turn_locked"]


def test_who_asks_or_offers_is_not_told_of_it():
    duel = play.announced()
    play.hide(duel)
    ask_to_start(user=player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
    drain()
    assert "start_asked" not in noticed(player(duel, "a"))
    duel = play.running()
    offer_draw(user=player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
    refuse_draw(user=player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    drain()
    assert noticed(player(duel, "b"))[-1] == "draw_offered"
    assert noticed(player(duel, "a"))[-1] == "draw_refused"


def test_the_end_is_news_to_both():
    duel = play.over()
    drain()
    assert noticed(player(duel, "a"))[-1] == noticed(player(duel, "b"))[-1] == "over"


def test_draining_again_tells_nothing_again():
    play.running()
    begin_here()
    assert drain() > 0
    before = list(Notice.objects.values_list("pk", flat=True)), list(Delivery.objects.values_list("pk", flat=True))
    assert drain() == 0
    assert before == (
        list(Notice.objects.values_list("pk", flat=True)),
        list(Delivery.objects.values_list("pk", flat=True)),
    )


def test_read_a_second_time_nothing_is_told_a_second_time():
    """What stands past a gap is read again until the gap is settled."""
    play.running()
    drain()
    count = Notice.objects.count()
    Cursor.objects.update(position=0)
    assert drain() > 0
    assert Notice.objects.count() == count


def test_the_database_refuses_a_second_notice():
    duel = play.challenged()
    drain()
    notice = Notice.objects.get(user=player(duel, "b"))
    with pytest.raises(IntegrityError):
        Notice.objects.create(user=notice.user, happening=notice.happening)


def test_many_happenings_are_read_in_batches(monkeypatch):
    monkeypatch.setattr(telling, "BATCH", 2)
    duel = play.running()
    play.file(duel, "a")
    begin_here()
    assert drain() == Happening.objects.count()
    assert Cursor.objects.get().position == Happening.objects.latest("pk").pk
    assert "filed" in noticed(player(duel, "b"))


def happened(pk, minutes_ago, now):
    return Happening(pk=pk, what="over", at=now - dt.timedelta(minutes=minutes_ago))


def test_the_cursor_waits_at_a_fresh_gap_and_passes_an_old_one():
    """A transaction under way may hold the key that is missing: what it notes would be passed over for ever."""
    now = clock.now()
    assert settled(10, [happened(11, 0, now), happened(12, 0, now)], now) == 12
    assert settled(10, [happened(11, 0, now), happened(13, 1, now), happened(14, 0, now)], now) == 11
    assert settled(10, [happened(11, 9, now), happened(13, 6, now), happened(14, 0, now)], now) == 14


def test_what_came_late_into_a_gap_is_told():
    duel = play.challenged()
    begin_here()
    first = Happening.objects.latest("pk")
    common = {"duel": duel, "at": clock.now(), "concerns": [player(duel, "a").pk], "details": {}}
    Happening.objects.create(pk=first.pk + 2, what="expired", **common)
    drain()
    drain()
    assert noticed(player(duel, "a")) == ["expired"]
    Happening.objects.create(pk=first.pk + 1, what="cancelled", **common)
    drain()
    assert noticed(player(duel, "a")) == ["cancelled", "expired"]
    assert Cursor.objects.get().position == first.pk + 2


def test_an_account_that_is_closed_is_told_nothing():
    duel = play.challenged()
    user = player(duel, "b")
    user.is_active = False
    user.save()
    drain()
    assert noticed(user) == []


def test_what_nobody_here_knows_is_passed_over():
    duel = play.challenged()
    Happening.objects.create(duel=duel, what="unheard_of", at=clock.now(), concerns=[UserFactory().pk])
    begin_here()
    drain()
    assert not Notice.objects.filter(happening__what="unheard_of").exists()
    assert drain() == 0


def test_a_kind_that_is_switched_off_is_not_told():
    duel = play.challenged()
    Preference.objects.create(user=player(duel, "b"), ways={"challenged": ["mail"]})
    drain()
    assert noticed(player(duel, "b")) == []
    assert Delivery.objects.filter(user=player(duel, "b")).count() == 1


def test_a_time_out_leads_its_referee_to_the_answer_until_it_is_given():
    duel = play.running()
    asked = ask_time_out(
        user=play.player(duel, "a"), duel_id=duel.pk, hours=24, reason="Des examens.", received_at=clock.now()
    )
    happening = Happening.objects.get(duel=duel, what="time_out_asked")

    def news():
        return News(happening, play.fresh(duel), duel.referee_id, clock.now())

    assert address(news()) == reverse("referee:time_out", args=[duel.pk])
    answer_time_out(user=duel.referee, time_out_id=asked.pk, granted=False, reason="Non.")
    assert address(news()) == duel.get_absolute_url()


class TestWhatIsDone:
    """What asks for something is marked as read once it is done, or can no longer be done."""

    def unread(self, user):
        return sorted(user.notices.filter(read_at=None).values_list("happening__what", flat=True))

    def test_a_turn_that_its_referee_has_published_no_longer_waits_on_their_page(self):
        duel = play.locked()
        drain()
        assert "turn_locked" in self.unread(duel.referee)
        play.publish(duel)
        drain()
        assert "turn_locked" not in self.unread(duel.referee)

    def test_a_declaration_that_is_filed_is_no_longer_asked_for(self):
        duel = play.running()
        drain()
        assert "turn_opened" in self.unread(player(duel, "a"))
        play.file(duel, "a")
        drain()
        assert "turn_opened" not in self.unread(player(duel, "a"))
        assert "turn_opened" in self.unread(player(duel, "b"))

    def test_what_only_tells_stays_unread_until_it_is_read(self):
        duel = play.running()
        play.play_turn(duel)
        drain()
        settle()
        assert "turn_published" in self.unread(player(duel, "a"))
        assert "filed" in self.unread(player(duel, "a"))

    def test_what_nothing_is_told_of_is_found_in_its_time(self):
        duel = play.challenged()
        drain()
        type(duel).objects.filter(pk=duel.pk).update(status="cancelled")
        assert settle() == 1
        assert self.unread(player(duel, "b")) == []

    def test_while_the_clock_stands_still_a_turn_is_not_taken_for_done(self):
        duel = play.running()
        drain()
        until = clock.now() + dt.timedelta(hours=48)
        type(duel).objects.filter(pk=duel.pk).update(stopped_until=until)
        settle()
        assert "turn_opened" in self.unread(player(duel, "a"))


def test_of_a_turn_with_two_phases_the_phase_is_named():
    duel = spells_play.running()
    spells_play.all_file(duel)
    drain()
    told = Notice.objects.get(happening__what="turn_locked")
    news = News(told.happening, told.happening.duel, told.user_id, clock.now())
    with translation.override("en"):
        assert sentence(news) == "Turn 1 (action) is worked out, and waits for you."
