"""Challenging, and answering."""

import datetime as dt

import pytest
from django.urls import reverse

from duels import clock
from duels.actions.announcement import take_duel
from duels.actions.challenges import accept_challenge
from duels.actions.sweep import sweep
from duels.errors import Invalid
from duels.models import Duel
from tests import play, spells_play
from tests.factories import DuellistFactory, RefereeFactory, UserFactory

from .readers import as_player, as_user, assert_kept_for_players, english

pytestmark = pytest.mark.django_db

NEW = "/defis/nouveau/"


def against(duellist):
    return f"{NEW}?contre={duellist.pk}"


def page(duel):
    return reverse("duels:challenge", args=[duel.pk])


def terms(challenger, **other):
    later = dt.datetime.now() + dt.timedelta(days=5)
    return {
        "challenger": challenger.pk,
        "kind": "training",
        "turn_hours": "24",
        "starts_at": later.strftime("%Y-%m-%dT20:00"),
        "refereed": "yes",
        "message": "En garde !",
        **other,
    }


@pytest.fixture
def mine():
    return DuellistFactory(name="Alma")


@pytest.fixture
def foe():
    return DuellistFactory(name="Boris Vauquelin")


def test_one_searches_for_an_opponent_among_others_duellists(mine, foe):
    DuellistFactory(name="Carla")
    found = as_user(mine.user).get(NEW, {"q": "vauq"}).text
    assert against(foe) in found
    assert "Carla" not in found
    assert against(mine) not in as_user(mine.user).get(NEW).text


def test_a_search_without_a_result_offers_nobody(mine, foe):
    assert "?contre=" not in as_user(mine.user).get(NEW, {"q": "zzz"}).text


def test_who_has_no_duellist_makes_one_first(foe):
    answer = as_user(UserFactory()).get(against(foe))
    assert f"/duellistes/nouveau/?next=%2Fdefis%2Fnouveau%2F%3Fcontre%3D{foe.pk}" in answer.text


def test_challenging_is_for_those_signed_in(foe):
    assert as_user().get(against(foe)).url.startswith("/compte/login/")
    assert as_user().post(against(foe)).url.startswith("/compte/login/")


def test_an_only_duellist_is_chosen_already(mine, foe):
    assert as_user(mine.user).get(against(foe)).context["only"] == mine
    DuellistFactory(user=mine.user)
    answer = as_user(mine.user).get(against(foe))
    assert answer.context["only"] is None
    assert '<select name="challenger"' in answer.text


def test_a_challenge_is_sent(mine, foe):
    answer = as_user(mine.user).post(against(foe), terms(mine))
    duel = Duel.objects.get()
    assert answer.url == page(duel)
    assert (duel.name_of("a"), duel.name_of("b")) == ("Alma", "Boris Vauquelin")
    assert (duel.kind, duel.turn_hours, duel.refereed, duel.message) == ("training", 24, True, "En garde !")
    assert duel.status == Duel.Status.CHALLENGED


def test_a_turn_lasts_48_hours_unless_one_says_otherwise(mine, foe):
    form = as_user(mine.user).get(against(foe)).context["form"]
    assert form["turn_hours"].value() == 48


@pytest.fixture
def any_start(monkeypatch):
    """A start however far away, so that a test can name a date."""
    monkeypatch.setattr("duels.actions.challenges.STARTS_WITHIN", dt.timedelta(days=365 * 200))


def test_the_start_is_read_in_the_readers_zone(mine, foe, any_start):
    client = as_user(mine.user)
    client.cookies["tz"] = "Asia/Tokyo"
    assert "Asia/Tokyo" in client.get(against(foe)).text
    client.post(against(foe), terms(mine, starts_at="2099-07-01T20:00"))
    assert Duel.objects.get().starts_at == dt.datetime(2099, 7, 1, 11, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("starts_at", "2001-01-01T20:00"),
        ("starts_at", "demain"),
        ("starts_at", "2099-03-29T02:30"),  # an hour that the clocks of Paris skip
        ("turn_hours", "36"),
        ("kind", "duel"),
        ("refereed", ""),
        ("message", "x" * 1001),
    ],
)
def test_what_is_wrong_is_said_beside_its_field_and_nothing_typed_is_lost(mine, foe, field, said, any_start):
    answer = as_user(mine.user).post(against(foe), terms(mine, **{field: said}))
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert answer.context["form"]["starts_at"].value() == (said if field == "starts_at" else terms(mine)["starts_at"])
    assert not Duel.objects.exists()


@pytest.mark.parametrize("broken", [{}, {"turn_hours": "36"}])
def test_everything_that_is_wrong_is_said_at_once(mine, foe, broken):
    """Whether a field is not understood, or its value is refused."""
    student = DuellistFactory(user=mine.user, year=3)
    wrong = {"starts_at": "2001-01-01T20:00", "kind": "clandestine", "stake": "5", "stake_currency": "liards"}
    answer = as_user(mine.user).post(against(DuellistFactory(year=2)), terms(mine, **wrong, **broken))
    assert answer.status_code == 422
    assert student.is_student
    assert set(answer.context["form"].errors) == {"starts_at", "kind", "stake", *broken}
    assert all(f'href="#id_{field}"' in answer.text for field in ("starts_at", "kind", "stake"))


def test_against_an_adult_too(mine, foe):
    wrong = {"starts_at": "2001-01-01T20:00", "kind": "clandestine", "stake": "5", "stake_currency": "liards"}
    answer = as_user(mine.user).post(against(foe), terms(mine, **wrong))
    assert set(answer.context["form"].errors) == {"starts_at", "kind", "stake"}


def test_one_challenges_with_ones_own_duellists_only(mine, foe):
    other = DuellistFactory()
    answer = as_user(mine.user).post(against(foe), terms(other))
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["challenger"]


def test_one_cannot_challenge_ones_own_duellists(mine):
    second = DuellistFactory(user=mine.user)
    answer = as_user(mine.user).post(against(second), terms(mine), follow=True)
    assert answer.redirect_chain == [(NEW, 302)]
    assert [message.level_tag for message in answer.context["messages"]] == ["error"]
    assert not Duel.objects.exists()


@pytest.mark.parametrize("said", ["0", "99999", "²", "x", "9" * 40])
def test_an_opponent_who_does_not_exist_is_not_found(mine, said):
    assert as_user(mine.user).get(NEW, {"contre": said}).status_code == 404


def test_two_have_one_challenge_at_a_time(mine, foe):
    client = as_user(mine.user)
    client.post(against(foe), terms(mine))
    answer = client.post(against(foe), terms(mine))
    assert answer.status_code == 422
    assert answer.context["form"].non_field_errors()
    assert Duel.objects.count() == 1


def test_a_challenge_is_for_the_two_whom_it_concerns():
    assert_kept_for_players(duel := play.challenged(), page(duel))


def test_the_answer_is_awaited_from_the_one_who_was_challenged():
    duel = play.challenged()
    due = f'datetime="{dt.datetime.fromisoformat(duel.due_at.isoformat()).astimezone().strftime("%Y-%m-%d")}'
    for letter, buttons in (("a", ["withdraw"]), ("b", ["accept", "decline"])):
        text = as_player(duel, letter).get(page(duel)).text
        offered = [verb for verb in ("accept", "decline", "withdraw") if f'value="{verb}"' in text]
        assert offered == buttons
        assert due in text


@pytest.mark.parametrize(
    ("letter", "action", "status"),
    [("b", "accept", "agreed"), ("b", "decline", "declined"), ("a", "withdraw", "cancelled")],
)
def test_answering_a_challenge(letter, action, status):
    duel = play.challenged()
    answer = as_player(duel, letter).post(page(duel), {"action": action}, follow=True)
    assert answer.redirect_chain == [(page(duel), 302)]
    assert play.fresh(duel).status == status
    assert 'name="action"' not in answer.text


@pytest.mark.parametrize(("letter", "action"), [("a", "accept"), ("a", "decline"), ("b", "withdraw")])
def test_the_other_ones_answer_is_not_mine_to_give(letter, action):
    duel = play.challenged()
    assert as_player(duel, letter).post(page(duel), {"action": action}).status_code == 403
    assert as_user(UserFactory()).post(page(duel), {"action": action}).status_code == 404
    assert play.fresh(duel).status == "challenged"


def test_accepting_without_a_referee_announces_the_duel_at_once():
    duel = play.challenged(refereed=False)
    answer = as_player(duel, "b").post(page(duel), {"action": "accept"})
    assert answer.url == reverse("duels:preparation", args=[duel.pk])
    assert play.fresh(duel).status == "announced"


def test_who_answers_second_is_told_how_it_stands():
    duel = play.challenged()
    as_player(duel, "a").post(page(duel), {"action": "withdraw"})
    answer = as_player(duel, "b").post(page(duel), {"action": "accept"})
    assert answer.status_code == 409
    assert 'role="alert"' in answer.text
    assert 'name="action"' not in answer.text
    assert play.fresh(duel).status == "cancelled"


def test_a_challenge_expires_and_says_so(time):
    duel = play.challenged()
    time.go_to(duel.due_at, seconds=1)
    assert as_player(duel, "b").post(page(duel), {"action": "accept"}).status_code == 409
    time.go_on(minutes=1)
    sweep()
    assert play.fresh(duel).status == "expired"
    assert 'name="action"' not in as_player(duel, "b").get(page(duel)).text


def test_looking_changes_nothing():
    duel = play.challenged()
    as_player(duel, "b").get(page(duel), {"action": "accept"})
    as_player(duel, "b").post(page(duel), {"action": "n'importe"})
    assert play.fresh(duel).status == "challenged"


def test_what_was_written_in_a_message_is_shown_as_it_is():
    duel = play.challenged(message="<script>alert(1)</script>")
    assert "<script>alert" not in as_player(duel, "b").get(page(duel)).text


@pytest.mark.parametrize("refereed", [True, False])
def test_who_accepts_too_late_for_the_start_reads_before_and_after_that_it_is_moved(refereed):
    late = play.challenged(starts_at=clock.now() + dt.timedelta(hours=3), refereed=refereed)
    reader = english(as_player(late, "b"))
    assert "can no longer be kept: if the duel is agreed on now, its start is moved to" in reader.get(page(late)).text
    accept_challenge(user=play.player(late, "b"), duel_id=late.pk)
    duel = play.fresh(late)
    duel = duel if duel.announced_at else take_duel(user=RefereeFactory(), duel_id=late.pk)
    assert "was agreed on too late to start as proposed" in reader.get(duel.get_absolute_url()).text


def test_a_challenge_says_when_the_duel_may_start_at_the_earliest():
    soon = play.challenged(starts_at=clock.now() + dt.timedelta(hours=3))
    earliest = as_player(soon, "b").get(page(soon)).context["earliest_start"]
    assert dt.timedelta(hours=47) < earliest - clock.now() <= dt.timedelta(hours=48)


def test_a_challenge_is_for_the_next_ninety_days():
    with pytest.raises(Invalid, match="90"):
        play.challenged(starts_at=clock.now() + dt.timedelta(days=91))
    assert play.challenged(starts_at=clock.now() + dt.timedelta(days=89)).pk


@pytest.mark.parametrize("challenged", [play.challenged, spells_play.challenged])
def test_a_message_is_headed_by_who_reads_it(challenged):
    duel = challenged(message="En garde !")
    assert "Ce que j’ai écrit" in as_player(duel, "a").get(page(duel)).text
    assert f"{duel.name_of('a')} vous écrit" not in as_player(duel, "a").get(page(duel)).text
    assert f"{duel.name_of('a')} vous écrit" in as_player(duel, "b").get(page(duel)).text
