"""What referees ask of one another, and who wants to be one, for staff to look at; answers are the referees'."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from duels.admin.reading import ReadOnlyAdmin
from duels.admin.thread import ReasonForm
from duels.errors import Refused

from .actions.erasing import erase_words, may_erase
from .models import Candidacy, HandOver

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class ErasableAdmin(ReadOnlyAdmin):
    """Rows whose words staff may erase, with a reason, which the administration's log keeps."""

    actions = ["erase_words"]

    def has_erase_permission(self, request: HttpRequest) -> bool:
        return may_erase(cast("User", request.user), self.model)

    @admin.action(description=_("Erase the words, with a reason"), permissions=["erase"])
    def erase_words(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        chosen = list(queryset.order_by("pk"))
        form = ReasonForm(request.POST if "confirm" in request.POST else None)
        form.fields["reason"].help_text = _("Kept in the administration’s log, with your name.")
        if not form.is_valid():
            return self._ask_why(request, form, chosen)
        for row in chosen:
            try:
                with transaction.atomic():
                    erase_words(user=cast("User", request.user), asked=row)
                    self.log_change(request, row, f"words erased: {form.cleaned_data['reason']}")
            except Refused as refusal:
                self.message_user(request, f"{row}: {refusal}", messages.ERROR)
            else:
                self.message_user(request, _("%(row)s: the words are erased.") % {"row": row}, messages.SUCCESS)
        return None

    def _ask_why(self, request: HttpRequest, form: ReasonForm, chosen: list[Any]) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": _("Erase what is written there?"),
            "opts": self.opts,
            "form": form,
            "chosen": chosen,
            "action": "erase_words",
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "admin/referee/erase.html", context)


@admin.register(HandOver)
class HandOverAdmin(ErasableAdmin):
    list_display = ["duel", "asked_by", "to", "asked_at", "answer", "answered_at"]
    list_filter = ["answer"]
    list_select_related = ["duel", "asked_by", "to"]
    search_fields = ["=duel__id", "asked_by__username", "to__username"]
    date_hierarchy = "asked_at"
    ordering = ["-pk"]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """All but the message, which is for the referee who was asked."""
        return tuple(name for name in super().get_fields(request, obj) if name != "message")


@admin.register(Candidacy)
class CandidacyAdmin(ErasableAdmin):
    list_display = ["user", "sent_at", "answer", "answered_by", "answered_at"]
    list_filter = ["answer"]
    list_select_related = ["user", "answered_by"]
    search_fields = ["user__username", "answered_by__username", "message", "reason"]
    date_hierarchy = "sent_at"
    ordering = ["-pk"]
