"""What a player fills in to contest a resolution."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from duels.actions.appeals import LONGEST


class AppealForm(forms.Form):
    """What is wrong with a resolution; `resolution` is the one that was on the page."""

    reason = forms.CharField(
        label=_("What is wrong with it, and by which rule"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("Your referee and the one who decides read it; everybody, once the duel is over."),
        error_messages={"required": _("Say what is wrong with this resolution: another referee will read it.")},
    )
    resolution = forms.IntegerField(widget=forms.HiddenInput)
