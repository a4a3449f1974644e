"""What staff give and take."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from duels.actions.purse import MOST
from duels.models import Currency

from .sending import SentOnceForm


class GrantForm(SentOnceForm):
    """How much of what, and why."""

    currency = forms.ChoiceField(label=_("What"), choices=Currency.choices, widget=forms.RadioSelect)
    amount = forms.IntegerField(
        label=_("How much"), min_value=-MOST, max_value=MOST, help_text=_("With a minus sign, it is taken.")
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        widget=forms.Textarea({"rows": 2}),
        help_text=_("Kept for good, and read by who plays the duellist."),
    )
