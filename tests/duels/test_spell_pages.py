"""The phases of a spell duel, from their pages to the thread."""

import datetime as dt

import pytest
from django.urls import reverse
from msgspec.structs import replace

from duels import clock, secrets
from duels.models import Draft, Duel, Post, Seat
from rules.spells.book import starter
from tests import spells_play as spells
from tests.factories import DuellistFactory
from tests.play import TEXT, fresh

from .readers import as_player, as_user, assert_kept_for_players, english, strangers

pytestmark = pytest.mark.django_db

SHORT = "Trop court pour compter."


@pytest.fixture
def duel(fate):
    """A duel in whose first turn the spell of a succeeds."""
    fate({(1, "cast:a"): 1})
    return spells.running(refereed=False)


def page(duel):
    return reverse("duels:turn", args=[duel.pk])


def filled(duel, do="recap", text=TEXT, **fields):
    now = fresh(duel)
    return {"do": do, "turn": now.turn, "phase": now.phase.name, "text": text, **fields}


def send(duel, letter="a", do="recap", by=as_player, **fields):
    return by(duel, letter).post(page(duel), filled(duel, do, **fields))


def in_english(duel, letter):
    return english(as_player(duel, letter))


LANCE = {"cast": "lancea", "lancea.how": "plain|1-2-3-4", "lancea.target": "b"}


def posts(duel, *kinds):
    return list(Post.objects.filter(thread__duel=duel, kind__in=kinds or ["rp"]).order_by("position"))


def test_a_phase_is_for_those_who_duel(duel):
    assert_kept_for_players(duel, page(duel))
    assert_kept_for_players(duel, reverse("duels:correction", args=[duel.pk]))


def test_the_page_offers_what_the_rules_offer_and_says_why_not(duel):
    answer = as_player(duel, "a").get(page(duel))
    offered = {spell.value for spell in answer.context["sheet"].spells if spell.choice.refused is None}
    refused = {spell.value for spell in answer.context["refused_spells"]}
    assert offered | refused == {spell.code for spell in starter().spells}
    assert "protego" in refused  # a shield is for the defence phase
    assert "legilimens" in refused
    html = answer.content.decode()
    assert all(f'name="{code}.how"' in html for code in offered)
    assert not any(f'name="{code}.how"' in html for code in refused)


def test_a_spell_and_a_move_are_recapped_then_published_in_the_open(duel):
    recap = send(duel, **LANCE, move="6", sequence="move cast")
    assert recap.status_code == 200
    assert recap.context["declaration"] == {
        "steps": [{"do": "move", "to": 6}, {"do": "cast", "spell": "lancea", "target": "b", "bet": "1-2-3-4"}]
    }
    assert {(cost.gauge, cost.points) for cost in recap.context["costs"]} == {("magic", 3), ("fatigue", 2)}
    assert not posts(duel)
    again = dict(recap.context["fields"])
    answer = send(duel, do="file", **again)
    assert answer.status_code == 302
    assert posts(duel)[0].details["declaration"] == recap.context["declaration"]
    thread = as_user().get(duel.get_absolute_url()).content.decode()
    assert "Lancea" in thread
    assert "1-2-3-4" in thread


def test_the_order_of_the_steps_is_as_wished(duel):
    done = send(duel, **LANCE, move="6", sequence="cast move").context["declaration"]["steps"]
    assert [step["do"] for step in done] == ["cast", "move"]


def test_what_cannot_be_done_is_explained_and_nothing_is_published(duel):
    answer = send(duel, do="file", **{**LANCE, "lancea.how": "plain|1-2"})
    assert answer.status_code == 422
    assert not answer.context["as_it_is"]
    assert answer.context["form"]["text"].value().strip() == TEXT
    assert not posts(duel)


@pytest.mark.parametrize("lack", [{"text": SHORT}, {"lancea.how": "plain|"}])
def test_a_missing_bet_or_words_can_be_published_and_corrected(duel, lack):
    sent = {**LANCE, **lack}
    assert send(duel, **sent).context["as_it_is"]
    answer = send(duel, do="as_it_is", **sent)
    there = reverse("duels:correction", args=[duel.pk])
    assert answer.url == there
    [post] = posts(duel)
    assert post.details["flaws"]
    shown = as_player(duel, "a").get(there)
    lacks = shown.context["lacking"].lacks
    added = {lacks[0].name: lacks[0].choices[0]} if lacks else {"text": TEXT}
    now = fresh(duel)
    sent = {"turn": now.turn, "phase": now.phase.name, **added}
    recap = as_player(duel, "a").post(there, {**sent, "do": "recap"})
    assert recap.context["declaration"]["steps"][0]["bet"] == "1-2-3-4"
    assert not posts(duel, "correction")
    carried = {"text": recap.context["text"], **dict(recap.context["fields"])}
    assert as_player(duel, "a").post(there, {**sent, **carried, "do": "file"}).status_code == 302
    [correction] = posts(duel, "correction")
    assert correction.details["declaration"]["steps"][0]["bet"] == "1-2-3-4"
    assert as_user().get(duel.get_absolute_url()).status_code == 200
    assert as_player(duel, "a").get(there).url == page(duel)


def test_publishing_as_it_is_is_recapped_with_what_lacks_and_what_it_costs(duel):
    asked = send(duel, "a", **{**LANCE, "text": SHORT, "lancea.how": "plain|"}).content.decode()
    assert 'value="recap_as_it_is"' in asked
    assert 'value="as_it_is"' not in asked
    recap = send(duel, do="recap_as_it_is", by=in_english, **{**LANCE, "text": SHORT, "lancea.how": "plain|"})
    html = recap.content.decode()
    assert not posts(duel)
    assert SHORT in html
    assert "Still incomplete: fewer than 100 words and no series bet on." in html
    assert "30 minutes once it is published to add what lacks: that spends my right to correct" in html
    assert "Once corrected, it costs:" in html
    assert "nothing can be added but what lacks" in html
    assert "Published with something missing" not in html  # that is what the thread will say
    assert "used up" not in html
    assert "second action fault" not in html
    confirmed = {**dict(recap.context["fields"]), "text": recap.context["text"]}
    assert send(duel, do="as_it_is", **confirmed).status_code == 302
    [post] = posts(duel)
    assert post.details["flaws"] == ["short_post", "missing_bet"]
    assert post.details["declaration"]["steps"] == [{"do": "cast", "spell": "lancea", "target": "b"}]


def test_once_the_right_to_correct_is_used_up_its_recap_says_that_it_is_a_fault_at_once(duel):
    Seat.objects.filter(duel=duel, letter="a").update(corrected=True)
    state = secrets.state(duel)
    me = replace(state.duellists["a"], action_faults=1)
    secrets.put_state(duel, replace(state, duellists={**state.duellists, "a": me}))
    duel.save()
    html = send(duel, do="recap_as_it_is", by=in_english, **{**LANCE, "text": SHORT}).content.decode()
    assert "My right to correct is used up for this duel: this is an action fault at once." in html
    assert "It would be my second action fault, which costs 4 fatigue points as well." in html
    assert "it costs:" not in html


def test_what_is_in_order_meanwhile_has_an_ordinary_recap(duel):
    recap = send(duel, do="recap_as_it_is", **LANCE)
    assert not recap.context.get("flaws")
    assert 'value="file"' in recap.content.decode()


def test_what_cannot_be_corrected_has_no_recap(duel):
    answer = send(duel, do="recap_as_it_is", **{**LANCE, "text": SHORT, "lancea.how": "plain|1-2"})
    assert answer.status_code == 422
    assert "recap_as_it_is" not in answer.content.decode()


def test_what_was_chosen_for_a_correction_stays_when_it_is_refused_or_changed(duel):
    send(duel, do="as_it_is", **{**LANCE, "text": SHORT, "lancea.how": "plain|"})
    there = reverse("duels:correction", args=[duel.pk])
    now = fresh(duel)
    sent = {"turn": now.turn, "phase": now.phase.name, "step0.bet": "3-4-5-6"}
    refused = as_player(duel, "a").post(there, {**sent, "text": "Encore trop peu.", "do": "recap"})
    assert refused.status_code == 422
    for answer in (refused, as_player(duel, "a").post(there, {**sent, "text": "Encore trop peu.", "do": "change"})):
        html = answer.content.decode()
        assert 'value="3-4-5-6" checked' in html
        assert "Encore trop peu." in html
    assert not posts(duel, "correction")


@pytest.fixture
def lacking(duel):
    """The duel once a has published a post without words enough nor a bet, typed and kept as a draft before."""
    sent = {**LANCE, "text": SHORT, "lancea.how": "plain|"}
    as_player(duel, "a").post(reverse("duels:draft", args=[duel.pk]), filled(duel, "quietly", **sent))
    send(duel, do="as_it_is", **sent)
    return duel


def test_the_correction_says_all_that_lacks_and_shows_the_text_to_go_on_with(lacking):
    html = in_english(lacking, "a").get(reverse("duels:correction", args=[lacking.pk])).content.decode()
    assert "Still incomplete: fewer than 100 words and no series bet on." in html
    assert f'<div class="rp"><p>{SHORT}</p>' in html
    assert "My post as it stands (4 words)" in html
    assert "What follows my text: 96 more words at least" in html
    assert 'data-words="words" data-minimum="96"' in html
    assert f'<a href="{lacking.get_absolute_url()}">' in html
    assert html.count(SHORT) == 1  # what was published is no draft of what follows it


def keep_correction(duel, letter="a", text="Elle reprend, et", **fields):
    there = reverse("duels:correction_draft", args=[duel.pk])
    now = fresh(duel)
    sent = {"turn": now.turn, "phase": now.phase.name, "text": text, **fields}
    return as_player(duel, letter).post(there, sent)


def test_a_draft_of_a_correction_is_kept_with_what_was_chosen(lacking):
    assert keep_correction(lacking, do="quietly", **{"step0.bet": "3-4-5-6"}).status_code == 204
    there = reverse("duels:correction", args=[lacking.pk])
    html = as_player(lacking, "a").get(there).content.decode()
    assert "Elle reprend, et</textarea>" in html
    assert 'value="3-4-5-6" checked' in html
    assert f'data-draft-url="{reverse("duels:correction_draft", args=[lacking.pk])}"' in html
    assert keep_correction(lacking, text="Elle reprend, puis").url == there
    assert "Elle reprend, puis</textarea>" in as_player(lacking, "a").get(there).content.decode()
    assert Draft.objects.count() == 1
    assert b"reprend" not in bytes(Draft.objects.get().sealed)


def test_a_corrected_post_is_listed_once_as_corrected(lacking):
    whole = {"steps": [spells.cast("lancea", target="b", bet="3-4-5-6")]}
    spells.correct(lacking, "a", whole, text=TEXT)
    [correction] = posts(lacking, "correction")
    for letter in "ab":  # who has posted, and who is still to post
        html = in_english(lacking, letter).get(page(lacking)).content.decode()
        listed = html[html.index('<ol class="posted">') :].split("</ol>")[0]
        assert listed.count("<li>") == 1
        assert "3-4-5-6" in listed
        there = reverse("duels:post", args=[lacking.pk, correction.position])
        assert f'✓ <a href="{there}">corrected</a>' in listed


def test_there_is_no_draft_of_a_correction_that_cannot_be_made(lacking, time):
    assert keep_correction(lacking, "b", do="quietly").status_code == 409
    for client in strangers(lacking).values():
        assert client.post(reverse("duels:correction_draft", args=[lacking.pk]), {"turn": "1"}).status_code == 403
    time.go_on(minutes=31)
    late = keep_correction(lacking)
    assert late.status_code == 409
    assert "Elle reprend, et" in late.content.decode()


def test_a_draft_of_a_phase_is_found_again(duel):
    answer = as_player(duel, "a").post(
        reverse("duels:draft", args=[duel.pk]), filled(duel, "quietly", **LANCE, move="3", sequence="move cast")
    )
    assert answer.status_code == 204
    sheet = as_player(duel, "a").get(page(duel)).context["sheet"]
    assert [spell.value for spell in sheet.spells if spell.selected] == ["lancea"]
    assert sheet.chosen_move == "3"
    assert sheet.sequence == ("move", "cast")


def until_a_spell_is_under_way(duel):
    """Play an action phase after which a spell of a's can be defended against."""
    spells.file(duel, "a", spells.cast("lancea", target="b", bet="1-2-3-4"))
    spells.file(duel, "b")
    return fresh(duel)


def test_a_spell_under_way_is_dodged_from_its_page(duel):
    duel = until_a_spell_is_under_way(duel)
    assert as_player(duel, "a").get(page(duel)).templates[0].name == "duels/spells/waiting.html"
    shown = as_player(duel, "b").get(page(duel))
    assert shown.context["coming"]
    turn = duel.turn
    recap = send(duel, "b", do_defence="dodge", **{"dodge.bet": "4-5-6"})
    assert recap.context["declaration"] == {"do": "dodge", "bet": "4-5-6"}
    send(duel, "b", do="file", **dict(recap.context["fields"]))
    assert fresh(duel).turn == turn + 1
    assert as_user().get(f"{duel.get_absolute_url()}").status_code == 200


def test_a_dodge_without_a_bet_is_named_as_the_dodge(duel):
    duel = until_a_spell_is_under_way(duel)
    html = send(duel, "b", do_defence="dodge").content.decode()
    assert '<a href="#part-dodge">Esquive</a> – Choisissez la série' in html
    assert '<div class="option" id="part-dodge">' in html
    assert ">Sort</a>" not in html


def test_the_only_group_of_defence_spells_stands_open(duel):
    duel = until_a_spell_is_under_way(duel)
    shown = as_player(duel, "b").get(page(duel))
    [(kind, _offered, is_open)] = shown.context["groups"]
    assert kind not in shown.context["me"]["types"]
    assert is_open
    groups = as_player(duel, "b").get(page(duel)).content.decode().split('<details class="spell-group"')[1:]
    assert [group.startswith(" open>") for group in groups] == [True]


def test_why_a_zone_cannot_be_gone_to_is_said_with_its_number(duel):
    state = secrets.state(duel)
    me = replace(state.duellists["a"], fatigue=6)
    secrets.put_state(duel, replace(state, duellists={**state.duellists, "a": me}))
    duel.save()
    html = in_english(duel, "a").get(page(duel)).content.decode()
    told = html[html.index('id="zones-refused"') :].split("</ul>")[0]
    assert "Zones 10, 11 – " in told  # from zone 4, with a fatigue point to keep
    assert "the last fatigue point cannot be spent" in told
    assert 'name="move" value="10" disabled aria-describedby="zones-refused"' in html


def test_nothing_is_said_of_zones_that_can_all_be_gone_to(duel):
    assert "zones-refused" not in as_player(duel, "a").get(page(duel)).content.decode()


def test_nothing_needs_no_text(duel):
    duel = until_a_spell_is_under_way(duel)
    answer = send(duel, "b", do="file", text="", do_defence="nothing")
    assert answer.status_code == 302
    assert posts(duel)[-1].details["declaration"] == {"do": "nothing"}


def test_the_recap_of_nothing_says_what_will_hit(duel):
    duel = until_a_spell_is_under_way(duel)
    html = send(duel, "b", by=in_english, text="", do_defence="nothing").content.decode()
    assert "Nothing stops what is under way; this will hit me:" in html
    assert f"<strong>Lancea</strong> ({duel.name_of('a')}): 7 fatigue points lost" in html
    assert "nothing to beware of" not in html


def test_the_recap_of_a_dodge_says_what_it_does_not_dodge(fate):
    fate({(1, "cast:a"): 1, (1, "cast:c"): 1})
    duel = spells.running(count=4, refereed=False)
    spells.all_file(
        duel,
        a=[spells.cast("lancea", target="b", bet="1-2-3-4")],
        c=[spells.cast("flammula", target="b", bet="1-2-3-4")],
    )
    html = send(duel, "b", by=in_english, do_defence="dodge", **{"dodge.bet": "1-2-3"}).content.decode()
    told = html[html.index("The dodge is of the first spell alone; this will hit me all the same:") :]
    assert f"<strong>Flammula</strong> ({duel.name_of('c')})" in told
    assert "Lancea" not in told
    assert "Unless a shield of my partner stops it." in told
    alone = until_a_spell_is_under_way(spells.running(refereed=False))
    html = send(alone, "b", by=in_english, do_defence="dodge", **{"dodge.bet": "1-2-3"}).content.decode()
    assert "this will hit me" not in html


def test_a_defence_spell_is_cast_from_the_page(duel):
    duel = until_a_spell_is_under_way(duel)
    recap = send(duel, "b", do_defence="cast", cast="protego", **{"protego.how": "plain|"})
    assert recap.context["declaration"]["spell"] == "protego", (
        recap.context.get("sheet") and recap.context["sheet"].errors
    )


def test_four_stand_on_the_stage_and_in_the_thread():
    duel = spells.running(count=4, refereed=False)
    html = as_user().get(duel.get_absolute_url()).content.decode()
    assert html.count('<g class="token') == 4
    shown = as_player(duel, "c").get(page(duel))
    lancea = next(spell for spell in shown.context["sheet"].spells if spell.value == "lancea")
    assert [choice.value for choice in lancea.targets] == ["b", "d"]
    spells.all_file(duel)
    assert as_user().get(duel.get_absolute_url()).status_code == 200
    assert as_player(duel, "d").get(page(duel)).status_code == 200


def test_the_spell_book_and_the_rules_are_for_anyone(client):
    answer = client.get(reverse("duels:spell_book"), {"level": "3", "type": "fire"})
    assert answer.context["number"] == 1
    assert b"Lancea" in answer.content
    assert client.get(reverse("duels:spell_book")).context["number"] == len(starter().spells)
    assert client.get(reverse("duels:spell_book"), {"version": "99"}).status_code == 404
    assert client.get(reverse("duels:rules_spells")).status_code == 200


def test_a_correction_waits_among_the_tasks_of_its_author(duel):
    send(duel, do="as_it_is", **{**LANCE, "lancea.how": "plain|"})
    tasks = as_player(duel, "a").get(reverse("duels:home")).context["tasks"]
    assert [task.what for task in tasks] == ["correct"]
    tasks = as_player(duel, "b").get(reverse("duels:home")).context["tasks"]
    assert [task.what for task in tasks] == ["play"]


def test_the_picture_of_a_spell_duel_shows_its_stage(client, duel):
    answer = client.get(reverse("duels:picture", args=[duel.pk]))
    assert answer["Content-Type"] == "image/png"


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("width", "height"), [(1200, 800), (992, 700), (360, 640)])
def test_the_stage_stays_in_sight_with_the_reach_of_the_chosen_spell(new_reader, duel, width, height):
    reader = new_reader(viewport={"width": width, "height": height})
    tab = reader.new_page()
    tab.goto("/regles/arene/")
    cookie = as_player(duel, "a").cookies["sessionid"].value
    reader.add_cookies([{"name": "sessionid", "value": cookie, "url": tab.evaluate("location.origin")}])
    tab.goto(page(duel))
    spell = tab.locator("#id_cast-lancea")
    spell.check()
    spell.evaluate("spell => scrollTo(0, scrollY + spell.getBoundingClientRect().top - 200)")
    frame = tab.locator(".stage-frame").bounding_box()
    chosen = tab.locator("label[for=id_cast-lancea]").bounding_box()
    assert 0 <= frame["y"] <= frame["y"] + frame["height"] <= 80
    assert frame["y"] + frame["height"] <= chosen["y"] < height
    beside = frame["x"] >= chosen["x"] + chosen["width"]
    assert beside == (width >= 992)
    assert tab.locator(".board.is-in-reach").count() == 10  # from zone 4, five zones either way: the floor to zone 9
    assert tab.evaluate("document.documentElement.scrollWidth") == width


# the referee


def test_the_referee_reviews_and_publishes_each_phase():
    duel = spells.running(count=4)
    for letter in "abcd":
        spells.file(duel, letter, spells.move(6))
    desk = as_user(duel.referee)
    there = reverse("referee:review", args=[duel.pk, 1, "action"])
    assert there in desk.get(reverse("referee:queue")).content.decode()
    shown = desk.get(there)
    assert [publication.place for publication, _form in shown.context["panels"]] == [1, 2, 3, 4]
    fault = {"fault-d-ground": "told_result", "fault-d-reason": "Le texte raconte l’issue."}
    ruled = desk.post(reverse("referee:amend", args=[duel.pk, 1, "action"]), {"do": "fault-d", **fault})
    assert ruled.url.startswith(there)
    review = desk.get(there).context["review"]
    assert review.resolution.revision == 2
    assert any(change.event["code"] == "action_fault" for change in review.changes)
    publish = reverse("referee:publish", args=[duel.pk, 1, "action"])
    assert desk.get(publish).status_code == 200
    assert desk.post(publish, {"revision": 2}).status_code == 302
    assert fresh(duel).turn == 2
    assert desk.get(there).status_code == 200  # to be read again, and changed no more
    assert desk.get(reverse("referee:review", args=[duel.pk, 2, "action"])).status_code == 200
    assert desk.get(reverse("referee:review", args=[duel.pk, 1])).status_code == 404


# what belongs to another ruleset


@pytest.mark.parametrize("do", ["recap", "file", "as_it_is", "change"])
def test_a_form_of_a_spell_duel_sent_to_the_arena_is_refused_with_its_text(do):
    from tests import play as arena

    duel = arena.running()
    sent = {"do": do, "turn": duel.turn, "phase": "turn", "text": TEXT, **LANCE}
    answer = as_player(duel, "a").post(page(duel), sent)
    assert answer.status_code == 409
    assert TEXT[:20] in answer.content.decode()
    assert fresh(duel).awaited == "ab"


# challenges


def proposal(challenger, **other):
    starts_at = f"{clock.now() + dt.timedelta(days=3):%Y-%m-%dT%H:%M}"
    return {"challenger": challenger.pk, "mode": "rp", "starts_at": starts_at, "refereed": "no", **other}


def propose(challenger, opponent, **other):
    there = f"{reverse('duels:challenge_new')}?contre={opponent.pk}&regles=sorts"
    return as_user(challenger.user).post(there, proposal(challenger, **other))


def test_a_challenge_for_two_against_two_is_sent_and_answered_by_three():
    a, b, c, d = (spells.fighter() for _ in range(4))
    answer = propose(a, b, partner=c.name, second=d.name)
    duel = Duel.objects.get()
    assert answer.url == reverse("duels:challenge", args=[duel.pk])
    assert [duel.name_of(letter) for letter in "abcd"] == [a.name, b.name, c.name, d.name]
    for letter in "bcd":
        assert [task.what for task in as_player(duel, letter).get("/").context["tasks"]] == ["answer"]
        assert as_player(duel, letter).get(answer.url).context["is_mine_to_answer"]
        as_player(duel, letter).post(answer.url, {"action": "accept"})
    assert fresh(duel).status == "announced"
    prepare = reverse("duels:preparation", args=[duel.pk])
    for letter in "abcd":
        assert as_player(duel, letter).get(prepare).status_code == 200
        as_player(duel, letter).post(prepare, {"action": "start"})
    assert fresh(duel).is_running


def test_in_the_free_mode_each_chooses_a_level_and_types():
    a, b = spells.fighter(types=[]), spells.fighter(types=[])
    assert propose(a, b, mode="free").status_code == 422
    assert propose(a, b, mode="free", level="3", types=["fire"]).status_code == 302
    duel = Duel.objects.get()
    there = reverse("duels:challenge", args=[duel.pk])
    assert as_player(duel, "b").post(there, {"action": "accept", "level": "6", "types": ["air"]}).status_code == 422
    as_player(duel, "b").post(there, {"action": "accept", "level": "6", "types": ["air", "fire"]})
    assert fresh(duel).status == "announced"


def test_what_is_missing_is_explained_with_when_it_ends():
    novice, b = DuellistFactory(), spells.fighter()
    shown = as_user(novice.user).get(f"{reverse('duels:challenge_new')}?contre={b.pk}&regles=sorts")
    [(_duellist, missing)] = shown.context["lacking"]
    assert {"seniority", "messages", "chronology", "types"} <= {one.code for one in missing}
    assert propose(novice, b).status_code == 422
    assert not Duel.objects.exists()


def test_a_register_is_written_by_who_plays_the_duellist():
    duellist = spells.fighter(year=3, types=[])
    there = reverse("duels:register", args=[duellist.pk])
    assert as_user(spells.fighter().user).get(there).status_code == 403
    answer = as_user(duellist.user).post(there, {"types": ["water"], "traits": ["legilimens"], "prodigium": "on"})
    assert answer.status_code == 302
    duellist.refresh_from_db()
    assert (duellist.types, duellist.traits, duellist.prodigium) == (["water"], {"legilimens": 0}, True)


def test_surrender_and_draw_say_what_they_do_in_a_team():
    duel = spells.running(count=4, refereed=False)
    for name in ("surrender", "draw"):
        there = reverse(f"duels:{name}", args=[duel.pk])
        assert as_player(duel, "a").get(there).status_code == 200
    as_player(duel, "a").post(reverse("duels:surrender", args=[duel.pk]))
    assert fresh(duel).is_running
    as_player(duel, "c").post(reverse("duels:surrender", args=[duel.pk]))
    over = fresh(duel)
    assert over.winner == "2"
    html = as_user().get(f"{over.get_absolute_url()}").content.decode()
    assert over.name_of("d") in html
    proof = as_user().get(reverse("duels:proof", args=[over.pk]))
    assert proof.context["proof"].report.ok
