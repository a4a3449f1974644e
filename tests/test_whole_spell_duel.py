"""A whole spell duel in real browsers: the challenge, a correction, a dodge, the surrender and the proof."""

from itertools import cycle

import pytest
from django.test import Client

from duels.models import Duel, Post
from rules.verify import verify_json
from tests.play import TEXT
from tests.spells_play import fighter

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def sign_in(new_reader):
    """Return somebody's tab, signed in."""

    def come_in(user):
        client = Client()
        client.force_login(user)
        context = new_reader()
        page = context.new_page()
        page.goto("/")
        cookie = client.cookies["sessionid"]
        context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": page.url}])
        return page

    return come_in


def write(page, duel, text=TEXT):
    page.goto(f"/duels/{duel.pk}/tour/")
    page.fill("[name=text]", text)


def confirm(page):
    page.click("button[value=recap]")
    press(page, "button[value=file]")


def cast(page, spell, how):
    page.check(f"#id_cast-{spell}")
    page.check(f"input[name='{spell}.how'][value='{how}']")


def press(page, button):
    page.click(button)
    page.wait_for_load_state()


def test_a_duel_with_a_correction_and_a_dodge(sign_in, new_reader):
    one, other = fighter(), fighter()
    anna, bruno = sign_in(one.user), sign_in(other.user)
    duel = agree(anna, bruno, opponent=other)
    forget_the_bet_and_correct(anna, duel)
    play_until_a_spell_is_under_way(anna, bruno, duel)
    dodge(bruno, duel)
    surrender(bruno, duel)
    duel.refresh_from_db()
    assert (duel.status, duel.winner, duel.ended_by) == ("over", "1", "surrender")
    reader = new_reader().new_page()
    reader.goto(f"/duels/{duel.pk}/")
    assert "Flammula" in reader.locator("main").inner_text()
    report = proof_of(reader, duel)
    assert report.ok, report.failures


def agree(anna, bruno, *, opponent):
    """Let one challenge the other, who accepts; both ask to start at once. Return the duel."""
    anna.goto(f"/defis/nouveau/?contre={opponent.pk}")
    anna.click("a[href$='regles=sorts']")
    anna.check("input[name=refereed][value=no]")
    press(anna, "main form button[type=submit]")
    duel = Duel.objects.get()
    bruno.goto(f"/defis/{duel.pk}/")
    press(bruno, "button[value=accept]")
    for page in (anna, bruno):
        page.goto(f"/duels/{duel.pk}/preparation/")
        press(page, "button[value=start]")
    return duel


def forget_the_bet_and_correct(page, duel):
    write(page, duel)
    page.check("#id_cast-flammula")
    page.locator("[data-zone='5'].is-in-reach").wait_for()
    page.check("input[name=move][value='5']")
    page.click("button[value=recap]")
    page.locator("#errors").wait_for()
    page.click("button[value=recap_as_it_is]")
    page.click("button[value=as_it_is]")
    page.wait_for_url(f"**/duels/{duel.pk}/tour/correction/")
    page.check("input[type=radio][value='1-2-3-4']")
    confirm(page)
    assert Post.objects.filter(thread__duel=duel, kind="correction").count() == 1


def play_until_a_spell_is_under_way(anna, bruno, duel):
    spells = cycle(("lancea", "flammula"))  # none in two turns running (B4.1.7)
    for _turn in range(12):
        duel.refresh_from_db()
        if "a" in duel.awaited:
            write(anna, duel)
            cast(anna, next(spells), "plain|1-2-3-4")
            confirm(anna)
        write(bruno, duel)
        confirm(bruno)
        duel.refresh_from_db()
        if duel.phase.name == "defence":
            return
    raise AssertionError("no spell got under way in twelve turns")


def dodge(page, duel):
    write(page, duel)
    page.check("#id_do-dodge")
    page.check("input[name='dodge.bet'][value='1-2-3']")
    confirm(page)
    assert Post.objects.filter(thread__duel=duel, details__declaration__do="dodge").exists()


def surrender(page, duel):
    page.goto(f"/duels/{duel.pk}/abandon/")
    press(page, "main form button[type=submit]")


def proof_of(page, duel):
    """Download the export from the proof's page, and verify it."""
    page.goto(f"/duels/{duel.pk}/preuve/")
    with page.expect_download() as download:
        page.click("a[href$='export.json']")
    return verify_json(download.value.path().read_bytes())
