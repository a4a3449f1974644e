"""What points that a referee would give or take come to, before they are: within the gauge, or beyond it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext as _

from duels.sentences import names

if TYPE_CHECKING:
    from .review import Review


class Foreseen(NamedTuple):
    """What a seat has of a gauge as the turn stands, and would have then; `most`: what the gauge holds."""

    name: str
    gauge: str
    now: int
    then: int
    most: int
    is_beyond: bool
    is_out: bool

    @property
    def warning(self) -> str:
        """What the referee should know before; nothing where the points count as they are typed."""
        said = {"name": self.name, "most": self.most, "now": names.points(self.gauge, self.now)}
        said["then"] = names.figure(self.then)
        if self.is_out:
            return _("%(name)s is out of the duel: this would change nothing.") % said
        if self.is_beyond:
            return (
                _("This goes beyond the gauge, from 0 to %(most)s: %(name)s has %(now)s, and would have %(then)s.")
                % said
            )
        return ""


def foreseen(review: Review, seat: str, gauge: str, points: int) -> Foreseen:
    """Return what `points` of a gauge come to for a seat, after all that is ruled already."""
    view = review.after["seats"][seat]
    now, most = _ruled(review, seat, gauge), view[f"{gauge}_max"]
    then = now if view.get("out") else _within(now + points, most)
    return Foreseen(
        review.duel.name_of(seat), gauge, now, then, most, not 0 <= now + points <= most, bool(view.get("out"))
    )


def standing_sentence(review: Review) -> str:
    """Return what each seat has of each gauge as the turn stands."""
    return " ".join(
        _("%(name)s: %(gauges)s.")
        % {
            "name": review.duel.name_of(seat),
            "gauges": names.enumeration([_of_most(review, seat, gauge) for gauge in review.duel.rules.gauges]),
        }
        for seat in sorted(review.duel.cast)
    )


def _of_most(review: Review, seat: str, gauge: str) -> str:
    most = review.after["seats"][seat][f"{gauge}_max"]
    return _("%(points)s of %(most)s") % {"points": names.points(gauge, _ruled(review, seat, gauge)), "most": most}


def _ruled(review: Review, seat: str, gauge: str) -> int:
    """What a seat has once all that is ruled has counted: in a spell duel that waits for the end of the turn (B6.5)."""
    view = review.after["seats"][seat]
    has: int = view[gauge]
    if review.coming.outcome is not None or review.coming.turn != review.phase.number:
        return has
    for amendment in review.amendments:
        ruling = amendment.entry.public
        if (
            amendment.in_force
            and "withdraws" not in ruling
            and (ruling.get("seat"), ruling.get("gauge")) == (seat, gauge)
        ):
            has = _within(has + ruling["points"], view[f"{gauge}_max"])
    return has


def _within(points: int, most: int) -> int:
    return max(0, min(points, most))
