"""The settings: what by which way, in which language and zone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from duels.people import is_referee

from .kinds import GROUPS, KINDS
from .models import Preference
from .zones import by_continent, named_today

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django_stubs_ext import StrOrPromise

WAYS = {"page": _("On my page of notices"), "mail": _("By mail")}


@dataclass(frozen=True)
class Row:
    """One kind of event in the form, with a box for each way."""

    name: StrOrPromise
    boxes: list[forms.BoundField]


class PreferenceForm(forms.Form):
    """A box for each kind of event and way; referees find what concerns them too."""

    language = forms.ChoiceField(label=_("Language of mail and pages"), choices=settings.LANGUAGES)
    zone = forms.ChoiceField(
        label=_("Time zone of mail"), help_text=_("Pages show hours in the zone of the browser that reads them.")
    )
    mail = forms.BooleanField(label=_("Send me mail"), required=False)

    def __init__(self, user: User, preference: Preference, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.shown = [what for what, kind in KINDS.items() if is_referee(user) or not kind.for_referees]
        self.fields["zone"].choices = by_continent(named_today(preference.zone))  # type: ignore[attr-defined]
        for what in self.shown:
            for way, label in WAYS.items():
                said = _("%(kind)s: %(way)s") % {"kind": KINDS[what].name, "way": label}
                box = forms.BooleanField(label=said, required=False)
                box.initial = way in preference.ways_of(what)
                self.fields[f"{what}-{way}"] = box

    def groups(self) -> Iterator[tuple[StrOrPromise, list[Row]]]:
        """Yield each group's title and its rows."""
        for title, kinds in GROUPS.values():
            rows = [
                Row(kind.name, [self[f"{what}-{way}"] for way in WAYS])
                for what, kind in kinds.items()
                if what in self.shown
            ]
            if rows:
                yield title, rows

    def ways(self) -> dict[str, list[str]]:
        """Return the ways chosen for each kind that was shown."""
        return {what: [way for way in WAYS if self.cleaned_data[f"{what}-{way}"]] for what in self.shown}
