"""A form does its work once, however often it is sent: by a second click, by going back, after a lost answer."""

import re
import uuid

import pytest

from duels.actions.scenes import open_scene
from duels.actions.sendings import done, once
from duels.errors import AlreadySent
from duels.models import Duel, Post, Scene, Sending, Transfer
from tests import play, spells_play
from tests.factories import DuellistFactory, StaffFactory, UserFactory
from tournaments.desk.models import Enrolment
from tournaments.models import Tournament

from .purses import give, holds
from .readers import as_user, english

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]
TOLD = "You had sent this already"


def key_in(page):
    return re.search(r'name="(?:[a-z]+-)?sending" value="([0-9a-f-]{36})"', page.text).group(1)


@pytest.fixture
def send_twice():
    """Fill in the form of a page twice over, with the same key; return what the second time is answered."""

    def sent(client, address, filled, *, at=None, key="sending"):
        form = {**filled, key: key_in(english(client).get(address))}
        first = client.post(at or address, form)
        assert first.status_code == 302, first.text
        second = client.post(at or address, form, follow=True)
        assert TOLD in second.text
        return first, second

    return sent


def test_a_grant_is_entered_once_and_who_confirms_it_again_is_led_to_it(send_twice):
    alma = DuellistFactory()
    filled = {"currency": "runes", "amount": "12", "reason": "Noël", "do": "confirm"}
    _first, second = send_twice(as_user(StaffFactory()), f"/duellistes/{alma.pk}/bourse/don/", filled)
    assert holds(alma, "runes") == 12
    entry = Transfer.objects.get()
    assert second.redirect_chain == [(f"/duellistes/{alma.pk}/bourse/#e{entry.pk}", 302)]
    assert f'id="e{entry.pk}"' in second.text


def test_the_key_of_a_grant_goes_through_the_recap_and_back():
    client = english(as_user(StaffFactory()))
    address = f"/duellistes/{DuellistFactory().pk}/bourse/don/"
    filled = {"currency": "runes", "amount": "12", "reason": "Noël", "sending": key_in(client.get(address))}
    assert key_in(client.post(address, filled)) == filled["sending"]
    assert key_in(client.post(address, {**filled, "do": "change"})) == filled["sending"]
    assert key_in(client.post(address, {**filled, "amount": "0"})) == filled["sending"]
    assert key_in(client.get(address)) != filled["sending"]


def test_what_was_refused_may_be_sent_again():
    alma = DuellistFactory()
    client = english(as_user(StaffFactory()))
    address = f"/duellistes/{alma.pk}/bourse/don/"
    filled = {"currency": "runes", "amount": "-2", "reason": "Erreur", "do": "confirm"}
    filled["sending"] = key_in(client.get(address))
    assert client.post(address, filled).status_code == 422
    give(alma, 5, "runes")
    assert client.post(address, filled).status_code == 302
    assert holds(alma, "runes") == 3


def test_a_post_is_in_its_scene_once(send_twice):
    alma = DuellistFactory()
    scene = open_scene(user=alma.user, duellist=alma, title="La serre", text="Elle attend.")
    filled = {"duellist": alma.pk, "text": "Elle attend encore.", "do": "as_it_is"}
    _first, second = send_twice(as_user(alma.user), scene.get_absolute_url(), filled)
    assert scene.thread.posts.count() == 2
    assert second.redirect_chain[-1][0].endswith("#m2")


def test_another_text_from_the_same_page_is_another_post():
    alma = DuellistFactory()
    scene = open_scene(user=alma.user, duellist=alma, title="La serre", text="Elle attend.")
    client = as_user(alma.user)
    key = key_in(client.get(scene.get_absolute_url()))
    for text in ("Un pas.", "Un autre."):
        client.post(scene.get_absolute_url(), {"duellist": alma.pk, "text": text, "sending": key, "do": "as_it_is"})
    assert scene.thread.posts.count() == 3


def test_a_scene_is_opened_once(send_twice):
    alma = DuellistFactory()
    filled = {"duellist": alma.pk, "title": "La serre", "text": "Elle attend.", "do": "as_it_is"}
    _first, second = send_twice(as_user(alma.user), "/scenes/nouvelle/", filled)
    assert second.redirect_chain == [(Scene.objects.get().get_absolute_url(), 302)]


def test_a_verdict_is_annotated_once(send_twice):
    duel = play.over()
    filled = {"kind": "note", "words": "Le dé est tombé par terre.", "reason": "Pour mémoire"}
    send_twice(as_user(StaffFactory()), f"/arbitrage/{duel.pk}/annoter/", filled)
    assert Post.objects.filter(details__note="annotation").count() == 1


@pytest.mark.parametrize(
    ("do", "filled"),
    [
        ("points", {"points-seat": "a", "points-gauge": "link", "points-points": "-1", "points-reason": "Un indice"}),
        ("note", {"note-reason": "Une belle mise en scène"}),
    ],
)
def test_a_ruling_stands_once(send_twice, do, filled):
    duel = play.locked()
    client = english(as_user(duel.referee))
    page = client.get(f"/arbitrage/{duel.pk}/1/")
    key = re.search(rf'name="{do}-sending" value="([0-9a-f-]+)"', page.text).group(1)
    form = {"do": do, **filled, f"{do}-sending": key}
    assert client.post(f"/arbitrage/{duel.pk}/1/amender/", form).status_code == 302
    again = client.post(f"/arbitrage/{duel.pk}/1/amender/", form, follow=True)
    assert TOLD in again.text
    assert duel.entries.filter(kind="ruling").count() == 1


def test_a_challenge_sent_again_after_it_was_answered_is_no_new_one():
    alma, basil = DuellistFactory(), DuellistFactory()
    address, client = f"/defis/nouveau/?contre={basil.pk}", english(as_user(alma.user))
    form = client.get(address).context["form"]
    filled = {"challenger": alma.pk, "kind": "training", "turn_hours": 48, "refereed": "yes"}
    filled["starts_at"] = form["starts_at"].value().strftime("%Y-%m-%dT%H:%M")
    filled["sending"] = str(form["sending"].value())
    assert client.post(address, filled).status_code == 302
    duel = Duel.objects.get()
    english(as_user(basil.user)).post(f"/defis/{duel.pk}/", {"action": "decline"})
    assert TOLD in client.post(address, filled, follow=True).text
    assert Duel.objects.count() == 1


def test_a_challenge_to_a_spell_duel_is_sent_once(send_twice):
    alma, basil = spells_play.fighter(), spells_play.fighter()
    address, client = f"/defis/nouveau/?contre={basil.pk}&regles=sorts", as_user(alma.user)
    start = client.get(address).context["form"]["starts_at"].value().strftime("%Y-%m-%dT%H:%M")
    filled = {"challenger": alma.pk, "mode": "rp", "starts_at": start, "refereed": "yes"}
    send_twice(client, address, filled)
    assert Duel.objects.count() == 1


@pytest.mark.parametrize("rules", ["", "?regles=sorts"])
def test_one_registers_at_the_desk_once_even_after_leaving_it(rules):
    alma = spells_play.fighter()
    address, client = f"/inscriptions/nouvelle/{rules}", english(as_user(alma.user))
    filled = {"duellist": alma.pk, "kind": "training", "turn_hours": 48, "refereed": "no", "stake_currency": "liards"}
    filled |= {"mode": "rp", "format": "1v1", "sending": key_in(client.get(address))}
    assert client.post(address, filled).status_code == 302
    Enrolment.objects.update(status=Enrolment.Status.WITHDRAWN)
    assert TOLD in client.post(address, filled, follow=True).text
    assert Enrolment.objects.count() == 1


def test_a_key_is_its_members_own_and_without_one_nothing_is_remembered():
    key, now = uuid.uuid4(), play.clock.now()
    one, other = UserFactory(), UserFactory()
    for user in (one, other):
        done(once(user, key, at=now), "/avis/")
    once(one, None, at=now)
    once(one, key, "autre chose", at=now)
    assert Sending.objects.count() == 3
    with pytest.raises(AlreadySent) as refused:
        once(one, key, at=now)
    assert refused.value.led_to == "/avis/"


def test_a_tournament_is_announced_once(send_twice):
    filled = {
        "name": "Coupe de givre", "ruleset": "arena", "kind": "single", "seeding": "draw", "capacity": "16",
        "turn_hours": "48", "round_days": "14", "starts_at": "2099-01-01T20:00", "do": "announce",
    }  # fmt: skip
    _first, second = send_twice(as_user(StaffFactory()), "/tournois/nouveau/", filled)
    assert Tournament.objects.count() == 1
    assert second.redirect_chain == [("/tournois/coupe-de-givre/", 302)]
