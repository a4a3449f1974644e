"""Spell duels at the same moment: the last two posts, a correction and the lock, two acceptances, a sealed post."""

import pytest

from duels import clock
from duels.actions.duellists import edit_duellist
from duels.actions.spell_challenges import accept_spell_challenge
from duels.actions.sweep import wake
from duels.errors import Invalid, Refused, TooLate
from duels.models import Duel, Entry, Post, SealedPost
from tests import spells_play as play
from tests.duels.test_concurrency import ORDERS, together
from tests.play import fresh, player
from tests.spells_play import cast, move

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@ORDERS
def test_the_last_two_to_post_lock_the_phase_once(order):
    duel = play.running()
    together(duel, lambda: play.file(duel, "a", move(5)), lambda: play.file(duel, "b", move(7)), order=order)
    duel = fresh(duel)
    assert duel.phase.status == "locked"
    assert duel.phase.resolutions.count() == 1
    assert Entry.objects.filter(duel=duel, kind="filing").count() == 2


@ORDERS
def test_a_correction_and_the_lock_are_one_after_the_other(time, order):
    duel = play.running()
    play.file(duel, "a", {"do": "move"}, as_it_is=True)
    play.file(duel, "b")
    received = clock.now()
    time.go_to(fresh(duel).phase.corrected_by, seconds=31)
    corrected, _woken = together(
        duel, lambda: play.correct(duel, "a", {"steps": [move(5)]}, at=received), lambda: wake(duel.pk), order=order
    )  # fmt: skip
    duel = play.publish(fresh(duel))
    seat = duel.public_view["seats"]["a"]
    if isinstance(corrected, Refused):
        assert isinstance(corrected, TooLate)
        assert (seat["zone"], seat["action_faults"]) == (4, 1)
    else:
        assert (seat["zone"], seat["action_faults"]) == (5, 0)


@ORDERS
def test_the_last_two_to_accept_agree_to_one_duel(order):
    duel = play.challenged(count=4)
    accept_spell_challenge(user=player(duel, "b"), duel_id=duel.pk)
    acts = [lambda letter=letter: accept_spell_challenge(user=player(duel, letter), duel_id=duel.pk) for letter in "cd"]
    together(duel, *acts, order=order)
    assert fresh(duel).status == Duel.Status.AGREED


@ORDERS
def test_who_is_challenged_twice_and_accepted_at_once_fights_one_duel(order):
    a = play.fighter()
    one, other = (play.challenged(sides=[a]) for _ in range(2))
    acts = [lambda duel=duel: accept_spell_challenge(user=player(duel, "b"), duel_id=duel.pk) for duel in (one, other)]
    results = together(Duel.objects.filter(pk__in=[one.pk, other.pk]), *acts, order=order)
    assert sum(isinstance(result, Invalid) for result in results) == 1
    assert sorted(fresh(duel).status for duel in (one, other)) == ["agreed", "challenged"]


@ORDERS
def test_target_and_legilimens_posting_at_once_keep_their_order(order):
    duel = play.running(sides=[play.fighter(traits={"legilimens": 3})])
    duel = play.all_file(duel, a=[move(5), cast("legilimens", target="b")])
    target, legilimens = together(
        duel, lambda: play.file(duel, "b", move(7)), lambda: play.file(duel, "a", move(6), order="after"), order=order
    )  # fmt: skip
    assert isinstance(target, Entry)
    published = Post.objects.filter(thread__duel=duel, turn=2, kind="rp").values_list("seat", flat=True)
    if isinstance(legilimens, Refused):
        assert (list(published), SealedPost.objects.count()) == ([], 1)
    else:
        assert (list(published), SealedPost.objects.count()) == (["b", "a"], 0)


@ORDERS
def test_a_duellist_is_renamed_as_the_challenge_is_accepted(order):
    duel = play.challenged()
    one = duel.seats.get(letter="b").duellist

    def accept():
        return accept_spell_challenge(user=one.user, duel_id=duel.pk)

    def rename():
        return edit_duellist(
            user=one.user, duellist=one, name="Octave de Brume", birth_date=one.birth_date, year=one.year,
            wand_hand="left",
        )  # fmt: skip

    results = together(duel, accept, rename, order=order)
    assert not [result for result in results if isinstance(result, Refused)]
    duel = fresh(duel)
    assert (duel.status, duel.cast["b"]["name"]) == (Duel.Status.AGREED, "Octave de Brume")
