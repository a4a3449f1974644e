"""Amending a turn: each ruling a form of the review page, and an input to a new computation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import QueryDict

from duels.actions.rulings import adjust_points, note_ruling, replace_die, rule_invalid, withdraw_ruling
from duels.models import Duel

from .forms import DieForm, FaultForm, NoteForm, PointsForm, RulingForm
from .review import Review

Act = Callable[..., Duel]


class Amending:
    """The forms of a review page, by what they `do`: "fault-a", "die", "points", "note", "withdraw-12".

    One of them is bound when it is `sent`.
    """

    def __init__(self, review: Review, sent: QueryDict | None = None) -> None:
        self.review = review
        self.sent = sent
        self.do = sent.get("do", "") if sent else ""
        self.forms: dict[str, RulingForm] = {}
        for publication in review.publications:
            if publication.place and not publication.ruling:
                self._add(f"fault-{publication.letter}", FaultForm, review=review)
        if any(die.elsewhere is None for die in review.dice):
            self._add("die", DieForm, review=review)
        self._add("points", PointsForm, review=review)
        self._add("note", NoteForm)
        for amendment in review.amendments:
            if amendment.in_force:
                self._add(f"withdraw-{amendment.entry.index}", RulingForm)

    def _add(self, do: str, form: type[RulingForm], **about: Any) -> None:
        self.forms[do] = form(self.sent if do == self.do else None, prefix=do, **about)

    @property
    def chosen(self) -> RulingForm | None:
        """The form that was sent; None for one that the page does not have (any more)."""
        return self.forms.get(self.do)

    def act(self, **place: Any) -> None:
        """Do what the form that was sent says, and is valid. Raises NotAllowed, TooLate, Invalid."""
        kind, _dash, of = self.do.partition("-")
        form = self.forms[self.do]
        about: dict[str, Any] = {"seat": of} if kind == "fault" else {"index": int(of)} if kind == "withdraw" else {}
        _ACTS[kind](**place, **about, **form.cleaned_data)


_ACTS: dict[str, Act] = {
    "fault": rule_invalid,
    "die": replace_die,
    "points": adjust_points,
    "note": note_ruling,
    "withdraw": withdraw_ruling,
}
