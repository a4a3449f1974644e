"""A challenge to a spell duel, the answer to it, and a duellist's magic register."""

from __future__ import annotations

import datetime as dt
from typing import Any, cast, get_args

from django import forms
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from duels import clock
from duels.actions.spell_challenges import FIELDS, Registration
from duels.models import Duel, Duellist, SpellBook
from duels.queries.eligibility import Hindered, hindered
from duels.sentences.book import type_name
from duels.sentences.names import TRAITS
from rules.spells.terms import Trait

from .challenges import EVENING, FIRST_OFFER, with_a_referee
from .sending import SentOnceForm

MODES = [
    (Duel.Mode.RP, _("role play: the characters of the chronology, at their year of study")),
    (Duel.Mode.FREE, _("free: any year up to that of one’s homework, no role-play value")),
]


JUDGES = [
    ("yes", _("with a referee, who checks and publishes each phase")),
    ("no", _("without a referee: each phase is published as it is worked out, and only words are counted (B6.2)")),
]


def _choices(book: SpellBook) -> list[tuple[str, str]]:
    return [(code, type_name(code, book.types)) for code in book.types]


class RegistrationForm(forms.Form):
    """What is chosen in mode `free`: a level and types of magic (B1.2, B2.5)."""

    level = forms.TypedChoiceField(
        label=_("Level (free mode)"), required=False, coerce=int, empty_value=None,
        choices=[("", "–"), *((level, level) for level in range(1, 9))],
        help_text=_("Up to your homework year; 8 for an adult (B1.2)."),
    )  # fmt: skip
    types = forms.MultipleChoiceField(
        label=_("Types of magic (free mode)"), required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("One at levels 1 to 5, two at levels 6 to 8 (B2.5)."),
    )  # fmt: skip

    def __init__(self, book: SpellBook, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.MultipleChoiceField, self.fields["types"]).choices = _choices(book)

    @property
    def registration(self) -> Registration | None:
        """What was chosen, or None where there is no level."""
        level = self.cleaned_data["level"]
        return Registration(level, tuple(self.cleaned_data["types"])) if level else None


class ModeForm(SentOnceForm, RegistrationForm):
    """A mode, and what is chosen in mode `free` only."""

    mode = forms.ChoiceField(label=_("Mode"), choices=MODES, initial=Duel.Mode.RP, widget=forms.RadioSelect)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("mode") == Duel.Mode.RP:
            for name in ("level", "types"):
                if cleaned.get(name):
                    self.add_error(name, _("Role play takes it from the register: choose nothing here, or free mode."))
        return cleaned


class SpellChallengeForm(ModeForm):
    """What a challenge to a spell duel proposes; the first opponent stands beside the form."""

    challenger = forms.ModelChoiceField(Duellist.objects.none(), label=_("My duellist"), empty_label=None)
    partner = forms.CharField(
        label=_("Partner"), required=False, max_length=60,
        help_text=_("For two against two: the name of the duellist at your side, and of the second opponent."),
    )  # fmt: skip
    second = forms.CharField(label=_("Second opponent"), required=False, max_length=60)
    starts_at = forms.DateTimeField(
        label=_("Start"), widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"})
    )
    refereed = with_a_referee(JUDGES)
    message = forms.CharField(
        label=_("Message"), required=False, max_length=1000, widget=forms.Textarea({"rows": 3}),
        help_text=_("For those whom you challenge only."),
    )  # fmt: skip
    field_order = ["challenger", "mode", "level", "types", "partner", "second", "starts_at", "refereed", "message"]

    def __init__(self, mine: QuerySet[Duellist], opponent: Duellist, book: SpellBook, *args: Any) -> None:
        super().__init__(book, *args)
        self.opponent = opponent
        challenger = cast(forms.ModelChoiceField, self.fields["challenger"])
        challenger.queryset = mine
        challenger.initial = mine.first()
        evening = timezone.localtime(timezone.now() + FIRST_OFFER).date()
        self.fields["starts_at"].initial = dt.datetime.combine(evening, EVENING)
        zone = {"zone": timezone.get_current_timezone_name()}
        self.fields["starts_at"].label = _("Start (zone %(zone)s)") % zone

    def clean_partner(self) -> Duellist | None:
        return named(self.cleaned_data["partner"])

    def clean_second(self) -> Duellist | None:
        return named(self.cleaned_data["second"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors and (cleaned["partner"] is None) != (cleaned["second"] is None):
            self.add_error("second", _("Two against two: name both your partner and the second opponent (B1.3)."))
        return cleaned

    @cached_property
    def hindered(self) -> list[Hindered]:
        """Who of those that are challenged could not accept now."""
        said = getattr(self, "cleaned_data", {})
        others = [one for one in (self.opponent, said.get("partner"), said.get("second")) if one is not None]
        return hindered(others, said.get("mode") or Duel.Mode.FREE, now=clock.now())

    @property
    def known(self) -> dict[str, Any]:
        """What is understood of the terms, whatever else is wrong: enough to say what is wrong with them."""
        said = self.cleaned_data
        sides = {field: self.opponent if field == "opponents" else said.get(field) for field in FIELDS}
        return {
            "sides": {field: duellist for field, duellist in sides.items() if duellist is not None},
            "mode": said.get("mode"),
            "starts_at": said.get("starts_at"),
        }

    @property
    def terms(self) -> dict[str, Any]:
        """What the action takes."""
        said = self.cleaned_data
        opponents = [self.opponent, *([said["second"]] if said["second"] else [])]
        kept = ("challenger", "mode", "partner", "starts_at", "refereed", "message", "sending")
        return {
            **{name: said[name] for name in kept},
            "opponents": opponents,
            "registration": self.registration,
        }


def named(name: str) -> Duellist | None:
    """Return the duellist of that name; None of an empty one."""
    if not name:
        return None
    found = Duellist.objects.filter(name__iexact=name.replace("\0", "").strip()).first()
    if found is None:
        raise forms.ValidationError(_("There is no duellist of that name: look at the list of duellists."))
    return found


class RegisterForm(forms.Form):
    """A duellist's magic register; the ranks are the staff's."""

    types = forms.MultipleChoiceField(
        label=_("Types of magic"), required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("One at levels 1 to 5, two at levels 6 to 8 (B2.5)."),
    )  # fmt: skip
    traits = forms.MultipleChoiceField(
        label=_("Traits"), required=False, widget=forms.CheckboxSelectMultiple,
        choices=[(trait, TRAITS[trait]) for trait in get_args(Trait)],
        help_text=_("A trait counts once staff have given it a rank."),
    )  # fmt: skip
    prodigium = forms.BooleanField(label=_("Member of the Prodigium club"), required=False)

    def __init__(self, duellist: Duellist, book: SpellBook, data: Any = None) -> None:
        kept = {"types": duellist.types, "traits": list(duellist.traits), "prodigium": duellist.prodigium}
        super().__init__(data, initial=kept)
        cast(forms.MultipleChoiceField, self.fields["types"]).choices = _choices(book)
