"""What a player fills in to contest a resolution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from duels.actions.appeals import LONGEST
from duels.models import Phase, Resolution
from duels.sentences import names


class AppealForm(forms.Form):
    """What is wrong with a resolution: the one that was on the page, or one of several that are open to the reader."""

    reason = forms.CharField(
        label=_("What is wrong with it, and by which rule"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("Your referee and the one who decides read it; everybody, once the duel is over."),
        error_messages={"required": _("Say what is wrong with this resolution: another referee will read it.")},
    )
    resolution = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, open_to: Sequence[Resolution], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if len(open_to) > 1:
            self.fields["resolution"] = forms.TypedChoiceField(
                label=_("Which resolution"),
                choices=[(one.pk, _named(one.phase)) for one in open_to],
                coerce=int,
                widget=forms.RadioSelect,
                help_text=_("Only some were called in the last phase, and you were not: both are open to you."),
                error_messages={"required": _("Choose which of the two you contest.")},
            )
            self.order_fields(["resolution", "reason"])


def _named(phase: Phase) -> str:
    turn = _("Resolution of turn %(turn)d") % {"turn": phase.number}
    return f"{turn}, {names.PHASES[phase.name]}"
