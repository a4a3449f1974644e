"""What a tournament brings: a title that moves nothing between purses (A15), and what its duels bring (B3.3.2)."""

import pytest

from duels import clock
from duels.models import Transfer
from tests import spells_play
from tests.duels.purses import assert_balanced, give, holds
from tests.duels.readers import as_user, english
from tournaments.actions.leaving import withdraw

from . import play

pytestmark = pytest.mark.django_db
TURNS = 2  # played out before somebody gives up in the third (B3.3.2)


def spell_final(**terms):
    return play.running(2, **{"ruleset": "spells", "mode": "rp", **terms})


def fought(tournament):
    """Play the only duel of a tournament into its third turn; return its match."""
    match = tournament.matches.get()
    play.start_duel(match)
    duel = match.duel
    while spells_play.fresh(duel).turn <= TURNS:
        spells_play.all_file(duel)
    return match


def brought(duellist):
    return {currency: holds(duellist, currency) for currency in ("points", "salary", "frogs", "dust", "liards")}


def rows():
    return list(Transfer.objects.order_by("pk").values())


def test_a_title_brings_no_prize_and_takes_none_from_who_reigned():
    former = play.played(play.running(2)).reign
    give(former.duellist, 30)
    before = rows()
    latter = play.played(play.running(2)).reign
    former.refresh_from_db()
    assert former.until == latter.since
    assert rows() == before
    assert (holds(former.duellist), holds(latter.duellist)) == (30, 0)


def test_entering_a_tournament_and_leaving_it_are_free():
    tournament = play.announced(2)
    duellist = play.enter(tournament).duellist
    give(duellist, 5)
    withdraw(user=duellist.user, tournament_id=tournament.pk)
    play.enter(tournament, duellist)
    play.sweep_at(tournament.starts_at)
    withdraw(user=duellist.user, tournament_id=tournament.pk)
    assert play.played(play.fresh(tournament)).reign
    assert holds(duellist) == 5
    assert Transfer.objects.count() == 1


def test_the_final_of_a_spell_tournament_brings_what_any_spell_duel_does_and_only_once():
    tournament = spell_final()
    match = fought(tournament)
    play.end_duel(match, loser="b")
    play.sweep_now(tournament)
    assert play.fresh(tournament).reign.duellist == match.first.duellist
    won = {"points": 1, "salary": 4, "frogs": 0, "dust": 0, "liards": 0}
    lost = {"points": 0, "salary": 0, "frogs": 1, "dust": 0, "liards": 0}
    assert (brought(match.first.duellist), brought(match.second.duellist)) == (won, lost)
    before = rows()
    play.sweep_now(tournament)
    play.sweep_at(tournament.wall + clock.GRACE)
    assert rows() == before
    assert {(row["duel_id"], row["rule"]) for row in before} == {(match.duel_id, "B3.3.2")}
    assert_balanced()


def test_who_goes_on_by_lot_has_drawn_all_the_same():
    tournament = spell_final()
    match = fought(tournament)
    play.sweep_at(tournament.wall + clock.GRACE)
    match.refresh_from_db()
    assert (match.how, play.fresh(tournament).reign.duellist) == ("lot", match.winner.duellist)
    drawn = {"points": 0, "salary": 2, "frogs": 0, "dust": 0, "liards": 0}
    assert (brought(match.first.duellist), brought(match.second.duellist)) == (drawn, drawn)


def test_two_who_only_wait_for_the_wall_receive_nothing():
    tournament = spell_final()
    play.sweep_at(tournament.wall + clock.GRACE)
    assert play.fresh(tournament).reign
    assert rows() == []


def test_the_purse_names_the_tournament_and_its_rule_and_other_duels_have_none(django_assert_max_num_queries):
    tournament = spell_final(name="Coupe des Brumes")
    match = fought(tournament)
    play.end_duel(match, loser="b")
    winner = match.first.duellist
    give(winner, 1)
    client = english(as_user(winner.user))
    client.get("/")  # what language they read is kept once
    with django_assert_max_num_queries(10):
        page = client.get(f"/duellistes/{winner.pk}/bourse/").text
    entries = page.split('class="purse-line"')[1:]
    assert [tournament.get_absolute_url() in entry for entry in entries] == [False, True, True]
    assert all("Coupe des Brumes" in entry and "B3.3.2" in entry for entry in entries[1:])


@pytest.mark.parametrize(
    ("terms", "rule", "said"),
    [
        ({}, "A3.3", "Nothing is staked in its duels."),
        ({"ruleset": "spells", "mode": "rp"}, "B3.3.2", "Each duel brings its own reward, paid with its verdict."),
    ],
)
def test_the_page_of_a_tournament_says_what_is_won(client, terms, rule, said):
    page = english(client).get(play.announced(**terms).get_absolute_url()).text
    facts = page.split("What is won</dt>")[1].split("</dd>")[0]
    assert said in facts
    assert "no other prize; entering it is free." in facts
    assert rule in facts
    assert "A15" in facts
