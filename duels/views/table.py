"""What the pages of a turn share, whatever the ruleset."""

from __future__ import annotations

from typing import TypedDict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from duels.errors import Refused
from duels.forms.playing import plain
from duels.models import Duel
from duels.numbers import natural
from rules.words import count_words


def duel_with_phase(pk: int) -> Duel:
    return get_object_or_404(Duel.objects.select_related("phase"), pk=pk)


def turn_said(request: HttpRequest) -> int:
    """Return the turn that the page was made for; 0 if it does not say."""
    return natural(request.POST.get("turn", ""), digits=5) or 0


class PageOf(TypedDict):
    """Which turn a page was made for, and in which branch, as the actions take it."""

    turn: int
    branch: int


def page_said(request: HttpRequest) -> PageOf:
    """Return which turn, in which branch, the page was made for; 0 where it does not say."""
    return {"turn": turn_said(request), "branch": natural(request.POST.get("branch", ""), digits=5) or 0}


def kept_text(request: HttpRequest, duel: Duel, refusal: Refused) -> HttpResponse:
    """Refuse what came too late, and give back the text, so that it can be copied."""
    text = plain(request.POST.get("text", ""))
    if request.POST.get("do") == "glance":
        return render(request, "duels/turn_missing.html", {"refusal": refusal})
    context = {"duel": duel, "refusal": refusal, "text": text, "words": count_words(text)}
    return render(request, "duels/turn_late.html", context, status=409)


def say_that_it_was_asked(request: HttpRequest, duel: Duel) -> None:
    """Say what came of asking to start at once."""
    asked = _("You have asked to start at once; the duel starts as soon as everybody asks for it.")
    messages.success(request, _("The duel starts.") if duel.is_running else asked)
