"""Pages kept for one reader: signed in, never kept by a cache, refused with the reason."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control

from duels.errors import AlreadySent, Hidden, Invalid, NotAllowed, Refused

if TYPE_CHECKING:
    from django.contrib.auth.models import User

View = Callable[..., HttpResponse]
Answer = TypeVar("Answer", bound=HttpResponseBase)


class PlayersRequest(HttpRequest):
    """A request of somebody who is signed in."""

    user: User


def private(view: Callable[..., Answer]) -> Callable[..., Answer | HttpResponse]:
    """Keep a page for those signed in; NotAllowed shows its reason on the 403 page, and what is Hidden is not found.

    Who sends a form again is told so, at what came of it the first time.
    """

    @login_required
    @cache_control(private=True, no_store=True)
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> Answer | HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Hidden:
            raise Http404 from None
        except NotAllowed as refusal:
            raise PermissionDenied(str(refusal)) from None
        except AlreadySent as refusal:
            messages.info(request, str(refusal))
            return redirect(refusal.led_to)

    return guarded


def keeps_text(view: View) -> View:
    """Give back the text that somebody posts who has been signed out meanwhile, instead of losing it at the door."""

    @wraps(view)
    def kept(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST" and request.POST.get("text") and not request.user.is_authenticated:
            return _give_back(request, "duels/turn_signed_out.html", 401)
        return view(request, *args, **kwargs)

    return cache_control(private=True, no_store=True)(kept)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Refuse a form whose token is stale (somebody signed in again in another tab), and give back its text."""
    return _give_back(request, "403_csrf.html", 403)


def _give_back(request: HttpRequest, template: str, status: int) -> HttpResponse:
    return render(request, template, {"text": request.POST.get("text", "")}, status=status)


def add_refusal(form: BaseForm, refusal: Refused) -> None:
    """Show a refusal in the form, with all that is refused beside it, each beside the field that it names."""
    for one in (refusal, *refusal.others) if isinstance(refusal, Invalid) else (refusal,):
        field = one.field if isinstance(one, Invalid) and one.field in form.fields else None
        form.add_error(field, str(one))
