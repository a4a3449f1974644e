"""A turn, from its page to the receipt."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from duels.actions.filing import replace_declaration
from duels.models import Entry, Post
from duels.secrets import opened
from tests import play
from tests.factories import DuellistFactory, UserFactory
from tests.play import TEXT

from .arenas import quiet
from .readers import as_player, as_user, assert_kept_for_players, strangers

pytestmark = pytest.mark.django_db

SHORT = "Trop court pour compter."


def page(duel):
    return reverse("duels:turn", args=[duel.pk])


def filled(duel, do="recap", text=TEXT, **other):
    """Return what the page's form sends; `text=None` for a declaration that is filed again."""
    form = {"do": do, "turn": play.fresh(duel).turn, "text": text, "thrust": "left_arm", "parry": "left_leg", **other}
    return {field: said for field, said in form.items() if said is not None}


def send(duel, letter="a", do="recap", **other):
    return as_player(duel, letter).post(page(duel), filled(duel, do, **other))


def filed(duel, letter="a"):
    """Return the declarations that a seat has filed, version by version."""
    entries = Entry.objects.filter(duel=duel, kind="filing", seat=letter).order_by("version")
    return [opened(entry, duel.uid).content for entry in entries]


def choices(duel, part, letter="a"):
    """Return the choices of a part of the menu as the page shows them, by value."""
    sheet = as_player(duel, letter).get(page(duel)).context["sheet"]
    shown = [*sheet.offered, *sheet.refused] if part == "option" else getattr(sheet, part).choices
    return {one.value: getattr(one, "choice", one) for one in shown}


@pytest.fixture
def duel():
    return quiet()


# who may


def test_a_turn_is_for_the_two_who_duel(duel):
    assert_kept_for_players(duel, page(duel))
    for kind, client in strangers(duel).items():
        for do in ("glance", "recap", "file"):
            assert client.post(page(duel), filled(duel, do)).status_code == 403, kind
    assert filed(duel) == []


def test_nobody_plays_without_signing_in(duel):
    answer = as_user().post(page(duel), filled(duel, "file", text=""))
    assert answer.url.startswith("/compte/login/")
    assert filed(duel) == []


def test_a_duellist_of_mine_in_another_duel_gives_no_seat_in_this_one(duel):
    other = play.running()
    assert as_player(other, "a").get(page(duel)).status_code == 403


# what the page shows


def test_the_page_draws_the_menu_with_costs_sanctions_and_reasons(duel):
    play.play_turn(duel, a={"thrust": "torso", "parry": "head", "option": {"name": "time_capsule"}})
    assert [f.code for f in choices(duel, "thrust")["torso"].findings] == ["relentlessness"]
    assert [f.code for f in choices(duel, "parry")["head"].findings] == ["cowardice"]
    assert [f.code for f in choices(duel, "option")["time_capsule"].findings] == ["repetition"]
    text = as_player(duel, "a").get(page(duel)).text
    for rule in ("A8.2", "A9.2", "A10.8"):
        assert f"#{rule}" in text


def test_what_is_not_available_says_why():
    duel = quiet(a=DuellistFactory(year=1))
    assert choices(duel, "option")["change_arena"].refused.code == "above_year"
    answer = as_player(duel, "a").get(page(duel))
    assert 'value="change_arena"' not in answer.text
    assert "#A11.0" in answer.text


def test_the_page_shows_my_secrets_to_me_and_not_to_the_other(duel):
    mine, theirs = (as_player(duel, letter).get(page(duel)).context for letter in "ab")
    assert mine["me"]["receptacle"] == "head"
    assert "receptacle" not in mine["foe"]
    assert "receptacle" not in theirs["foe"]


def test_the_page_tells_the_last_resolution_as_i_may_read_it(duel):
    play.play_turn(duel, a={"option": {"name": "rough_skin", "zones": ["right_leg"]}})
    zones = {
        letter: [e.get("zones") for e in as_player(duel, letter).get(page(duel)).context["events"] if "option" in e]
        for letter in "ab"
    }
    assert zones == {"a": [["right_leg"]], "b": [None]}


def test_the_deadline_is_shown_with_its_hour(duel):
    due = timezone.localtime(duel.phase.due_at).isoformat(timespec="seconds")
    assert f'datetime="{due}"' in as_player(duel, "a").get(page(duel)).text


def test_what_the_other_files_changes_nothing_on_my_page_but_that_it_is_there(duel):
    """Two different declarations, and every byte of the other's page is the same but for tokens and hours."""
    pages = []
    for option, thrust in (
        ({"name": "time_capsule"}, "torso"),
        ({"name": "gaping_hole", "zones": ["head", "torso"]}, "head"),
    ):
        if pages:
            replace_declaration(
                user=play.player(duel, "a"), duel_id=duel.pk, turn=1, received_at=play.clock.now(),
                declaration={"thrust": thrust, "parry": "head", "option": option},
            )  # fmt: skip
        else:
            play.file(duel, "a", thrust=thrust, option=option)
        text = as_player(duel, "b").get(page(duel)).text
        pages.append(re.sub(r'name="csrfmiddlewaretoken" value="\w+"|<time.*?</time>', "", text))
    assert pages[0] == pages[1]


# the recap


def test_the_recap_files_nothing_and_carries_everything_in_its_body(duel):
    answer = send(duel, option="gaping_hole", **{"gaping_hole.zones": ["head", "torso"]})
    assert answer.status_code == 200
    assert answer.context["declaration"] == {
        "thrust": "left_arm",
        "parry": "left_leg",
        "option": {"name": "gaping_hole", "zones": ["head", "torso"]},
    }
    assert filed(duel) == []
    carried = re.findall(r'<input type="hidden" name="([\w.]+)" value="([^"]*)"', answer.text)
    assert [pair for pair in carried if pair[0] not in ("csrfmiddlewaretoken", "text", "next")] == [
        ("turn", "1"),
        ("branch", "0"),
        ("thrust", "left_arm"),
        ("parry", "left_leg"),
        ("option", "gaping_hole"),
        ("gaping_hole.zones", "head"),
        ("gaping_hole.zones", "torso"),
    ]
    assert "no-store" in answer["Cache-Control"]


def test_what_the_recap_carries_is_what_is_filed(duel):
    client = as_player(duel, "a")
    recap = client.post(page(duel), filled(duel, option="move_receptacle", **{"move_receptacle.zones": "torso"}))
    fields = [(field, said) for field, said in recap.context["fields"]]
    sent = {**dict(fields), "turn": "1", "text": recap.context["text"], "do": "file"}
    assert client.post(page(duel), sent).url == page(duel)
    option = {"name": "move_receptacle", "zones": ["torso"]}
    assert filed(duel) == [{"thrust": "left_arm", "parry": "left_leg", "option": option}]


def test_the_recap_says_costs_sanctions_and_warnings(duel):
    play.play_turn(duel, a={"thrust": "torso", "option": {"name": "time_capsule"}})
    answer = send(duel, thrust="torso", option="rough_skin", **{"rough_skin.zones": "head"})
    assert [(f.level, f.code) for f in answer.context["findings"]] == [
        ("sanction", "relentlessness"),
        ("sanction", "cowardice"),
    ]
    assert [(cost.gauge, cost.points) for cost in answer.context["costs"]] == [("alchemy", 1)]


def test_a_conversion_says_its_direction():
    duel = quiet(a=DuellistFactory(year=7))
    answer = send(duel, option="convert_points", **{"convert_points.to": "alchemy"})
    assert answer.context["declaration"]["option"] == {"name": "convert_points", "to": "alchemy"}
    assert [(cost.gauge, cost.points) for cost in answer.context["costs"]] == [("link", 2)]


def test_only_the_chosen_options_zones_are_read(duel):
    answer = send(duel, option="time_capsule", **{"rough_skin.zones": "head", "convert_points.to": "link"})
    assert answer.context["declaration"]["option"] == {"name": "time_capsule"}
    answer = send(duel, option="", **{"rough_skin.zones": "head"})
    assert answer.context["declaration"]["option"] is None


def test_from_the_recap_one_goes_back_with_everything(duel):
    answer = send(duel, do="change", text=SHORT, option="rough_skin", **{"rough_skin.zones": "head"})
    assert answer.status_code == 200
    assert SHORT in answer.text
    assert answer.context["sheet"].declaration["option"] == {"name": "rough_skin", "zones": ["head"]}
    assert re.search(r'name="rough_skin.zones" value="head" checked', answer.text)
    assert filed(duel) == []


def test_the_script_gets_the_recap_alone(duel):
    glance = send(duel, do="glance")
    assert "<html" not in glance.text
    assert 'value="file"' in glance.text
    assert filed(duel) == []


def test_the_script_is_told_what_is_missing(duel):
    glance = send(duel, do="glance", text=SHORT, parry=None)
    assert glance.status_code == 200
    assert "<form" not in glance.text
    assert glance.text.count("<li>") == 2


# filing


def test_filing_publishes_the_text_and_seals_the_declaration(duel):
    answer = send(duel, do="file", follow=None)
    assert answer.url == page(duel)
    assert filed(duel) == [{"thrust": "left_arm", "parry": "left_leg", "option": None}]
    post = Post.objects.get(thread__duel=duel, kind="rp")
    assert post.body.text == TEXT
    shown = as_player(duel, "a").get(page(duel))
    assert post.entry.receipt in shown.text
    assert reverse("duels:post", args=[duel.pk, post.position]) in shown.text
    assert shown.context["filed"] == filed(duel)[0]
    assert 'name="text"' not in shown.text


def test_a_text_is_kept_with_plain_line_ends(duel):
    send(duel, do="file", text=TEXT.replace(". ", ".\r\n\r\n") + "  \r\n")
    assert Post.objects.get(thread__duel=duel, kind="rp").body.text == TEXT.replace(". ", ".\n\n")


def test_a_sign_that_no_database_keeps_is_left_out_of_a_text(duel):
    send(duel, do="file", text=TEXT + "\0")
    assert Post.objects.get(thread__duel=duel, kind="rp").body.text == TEXT


def test_the_lines_of_a_text_survive_the_recap(duel):
    text = TEXT.replace(". ", ".\n\n")
    recap = send(duel, text=text)
    assert f'name="text" value="{text.replace(chr(39), "&#x27;")}"' in recap.text


@pytest.mark.parametrize("do", ["recap", "file"])
def test_a_short_text_is_refused_kept_and_its_missing_words_counted(duel, do):
    answer = send(duel, do=do, text=SHORT, option="rough_skin", **{"rough_skin.zones": "head"})
    assert answer.status_code == 422
    assert SHORT in answer.text
    assert "96" in answer.context["form"].errors["text"][0]
    assert answer.context["sheet"].declaration["thrust"] == "left_arm"
    assert 'id="errors"' in answer.text
    assert "autofocus" in answer.text
    assert filed(duel) == []


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ({"thrust": None}, "thrust"),
        ({"parry": "tail"}, "parry"),
        ({"option": "fireball"}, "option"),
        ({"option": "gaping_hole", "gaping_hole.zones": ["head"]}, "option"),
        ({"option": "gaping_hole", "gaping_hole.zones": ["head", "head"]}, "option"),
        ({"option": "rough_skin", "rough_skin.zones": ["head", "torso"]}, "option"),
        ({"option": "convert_points"}, "option"),
        ({"option": "convert_points", "convert_points.to": "gold"}, "option"),
    ],
)
def test_what_the_rules_refuse_is_said_beside_its_part_and_nothing_is_lost(duel, said, part):
    answer = send(duel, do="file", **said)
    assert answer.status_code == 422
    assert list(answer.context["sheet"].errors) == [part]
    assert TEXT.replace("'", "&#x27;") in answer.text
    assert filed(duel) == []


def test_an_option_that_is_not_offered_is_refused_even_when_sent_by_hand():
    duel = quiet(a=DuellistFactory(year=1))
    answer = send(duel, do="file", option="change_arena")
    assert answer.status_code == 422
    assert list(answer.context["sheet"].errors) == ["option"]
    assert filed(duel) == []


def test_a_declaration_is_replaced_until_the_turn_locks_and_the_text_stays(duel):
    send(duel, do="file")
    answer = send(duel, do="file", text=None, thrust="torso")
    assert answer.url == page(duel)
    assert [one["thrust"] for one in filed(duel)] == ["left_arm", "torso"]
    assert Post.objects.filter(thread__duel=duel, kind="rp").count() == 1
    shown = as_player(duel, "a").get(page(duel))
    assert len(shown.context["filings"]) == 2
    assert shown.context["filed"]["thrust"] == "torso"


def test_a_declaration_alone_is_not_filed_before_a_text(duel):
    answer = send(duel, do="file", text=None)
    assert answer.status_code == 422
    assert answer.context["refusal"]
    assert filed(duel) == []


def test_when_both_have_filed_the_page_says_what_is_awaited(duel):
    send(duel, "a", do="file")
    recap = send(duel, "b")
    assert recap.context["table"].foe_has_filed
    send(duel, "b", do="file")
    closed = as_player(duel, "b").get(page(duel))
    assert closed.templates[0].name == "duels/turn_closed.html"
    assert closed.context["filed"] == filed(duel, "b")[0]
    assert 'name="thrust"' not in closed.text


def test_without_a_referee_one_is_led_to_what_came_of_it():
    duel = play.running(refereed=False)
    send(duel, "a", do="file")
    assert send(duel, "b", do="file").url == duel.get_absolute_url()
    assert play.fresh(duel).turn == 2


def test_posting_stays_within_its_budget(duel):
    client = as_player(duel, "a")
    form = filled(duel, "file")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.post(page(duel), form)
    said = [q["sql"] for q in queries if not q["sql"].startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE"))]
    assert len(said) <= 12, said
    assert len(filed(duel)) == 1


def test_what_is_declared_never_shows_in_addresses_headers_or_logs(duel, caplog):
    caplog.set_level("DEBUG")
    secret = {"option": "gaping_hole", "gaping_hole.zones": ["left_leg", "right_leg"], "thrust": "right_arm"}
    for answer in (
        send(duel, do="recap", **secret),
        send(duel, do="glance", **secret),
        send(duel, do="file", text=SHORT, **secret),
        send(duel, do="file", **secret),
        send(duel, do="file", **secret),  # a second tab
        as_player(duel, "b").post(page(duel), {**filled(duel, "file", **secret), "option": "no_such"}),
        as_user(UserFactory()).post(page(duel), filled(duel, "file", **secret)),
    ):
        told = f"{answer.headers} {answer.cookies.output()} {caplog.text}"
        for word in ("gaping_hole", "left_leg", "right_leg", "right_arm", "lumière"):
            assert word not in told
    assert len(filed(duel)) == 1


# nothing typed is lost


def test_a_text_that_comes_too_late_is_refused_and_given_back(duel, time):
    time.go_to(duel.phase.due_at, seconds=1)
    answer = send(duel, do="file")
    assert answer.status_code == 409
    assert TEXT.replace("'", "&#x27;") in answer.text
    assert filed(duel) == []


def test_the_last_second_counts(duel, time):
    time.go_to(duel.phase.due_at, seconds=-1)
    assert send(duel, do="file").status_code == 302


@pytest.mark.parametrize("do", ["recap", "file", "change"])
def test_a_page_of_an_earlier_turn_is_refused_and_its_text_given_back(duel, do):
    old = filled(duel, do)
    play.play_turn(duel)
    answer = as_player(duel, "a").post(page(duel), old)
    assert answer.status_code == 409
    assert TEXT.replace("'", "&#x27;") in answer.text
    assert page(duel) in answer.text


@pytest.mark.parametrize("turn", ["", "x", "-1", "²", "9" * 5000, None])
def test_a_page_without_a_turn_is_refused(duel, turn):
    assert send(duel, do="file", turn=turn).status_code == 409


def test_a_second_tab_is_told_that_the_text_is_published(duel):
    send(duel, do="file")
    other = TEXT.replace("lumière", "pénombre")
    answer = send(duel, do="file", text=other)
    assert answer.status_code == 409
    assert "pénombre" in answer.text
    assert len(filed(duel)) == 1


def test_a_second_tab_is_told_that_the_turn_is_closed(duel):
    for letter in "ab":
        send(duel, letter, do="file")
    assert send(duel, "a", do="file", text=None).status_code == 409
    assert len(filed(duel)) == 1


def test_who_was_signed_out_meanwhile_gets_the_text_back(duel):
    answer = as_user().post(page(duel), filled(duel, "file"))
    assert answer.status_code == 401
    assert TEXT.replace("'", "&#x27;") in answer.text
    assert "no-store" in answer["Cache-Control"]


def test_a_form_with_a_stale_token_gives_the_text_back(duel):
    client = as_player(duel, "a", enforce_csrf_checks=True)
    answer = client.post(page(duel), filled(duel, "file"))
    assert answer.status_code == 403
    assert TEXT.replace("'", "&#x27;") in answer.text
    assert filed(duel) == []


def test_what_is_typed_is_never_read_as_markup(duel):
    for do in ("recap", "change"):
        assert "<script>x" not in send(duel, do=do, text=TEXT + "<script>x</script>\"'>").text


# what comes before and after


def test_looking_files_nothing(duel):
    as_player(duel, "a").get(page(duel), filled(duel, "file"))
    assert filed(duel) == []


def test_the_page_leads_on_when_there_is_no_turn_to_play():
    for duel, name in (
        (play.challenged(), "duels:challenge"),
        (play.agreed(), "duels:challenge"),
        (play.announced(), "duels:preparation"),
        (play.over(), "duels:duel"),
    ):
        assert as_player(duel, "a").get(page(duel)).url == reverse(name, args=[duel.pk])


def test_a_turn_whose_time_is_over_says_so_until_it_is_worked_out(duel, time):
    time.go_to(duel.phase.due_at, seconds=1)
    answer = as_player(duel, "a").get(page(duel))
    assert answer.templates[0].name == "duels/turn_closed.html"
    assert "#A6.2" in answer.text


def test_only_players_learn_that_there_is_a_duel_before_it_is_announced():
    duel = play.agreed()
    assert as_user(UserFactory()).get(page(duel)).status_code == 404
