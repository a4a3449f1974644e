"""Making and changing a duellist."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from duels import portraits
from duels.actions.duellists import check_birth_date
from duels.errors import Invalid
from duels.models import Duellist
from duels.models.people import YEARS
from duels.sentences.names import year_name


class DuellistForm(forms.ModelForm):
    """`cleaned_data["portrait"]`: the picture made anew, False to take it away, None to leave what there is."""

    year = forms.TypedChoiceField(
        label=_("Year of study"), coerce=int, empty_value=None, required=False,
        help_text=_("A student of year n may use the secret techniques 1 to n, an adult all seven."),
    )  # fmt: skip
    portrait = forms.FileField(
        label=_("Portrait"),
        required=False,
        help_text=_(
            "A JPEG, PNG or WebP picture of 4 MB at most. It is made smaller, and what a camera wrote in it is removed."
        ),
    )

    class Meta:
        model = Duellist
        fields = ("name", "birth_date", "year", "wand_hand", "portrait")
        labels = {"name": _("Name"), "birth_date": _("Birth date"), "wand_hand": _("Wand hand")}
        help_texts = {
            "birth_date": _("The age on the school's date gives the link points (A2.1); 11 years old at least."),
            "wand_hand": _("The puppet holds its sword in it."),
        }
        widgets = {
            "birth_date": forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
            "wand_hand": forms.RadioSelect,
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        years = cast(forms.TypedChoiceField, self.fields["year"])
        years.choices = [("", year_name(None)), *((year, year_name(year)) for year in YEARS)]
        hands = cast(forms.TypedChoiceField, self.fields["wand_hand"])
        hands.choices = Duellist.Hand.choices
        self.fields["portrait"].widget = forms.ClearableFileInput(attrs={"accept": "image/jpeg,image/png,image/webp"})

    def clean_birth_date(self) -> Any:
        try:
            check_birth_date(self.cleaned_data["birth_date"])
        except Invalid as refusal:
            raise forms.ValidationError(str(refusal)) from None
        return self.cleaned_data["birth_date"]

    def clean_portrait(self) -> Any:
        sent = self.cleaned_data["portrait"]
        if isinstance(sent, UploadedFile):
            try:
                return portraits.redrawn(sent, size=sent.size or 0)
            except Invalid as refusal:
                raise forms.ValidationError(str(refusal)) from None
        return False if sent is False else None

    def _post_clean(self) -> None:
        """Leave the instance as it is: the action writes it."""
        taken = Duellist.objects.filter(name=self.cleaned_data.get("name")).exclude(pk=self.instance.pk)
        if taken.exists():
            self.add_error("name", _("Another duellist already bears this name."))
