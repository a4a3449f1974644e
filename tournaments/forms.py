"""Announcing a tournament, registering for one, and the reason for a refusal."""

from __future__ import annotations

import datetime as dt
from typing import Any, cast

from django import forms
from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from duels.forms.challenges import EVENING, LENGTHS
from duels.forms.sending import SentOnceForm
from duels.forms.spell_challenges import MODES, RegistrationForm
from duels.models import Duel, Duellist
from duels.people import REFEREES

from .actions.announcing import Announcement
from .models import FEWEST, MOST, Tournament

RADIOS: dict[str, list[Any]] = {
    "ruleset": Tournament.Ruleset.choices,
    "kind": Tournament.Kind.choices,
    "seeding": Tournament.Seeding.choices,
    "turn_hours": LENGTHS,
}
FIRST_OFFER = dt.timedelta(days=14)  # from now


class AnnouncementForm(forms.ModelForm, SentOnceForm):
    """What an organiser announces."""

    mode = forms.ChoiceField(
        label=_("Mode"), choices=[("", _("none (arena duels)")), *MODES], required=False, widget=forms.RadioSelect
    )  # fmt: skip
    starts_at = forms.DateTimeField(
        label=_("Start"),
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
        help_text=_("Registration closes then, and the first round opens."),
    )

    class Meta:
        model = Tournament
        fields = [
            "name", "description", "ruleset", "mode", "kind", "third_place", "seeding", "capacity", "turn_hours",
            "round_days", "starts_at", "referees",
        ]  # fmt: skip
        widgets = {
            "description": forms.Textarea({"rows": 3}),
            "ruleset": forms.RadioSelect,
            "kind": forms.RadioSelect,
            "seeding": forms.RadioSelect,
            "turn_hours": forms.RadioSelect,
            "referees": forms.CheckboxSelectMultiple,
        }
        help_texts = {
            "third_place": _("In a single elimination."),
            "capacity": _("%(fewest)d to %(most)d; who registers later waits as a substitute.")
            % {"fewest": FEWEST, "most": MOST},
            "turn_hours": _("48 hours unless you say otherwise (A6.1); a spell duel always has 48 (B1.4)."),
            "round_days": _(
                "A duel still undecided when its round ends is decided as it stands (A15.1, B3.3.4). Count 2 days of"
                " preparation, then what a few turns take."
            ),
            "referees": _(
                "Each duel gets one of them, never one who plays in it: who has room first, but even one who is away or"
                " has as many duels as announced, if nobody has room (A14). Without a referee a turn is published as it"
                " is worked out."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        referees = cast(forms.ModelMultipleChoiceField, self.fields["referees"])
        referees.queryset = get_user_model().objects.filter(groups__name=REFEREES, is_active=True).order_by("username")
        for name, choices in RADIOS.items():  # no empty one among radio buttons
            cast(forms.TypedChoiceField, self.fields[name]).choices = choices
        evening = timezone.localtime(timezone.now() + FIRST_OFFER).date()
        self.fields["starts_at"].initial = dt.datetime.combine(evening, EVENING)
        self.fields["starts_at"].label = _("Start (zone %(zone)s)") % {"zone": timezone.get_current_timezone_name()}

    @property
    def announcement(self) -> Announcement:
        """What the action takes."""
        return Announcement(**{name: said for name, said in self.cleaned_data.items() if name != "sending"})

    def validate_unique(self) -> None:
        """Left to the action, which knows a form that is sent again from a name that is taken."""

    def _post_clean(self) -> None:
        """The action makes the tournament."""


class EntryForm(RegistrationForm):
    """Which duellist enters; in spell duels of mode `free` with a level and types of magic."""

    duellist = forms.ModelChoiceField(Duellist.objects.none(), label=_("My duellist"), empty_label=None)
    field_order = ["duellist", "level", "types"]

    def __init__(self, mine: QuerySet[Duellist], tournament: Tournament, *args: Any) -> None:
        if tournament.book is not None and tournament.mode == Duel.Mode.FREE:
            super().__init__(tournament.book, *args)
        else:
            forms.Form.__init__(self, *args)
            del self.fields["level"], self.fields["types"]
        chosen = cast(forms.ModelChoiceField, self.fields["duellist"])
        chosen.queryset = mine
        chosen.initial = mine.first()

    @property
    def terms(self) -> dict[str, Any]:
        """What the action takes."""
        said = self.cleaned_data
        return {"duellist": said["duellist"], "registration": self.registration if "level" in said else None}


class ReasonForm(forms.Form):
    """Why somebody is sent off, or a tournament called off."""

    reason = forms.CharField(
        label=_("Reason"), max_length=500, widget=forms.Textarea({"rows": 3}), help_text=_("It is published.")
    )
