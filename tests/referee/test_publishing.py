"""Publishing on its page: the referee's words kept and read before, at once or at an hour announced."""

import datetime as dt
import re

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from duels import clock
from duels.actions.framing import kept
from duels.models import Phase, Post
from duels.queries.waiting import referee_tasks
from tests import play
from tests.duels.contesting import contest, decide
from tests.duels.readers import as_player, as_user, english, strangers
from tests.factories import RefereeFactory

pytestmark = pytest.mark.django_db


def address(duel, name="publish"):
    return reverse(f"referee:{name}", args=[duel.pk, 1])


def send(duel, do, **fields):
    sent = {"revision": duel.phase.resolution.revision, "preamble": "", "closing": "", **fields}
    return as_user(duel.referee).post(address(duel), {"do": do, **sent})


def local(**later):
    """An hour as the field of a form spells it."""
    return timezone.localtime(clock.now() + dt.timedelta(**later)).strftime("%Y-%m-%dT%H:%M")


def announced(duel, **later):
    send(duel, "announce", publish_at=local(**(later or {"hours": 9})))
    return play.fresh(duel)


def test_words_are_kept_and_shown_as_they_will_be_read():
    duel = play.locked()
    answer = send(duel, "keep", preamble="La **cloche** sonne.", closing="<b>À vous</b>")
    assert answer.url == address(duel)
    said = as_user(duel.referee).get(address(duel)).content.decode()
    assert "La <strong>cloche</strong> sonne." in said
    assert "&lt;b&gt;À vous&lt;/b&gt;" in said
    assert 'name="preamble"' in said
    assert Post.objects.filter(kind="preamble").count() == 0


def test_it_promises_no_more_than_that_what_is_published_stays_readable():
    duel = play.locked()
    said = as_user(duel.referee).get(address(duel)).text
    assert "même si vous corrigez le tour ensuite" in said
    assert "ne se reprend pas" not in said


def test_what_is_typed_when_publishing_is_published_with_it():
    duel = play.locked()
    send(duel, "publish", preamble="La cloche sonne.", closing="À vous.")
    thread = as_user().get(duel.get_absolute_url()).content.decode()
    places = [thread.index(text) for text in ("La cloche sonne.", "Résolution du tour 1", "À vous.")]
    assert places == sorted(places)


def test_what_was_typed_for_a_turn_read_too_early_is_kept():
    duel = play.locked()
    answer = send(duel, "publish", revision="9", preamble="La cloche sonne.")
    assert answer.status_code == 409
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED
    assert kept(play.fresh(duel).phase).preamble == "La cloche sonne."


def test_what_was_typed_once_it_is_published_comes_back():
    duel = play.locked()
    play.publish(duel)
    answer = send(duel, "keep", preamble="La cloche sonne.")
    assert answer.status_code == 409
    assert "La cloche sonne." in answer.content.decode()


def test_words_too_long_are_refused_beside_their_field_and_kept_on_the_page():
    duel = play.locked()
    answer = send(duel, "keep", preamble="x" * 50_001)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["preamble"]
    assert "x" * 50_001 in answer.content.decode()


def test_an_hour_is_announced_and_the_page_says_so():
    duel = announced(play.locked())
    assert duel.phase.publish_at is not None
    for page in (address(duel), address(duel, "review")):
        answer = english(as_user(duel.referee)).get(page)
        assert "announced for" in answer.content.decode()
        assert "waiting for you" not in answer.content.decode()
        assert 'value="publish"' not in answer.content.decode()
    thread = english(as_user()).get(duel.get_absolute_url()).content.decode()
    assert "has read turn 1: its publication is announced for" in thread


def test_a_turn_announced_for_an_hour_is_nowhere_said_to_be_reviewed():
    duel = announced(play.locked())
    for address in (duel.get_absolute_url(), reverse("duels:duels")):
        said = english(as_user()).get(address).content.decode()
        assert "the turn is closed: its publication is announced for" in said
        assert "is reviewing it" not in said
    turn = english(as_player(duel, "a")).get(reverse("duels:turn", args=[duel.pk])).content.decode()
    assert "its publication is announced for" in turn


def test_a_turn_announced_for_an_hour_waits_for_its_referee_no_more_and_is_one_touch_away():
    duel = announced(play.locked())
    client = english(as_user(duel.referee))
    queue = client.get(reverse("referee:queue"))
    assert queue.context["waiting"].rows == []
    assert queue.context["under_way"].rows == [duel]
    assert "Turn 1: publication announced for" in queue.content.decode()
    assert list(referee_tasks(duel, duel.referee)) == []
    assert f'href="{address(duel, "review")}"' in client.get(duel.get_absolute_url()).content.decode()


def test_an_hour_is_called_off():
    duel = announced(play.locked())
    send(duel, "call_off")
    assert play.fresh(duel).phase.publish_at is None
    assert 'value="publish"' in as_user(duel.referee).get(address(duel)).content.decode()


def test_while_it_is_announced_nothing_is_published_before():
    duel = announced(play.locked())
    answer = send(duel, "publish", preamble="La cloche sonne.")
    assert answer.status_code == 422
    assert "La cloche sonne." in answer.content.decode()
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED


@pytest.mark.parametrize("hour", ["", "demain", "2020-01-01T00:00"])
def test_an_hour_that_is_none_is_refused_beside_its_field(hour):
    duel = play.locked()
    answer = send(duel, "announce", publish_at=hour, preamble="La cloche sonne.")
    assert answer.status_code == 422
    assert list(answer.context["hour"].errors) == ["publish_at"]
    assert "La cloche sonne." in answer.content.decode()
    assert play.fresh(duel).phase.publish_at is None


def test_an_hour_past_the_five_days_is_refused():
    duel = play.locked()
    answer = send(duel, "announce", publish_at=local(days=6))
    assert answer.status_code == 422
    assert list(answer.context["hour"].errors) == ["publish_at"]


def test_something_else_to_do_is_nothing():
    duel = play.locked()
    assert send(duel, "dance").status_code == 422
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED


def test_only_its_referee_keeps_words_announces_and_calls_off():
    duel = play.locked()
    others = [client for kind, client in strangers(duel).items() if kind != "its referee"]
    for client in [*others, as_player(duel, "a"), as_player(duel, "b")]:
        for do in ("keep", "announce", "call_off", "publish"):
            sent = {"do": do, "revision": "1", "preamble": "x", "closing": "", "publish_at": local(hours=9)}
            assert client.post(address(duel), sent).status_code == 403
    assert kept(play.fresh(duel).phase).preamble == ""


class TestTheTitle:
    def page(self, duel):
        return english(as_user(duel.referee)).get(address(duel)).text

    def titles(self, duel):
        return re.findall(r"<(?:title|h1)>\s*(.*?)(?: ·.*?)?\s*</(?:title|h1)>", self.page(duel))

    def test_asks_where_it_can_be_published_now(self):
        duel = play.locked()
        assert self.titles(duel)[-1] == f"Publish turn 1 of {escape(str(duel))}?"

    def test_says_that_it_waits_for_the_hour_announced_and_what_can_be_done(self):
        duel = announced(play.locked())
        assert all(f"Turn 1 of {escape(str(duel))} waits for its hour" in title for title in self.titles(duel))
        assert "call it off first" in self.page(duel)
        assert 'value="publish"' not in self.page(duel)

    def test_says_that_a_granted_appeal_is_to_be_decided_on_first(self):
        duel = play.publish(play.locked())
        decide(contest(duel), RefereeFactory(), granted=True)
        duel = play.fresh(duel)
        assert all(f"Turn 1 of {escape(str(duel))} cannot be published yet" in title for title in self.titles(duel))
        assert "amend it, or note in words what was decided, first" in self.page(duel)
        assert "Turn 2 then opens at once and lasts 48 hours.</li>" in self.page(duel)
        assert "published now" not in self.page(duel)
