"""A member's notices and settings, and the link in each mail that stops such mail."""

from __future__ import annotations

import re

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.i18n import set_language

from duels import clock
from duels.numbers import natural
from duels.views.access import PlayersRequest, private

from .actions import preferences
from .actions.reading import mark_all_read, mark_read
from .forms import WAYS, PreferenceForm
from .kinds import KINDS, address
from .models import Notice, Preference
from .news import News
from .queries import page_of
from .zones import named_today

AFTER = re.compile(r"([nl])([1-9][0-9]{0,17})", re.ASCII)


@private
@require_GET
def notices(request: PlayersRequest) -> HttpResponse:
    """A member's own notices, the unread ones first."""
    after = None
    if "avant" in request.GET:
        match = AFTER.fullmatch(request.GET["avant"])
        if match is None:
            raise Http404
        after = (match[1], int(match[2]))
    page = page_of(request.user, after)
    newest = max((told.notice.pk for told in page.notices if told.notice.read_at is None), default=None)
    return render(request, "notices/notices.html", {"page": page, "newest": newest, "is_first": after is None})


@require_POST
@private
def notice(request: PlayersRequest, pk: int) -> HttpResponse:
    """Mark one of one's own notices as read; with `do=open`, go where it leads."""
    try:
        read = mark_read(user=request.user, notice_id=pk)
    except Notice.DoesNotExist:
        raise Http404 from None
    if request.POST.get("do") == "open":
        happening = read.happening
        return redirect(address(News(happening, happening.duel, request.user.pk, clock.now())))
    return redirect("notices:notices")


@require_POST
@private
def all_read(request: PlayersRequest) -> HttpResponse:
    """Mark as read one's own notices, up to the newest that the page showed."""
    up_to = natural(request.POST.get("up_to", ""), digits=18)
    if up_to is None:
        raise Http404
    count = mark_all_read(user=request.user, up_to=up_to)
    said = ngettext("%(count)d notice marked as read.", "%(count)d notices marked as read.", count)
    messages.success(request, said % {"count": count})
    return redirect("notices:notices")


@private
@require_http_methods(["GET", "POST"])
def preference(request: PlayersRequest) -> HttpResponse:
    """A member's own settings: what they are told, by which way."""
    known = Preference.of(request.user)
    initial = {
        "language": known.language or settings.LANGUAGE_CODE,
        "zone": named_today(known.zone or settings.TIME_ZONE),
        "mail": known.mail,
    }
    form = PreferenceForm(request.user, known, request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        return _save(request, form)
    status = 422 if form.errors else 200
    return render(request, "notices/settings.html", {"form": form, "ways": WAYS.values()}, status=status)


def _save(request: PlayersRequest, form: PreferenceForm) -> HttpResponse:
    chosen = form.cleaned_data
    language = chosen["language"]
    preferences.set_preferences(
        user=request.user, language=language, zone=chosen["zone"], mail=chosen["mail"], ways=form.ways()
    )
    response = redirect("notices:settings")
    _set_language(response, language)
    with translation.override(language):
        messages.success(request, _("Your settings are saved."))
    return response


def _set_language(response: HttpResponseBase, language: str) -> None:
    """Keep the pages' language as Django's own switch does."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME, language, max_age=settings.LANGUAGE_COOKIE_AGE,
        path=settings.LANGUAGE_COOKIE_PATH, domain=settings.LANGUAGE_COOKIE_DOMAIN,
        secure=settings.LANGUAGE_COOKIE_SECURE, httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )  # fmt: skip


@require_POST
@private
def revoke(request: PlayersRequest) -> HttpResponse:
    """Make the links in the mail sent to oneself so far lead nowhere."""
    preferences.revoke_links(user=request.user)
    messages.success(request, _("The links in the mail sent to you so far lead nowhere any more."))
    return redirect("notices:settings")


@csrf_exempt  # mail programs post here by themselves (RFC 8058); who holds the link may, and can do nothing else
@require_http_methods(["GET", "POST"])
@never_cache
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Stop mail; for whoever holds the link of a mail, signed in or not. It says of nobody who they are."""
    delivery = preferences.delivery_of(token)
    if delivery is None:
        return render(request, "notices/stop_unknown.html", status=404)
    context = {"kind": KINDS[delivery.happening.what].name, "done": request.method == "POST"}
    if request.method == "POST":
        everything = "everything" in request.POST or "List-Unsubscribe" in request.POST
        preferences.stop_mail(token=token, everything=everything)
        context["everything"] = everything
    response = render(request, "notices/stop.html", context)
    response["Referrer-Policy"] = "no-referrer"
    return response


stop.is_for_anyone = True  # type: ignore[attr-defined]  # see config.mfa


def language(request: HttpRequest) -> HttpResponseBase:
    """Switch the pages' language; a member's mail follows. For anyone."""
    response = set_language(request)
    chosen = response.cookies.get(settings.LANGUAGE_COOKIE_NAME)
    if chosen is not None and request.user.is_authenticated:
        preferences.choose_language(user=request.user, language=chosen.value)
    return response
