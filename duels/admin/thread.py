"""Threads and posts; taking a text away."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from duels.actions.removal import may_remove, remove_post
from duels.errors import Refused
from duels.models import Post, PostBody, ReadMark, Removal, Scene, SceneDraft, Sending, Thread

from .reading import ReadOnlyAdmin

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@admin.register(Thread)
class ThreadAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "duel", "scene"]
    list_select_related = ["duel", "scene"]
    search_fields = ["=duel__id", "duel__seats__duellist__name", "scene__title"]


@admin.register(Scene)
class SceneAdmin(ReadOnlyAdmin):
    list_display = ["title", "opened_by", "opened_at", "last_post_at"]
    list_select_related = ["opened_by"]
    search_fields = ["title", "opened_by__name"]
    date_hierarchy = "opened_at"


@admin.register(SceneDraft)
class SceneDraftAdmin(ReadOnlyAdmin):
    """That there is a draft, and since when; what it says is its author's."""

    list_display = ["scene", "user", "saved_at"]
    list_select_related = ["scene", "user"]
    search_fields = ["scene__title", "user__username"]


class BodyInline(admin.StackedInline):
    model = PostBody
    fields = ["text"]

    def has_add_permission(self, request: HttpRequest, obj: Post | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Post | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Post | None = None) -> bool:
        return False


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=_("Reason"),
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Kept for the staff; readers are told that the text was removed, not why."),
    )


@admin.register(Post)
class PostAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "kind", "turn", "duellist", "words", "posted_at", "is_removed"]
    list_filter = ["kind", ("removal", admin.EmptyFieldListFilter)]
    list_select_related = ["duellist", "removal"]
    search_fields = ["=thread__duel__id", "duellist__name", "body__text"]
    date_hierarchy = "posted_at"
    ordering = ["-pk"]
    inlines = [BodyInline]
    actions = ["remove_texts"]

    @admin.display(description=_("removed"), boolean=True)
    def is_removed(self, post: Post) -> bool:
        return hasattr(post, "removal")

    def has_remove_permission(self, request: HttpRequest) -> bool:
        return may_remove(cast("User", request.user))

    @admin.action(description=_("Remove the text, with a reason"), permissions=["remove"])
    def remove_texts(self, request: HttpRequest, queryset: QuerySet[Post]) -> HttpResponse | None:
        posts = list(queryset.select_related("duellist", "body").order_by("pk"))
        form = ReasonForm(request.POST if "confirm" in request.POST else None)
        if not form.is_valid():
            return self._ask_why(request, form, posts)
        removed = 0
        for post in posts:
            try:
                remove_post(user=cast("User", request.user), post_id=post.pk, reason=form.cleaned_data["reason"])
                removed += 1
            except Refused as refusal:
                self.message_user(request, f"{post}: {refusal}", messages.ERROR)
        said = ngettext("%(count)d text is removed.", "%(count)d texts are removed.", removed) % {"count": removed}
        self.message_user(request, said, messages.SUCCESS if removed else messages.WARNING)
        return None

    def _ask_why(self, request: HttpRequest, form: ReasonForm, posts: list[Post]) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": _("Remove the text of these posts?"),
            "opts": self.opts,
            "form": form,
            "chosen": posts,
            "action": "remove_texts",
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "admin/duels/post/remove.html", context)


@admin.register(Removal)
class RemovalAdmin(ReadOnlyAdmin):
    list_display = ["post", "by", "at", "reason"]
    list_select_related = ["post", "by"]
    search_fields = ["=post__thread__duel__id", "reason"]
    date_hierarchy = "at"


@admin.register(ReadMark)
class ReadMarkAdmin(ReadOnlyAdmin):
    list_display = ["thread", "user", "position"]
    list_select_related = ["thread", "user"]
    search_fields = ["=thread__duel__id", "user__username"]


@admin.register(Sending)
class SendingAdmin(ReadOnlyAdmin):
    list_display = ["user", "led_to", "at"]
    list_select_related = ["user"]
    search_fields = ["user__username", "led_to"]
    date_hierarchy = "at"
