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
    page.click("button[value=file]")
    page.wait_for_load_state()


def cast(page, spell, how):
    page.check(f"#id_cast-{spell}")
    page.check(f"input[name='{spell}.how'][value='{how}']")


def test_a_duel_with_a_correction_and_a_dodge(sign_in, new_reader):
    one, other = fighter(), fighter()
    anna, bruno = sign_in(one.user), sign_in(other.user)
    anna.goto(f"/defis/nouveau/?contre={other.pk}")
    anna.click("a[href$='regles=sorts']")
    anna.check("input[name=refereed][value=no]")
    anna.click("main form button[type=submit]")
    duel = Duel.objects.get()
    bruno.goto(f"/defis/{duel.pk}/")
    bruno.click("button[value=accept]")
    bruno.wait_for_load_state()
    for page in (anna, bruno):
        page.goto(f"/duels/{duel.pk}/preparation/")
        page.click("button[value=start]")
        page.wait_for_load_state()

    # A bet is forgotten: published as it is, then corrected.
    write(anna, duel)
    anna.check("#id_cast-flammula")
    anna.locator("[data-zone='5'].is-in-reach").wait_for()
    anna.check("input[name=move][value='5']")
    anna.click("button[value=recap]")
    anna.locator("#errors").wait_for()
    anna.click("button[value=as_it_is]")
    anna.wait_for_url(f"**/duels/{duel.pk}/tour/correction/")
    anna.check("input[type=radio][value='1-2-3-4']")
    anna.click("button[value=recap]")
    anna.click("button[value=file]")
    anna.wait_for_load_state()
    assert Post.objects.filter(thread__duel=duel, kind="correction").count() == 1

    # Turns are played until a spell is under way, which is then dodged.
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
            break
    write(bruno, duel)
    bruno.check("#id_do-dodge")
    bruno.check("input[name='dodge.bet'][value='1-2-3']")
    confirm(bruno)
    assert Post.objects.filter(thread__duel=duel, details__declaration__do="dodge").exists()

    bruno.goto(f"/duels/{duel.pk}/abandon/")
    bruno.click("main form button[type=submit]")
    bruno.wait_for_load_state()
    duel.refresh_from_db()
    assert (duel.status, duel.winner, duel.ended_by) == ("over", "1", "surrender")
    reader = new_reader().new_page()
    reader.goto(f"/duels/{duel.pk}/")
    assert "Flammula" in reader.locator("main").inner_text()
    reader.goto(f"/duels/{duel.pk}/preuve/")
    with reader.expect_download() as download:
        reader.click("a[href$='export.json']")
    report = verify_json(download.value.path().read_bytes())
    assert report.ok, report.failures
