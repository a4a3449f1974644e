"""The referees' desk in a real browser, on a phone too: sound, and a duel handed over without JavaScript."""

import pytest
from django.conf import settings
from django.urls import reverse

from duels import clock
from duels.actions.availability import set_availability
from duels.actions.ending import surrender
from referee.actions.hand_overs import ask_hand_over
from referee.models import Candidacy
from tests import play, spells_play
from tests.factories import RefereeFactory, UserFactory
from tests.notices.test_browser import PHONE, assert_sound, signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def spell_phase_locked():
    """A spell duel both of whose duellists have posted: its first phase waits for the referee."""
    duel = spells_play.running()
    for letter in "ab":
        spells_play.file(duel, letter)
    return spells_play.fresh(duel)


WIDE = {"width": 1200, "height": 800}


@pytest.mark.parametrize(("scheme", "screen"), [("light", PHONE), ("dark", WIDE)])
def test_everybody_can_read_the_desk(new_reader, scheme, screen):
    duel, handed = play.locked(referee=RefereeFactory()), play.running()
    RefereeFactory()
    set_availability(user=duel.referee, is_available=True, at_once=3, note="Le soir.")
    ask_hand_over(user=handed.referee, duel_id=handed.pk, to_id=duel.referee.pk, message="Je pars en voyage.")
    sent = Candidacy.objects.create(user=UserFactory(), message="Je lis tout.", sent_at=clock.now())
    page = signed_in(new_reader, duel.referee, color_scheme=scheme, viewport=screen)
    addresses = [reverse(f"referee:{name}") for name in ("queue", "referees", "availability", "candidacies", "apply")]
    addresses.append(reverse("referee:candidacy", args=[sent.pk]))
    addresses.append(reverse("referee:hand_over", args=[duel.pk]))
    addresses.append(reverse("referee:answer_hand_over", args=[handed.pk]))
    for address in addresses:
        assert_sound(page, address)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_doors_of_a_referee_fit_in_one_line_of_a_laptop(new_reader, language):
    page = signed_in(new_reader, RefereeFactory(username="ombeline"), viewport={"width": 1280, "height": 800})
    page.goto("/healthz")
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": page.url}])
    page.goto(reverse("referee:queue"))
    doors = page.locator(".site-nav li, .account-menu summary")
    tops = doors.evaluate_all("all => all.map(door => door.getBoundingClientRect().top)")
    assert len(tops) == 10
    assert max(tops) - min(tops) < 20


@pytest.mark.parametrize(("scheme", "screen"), [("dark", PHONE), ("light", WIDE)])
def test_players_can_read_what_is_theirs(new_reader, scheme, screen):
    duel = play.locked()
    referee = signed_in(new_reader, duel.referee)
    referee.goto(reverse("referee:review", args=[duel.pk, 1]))
    user = play.player(duel, "a")
    surrender(user=user, duel_id=duel.pk, received_at=clock.now())
    page = signed_in(new_reader, user, color_scheme=scheme, viewport=screen)
    assert_sound(page, reverse("duels:disclosures", args=[duel.pk]))
    assert page.locator("main li time").count() == 2  # what was declared, and where the receptacle is
    assert_sound(page, reverse("referee:apply"))


@pytest.mark.parametrize("locked", [play.locked, spell_phase_locked], ids=["arena", "spells"])
def test_a_turn_with_nothing_to_amend_is_published_in_three_touches_and_two_pages(new_reader, locked):
    """What a referee has to do: from the queue to the turn, from the turn to what will be published, and publish."""
    duel = locked()
    page = signed_in(new_reader, duel.referee, viewport=PHONE)
    page.goto(reverse("referee:queue"))
    opened = []
    page.on("framenavigated", lambda frame: opened.append(frame.url))
    page.locator("main .btn-primary").first.click()
    page.locator("main .btn-primary").first.click()
    assert play.fresh(duel).phase.status == "locked"
    page.locator("main .btn-primary").first.click()
    assert play.fresh(duel).phases.filter(number=1).first().status == "published"
    *before, _after = opened
    assert len(before) == 2


def test_what_a_referee_reads_first_is_on_the_first_screen(new_reader):
    """The one thing to do, and the texts, without a search for them."""
    duel = play.locked()
    page = signed_in(new_reader, duel.referee, viewport={"width": 1280, "height": 800})
    page.goto(reverse("referee:review", args=[duel.pk, 1]))
    for where in ("main .btn-primary", "#seat-a", "#seat-b"):
        assert page.locator(where).first.bounding_box()["y"] < 800


def test_a_duel_changes_hands_without_javascript(new_reader):
    duel, other = play.locked(), RefereeFactory()
    first = signed_in(new_reader, duel.referee, viewport=PHONE, java_script_enabled=False)
    first.goto(reverse("referee:queue"))
    first.get_by_role("link", name="Le confier…").first.click()
    first.get_by_label("À qui").select_option(label=other.username)
    first.get_by_label("Un mot pour l’arbitre").fill("Je pars en voyage.")
    first.get_by_role("button", name="Demander à cet arbitre").click()
    second = signed_in(new_reader, other, viewport=PHONE, java_script_enabled=False)
    second.goto(reverse("referee:queue"))
    second.get_by_role("link", name="Répondre").first.click()
    assert "Je pars en voyage." in second.locator("main").inner_text()
    second.get_by_role("button", name="Accepter le duel").click()
    assert play.fresh(duel).referee == other
    assert other.username in second.locator(".thread").inner_text()
