"""What the rules have to say of a declaration before it is played: sanctions, refusals, warnings.

Step 2 of the turn, the menu and the check of a filing all ask here, so that they cannot differ.
"""

from __future__ import annotations

from rules.arena.filing import Declaration
from rules.arena.state import Puppet, State
from rules.arena.terms import OPTIONS, Gauge, OptionName, Zone, need
from rules.core import Finding

_RELENTLESSNESS = Finding("sanction", "relentlessness", "thrust", "A8.2", "link", 1)
_COWARDICE = Finding("sanction", "cowardice", "parry", "A9.2", "link", 1)
_REPETITION = {rule: Finding("sanction", "repetition", "option", rule, "link", 1) for rule in ("A10.8", "A11.4")}
_INSUFFICIENT = {rule: Finding("sanction", "insufficient", "option", rule, "link", 1) for rule in ("A10.7", "A11.3")}
_ABOVE_YEAR = Finding("error", "above_year", "option", "A11.0")
_PAST_LIMIT = Finding("error", "past_limit", "option", "A11.0")
_UNUSABLE = Finding("error", "receptacle_unusable", "option", "A10.7a")
_UNUSABLE_TO = Finding("error", "receptacle_unusable", "option.to", "A10.7a")


def judge(state: State, puppet: Puppet, declaration: Declaration) -> tuple[tuple[Finding, ...], Finding | None]:
    """Return the sanctions of a declaration, as declared and in order, and what refuses its option (A14.0, step 2)."""
    sanctions = relentlessness(puppet, declaration.thrust) + cowardice(puppet, declaration.parry)
    option = declaration.option
    if option is None:
        return sanctions, None
    refused = refusal(state, puppet, option.name, option.to)
    if refused is None:
        sanctions += repetition(puppet, option.name)
        sanctions += insufficient(state, puppet, option.name, option.to, puppet.link - len(sanctions))
    return sanctions, refused


def relentlessness(puppet: Puppet, zone: Zone | None) -> tuple[Finding, ...]:
    """A8.2: the thrust of the turn before."""
    return (_RELENTLESSNESS,) if zone == puppet.thrust else ()


def cowardice(puppet: Puppet, zone: Zone | None) -> tuple[Finding, ...]:
    """A9.2: the parry of the turn before."""
    return (_COWARDICE,) if zone == puppet.parry else ()


def repetition(puppet: Puppet, name: OptionName) -> tuple[Finding, ...]:
    """A10.8, A11.4: the option last used. First-year students know one technique only."""
    if name != puppet.last_option:
        return ()
    if not OPTIONS[name].year:
        return (_REPETITION["A10.8"],)
    return () if puppet.year == 1 else (_REPETITION["A11.4"],)


def insufficient(state: State, puppet: Puppet, name: OptionName, to: Gauge | None, link: int) -> tuple[Finding, ...]:
    """A10.7, A11.3: not enough points for what it costs or converts, when earlier sanctions have left `link`."""
    needed = need(state.edition, name, to)
    if needed is None or needed.points <= (link if needed.gauge == "link" else puppet.alchemy):
        return ()
    return (_INSUFFICIENT["A11.3" if OPTIONS[name].year else "A10.7"],)


def refusal(state: State, puppet: Puppet, name: OptionName, to: Gauge | None) -> Finding | None:
    """Return what refuses an option: A11.0 (year, limit) or A10.7a (receptacle that cannot be used)."""
    year = OPTIONS[name].year
    if year:
        if puppet.year != "adult" and puppet.year < year:
            return _ABOVE_YEAR
        if state.technique_limit is not None and puppet.techniques_used >= state.technique_limit:
            return _PAST_LIMIT
    needed = need(state.edition, name, to)
    if needed is not None and needed.gauge == "alchemy" and state.unusable(puppet, puppet.receptacle):
        return _UNUSABLE_TO if to else _UNUSABLE
    return None
