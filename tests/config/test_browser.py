"""The frame of the pages in a real browser."""

import pytest
from axe_playwright_python.sync_playwright import Axe

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_hours_are_soon_shown_in_the_readers_zone(new_reader):
    page = new_reader(timezone_id="Asia/Tokyo").new_page()
    page.goto("/compte/login/")
    page.reload()
    assert "Asia/Tokyo" in page.locator("footer").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_the_doors(new_reader, scheme):
    page = new_reader(color_scheme=scheme).new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    for address in ("/compte/login/", "/compte/signup/", "/compte/password/reset/"):
        page.goto(address)
        assert Axe().run(page).response["violations"] == []
    assert faults == []
