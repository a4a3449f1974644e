"""The admin on a phone: no list and no form is wider than the screen, search and filters are within reach."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.urls import reverse

from duels.actions.availability import set_availability
from duels.models import Availability, Duel, Duellist, Entry, Phase, Post, Resolution, Seat, SpellBook, Transfer
from notices.actions.telling import drain
from notices.models import Notice, Preference
from referee.actions.hand_overs import ask_hand_over
from referee.models import HandOver
from tests import play
from tests.duels.purses import give
from tests.factories import RefereeFactory, StaffFactory
from tests.notices.test_browser import signed_in
from tests.tournaments import play as tournaments
from tournaments.models import Entrant, Match, Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 844}
MAIN = [
    Duel, Seat, Phase, Entry, Resolution, Post, Duellist, Availability, Transfer, SpellBook, Notice, Preference,
    HandOver, Tournament, Entrant, Match, User,
]  # fmt: skip
WIDER = "document.documentElement.scrollWidth - window.innerWidth"


def test_lists_and_forms_fit_a_phone_with_search_and_filters_within_reach(new_reader):
    _something_of_each()
    page = signed_in(new_reader, StaffFactory(username="intendance"), viewport=PHONE)
    for model in MAIN:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        page.goto(reverse(f"{name}_changelist"))
        assert page.evaluate(WIDER) <= 0, f"the list of {model.__name__}"
        assert page.locator("#result_list tbody tr").count() > 0, model
        shown = admin.site._registry[model]
        if shown.search_fields:
            assert page.locator("#searchbar").bounding_box()["y"] < PHONE["height"], model
        if shown.list_filter:
            filters = page.locator("#changelist-filter a").first
            filters.scroll_into_view_if_needed()
            assert filters.is_visible(), model
        page.goto(reverse(f"{name}_change", args=[model.objects.order_by("-pk").first().pk]))
        assert page.evaluate(WIDER) <= 0, f"the form of {model.__name__}"


def _something_of_each():
    tournaments.running(4)
    duel = play.publish(play.locked())
    set_availability(user=duel.referee, is_available=True, at_once=3, note="Le soir, après dîner.")
    ask_hand_over(user=duel.referee, duel_id=duel.pk, to_id=RefereeFactory().pk)
    Preference.objects.get_or_create(user=duel.referee)
    give(duel.seats.first().duellist, 3)
    drain()
