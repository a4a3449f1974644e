"""What the drawings show, and to whom."""

import pytest
from django.utils import translation

import rules
from duels import drawing
from duels.shapes import SHAPES
from rules.arena.terms import ZONES
from rules.core import Filed, Inputs
from rules.dice import ScriptedDice

RULES = rules.get("arena")


def setup(**changes):
    duellists = {
        "a": {"age": 25, "year": "adult", "receptacle": "torso"},
        "b": {"age": 16, "year": 6, "receptacle": "head"},
    }
    return {
        "edition": "beta",
        "kind": "training",
        "turn_hours": 48,
        "arena": "four_winds",
        "technique_limit": 5,
        "duellists": duellists,
        **changes,
    }


def declared(thrust, parry, option=None):
    return {"thrust": thrust, "parry": parry, "option": option}


def turn(state, a, b):
    inputs = Inputs(filings=(Filed("a", a), Filed("b", b)))
    return RULES.resolve(state, inputs, ScriptedDice({"wind": 4}))


@pytest.fixture
def first():
    """A turn in which a opens two decoys and pierces b's receptacle, and parries b's thrust at the torso."""
    holes = {"name": "gaping_hole", "zones": ["left_leg", "right_leg"]}
    state = RULES.start(setup(), ScriptedDice({}))
    return turn(state, declared("head", "torso", holes), declared("torso", "left_arm"))


def marks(view, letter, events=()):
    puppet = drawing.puppet(view, letter, "Ana", "right", events)
    return {zone.name: [mark.kind for mark in zone.marks] for zone in puppet.zones if zone.marks}


def as_json(events):
    import msgspec

    return msgspec.to_builtins(events)


def test_the_shapes_are_the_six_zones_in_their_order():
    assert tuple(SHAPES) == ZONES


@pytest.mark.parametrize("zone", ZONES)
def test_left_and_right_are_mirror_images_on_the_plan(zone):
    shape, mirrored = (
        SHAPES[zone],
        SHAPES[zone.replace("left", "RIGHT").replace("right", "left").replace("RIGHT", "right")],
    )
    assert (shape.x + mirrored.x, shape.y) == (220, mirrored.y)
    assert (shape.dx, shape.dy) == (mirrored.dx if "_" not in zone else -mirrored.dx, mirrored.dy)


def test_the_owner_sees_receptacle_and_decoys_with_the_turns_left(first):
    view = RULES.view(first.state, "a")
    assert marks(view, "a") == {"torso": ["receptacle"], "left_leg": ["decoy"], "right_leg": ["decoy"]}
    decoy = drawing.puppet(view, "a", "Ana", "right").zones[4].marks[0]
    assert decoy.turns == 2


@pytest.mark.parametrize("audience", ["public", "b"])
def test_nobody_else_sees_them(first, audience):
    assert marks(RULES.view(first.state, audience), "a") == {}


def test_a_pierced_receptacle_shows_to_everybody(first):
    assert marks(RULES.view(first.state, "public"), "b") == {"head": ["pierced"]}


def test_the_events_of_a_turn_mark_where_thrusts_landed_and_what_was_parried(first):
    view = RULES.view(first.state, "public")
    assert marks(view, "a", as_json(first.events)) == {"torso": ["thrust", "parry"]}
    assert marks(view, "b", as_json(first.events)) == {"head": ["pierced", "thrust"]}


def test_a_void_zone_shows_on_both_puppets():
    state = RULES.start(setup(arena="playful_sand", void_zone="left_arm"), ScriptedDice({}))
    view = RULES.view(state, "public")
    assert marks(view, "a") == marks(view, "b") == {"left_arm": ["void"]}


def test_a_zone_named_for_a_decoy_is_disabled_with_its_turns_left(first):
    second = turn(first.state, declared("torso", "head"), declared("left_leg", "head"))
    chosen = RULES.choose(second.state, "a", "right_arm")
    disabled = drawing.puppet(RULES.view(chosen.state, "public"), "b", "Léo", "left").zones[2]
    assert [(mark.kind, mark.turns) for mark in disabled.marks] == [("disabled", 2)]


def test_marks_stand_apart_around_the_middle_of_their_zone(first):
    view = RULES.view(first.state, "referee")
    head = drawing.puppet(view, "b", "Léo", "left", as_json(first.events)).zones[0]
    first_mark, second_mark = head.marks
    assert second_mark.x - first_mark.x == SHAPES["head"].dx
    assert (first_mark.x + second_mark.x) / 2 == SHAPES["head"].x


def test_screen_readers_are_told_what_the_drawing_shows(first):
    with translation.override("fr"):
        puppet = drawing.puppet(RULES.view(first.state, "a"), "a", "Ana", "right")
        assert puppet.title == "Pantin d’Ana"
        assert puppet.description == (
            "torse\u00a0: réceptacle. jambe gauche\u00a0: leurre (encore 2 tours). "
            "jambe droite\u00a0: leurre (encore 2 tours)."
        )
        assert drawing.puppet(RULES.view(first.state, "public"), "a", "Ana", "right").description == (
            "Rien à signaler sur ses six zones."
        )


def test_the_puppets_face_each_other(first):
    view = RULES.view(first.state, "public")
    assert [drawing.puppet(view, letter, "Ana", "left").faces for letter in "ab"] == ["right", "left"]


def test_gauges_count_in_words_and_in_marks(first):
    link, alchemy = drawing.gauges(RULES.view(first.state, "public"), "a")
    with translation.override("fr"):
        assert (link.label, alchemy.label) == ("10 points de liaison sur 10", "5 points d’alchimie sur 8")
    assert alchemy.marks == [True] * 5 + [False] * 3


def test_a_gauge_below_zero_has_no_filled_mark():
    gauge = drawing.Gauge("link", -1, 6)
    assert gauge.marks == [False] * 6
    assert gauge.figure == "−1"
    with translation.override("fr"):
        assert gauge.label == "−1 point de liaison sur 6"
