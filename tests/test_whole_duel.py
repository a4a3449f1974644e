"""A whole arena duel in real browsers: from the sign-up of three people to the proof that nobody cheated."""

import json
import re

import pytest
from django.contrib.auth.models import Group, User
from django.core import mail

from duels.models import Duel
from duels.people import REFEREES
from rules.verify import verify_json
from tests.config.people import code_now
from tests.play import TEXT

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "plume-de-hibou-42"


@pytest.fixture
def sign_up(new_reader):
    """Make somebody sign up, confirm the address by the code in the mail, and come in; return their tab."""

    def come_in(name):
        page = new_reader().new_page()
        page.goto("/compte/signup/")
        page.fill("[name=username]", name)
        page.fill("[name=email]", f"{name}@example.org")
        page.fill("[name=password1]", PASSWORD)
        page.fill("[name=password2]", PASSWORD)
        page.press("[name=password2]", "Enter")
        page.locator("[name=code]").wait_for()
        [sent] = [letter for letter in mail.outbox if letter.to == [f"{name}@example.org"]]
        page.fill("[name=code]", re.search(r"^\s*([A-Z0-9]{4,}-?[A-Z0-9]*)\s*$", sent.body, re.MULTILINE)[1])
        page.press("[name=code]", "Enter")
        page.get_by_text(name, exact=False).first.wait_for()
        return page

    return come_in


def make_duellist(page, name, birth_date):
    page.goto("/duellistes/nouveau/")
    page.fill("[name=name]", name)
    page.fill("[name=birth_date]", birth_date)
    page.press("[name=name]", "Enter")
    page.get_by_role("heading", name=name).wait_for()


def become_referee(page, name):
    """Named by staff; the second factor is then asked for before anything else."""
    User.objects.get(username=name).groups.add(Group.objects.get_or_create(name=REFEREES)[0])
    page.goto("/arbitrage/")
    if page.locator("[name=password]").count():
        page.fill("[name=password]", PASSWORD)
        page.press("[name=password]", "Enter")
    page.locator("[name=code]").wait_for()
    secret = re.search(r"\b[A-Z2-7]{32}\b", page.content())[0]
    page.fill("[name=code]", code_now(secret))
    page.press("[name=code]", "Enter")
    page.wait_for_url(lambda address: "totp" not in address)


def hide_and_ask_to_start(page, zone):
    duel = Duel.objects.get()
    page.goto(f"/duels/{duel.pk}/preparation/")
    pick(page, "zone", zone)
    page.click("button[value=hide]")
    page.click("button[value=start]")
    page.locator("[name=sure]").wait_for(state="attached")
    page.click("button[value=start]")
    page.wait_for_load_state()


def pick(page, part, zone):
    page.check(f"input[name={part}][value={zone}]")


def play_a_turn(page, thrust, parry):
    duel = Duel.objects.get()
    page.goto(f"/duels/{duel.pk}/tour/")
    page.fill("[name=text]", TEXT)
    pick(page, "thrust", thrust)
    pick(page, "parry", parry)
    page.click("button[value=file]")
    page.get_by_text("déclaration").first.wait_for()
    page.wait_for_load_state()


def publish(page, turn):
    duel = Duel.objects.get()
    page.goto(f"/arbitrage/{duel.pk}/{turn}/")
    page.click(f"a[href$='/{turn}/publier/']")
    page.click("main form button[type=submit], main form button:not([type])")
    page.wait_for_url(lambda address: "publier" not in address)


def test_from_the_sign_up_to_the_proof(sign_up, new_reader):
    alma, basil, rufus = sign_up("alma"), sign_up("basil"), sign_up("rufus")
    make_duellist(alma, "Alma Vauclair", "1999-03-02")
    make_duellist(basil, "Basil Orfèvre", "1998-11-20")
    become_referee(rufus, "rufus")

    basils = basil.url
    alma.goto(basils)
    alma.get_by_role("link", name="Défier").last.click()
    alma.click("main form button[type=submit]")
    alma.get_by_text("Basil Orfèvre").first.wait_for()
    duel = Duel.objects.get()
    basil.goto(f"/defis/{duel.pk}/")
    basil.click("button[value=accept]")
    basil.wait_for_load_state()

    rufus.goto("/arbitrage/")
    rufus.click(f"a[href$='/arbitrage/{duel.pk}/prendre/']")
    rufus.click("main form button")
    rufus.wait_for_load_state()
    hide_and_ask_to_start(alma, "head")
    hide_and_ask_to_start(basil, "right_leg")

    play_a_turn(alma, "left_arm", "torso")
    play_a_turn(basil, "left_leg", "head")
    publish(rufus, 1)
    play_a_turn(basil, "left_arm", "right_arm")
    play_a_turn(alma, "right_arm", "left_leg")
    publish(rufus, 2)

    basil.goto(f"/duels/{duel.pk}/abandon/")
    basil.click("main form button[type=submit]")
    basil.wait_for_load_state()

    reader = new_reader().new_page()
    reader.goto(f"/duels/{duel.pk}/")
    assert "Alma Vauclair" in reader.locator("main").inner_text()
    duel.refresh_from_db()
    assert (duel.status, duel.winner, duel.ended_by) == ("over", "a", "surrender")
    reader.goto(f"/duels/{duel.pk}/preuve/")
    with reader.expect_download() as download:
        reader.click("a[href$='export.json']")
    exported = download.value.path().read_bytes()
    report = verify_json(exported)
    assert report.ok, report.failures
    assert report.turns == 2
    assert json.loads(exported)["duel"] == str(duel.uid)
