"""What every ruleset shares: the façade, and the values that cross it.

Nothing outside `rules/` knows which ruleset it plays: it goes through `Ruleset`. Every value here is
immutable and encodes to JSON and back.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol

import msgspec

Seat = str  # "a" and "b"; in a 2v2 "c" and "d" too
Audience = Literal["a", "b", "c", "d", "public", "referee"]


class RulesError(ValueError):
    """Something that the rules cannot play: the message says what is wrong and where, in one line."""

    def __str__(self) -> str:
        return " ".join(super().__str__().splitlines())  # it may quote a name that holds line breaks


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened in a phase. A ruleset's own events add their parameters as fields.

    `code` is of the ruleset's list, `seat` the one whom it happens to (None: nobody in particular),
    `rule` the code of the rule that it comes from. The sentence for it is made outside `rules/`.
    """

    code: str
    seat: Seat | None
    rule: str


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a duel stands. Opaque outside `rules/`: read it through `status` and `view`."""


class Step(msgspec.Struct, frozen=True):
    """What opening or closing a phase gives: the next state, and what happened, in order."""

    state: State
    events: tuple[Event, ...]


class Outcome(msgspec.Struct, frozen=True):
    """How a duel ended. `winner` is a seat (arena), a team (spells), or None in a draw."""

    winner: Any
    by: str


class Reward(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the end of a duel brings a seat or, below 0, costs it: dust, days of salary, chocolate frogs, points.

    `more_each_time` is added once for every earlier duel in which the same rule cost the duellist something (A3.2):
    the rules know of one duel only, so whoever keeps the purses counts them.
    """

    seat: Seat
    currency: Literal["dust", "salary", "frogs", "points"]
    amount: int
    rule: str
    more_each_time: int = 0


class Status(msgspec.Struct, frozen=True):
    """What the keeper of the duel's life needs to know of a state, whatever the ruleset.

    `phase` names the open phase (`turn`; `action`, `defence`), `turn` its number from 1, `hours` how
    long it lasts, `awaited` the seats that have something to file in it, `owing` the seats that
    must name a choice first (A10.2d), `outcome` None while the duel runs. `standing`: the seats still in, all of
    whom must agree for a draw; `sides`: the same, apart by team, each with somebody still in while the duel runs.
    """

    phase: str
    turn: int
    hours: int
    awaited: tuple[Seat, ...]
    owing: tuple[Seat, ...]
    extra_turn: bool
    outcome: Outcome | None
    standing: tuple[Seat, ...] = ("a", "b")
    sides: tuple[tuple[Seat, ...], ...] = (("a",), ("b",))


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One remark on a filing. `field` is the part of it ("thrust", "option.zones"), `rule` a rule code.

    `error`: refused. `sanction`: accepted, and costs `points` of `gauge`. `warning`: accepted, worth knowing.
    """

    level: Literal["error", "sanction", "warning"]
    code: str
    field: str
    rule: str
    gauge: str | None = None
    points: int = 0


class Cost(msgspec.Struct, frozen=True):
    """What a choice costs: `points` of a `gauge`."""

    gauge: str
    points: int


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One value that a part of a filing may take.

    `findings` are what it would bring (sanctions, warnings). `refused` says why it is not offered, None when
    it is. `parts` are what must be said with it (zones of a transformation).
    """

    value: str
    costs: tuple[Cost, ...] = ()
    findings: tuple[Finding, ...] = ()
    refused: Finding | None = None
    parts: tuple[Part, ...] = ()


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """One question of a form: `count` different values among `choices`; none at all if not `required`."""

    field: str
    choices: tuple[Choice, ...]
    required: bool = True
    count: int = 1


class Menu(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a seat may or must file in the open phase; depends only on what that seat may know.

    `awaited`: it has something to file. `owes`: a choice to name before anything else (A10.2d).
    `waits_for`: it cannot file before that seat has. `share`: its part of the phase's time, 0 to 1. `seen_by`: if
    any, the filing stays sealed until the phase closes, and only those seats (and the referee) see it (B7.1).
    """

    seat: Seat
    awaited: bool
    parts: tuple[Part, ...] = ()
    owes: Part | None = None
    waits_for: Seat | None = None
    share: float = 1.0
    seen_by: tuple[Seat, ...] = ()


class Filed(msgspec.Struct, frozen=True):
    """A filing as it counts: the last version of what a seat filed, as JSON (the ruleset reads it)."""

    seat: Seat
    content: Any


class Adjustment(msgspec.Struct, frozen=True):
    """Points given or taken by the referee (A14.1, B6.5)."""

    seat: Seat
    gauge: str
    points: int


class Ground(msgspec.Struct, frozen=True):
    """Something for which a referee finds a publication at fault: `fault` is what it then is among `infractions`."""

    code: str
    fault: str
    rule: str


class Inputs(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything that closes a phase. `filings` stand in the order in which they were published.

    `surrender` is the first who surrendered; `surrenders` all of them, where a duel can go on after the first.
    `dice`: label → the face of a die that was rolled elsewhere, and counts instead of the duel's own. `wall`: the time
    of its round in a tournament is over, and the duel is decided as it stands (A15.1, B3.3.4); who is `absent` by then
    loses it.
    """

    filings: tuple[Filed, ...] = ()
    infractions: dict[Seat, str] = {}
    choices: dict[Seat, str | None] = {}
    surrender: Seat | None = None
    agreed_draw: bool = False
    adjustments: tuple[Adjustment, ...] = ()
    surrenders: tuple[Seat, ...] = ()
    dice: dict[str, int] = {}
    wall: bool = False
    absent: tuple[Seat, ...] = ()


class Dice(Protocol):
    """Dice are asked by label, so their order does not matter."""

    def roll(self, label: str, faces: int) -> int:
        """Return 1 to `faces`, always the same for the same label."""


class Ruleset(Protocol):
    """The façade: one version of one ruleset. `terms` and `setup` are JSON objects outside `rules/`.

    `in_the_open`: what is filed is published with its text, and can then not be changed (B2.6, B6.4); else it is
    sealed until the duel ends. `correctable`: the codes of errors with which a filing may be published all the same,
    to be corrected or to be at fault; none where there is no such right (B6.4). `text_rule`: the code of the rule that
    says how long a text is; `time_out_rule`: of the one on time-outs, which together last no longer than the longest
    may, unless `time_outs_add_up`. `grounds`: for what a referee finds a publication at fault; `gauges`: those of which
    points are given or taken, by `adjustment_rule`.
    """

    name: str
    version: int
    seats: tuple[Seat, ...]
    in_the_open: bool
    correctable: frozenset[str]
    text_rule: str
    time_out_rule: str
    time_outs_add_up: bool
    grounds: tuple[Ground, ...]
    gauges: tuple[str, ...]
    adjustment_rule: str

    def announce(self, terms: Any, dice: Dice) -> Any:
        """Return the setup (JSON object): the terms and what the announcement draws. Raises RulesError."""

    def start(self, setup: Any, dice: Dice) -> State:
        """Return the first state, having drawn what the start draws. Raises RulesError."""

    def open(self, state: State, dice: Dice) -> Step:
        """Say what happens when the coming phase would open (A3.2)."""

    def prepares(self, setup: Any, seat: Seat) -> Menu:
        """Return what that seat has to hide or choose between the announcement and the start (A4.1)."""

    def choose(self, state: State, seat: Seat, value: str | None) -> Step:
        """Return the state once `seat` has named the choice that it owes (A10.2); None: it has forfeited it."""

    def awaits(self, state: State, seat: Seat) -> Menu:
        """Return what that seat may or must file now."""

    def check(self, state: State, seat: Seat, filing: Any) -> tuple[Finding, ...]:
        """Return what there is to say of a filing; never raises, whatever `filing` is."""

    def needs_text(self, filing: Any) -> bool:
        """Say whether a text has to be published with a filing (« A turn »: not to do nothing)."""

    def completes(self, state: State, before: Any, after: Any) -> bool:
        """Say whether `after` is the filing `before` and nothing but what lacked in it (B6.4)."""

    def resolve(self, state: State, inputs: Inputs, dice: Dice) -> Step:
        """Close the open phase."""

    def rewards(self, state: State, events: tuple[Event, ...]) -> tuple[Reward, ...]:
        """Return what the end of a duel brings and costs besides the stakes; `events` are of the step that ended it."""

    def status(self, state: State) -> Status:
        """Return what does not depend on the ruleset."""

    def view(self, state: State, audience: Audience) -> dict[str, Any]:
        """Return what `audience` may know of the state, as a JSON object; secrets are absent."""

    def redact(self, events: tuple[Event, ...], audience: Audience) -> tuple[Event, ...]:
        """Return the events as `audience` may read them while the duel runs."""

    def redact_difference(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """Return which of the events that amendments did away with, or brought, anybody may read while the duel runs.

        What was computed and is not published would tell secrets that nothing has yet met.
        """

    def summary(self, state: State) -> dict[str, Any]:
        """Return the state in the shape of a conformance case's `expect`, every key present."""

    def encode(self, value: Any) -> bytes:
        """Return a state, events or any struct of the ruleset as JSON."""

    def decode_state(self, raw: bytes) -> State:
        """The inverse of `encode` for a state. Raises RulesError."""

    def decode_events(self, raw: bytes) -> tuple[Event, ...]:
        """The inverse of `encode` for a tuple of events. Raises RulesError."""
