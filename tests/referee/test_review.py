"""Reviewing a turn: everything once it is locked, nothing of what was filed before, nothing to change after."""

import datetime as dt

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from duels import clock
from duels.actions.ending import surrender
from duels.actions.filing import replace_declaration
from duels.actions.granted import standing_rulings
from duels.actions.removal import remove_post
from duels.actions.revisions import correct_turn
from duels.actions.rulings import rule_invalid
from duels.actions.sweep import sweep
from duels.actions.turns import publish_turn
from duels.errors import NotAllowed
from duels.models import Duel, Phase, Post
from referee.review import reviewed, turn_of
from tests import play
from tests.duels.readers import as_player, as_user, english, strangers
from tests.factories import DuellistFactory, RefereeFactory, StaffFactory
from tests.secrets import STAGES, assert_kept

pytestmark = pytest.mark.django_db

REASON = "Le texte laisse deviner la parade."
HOLES = {"name": "gaping_hole", "zones": ["left_arm", "right_leg"]}


def page(duel, name="review", turn=None):
    return reverse(f"referee:{name}", args=[duel.pk, turn or duel.turn])


def review(duel, turn=1):
    duel = play.fresh(duel)
    return reviewed(duel, turn_of(duel, turn), reader=duel.referee)


def mark(duel, seat="a", reason=REASON, ground="clue"):
    do = f"fault-{seat}"
    return {"do": do, f"{do}-ground": ground, f"{do}-reason": reason}


def taking_back(duel, reason="J'avais mal lu."):
    """What takes back the last ruling in force."""
    do = f"withdraw-{standing_rulings(play.fresh(duel).phase)[-1].index}"
    return {"do": do, f"{do}-reason": reason}


def publishing(duel):
    return {"revision": play.fresh(duel).phase.resolution.revision}


def locked_with_a_secret(**terms):
    """Return a locked duel in which `a` has opened two decoys; nothing moves a thrust."""
    duel = play.announced(**terms)
    while duel.arena != "verdant_circles":
        duel = play.announced(**terms)
    play.hide(duel, "head", "torso")
    for letter in "ab":
        play.ask_to_start(user=play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())
    play.file(duel, "b", thrust="torso", parry="right_arm")
    play.file(duel, "a", thrust="left_arm", parry="left_leg", option=HOLES)
    return play.fresh(duel)


@pytest.mark.parametrize("stage", STAGES)
def test_what_a_seat_keeps_secret_is_told_to_nobody_who_may_not_know(monkeypatch, stage):
    addresses = [page, lambda duel: page(duel, "publish"), lambda duel: page(duel, turn=1)]
    if stage == "hidden":
        addresses = [lambda _duel: reverse("referee:queue")]
    assert_kept(monkeypatch, stage, addresses)


@pytest.mark.parametrize("name", ["review", "publish"])
def test_only_its_referee_reads_a_turn(name):
    duel = play.locked()
    assert as_user().get(page(duel, name)).url.startswith("/compte/login/")
    for kind, client in strangers(duel).items():
        answer = client.get(page(duel, name))
        assert answer.status_code == (200 if kind == "its referee" else 403), kind
    for letter in "ab":
        assert as_player(duel, letter).get(page(duel, name)).status_code == 403
    assert "no-store" in as_user(duel.referee).get(page(duel, name))["Cache-Control"]


@pytest.mark.parametrize("name", ["amend", "publish"])
def test_only_its_referee_acts_on_a_turn(name):
    duel = play.locked()
    sent = {**mark(duel), **publishing(duel)}
    others = [client for kind, client in strangers(duel).items() if kind != "its referee"]
    for client in [*others, as_player(duel, "a"), as_player(duel, "b")]:
        assert client.post(page(duel, name), sent).status_code == 403
    assert as_user().post(page(duel, name), sent).url.startswith("/compte/login/")
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED
    assert play.fresh(duel).phase.resolution.revision == 1


def test_a_referee_who_is_one_no_more_reads_and_does_nothing():
    duel = play.locked()
    duel.referee.groups.clear()
    client = as_user(duel.referee)
    assert client.get(page(duel)).status_code == 403
    assert client.post(page(duel, "publish"), publishing(duel)).status_code == 403


def test_a_referee_does_not_read_the_duel_in_which_they_play():
    player = RefereeFactory()
    duel = play.locked(a=DuellistFactory(user=player))
    assert as_user(player).get(page(duel)).status_code == 403
    assert as_user(player).post(page(duel, "publish"), publishing(duel)).status_code == 403


def test_before_the_lock_the_referee_sees_who_has_filed_and_not_what(monkeypatch):
    opened = []
    duel = play.running()
    play.file(duel, "a", option=HOLES)
    monkeypatch.setattr("duels.secrets.unseal", lambda *bound: opened.append(bound))
    answer = as_user(duel.referee).get(page(duel))
    said = answer.content.decode()
    assert answer.context["filed"] == [(duel.name_of("a"), True), (duel.name_of("b"), False)]
    assert "gaping_hole" not in said
    assert opened == []  # nothing was even unsealed
    assert as_user(duel.referee).get(page(duel, "publish")).url == page(duel)


def test_a_turn_under_review_shows_texts_declarations_and_order():
    duel = locked_with_a_secret()
    a, b = review(duel).publications
    assert (a.place, b.place) == (2, 1)
    assert (a.declaration["thrust"], a.declaration["option"]) == ("left_arm", HOLES)
    assert b.declaration == {"thrust": "torso", "parry": "right_arm", "option": None}
    said = as_user(duel.referee).get(page(duel)).content.decode()
    assert said.count("Elle resserre les doigts") == 2
    assert said.index(f'id="seat-a">{duel.name_of("a")}') < said.index(f'id="seat-b">{duel.name_of("b")}')


def test_the_last_version_of_a_declaration_is_the_one_shown():
    duel = play.running()
    play.file(duel, "a")
    again = {"thrust": "right_leg", "parry": "head", "option": None}
    replace_declaration(
        user=play.player(duel, "a"), duel_id=duel.pk, turn=1, declaration=again, received_at=clock.now()
    )
    play.file(duel, "b", thrust="torso", parry="right_arm")
    a, _b = review(duel).publications
    assert (a.declaration, a.versions, a.place) == (again, 2, 1)


def test_every_event_stands_with_its_article_and_what_is_secret_says_so():
    duel = locked_with_a_secret()
    answer = as_user(duel.referee).get(page(duel))
    told = answer.context["review"].events
    assert [one.event for one in told]
    said = answer.content.decode()
    for one in told:
        assert f"#{one.event['rule']}" in said
    (holes,) = [one for one in told if one.event["code"] == "option_used"]
    assert holes.event["zones"] == HOLES["zones"]
    assert (holes.shown, holes.public.get("zones")) == ("partly", None)
    assert "step-partly" in said


def test_what_is_not_told_at_all_is_marked_secret():
    duel = play.running()
    play.file(duel, "a", option={"name": "cancel_option"})
    play.file(duel, "b", thrust="torso", parry="right_arm")
    (armed,) = [one for one in review(duel).events if one.event["code"] == "option_used"]
    assert (armed.shown, armed.public) == ("secret", None)
    assert "step-secret" in as_user(duel.referee).get(page(duel)).content.decode()


def test_the_events_told_are_those_that_will_be_published():
    for duel in (locked_with_a_secret(), play.locked()):
        read = review(duel)
        assert [one.public for one in read.events if one.public] == read.shown.public_events


def test_the_dice_of_the_turn_are_those_that_decided_it():
    duel = play.announced()
    while duel.arena != "four_winds":
        duel = play.announced()
    play.hide(duel)
    for letter in "ab":
        play.ask_to_start(user=play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())
    play.file(duel, "a")
    play.file(duel, "b", thrust="torso", parry="right_arm")
    read = review(duel)
    (wind,) = read.dice
    assert (wind.label, wind.faces, wind.elsewhere) == ("wind", 4, None)
    assert (wind.face == 1) == any(one.event["code"] == "swapped_zones" for one in read.events)
    ((_name, shown),) = as_user(duel.referee).get(page(duel, turn=1)).context["dice"]
    assert shown == wind


def test_before_and_after_stand_side_by_side_with_what_is_hidden():
    duel = locked_with_a_secret()
    answer = as_user(duel.referee).get(page(duel))
    rows = {row.label: row for row in dict(answer.context["states"])[duel.name_of("a")]}
    changed = {label for label, row in rows.items() if row.has_changed}
    assert {"Alchimie", "Leurres"} <= changed or {"Alchemy", "Decoys"} <= changed
    assert "tête" in {row.after for row in rows.values()} or "head" in {row.after for row in rows.values()}


def test_what_will_be_published_is_what_the_thread_then_shows():
    duel = locked_with_a_secret()
    client = as_user(duel.referee)
    client.post(page(duel, "amend"), mark(duel, "b"))
    preview = as_published(client.get(page(duel, "publish")))
    client.post(page(duel, "publish"), publishing(duel))
    thread = as_user().get(duel.get_absolute_url()).content.decode()
    assert preview in thread
    assert REASON in preview
    assert as_published(client.get(page(duel))) == preview


def as_published(answer):
    said = answer.content.decode()
    start = said.index('<div class="as-published')
    inner = said[said.index(">", start) + 1 :]
    return inner[: inner.index("</div>")].strip()


def test_an_invalid_publication_costs_a_point_and_its_declaration_and_the_difference_is_shown():
    duel = play.locked()
    answer = as_user(duel.referee).post(page(duel, "amend"), mark(duel), follow=True)
    read = answer.context["review"]
    assert read.resolution.revision == 2
    assert ("+", "infraction", "a") in [(c.sign, c.event["code"], c.event["seat"]) for c in read.changes]
    assert read.publications[0].ruling.public["reason"] == REASON
    assert read.after["seats"]["a"]["infractions"] == 1
    assert 'id="changes"' in answer.content.decode()
    assert REASON in answer.content.decode()


def test_a_ruling_is_taken_back_with_a_reason_and_the_turn_is_as_it_was():
    duel = play.locked()
    first = review(duel)
    client = as_user(duel.referee)
    client.post(page(duel, "amend"), mark(duel))
    client.post(page(duel, "amend"), taking_back(duel))
    read = review(duel)
    assert read.resolution.revision == 3
    assert [one.event for one in read.events] == [one.event for one in first.events]
    assert read.publications[0].ruling is None
    assert read.post.details["rulings"] == []


def test_a_ruling_that_was_taken_back_is_struck_where_it_stands_with_the_reason():
    duel = play.locked()
    client = as_user(duel.referee)
    client.post(page(duel, "amend"), mark(duel))
    client.post(page(duel, "amend"), mark(duel, "b", "Le texte de b aussi."))
    client.post(page(duel, "amend"), taking_back(duel))
    amendments = english(as_user(duel.referee)).get(page(duel)).content.decode().split('<ol class="amendments">')[1]
    assert amendments.split("</ol>")[0].count("Taken back:</strong> <s>") == 1
    thread = english(as_user()).get(play.publish(play.fresh(duel)).get_absolute_url()).content.decode()
    stands, *others = thread.split('<ul class="rulings"')[1].split("</ul>")[0].split("</li>")
    assert "<s>" not in stands
    assert "".join(others).strip() == ""  # what was taken back before is not published


def test_a_ruling_that_was_published_and_taken_back_since_is_struck_in_the_thread_with_the_reason():
    duel = play.locked()
    client = as_user(duel.referee)
    client.post(page(duel, "amend"), mark(duel))
    duel = play.publish(play.fresh(duel))
    correct_turn(user=duel.referee, duel_id=duel.pk, turn=1, reason="Relu.", seen=duel.phase.pk)
    duel = play.fresh(duel)
    client.post(page(duel, "amend"), taking_back(duel))
    thread = english(as_user()).get(play.publish(play.fresh(duel)).get_absolute_url()).content.decode()
    struck = thread.rsplit('<ul class="rulings"', 1)[1].split("</ul>")[0]
    assert "Taken back:</strong> <s>The referee finds the publication of" in struck
    assert "Why it was taken back: <q>J&#x27;avais mal lu.</q>" in struck


@pytest.mark.parametrize("reason", ["", "   "])
def test_a_ruling_without_a_reason_is_refused_beside_its_field(reason):
    duel = play.locked()
    answer = as_user(duel.referee).post(page(duel, "amend"), mark(duel, "b", reason))
    assert answer.status_code == 422
    forms = {publication.letter: form for publication, form in answer.context["panels"]}
    assert forms["b"].errors["reason"]
    assert not forms["a"].is_bound
    assert 'id="id_fault-b-reason"' in answer.content.decode()
    assert 'href="#id_fault-b-reason"' in answer.content.decode()
    assert play.fresh(duel).phase.resolution.revision == 1


def test_what_was_typed_for_a_ruling_that_is_refused_is_kept():
    duel = play.locked()
    client = as_user(duel.referee)
    client.post(page(duel, "amend"), mark(duel))
    answer = client.post(page(duel, "amend"), mark(duel, reason="Encore une raison."))
    assert answer.status_code == 409
    assert "Encore une raison." in answer.content.decode()


@pytest.mark.parametrize("seat", ["", "z", "<"])
def test_a_ruling_on_no_seat_is_refused(seat):
    duel = play.locked()
    answer = as_user(duel.referee).post(page(duel, "amend"), mark(duel, seat))
    assert answer.status_code == 409
    assert play.fresh(duel).phase.resolution.revision == 1


def test_who_is_a_referee_no_more_rules_and_publishes_nothing_by_whatever_way():
    duel = play.locked()
    duel.referee.groups.clear()
    referee = get_user_model().objects.get(pk=duel.referee_id)
    with pytest.raises(NotAllowed):
        publish_turn(user=referee, duel_id=duel.pk, turn=1, revision=1)
    with pytest.raises(NotAllowed):
        rule_invalid(user=referee, duel_id=duel.pk, turn=1, seat="a", reason="Non.")
    assert play.fresh(duel).phase.resolution.revision == 1
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED


def test_nothing_was_published_nothing_is_invalid():
    duel = play.running()
    play.file(duel, "a")
    due = clock.now() - clock.GRACE - dt.timedelta(seconds=1)
    Phase.objects.filter(duel=duel).update(due_at=due)
    Duel.objects.filter(pk=duel.pk).update(due_at=due, wake_at=due)
    sweep()
    client = as_user(duel.referee)
    assert client.post(page(duel, "amend"), mark(duel, "b")).status_code == 409
    answer = client.get(page(duel))
    assert {do for do in answer.context["amending"] if do.startswith("fault")} == {"fault-a"}
    assert review(duel).publications[1].place is None


def test_publishing_asks_first_and_says_what_follows():
    duel = play.locked()
    answer = as_user(duel.referee).get(page(duel, "publish"))
    assert answer.status_code == 200
    assert answer.context["review"].coming.turn == 2
    left = answer.context["would_end_at"] - clock.now()
    assert left == pytest.approx(dt.timedelta(hours=48), abs=dt.timedelta(minutes=1))
    assert 'name="revision" value="1"' in answer.content.decode()
    assert play.fresh(duel).turn == 1


def test_the_referee_publishes_and_the_next_turn_opens():
    duel = play.locked()
    answer = as_user(duel.referee).post(page(duel, "publish"), publishing(duel))
    assert answer.url == reverse("referee:queue")
    published = play.fresh(duel)
    assert (published.turn, published.awaited) == (2, "ab")
    assert Post.objects.filter(thread__duel=duel, kind="resolution").count() == 1


def test_the_second_publication_of_a_turn_says_that_it_is_published():
    duel = play.locked()
    client, sent = as_user(duel.referee), publishing(duel)
    client.post(page(duel, "publish"), sent)
    answer = client.post(page(duel, "publish"), sent)
    assert answer.status_code == 409
    assert str(answer.context["refusal"]) in answer.content.decode()
    assert Post.objects.filter(thread__duel=duel, kind="resolution").count() == 1


@pytest.mark.parametrize("revision", ["1", "", "two"])
def test_a_turn_worked_out_again_meanwhile_is_not_published_unread(revision):
    duel = play.locked()
    client = as_user(duel.referee)
    client.post(page(duel, "amend"), mark(duel))
    answer = client.post(page(duel, "publish"), {"revision": revision})
    assert answer.status_code == 409
    assert answer.context["review"].resolution.revision == 2
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED


def test_a_published_turn_is_read_only():
    duel = play.publish(play.locked())
    client = as_user(duel.referee)
    answer = client.get(page(duel, turn=1))
    said = answer.content.decode()
    assert answer.status_code == 200
    assert answer.context["review"].resolution.revision == 1
    assert 'class="ruling"' not in said
    assert page(duel, "publish", turn=1) not in said
    assert client.post(page(duel, "amend", turn=1), mark(duel)).status_code == 409
    assert client.get(page(duel, "publish", turn=1)).url == page(duel, turn=1)


def test_an_earlier_turn_is_read_as_it_was_played():
    duel = play.running()
    play.play_turn(duel, b={"thrust": "torso", "parry": "right_arm"})
    play.play_turn(duel, {"thrust": "head", "parry": "torso"}, {"thrust": "left_leg", "parry": "head"})
    first, second = review(duel), review(duel, 2)
    assert first.publications[0].declaration["thrust"] == "left_arm"
    assert second.publications[0].declaration["thrust"] == "head"
    assert second.before["seats"]["a"]["link"] == first.after["seats"]["a"]["link"]
    assert (first.before["turn"], second.before["turn"]) == (1, 2)


def test_a_turn_in_which_somebody_surrendered_is_read_too():
    duel = play.running()
    surrender(user=play.player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
    answer = as_user(duel.referee).get(page(duel))
    assert answer.status_code == 200
    assert [one.event["code"] for one in answer.context["review"].events] == ["duel_over"]
    assert as_user(duel.referee).post(page(duel, "publish"), {"revision": 1}).status_code == 409


def test_the_last_turn_says_how_the_duel_ends():
    duel = play.running()
    for _turn in (1, 2):
        for letter in "ab":
            play.file(duel, letter, thrust="torso" if letter == "b" else "left_arm", parry="right_arm")
        as_user(duel.referee).post(page(play.fresh(duel), "amend"), mark(duel))
        play.publish(duel)
    for letter in "ab":
        play.file(duel, letter, thrust="head", parry="torso")
    client = as_user(duel.referee)
    duel = play.fresh(duel)
    client.post(page(duel, "amend"), mark(duel))
    recap = client.get(page(duel, "publish"))
    assert recap.context["review"].coming.outcome.by == "infractions"
    assert {one.shown for one in review(duel, 3).events} == {"whole"}
    client.post(page(duel, "publish"), publishing(duel))
    assert (play.fresh(duel).status, play.fresh(duel).winner) == (Duel.Status.OVER, "b")
    assert client.get(page(duel)).status_code == 200


def test_a_text_that_staff_removed_is_missing_from_the_review():
    duel = play.locked()
    post = Post.objects.get(thread__duel=duel, kind="rp", seat="a")
    remove_post(user=StaffFactory(), post_id=post.pk, reason="un nom véritable")
    said = as_user(duel.referee).get(page(duel)).content.decode()
    assert said.count("Elle resserre les doigts") == 1
    assert review(duel).publications[0].declaration


@pytest.mark.parametrize("turn", [0, 2, 99])
def test_there_is_no_such_turn(turn):
    duel = play.locked()
    address = reverse("referee:review", args=[duel.pk, turn])
    assert as_user(duel.referee).get(address).status_code == 404


def test_a_get_changes_nothing():
    duel = play.locked()
    client = as_user(duel.referee)
    assert client.get(page(duel, "amend")).url == page(duel)  # reloaded by its address, it leads back
    assert play.fresh(duel).phase.live.revision == 1
    assert client.post(page(duel)).status_code == 405
