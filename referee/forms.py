"""What a referee fills in."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from duels.actions.annotations import LONGEST as LONGEST_ANNOTATION
from duels.actions.filing import LONGEST
from duels.actions.referees import successors
from duels.actions.rulings import LONGEST_REASON
from duels.forms.sending import SentOnceForm
from duels.models import Availability, Duel
from duels.numbers import natural
from duels.sentences import names, rulings
from rules.parts import MOST_POINTS

from .models import Candidacy, HandOver
from .names import die_name
from .points import foreseen, standing_sentence

if TYPE_CHECKING:
    from .review import Review


class RulingForm(forms.Form):
    """A ruling of the referee's on a turn, with its reason; `do`, its prefix, tells the forms of a page apart."""

    reason = forms.CharField(
        label=_("Why"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Published with the resolution, for everyone to read."),
        error_messages={"required": _("Say why: the reason is published with the resolution.")},
    )


class FaultForm(RulingForm):
    """On what ground a publication is at fault."""

    ground = forms.ChoiceField(
        label=_("Which rule it breaks"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Say which rule the publication breaks.")},
    )
    field_order = ("ground", "reason")

    def __init__(self, *args: Any, review: Review, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        grounds = review.duel.rules.grounds
        self.fields["ground"].choices = [  # type: ignore[attr-defined]
            (ground.code, f"{rulings.ground_name(ground.code)} ({ground.rule})") for ground in grounds
        ]


class DieForm(RulingForm):
    """Which die was rolled elsewhere, and how it fell."""

    label = forms.ChoiceField(label=_("Which die"), error_messages={"required": _("Say which die was rolled.")})
    face = forms.IntegerField(
        label=_("The face that it shows"),
        min_value=1,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        error_messages={"required": _("Say which face the die shows.")},
    )
    field_order = ("label", "face", "reason")

    def __init__(self, *args: Any, review: Review, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dice = [die for die in review.dice if die.elsewhere is None]
        self.fields["label"].choices = [  # type: ignore[attr-defined]
            (die.label, f"{die_name(die.label, review.duel)} ({die.face}/{die.faces})") for die in dice
        ]


class PointsForm(SentOnceForm, RulingForm):
    """To whom points are given, or from whom they are taken."""

    seat = forms.ChoiceField(label=_("Whose points"))
    gauge = forms.ChoiceField(label=_("Which points"))
    points = forms.IntegerField(
        label=_("How many: −2 takes two"),
        min_value=-MOST_POINTS,
        max_value=MOST_POINTS,
        error_messages={"required": _("Say how many points.")},
    )
    is_meant = forms.BooleanField(label=_("Yes, I mean it"), required=False, widget=forms.HiddenInput)
    field_order = ("seat", "gauge", "points", "is_meant", "reason")

    def __init__(self, *args: Any, review: Review, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.review, duel = review, review.duel
        self.fields["points"].help_text = standing_sentence(review)
        self.fields["seat"].choices = [(seat, duel.name_of(seat)) for seat in sorted(duel.cast)]  # type: ignore[attr-defined]
        self.fields["gauge"].choices = [(gauge, names.GAUGES[gauge]) for gauge in duel.rules.gauges]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """What goes beyond a gauge, or changes nothing, is asked about once more: the page says what it comes to."""
        given = super().clean() or self.cleaned_data
        is_meant = given.pop("is_meant", False)
        if given.get("points") and {"seat", "gauge"} <= given.keys():
            warning = foreseen(self.review, given["seat"], given["gauge"], given["points"]).warning
            if warning and not is_meant:
                self.fields["is_meant"].widget = forms.CheckboxInput()
                self.add_error("points", _("%(warning)s Tick the box below if you mean it.") % {"warning": warning})
        return given


class NoteForm(SentOnceForm, RulingForm):
    """What is ruled in words alone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].label = _("What you rule")


class AnswerForm(forms.Form):
    """Why a time-out is granted or refused; one form for each that waits, whose prefix is its key."""

    reason = forms.CharField(
        label=_("Why"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Published at once, for everyone to read."),
        error_messages={"required": _("Say why: both players, and the thread, will read it.")},
    )


class CorrectionForm(forms.Form):
    """Why a published turn is taken up again. `seen`: the phase that was under way when its effects were read."""

    reason = forms.CharField(
        label=_("Why"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Published at once, for everyone to read."),
        error_messages={"required": _("Say why: everybody will read it.")},
    )
    seen = forms.IntegerField(widget=forms.HiddenInput)


class AnnotationForm(SentOnceForm):
    """A note on a verdict, or a compensation for a seat."""

    kind = forms.ChoiceField(
        label=_("What it is"),
        choices=[("note", _("a note")), ("compensation", _("a compensation"))],
        widget=forms.RadioSelect,
        error_messages={"required": _("Say whether it is a note or a compensation.")},
    )
    seat = forms.ChoiceField(label=_("For whom"), required=False, help_text=_("For a compensation only."))
    words = forms.CharField(
        label=_("What is to be known, or what is owed"),
        max_length=LONGEST_ANNOTATION,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    reason = forms.CharField(label=_("Why"), max_length=LONGEST_ANNOTATION, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, *args: Any, cast: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seats = [(letter, player["name"]) for letter, player in sorted(cast.items())]
        self.fields["seat"].choices = [("", _("nobody in particular")), *seats]  # type: ignore[attr-defined]


class AppealAnswerForm(forms.Form):
    """The answer to an appeal, and why."""

    granted = forms.TypedChoiceField(
        label=_("Your answer"),
        choices=[
            ("no", _("The resolution stands: the clock goes on, with the time that was left.")),
            ("yes", _("Granted: the turn is taken up again, and its referee corrects it as you say below.")),
        ],
        coerce=lambda said: said == "yes",
        widget=forms.RadioSelect,
        error_messages={"required": _("Say whether it is granted, or the resolution stands.")},
    )
    reason = forms.CharField(
        label=_("Why; and if it is granted, what is to be corrected"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("Who contested and the duel's referee read it now; everybody, once the duel is over."),
        error_messages={"required": _("Say why: who contested, and the duel's referee, will read it.")},
    )


class PublishForm(forms.Form):
    """Which revision of the turn was read, and the referee's own words around it."""

    revision = forms.CharField(widget=forms.HiddenInput, required=False)
    preamble = forms.CharField(
        label=_("Before the result"),
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    closing = forms.CharField(
        label=_("After the result"),
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 5}),
    )

    @property
    def read_revision(self) -> int:
        """The revision that a valid form says was read; 0, which there is not, where it says none."""
        return natural(self.cleaned_data["revision"], digits=5) or 0


class HourForm(forms.Form):
    """The hour at which a turn is published, in the referee's own zone."""

    publish_at = forms.DateTimeField(
        label=_("Publish at"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        error_messages={
            "required": _("Say at which hour."),
            "invalid": _("This is not a date and an hour."),
        },
    )

    @property
    def hour(self) -> dt.datetime:
        """The instant that a valid form says."""
        instant: dt.datetime = self.cleaned_data["publish_at"]
        return instant


class AvailabilityForm(forms.ModelForm):
    """Whether one takes duels, how many at once, and when one is there."""

    class Meta:
        model = Availability
        fields = ["is_available", "at_once", "note"]
        help_texts = {
            "is_available": _("Not ticked, you are away: you keep the duels that you hold, and take no other."),
            "at_once": _("Between 1 and 20. Who holds as many takes no other until one is over or handed over."),
            "note": _("For example: evenings and weekends. Everybody reads it."),
        }


class HandOverForm(forms.ModelForm):
    """Whom a duel is handed over to, and a word to them."""

    class Meta:
        model = HandOver
        fields = ["to", "message"]
        labels = {"to": _("To whom")}
        widgets = {"message": forms.Textarea(attrs={"rows": 3})}
        help_texts = {"message": _("For this referee alone.")}

    def __init__(self, duel: Duel, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.successors: QuerySet[User] = successors(duel).order_by("username")
        self.fields["to"] = forms.ModelChoiceField(self.successors, label=_("To whom"))


class CandidacyForm(forms.ModelForm):
    """Why somebody would referee, and what they would say of their availability."""

    class Meta:
        model = Candidacy
        fields = ["message", "at_once", "note"]
        widgets = {"message": forms.Textarea(attrs={"rows": 5})}
        help_texts = {
            "message": _("For the referees, who decide by it."),
            "at_once": _("Between 1 and 20. Everybody reads it, once you are a referee; you can change it then."),
            "note": _("For example: evenings and weekends. Everybody reads it, once you are a referee."),
        }


class DecisionForm(forms.Form):
    """Why a candidacy is accepted or declined."""

    reason = forms.CharField(
        label=_("Why"),
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Needed to decline. The candidate reads it, and so do the referees."),
    )
