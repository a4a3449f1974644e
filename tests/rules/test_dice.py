"""Dice: what was given, or what a seed decides."""

import hashlib
import hmac
from collections import Counter

import pytest

from rules.core import RulesError
from rules.dice import MissingDie, ScriptedDice, SealedDice, amended

SEED = bytes(range(32))
DUEL = "4f0c5b52-7d5c-4f0e-9d53-0d7f3e1a2b3c"


def by_hand(text: str) -> int:
    """The 16 bits of the HMAC of a die's canonical JSON, worked out without the code under test."""
    return int(hmac.new(SEED, text.encode(), hashlib.sha256).hexdigest()[:4], 16)


class TestScriptedDice:
    def test_the_given_face_comes_each_time_it_is_asked(self):
        dice = ScriptedDice({"wind": 2})
        assert (dice.roll("wind", 4), dice.roll("wind", 4)) == (2, 2)

    def test_a_die_not_given_is_named(self):
        with pytest.raises(MissingDie, match="'wind'") as caught:
            ScriptedDice({"shift": 1}).roll("wind", 4)
        assert caught.value.label == "wind"

    @pytest.mark.parametrize("face", [0, 5, -1, True, "2", 2.0, None])
    def test_a_face_that_the_die_lacks_is_refused(self, face):
        with pytest.raises(RulesError, match="faces 1 to 4"):
            ScriptedDice({"wind": face}).roll("wind", 4)

    def test_unused_lists_what_nobody_asked(self):
        dice = ScriptedDice({"wind": 2, "void_zone": 6, "shift": 1})
        dice.roll("void_zone", 6)
        assert dice.unused() == ("wind", "shift")


class TestSealedDice:
    @pytest.mark.parametrize("phase", ["announcement", "start", 7])
    def test_a_face_can_be_worked_out_by_hand(self, phase):
        spelt = f'"{phase}"' if isinstance(phase, str) else str(phase)
        value = by_hand(f'["{DUEL}",0,{spelt},"wind",0]')
        assert SealedDice(SEED, DUEL, 0, phase).roll("wind", 4) == value % 4 + 1

    def test_a_value_that_would_favour_low_faces_is_drawn_again(self):
        fair = 65536 - 65536 % 100
        turn = next(n for n in range(1, 100_000) if by_hand(f'["{DUEL}",0,{n},"discovery",0]') >= fair)
        again = by_hand(f'["{DUEL}",0,{turn},"discovery",1]')
        assert again < fair, "the next value serves: choose another seed if it does not"
        assert SealedDice(SEED, DUEL, 0, turn).roll("discovery", 100) == again % 100 + 1

    def test_order_and_repetition_change_nothing(self):
        one, other = (SealedDice(SEED, DUEL, 0, 3) for _ in range(2))
        first = one.roll("wind", 4), one.roll("shift", 4), one.roll("wind", 4)
        assert (other.roll("shift", 4), other.roll("wind", 4)) == (first[1], first[0])
        assert first[0] == first[2]

    def test_what_was_rolled_is_kept(self):
        dice = SealedDice(SEED, DUEL, 0, 3)
        face = dice.roll("new_arena", 3)
        assert dice.rolled == {"new_arena": (3, face)}

    @pytest.mark.parametrize(
        "other", [(b"\1" * 32, DUEL, 0, 1), (SEED, "x", 0, 1), (SEED, DUEL, 1, 1), (SEED, DUEL, 0, 2)]
    )
    def test_seed_duel_branch_and_phase_each_count(self, other):
        labels = [f"receptacle:{n}" for n in range(40)]
        ours, theirs = SealedDice(SEED, DUEL, 0, 1), SealedDice(*other)
        assert [ours.roll(n, 6) for n in labels] != [theirs.roll(n, 6) for n in labels]

    @pytest.mark.parametrize(("faces", "limit"), [(3, 13.82), (4, 16.27), (6, 20.52), (100, 148.23)])
    def test_every_face_comes_as_often(self, faces, limit):
        """Chi-square, one chance in a thousand of refusing a fair die; the seed is fixed, so it never wavers."""
        rolls = 200 * faces
        seen = Counter(SealedDice(SEED, DUEL, 0, n).roll("wind", faces) for n in range(rolls))
        assert set(seen) == set(range(1, faces + 1))
        assert sum((count - 200) ** 2 / 200 for count in seen.values()) < limit

    def test_one_label_has_one_number_of_faces(self):
        dice = SealedDice(SEED, DUEL, 0, 1)
        dice.roll("wind", 4)
        with pytest.raises(RulesError, match="4 faces, not 6"):
            dice.roll("wind", 6)

    @pytest.mark.parametrize("faces", [0, -6, 65537])
    def test_an_impossible_die_is_refused(self, faces):
        with pytest.raises(RulesError, match="cannot have"):
            SealedDice(SEED, DUEL, 0, 1).roll("wind", faces)

    def test_a_seed_has_32_bytes(self):
        with pytest.raises(RulesError, match="32 bytes, not 3"):
            SealedDice(b"abc", DUEL, 0, 1)


class TestAmendedDice:
    def test_a_die_rolled_elsewhere_counts_and_the_other_is_rolled_all_the_same(self):
        drawn = ScriptedDice({"wind": 2, "shift": 3})
        dice = amended(drawn, {"wind": 1})
        assert (dice.roll("wind", 4), dice.roll("shift", 4)) == (1, 3)
        assert drawn.unused() == ()

    @pytest.mark.parametrize("face", [0, 5, -1])
    def test_a_face_that_the_die_lacks_is_refused(self, face):
        with pytest.raises(RulesError, match="'wind' has faces 1 to 4"):
            amended(ScriptedDice({"wind": 2}), {"wind": face}).roll("wind", 4)
