"""Purses: what they hold and how it came to; what staff give and take; the ledger as a table."""

from __future__ import annotations

import csv
from itertools import chain

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from duels.actions.purse import check_grant, grant, may_grant
from duels.errors import Invalid, NotAllowed
from duels.forms.purse import GrantForm
from duels.models import Duellist
from duels.queries import purse as queries

from .access import PlayersRequest, add_refusal, private
from .thread import number_asked

BYTE_ORDER_MARK = "\ufeff"  # by which a spreadsheet knows the accents


@private
@require_safe
def purse(request: PlayersRequest, pk: int) -> HttpResponse:
    """What a purse holds, then its entries. For who plays the duellist, and staff who may."""
    duellist = get_object_or_404(Duellist, pk=pk)
    if not queries.may_see(request.user, duellist):
        raise NotAllowed(_("Only who plays a duellist can look into the purse."))
    before = number_asked(request, "avant", digits=17, least=0)
    context = {
        "duellist": duellist,
        "balances": queries.balances(duellist),
        "worth": queries.salary_worth(duellist),
        "page": queries.page_of_lines(duellist, before=before),
        "is_first": before is None,
        "may_grant": may_grant(request.user),
        "may_read_ledger": queries.may_read_ledger(request.user),
    }
    return render(request, "duels/purse.html", context)


@private
@require_http_methods(["GET", "POST"])
def purse_grant(request: PlayersRequest, pk: int) -> HttpResponse:
    """Give or take, once it is said what that does. For staff who may."""
    duellist = get_object_or_404(Duellist, pk=pk)
    if not may_grant(request.user):
        raise NotAllowed(_("Only staff who may give and take can do this."))
    step = request.POST.get("do")
    if step == "change":
        return _grant_page(request, duellist, GrantForm(initial=request.POST.dict()))
    form = GrantForm(request.POST or None)
    if not form.is_valid():
        return _grant_page(request, duellist, form)
    terms = {"user": request.user, "duellist": duellist, **form.cleaned_data}
    sending = terms.pop("sending")
    try:
        if step != "confirm":
            check_grant(**terms)
            return render(request, "duels/purse_grant_recap.html", {"duellist": duellist, "form": form})
        grant(**terms, sending=sending)
    except Invalid as refusal:
        add_refusal(form, refusal)
        return _grant_page(request, duellist, form)
    messages.success(request, _("It is entered in the purse."))
    return redirect("duels:purse", duellist.pk)


def _grant_page(request: PlayersRequest, duellist: Duellist, form: GrantForm) -> HttpResponse:
    context = {"duellist": duellist, "form": form, "balances": queries.balances(duellist)}
    return render(request, "duels/purse_grant.html", context, status=422 if form.is_bound and form.errors else 200)


class _Echo:
    """What a CSV writer writes to, which gives each line back."""

    def write(self, line: str) -> str:
        return line


@private
@require_safe
def ledger(request: PlayersRequest, pk: int | None = None) -> HttpResponseBase:
    """The ledger, whole or of one purse, as CSV. For staff who may."""
    if not queries.may_read_ledger(request.user):
        raise NotAllowed(_("The ledger is for staff who may look into all purses."))
    duellist = None if pk is None else get_object_or_404(Duellist, pk=pk)
    writer = csv.writer(_Echo())
    lines = (writer.writerow(row) for row in queries.rows(duellist))
    response = StreamingHttpResponse(chain([BYTE_ORDER_MARK], lines), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="bourse{"s" if pk is None else f"-{pk}"}.csv"'
    return response


urlpatterns: list[URLPattern] = [
    path("duellistes/<int:pk>/bourse/", purse, name="purse"),
    path("duellistes/<int:pk>/bourse/don/", purse_grant, name="purse_grant"),
    path("duellistes/<int:pk>/bourse/export.csv", ledger, name="purse_csv"),
    path("bourses/export.csv", ledger, name="ledger_csv"),
]
