"""The record of a duel that somebody sends to have it checked."""

from __future__ import annotations

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from rules import record
from rules.core import RulesError
from rules.record import Export

HEAVIEST = 4 * 1024 * 1024  # bytes; the longest spell duels tried took 2.6 million
MOST_ENTRIES = 5_000  # the longest took 700; what a forger adds must not take minutes


class ExportForm(forms.Form):
    """`cleaned_data["record"]`: the export that the file spells; `head`: a hash to be looked for in it, or nothing."""

    record = forms.FileField(
        label=_("Record of a duel"),
        help_text=_("The file that “Download the record” gives on the proof of a duel; 4 MB at most."),
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
        error_messages={"required": _("Choose the file to check."), "empty": _("This file is empty.")},
    )

    head = forms.RegexField(
        r"\A[0-9a-f]{64}\Z",
        label=_("A head that you have kept, if you have one"),
        help_text=_("As the thread shows it beside each receipt and each resolution: 64 letters and figures."),
        required=False,
        error_messages={"invalid": _("A head has 64 signs: figures, and letters from a to f.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_record(self) -> Export:
        sent: UploadedFile = self.cleaned_data["record"]
        if (sent.size or 0) > HEAVIEST:
            raise forms.ValidationError(_("This file is too heavy for the record of a duel: 4 MB at most."))
        try:
            export = record.decode(sent.read())
        except record.KeyTwiceError as error:
            raise forms.ValidationError(_twice(error.key)) from error
        except RulesError as error:
            why = _("This file is not the record of a duel, or it is damaged. Send it as you downloaded it.")
            raise forms.ValidationError(why) from error
        if len(export.entries) > MOST_ENTRIES:
            raise forms.ValidationError(_("This record is longer than any duel: it is not checked."))
        return export


def _twice(key: str) -> str:
    """Say which part of a file stands twice, by the name that it has in the file."""
    said = _(
        "This file is not a record as this site gives it: “%(key)s” stands twice in one place of it, and readers could "
        "take either."
    )
    return said % {"key": f"{key:.40}"}
