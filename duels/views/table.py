"""What the pages of a turn share, whatever the ruleset."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from duels.errors import Invalid, Refused, TooLate
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


def kept_draft(request: HttpRequest, duel: Duel, save: Callable[[], None], *, back_to: str) -> HttpResponse:
    """Keep what was typed, sealed: for the page's script (204), or with a button where there is none."""
    by_script = request.POST.get("do") == "quietly"
    try:
        save()
    except (TooLate, Invalid) as refusal:
        return HttpResponse(str(refusal), status=409) if by_script else kept_text(request, duel, refusal)
    if by_script:
        return HttpResponse(status=204)
    messages.success(request, _("Your draft is kept, sealed."))
    return redirect(back_to, duel.pk)


def say_that_it_was_asked(request: HttpRequest, duel: Duel) -> None:
    """Say what came of asking to start at once."""
    asked = _("You have asked to start at once; the duel starts as soon as everybody asks for it.")
    messages.success(request, _("The duel starts.") if duel.is_running else asked)
