"""Who may fight a spell duel (B1.1, B1.2, B2.1, B6.0): what is missing, if something is."""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from duels.models import CarriedOver, Duel, Duellist, Post, Seat
from rules.spells.terms import types_at

RULESET = "spells"
MESSAGES = 50  # B1.1
WAIT_DUELS = 4  # B2.1
WAIT = dt.timedelta(days=30)  # B2.1
BAN_MONTHS = 6  # B6.0
LETTERS = "abcd"
PUBLIC = ("other_duel", "banned", "wait")  # what the duels that anybody reads say of somebody
UNDER_WAY = (Duel.Status.AGREED, Duel.Status.ANNOUNCED, Duel.Status.RUNNING)


class Missing(NamedTuple):
    """What a duellist lacks: its code, its rule, what to say, when it ends by itself (None: it does not), and in which
    mode alone it is asked for (empty: in both)."""

    code: str
    rule: str
    message: object
    until: dt.datetime | None = None
    mode: str = ""

    @property
    def passes(self) -> bool:
        """Whether another duel is in the way, or the wait after one, and nothing that they could see to (B2.1)."""
        return self.code in ("other_duel", "wait")


def missing(duellist: Duellist, mode: str, *, now: dt.datetime, besides: Duel | None = None) -> list[Missing]:
    """Return all that this duellist lacks to fight a spell duel of that mode now; nothing: they may.

    `besides`: the duel that they are about to agree to.
    """
    found = [
        _seniority(duellist, now),
        _messages(duellist),
        _other_duel(duellist, besides),
        _ban(duellist, now),
        _wait(duellist, now),
        *(_role_play(duellist) if mode == Duel.Mode.RP else ()),
    ]
    return [one for one in found if one is not None]


class Hindered(NamedTuple):
    """One who could not accept a challenge now, and why, as far as anybody may know it."""

    duellist: Duellist
    reasons: list[Missing]


def hindered(duellists: Iterable[Duellist], mode: str, *, now: dt.datetime) -> list[Hindered]:
    """Return who of these could not accept a spell duel of that mode now, for those who would challenge them."""
    lacking = ((one, missing(one, mode, now=now)) for one in duellists)
    return [Hindered(one, [why for why in found if why.code in PUBLIC]) for one, found in lacking if found]


def months_later(instant: dt.datetime, months: int) -> dt.datetime:
    """Return the same day and hour so many months later, or the last day of a shorter month."""
    years, month = divmod(instant.month - 1 + months, 12)
    year = instant.year + years
    day = min(instant.day, calendar.monthrange(year, month + 1)[1])
    return instant.replace(year=year, month=month + 1, day=day)


def _seniority(duellist: Duellist, now: dt.datetime) -> Missing | None:
    """B1.1"""
    since = duellist.user.date_joined
    carried = CarriedOver.objects.filter(user=duellist.user_id).first()
    if carried is not None and carried.member_since is not None:
        midnight = dt.datetime.combine(carried.member_since, dt.time(), tzinfo=timezone.get_default_timezone())
        since = min(since, midnight)
    until = months_later(since, 1)
    if until <= now:
        return None
    return Missing("seniority", "B1.1", _("A spell duel asks for one month on the site."), until)


def message_count(user_id: int) -> int:
    """Return the messages of a member: those posted here that count, plus what staff have carried over (B1.1)."""
    posted = Post.objects.that_count().filter(duellist__user=user_id).count()
    carried = CarriedOver.objects.filter(user=user_id).values_list("messages", flat=True).first()
    return posted + (carried or 0)


def _messages(duellist: Duellist) -> Missing | None:
    """B1.1"""
    count = message_count(duellist.user_id)
    if count >= MESSAGES:
        return None
    message = _("A spell duel asks for %(all)d messages: %(count)d count so far, %(lacking)d are missing.")
    return Missing("messages", "B1.1", message % {"all": MESSAGES, "count": count, "lacking": MESSAGES - count})


def _other_duel(duellist: Duellist, besides: Duel | None) -> Missing | None:
    """B2.1: one spell duel at a time."""
    others = Duel.objects.filter(ruleset=RULESET, status__in=UNDER_WAY, seats__duellist=duellist)
    if besides is not None:
        others = others.exclude(pk=besides.pk)
    if not others.exists():
        return None
    return Missing("other_duel", "B2.1", _("%(name)s is in a spell duel already: one at a time.") % {"name": duellist})


def _last_over(duellist: Duellist) -> Seat | None:
    seats = Seat.objects.filter(duellist=duellist, duel__ruleset=RULESET, duel__status=Duel.Status.OVER)
    return seats.select_related("duel").order_by("-duel__ended_at").first()


def bans(duellists: Iterable[int], *, now: dt.datetime) -> dict[int, dt.datetime]:
    """Return which of these duellists (keys) are banned from spell duels, and until when.

    B6.0: for six months from the end of a duel in which they were disqualified, whatever they have ended since.
    """
    sent_off = Q(pk__in=())
    for letter in LETTERS:
        sent_off |= Q(letter=letter, **{f"duel__public_view__seats__{letter}__out": "disqualified"})
    seats = Seat.objects.filter(sent_off, duellist__in=duellists, duel__ruleset=RULESET, duel__status=Duel.Status.OVER)
    ended = seats.order_by("duel__ended_at").values_list("duellist", "duel__ended_at")
    until = {duellist: months_later(at, BAN_MONTHS) for duellist, at in ended if at}
    return {duellist: end for duellist, end in until.items() if end > now}


def _ban(duellist: Duellist, now: dt.datetime) -> Missing | None:
    until = bans([duellist.pk], now=now).get(duellist.pk)
    if until is None:
        return None
    message = _("%(name)s was disqualified: no new spell duel for six months.") % {"name": duellist}
    return Missing("banned", "B6.0", message, until)


def _wait(duellist: Duellist, now: dt.datetime) -> Missing | None:
    """B2.1: until 4 other duels have ended since one's own, 30 days have passed, or staff have waived it."""
    last = _last_over(duellist)
    if last is None or last.duel.ended_at is None:
        return None
    ended = last.duel.ended_at
    waived = duellist.wait_waived_at is not None and duellist.wait_waived_at >= ended
    if waived or ended + WAIT <= now:
        return None
    since = Duel.objects.filter(ruleset=RULESET, status=Duel.Status.OVER, ended_at__gt=ended).count()
    if since >= WAIT_DUELS:
        return None
    message = _("%(name)s waits for %(lacking)d more spell duels to end, or for 30 days to pass.")
    return Missing("wait", "B2.1", message % {"name": duellist, "lacking": WAIT_DUELS - since}, ended + WAIT)


def barred(duel: Duel, *, now: dt.datetime) -> dict[str, Missing]:
    """Return who may not begin this duel now, by seat, and why: banned (B6.0), in another duel, or waiting (B2.1).

    It holds for spell duels; those of a tournament are played, since its rounds could not be kept otherwise.
    """
    if duel.ruleset != RULESET or duel.kind == Duel.Kind.TOURNAMENT:
        return {}
    found: dict[str, Missing] = {}
    for seat in duel.seats.select_related("duellist").order_by("letter"):
        who = seat.duellist
        if bar := _ban(who, now) or _other_duel(who, duel) or _wait(who, now):
            found[seat.letter] = bar
    return found


def _role_play(duellist: Duellist) -> Iterator[Missing]:
    """B1.2, B2.5: what the mode `rp` asks for."""
    if not duellist.in_chronology:
        message = _("%(name)s is not in the chronology: staff can enter it, or choose the free mode.")
        yield Missing("chronology", "B1.2", message % {"name": duellist}, mode=Duel.Mode.RP)
    due = types_at(duellist.level)
    if len(duellist.types) != due:
        message = _("The register of %(name)s names %(count)d types of magic: at level %(level)d it takes %(due)d.")
        named = {"name": duellist, "count": len(duellist.types), "level": duellist.level, "due": due}
        yield Missing("types", "B2.5", message % named, mode=Duel.Mode.RP)
