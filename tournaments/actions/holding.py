"""Holding a tournament while it is changed. Its row is locked before any duel's, never after."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from duels.actions.ledger import changing
from duels.errors import NotAllowed
from duels.models import Duel, Happening
from tournaments.models import Entrant, Tournament

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User


@contextmanager
def held(tournament_id: int) -> Iterator[Tournament]:
    """Hold a tournament's row in a transaction of its own, and save it at the end. Raises Tournament.DoesNotExist."""
    with transaction.atomic(durable=True):
        Tournament.objects.hold(tournament_id)
        tournament = Tournament.objects.get(pk=tournament_id)
        yield tournament
        tournament.wake_at = tournament.next_wake()
        tournament.save()


@contextmanager
def duel_of(duel_id: int) -> Iterator[Duel]:
    """Hold one of the duels too, while its tournament is held."""
    Duel.objects.hold(duel_id)
    with changing(duel_id) as duel:
        yield duel


def may_organise(user: User | AnonymousUser, permission: str) -> bool:
    """Say whether the user is staff who may `add` tournaments, or `change` them."""
    return user.is_active and user.is_staff and user.has_perm(f"tournaments.{permission}_tournament")


def require_organiser(user: User, permission: str) -> None:
    """Raise NotAllowed unless the user organises tournaments: a permission without being staff opens nothing."""
    if not may_organise(user, permission):
        raise NotAllowed(_("Only those who organise tournaments can do this."))


def tell(tournament: Tournament, what: str, *, at: dt.datetime, concerns: Iterable[Entrant], name: object = "") -> None:
    """Note a happening of a tournament that is held; `name` is the duellist's whom it is about, if it is about one."""
    details = {"tournament": tournament.name, "slug": tournament.slug, "name": str(name)}
    users = sorted({entrant.duellist.user_id for entrant in concerns})
    Happening.objects.create(what=what, at=at, concerns=users, details=details)


def everybody(tournament: Tournament) -> QuerySet[Entrant]:
    """Return all who have registered and not left, or have played."""
    stayed = Entrant.objects.awaited() | Entrant.objects.filter(place__isnull=False)
    return stayed.filter(tournament=tournament).select_related("duellist")


def end(tournament: Tournament, status: Tournament.Status, *, at: dt.datetime, seed: bytes) -> None:
    """End a tournament that is held: the seed of its draws is opened."""
    tournament.status = status
    tournament.ended_at = tournament.revised_at = at
    tournament.seed = seed.hex()
