"""A challenge, and the preparation of a duel."""

from __future__ import annotations

import datetime as dt
from typing import Any, cast

from django import forms
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from duels import training
from duels.actions.challenges import CHOSEN
from duels.actions.purse import MOST
from duels.models import Currency, Duel, Duellist

from .sending import SentOnceForm

FIRST_OFFER = dt.timedelta(days=4)  # from now: time to answer, to find a referee, and the 48 hours of A4.1b
EVENING = dt.time(20)

LENGTHS = [(48, _("48 hours")), (24, _("24 hours"))]
JUDGES = [
    ("yes", _("with a referee, who checks and publishes each turn")),
    ("no", _("without a referee: each turn is published as it is worked out, and only words are counted (A6.2)")),
]
KINDS = [(kind.value, kind.label) for kind in CHOSEN]
STAKES = (Currency.LIARDS, Currency.RUNES)  # A3.3


def kind_of_duel() -> forms.ChoiceField:
    """Return the field that asks which kind of arena duel it is to be."""
    return forms.ChoiceField(
        label=_("Kind of duel"), choices=KINDS, initial=Duel.Kind.TRAINING, widget=forms.RadioSelect,
        help_text=_(
            "Clandestine: for two students who have written a scene together, three posts of 100 words each at least; a"
            " teacher may discover it, and both then lose dust (A3.1, A3.2)."
        ),
    )  # fmt: skip


def with_a_referee(choices: list[tuple[str, Any]]) -> forms.TypedChoiceField:
    """Return the field that asks for a referee, or for none."""
    return forms.TypedChoiceField(
        label=_("Referee"), choices=choices, coerce=lambda said: said == "yes", initial="yes", widget=forms.RadioSelect
    )


def staked_in() -> forms.ChoiceField:
    """Return the field that asks in which currency one stakes."""
    return forms.ChoiceField(
        label=_("Staked in"), required=False, initial=Currency.LIARDS, widget=forms.RadioSelect,
        choices=[(currency.value, currency.label) for currency in STAKES],
    )  # fmt: skip


class ChallengeForm(SentOnceForm):
    """What a challenge proposes; whom it is for stands beside the form."""

    challenger = forms.ModelChoiceField(Duellist.objects.none(), label=_("My duellist"), empty_label=None)
    kind = kind_of_duel()
    turn_hours = forms.TypedChoiceField(
        label=_("Length of a turn"), choices=LENGTHS, coerce=int, initial=48, widget=forms.RadioSelect,
        help_text=_("How long both have to publish and declare, counted from the published resolution (A6.1)."),
    )  # fmt: skip
    starts_at = forms.DateTimeField(
        label=_("Start"),
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
        help_text=_(
            "48 hours at least pass between the announcement and the start (A4.1b): if the duel is announced later than"
            " that, the start moves back. Once both have hidden their receptacle, you can agree to start at once."
        ),
    )
    refereed = with_a_referee(JUDGES)
    stake = forms.IntegerField(
        label=_("Stake"), required=False, min_value=1, max_value=MOST,
        help_text=_(
            "Empty: none. The same for both, within what each one’s purse holds before the duel. It is held from the"
            " start; the winner takes both, a draw gives them back (A3.3)."
        ),
    )  # fmt: skip
    stake_currency = staked_in()
    message = forms.CharField(
        label=_("Message"), required=False, max_length=1000, widget=forms.Textarea({"rows": 3}),
        help_text=_("For your opponent only."),
    )  # fmt: skip

    def __init__(self, mine: QuerySet[Duellist], *args: Any, between_students: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        challenger = cast(forms.ModelChoiceField, self.fields["challenger"])
        challenger.queryset = mine
        challenger.initial = mine.first()
        if not between_students:  # A3.1: nothing to choose
            self.fields["kind"].choices = KINDS[:1]  # type: ignore[attr-defined]
            self.fields["kind"].widget = forms.HiddenInput()
        start = self.fields["starts_at"]
        start.initial = _first_offer(between_students)
        start.label = _("Start (zone %(zone)s)") % {"zone": timezone.get_current_timezone_name()}

    def clean_stake(self) -> int:
        return self.cleaned_data["stake"] or 0

    @property
    def known(self) -> dict[str, Any]:
        """What is understood of the terms, whatever else is wrong: enough to say what is wrong with them."""
        said = self.cleaned_data
        terms = {name: said.get(name) for name in ("challenger", "kind", "starts_at")}
        return terms | {"stake": said.get("stake", 0), "stake_currency": said.get("stake_currency", "")}


def _first_offer(between_students: bool) -> dt.datetime:
    """Return the start that the form proposes, in the reader's zone; of students, in training hours (article 3)."""
    later = timezone.localtime(timezone.now() + FIRST_OFFER)
    if between_students and not training.is_open(later):
        return timezone.localtime(training.next_opening(later)).replace(tzinfo=None)
    return dt.datetime.combine(later.date(), EVENING)
