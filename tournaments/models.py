"""Tournaments: what was announced, who sits in which place, who met whom, and who reigned."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import connection, models
from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from duels.clock import GRACE
from duels.models import Duel, Duellist, SpellBook
from duels.models.duel import SET_ASIDE

from . import formats
from .desk.models import Enrolment as Enrolment
from .desk.models import Pairing as Pairing

if TYPE_CHECKING:
    from .formats import Format

FEWEST, MOST = 2, 64  # entrants
SHORTEST, LONGEST = 4, 60  # days of a round
LATE = dt.timedelta(minutes=5)  # a round that opens no later after the announced hour has opened in time
ENDED = (Duel.Status.OVER, Duel.Status.CANCELLED)


class TournamentQuerySet(models.QuerySet["Tournament"]):
    def hold(self, pk: int) -> None:
        """Wait for one row, and hold it until the transaction ends; nothing to ask where the whole file is held."""
        if connection.features.has_select_for_no_key_update:
            list(self.filter(pk=pk).select_for_update(no_key=True).values_list("pk"))

    def due(self, now: dt.datetime, *, silent_until: dt.datetime | None = None) -> Self:
        """Tournaments for which the clock has something to do, and those under way that have not heard yet of a silence
        which ended at that instant; those set aside wait for staff."""
        news = Match.objects.filter(tournament=OuterRef("pk"), decided_at=None, duel__status__in=ENDED)
        waiting = Q(wake_at__lte=now) | Q(Exists(news), status=Tournament.Status.RUNNING)
        if silent_until is not None:
            waiting |= Q(status=Tournament.Status.RUNNING, heard_until__lt=silent_until)
        return self.filter(waiting).filter(failures__lt=SET_ASIDE).order_by("wake_at", "pk")


class Tournament(models.Model):
    """One tournament, as it was announced; `wake_at` is a cache of what the clock has to do next."""

    class Status(models.TextChoices):
        OPEN = "open", pgettext_lazy("tournament", "registration is open")
        RUNNING = "running", pgettext_lazy("tournament", "under way")
        OVER = "over", pgettext_lazy("tournament", "over")
        CANCELLED = "cancelled", pgettext_lazy("tournament", "cancelled")

    class Ruleset(models.TextChoices):
        ARENA = "arena", _("arena duels")
        SPELLS = "spells", _("spell duels")

    class Kind(models.TextChoices):
        SINGLE = "single", _("single elimination")
        DOUBLE = "double", _("double elimination")
        ROUND_ROBIN = "round_robin", _("everyone against everyone")
        SWISS = "swiss", _("Swiss system")

    class Seeding(models.TextChoices):
        DRAW = "draw", _("by a sealed draw")
        RANKING = "ranking", _("by the duels won so far")

    uid = models.UUIDField(_("identifier"), default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=80, unique=True)
    slug = models.SlugField(_("address"), max_length=80, unique=True)
    description = models.TextField(_("description"), blank=True, max_length=2000)
    ruleset = models.CharField(_("rules"), max_length=10, choices=Ruleset.choices, default=Ruleset.ARENA)
    mode = models.CharField(_("mode"), max_length=4, choices=Duel.Mode.choices, blank=True)
    book = models.ForeignKey(
        SpellBook, models.PROTECT, null=True, blank=True, related_name="tournaments", verbose_name=_("spell book")
    )
    kind = models.CharField(_("format"), max_length=12, choices=Kind.choices, default=Kind.SINGLE)
    seeding = models.CharField(_("seeding"), max_length=8, choices=Seeding.choices, default=Seeding.DRAW)
    third_place = models.BooleanField(_("with a match for the third place"), default=False)
    capacity = models.PositiveSmallIntegerField(
        _("places"), default=16, validators=[MinValueValidator(FEWEST), MaxValueValidator(MOST)]
    )
    turn_hours = models.PositiveSmallIntegerField(_("turn length"), choices=[(48, "48 h"), (24, "24 h")], default=48)
    round_days = models.PositiveSmallIntegerField(
        _("days a round"), default=14, validators=[MinValueValidator(SHORTEST), MaxValueValidator(LONGEST)]
    )
    starts_at = models.DateTimeField(_("start"))
    referees = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, related_name="refereed_tournaments", verbose_name=_("referees")
    )
    announced_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="announced_tournaments", verbose_name=_("announced by")
    )

    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.OPEN)
    announced_at = models.DateTimeField(_("announced on"))
    started_at = models.DateTimeField(_("started on"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended on"), null=True, blank=True)
    round = models.PositiveSmallIntegerField(_("round"), default=0)
    ends: models.JSONField[list[str]] = models.JSONField(
        _("ends of the rounds"), default=list, blank=True, help_text="of each round that has opened so far"
    )
    heard_until = models.DateTimeField(
        _("silences heard until"), null=True, blank=True, help_text="silences of the clock up to here are made good"
    )
    revised_at = models.DateTimeField(
        _("calendar changed on"), null=True, blank=True, help_text="when its hours changed last"
    )
    wake_at = models.DateTimeField(
        _("next act of the clock"), null=True, blank=True, help_text="the next instant at which the clock acts"
    )
    failures = models.PositiveSmallIntegerField(
        _("failed sweeps"), default=0, help_text="failed sweeps; 3: set aside for staff"
    )
    reason = models.TextField(_("reason"), blank=True, help_text="why it was cancelled; published")
    commitment = models.CharField(_("commitment"), max_length=64)
    sealed_seed = models.BinaryField()
    seed = models.CharField(_("opened seed"), max_length=64, blank=True, help_text="the seed, opened at the end")

    objects = TournamentQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        indexes = [
            models.Index(fields=["wake_at"], condition=Q(wake_at__isnull=False), name="tournament_to_wake"),
            models.Index(fields=["status", "-id"], name="tournament_by_status"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:tournament", args=[self.slug])

    @property
    def format(self) -> Format:
        return formats.get(self.kind)

    @property
    def is_spells(self) -> bool:
        return self.ruleset == self.Ruleset.SPELLS

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN

    @property
    def is_running(self) -> bool:
        return self.status == self.Status.RUNNING

    @property
    def is_over(self) -> bool:
        return self.status == self.Status.OVER

    @property
    def takes_substitutes(self) -> bool:
        """Until the second round."""
        return self.is_running and self.round < 2

    def announced_wall_of(self, number: int) -> dt.datetime:
        """Return the end of a round (from 1) as it was announced."""
        return self.starts_at + dt.timedelta(days=number * self.round_days)

    def wall_of(self, number: int) -> dt.datetime:
        """Return the end of a round (from 1): as it is, or, of one that has not opened yet, as it will be at the latest
        if nothing else puts it off."""
        if 0 < number <= len(self.ends):
            return dt.datetime.fromisoformat(self.ends[number - 1])
        announced = self.announced_wall_of(number)
        if not self.ends:
            return announced
        after = (number - len(self.ends)) * dt.timedelta(days=self.round_days)
        return max(announced, self.wall_of(len(self.ends)) + after)

    @property
    def wall(self) -> dt.datetime:
        """The end of the round that is under way."""
        return self.wall_of(self.round)

    def open_round(self, number: int, *, at: dt.datetime) -> None:
        """Begin a round: it ends as announced, or lasts its full time where it opens too late for that."""
        opens, lasts = self.announced_wall_of(number - 1), dt.timedelta(days=self.round_days)
        wall = self.announced_wall_of(number) if at <= opens + LATE else at + lasts
        self.round, self.heard_until, self.revised_at = number, at, at
        self.ends = [*self.ends, wall.isoformat()]

    def put_off_wall(self, until: dt.datetime, *, at: dt.datetime) -> None:
        """Have the round that is under way end no earlier than `until`."""
        if until > self.wall:
            self.ends = [*self.ends[:-1], until.isoformat()]
            self.revised_at = at

    def next_wake(self) -> dt.datetime | None:
        """Return when the clock has something to do, whatever becomes of the duels: the start, or the round's wall."""
        if self.is_open:
            return self.starts_at
        return self.wall + GRACE if self.is_running else None


BAN = "B6.0"  # why somebody is out


class EntrantQuerySet(models.QuerySet["Entrant"]):
    def awaited(self) -> Self:
        """Those who have registered and not left, the longest registered first."""
        return self.filter(status__in=(Entrant.Status.REGISTERED, Entrant.Status.RESERVE, Entrant.Status.IN))

    def gone_for_good(self) -> Self:
        """Those who have left a place in which they sat, or were sent off for what they did: they do not come back. Who
        was banned, or had closed their account, before the start may once that is over."""
        sent_off = Q(status=Entrant.Status.DISQUALIFIED) & ~Q(reason__in=("", BAN))
        has_left = Q(status__in=(Entrant.Status.WITHDRAWN, Entrant.Status.DISQUALIFIED))
        return self.filter(sent_off | has_left & Q(place__isnull=False))

    def reserves(self) -> Self:
        return self.filter(status=Entrant.Status.RESERVE).order_by("registered_at", "pk")


class Entrant(models.Model):
    """A duellist in a tournament. From the start on `place` is theirs, unless they are a substitute still waiting."""

    class Status(models.TextChoices):
        REGISTERED = "registered", pgettext_lazy("entrant", "registered")
        RESERVE = "reserve", pgettext_lazy("entrant", "substitute")
        IN = "in", pgettext_lazy("entrant", "in")
        WITHDRAWN = "withdrawn", pgettext_lazy("entrant", "withdrawn")
        DISQUALIFIED = "disqualified", pgettext_lazy("entrant", "disqualified")

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="entrants", verbose_name=_("tournament"))
    duellist = models.ForeignKey(Duellist, models.PROTECT, related_name="entries", verbose_name=_("duellist"))
    status = models.CharField(_("status"), max_length=12, choices=Status.choices)
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    terms: models.JSONField[dict[str, Any]] = models.JSONField(_("terms"), default=dict, blank=True)
    registered_at = models.DateTimeField(_("registered on"))
    left_at = models.DateTimeField(_("left on"), null=True, blank=True)
    reason = models.TextField(_("reason"), blank=True)
    replaces = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="replaced_by", verbose_name=_("replaces")
    )

    objects = EntrantQuerySet.as_manager()

    class Meta:
        ordering = ["place", "registered_at", "pk"]
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "duellist"], name="a_duellist_enters_once"),
            models.UniqueConstraint(
                fields=["tournament", "place"], condition=Q(status="in"), name="one_entrant_a_place"
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return str(self.duellist)

    @property
    def has_left(self) -> bool:
        return self.status in (self.Status.WITHDRAWN, self.Status.DISQUALIFIED)


class MatchQuerySet(models.QuerySet["Match"]):
    def with_all(self) -> Self:
        """With its duel and both entrants."""
        return self.select_related("duel", "first__duellist", "second__duellist")


class Match(models.Model):
    """Two places that meet, and the entrants who sat in them; `b` is None for a bye."""

    class How(models.TextChoices):
        DUEL = "duel", pgettext_lazy("match", "by the duel")
        WALL = "wall", pgettext_lazy("match", "at the end of the round")
        ABSENCE = "absence", pgettext_lazy("match", "by absence")
        LOT = "lot", pgettext_lazy("match", "by lot")
        WALKOVER = "walkover", pgettext_lazy("match", "walkover")
        BYE = "bye", pgettext_lazy("match", "bye")

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="matches", verbose_name=_("tournament"))
    key = models.CharField(_("key"), max_length=12)
    round = models.PositiveSmallIntegerField(_("round"))
    a = models.PositiveSmallIntegerField(_("first place"))
    b = models.PositiveSmallIntegerField(_("second place"), null=True, blank=True)
    first = models.ForeignKey(Entrant, models.PROTECT, related_name="+", verbose_name=_("first entrant"))
    second = models.ForeignKey(
        Entrant, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("second entrant")
    )
    duel = models.OneToOneField(
        Duel, models.PROTECT, null=True, blank=True, related_name="match", verbose_name=_("duel")
    )
    a_points = models.PositiveSmallIntegerField(_("points of the first"), null=True, blank=True)
    b_points = models.PositiveSmallIntegerField(_("points of the second"), null=True, blank=True)
    how = models.CharField(_("decided how"), max_length=8, choices=How.choices, blank=True)
    decided_at = models.DateTimeField(_("decided on"), null=True, blank=True)

    objects = MatchQuerySet.as_manager()

    class Meta:
        ordering = ["round", "pk"]
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        constraints = [models.UniqueConstraint(fields=["tournament", "key"], name="one_match_a_key")]
        indexes = [
            models.Index(fields=["tournament"], condition=Q(decided_at=None), name="match_undecided"),
        ]

    def __str__(self) -> str:
        return f"{self.first} – {self.second or '·'}"

    @property
    def winner(self) -> Entrant | None:
        """Who won it; None before it is decided, after a draw, or when nobody came."""
        if self.a_points is None or self.a_points == self.b_points:
            return None
        return self.first if self.a_points > (self.b_points or 0) else self.second

    @property
    def pairing(self) -> formats.Pairing:
        return formats.Pairing(self.key, self.round, self.a, self.b)

    @property
    def result(self) -> formats.Result | None:
        """What the formats read; None before it is decided."""
        if self.a_points is None or self.b_points is None:
            return None
        is_played = self.how not in (self.How.WALKOVER, self.How.BYE)
        return formats.Result(self.pairing, self.a_points, self.b_points, is_played)


class Reign(models.Model):
    """A15: the winner of a tournament is champion until the next one of the same rules is won."""

    tournament = models.OneToOneField(Tournament, models.PROTECT, related_name="reign", verbose_name=_("tournament"))
    duellist = models.ForeignKey(Duellist, models.PROTECT, related_name="reigns", verbose_name=_("duellist"))
    ruleset = models.CharField(_("rules"), max_length=10, choices=Tournament.Ruleset.choices)
    since = models.DateTimeField(_("since"))
    until = models.DateTimeField(_("until"), null=True, blank=True)

    class Meta:
        ordering = ["-since", "-pk"]
        verbose_name = _("reign")
        verbose_name_plural = _("reigns")
        constraints = [
            models.UniqueConstraint(fields=["ruleset"], condition=Q(until=None), name="one_champion_at_a_time")
        ]

    def __str__(self) -> str:
        return f"{self.duellist} ({self.tournament})"


class Rating(models.Model):
    """How strong a duellist seems to be in one kind of duel, for the curious: `mu`, give or take `sigma`.

    A cache of the duels that are over; `tournaments.queries.ratings.from_the_log` computes the same.
    """

    duellist = models.ForeignKey(Duellist, models.PROTECT, related_name="ratings", verbose_name=_("duellist"))
    ruleset = models.CharField(_("rules"), max_length=10, choices=Tournament.Ruleset.choices)
    mu = models.FloatField(_("rating"))
    sigma = models.FloatField(_("uncertainty"))
    duels = models.PositiveIntegerField(_("duels"), default=0)

    class Meta:
        ordering = ["ruleset", "-mu"]
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [models.UniqueConstraint(fields=["duellist", "ruleset"], name="one_rating_a_ruleset")]

    def __str__(self) -> str:
        return f"{self.duellist_id}: {self.mu:.1f} ± {self.twice:.1f}"

    @property
    def twice(self) -> float:
        """Two sigmas: how far off the rating may well be (95 %)."""
        return 2 * self.sigma


class Tally(models.Model):
    """How often something was done in the duels of one kind that are over: by a duellist, or by all (none named).

    A cache of the records; `tournaments.queries.statistics.from_the_log` counts the same.
    """

    class Subject(models.TextChoices):
        RESULT = "result", pgettext_lazy("statistics", "result")
        ENDING = "ending", pgettext_lazy("statistics", "end")
        THRUST = "thrust", pgettext_lazy("statistics", "thrust")
        PARRY = "parry", pgettext_lazy("statistics", "parry")
        RECEPTACLE = "receptacle", pgettext_lazy("statistics", "receptacle")
        OPTION = "option", pgettext_lazy("statistics", "option")
        SPELL = "spell", pgettext_lazy("statistics", "spell")
        DIE = "die", pgettext_lazy("statistics", "die")

    duellist = models.ForeignKey(
        Duellist, models.PROTECT, null=True, blank=True, related_name="tallies", verbose_name=_("duellist")
    )
    ruleset = models.CharField(_("rules"), max_length=10, choices=Tournament.Ruleset.choices)
    subject = models.CharField(_("of what"), max_length=10, choices=Subject.choices)
    value = models.CharField(_("which"), max_length=80, help_text="of a die: faces:face")
    count = models.PositiveIntegerField(_("times"))

    class Meta:
        ordering = ["duellist", "ruleset", "subject", "value"]
        verbose_name = _("tally")
        verbose_name_plural = _("tallies")
        constraints = [
            models.UniqueConstraint(fields=["duellist", "ruleset", "subject", "value"], name="one_tally_a_duellist"),
            models.UniqueConstraint(
                fields=["ruleset", "subject", "value"], condition=Q(duellist=None), name="one_tally_of_all"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.duellist_id or '*'} {self.ruleset} {self.subject} {self.value}: {self.count}"


class Cursor(models.Model):
    """Up to which happening the ratings, or the statistics, have taken in the duels that are over."""

    RATINGS, STATISTICS = "ratings", "statistics"  # names

    name = models.CharField(_("name"), max_length=20, unique=True)
    position = models.BigIntegerField(_("position"), default=0)

    class Meta:
        verbose_name = _("cursor")
        verbose_name_plural = _("cursors")

    def __str__(self) -> str:
        return f"{self.name}: {self.position}"


class LeftOutQuerySet(models.QuerySet["LeftOut"]):
    def of(self, name: str) -> models.QuerySet[LeftOut, Any]:
        """The keys of the duels that are left out there."""
        return self.filter(name=name).values("duel")


class LeftOut(models.Model):
    """A duel that is over and that the ratings, or the statistics, could not take in; staff may have it tried again."""

    NAMES = [(Cursor.RATINGS, _("ratings")), (Cursor.STATISTICS, _("statistics"))]

    name = models.CharField(_("of what"), max_length=20, choices=NAMES)
    duel = models.ForeignKey(Duel, models.PROTECT, related_name="+", verbose_name=_("duel"))
    why = models.CharField(_("error"), max_length=80, help_text="its kind; the log of the worker says more")
    at = models.DateTimeField(_("set aside on"))
    is_tried_again = models.BooleanField(_("is tried again"), default=False)

    objects = LeftOutQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("duel left out")
        verbose_name_plural = _("duels left out")
        constraints = [models.UniqueConstraint(fields=["name", "duel"], name="left_out_once")]

    def __str__(self) -> str:
        return f"{self.duel} ({self.name})"
