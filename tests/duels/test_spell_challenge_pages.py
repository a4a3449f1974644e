"""The pages on which one challenges to a spell duel, and answers."""

import datetime as dt

import pytest

from duels.models import Duel
from tests import spells_play as play
from tests.factories import DuellistFactory

from .readers import as_player, as_user, english

pytestmark = pytest.mark.django_db


def address(foe):
    return f"/defis/nouveau/?contre={foe.pk}&regles=sorts"


def terms(mine, **other):
    later = dt.datetime.now() + dt.timedelta(days=5)
    start = later.strftime("%Y-%m-%dT20:00")
    return {"challenger": mine.pk, "mode": "rp", "starts_at": start, "refereed": "yes", **other}


def send(mine, foe, **other):
    return english(as_user(mine.user)).post(address(foe), terms(mine, **other))


@pytest.fixture
def mine():
    return play.fighter()


@pytest.fixture
def foe():
    return play.fighter()


class TestWhatIsWrong:
    def test_it_says_which_of_the_four_and_stands_beside_its_field(self, mine, foe):
        partner, second = play.fighter(name="Cléo"), play.fighter(name="Dan", user=foe.user)
        answer = send(mine, foe, partner=partner.name, second=second.name)
        (said,) = answer.context["form"].errors["second"]
        assert said == f"Dan and {foe} are played by the same member: choose somebody else."
        assert list(answer.context["form"].errors) == ["second"]

    def test_ones_own_is_called_so(self, mine, foe):
        partner = DuellistFactory(name="Cléo", user=mine.user)
        answer = send(mine, foe, partner="Cléo", second=play.fighter().name)
        (said,) = answer.context["form"].errors["partner"]
        assert said == f"Cléo is played by you, as {mine} is: choose somebody else’s duellist."
        assert partner.user == mine.user

    def test_the_same_twice_too(self, mine, foe):
        answer = send(mine, foe, partner=play.fighter().name, second=foe.name)
        assert answer.context["form"].errors["second"] == [f"{foe} stands in this duel already: choose somebody else."]

    def test_everything_is_said_at_once(self, mine, foe):
        answer = send(mine, foe, starts_at="2001-01-01T20:00", partner=foe.name, second="Nobody", mode="rp")
        assert answer.status_code == 422
        assert set(answer.context["form"].errors) == {"starts_at", "partner", "second"}


class TestWhoCannotAccept:
    def test_the_challenger_is_warned_by_name_before_it_is_sent(self, mine, foe):
        busy = play.fighter(name="Busy Bee")
        play.running(sides=[busy])
        fields = {"partner": play.fighter().name, "second": "Busy Bee"}
        answer = send(mine, foe, **fields)
        assert answer.status_code == 200
        assert "Busy Bee is in a spell duel already: one at a time." in answer.text
        assert f'name="warned" value="{busy.pk}"' in answer.text
        assert not Duel.objects.filter(status="challenged").exists()
        assert send(mine, foe, **fields, warned=str(busy.pk)).status_code == 302
        assert Duel.objects.filter(status="challenged").count() == 1

    def test_the_first_opponent_is_named_before_anything_is_filled_in(self, mine):
        busy = play.fighter(name="Busy Bee")
        play.running(sides=[busy])
        assert "Busy Bee is in a spell duel already" in english(as_user(mine.user)).get(address(busy)).text

    def test_what_is_private_is_not_told(self, mine):
        foe = play.fighter(types=[], in_chronology=False)
        answer = send(mine, foe)
        assert "Who could not accept at present" in answer.text
        assert "something is missing that only who plays this duellist can see" in answer.text
        assert "register of" not in answer.text
        assert "chronology" not in answer.text.split("Who could not accept")[1].split("</section>")[0]

    def test_who_can_is_challenged_without_a_word(self, mine, foe):
        assert "Who could not accept" not in english(as_user(mine.user)).get(address(foe)).text
        assert send(mine, foe).status_code == 302

    def test_who_cannot_accept_is_asked_for_nothing(self):
        busy = play.fighter(name="Busy Bee")
        duel = play.challenged(mode="free", sides=[play.fighter(), busy], registration=play.free(3, "fire"))
        page = f"/defis/{duel.pk}/"
        assert 'name="level"' in as_player(duel, "b").get(page).text
        play.running(sides=[busy])
        text = as_player(duel, "b").get(page).text
        assert 'name="level"' not in text
        assert 'value="decline"' in text
