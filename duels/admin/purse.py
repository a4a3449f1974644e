"""Purses: what they hold, and every transfer. Giving and taking is done on the purse's own page."""

from __future__ import annotations

from django.contrib import admin

from duels.models import Account, Transfer

from .reading import ReadOnlyAdmin


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    list_display = ["holder_name", "currency", "balance"]
    list_filter = ["currency", "source"]
    list_select_related = ["duellist"]
    search_fields = ["duellist__name", "=duel__id"]


@admin.register(Transfer)
class TransferAdmin(ReadOnlyAdmin):
    list_display = ["at", "payer", "payee", "amount", "what", "rule", "duel", "by", "reason"]
    list_filter = ["what", "rule"]
    list_select_related = ["payer__duellist", "payee__duellist", "duel", "by"]
    search_fields = ["payer__duellist__name", "payee__duellist__name", "=duel__id", "reason"]
    date_hierarchy = "at"
    ordering = ["-pk"]
