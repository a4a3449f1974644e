"""What the menu offers and what the check accepts are the same filings."""

import copy
from random import Random

from hypothesis import given
from hypothesis import strategies as st

import rules
from rules.core import Part
from tests.rules import play
from tests.rules.arena_properties.test_secrets import DUELS, opened_turns

ARENA = rules.get("arena")
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12)
    | st.sampled_from(play.ZONES),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)
FIELDS = ("thrust", "parry", "option", "zones", "to", "name")


def is_offered(menu, filing):
    """Whether a filing can be put together from a menu: every part answered as it asks, and nothing more."""
    if not isinstance(filing, dict) or not set(filing) <= {"thrust", "parry", "option"}:
        return False
    thrust, parry, option = (part for part in menu.parts)
    return (
        _answers(thrust, filing.get("thrust"))
        and _answers(parry, filing.get("parry"))
        and _option_offered(option, filing.get("option"))
    )


def _answers(part: Part, value):
    return isinstance(value, str) and value in {choice.value for choice in play.offered(part)}


def _option_offered(part: Part, option):
    if option is None:
        return not part.required
    if not isinstance(option, dict) or not _answers(part, option.get("name")):
        return False
    (choice,) = (choice for choice in part.choices if choice.value == option["name"])
    asked = {inner.field.removeprefix("option."): inner for inner in choice.parts}
    left_out = {key for key, value in option.items() if key in ("zones", "to") and value is None}
    if option.get("zones") == []:
        left_out.add("zones")
    given_too = option.keys() - left_out - {"name"}
    return given_too == set(asked) and all(_inner_offered(inner, option[key]) for key, inner in asked.items())


def _inner_offered(part: Part, value):
    values = value if part.field.endswith("zones") else [value]
    if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
        return False
    known = {choice.value for choice in play.offered(part)}
    return len(values) == len(set(values)) == part.count and set(values) <= known


def refused(state, seat, filing):
    findings = ARENA.check(state, seat, filing)
    assert all(isinstance(finding.field, str) and finding.rule and finding.code for finding in findings)
    return any(finding.level == "error" for finding in findings)


def every_option(menu, random):
    """For each option offered, one filing that uses it; and one without."""
    thrust, parry, option = menu.parts
    for choice in (*play.offered(option), None):
        filing = {key: random.choice(play.offered(part)).value for key, part in (("thrust", thrust), ("parry", parry))}
        filing["option"] = None
        if choice is not None:
            filing["option"] = {"name": choice.value}
            for inner in choice.parts:
                picked = [one.value for one in random.sample(play.offered(inner), inner.count)]
                zones = inner.field == "option.zones"
                filing["option"]["zones" if zones else "to"] = picked if zones else picked[0]
        yield filing


@given(DUELS, st.integers(0, 2**32))
def test_what_is_offered_is_accepted(number, drawn):
    random = Random(drawn)
    for state in opened_turns(number):
        for seat in "ab":
            state_now = _settled(state, seat)
            for filing in every_option(ARENA.awaits(state_now, seat), random):
                assert not refused(state_now, seat, filing)


def _settled(state, seat):
    """The state once the choice that the seat owes is forfeited: it must come before its filing (A10.2d)."""
    return ARENA.choose(state, seat, None).state if seat in ARENA.status(state).owing else state


@given(DUELS, st.integers(0, 2**32))
def test_one_part_changed_is_accepted_only_if_it_is_offered(number, drawn):
    random = Random(drawn)
    for state in opened_turns(number):
        for seat in "ab":
            state_now = _settled(state, seat)
            menu = ARENA.awaits(state_now, seat)
            for filing in every_option(menu, random):
                other = mutated(random, filing)
                assert refused(state_now, seat, other) is not is_offered(menu, other), other


def mutated(random, filing):
    """The filing with one part replaced, left out, or added."""
    other = copy.deepcopy(filing)
    place = random.choice([other, *([other["option"]] if other["option"] else [])])
    field = random.choice(FIELDS)
    name = random.choice(tuple(play.OPTIONS))
    junk = (
        None, 3, True, "", "nowhere", [], {}, random.choice(play.ZONES), "link", {"name": name},
        name, random.choices(play.ZONES, k=random.randint(0, 3)),
    )  # fmt: skip
    if random.random() < 0.2:
        place.pop(field, None)
    else:
        place[field] = random.choice(junk)
    return other


@given(DUELS)
def test_a_filing_waits_for_the_choice_owed(number):
    for state in opened_turns(number):
        for seat in ARENA.status(state).owing:
            filing = {"thrust": "head", "parry": "torso", "option": None}
            assert refused(state, seat, filing)
            assert ARENA.awaits(state, seat).owes is not None


@given(DUELS, JSON)
def test_anything_at_all_may_be_checked(number, junk):
    state = play.started(Random(number), ARENA)
    menu = ARENA.awaits(state, "a")
    for filing in (junk, {"thrust": junk, "parry": "head"}, {"thrust": "head", "parry": "head", "option": junk},
                   {"thrust": "head", "parry": "head", "option": {"name": "rough_skin", "zones": junk}}):  # fmt: skip
        assert refused(state, "a", filing) is not is_offered(menu, filing)


def test_a_bottomless_filing_is_refused():
    state = play.started(Random(1), ARENA)
    nested = []
    for _ in range(10_000):
        nested = [nested]
    assert refused(state, "a", {"thrust": nested, "parry": "head"})
    assert refused(state, "a", nested)


@given(DUELS)
def test_nothing_can_be_filed_once_it_is_over(number):
    *_, last = play.duel(Random(number), ARENA)
    for seat in "ab":
        assert ARENA.awaits(last.closed.state, seat).parts == ()
        assert refused(last.closed.state, seat, {"thrust": "head", "parry": "torso", "option": None})


@given(DUELS)
def test_what_an_option_costs_is_what_it_takes(number):
    """A choice's costs are what an option used takes from the gauges, edition by edition."""
    for turn in play.duel(Random(number), ARENA):
        for event in turn.closed.events:
            if event.code != "option_used" or event.option == "convert_points":
                continue
            menu = ARENA.awaits(_settled(turn.opened.state, event.seat), event.seat)
            (choice,) = (one for one in menu.parts[2].choices if one.value == event.option)
            assert [(cost.gauge, cost.points) for cost in choice.costs] == (
                [(event.gauge, event.points)] if event.points else []
            )


@given(DUELS, st.integers(0, 2**32))
def test_the_sanctions_that_a_menu_shows_are_those_that_the_check_finds(number, drawn):
    """`insufficient` apart: it depends on what the other sanctions leave."""
    random = Random(drawn)
    for state in opened_turns(number):
        for seat in "ab":
            state_now = _settled(state, seat)
            menu = ARENA.awaits(state_now, seat)
            for filing in every_option(menu, random):
                named = (filing["thrust"], filing["parry"], (filing["option"] or {}).get("name"))
                shown = [
                    finding
                    for part, value in zip(menu.parts, named, strict=True)
                    for choice in part.choices
                    if choice.value == value
                    for finding in choice.findings
                ]
                assert _sanctions(shown) == _sanctions(ARENA.check(state_now, seat, filing))


def _sanctions(findings):
    return [finding for finding in findings if finding.level == "sanction" and finding.code != "insufficient"]
