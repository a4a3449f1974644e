"""What is written in a scene."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from duels.models import Duellist
from rules.words import MINIMUM, count_words

from .playing import plain
from .sending import SentOnceForm


class WritingForm(SentOnceForm):
    """A post: who writes, and what. `cleaned_data["text"]` has plain line ends.

    One that is too short to count is refused once (`is_short`), unless it is posted `as_it_is`.
    """

    is_short = False

    duellist = forms.ModelChoiceField(Duellist.objects.none(), label=_("Written by"), empty_label=None)
    text = forms.CharField(
        label=_("My text"), strip=False, required=False, widget=forms.Textarea({"rows": 10, "maxlength": 50_000})
    )

    def __init__(self, mine: QuerySet[Duellist], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        duellist = cast(forms.ModelChoiceField, self.fields["duellist"])
        duellist.queryset = mine
        duellist.initial = mine.first()
        self.fields["text"].widget.attrs |= {"class": "rp", "data-words": "words", "data-minimum": MINIMUM}

    def clean_text(self) -> str:
        text = plain(self.cleaned_data["text"])
        words = count_words(text)
        self.is_short = 0 < words < MINIMUM
        if self.is_short and self.data.get("do") != "as_it_is":
            message = ngettext(
                "%(words)d word: under %(least)d, a post does not count. Go on writing, or post it as it is.",
                "%(words)d words: under %(least)d, a post does not count. Go on writing, or post it as it is.",
                words,
            )
            raise forms.ValidationError(message % {"words": words, "least": MINIMUM})
        return text


class SceneForm(WritingForm):
    """A new scene: its title and its first post."""

    title = forms.CharField(
        label=_("Title"), max_length=120, help_text=_("The place, the hour: what tells this scene from another.")
    )
    field_order = ["title", "duellist", "text"]
