"""What staff see and may do in the admin: everything that is not secret, and nothing that the log would contradict."""

import re
import uuid
from importlib import import_module
from types import SimpleNamespace

import msgspec
import pytest
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.db import connection
from django.db.models import BinaryField
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation
from django.utils.functional import Promise

from duels import clock, secrets
from duels.actions.availability import set_availability
from duels.actions.disclosures import note_disclosure
from duels.actions.ending import surrender
from duels.actions.filing import save_draft
from duels.actions.heartbeat import beat
from duels.actions.removal import remove_post
from duels.actions.rulings import rule_invalid
from duels.actions.scenes import open_scene, save_scene_draft
from duels.actions.sendings import done, once
from duels.actions.time_outs import ask_time_out
from duels.admin.reading import ReadOnlyAdmin, StaffAdmin
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import (
    Account,
    Appeal,
    Availability,
    CarriedOver,
    Disclosure,
    Draft,
    Duel,
    Duellist,
    Entry,
    Framing,
    Happening,
    Heartbeat,
    Phase,
    Post,
    PostBody,
    ReadMark,
    Removal,
    Resolution,
    Scene,
    SceneDraft,
    SealedPost,
    Seat,
    Sending,
    SpellBook,
    Thread,
    TimeOut,
    Transfer,
)
from duels.people import REFEREES, is_referee
from notices.actions.telling import drain
from notices.models import Cursor, Delivery, Notice, Preference
from referee.actions.hand_overs import ask_hand_over
from referee.models import Candidacy, HandOver
from tests import play
from tests.config.people import with_authenticator
from tests.duels.arenas import quiet
from tests.duels.purses import give
from tests.duels.readers import as_player, as_user
from tests.factories import DuellistFactory, RefereeFactory, StaffFactory, UserFactory
from tests.secrets import ONE, OTHER, School, Secrets

pytestmark = pytest.mark.django_db

READ_ONLY = [
    Duel, Seat, Phase, Entry, Resolution, Draft, Thread, Post, Removal, ReadMark, Happening, Disclosure,
    Heartbeat, TimeOut, SealedPost, Notice, Delivery, Preference, Candidacy, HandOver, Account, Transfer,
    Framing, Scene, SceneDraft, Appeal, Sending,
]  # fmt: skip
OURS = [model for model in admin.site._registry if model._meta.app_label in ("duels", "notices", "referee")]
APPS = ("config", "duels", "notices", "referee", "tournaments")
PHRASE = "un mot de passe à demi écrit"


def listing(model):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def row(instance, what="change"):
    return reverse(f"admin:{instance._meta.app_label}_{instance._meta.model_name}_{what}", args=[instance.pk])


def nth(model, place):
    """Return the address of a model's row by its place, or of the list when there are not as many."""

    def address(_duel):
        instance = model.objects.order_by("pk")[place : place + 1].first()
        return row(instance) if instance else listing(model)

    return address


@pytest.fixture
def staff():
    return as_user(StaffFactory())


@pytest.fixture
def busy():
    """A duel with one row at least in every table."""
    duel = play.publish(play.locked())
    play.file(duel, "a")
    for letter in "ab":
        kept = {"text": PHRASE, "declaration": {}}
        if letter == "b":
            save_draft(user=play.player(duel, letter), duel_id=duel.pk, turn=2, draft=kept, at=clock.now())
    first = Post.objects.filter(thread__duel=duel, kind="rp").order_by("position").first()
    remove_post(user=StaffFactory(), post_id=first.pk, reason="un nom véritable")
    ReadMark.objects.create(thread=duel.thread, user=UserFactory(), position=3)
    _beside_the_log(play.fresh(duel))
    return play.fresh(duel)


def _beside_the_log(duel):
    """What people ask, say and are told around a duel."""
    now = clock.now()
    note_disclosure(user=duel.referee, duel=duel, phase=duel.phase, seats="ab")
    set_availability(user=duel.referee, is_available=True, at_once=3, note="Le soir.")
    ask_hand_over(user=duel.referee, duel_id=duel.pk, to_id=RefereeFactory().pk, message=PHRASE)
    ask_time_out(user=play.player(duel, "b"), duel_id=duel.pk, hours=24, reason="Des examens.", received_at=now)
    Candidacy.objects.create(user=UserFactory(), message="Je lis tout.", sent_at=now)
    SealedPost.objects.create(phase=duel.phase, seat="a", entry_index=1, sealed=PHRASE.encode())
    Appeal.objects.create(
        duel=duel, resolution=duel.phase.after, seat=duel.seats.first(), made_at=now, made_index=1, until=now,
        answer=Appeal.Answer.UPHELD, answered_at=now, answered_by=UserFactory(), answer_index=2,
    )  # fmt: skip
    Framing.objects.create(phase=duel.phase, sealed=PHRASE.encode(), saved_at=now)
    Preference.objects.create(user=UserFactory())
    done(once(play.player(duel, "b"), uuid.uuid4(), at=now), "/avis/")
    give(writer := duel.seats.first().duellist, 3)
    scene = open_scene(user=writer.user, duellist=writer, title="Le toit", text="Il pleut.")
    save_scene_draft(user=writer.user, scene_id=scene.pk, text=PHRASE)
    beat(at=now)
    drain()


@pytest.mark.parametrize("reader", ["nobody", "player", "referee"])
def test_the_admin_is_for_staff(busy, reader):
    client = {"nobody": as_user, "player": lambda: as_player(busy, "a"), "referee": lambda: as_user(busy.referee)}[
        reader
    ]()
    for address in (reverse("admin:index"), listing(Entry), row(busy), row(Entry.objects.first())):
        answer = client.get(address, follow=True)
        assert answer.status_code == (200 if reader == "nobody" else 403)
        assert 'id="site-name"' not in answer.content.decode()
        assert not answer.redirect_chain or answer.redirect_chain[-1][0].startswith(("/compte/login/", "/admin/login/"))


def test_every_table_is_listed_searched_and_shown(staff, busy):
    assert set(READ_ONLY) | {Duellist, Availability, CarriedOver, SpellBook, Cursor} == set(OURS)
    for model in [*READ_ONLY, Duellist, Availability]:
        found = staff.get(listing(model))
        assert found.status_code == 200
        assert found.context["cl"].result_count == model.objects.count() > 0
        assert staff.get(listing(model), {"q": str(busy.pk)}).status_code == 200
        shown = staff.get(row(model.objects.first()))
        assert shown.status_code == 200
        assert PHRASE not in shown.content.decode()
    assert staff.get(listing(Post), {"q": "introuvable"}).context["cl"].result_count == 0


NOT_SHOWN = {"duels.PostBody": "the text of a post, which the post shows and loses when staff take it away"}


def test_every_table_of_ours_is_there_or_left_out_for_a_reason():
    ours = {model for model in apps.get_models() if model.__module__.split(".")[0] in APPS}
    assert {model._meta.label for model in ours - set(admin.site._registry)} == NOT_SHOWN.keys()
    assert {model._meta.app_label for model in ours} == {"duels", "notices", "referee", "tournaments"}


def test_no_sealed_column_is_in_any_form_or_list_of_staff():
    shown = {
        f"{model._meta.label}.{field.name}"
        for model, page in admin.site._registry.items()
        for field in model._meta.fields
        if isinstance(field, BinaryField) and _may_show(page, field.name)
    }
    assert shown == set()


def _may_show(page, name):
    listed = {*page.list_display, *page.readonly_fields, *(page.fields or ())}
    return name in listed or (isinstance(page, ReadOnlyAdmin) and name in page.get_fields(None))


def test_every_list_filters(staff, busy):
    for model in (
        Duel, Seat, Phase, Entry, Post, Happening, Availability, TimeOut, HandOver, Candidacy, Delivery, Preference,
        Account, Transfer, Appeal,
    ):  # fmt: skip
        choices = _choices(staff.get(listing(model)).context["cl"])
        assert choices
        for choice in choices:
            assert staff.get(listing(model) + choice).status_code == 200
    kinds = staff.get(listing(Entry), {"kind": "filing"}).context["cl"].queryset
    assert {entry.kind for entry in kinds} == {"filing"}


def test_every_table_and_column_that_staff_see_has_a_name_in_their_language():
    unnamed = []
    for model, page in admin.site._registry.items():
        if model._meta.app_label in ("duels", "notices", "referee", "tournaments"):
            shown = page.get_fields(None) if isinstance(page, ReadOnlyAdmin) else ()
            fields = [field for field in model._meta.fields if field.name in shown]
            unnamed += [str(field) for field in fields if field.name != "id" and not _is_translated(field.verbose_name)]
            unnamed += [] if _is_translated(model._meta.verbose_name_plural) else [model.__name__]
    assert unnamed == []


def test_no_two_tables_have_one_name_and_none_has_an_english_one():
    with translation.override("fr"):
        names = [str(model._meta.verbose_name_plural) for model in admin.site._registry]
        assert len(set(names)) == len(names)
        assert {"avancement des avis", "avancement des classements et des statistiques", "seconds facteurs"} <= {*names}
        assert str(apps.get_app_config("mfa").verbose_name) == "Second facteur"
        page = admin.site._registry[Authenticator]
        named = {name: str(Authenticator._meta.get_field(name).verbose_name) for name in page.fields}
        assert named == {
            "user": "membre",
            "type": "genre",
            "created_at": "créé le",
            "last_used_at": "utilisé pour la dernière fois le",
        }
        assert str(Authenticator.Type.TOTP.label) == "Application d’authentification"


def test_the_types_of_magic_of_a_duellist_are_named_as_the_book_names_them(staff):
    field = staff.get(row(DuellistFactory())).context["adminform"].form.fields["types"]
    assert dict(field.choices)["water"] == "Eau"
    assert all(name != code for code, name in field.choices)


def _is_translated(name):
    """Whether a name is looked up in the catalogue as it is read."""
    return isinstance(name, Promise)


def test_every_list_asks_as_much_for_many_rows_as_for_few(staff, busy):
    """Two rows more of everything: no list asks one query more."""
    before = {model: _asked(staff, listing(model)) for model in OURS}
    for _more in range(2):
        one_more = play.publish(play.locked())
        play.file(one_more, "a")
        save_draft(
            user=play.player(one_more, "b"), duel_id=one_more.pk, turn=2, draft={"text": "", "declaration": {}},
            at=clock.now(),
        )  # fmt: skip
        first = Post.objects.filter(thread__duel=one_more, kind="rp").order_by("position").first()
        remove_post(user=StaffFactory(), post_id=first.pk, reason="un nom véritable")
        ReadMark.objects.create(thread=one_more.thread, user=UserFactory(), position=3)
        Heartbeat.objects.create(since=clock.now(), at=clock.now())
        _beside_the_log(play.fresh(one_more))
    asked = {model: _asked(staff, listing(model)) for model in OURS}
    grown = {model.__name__ for model in OURS if asked[model] > before[model]}
    assert grown == set()


def _asked(client, address):
    """How many queries a page asks, opened for the second time."""
    client.get(address)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


def _choices(changelist):
    """The second choice of each filter: the first shows everything."""
    return [list(spec.choices(changelist))[1]["query_string"] for spec in changelist.filter_specs]


def test_what_the_log_holds_is_read_only(staff, busy):
    for model in READ_ONLY:
        instance = model.objects.first()
        assert staff.post(row(instance), {"status": "over"}).status_code == 403
        assert staff.post(row(instance, "delete"), {"post": "yes"}).status_code == 403
        assert staff.get(reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_add")).status_code == 403
        assert model.objects.filter(pk=instance.pk).exists()


ROWS = {Duel: 1, Seat: 2, Phase: 1, Entry: 10, Resolution: 1, Thread: 1, Post: 5, Happening: 1, Draft: 0}
EARLY = (
    Secrets("right_leg", ONE.first, ONE.second),
    Secrets("left_leg", {**OTHER.first, "thrust": "torso"}, OTHER.second),
)


@pytest.mark.parametrize("stage", ["filed", "locked", "published"])
def test_staff_are_shown_no_secret(monkeypatch, stage):
    """Two duels that differ in their secrets only look the same, keys and hours apart, even under review."""
    school = School(monkeypatch)
    addresses = [nth(model, place) for model, count in ROWS.items() for place in range(count)]
    addresses += [lambda _duel, model=model: listing(model) for model in ROWS]
    pair = (ONE, OTHER) if stage == "published" else EARLY
    one, other = (list(school.shown(kept, stage, addresses, ["staff"]).items()) for kept in pair)
    assert len(one) == len(other) >= len(ROWS)
    different = [page for (page, said), (_page, twin) in zip(one, other, strict=True) if _bare(said) != _bare(twin)]
    assert different == []


def _bare(said):
    return re.sub(r"\d+", "N", said)


def test_a_ruling_is_the_referees_until_the_turn_is_published(staff):
    duel = play.locked()
    reason = "Le texte laisse deviner la parade."
    rule_invalid(user=duel.referee, duel_id=duel.pk, turn=1, seat="a", reason=reason)
    ruling, resolution = Entry.objects.get(kind="ruling"), Resolution.objects.last()
    assert reason not in staff.get(row(ruling)).content.decode()
    Phase.objects.filter(pk=ruling.phase_row_id).update(status=Phase.Status.SUPERSEDED)  # by a correction, unpublished
    assert reason not in staff.get(row(ruling)).content.decode()
    Phase.objects.filter(pk=ruling.phase_row_id).update(status=Phase.Status.LOCKED)
    assert "public_events" not in staff.get(row(resolution)).content.decode()
    play.publish(duel)
    assert reason in staff.get(row(ruling)).content.decode()
    assert "public_events" in staff.get(row(resolution)).content.decode()


def test_a_turn_that_would_have_ended_the_duel_and_was_ruled_otherwise_keeps_its_secrets(staff):
    duel = quiet()
    state = secrets.state(duel)
    secrets.put_state(duel, msgspec.structs.replace(state, a=msgspec.structs.replace(state.a, link=1)))
    duel.save()
    play.file(duel, "a", option={"name": "rough_skin", "zones": ["right_leg"]})
    play.file(duel, "b", thrust="torso", parry="right_arm")
    duel = play.fresh(duel)
    ending, _events = secrets.open_resolution(duel, duel.phase, duel.phase.live)
    assert duel.rules.status(ending).outcome.winner == "b"
    assert (duel.phase.live.public_view, duel.phase.live.public_events) == ({}, [])
    rule_invalid(user=duel.referee, duel_id=duel.pk, turn=1, seat="b", reason="Le texte laisse deviner l'estoc.")
    duel = play.publish(duel)
    assert duel.is_running
    ended, published = Resolution.objects.order_by("revision")
    assert "public_events" not in staff.get(row(ended)).content.decode()
    assert "public_events" in staff.get(row(published)).content.decode()
    surrender(user=play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    assert "public_events" in staff.get(row(ended)).content.decode()


def removing(posts, **sent):
    return {"action": "remove_texts", "_selected_action": [post.pk for post in posts], **sent}


def test_staff_take_a_text_away_with_a_reason(staff):
    duel = play.running()
    play.file(duel, "a")
    post = Post.objects.get(thread__duel=duel, kind="rp")
    asked = staff.post(listing(Post), removing([post]))
    assert asked.status_code == 200
    assert "La lumière tombe" in asked.content.decode()
    assert PostBody.objects.filter(post=post).exists()
    unsaid = staff.post(listing(Post), removing([post], confirm="1", reason=" "))
    assert unsaid.context["form"].errors["reason"]
    assert PostBody.objects.filter(post=post).exists()
    staff.post(listing(Post), removing([post], confirm="1", reason="un nom véritable"))
    removal = Removal.objects.get(post=post)
    assert (removal.reason, removal.by.is_staff) == ("un nom véritable", True)
    assert not PostBody.objects.filter(post=post).exists()
    thread = as_user().get(duel.get_absolute_url()).content.decode()
    assert "La lumière tombe" not in thread
    assert post.text_sha256[:8] in thread


def test_of_several_posts_those_with_a_text_lose_it_and_the_others_are_named(staff):
    duel = play.running()
    play.file(duel, "a")
    posts = list(Post.objects.filter(thread__duel=duel))
    answer = staff.post(listing(Post), removing(posts, confirm="1", reason="un nom véritable"), follow=True)
    assert Removal.objects.count() == 1
    assert len(list(answer.context["messages"])) == len(posts)


def test_staff_without_that_right_take_no_text_away():
    duel = play.running()
    play.file(duel, "a")
    post = Post.objects.get(thread__duel=duel, kind="rp")
    reader = UserFactory(is_staff=True)
    reader.user_permissions.add(*Permission.objects.filter(codename__startswith="view_"))
    client = as_user(reader)
    assert "remove_texts" not in client.get(listing(Post)).content.decode()
    client.post(listing(Post), removing([post], confirm="1", reason="pour voir"))
    assert PostBody.objects.filter(post=post).exists()


def test_taking_a_text_away_is_refused_with_a_clear_word():
    duel = play.running()
    play.file(duel, "a")
    post = Post.objects.get(thread__duel=duel, kind="rp")
    started = Post.objects.get(thread__duel=duel, kind="start")
    staff = StaffFactory()
    with pytest.raises(NotAllowed):
        remove_post(user=play.player(duel, "a"), post_id=post.pk, reason="je regrette")
    with pytest.raises(NotAllowed):
        remove_post(user=duel.referee, post_id=post.pk, reason="je regrette")
    with pytest.raises(Invalid, match=r"Dites|Say"):
        remove_post(user=staff, post_id=post.pk, reason="  ")
    with pytest.raises(Invalid):
        remove_post(user=staff, post_id=started.pk, reason="un nom véritable")
    remove_post(user=staff, post_id=post.pk, reason="un nom véritable")
    with pytest.raises(TooLate):
        remove_post(user=staff, post_id=post.pk, reason="un nom véritable")
    told = Happening.objects.get(what="text_removed")
    assert told.concerns == [play.player(duel, "a").pk]
    assert "véritable" not in str(told.details)


def test_the_clock_takes_up_a_duel_that_was_set_aside(staff):
    aside, failing, sound = play.running(), play.running(), play.running()
    Duel.objects.filter(pk=aside.pk).update(failures=3)
    Duel.objects.filter(pk=failing.pk).update(failures=1)
    assert set(staff.get(listing(Duel), {"clock": "aside"}).context["cl"].queryset) == {aside}
    assert set(staff.get(listing(Duel), {"clock": "failing"}).context["cl"].queryset) == {aside, failing}
    chosen = {"action": "let_the_clock_try_again", "_selected_action": [aside.pk, sound.pk]}
    staff.post(listing(Duel), chosen)
    assert [play.fresh(duel).failures for duel in (aside, failing, sound)] == [0, 1, 0]


def test_staff_name_and_dismiss_referees(staff):
    leaving, coming = RefereeFactory(), UserFactory()
    group = Group.objects.get(name=REFEREES)
    member = User.groups.through.objects.get(user=leaving)
    form = {
        "name": REFEREES, "User_groups-TOTAL_FORMS": 2, "User_groups-INITIAL_FORMS": 1,
        "User_groups-0-id": member.pk, "User_groups-0-group": group.pk, "User_groups-0-user": leaving.pk,
        "User_groups-0-DELETE": "on", "User_groups-1-group": group.pk, "User_groups-1-user": coming.pk,
    }  # fmt: skip
    assert staff.post(row(group), form).status_code == 302
    assert is_referee(User.objects.get(pk=coming.pk))
    assert not is_referee(User.objects.get(pk=leaving.pk))


def test_migrating_makes_the_group_of_referees_once():
    Group.objects.all().delete()
    migration = import_module("referee.migrations.0001_referees")
    for _time in ("first", "second"):
        migration.name_the_group(apps, SimpleNamespace(connection=connection))
    assert [group.name for group in Group.objects.all()] == [migration.REFEREES] == [REFEREES]


def test_a_duellist_that_staff_rename_is_renamed_where_it_plays(staff):
    duel = play.running()
    duellist = duel.seats.get(letter="a").duellist
    form = {
        "user": duellist.user_id, "name": "Octave de Brume", "wand_hand": "left",
        "birth_date": duellist.birth_date.isoformat(), "year": "",
    }  # fmt: skip
    assert staff.post(row(duellist), form).status_code == 302
    assert play.fresh(duel).cast["a"]["name"] == "Octave de Brume"


def test_staff_add_a_duellist(staff):
    form = {
        "user": UserFactory().pk, "name": "Octave de Brume", "wand_hand": "left",
        "birth_date": "1990-01-01", "year": "",
    }  # fmt: skip
    assert staff.post(reverse("admin:duels_duellist_add"), form).status_code == 302
    assert Duellist.objects.get().name == "Octave de Brume"


def test_staff_give_ranks_and_waive_a_wait(staff):
    duellist = DuellistFactory(traits={"legilimens": 0, "occlumens": 2})
    form = {
        "user": duellist.user_id, "name": duellist.name, "wand_hand": "left", "in_chronology": "on",
        "birth_date": duellist.birth_date.isoformat(), "year": "", "types": ["fire", "air"],
        "legilimens": "3", "occlumens": "", "dark_mage": "0", "wandless": "",
        "wait_waived_at_0": "2026-11-30", "wait_waived_at_1": "10:00:00",
    }  # fmt: skip
    assert 'value="2"' in staff.get(row(duellist)).content.decode()
    assert staff.post(row(duellist), form).status_code == 302
    duellist.refresh_from_db()
    assert duellist.traits == {"legilimens": 3, "dark_mage": 0}
    assert duellist.types == ["fire", "air"]
    assert duellist.in_chronology
    assert duellist.wait_waived_at is not None


def test_staff_change_what_a_referee_says_of_themselves(staff):
    referee = RefereeFactory()
    said = set_availability(user=referee, is_available=True, at_once=3, note="Une grossièreté.")
    assert staff.post(row(said), {"at_once": "0"}).context["errors"]
    assert staff.post(row(said), {"is_available": "on", "at_once": "3", "note": ""}).status_code == 302
    changed = Availability.objects.get(user=referee)
    assert (changed.note, changed.at_once, changed.is_available) == ("", 3, True)
    assert changed.changed_at > said.changed_at


def test_whatever_is_saved_through_an_action_says_why_it_was_refused():
    own = [page for page in admin.site._registry.values() if page.model in OURS]
    saving = [page for page in own if type(page).save_model is not admin.ModelAdmin.save_model]
    assert {page.model for page in saving} == {Duellist, Availability, SpellBook}
    assert all(isinstance(page, StaffAdmin) for page in saving)


def test_a_duellist_who_plays_is_not_deleted(staff):
    duellist = play.running().seats.get(letter="a").duellist
    staff.post(row(duellist, "delete"), {"post": "yes"})
    assert Duellist.objects.filter(pk=duellist.pk).exists()
    alone = DuellistFactory()
    staff.post(row(alone, "delete"), {"post": "yes"})
    assert not Duellist.objects.filter(pk=alone.pk).exists()


def test_a_lost_authenticator_is_deleted_and_its_secret_never_shown(staff):
    user = UserFactory()
    secret = with_authenticator(user)
    kept = Authenticator.objects.get(user=user)
    shown = staff.get(row(kept)).content.decode()
    assert secret not in shown
    assert kept.data["secret"] not in shown
    staff.post(row(kept, "delete"), {"post": "yes"})
    assert not Authenticator.objects.filter(user=user).exists()
