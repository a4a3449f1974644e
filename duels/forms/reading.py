"""What a reader may ask of the list of duels."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from duels.models import Duel
from duels.sentences import names


class DuelsFilter(forms.Form):
    """Filters of the list, all optional; they travel in the address."""

    ruleset = forms.ChoiceField(
        label=_("Which duel?"), required=False, choices=[("", _("Arena and spells")), *names.RULESETS.items()]
    )
    kind = forms.ChoiceField(label=_("Kind"), required=False, choices=[("", _("Any kind")), *Duel.Kind.choices])
    arena = forms.ChoiceField(label=_("Arena"), required=False, choices=[("", _("Any arena")), *names.ARENAS.items()])
    duellist = forms.CharField(label=_("Duellist"), required=False, max_length=60)
