"""What a player fills in to ask for a time-out."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from rules.parts import MOST_HOURS


class TimeOutForm(forms.Form):
    """How long, of some usual lengths or in `other` hours, and why; `length` is the number of hours."""

    hours = forms.ChoiceField(
        label=_("How long"),
        initial="48",
        choices=[
            ("24", _("1 day (24 hours)")),
            ("48", _("2 days (48 hours)")),
            ("72", _("3 days (72 hours)")),
            ("120", _("5 days (120 hours), the most there is")),
            ("other", _("another number of hours:")),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": _("Say how long."), "invalid_choice": _("Say how long.")},
    )
    other = forms.IntegerField(
        label=_("Hours, from 1 to 120"),
        required=False,
        min_value=1,
        max_value=MOST_HOURS,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    reason = forms.CharField(
        label=_("Why"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Published at once, for everyone to read."),
        error_messages={"required": _("Say why: your referee, and the thread, will read it.")},
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("hours") != "other":
            self.errors.pop("other", None)  # not asked: whatever stands there
        if cleaned.get("hours") == "other" and "other" in cleaned and cleaned["other"] is None:
            self.add_error("other", _("Say how many hours, from 1 to 120."))
        return cleaned

    @property
    def length(self) -> int:
        """The number of hours that a valid form asks for."""
        hours: str = self.cleaned_data["hours"]
        return int(self.cleaned_data["other"] if hours == "other" else hours)
