"""The notices, settings and state of the site in a real browser, on a phone too."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings

from duels import clock
from duels.actions.heartbeat import beat
from duels.models import Duel
from notices.actions.mail import hashed
from notices.actions.reading import mark_read
from notices.actions.telling import drain
from notices.models import Delivery, Notice
from tests import play
from tests.duels.readers import as_user
from tests.factories import StaffFactory

from .told import pair, player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 360, "height": 740}


def signed_in(new_reader, user, **options):
    """The browser of somebody who has signed in."""
    context = new_reader(**options)
    session = as_user(user).cookies[settings.SESSION_COOKIE_NAME].value
    address = context.new_page()
    address.goto("/healthz")
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": address.url}])
    return address


def assert_sound(page, address):
    """Accessible, and no wider than the screen."""
    page.goto(address)
    assert Axe().run(page).response["violations"] == [], address
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), address


@pytest.mark.parametrize(("scheme", "screen"), [("light", PHONE), ("dark", {"width": 1200, "height": 800})])
def test_everybody_can_read_and_use_them(new_reader, scheme, screen):
    duel = play.running(**pair())
    play.file(duel, "a")
    drain()
    user = player(duel, "b")
    mark_read(user=user, notice_id=Notice.objects.filter(user=user).first().pk)
    Delivery.objects.filter(user=user, happening__what="challenged").update(token_hash=hashed("secret"))
    page = signed_in(new_reader, user, color_scheme=scheme, viewport=screen)
    for address in ("/avis/", "/reglages/", "/avis/arret/secret/"):
        assert_sound(page, address)


def test_a_notice_is_opened_and_all_are_marked(new_reader):
    duel = play.running(**pair())
    drain()
    page = signed_in(new_reader, player(duel, "b"), viewport=PHONE)
    page.goto("/avis/")
    unread = page.locator(".site-nav .unread")
    count = Notice.objects.filter(user=player(duel, "b"), read_at=None).count()
    assert unread.inner_text().startswith(str(count))
    page.get_by_role("button", name="à vous de jouer").first.click()
    assert page.url.endswith(f"/duels/{duel.pk}/tour/")
    page.goto("/avis/")
    assert unread.inner_text().startswith(str(count - 1))
    page.get_by_role("button", name="Tout marquer comme lu").click()
    assert unread.count() == 0


def test_a_box_of_the_settings_is_ticked_on_a_phone(new_reader):
    duel = play.challenged(**pair())
    page = signed_in(new_reader, player(duel, "b"), viewport=PHONE)
    page.goto("/reglages/")
    page.get_by_label("Mon adversaire a remis sa déclaration : Par courriel").check()
    page.get_by_role("button", name="Enregistrer").click()
    assert player(duel, "b").preference.wants("filed", "mail")


@pytest.mark.parametrize(("scheme", "screen"), [("dark", PHONE), ("light", {"width": 1200, "height": 800})])
def test_staff_can_read_the_state_of_the_site(new_reader, scheme, screen):
    beat(at=clock.now())
    duel = play.running(**pair())
    Duel.objects.filter(pk=duel.pk).update(failures=3)
    drain()
    Delivery.objects.update(status="aside", reason="failed")
    page = signed_in(new_reader, StaffFactory(), color_scheme=scheme, viewport=screen)
    assert_sound(page, "/etat/")
    page.get_by_role("button", name="Réessayer").first.click()
    assert play.fresh(duel).failures == 0
