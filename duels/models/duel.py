"""The duel, from the challenge to the verdict, and who sits where."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Self

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection, models
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

import rules
from duels.people import REFEREES
from duels.sentences.names import enumeration

from .people import Duellist

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

    from rules.core import Ruleset

    from .log import Phase


SET_ASIDE = 3  # failed sweeps
RULED = ("ruling", "publication", "correction")  # entries of a phase: who made one does not judge an appeal against it
HAS_ROOM = Q(availability=None) | Q(availability__is_available=True, in_hand__lt=F("availability__at_once"))  # A14


def referees() -> models.QuerySet[User]:
    """All referees, with how many duels each has `in_hand`."""
    held = Duel.objects.filter(referee=OuterRef("pk"), status__in=(Duel.Status.ANNOUNCED, Duel.Status.RUNNING))
    counted = held.order_by().values("referee").annotate(count=models.Count("pk")).values("count")
    known = get_user_model().objects.filter(groups__name=REFEREES, is_active=True)
    return known.alias(in_hand=Coalesce(models.Subquery(counted), 0))


def _of_its_panel() -> models.QuerySet[User]:
    """The referees of the panel of the duel outside, but for its referee and those who play in it."""
    seated = Seat.objects.filter(duel=OuterRef(OuterRef("pk")), duellist__user=OuterRef("pk"))
    its_own = Duel.objects.filter(pk=OuterRef(OuterRef("pk")), referee=OuterRef("pk"))
    listed = Duel.panel.through._default_manager.filter(duel=OuterRef(OuterRef("pk")), user=OuterRef("pk"))
    return referees().filter(Exists(listed)).exclude(Exists(seated)).exclude(Exists(its_own))


def _rulings() -> models.QuerySet[models.Model]:
    """What the user outside has ruled on what is contested in the duel outside of that."""
    entries = apps.get_model("duels", "Entry")._default_manager.filter(kind__in=RULED, by=OuterRef("pk"))
    appealed = "phase_row__resolutions__appeals__"
    return entries.filter(**{f"{appealed}answer": "", f"{appealed}duel": OuterRef(OuterRef("pk"))})


def _terms() -> models.QuerySet[models.Model]:
    """That the user outside was a referee, before another, of the duel outside of that."""
    before = Duel.former_referees.through._default_manager
    return before.filter(duel=OuterRef(OuterRef("pk")), user=OuterRef("pk"))


class DuelQuerySet(models.QuerySet["Duel"]):
    def public(self) -> Self:
        """Duels that anybody may read: announced, running, over (or cancelled after the announcement)."""
        return self.exclude(announced_at=None)

    def of(self, user: User | AnonymousUser) -> Self:
        """Duels in which one of the user's duellists plays."""
        if user.pk is None:
            return self.none()
        seated = Seat.objects.filter(duel=models.OuterRef("pk"), duellist__user_id=user.pk)
        return self.filter(models.Exists(seated))

    def offered_to(self, user: User) -> Self:
        """Duels of which a turn has waited so long that this referee may take it over: never one in which they play."""
        waiting = self.filter(status=Duel.Status.RUNNING, phase__status="locked", phase__offered_at__isnull=False)
        mine = waiting.exclude(referee=user).exclude(pk__in=Duel.objects.of(user).values("pk"))
        return mine.open_to(user, _of_its_panel().filter(HAS_ROOM))

    def contested_for(self, user: User) -> Self:
        """Duels in which an appeal waits that this referee may answer: never one that they play in, have ever refereed,
        or in which they ruled on what is contested."""
        waiting = self.filter(status=Duel.Status.RUNNING, stopped_until__isnull=False).exclude(referee=user)
        contested = "appeals__resolution__phase__entries__"
        ruled = waiting.filter(**{"appeals__answer": "", f"{contested}kind__in": RULED, f"{contested}by": user})
        for barred in (Duel.objects.of(user), ruled, waiting.filter(former_referees=user)):
            waiting = waiting.exclude(pk__in=barred.values("pk"))
        return waiting.open_to(user, _of_its_panel().exclude(Exists(_rulings())).exclude(Exists(_terms())))

    def open_to(self, user: User, able: models.QuerySet[User]) -> Self:
        """Duels whose panel this referee is of, or of whose panel nobody is `able` (users, of the duel outside)."""
        of_panel = Duel.panel.through._default_manager.filter(duel=OuterRef("pk"), user=user.pk)
        return self.filter(Exists(of_panel) | ~Exists(able))

    def locked(self) -> Self:
        """The rows, held until the transaction ends (on SQLite the whole file is, by BEGIN IMMEDIATE)."""
        if not connection.features.has_select_for_no_key_update:
            return self
        return self.select_for_update(no_key=True, of=("self",))

    def due(self, now: dt.datetime) -> Self:
        """Duels for which the clock has something to do, the longest due first; those set aside wait for staff."""
        return self.filter(wake_at__lte=now, failures__lt=SET_ASIDE).order_by("wake_at")

    def claim(self, now: dt.datetime, *, besides: Collection[int] = ()) -> int | None:
        """Hold one duel that is due and that nobody else holds, until the transaction ends; return its key, or None."""
        waiting = self.due(now).exclude(pk__in=besides) if besides else self.due(now)
        if connection.features.has_select_for_no_key_update:
            waiting = waiting.select_for_update(skip_locked=True, no_key=True, of=("self",))
        return waiting.values_list("pk", flat=True).first()

    def wake_those_cut_into(
        self, since: dt.datetime, until: dt.datetime, *, last_hours: dt.timedelta, before_start: dt.timedelta
    ) -> None:
        """Have the clock look now, and not at the deadline only, at what a silence may have cut into: open turns in
        their last hours, or in which something shorter runs, and duels that start soon. One that is held is looked at
        later."""
        shorter = Q(phase__choice_until__gt=since) | Q(phase__holds_until__gt=since) | ~Q(phase__correctable={})
        turns = Q(status=Duel.Status.RUNNING, phase__status="open") & (
            Q(phase__due_at__lte=until + last_hours) | shorter
        )
        starts = Q(status=Duel.Status.ANNOUNCED, starts_at__lte=until + before_start)
        cut_into = self.filter(turns | starts, wake_at__gt=until)
        if connection.features.has_select_for_no_key_update:
            cut_into = cut_into.select_for_update(skip_locked=True, no_key=True, of=("self",))
        self.filter(pk__in=list(cut_into.values_list("pk", flat=True))).update(wake_at=until)

    def hold(self, pk: int) -> None:
        """Wait for one row, and hold it until the transaction ends; nothing to ask where the whole file is held."""
        if connection.features.has_select_for_no_key_update:
            list(self.locked().filter(pk=pk).values_list("pk"))


class Duel(models.Model):
    """One duel. `cast`, `public_view`, `awaited` and `due_at` are caches of the log, for lists and pages."""

    class Status(models.TextChoices):
        CHALLENGED = "challenged", _("challenged")
        AGREED = "agreed", _("looking for a referee")
        ANNOUNCED = "announced", _("announced")
        RUNNING = "running", _("running")
        OVER = "over", _("over")
        DECLINED = "declined", _("declined")
        EXPIRED = "expired", _("expired")
        CANCELLED = "cancelled", _("cancelled")

    class Kind(models.TextChoices):
        TRAINING = "training", _("training")
        CLANDESTINE = "clandestine", _("clandestine")
        TOURNAMENT = "tournament", _("tournament style")

    class Mode(models.TextChoices):
        RP = "rp", _("role play")
        FREE = "free", pgettext_lazy("mode of a duel", "free")

    class Format(models.TextChoices):
        ONE = "1v1", _("one against one")
        TWO = "2v2", _("two against two")

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    ruleset = models.CharField(max_length=20, default="arena")
    ruleset_version = models.PositiveSmallIntegerField()
    edition = models.CharField(max_length=10)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices)
    mode = models.CharField(_("mode"), max_length=4, choices=Mode.choices, blank=True)
    format = models.CharField(_("format"), max_length=3, choices=Format.choices, default=Format.ONE)
    book = models.ForeignKey("SpellBook", models.PROTECT, null=True, blank=True, related_name="duels")
    turn_hours = models.PositiveSmallIntegerField(_("turn length"), choices=[(24, "24 h"), (48, "48 h")])
    refereed = models.BooleanField(_("with a referee"), default=True)
    referee = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="refereed_duels"
    )
    panel: models.ManyToManyField[User, models.Model] = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, related_name="panels",
        help_text="the referees among whom it stays while one of them can; none: all",
    )  # fmt: skip
    former_referees: models.ManyToManyField[User, models.Model] = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, related_name="+", help_text="before it changed hands"
    )
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.CHALLENGED)
    message = models.TextField(_("message"), blank=True, max_length=1000)
    scene = models.ForeignKey(
        "Scene", models.PROTECT, null=True, blank=True, related_name="duels", help_text="that led to it (A3.1)"
    )
    stake = models.PositiveIntegerField(_("stake"), default=0, help_text="of each duellist (A3.3); 0: none")
    stake_currency = models.CharField(_("currency"), max_length=8, blank=True)
    paired = models.BooleanField(_("paired by the registration desk"), default=False, help_text="everybody confirms it")

    created_at = models.DateTimeField()
    starts_at = models.DateTimeField(_("start"))
    agreed_at = models.DateTimeField(null=True, blank=True)
    announced_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True, help_text="the deadline that lists show")
    stopped_until = models.DateTimeField(
        null=True, blank=True, help_text="up to when an appeal stops the clock at most"
    )
    wake_at = models.DateTimeField(null=True, blank=True, help_text="the next instant at which the clock acts")
    given_back = models.DurationField(
        default=dt.timedelta, help_text="what silences of the clock have put its start off by"
    )
    woken_at = models.DateTimeField(null=True, blank=True, help_text="up to when the clock has done what it had to")
    put_off = models.PositiveSmallIntegerField(default=0, help_text="how often the start was put off")
    failures = models.PositiveSmallIntegerField(default=0, help_text="failed sweeps; 3: set aside for staff")

    setup = models.JSONField(default=dict, blank=True, help_text="as announced, but for the spells of the book")
    arena = models.CharField(max_length=20, blank=True)
    commitment = models.CharField(max_length=64, blank=True)
    sealed_seed = models.BinaryField(null=True)
    sealed_state = models.BinaryField(null=True)
    branch = models.PositiveSmallIntegerField(default=0)
    turn = models.PositiveSmallIntegerField(default=0)
    phase = models.OneToOneField("Phase", models.PROTECT, null=True, blank=True, related_name="+")
    entry_count = models.PositiveIntegerField(default=0)
    chain_head = models.CharField(max_length=64, default="0" * 64)
    officials = models.JSONField(default=dict, blank=True, help_text="account → its number in the record")

    cast = models.JSONField(default=dict)
    public_view = models.JSONField(default=dict, blank=True)
    awaited = models.CharField(max_length=4, blank=True, help_text="letters of the seats still to file")
    owing = models.CharField(max_length=4, blank=True, help_text="letters of the seats that owe a choice (A10.2)")
    winner = models.CharField(max_length=1, blank=True, help_text="a seat's letter, or a team's number")
    ended_by = models.CharField(max_length=20, blank=True)

    newest_events: Sequence[dict[str, Any]] = ()  # of the last turn published, once `queries.reading` has read them

    objects = DuelQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["wake_at"], condition=Q(wake_at__isnull=False), name="duel_to_wake"),
            models.Index(fields=["status", "-id"], name="duel_by_status"),
            models.Index(fields=["stopped_until"], condition=Q(stopped_until__isnull=False), name="duel_contested"),
        ]

    def __str__(self) -> str:
        teams = [[player["name"] for _letter, player in team] for team in self.teams]
        return " – ".join(enumeration(names) for names in teams)

    def get_absolute_url(self) -> str:
        return reverse("duels:duel", args=[self.pk])

    @cached_property
    def unwritten(self) -> list[models.Model]:
        """Entries, posts and happenings added while the duel is held, to be written as it is saved."""
        return []

    @property
    def teams(self) -> list[list[tuple[str, dict[str, Any]]]]:
        """Who duels against whom: the seats of `cast` and their players, a (and c) against b (and d)."""
        players = sorted(self.cast.items())
        return [players[0::2], players[1::2]]

    @property
    def rules(self) -> Ruleset:
        """The version of the ruleset that this duel pinned when it was agreed."""
        return rules.get(self.ruleset, self.ruleset_version)

    @property
    def current(self) -> Phase:
        """The phase that is open or waits to be published, or was the last. Raises LookupError before the start."""
        if self.phase is None:
            raise LookupError(f"duel {self.pk} has not started")
        return self.phase

    @property
    def is_over(self) -> bool:
        return self.status == self.Status.OVER

    @property
    def is_of_students(self) -> bool:
        """Whether the students' rules apply (A3.1a)."""
        return all(player["year"] for player in self.cast.values())

    @property
    def trains_students(self) -> bool:
        """Whether it is students' training in the arena, which begins in training hours (article 3)."""
        return self.ruleset == "arena" and self.kind == self.Kind.TRAINING and self.is_of_students

    @property
    def risk(self) -> int:
        """The chance in a hundred that a clandestine duel is discovered as its next turn opens (A3.2)."""
        return min(100, 2 * self.turn)

    @property
    def is_running(self) -> bool:
        return self.status == self.Status.RUNNING

    def official(self, user: User | None) -> int | None:
        """Return the number by which the record calls whoever acts without playing, given as they first do; None: the
        clock. The duel is held."""
        if user is None:
            return None
        key = str(user.pk)
        if key not in self.officials:
            self.officials = {**self.officials, key: len(self.officials) + 1}
        return int(self.officials[key])

    def name_of(self, letter: str) -> str:
        return str(self.cast[letter]["name"])

    def recast(self) -> None:
        """Copy into `cast` what lists show of the duellists."""
        seats = self.seats.select_related("duellist")
        self.cast = {seat.letter: seat.portrayal() for seat in seats}


class Seat(models.Model):
    """A duellist's place in a duel."""

    duel = models.ForeignKey(Duel, models.CASCADE, related_name="seats")
    letter = models.CharField(max_length=1)
    duellist = models.ForeignKey(Duellist, models.PROTECT, related_name="seats")
    accepted_at = models.DateTimeField(null=True, help_text="when this duellist agreed to the duel")
    terms = models.JSONField(default=dict, blank=True, help_text="level, types of magic, traits: as registered")
    corrected = models.BooleanField(default=False, help_text="the right to correct is used up (B6.4)")
    hidden_version = models.PositiveSmallIntegerField(default=0, help_text="versions of the receptacle's place")
    hidden_late = models.BooleanField(default=False)
    wants_start = models.BooleanField(default=False)
    accepts_clandestine = models.BooleanField(
        default=False, help_text="wants to start even where that makes the duel clandestine (article 3)"
    )

    class Meta:
        ordering = ["letter"]
        constraints = [
            models.UniqueConstraint(fields=["duel", "letter"], name="one_duellist_a_seat"),
            models.UniqueConstraint(fields=["duel", "duellist"], name="one_seat_a_duellist"),
        ]

    def __str__(self) -> str:
        return f"{self.letter}: {self.duellist}"

    def portrayal(self) -> dict[str, Any]:
        """What lists and drawings show of the duellist."""
        duellist = self.duellist
        return {
            "duellist": duellist.pk,
            "user": duellist.user_id,
            "name": duellist.name,
            "wand_hand": duellist.wand_hand,
            "year": duellist.year,
        }
