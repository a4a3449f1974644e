"""The champions' ranking of the spell duels is what purses hold of champion's points (B3.3.2)."""

from collections import Counter
from random import Random

import pytest

from duels import clock
from duels.actions.ending import offer_draw, surrender
from duels.actions.ledger import held
from duels.actions.turns import lock
from duels.models import Duel, Duellist, Transfer
from tests import spells_play
from tests.duels.purses import assert_balanced, give
from tests.duels.readers import english
from tournaments.queries.ranking import spell_champions

pytestmark = pytest.mark.django_db


def play_on(duel, turns):
    while spells_play.fresh(duel).turn <= turns:
        spells_play.all_file(duel)
    return spells_play.fresh(duel)


def leave(duel, letters):
    for letter in letters:
        surrender(user=spells_play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())


def agree(duel):
    for letter in duel.cast:
        offer_draw(user=spells_play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())


def fall_silent(duel, letters):
    """Let some answer no more, until they are disqualified and the duel is over (B6.1)."""
    while spells_play.fresh(duel).is_running:
        for letter in set(spells_play.fresh(duel).awaited) - set(letters):
            spells_play.file(duel, letter)
        with held(duel.pk) as row:
            if row.current.is_open:
                lock(row, at=clock.now())
        spells_play.publish(duel)


def played(random, sides):
    """Play a spell duel of the given duellists that ends in one way or another."""
    duel = spells_play.running(sides=sides, count=len(sides), refereed=False)
    duel = play_on(duel, random.randrange(4))
    team = random.choice(("ac", "bd"))
    loser = [letter for letter in team if letter in duel.cast]
    end = random.choice((leave, leave, fall_silent, agree))
    if end is agree:
        agree(duel)
    elif end is leave and len(loser) > 1 and random.random() < 0.5:  # a partner falls silent, the other surrenders
        leave(duel, loser[:1])
        fall_silent(duel, loser[1:])
    else:
        end(duel, loser)
    return spells_play.fresh(duel)


def due(duel):
    """Return who is due a point, from what everybody reads of the verdict: independent of the rewards' own code."""
    if not duel.winner or (duel.ended_by == "surrender" and duel.turn < 3):
        return []
    team = {"1": "ac", "2": "bd"}.get(duel.winner, duel.winner)
    seats = duel.public_view["seats"]
    return [duel.cast[one]["duellist"] for one in team if one in duel.cast and seats[one]["out"] != "disqualified"]


@pytest.mark.parametrize("seed", range(4))
def test_ranking_and_ledger_agree_whatever_way_duels_end(seed):
    random = Random(seed)
    expected = Counter()
    for _number in range(4):
        Duel.objects.update(ended_at=None)  # nobody waits for four others (B2.1)
        duel = played(random, [spells_play.fighter() for _ in range(random.choice((2, 4)))])
        assert duel.is_over
        expected.update(due(duel))
    assert {one.pk: one.points for one in spell_champions()} == expected
    paid = Counter()
    for transfer in Transfer.objects.filter(payee__currency="points").select_related("payee"):
        paid[transfer.payee.duellist_id] += transfer.amount
    assert paid == expected
    assert_balanced()


def test_what_the_staff_give_and_take_counts_and_nobody_without_a_point_is_listed(client):
    one, other, third = (spells_play.fighter() for _ in range(3))
    give(one, 3, "points", reason="Ancien forum")
    give(other, 5, "points", reason="Ancien forum")
    give(third, 1, "points")
    give(third, -1, "points", reason="Erreur")
    give(third, 9, "liards")
    assert [(champion.pk, champion.points) for champion in spell_champions()] == [(other.pk, 5), (one.pk, 3)]
    assert "5 points" in english(client).get("/champions/").text
    assert Duellist.objects.count() == 3
