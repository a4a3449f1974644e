"""The draws of a tournament, sealed like the dice of a duel: the announcement shows the SHA-256 of a secret seed, and
the seed is opened at the end, so that anybody can draw every lot again."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar
from uuid import UUID

from duels.vault import seal, unseal
from rules.dice import SealedDice
from rules.seal import SEED_BYTES, commitment

from .models import Match, Tournament

T = TypeVar("T")


def draw_seed(uid: UUID) -> tuple[bytes, str]:
    """Return a new seed, sealed, and its commitment."""
    seed = os.urandom(SEED_BYTES)
    return seal(seed, "tournament", uid, "seed"), commitment(seed)


def seed_of(tournament: Tournament) -> bytes:
    return unseal(tournament.sealed_seed, "tournament", tournament.uid, "seed")


def dice(tournament: Tournament, what: str) -> SealedDice:
    """Return the dice of the `seeding`, or of a `lot`."""
    return SealedDice(seed_of(tournament), str(tournament.uid), 0, what)


def shuffled(tournament: Tournament, entrants: Sequence[T]) -> list[T]:
    """Return the entrants in an order drawn by lot: Fisher–Yates shuffle (1938), as Durstenfeld has it (1964)."""
    drawn, rolled = list(entrants), dice(tournament, "seeding")
    for last in range(len(drawn) - 1, 0, -1):
        other = rolled.roll(f"place:{last + 1}", last + 1) - 1
        drawn[last], drawn[other] = drawn[other], drawn[last]
    return drawn


def proof(tournament: Tournament) -> dict[str, object]:
    """Return what anybody needs to draw every lot again, once the seed is open: `rules.dice.SealedDice` with the seed,
    the identifier, branch 0 and the draw's name gives each die; `shuffled` says how the places follow.

    Raises LookupError while the seed is sealed.
    """
    if not tournament.seed:
        raise LookupError(f"the seed of {tournament} is still sealed")
    first = tournament.entrants.filter(place__isnull=False, replaces=None).order_by("registered_at", "pk")
    seats = {entrant.place or 0: str(entrant.duellist) for entrant in first.select_related("duellist")}
    seeding, lot = dice(tournament, "seeding"), dice(tournament, "lot")
    for faces in range(len(seats), 1, -1):
        seeding.roll(f"place:{faces}", faces)
    for key in tournament.matches.filter(how=Match.How.LOT).values_list("key", flat=True):
        lot.roll(key, 2)
    return {
        "tournament": str(tournament.uid),
        "commitment": tournament.commitment,
        "seed": tournament.seed,
        "registered": [str(entrant.duellist) for entrant in first],
        "seeding": tournament.seeding,
        "places": [seats[place] for place in sorted(seats)],
        "dice": {"seeding": _faces(seeding), "lot": _faces(lot)},
    }


def _faces(rolled: SealedDice) -> dict[str, list[int]]:
    """Each die's label, with its number of faces and the one that it showed."""
    return {label: list(faces) for label, faces in rolled.rolled.items()}


def first_by_lot(tournament: Tournament, key: str) -> bool:
    """Draw who goes on after a draw in a match that needs a winner; True for the first side."""
    return dice(tournament, "lot").roll(key, 2) == 1
