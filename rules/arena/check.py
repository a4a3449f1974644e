"""What there is to say of a filing: never raises, whatever the filing is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from rules.arena import filing as filings
from rules.arena import warnings
from rules.arena.filing import Declaration
from rules.arena.judgement import judge
from rules.arena.state import Puppet, State
from rules.arena.terms import GAUGES, OPTIONS, ZONES
from rules.core import Finding, Seat

_CLOSED = Finding("error", "duel_over", "declaration", "A13.1")
_OWED = Finding("error", "choice_owed", "choice", "A10.2d")
_REQUIRED = {"thrust": "A8.1", "parry": "A9.1"}
_MOST_EXTRAS = 5  # of unexpected parts, as many are named
_MOST_LETTERS = 40


def check(state: State, seat: Seat, filing: Any) -> tuple[Finding, ...]:
    """Return the errors of a filing; if it has none, its sanctions (all, exact, in order) and its warnings."""
    puppet = state.puppet(seat)
    if state.outcome is not None:
        return (_CLOSED,)
    if puppet.choice == "owed":
        return (_OWED,)
    errors = tuple(_errors(filing))
    if errors:
        return errors
    declaration = filings.read(filing)
    sanctions, refused = judge(state, puppet, declaration)
    if refused is not None:
        return (refused,)
    return sanctions + tuple(_warnings(state, puppet, declaration, puppet.link - len(sanctions)))


def _warnings(state: State, puppet: Puppet, declaration: Declaration, link: int) -> Iterator[Finding]:
    if declaration.thrust and declaration.parry:
        yield from warnings.of_thrust(state, declaration.thrust)
        yield from warnings.of_parry(state, puppet, declaration.parry)
    option = declaration.option
    if option is None:
        return
    yield from warnings.of_option(state, puppet, option.name, link)
    yield from warnings.of_cost(state, option.name, option.to, link)
    for zone in option.aims:
        yield from warnings.of_zone(state, puppet, option.name, zone)
    if option.to:
        yield from warnings.of_conversion(state, puppet, option.to, link)


def _errors(filing: Any) -> Iterator[Finding]:
    """A5.1, A8.1, A9.1: one thrust, one parry, at most one option, and nothing else."""
    if not isinstance(filing, dict):
        yield Finding("error", "malformed", "declaration", "A5.1")
        return
    yield from _extras(filing, ("thrust", "parry", "option"), "")
    for field, rule in _REQUIRED.items():
        zone = filing.get(field)
        if zone is None or not _is_one_of(zone, ZONES):
            yield Finding("error", "missing" if zone is None else "unknown", field, rule)
    if filing.get("option") is not None:
        yield from _option_errors(filing["option"])


def _option_errors(option: Any) -> Iterator[Finding]:
    if not isinstance(option, dict):
        yield Finding("error", "malformed", "option", "A5.1")
        return
    yield from _extras(option, ("name", "zones", "to"), "option.")
    name = option.get("name")
    if name is None or not _is_one_of(name, tuple(OPTIONS)):
        yield Finding("error", "missing" if name is None else "unknown", "option", "A5.1")
        return
    yield from _zone_errors(option.get("zones"), OPTIONS[name].zones, "A11.0" if OPTIONS[name].year else "A10.6")
    yield from _direction_errors(option.get("to"), takes_one=name == "convert_points")


def _zone_errors(zones: Any, count: int, rule: str) -> Iterator[Finding]:
    """A10.6, A11.0: as many different zones as the option takes."""
    field = "option.zones"
    named = [] if zones is None else zones
    if not isinstance(named, list):
        yield Finding("error", "malformed", field, rule)
    elif len(named) != count:
        code = "missing" if len(named) < count else "unexpected"
        yield Finding("error", code, field, rule)
    elif not all(_is_one_of(zone, ZONES) for zone in named):
        yield Finding("error", "unknown", field, rule)
    elif len(set(named)) < count:
        yield Finding("error", "equal", field, rule)


def _direction_errors(to: Any, *, takes_one: bool) -> Iterator[Finding]:
    """A11.5"""
    if takes_one and (to is None or not _is_one_of(to, GAUGES)):
        yield Finding("error", "missing" if to is None else "unknown", "option.to", "A11.5")
    elif to is not None and not takes_one:
        yield Finding("error", "unexpected", "option.to", "A11.5")


def _extras(parts: dict[Any, Any], known: tuple[str, ...], prefix: str) -> Iterator[Finding]:
    for key in islice((key for key in parts if key not in known), _MOST_EXTRAS):
        yield Finding("error", "unexpected", prefix + (str(key)[:_MOST_LETTERS] or "?"), "A5.1")


def _is_one_of(value: Any, known: tuple[str, ...]) -> bool:
    return isinstance(value, str) and value in known
