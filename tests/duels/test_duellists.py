"""Duellists: whom anyone may see, and who may make and change them."""

import datetime as dt
import io
from pathlib import Path
from urllib.parse import quote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import translation
from PIL import Image

from duels import portraits
from duels.actions.ending import offer_draw
from duels.models import Duellist
from duels.sentences import names
from tests import play
from tests.factories import DuellistFactory, UserFactory

from .readers import as_user, strangers

pytestmark = pytest.mark.django_db

LIST, NEW = "/duellistes/", "/duellistes/nouveau/"


def page(duellist):
    return f"/duellistes/{duellist.pk}/"


def edit(duellist):
    return f"/duellistes/{duellist.pk}/modifier/"


def filled(**other):
    return {"name": "Ysolde", "birth_date": "2008-03-01", "year": "6", "wand_hand": "left", **other}


def picture(form="JPEG", size=(900, 600), mode="RGB", **options):
    drawn = io.BytesIO()
    Image.new(mode, size, "teal").save(drawn, form, **options)
    return SimpleUploadedFile(f"moi.{form.lower()}", drawn.getvalue())


@pytest.fixture(autouse=True)
def _school_date(settings, tmp_path):
    settings.SCHOOL_DATE = dt.date(2026, 9, 1)
    settings.MEDIA_ROOT = tmp_path


def test_anyone_reads_the_list_and_searches_it():
    DuellistFactory(name="Alma Deschênes")
    DuellistFactory(name="Boris")
    assert "Boris" in as_user().get(LIST).text
    found = as_user().get(LIST, {"q": "deschê"}).text
    assert "Alma Deschênes" in found
    assert "Boris" not in found
    assert "zzz" in as_user().get(LIST, {"q": "zzz"}).text
    assert "Boris" in as_user().get(LIST, {"q": "\0bor"}).text


def test_an_empty_list_says_what_to_do():
    assert NEW in as_user().get(LIST).text


def test_a_long_list_is_paged():
    for number in range(30):
        DuellistFactory(name=f"Personne {number:02}")
    assert "Personne 29" not in as_user().get(LIST).text
    assert "Personne 29" in as_user().get(LIST, {"page": "2"}).text
    assert as_user().get(LIST, {"page": "n'importe"}).status_code == 200


def test_ones_own_duellists_come_first():
    mine = DuellistFactory(name="Zoé")
    assert edit(mine) in as_user(mine.user).get(LIST).text
    assert edit(mine) not in as_user().get(LIST).text


def test_anyone_reads_a_duellist_its_record_and_its_duels():
    duel = play.over()
    winner, loser = (seat.duellist for seat in duel.seats.all())
    running = play.running(a=winner)
    answer = as_user().get(page(winner))
    assert answer.context["record"] == (1, 0, 0)
    assert running.get_absolute_url() in answer.text
    assert duel.get_absolute_url() in answer.text
    assert as_user().get(page(loser)).context["record"] == (0, 1, 0)


def test_a_draw_counts_for_both():
    duel = play.running()
    for letter in "ab":
        offer_draw(user=play.player(duel, letter), duel_id=duel.pk, received_at=play.clock.now())
    for seat in duel.seats.all():
        assert as_user().get(page(seat.duellist)).context["record"] == (0, 0, 1)


def test_one_challenges_others_and_changes_ones_own():
    duellist = DuellistFactory()
    challenge = f"/defis/nouveau/?contre={duellist.pk}"
    assert challenge in as_user(UserFactory()).get(page(duellist)).text
    mine = as_user(duellist.user).get(page(duellist)).text
    assert challenge not in mine
    assert edit(duellist) in mine


def test_making_a_duellist():
    user = UserFactory()
    answer = as_user(user).post(NEW, filled())
    made = Duellist.objects.get()
    assert answer.url == page(made)
    assert (made.user, made.name, made.year, made.wand_hand) == (user, "Ysolde", 6, "left")


def test_an_adult_has_no_year():
    as_user(UserFactory()).post(NEW, filled(year=""))
    assert Duellist.objects.get().year is None


def test_one_goes_on_where_one_came_from_but_never_elsewhere():
    back = "/defis/nouveau/?contre=3"
    client = as_user(UserFactory())
    assert client.get(f"{NEW}?next={quote(back)}").context["next"] == back
    assert client.post(NEW, filled(next=back)).url == back
    elsewhere = client.post(NEW, filled(name="Autre", next="https://example.org/"))
    assert elsewhere.url.startswith("/duellistes/")


def test_only_those_signed_in_make_duellists():
    assert as_user().get(NEW).url.startswith("/compte/login/")
    assert as_user().post(NEW, filled()).url.startswith("/compte/login/")
    assert not Duellist.objects.exists()


@pytest.mark.parametrize(("born", "accepted"), [("2015-09-01", True), ("2015-09-02", False), ("2030-01-01", False)])
def test_a_duellist_is_eleven_on_the_schools_date(born, accepted):
    answer = as_user(UserFactory()).post(NEW, filled(birth_date=born, year="1"))
    assert Duellist.objects.exists() is accepted
    assert answer.status_code == (302 if accepted else 422)
    if not accepted:
        assert answer.context["form"].errors["birth_date"]
        assert 'value="Ysolde"' in answer.text  # nothing typed is lost


def test_a_name_is_borne_once():
    DuellistFactory(name="Ysolde")
    answer = as_user(UserFactory()).post(NEW, filled())
    assert answer.status_code == 422
    assert answer.context["form"].errors["name"]


def test_only_who_plays_a_duellist_changes_it():
    duel = play.running()
    duellist = duel.seats.get(letter="a").duellist
    assert as_user().get(edit(duellist)).status_code == 302
    for kind, client in strangers(duel).items():
        assert client.get(edit(duellist)).status_code == 403, kind
        assert client.post(edit(duellist), filled()).status_code == 403, kind
    duellist.refresh_from_db()
    assert duellist.name != "Ysolde"
    assert as_user(duellist.user).post(edit(duellist), filled()).url == page(duellist)


def test_a_new_name_shows_in_duels_that_are_not_over_and_what_was_announced_stays():
    duellist = DuellistFactory(name="Ancienne", birth_date=dt.date(1990, 1, 1))
    finished = play.over(a=duellist)
    under_way = play.running(a=duellist)
    pending = play.challenged(a=duellist)
    as_user(duellist.user).post(edit(duellist), filled(name="Nouvelle"))
    assert play.fresh(finished).name_of("a") == "Ancienne"
    assert play.fresh(under_way).name_of("a") == "Nouvelle"
    assert play.fresh(under_way).cast["a"]["year"] is None
    assert play.fresh(under_way).setup["duellists"]["a"] == {"age": 36, "year": "adult"} | {
        key: value for key, value in under_way.setup["duellists"]["a"].items() if key not in ("age", "year")
    }
    assert play.fresh(pending).cast["a"]["year"] == 6


def test_a_portrait_is_redrawn_small_and_bare():
    exif = Image.Exif()
    exif[0x010F] = "appareil de Ysolde"
    answer = as_user(UserFactory()).post(NEW, filled(portrait=picture(exif=exif, size=(1600, 800))))
    assert answer.status_code == 302
    kept = Duellist.objects.get().portrait
    assert "moi" not in kept.name
    with Image.open(kept.path) as drawn:
        assert (drawn.format, drawn.size) == ("WEBP", (portraits.SIDE, portraits.SIDE // 2))
        assert not drawn.getexif()
    assert b"appareil" not in Path(kept.path).read_bytes()


def test_a_transparent_picture_is_laid_on_paper():
    drawn = portraits.redrawn(picture("PNG", (20, 20), "RGBA"), size=100)
    assert Image.open(drawn).mode == "RGB"


@pytest.mark.parametrize(
    ("sent", "limits"),
    [
        (SimpleUploadedFile("moi.jpg", b"<svg onload='alert(1)'>"), {}),
        (SimpleUploadedFile("moi.jpg", picture().read()[:500]), {}),
        (picture("GIF"), {}),
        (picture(), {"HEAVIEST": 100}),
        (picture(), {"LARGEST": 100}),
        (SimpleUploadedFile("moi.jpg", b""), {}),
    ],
    ids=["not a picture", "cut short", "another kind", "too heavy", "too many pixels", "empty"],
)
def test_a_bad_picture_is_refused_with_the_reason(monkeypatch, sent, limits):
    for name, limit in limits.items():
        monkeypatch.setattr(portraits, name, limit)
    sent.seek(0)
    answer = as_user(UserFactory()).post(NEW, filled(portrait=sent))
    assert answer.status_code == 422
    assert len(answer.context["form"].errors["portrait"]) == 1
    assert not Duellist.objects.exists()


def test_a_portrait_is_replaced_and_taken_away_with_its_file(tmp_path):
    client = as_user(UserFactory())
    client.post(NEW, filled(portrait=picture()))
    duellist = Duellist.objects.get()
    client.post(edit(duellist), filled(portrait=picture("PNG")))
    assert len(list(tmp_path.rglob("*.webp"))) == 1
    client.post(edit(duellist), filled())
    duellist.refresh_from_db()
    assert duellist.portrait
    client.post(edit(duellist), filled(**{"portrait-clear": "on"}))
    duellist.refresh_from_db()
    assert not duellist.portrait
    assert not list(tmp_path.rglob("*.webp"))


def test_years_of_study_are_called_alike():
    with translation.override("en"):
        assert [names.year_name(year) for year in (1, 2, 7)] == ["year 1", "year 2", "year 7"]
    with translation.override("fr"):
        assert [names.year_name(year) for year in (1, 2)] == ["1re année", "2e année"]
