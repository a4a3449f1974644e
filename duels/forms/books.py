"""What can be asked of the spell book."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from duels.sentences.book import TAGS, type_name

ANY = ("", _("all"))


class SpellsFilter(forms.Form):
    """By level, type of magic and tag."""

    level = forms.TypedChoiceField(
        label=_("Level"), required=False, coerce=int, empty_value=None, choices=[ANY, *((n, n) for n in range(1, 9))]
    )
    type = forms.ChoiceField(label=_("Type of magic"), required=False)
    tag = forms.ChoiceField(label=_("Feature"), required=False, choices=[ANY, *TAGS.items()])

    def __init__(self, *args: Any, types: Mapping[str, Mapping[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["type"]).choices = [
            ANY,
            *((code, type_name(code, types)) for code in types),
        ]
