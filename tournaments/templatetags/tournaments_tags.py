"""What the pages of tournaments need to say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.db.models import QuerySet
from django.utils.formats import localize
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from duels.models import Duel, Duellist
from duels.queries.purse import Line
from rules.seal import commitment
from tournaments.models import Match, Reign, Tournament

register = template.Library()

TOURNAMENT = Duel.Kind.TOURNAMENT
SHOWN = tuple(f"tournament__{field}" for field in ("name", "slug", "status", "starts_at", "round_days", "ends"))
FORMATS = {
    "single": gettext_lazy("Who loses is out; the best seeded rest in the first round where places stay empty."),
    "double": gettext_lazy("Who loses twice is out; the final is won twice by who comes from the losers’ bracket."),
    "round_robin": gettext_lazy(
        "A win counts 1 point, a draw a half. Ties: points among equals, Sonneborn-Berger, wins, then the seeding."
    ),
    "swiss": gettext_lazy(
        "Each round against somebody with as many points, never the same twice if it can be helped. Ties: Buchholz,"
        " Sonneborn-Berger, wins, then the seeding."
    ),
}


@register.simple_tag
def format_sentence(kind: str) -> str:
    """How a format decides, in a sentence or two."""
    return str(FORMATS[kind])


@register.filter
def halves(points: int) -> str:
    """Points counted in halves: "2.5"."""
    return str(localize(points / 2 if points % 2 else points // 2))


@register.filter
def quarters(points: int) -> str:
    """A score counted in quarters: "1.25"."""
    return str(localize(points / 4 if points % 4 else points // 4))


@register.simple_tag
def tournament_of(duel: Duel) -> Tournament | None:
    """The tournament of a duel, with the number of the round and its end; None for any other duel."""
    match = Match.objects.filter(duel=duel.pk).select_related("tournament").only("round", *SHOWN).first()
    if match is None:
        return None
    found: Any = match.tournament
    found.of_round, found.ends_at = match.round, match.tournament.wall_of(match.round)
    return match.tournament


@register.simple_tag
def tournaments_of(lines: Iterable[Line]) -> dict[int, Tournament]:
    """The tournaments of the duels that lines of a purse come from, by the duel's key; one query, if there are any."""
    duels = {line.transfer.duel.pk for line in lines if line.transfer.duel and line.transfer.duel.kind == TOURNAMENT}
    if not duels:
        return {}
    matches = Match.objects.filter(duel__in=duels).select_related("tournament").only("duel_id", *SHOWN)
    return {match.duel_id: match.tournament for match in matches if match.duel_id}


@register.filter
def of_duel(tournaments: Mapping[int, Tournament], duel_id: int | None) -> Tournament | None:
    """The tournament of one duel, among those that `tournaments_of` has found."""
    return tournaments.get(duel_id) if duel_id else None


@register.simple_tag
def titles_of(duellist: Duellist) -> QuerySet[Reign]:
    """The reigns of a duellist, the latest first."""
    return Reign.objects.filter(duellist=duellist).select_related("tournament")


@register.simple_tag
def match_outcome(match: Match) -> str:
    """How a match stands or was decided."""
    if match.decided_at is None:
        return str(match.duel.get_status_display()) if match.duel else ""
    if match.how == Match.How.BYE:
        return _("bye: goes on without a duel")
    if match.winner is None:
        return _("nobody came") if not match.a_points else _("draw")
    said = {
        Match.How.WALL: _("won by %(name)s, at the end of the round"),
        Match.How.LOT: _("a draw; by lot, %(name)s goes on"),
        Match.How.ABSENCE: _("won by %(name)s, the other being absent"),
        Match.How.WALKOVER: _("walkover for %(name)s"),
    }
    return said.get(Match.How(match.how), _("won by %(name)s")) % {"name": match.winner}


@register.filter
def keeps_its_word(tournament: Tournament) -> bool:
    """Whether the seed that was opened is the one that the announcement committed to."""
    return commitment(bytes.fromhex(tournament.seed)) == tournament.commitment
