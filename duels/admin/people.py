"""Users' duellists, the referees, and second factors that were lost."""

from __future__ import annotations

from typing import Any

from allauth.mfa.admin import AuthenticatorAdmin
from allauth.mfa.models import Authenticator
from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group, User
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from duels.actions.availability import write_availability
from duels.actions.duellists import rewrite
from duels.models import Availability, CarriedOver, Duellist
from duels.queries.books import current_book
from duels.sentences.book import type_name

from .reading import StaffAdmin

TRAITS = {
    "legilimens": _("Legilimens, rank"),
    "occlumens": _("Occlumens, rank"),
    "dark_mage": _("dark mage, rank"),
    "wandless": _("wandless magic, rank"),
}
HIGHEST_RANK = 99

admin.site.unregister(Group)
admin.site.unregister(Authenticator)


class MemberInline(admin.TabularInline):
    model = User.groups.through
    autocomplete_fields = ["user"]
    extra = 1
    verbose_name = _("member")
    verbose_name_plural = _("members")


@admin.register(Group)
class GroupWithMembersAdmin(GroupAdmin):
    """Referees are the members of the group `referees`: they are named and dismissed here."""

    inlines = [MemberInline]


@admin.register(Authenticator)
class LostAuthenticatorAdmin(AuthenticatorAdmin, StaffAdmin):
    """Staff can delete the authenticator of somebody who lost it; its secret is nobody's to see."""

    fields = readonly_fields = ("user", "type", "created_at", "last_used_at")
    search_fields = ["user__username", "user__email"]
    list_select_related = ["user"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


class DuellistForm(ModelForm):
    """The whole of a duellist; of each trait, the rank: empty where they have not got it, 0 while it has none."""

    legilimens, occlumens, dark_mage, wandless = (
        forms.IntegerField(label=TRAITS[trait], min_value=0, max_value=HIGHEST_RANK, required=False)
        for trait in ("legilimens", "occlumens", "dark_mage", "wandless")
    )

    class Meta:
        model = Duellist
        fields = [
            "user", "name", "birth_date", "year", "wand_hand", "portrait", "in_chronology", "homework_year", "types",
            "prodigium", "wait_waived_at",
        ]  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        types = current_book().types
        self.fields["types"] = forms.MultipleChoiceField(
            label=_("types of magic"),
            required=False,
            choices=[(code, type_name(code, types)) for code in sorted(types)],
        )
        for trait in TRAITS:
            self.initial[trait] = self.instance.traits.get(trait)

    def save(self, commit: bool = True) -> Any:
        ranks = {trait: self.cleaned_data[trait] for trait in TRAITS}
        self.instance.traits = {trait: rank for trait, rank in ranks.items() if rank is not None}
        return super().save(commit)


@admin.register(Duellist)
class DuellistAdmin(StaffAdmin):
    list_display = ["name", "user", "year", "birth_date"]
    list_filter = ["year"]
    list_select_related = ["user"]
    search_fields = ["name", "user__username"]
    autocomplete_fields = ["user"]
    form = DuellistForm
    fieldsets = [
        (None, {"fields": ["user", "name", "birth_date", "year", "wand_hand", "portrait", "created_at"]}),
        (
            _("Spell duels"),
            {"fields": ["in_chronology", "homework_year", "types", "prodigium", *TRAITS, "wait_waived_at"]},
        ),
    ]
    readonly_fields = ["created_at"]

    def save_model(self, request: HttpRequest, obj: Duellist, form: ModelForm, change: bool) -> None:
        rewrite(obj)


@admin.register(CarriedOver)
class CarriedOverAdmin(admin.ModelAdmin):
    """Seniority and messages from an older forum, for spell duels (B1.1)."""

    list_display = ["user", "member_since", "messages"]
    list_select_related = ["user"]
    search_fields = ["user__username"]
    autocomplete_fields = ["user"]


@admin.register(Availability)
class AvailabilityAdmin(StaffAdmin):
    """What referees say of themselves (A14), each on a page of their own; staff can change what should not be read."""

    list_display = ["user", "is_available", "at_once", "note", "changed_at"]
    list_filter = ["is_available"]
    list_select_related = ["user"]
    search_fields = ["user__username", "note"]
    fields = ["user", "is_available", "at_once", "note", "changed_at"]
    readonly_fields = ["user", "changed_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Availability, form: ModelForm, change: bool) -> None:
        write_availability(obj.user, is_available=obj.is_available, at_once=obj.at_once, note=obj.note)
