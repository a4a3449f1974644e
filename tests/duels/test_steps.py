"""The steps of a turn under which a referee reads what happens."""

import pytest
from django.utils import translation

from duels.sentences import SENTENCES
from duels.sentences.spells import SENTENCES as OF_SPELLS
from duels.sentences.steps import steps


def named(phase, *events):
    with translation.override("en"):
        return [step for step, _event in steps(events, phase)]


@pytest.mark.parametrize("code", sorted({key.split("+")[0].split()[0] for key in SENTENCES}))
def test_whatever_happens_in_the_arena_has_its_step(code):
    (step,) = named("turn", {"code": code})
    assert step


@pytest.mark.parametrize("phase", ["action", "defence"])
@pytest.mark.parametrize("code", sorted({key.split()[0] for key in OF_SPELLS}))
def test_whatever_happens_in_a_spell_duel_has_its_step(phase, code):
    (step,) = named(phase, {"code": code})
    assert step


def test_who_goes_out_does_so_in_the_step_under_way():
    events = [{"code": "absence"}, {"code": "out", "by": "disqualified"}, {"code": "cast"}, {"code": "duel_over"}]
    assert named("action", *events) == ["Absences", "Absences", "The posts, in their order", "How it ends"]


def test_a_defence_has_answers_then_what_got_through_then_the_end_of_the_turn():
    events = [{"code": "dodge_failed"}, {"code": "fatigue_lost", "by": "a"}, {"code": "fatigue_lost", "by": "hazard"}]
    assert named("defence", *events) == [
        "Dodges and shields",
        "What got through, in the order cast",
        "The end of the turn",
    ]
