"""Registering at the desk, and what a reader may ask of its list."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from duels.actions.purse import MOST
from duels.forms.challenges import JUDGES, KINDS, kind_of_duel, staked_in, with_a_referee
from duels.forms.sending import SentOnceForm
from duels.forms.spell_challenges import JUDGES as SPELL_JUDGES
from duels.forms.spell_challenges import ModeForm, named
from duels.models import Duel, Duellist, SpellBook
from duels.sentences import names


class DeskFilter(forms.Form):
    """Filters of those who look for an opponent, all optional; they travel in the address."""

    ruleset = forms.ChoiceField(
        label=_("Which duel?"), required=False, choices=[("", _("Arena and spells")), *names.RULESETS.items()]
    )
    kind = forms.ChoiceField(label=_("Kind"), required=False, choices=[("", _("Any kind")), *KINDS])
    mode = forms.ChoiceField(label=_("Mode"), required=False, choices=[("", _("Any mode")), *Duel.Mode.choices])
    format = forms.ChoiceField(label=_("Format"), required=False, choices=[("", _("Any format")), *Duel.Format.choices])


def _offer(form: forms.Form, mine: QuerySet[Duellist]) -> None:
    duellist = cast(forms.ModelChoiceField, form.fields["duellist"])
    duellist.queryset = mine
    duellist.initial = mine.first()


class ArenaForm(SentOnceForm):
    """A registration for an arena duel."""

    duellist = forms.ModelChoiceField(Duellist.objects.none(), label=_("My duellist"), empty_label=None)
    kind = kind_of_duel()
    turn_hours = forms.TypedChoiceField(
        label=_("Length of a turn"), coerce=int, initial=48, widget=forms.RadioSelect,
        choices=[(48, _("48 hours")), (24, _("24 hours, if the other wants it too; otherwise 48 (A6.1)"))],
    )  # fmt: skip
    refereed = with_a_referee(JUDGES)
    stake_least = forms.IntegerField(label=_("Least stake"), required=False, min_value=0, max_value=MOST)
    stake_most = forms.IntegerField(
        label=_("Highest stake"), required=False, min_value=0, max_value=MOST,
        help_text=_(
            "Both empty: without a stake. You are paired with who accepts an amount in that range, and both stake the"
            " highest that suits the two; never more than your purse holds (A3.3)."
        ),
    )  # fmt: skip
    stake_currency = staked_in()

    def __init__(self, mine: QuerySet[Duellist], *args: Any) -> None:
        super().__init__(*args)
        _offer(self, mine)

    @property
    def terms(self) -> dict[str, Any]:
        """What the action takes; of a range, one end may stand for both."""
        said = self.cleaned_data
        least = said["stake_least"] or 0
        return {**said, "stake_least": least, "stake_most": least if said["stake_most"] is None else said["stake_most"]}


class SpellsForm(ModeForm):
    """A registration for a spell duel."""

    duellist = forms.ModelChoiceField(Duellist.objects.none(), label=_("My duellist"), empty_label=None)
    format = forms.ChoiceField(
        label=_("Format"), choices=Duel.Format.choices, initial=Duel.Format.ONE, widget=forms.RadioSelect
    )
    partner = forms.CharField(
        label=_("Partner"), required=False, max_length=60,
        help_text=_(
            "Two against two, if you have one already: who registers too, on the same terms, and names your duellist."
            " Empty: the desk finds you a partner (B1.3)."
        ),
    )  # fmt: skip
    refereed = with_a_referee(SPELL_JUDGES)
    field_order = ["duellist", "mode", "level", "types", "format", "partner", "refereed"]

    def __init__(self, mine: QuerySet[Duellist], book: SpellBook, *args: Any) -> None:
        super().__init__(book, *args)
        _offer(self, mine)

    def clean_partner(self) -> Duellist | None:
        return named(self.cleaned_data["partner"])

    @property
    def terms(self) -> dict[str, Any]:
        """What the action takes."""
        said = self.cleaned_data
        kept = {name: said[name] for name in ("duellist", "mode", "format", "partner", "refereed", "sending")}
        return {**kept, "registration": self.registration}


def filters_of(form: DeskFilter) -> dict[str, str]:
    """Return what is asked for and makes sense; nothing else."""
    form.is_valid()
    return {name: said for name, said in form.cleaned_data.items() if said}
