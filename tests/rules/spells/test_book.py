"""The spell book: what a book is refused for, and that the one which is shipped follows its own guidance."""

import tomllib
from itertools import permutations
from statistics import median

import pytest

from rules.core import RulesError
from rules.spells import book, effects
from rules.spells.book import BookError, read_book

STARTER = book.starter()
PLAIN = (
    'code = "spark"\nname = "Spark"\nlevel = 1\ntype = "fire"\nrange = 5\neffects = [{ do = "fatigue", points = 1 }]\n'
)


def faults(*spells: str) -> list[str]:
    with pytest.raises(BookError) as caught:
        read_book("\n".join(f"[[spell]]\n{spell}" for spell in spells).encode())
    assert all("\n" not in fault for fault in caught.value.faults)
    return caught.value.faults


def changed(old: str, new: str) -> str:
    assert old in PLAIN
    return PLAIN.replace(old, new)


def test_a_plain_book_is_read():
    read = read_book(f"version = 4\n[[spell]]\n{PLAIN}".encode())
    assert read.version == 4
    assert read.spells[0].effects == (effects.Fatigue(1),)
    assert read.spells[0].tags == ()


HAZARD = 'turns = 1, do = "hazard"'
SUMMON = 'turns = 1, reach = 1, do = "summon"'
SHIELD = 'do = "shield", scope = "self"'
RECHARGING = 'tags = ["heal"]\nbonus = [{ do = "recharge", points = 1 }]'
WEAKER = "level = 2\nmodulation = { level = 1, effects = [] }"
REFUSED = [
    (changed("range = 5", 'tags = ["zone"]'), "range: a spell on a zone has one"),
    (changed("range = 5", 'range = 5\ntags = ["defence"]'), "range: a defence spell has none"),
    (changed("level = 1", WEAKER), "modulation: its level is below"),
    (changed('do = "fatigue"', HAZARD), "effects: hazard is only in zone"),
    (changed('do = "fatigue"', SUMMON), "effects: summon is only in summon"),
    (changed("range = 5", 'range = 5\ntags = ["summon"]'), "effects: a summon spell has only"),
    (changed('do = "fatigue", points = 1', SHIELD), "effects: shield is only in defence"),
    (changed('do = "fatigue", points = 1', 'do = "reveal"'), "effects: reveal is only in Legilimens"),
    (changed("range = 5", RECHARGING), "bonus: recharge is not in heal"),
    (changed("points = 1", "points = 0"), "effects 1: Expected `int` >= 1"),
    (changed("range = 5", "range = 5\nuses = 0"), "uses: Expected `int` >= 1"),
    (changed("level = 1", "level = 9"), "level: Invalid enum value 9"),
    (changed("range = 5", "rang = 5"), "rang: no such key"),
    (changed('type = "fire"\n', ""), "type: missing"),
    (changed('do = "fatigue"', 'do = "tickle"'), "effects 1: Invalid value 'tickle'"),
]


@pytest.mark.parametrize(("spell", "expected"), REFUSED)
def test_a_fault_is_one_line_with_the_spell_and_the_key(spell, expected):
    found = faults(spell)
    assert len(found) == 1
    assert found[0].startswith(f"spark: {expected}")


def test_a_spell_without_a_code_is_named_by_its_place():
    assert faults(PLAIN, changed('code = "spark"\n', "")) == ["spell 2: code: missing"]


def test_legilimens_does_nothing_else():
    assert faults(changed("spark", "legilimens")) == ["legilimens: effects: Legilimens has one effect, reveal"]


def test_every_fault_of_every_spell_is_said_at_once():
    found = faults(
        changed("level = 1", "level = 0"), changed("points = 1", 'points = "x"').replace("5", "-5"), PLAIN, PLAIN
    )
    assert [fault.split(":")[1].strip() for fault in found] == ["level", "range", "effects 1", "code"]


@pytest.mark.parametrize("raw", [b"", b"x", b"\xff", b"spell = 3", b"[[spells]]\n", b'version = "x"\n'])
def test_what_is_no_book_is_refused(raw):
    with pytest.raises(RulesError):
        read_book(raw)


def test_a_type_that_the_book_does_not_name_is_refused():
    with pytest.raises(BookError, match="spark: type: 'fire' is no type of magic of this book"):
        read_book(f'[types.water]\nfr = "Eau"\nen = "Water"\n[[spell]]\n{PLAIN}'.encode())


def test_a_book_that_names_no_types_has_those_of_its_spells():
    """Without any, nobody could register one, and no page would show a spell."""
    other = PLAIN.replace("spark", "drop").replace("fire", "water")
    assert read_book(f"[[spell]]\n{PLAIN}\n[[spell]]\n{other}".encode()).types == {"fire": {}, "water": {}}


class TestStarter:
    """The shipped book, and the guidance that the rules give for it."""

    def by_level(self, level):
        return [spell for spell in STARTER.spells if spell.level == level]

    def hurt(self, chosen):
        return sum(effect.points for effect in chosen if isinstance(effect, effects.Fatigue))

    def attacks(self, level):
        """What those hurt that are aimed at an opponent and can be dodged."""
        return [
            self.hurt(spell.effects)
            for spell in self.by_level(level)
            if spell.aims_at_opponent and not {"auto", "heal"} & set(spell.tags)
        ]

    def test_it_has_some_fifty_spells_over_eight_levels_and_six_types(self):
        assert 48 <= len(STARTER.spells) <= 60
        assert {spell.level for spell in STARTER.spells} == set(range(1, 9))
        assert {spell.type for spell in STARTER.spells} == set(STARTER.types)
        assert 6 <= len(STARTER.types) <= 8

    def test_it_has_the_names_that_the_source_gives(self):
        codes = {spell.code: spell for spell in STARTER.spells}
        assert {"repulso", "expelliarmus", "protego", "protego_duo", "legilimens"} <= set(codes)
        legilimens = codes["legilimens"]
        assert (legilimens.level, legilimens.range, legilimens.tags) == (8, 6, ("auto",))
        assert {"auto", "defence"} == set(codes["protego_duo"].tags)

    def test_every_effect_and_tag_is_used(self):
        used = {type(effect) for spell in STARTER.spells for effect in spell.every_effect}
        assert used == set(effects.Effect.__args__)
        assert {tag for spell in STARTER.spells for tag in spell.tags} == set(book.Tag.__args__)

    def test_every_spell_is_told_in_both_languages(self):
        for spell in STARTER.spells:
            for words in (spell.names, spell.descriptions):
                assert words["fr"], spell.code
                assert words["en"], spell.code

    def test_what_a_point_of_magic_hurts_falls_as_the_level_rises(self):
        best = [max(self.attacks(level)) / level for level in range(1, 9)]
        assert best == sorted(best, reverse=True)
        assert len(set(best)) == len(best)

    def test_auto_spells_hurt_half_as_much_at_most_and_never_hold(self):
        holding = (effects.Push, effects.Disarm, effects.Silence, effects.Bind)
        for spell in STARTER.spells:
            if "auto" in spell.tags:
                assert self.hurt(spell.effects) <= median(self.attacks(spell.level)) / 2, spell.code
                assert not any(isinstance(effect, holding) for effect in spell.every_effect), spell.code

    def test_heals_are_counted(self):
        assert all(spell.uses in (1, 2, 3) for spell in STARTER.spells if "heal" in spell.tags)

    def test_a_double_shield_costs_clearly_more(self):
        codes = {spell.code: spell for spell in STARTER.spells}
        assert codes["protego_duo"].level >= codes["protego"].level + 2

    def test_no_spell_dominates_another_of_its_level(self):
        for level in range(1, 9):
            for one, other in permutations(self.by_level(level), 2):
                assert not dominates(one, other), (one.code, other.code)


def dominates(one, other) -> bool:
    """Whether `one` does all that `other` does, as well at least, and something better."""
    if (one.tags, one.names_zone, one.range is None) != (other.tags, other.names_zone, other.range is None):
        return False
    mine, theirs = figures(one), figures(other)
    keys = mine.keys() | theirs.keys()
    return mine != theirs and all(mine.get(key, 0) >= theirs.get(key, 0) for key in keys)


def figures(spell) -> dict[str, int]:
    """What a spell offers, each figure under its own name; more is better."""
    offered = {"range": spell.range or 0, "uses": spell.uses or 99, "partner": spell.helps_partner}
    parts = {"": spell.effects, "bonus": spell.bonus, "mod": spell.modulation.effects if spell.modulation else ()}
    for part, chosen in parts.items():
        for effect in chosen:
            for field in effect.__struct_fields__:
                value = getattr(effect, field)
                offered[f"{part}{type(effect).__name__}.{field}"] = value if isinstance(value, int) else 1
            offered[f"{part}{type(effect).__name__}"] = 1
    return offered


def test_the_file_says_what_is_loaded():
    assert len(tomllib.loads(book.STARTER.read_text())["spell"]) == len(STARTER.spells)
