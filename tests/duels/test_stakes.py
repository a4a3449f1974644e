"""Stakes and rewards: within the purse, held from the start, paid with the verdict."""

import pytest
from django.db import IntegrityError, transaction

from duels import clock
from duels.actions.challenges import accept_challenge
from duels.actions.ending import offer_draw, surrender
from duels.actions.stakes import daily_salary, free_to_stake
from duels.errors import Invalid
from duels.models import Account, Duel, Transfer
from tests import play
from tests.factories import DuellistFactory

from .purses import assert_balanced, give, holds
from .readers import as_player, as_user, english

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

STAKE = {"stake": 30, "stake_currency": "liards"}


@pytest.fixture
def a():
    return DuellistFactory(name="Alma")


@pytest.fixture
def b():
    return DuellistFactory(name="Boris")


@pytest.fixture
def rich(a, b):
    give(a, 100)
    give(b, 50)
    return {"a": a, "b": b}


def give_up(duel, letter):
    surrender(user=play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())
    return play.fresh(duel)


def agree_on_a_draw(duel):
    for letter in "ab":
        offer_draw(user=play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())


def test_the_stakes_are_held_from_the_start_and_the_winner_takes_both(a, b, rich):
    duel = play.announced(**rich, **STAKE)
    assert (holds(a), holds(b)) == (100, 50)
    play.hide(duel)
    for letter in "ab":
        play.ask_to_start(user=play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())
    assert (holds(a), holds(b)) == (70, 20)
    assert Account.objects.get(duel=duel).balance == 60
    give_up(duel, "a")
    assert (holds(a), holds(b)) == (70, 80)
    assert Account.objects.get(duel=duel).balance == 0
    assert_balanced()


def test_a_draw_gives_the_stakes_back(a, b, rich):
    agree_on_a_draw(play.running(**rich, **STAKE))
    assert (holds(a), holds(b)) == (100, 50)
    assert_balanced()


def test_every_entry_names_its_duel_and_its_rule(rich):
    duel = give_up(play.running(**rich, **STAKE), "b")
    entries = Transfer.objects.filter(duel=duel).order_by("pk").values_list("what", "rule", "amount")
    assert list(entries) == [("stake_held", "A3.3", 30), ("stake_held", "A3.3", 30), ("stake_won", "A3.3", 60)]


def test_the_verdict_tells_what_was_paid(rich):
    duel = give_up(play.running(**rich, **STAKE), "b")
    text = english(as_user()).get(duel.get_absolute_url()).text
    assert "Alma takes the stakes: 60 Liards." in text
    assert "30 Liards each" in text


def test_without_a_stake_nothing_moves():
    give_up(play.running(), "b")
    assert not Transfer.objects.exists()


def test_one_cannot_stake_more_than_the_purse_holds(a, b):
    give(a, 29)
    with pytest.raises(Invalid, match="29 at present") as refused:
        play.challenged(a=a, b=b, **STAKE)
    assert refused.value.field == "stake"


def test_the_challenged_ones_purse_is_looked_at_when_they_accept_and_is_not_shown_before(a, b):
    give(a, 30)
    duel = play.challenged(a=a, b=b, **STAKE)
    with pytest.raises(Invalid, match="Boris cannot stake"):
        accept_challenge(user=b.user, duel_id=duel.pk)
    assert play.fresh(duel).status == Duel.Status.CHALLENGED
    answer = as_player(duel, "b").post(f"/defis/{duel.pk}/", {"action": "accept"})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    give(b, 30)
    assert accept_challenge(user=b.user, duel_id=duel.pk).status == Duel.Status.AGREED


def test_who_accepts_is_not_told_what_the_others_purse_holds(a, b, rich):
    duel = play.challenged(**rich, **STAKE)
    give(a, -83)
    with pytest.raises(Invalid) as refused:
        accept_challenge(user=b.user, duel_id=duel.pk)
    assert (str(refused.value), refused.value.field) == ("Alma can no longer cover this stake (A3.3).", "stake")
    give(a, 13)
    assert accept_challenge(user=b.user, duel_id=duel.pk).status == Duel.Status.AGREED


def test_what_is_promised_to_one_duel_is_not_staked_in_another(a, b, rich):
    play.agreed(**rich, **STAKE)
    assert (free_to_stake(a, "liards"), free_to_stake(b, "liards"), free_to_stake(b, "runes")) == (70, 20, 0)
    second = play.challenged(**rich, **STAKE)
    with pytest.raises(Invalid, match="20 at present"):
        accept_challenge(user=b.user, duel_id=second.pk)


@pytest.mark.parametrize(
    ("kind", "currency", "field"),
    [("tournament", "liards", "kind"), ("training", "dust", "stake_currency"), ("training", "", "stake_currency")],
)
def test_what_cannot_be_staked(a, b, kind, currency, field):
    for held in ("liards", "dust"):
        give(a, 100, held)
    with pytest.raises(Invalid) as refused:
        play.challenged(a=a, b=b, kind=kind, stake=1, stake_currency=currency)
    assert refused.value.field == field


def test_runes_are_staked_too(a, b):
    for duellist in (a, b):
        give(duellist, 3, "runes")
    give_up(play.running(a=a, b=b, stake=3, stake_currency="runes"), "b")
    assert (holds(a, "runes"), holds(b, "runes")) == (6, 0)


def test_if_the_staff_have_emptied_a_purse_meanwhile_the_duel_goes_on_without_a_stake(a, b, rich):
    duel = play.announced(**rich, **STAKE)
    give(b, -40)
    play.hide(duel)
    for letter in "ab":
        play.ask_to_start(user=play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())
    duel = play.fresh(duel)
    assert (duel.is_running, duel.stake) == (True, 0)
    assert "goes on without stakes" in english(as_user()).get(duel.get_absolute_url()).text
    give_up(duel, "a")
    assert (holds(a), holds(b)) == (100, 10)


def students():
    return {letter: DuellistFactory(year=3) for letter in "ab"}


def test_the_winner_of_a_students_training_duel_receives_ten_of_dust():
    duel = play.running(**students())
    zones = ["head", "torso", "left_arm"]
    for zone, other in zip(zones, zones[1:] + zones[:1], strict=True):
        play.play_turn(duel, a={"thrust": zone, "parry": zone}, b={"thrust": zone, "parry": other})
    duel = give_up(duel, "b")
    assert [(move["seat"], move["amount"]) for move in verdict(duel)["paid"]] == [("a", 10)]
    assert holds(duel.seats.get(letter="a").duellist, "dust") == 10
    assert_balanced()


def verdict(duel):
    return duel.thread.posts.get(kind="verdict").details


def test_a_duel_pays_once(a, b, rich):
    duel = give_up(play.running(**rich, **STAKE), "b")
    won = Transfer.objects.get(what="stake_won")
    with pytest.raises(IntegrityError), transaction.atomic():
        Transfer.objects.create(
            payer=won.payer, payee=won.payee, amount=1, what=won.what, rule=won.rule, duel=duel, at=clock.now()
        )


def test_what_fails_at_the_end_leaves_neither_a_verdict_nor_a_payment(a, b, rich, monkeypatch):
    duel = play.running(**rich, **STAKE)
    monkeypatch.setattr("duels.actions.turns.tell", lambda *_given, **_named: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        give_up(duel, "b")
    assert play.fresh(duel).is_running
    assert not Transfer.objects.filter(what="stake_won").exists()


def test_the_database_itself_lets_no_balance_fall_below_0_but_the_dusts(a):
    give(a, 1)
    give(a, 1, "dust")
    with pytest.raises(IntegrityError), transaction.atomic():
        Account.objects.filter(duellist=a, currency="liards").update(balance=-1)
    assert Account.objects.filter(duellist=a, currency="dust").update(balance=-1) == 1


def test_a_days_salary_is_that_of_the_year_of_study(settings):
    settings.DAILY_SALARY = {"3": 4, "adult": 20}
    assert (daily_salary(3), daily_salary(None), daily_salary(7)) == (4, 20, 0)


def test_the_challenge_form_says_what_the_purse_holds_and_keeps_what_was_typed(a, b):
    give(a, 12)
    address = f"/defis/nouveau/?contre={b.pk}"
    client = as_user(a.user)
    assert "12 Liards" in english(client).get(address).text
    start = (clock.now() + play.dt.timedelta(days=5)).strftime("%Y-%m-%dT20:00")
    filled = {"challenger": a.pk, "kind": "training", "turn_hours": "48", "starts_at": start, "refereed": "yes"}
    answer = client.post(address, {**filled, "stake": "13", "stake_currency": "liards"})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["stake"]
    assert answer.context["form"]["stake"].value() == "13"
    assert client.post(address, {**filled, "stake": "12", "stake_currency": "liards"}).status_code == 302
    assert (Duel.objects.get().stake, Duel.objects.get().stake_currency) == (12, "liards")


def test_who_is_challenged_reads_the_stake_and_what_is_free(a, b, rich):
    duel = play.challenged(**rich, **STAKE)
    text = english(as_player(duel, "b")).get(f"/defis/{duel.pk}/").text
    assert "You would stake 30 Liards, of 50 Liards free in your purse." in text
