"""The rules, worded for players, and the spell book. Anyone may read them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from duels import example
from duels.forms.books import SpellsFilter
from duels.models import SpellBook
from duels.numbers import natural
from duels.queries import books

LANGUAGES = ("fr", "en")


def _in_the_readers_language(page: str) -> str:
    language = (get_language() or "")[:2]
    return f"duels/help/{language if language in LANGUAGES else LANGUAGES[0]}/{page}.html"


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """What there is to read: the rules of both kinds of duel, and the spell book."""
    return render(request, "duels/rules.html")


@require_safe
def rules_arena(request: HttpRequest) -> HttpResponse:
    """The rules of the arena, in the reader's language."""
    context = {"turns": example.played(), "cast": example.CAST}
    return render(request, _in_the_readers_language("arena"), context)


@require_safe
def rules_spells(request: HttpRequest) -> HttpResponse:
    """The rules of the spell duel, in the reader's language."""
    context = {"phases": example.spells_played(), "cast": example.CAST}
    return render(request, _in_the_readers_language("spells"), context)


@require_safe
def spell_book(request: HttpRequest) -> HttpResponse:
    """The spell book by level and type, filtered; `version`: an earlier one, which duels may have been agreed with."""
    book = _version(request.GET.get("version", ""))
    form = SpellsFilter(request.GET, types=book.types)
    asked = form.cleaned_data if form.is_valid() else {}
    found = books.chosen(book, asked)
    levels = sorted({spell["level"] for spell in found})
    context = {
        "book": book,
        "form": form,
        "levels": [(level, [spell for spell in found if spell["level"] == level]) for level in levels],
        "number": len(found),
    }
    return render(request, "duels/spells/book.html", context)


def _version(asked: str) -> SpellBook:
    """Return the version asked for, the newest if none is. Raises Http404."""
    if not asked:
        return books.current_book()
    number = natural(asked, digits=5)
    book = None if number is None else SpellBook.objects.filter(number=number).first()
    if book is None:
        raise Http404
    return book


urlpatterns = [
    path("regles/", rules, name="rules"),
    path("regles/arene/", rules_arena, name="rules_arena"),
    path("regles/sorts/", rules_spells, name="rules_spells"),
    path("regles/sorts/livre/", spell_book, name="spell_book"),
]
