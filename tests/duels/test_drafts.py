"""What is typed for a turn is kept: sealed on the server, the text alone in the browser."""

import pytest
from django.urls import reverse

from duels.actions.sweep import sweep
from duels.models import Draft
from tests import play
from tests.play import TEXT

from .readers import as_player, as_user, strangers

BEGUN = "Le pantin hésite, et"


def page(duel):
    return reverse("duels:turn", args=[duel.pk])


def keep(duel, letter="a", text=BEGUN, turn="1", **other):
    form = {"turn": turn, "text": text, "thrust": "torso", **other}
    return as_player(duel, letter).post(reverse("duels:draft", args=[duel.pk]), form)


@pytest.fixture
def duel(db):
    return play.running()


def test_a_draft_is_kept_with_its_declaration_and_shown_again(duel):
    answer = keep(duel, option="rough_skin", **{"rough_skin.zones": "head"})
    assert answer.url == page(duel)
    shown = as_player(duel, "a").get(page(duel))
    assert BEGUN in shown.text
    assert shown.context["sheet"].declaration == {
        "thrust": "torso",
        "parry": None,
        "option": {"name": "rough_skin", "zones": ["head"]},
    }


def test_the_script_keeps_drafts_without_an_answer_to_read(duel):
    assert keep(duel, do="quietly").status_code == 204
    keep(duel, do="quietly", text=BEGUN + " attend")
    assert Draft.objects.count() == 1
    assert "et attend" in as_player(duel, "a").get(page(duel)).text


def test_a_draft_is_for_its_author(duel):
    keep(duel)
    assert BEGUN not in as_player(duel, "b").get(page(duel)).text
    assert as_player(duel, "b").get(page(duel)).context["sheet"].declaration.get("thrust") is None
    for kind, client in strangers(duel).items():
        address = reverse("duels:draft", args=[duel.pk])
        assert client.post(address, {"turn": "1", "text": "x"}).status_code == 403, kind
    assert as_user().post(reverse("duels:draft", args=[duel.pk]), {"turn": "1"}).status_code == 302
    assert Draft.objects.count() == 1


def test_a_draft_is_kept_by_posting_only(duel):
    assert as_player(duel, "a").get(reverse("duels:draft", args=[duel.pk])).status_code == 405


def test_a_draft_is_sealed_at_rest(duel):
    keep(duel, text=TEXT)
    sealed = bytes(Draft.objects.get().sealed)
    assert b"pantin" not in sealed
    assert b"torso" not in sealed


def test_a_draft_never_overwrites_that_of_another_turn(duel):
    play.play_turn(duel)
    keep(duel, turn="2")
    late = keep(duel, turn="1", text="du tour d'avant")
    assert late.status_code == 409
    assert "du tour d&#x27;avant" in late.text
    assert BEGUN in as_player(duel, "a").get(page(duel)).text


def test_there_is_no_draft_of_what_is_published(duel):
    play.file(duel, "a")
    answer = keep(duel, do="quietly")
    assert answer.status_code == 409
    assert "<" not in answer.text
    assert not Draft.objects.exists()


def test_what_was_filed_is_no_draft_any_more(duel):
    keep(duel)
    play.play_turn(duel)
    assert not Draft.objects.exists()
    assert BEGUN not in as_player(duel, "a").get(page(duel)).text


def test_a_text_that_was_never_filed_is_given_back_in_the_next_turn(duel, time):
    keep(duel)
    play.file(duel, "b")
    time.go_to(duel.phase.due_at, seconds=31)
    sweep()
    closed = as_player(duel, "a").get(page(duel))
    assert closed.context["unfiled"] == BEGUN
    play.publish(duel)
    following = as_player(duel, "a").get(page(duel))
    assert following.context["unfiled"] == BEGUN
    assert following.context["form"]["text"].value() == ""
    assert BEGUN not in as_player(duel, "b").get(page(duel)).text


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_on_a_phone_zone_zone_confirm(reader):
    """Three touches after the text; what is typed is found again, and forgotten once filed."""
    duel = play.running()
    phone = sign_in(reader, duel)
    phone.goto(page(duel))
    phone.fill("#id_text", TEXT)
    assert "123" in phone.inner_text("#words")
    phone.locator("#id_thrust-head").check()
    phone.locator("#id_parry-torso").check()
    confirm = phone.locator('#recap button[value="file"]')
    confirm.wait_for()
    assert "123" in phone.inner_text("#recap")
    phone.locator("#draft-says:not(:empty)").wait_for()
    assert Draft.objects.count() == 1
    assert kept_texts(phone) == [TEXT]
    assert "torso" not in phone.evaluate("JSON.stringify(localStorage)")

    Draft.objects.all().delete()  # the server has lost it: this browser has not
    phone.reload()
    assert phone.input_value("#id_text") == TEXT
    phone.locator("#id_thrust-head").check()
    phone.locator("#id_parry-torso").check()
    confirm.click()
    phone.wait_for_url(f"**{page(duel)}")
    phone.locator(".receipts").wait_for()
    assert kept_texts(phone) == []
    assert play.fresh(duel).phase.filed == {"a": 1}


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_what_was_refused_of_a_zone_goes_as_another_is_chosen(reader):
    """Also while something else is still missing."""
    duel = play.running()
    phone = sign_in(reader, duel)
    phone.goto(page(duel))
    phone.locator("#id_thrust-head").check()
    phone.locator('#to-recap button[value="recap"]').click()
    refused = phone.locator(".zone-picker.is-invalid")
    assert refused.count() == 1
    phone.locator("#parry-error").wait_for()
    phone.locator("#id_parry-torso").check()
    assert refused.count() == 0
    assert phone.locator("#parry-error").count() == 0
    assert phone.locator("#text-error").count() == 1


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_signing_out_forgets_what_was_typed(reader):
    duel = play.running()
    tab = sign_in(reader, duel)
    tab.goto(page(duel))
    tab.fill("#id_text", BEGUN)
    tab.goto("/duellistes/")
    assert kept_texts(tab) == [BEGUN]
    with tab.expect_navigation():
        tab.locator('form[action$="/logout/"]').evaluate("form => form.requestSubmit()")
    assert kept_texts(tab) == []


def sign_in(reader, duel):
    """Return a tab of the phone of the duel's first player."""
    cookie = as_player(duel, "a").cookies["sessionid"].value
    tab = reader.new_page()
    tab.set_viewport_size({"width": 360, "height": 740})
    tab.goto("/regles/arene/")
    reader.add_cookies([{"name": "sessionid", "value": cookie, "url": tab.evaluate("location.origin")}])
    return tab


def kept_texts(tab):
    return tab.evaluate("Object.values(localStorage).map(kept => JSON.parse(kept).text)")
