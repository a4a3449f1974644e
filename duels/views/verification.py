"""Checking the record of any duel, sent as a file. For anyone; nothing of it is kept."""

from __future__ import annotations

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from duels.checks import by_turn
from duels.forms.verification import ExportForm
from duels.queries.proof import kept_as, stands_at
from rules.record import Export
from rules.verify import verify

SEATS = "abcd"  # of any duel
A_MINUTE = 30  # files checked, for everybody together: each may take a second of the machine


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def verification(request: HttpRequest) -> HttpResponse:
    """Ask for the record of a duel, and say whether it holds, and whether it is the one that this site keeps."""
    if request.method != "POST":
        return _page(request, ExportForm())
    form = ExportForm(request.POST, request.FILES)
    if _is_busy():
        form.add_error(None, _("Many records are being checked just now. Send yours again in a minute."))
        return _page(request, form, status=429)
    if not form.is_valid():
        return _page(request, form, status=422)
    export = form.cleaned_data["record"]
    report, kept, head = verify(export), kept_as(export), form.cleaned_data["head"]
    found = {
        "report": report,
        "kept": kept,
        "head": head,
        "head_at": stands_at(export, head),
        "turns": by_turn(export, report),
        "cast": kept.duel.cast if kept else _nameless(export),
    }
    return _page(request, ExportForm(), found)


def _nameless(export: Export) -> dict[str, dict[str, str]]:
    """A cast of nobody known: each seat is called by its letter."""
    seats = {*SEATS, *(entry.seat for entry in export.entries if entry.seat)}
    return {seat: {"name": seat.upper()} for seat in seats}


def _page(
    request: HttpRequest, form: ExportForm, found: dict[str, object] | None = None, status: int = 200
) -> HttpResponse:
    return render(request, "duels/verification.html", {"form": form, **(found or {})}, status=status)


def _is_busy() -> bool:
    """Count one more file, and say whether they are too many in this minute."""
    cache.add(_COUNT, 0, timeout=60)
    try:
        return cache.incr(_COUNT) > A_MINUTE
    except ValueError:  # the minute ended between the two
        return False


_COUNT = "records-checked-this-minute"


urlpatterns: list[URLPattern] = [path("preuve/", verification, name="verification")]
