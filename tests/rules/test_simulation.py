"""Simulated duels: the same seed gives the same tables, and what cannot be asked for is refused."""

import pytest

from rules import simulation
from rules.__main__ import main
from rules.core import RulesError
from rules.simulation import arena, spells


@pytest.mark.parametrize("ruleset", ["spells", "arena"])
def test_the_same_seed_prints_the_same_tables(ruleset):
    once, again = (list(simulation.simulate(ruleset, duels=12, seed=7, workers=1)) for _ in range(2))
    assert once == again
    assert once[0] == "12 duels."
    assert [line for line in once if line.startswith("| posts |")]
    assert once != list(simulation.simulate(ruleset, duels=12, seed=8, workers=1))


def test_sides_share_the_wins():
    lines = list(simulation.simulate("spells", duels=20, seed=1, level=3, workers=1))
    start = lines.index("| side | duels | won |")
    won = [float(line.split("|")[3].split("%")[0]) for line in lines[start + 2 : start + 4]]
    assert sum(won) == pytest.approx(100, abs=0.2)


def test_each_type_has_its_own_duels():
    lines = list(simulation.simulate("spells", duels=4, seed=1, level=2, each_type=True, workers=1))
    assert lines[0] == f"{4 * len(spells.types())} duels."
    assert sum(line.startswith(tuple(f"| {kind} | 4 |" for kind in spells.types())) for line in lines) == 6


def test_levels_are_one_to_eight_and_the_arena_has_none():
    with pytest.raises(RulesError, match="1 to 8"):
        simulation.simulate("spells", duels=1, seed=1, level=9)
    with pytest.raises(RulesError, match="no levels"):
        simulation.simulate("arena", duels=1, seed=1, level=3)


def test_a_duel_is_told_from_both_sides():
    for play in (arena.play, spells.play):
        duel = play("1:1")
        assert sum(side.score for side in duel.sides) == 1
        assert duel.turns >= 1


def test_the_command_says_what_is_wrong(capsys):
    assert main(["simulate", "arena", "--level", "3"]) == 2
    assert "no levels" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["simulate", "spells", "--duels", "0"])
    assert main(["simulate", "spells", "--duels", "2", "--level", "1"]) == 0
    assert "2 duels." in capsys.readouterr().out
