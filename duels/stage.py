"""What the drawing of the stage shows: eleven boards, the floor on either side, who stands where, what lurks there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from duels.sentences import book, names

View = Mapping[str, Any]

ZONES = range(13)  # 0 and 12 are the floor (B5.3)
WIDTH, BOARD_TOP = 48, 100
FOOT, FOOT_WITH_SIGNS = 130, 150  # how far down the drawing goes
ALONE, IN_COMPANY = 15, 11  # the radius of who stands on a board, alone or two abreast


class Token(NamedTuple):
    """Who stands on a board, at `x`, `y`."""

    letter: str
    initial: str
    team: int
    is_out: bool
    x: int
    y: int
    radius: int

    @property
    def left(self) -> int:
        return self.x - self.radius + 1

    @property
    def top(self) -> int:
        return self.y - self.radius + 1

    @property
    def side(self) -> int:
        return 2 * self.radius - 2


class Board(NamedTuple):
    """One zone. `perils`: what hurts there at the end of a turn, in words; `signs` the same as drawn."""

    zone: int
    x: int
    tokens: tuple[Token, ...]
    signs: str
    perils: tuple[str, ...]
    in_reach: bool

    @property
    def is_floor(self) -> bool:
        return self.zone in (ZONES[0], ZONES[-1])

    @property
    def middle(self) -> int:
        return self.x + WIDTH // 2


class Stage(NamedTuple):
    """The stage to draw, with what a screen reader says of it."""

    boards: tuple[Board, ...]
    description: str

    @property
    def canvas(self) -> str:
        """As much of the drawing as there is something on."""
        top = min((token.y - token.radius for board in self.boards for token in board.tokens), default=BOARD_TOP) - 4
        foot = FOOT_WITH_SIGNS if any(board.signs for board in self.boards) else FOOT
        return f"0 {top} {WIDTH * len(ZONES)} {foot - top}"


def stage(view: View, cast: Mapping[str, Any], reach: tuple[int, int] | None = None) -> Stage:
    """Return the drawing of a view of a spell duel; `reach`: from where to how far something goes (B3.1.3)."""
    boards = tuple(_board(view, cast, zone, reach) for zone in ZONES)
    return Stage(boards, " ".join(_told(view, cast, boards)))


def _board(view: View, cast: Mapping[str, Any], zone: int, reach: tuple[int, int] | None) -> Board:
    hazards = [one for one in view.get("hazards", ()) if one["zone"] == zone]
    summons = [one for one in view.get("summons", ()) if one["zone"] == zone]
    perils = [_("a peril of %(points)s") % {"points": names.points("fatigue", one["points"])} for one in hazards]
    perils += [_creature(one, cast) for one in summons]
    here = [letter for letter, seat in sorted(view["seats"].items()) if seat["zone"] == zone]
    return Board(
        zone=zone,
        x=zone * WIDTH,
        tokens=tuple(_tokens(view, cast, here, zone * WIDTH + WIDTH // 2)),
        signs="✹" * len(hazards) + "♞" * len(summons),
        perils=tuple(perils),
        in_reach=reach is not None and abs(zone - reach[0]) <= reach[1],
    )


def _creature(one: Mapping[str, Any], cast: Mapping[str, Any]) -> str:
    words = _("a creature that takes %(points)s %(reach)s")
    return words % {"points": names.points("fatigue", one["points"]), "reach": book.zones_around(one["reach"])}


def _tokens(view: View, cast: Mapping[str, Any], letters: list[str], middle: int) -> Iterable[Token]:
    """Those of one board: one alone in its middle, more of them two abreast, the third and fourth above."""
    radius = ALONE if len(letters) == 1 else IN_COMPANY
    for place, letter in enumerate(letters):
        seat = view["seats"][letter]
        initial = cast[letter]["name"][:1].upper()
        aside = 0 if len(letters) == 1 else (-IN_COMPANY - 1, IN_COMPANY + 1)[place % 2]
        y = BOARD_TOP - radius - 4 - place // 2 * (2 * radius + 2)
        yield Token(letter, initial, seat["team"], seat["out"] is not None, middle + aside, y, radius)


def _told(view: View, cast: Mapping[str, Any], boards: tuple[Board, ...]) -> Iterable[str]:
    for letter, seat in sorted(view["seats"].items()):
        where = _("on the floor") if seat["zone"] in (ZONES[0], ZONES[-1]) else _("zone %(zone)d") % seat
        yield _("%(name)s: %(where)s.") % {"name": cast[letter]["name"], "where": where}
    for board in boards:
        for peril in board.perils:
            yield _("Zone %(zone)d: %(peril)s.") % {"zone": board.zone, "peril": peril}


class Bar(NamedTuple):
    """A gauge as a bar with figures."""

    gauge: str
    left: int
    most: int

    @property
    def width(self) -> int:
        """How much of it is filled, of 100."""
        return round(100 * self.left / self.most) if self.most else 0


def bars(view: View, letter: str) -> tuple[Bar, Bar]:
    """Return the fatigue and the magic that a seat has left."""
    seat = view["seats"][letter]
    return (
        Bar("fatigue", seat["fatigue"], seat["fatigue_max"]),
        Bar("magic", seat["magic"], seat["magic_max"]),
    )


def conditions(seat: Mapping[str, Any]) -> list[str]:
    """Return what works on a duellist, and what their faults are, in words."""
    said = []
    if seat["out"]:
        return [_("out of the duel")]
    if seat["on_floor"]:
        said.append(_("on the floor"))
    if not seat["wand"]:
        said.append(_("without a wand"))
    for status, words in (("bound", _("bound")), ("silenced", _("silenced")), ("jinxed", _("jinxed"))):
        if seat[status]:
            said.append(_("%(status)s (%(turns)d, this turn included)") % {"status": words, "turns": seat[status]})
    if seat["absences"]:
        said.append(_("absences: %(number)d of 3") % {"number": seat["absences"]})
    if seat["action_faults"]:
        said.append(_("action faults: %(number)d of 2") % {"number": seat["action_faults"]})
    return said
