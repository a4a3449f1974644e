"""The log of a duel: phases, entries, what was computed from them; and drafts, which are not of it."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from rules.record import Place, place

from .duel import Duel, Seat


class Phase(models.Model):
    """A phase of a duel: open until everyone awaited has filed or `due_at` passes, then locked, then published."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        LOCKED = "locked", _("locked")
        PUBLISHED = "published", _("published")
        ABANDONED = "abandoned", _("not resolved")
        SUPERSEDED = "superseded", _("superseded by a correction")

    duel = models.ForeignKey(Duel, models.PROTECT, related_name="phases")
    branch = models.PositiveSmallIntegerField(default=0)
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=10, default="turn")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    after = models.ForeignKey(
        "Resolution", models.PROTECT, null=True, related_name="followed_by",
        help_text="the resolution from which it opened; none: from the start",
    )  # fmt: skip
    opened_at = models.DateTimeField()
    due_at = models.DateTimeField()
    stopped_for = models.DurationField(default=dt.timedelta, help_text="how long its clock stood still in all")
    choice_until = models.DateTimeField(null=True, help_text="until when an owed choice may be named (A10.2)")
    holds_until = models.DateTimeField(null=True, help_text="until when the opponent may file again (A10.2d)")
    correctable = models.JSONField(default=dict, help_text="seat → until when its post may be corrected (B6.4)")
    sealed_for = models.JSONField(default=dict, help_text="seat → seats that see its post before the others (B7.1)")
    sealed_share = models.FloatField(default=1.0, help_text="part of the time that is a sealed post's (B7.1)")
    sealed_until = models.DateTimeField(null=True, help_text="until when others wait for a sealed post (B7.1)")
    left = models.CharField(max_length=4, blank=True, help_text="letters of the seats that surrendered in it")
    locked_at = models.DateTimeField(null=True)
    offered_at = models.DateTimeField(null=True, help_text="since when other referees may take the turn over")
    heard_until = models.DateTimeField(null=True, help_text="up to when silences of the clock were made good")
    given_back = models.DurationField(default=dt.timedelta, help_text="what such silences have lengthened it by")
    publish_at = models.DateTimeField(null=True, help_text="the hour announced for its publication")
    published_at = models.DateTimeField(null=True)
    corrections = models.PositiveSmallIntegerField(default=0, help_text="how often it was taken up again")
    filed = models.JSONField(default=dict, help_text="seat → version of its declaration")
    choices = models.JSONField(default=dict, help_text="seat → zone named for its decoy")
    pleas = models.PositiveSmallIntegerField(default=0, help_text="time-outs asked that wait for an answer")
    draw_offers = models.JSONField(default=list, help_text="seats that offer a draw")
    live = models.OneToOneField("Resolution", models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["branch", "number", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["duel", "branch", "number", "name"], name="one_phase_a_turn"),
            models.UniqueConstraint(fields=["duel"], condition=Q(status="open"), name="one_open_phase_a_duel"),
        ]
        indexes = [models.Index(fields=["locked_at"], condition=Q(status="locked"), name="phase_locked")]

    def __str__(self) -> str:
        return f"{self.duel_id}.{self.branch}.{self.number}" + ("" if self.name == "turn" else f".{self.name}")

    @cached_property
    def log(self) -> list[Entry]:
        """What was entered in this phase, in order; who holds the duel has read it, and adds to it."""
        return list(self.entries.order_by("index"))

    @property
    def resolution(self) -> Resolution:
        """The resolution that counts. Raises LookupError while the phase is open."""
        if self.live is None:
            raise LookupError(f"phase {self} is not worked out")
        return self.live

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN

    @property
    def place(self) -> Place:
        """Where it stands in the duel, whatever its branch: places compare in the order of play."""
        return place(self.number, self.name)

    @property
    def corrected_by(self) -> dt.datetime | None:
        """The last instant at which a post of this phase can still be corrected, or None (B6.4)."""
        return max(map(dt.datetime.fromisoformat, self.correctable.values()), default=None)

    def extend(self, due_at: dt.datetime, *, at: dt.datetime) -> None:
        """Move the deadline; a sealed post gets its part of what is won, unless its time has passed: the Legilimens is
        free then, and stays so (B7.1)."""
        if self.sealed_until is not None and at <= self.sealed_until:
            self.sealed_until += (due_at - self.due_at) * self.sealed_share
        self.due_at = due_at


class Entry(models.Model):
    """One entry of a duel's log, append-only and chained (`rules.record.Entry` is what it exports to).

    `sealed` is the content and its nonce, encrypted at rest; `public` may be read by anyone once the entry
    itself is public. `by` is who did it (None: the clock), kept outside the chain so that accounts can be anonymised.
    """

    duel = models.ForeignKey(Duel, models.PROTECT, related_name="entries")
    phase_row = models.ForeignKey(Phase, models.PROTECT, null=True, related_name="entries")
    index = models.PositiveIntegerField()
    kind = models.CharField(max_length=16)
    branch = models.PositiveSmallIntegerField(default=0)
    phase = models.PositiveSmallIntegerField(default=0)
    seat = models.CharField(max_length=1, blank=True)
    version = models.PositiveSmallIntegerField(default=0)
    at = models.DateTimeField()
    public = models.JSONField(default=dict)
    receipt = models.CharField(max_length=64, blank=True)
    sealed = models.BinaryField(null=True)
    previous = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["index"]
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["duel", "index"], name="one_entry_an_index"),
            models.UniqueConstraint(fields=["duel", "previous"], name="a_chain_does_not_fork"),
            models.UniqueConstraint(
                fields=["phase_row", "kind", "seat", "version"],
                condition=Q(version__gt=0),
                name="one_filing_a_version",
            ),
            models.UniqueConstraint(
                fields=["duel", "branch", "kind", "seat", "version"],
                condition=Q(version__gt=0, phase_row=None),
                name="one_preparation_a_version",
            ),
            models.UniqueConstraint(
                fields=["phase_row", "seat"],
                condition=Q(kind="infraction"),
                name="one_infraction_a_seat_and_phase",
            ),
            models.UniqueConstraint(
                fields=["phase_row", "seat"],
                condition=Q(kind="choice"),
                name="one_choice_a_seat_and_phase",
            ),
            models.UniqueConstraint(
                fields=["phase_row", "version"],
                condition=Q(kind="publication"),
                name="one_publication_a_phase_and_correction",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.duel_id}#{self.index} {self.kind}"


class Resolution(models.Model):
    """A phase worked out: append-only. Worked out again, it is a new revision; `Phase.live` is the one that counts.

    The public parts are empty while what would end the duel waits for its referee.
    """

    phase = models.ForeignKey(Phase, models.PROTECT, related_name="resolutions")
    revision = models.PositiveSmallIntegerField()
    computed_at = models.DateTimeField()
    sealed = models.BinaryField(help_text="the state and every event, encrypted")
    public_view = models.JSONField()
    public_events = models.JSONField()

    class Meta:
        ordering = ["revision"]
        constraints = [models.UniqueConstraint(fields=["phase", "revision"], name="one_resolution_a_revision")]

    def __str__(self) -> str:
        return f"{self.phase} r{self.revision}"


class TimeOut(models.Model):
    """A time-out asked of the referee: one a duellist a duel, five days at most (A7)."""

    class Answer(models.TextChoices):
        GRANTED = "granted", _("granted")
        REFUSED = "refused", _("refused")
        LAPSED = "lapsed", _("not answered in time")

    phase = models.ForeignKey(Phase, models.PROTECT, related_name="time_outs")
    seat = models.OneToOneField(Seat, models.PROTECT, related_name="time_out")
    hours = models.PositiveSmallIntegerField(_("hours"))
    reason = models.TextField(_("reason"), max_length=500)
    asked_at = models.DateTimeField()
    answer = models.CharField(max_length=8, choices=Answer.choices, blank=True)
    answered_at = models.DateTimeField(null=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    answer_reason = models.TextField(blank=True, max_length=500)

    class Meta:
        ordering = ["asked_at"]

    def __str__(self) -> str:
        return f"{self.seat_id}: {self.hours} h"


class SealedPost(models.Model):
    """A publication that only some seats see until they have filed (B7.1): its text and declaration, encrypted.

    It is gone once it is published: its post and its entry stay.
    """

    phase = models.ForeignKey(Phase, models.PROTECT, related_name="sealed_posts")
    seat = models.CharField(max_length=1)
    entry_index = models.PositiveIntegerField()
    sealed = models.BinaryField()

    class Meta:
        ordering = ["entry_index"]
        constraints = [models.UniqueConstraint(fields=["phase", "seat"], name="one_sealed_post_a_seat")]

    def __str__(self) -> str:
        return f"{self.phase_id}: {self.seat}"


class Draft(models.Model):
    """What a duellist has typed and not yet filed, encrypted: text and declaration."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="drafts")
    phase = models.ForeignKey(Phase, models.CASCADE, related_name="drafts")
    sealed = models.BinaryField()
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["seat", "phase"], name="one_draft_a_phase")]

    def __str__(self) -> str:
        return f"{self.seat_id}@{self.phase_id}"


class Framing(models.Model):
    """What the referee writes around the result of a phase that is not published: preamble and closing, encrypted.

    It is gone once it is published: its posts stay. Of a phase that is published without it, or superseded, it stays.
    """

    phase = models.OneToOneField(Phase, models.CASCADE, related_name="framing")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    sealed = models.BinaryField()
    saved_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.phase_id)
