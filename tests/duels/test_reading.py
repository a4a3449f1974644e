"""What anyone reads: home, the list of duels, a thread, for each kind of reader."""

import datetime as dt
import io
import json

import msgspec
import pytest
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from duels import clock
from duels import export as exporting
from duels.actions.ending import offer_draw, surrender
from duels.actions.filing import replace_declaration
from duels.actions.granted import standing_rulings
from duels.actions.removal import remove_post
from duels.actions.revisions import correct_turn
from duels.actions.rulings import adjust_points, rule_invalid, withdraw_ruling
from duels.actions.sweep import sweep
from duels.models import Duel, Post, ReadMark
from tests import play, spells_play
from tests.duels.readers import as_player, as_user, english, strangers
from tests.factories import DuellistFactory, RefereeFactory, StaffFactory, UserFactory

pytestmark = pytest.mark.django_db


def address(name, duel, query=""):
    return reverse(f"duels:{name}", args=[duel.pk]) + query


def read(client, where):
    answer = client.get(where)
    assert answer.status_code == 200, (where, answer.status_code)
    return answer.content.decode()


def everybody(duel):
    return {
        "nobody": as_user(), "a": as_player(duel, "a"), "b": as_player(duel, "b"), **strangers(duel),
    }  # fmt: skip


class TestWhoMayRead:
    @pytest.mark.parametrize("stage", [play.announced, play.running, play.locked, play.over])
    def test_anybody_once_a_duel_is_announced(self, stage):
        duel = stage()
        for who, client in everybody(duel).items():
            assert client.get(address("duel", duel)).status_code == 200, who
            assert client.get(address("proof", duel)).status_code == 200, who

    def test_only_its_players_know_of_a_challenge(self):
        duel = play.challenged()
        for who, client in everybody(duel).items():
            expected = 302 if who in ("a", "b") else 404
            assert client.get(address("duel", duel)).status_code == expected, who
        assert as_player(duel, "a").get(address("duel", duel)).url == address("challenge", duel)

    def test_players_and_referees_know_of_a_duel_that_looks_for_a_referee(self):
        duel = play.agreed()
        for who, client in everybody(duel).items():
            expected = 200 if who in ("a", "b", "another referee") else 404
            assert client.get(address("duel", duel)).status_code == expected, who
            assert client.get(address("proof", duel)).status_code == expected, who

    def test_nobody_lists_what_is_not_announced(self):
        duel = play.agreed()
        for who, client in everybody(duel).items():
            for tab in ("running", "announced", "over"):
                assert str(duel) not in read(client, f"/duels/?etat={tab}"), who

    def test_a_duel_that_is_not_there_is_not_found(self):
        for duel in ("999", "9" * 40):
            for where in ("", "preuve/", "preuve/export.json", "message/1/", f"message/{'9' * 40}/"):
                assert as_user().get(f"/duels/{duel}/{where}").status_code == 404


class TestHome:
    def test_a_stranger_sees_a_running_duel_with_its_drawing_and_the_latest_ones(self):
        duel, announced = play.running(), play.announced()
        said = read(as_user(), "/")
        assert address("duel", duel) in said
        assert address("duel", announced) in said
        assert said.count('<svg class="puppet') == 2
        assert reverse("account_signup") in said

    def test_a_stranger_finds_an_empty_school_explained(self):
        said = read(english(as_user()), "/")
        assert "No duel is being fought just now" in said
        assert "Nothing has been announced yet." in said

    def test_a_newcomer_is_led_to_make_a_duellist(self):
        assert reverse("duels:duellist_new") in read(as_user(UserFactory()), "/")

    def test_a_duellist_without_a_duel_is_led_to_challenge(self):
        said = read(as_user(DuellistFactory().user), "/")
        assert f'class="btn btn-primary" href="{reverse("duels:challenge_new")}"' in said

    def test_what_waits_comes_soonest_deadline_first(self):
        me = DuellistFactory()
        challenged = play.challenged(b=me)
        announced = play.announced(a=me, starts_at=clock.now() + dt.timedelta(days=20))
        running = play.running(a=me, turn_hours=24)
        said = read(as_user(me.user), "/")
        places = [
            said.index(f'btn-primary" href="{where}"')
            for where in (address("turn", running), address("challenge", challenged), address("preparation", announced))
        ]
        assert places == sorted(places)

    def test_a_turn_that_is_filed_waits_for_the_other(self):
        duel = play.running()
        play.file(duel, "a")
        mine, theirs = (read(english(as_player(duel, letter)), "/") for letter in "ab")
        assert "Nothing: it is for others to move." in mine
        assert address("duel", duel) in mine
        assert address("turn", duel) in theirs

    def test_a_receptacle_not_hidden_in_time_is_said_to_cost(self, time):
        duel = play.announced()
        Duel.objects.filter(pk=duel.pk).update(starts_at=clock.now() + dt.timedelta(hours=20))
        assert "it is late already" in read(english(as_player(duel, "a")), "/")

    def test_an_offer_of_a_draw_waits_for_the_other(self):
        duel = play.running()
        offer_draw(user=play.player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
        assert f'href="{address("draw", duel)}"' not in read(as_player(duel, "a"), "/")
        assert f'href="{address("draw", duel)}"' in read(as_player(duel, "b"), "/")

    def test_a_referee_sees_turns_to_review_and_duels_to_take(self):
        duel, free = play.locked(), play.agreed()
        review = reverse("referee:review", args=[duel.pk, 1])
        assert review in read(as_user(duel.referee), "/")
        other = read(as_user(RefereeFactory()), "/")
        assert review not in other
        assert str(free) in other
        assert str(free) not in read(as_user(UserFactory()), "/")

    def test_a_referee_is_not_offered_a_duel_of_their_own(self):
        referee = RefereeFactory()
        duel = play.agreed(a=DuellistFactory(user=referee))
        assert f"Take {duel}" not in read(english(as_user(referee)), "/")

    def test_what_waits_is_kept_by_no_cache(self):
        assert "no-store" in as_user(UserFactory()).get("/")["Cache-Control"]


class TestTheList:
    def test_each_tab_lists_its_own(self):
        running, announced, over = play.running(), play.announced(), play.over()
        for tab, there in (("running", running), ("announced", announced), ("over", over)):
            said = read(as_user(), f"/duels/?etat={tab}")
            listed = [duel for duel in (running, announced, over) if f'href="{address("duel", duel)}"' in said]
            assert listed == [there], tab

    def test_it_says_who_is_awaited_and_until_when(self):
        duel = play.running()
        play.file(duel, "a")
        said = read(english(as_user()), "/duels/")
        assert f"awaited: {duel.name_of('b')}" in said
        due = timezone.localtime(play.fresh(duel).due_at).isoformat(timespec="seconds")
        assert f'datetime="{due}"' in said

    def test_it_says_that_the_referee_is_reviewing(self):
        play.locked()
        assert "the referee is reviewing it" in read(english(as_user()), "/duels/")

    def test_filters(self):
        mine = play.running(a=DuellistFactory(name="Isaure de Valombre"))
        Duel.objects.filter(pk=mine.pk).update(kind="tournament")
        other = play.running()
        for query in ("kind=tournament", "duellist=valombre", f"arena={mine.arena}&kind=tournament"):
            said = read(as_user(), f"/duels/?{query}")
            assert address("duel", mine) in said, query
            assert address("duel", other) not in said, query

    def test_each_ruleset_can_be_read_alone(self):
        arena, spells = play.running(kind="training"), spells_play.running(refereed=False)
        for query, there in (
            ("ruleset=arena", [arena]),
            ("ruleset=spells", [spells]),
            ("kind=training", [arena]),  # a spell duel has a mode and a format instead
            (f"ruleset=spells&arena={arena.arena}", []),
            (f"ruleset=spells&duellist={spells.name_of('b')}", [spells]),
            ("ruleset=chess", [arena, spells]),
        ):
            said = read(as_user(), f"/duels/?{query}")
            assert [duel for duel in (arena, spells) if address("duel", duel) in said] == there, query

    def test_filters_are_kept_from_page_to_page_and_from_tab_to_tab(self):
        now = clock.now()
        cast = {"a": {"name": "Ana", "user": 1}, "b": {"name": "Bo", "user": 2}}
        Duel.objects.bulk_create(
            Duel(
                ruleset="spells" if number % 2 else "arena", ruleset_version=1, kind="training", turn_hours=48,
                status="over", cast=cast, created_at=now, starts_at=now, announced_at=now, ended_at=now,
                format="1v1", mode="free",
            )
            for number in range(50)
        )  # fmt: skip
        answer = as_user().get("/duels/?etat=over&ruleset=spells")
        html = answer.content.decode()
        after = answer.context["page"].after
        assert f'href="?etat=over&amp;ruleset=spells&amp;avant={after}"' in html
        assert 'href="?etat=running&amp;ruleset=spells"' in html
        rest = as_user().get(f"/duels/?etat=over&ruleset=spells&avant={after}").context["page"].duels
        assert [duel.ruleset for duel in rest] == ["spells"] * 5

    def test_what_is_no_filter_filters_nothing(self):
        duel = play.running()
        assert address("duel", duel) in read(as_user(), "/duels/?kind=feast")

    def test_pages_follow_the_key_of_the_last_one(self):
        now = clock.now()
        cast = {"a": {"name": "Ana", "user": 1}, "b": {"name": "Bo", "user": 2}}
        Duel.objects.bulk_create(
            Duel(
                ruleset_version=1, kind="training", turn_hours=48, status="over", cast=cast, arena="four_winds",
                created_at=now, starts_at=now, announced_at=now, ended_at=now,
            )
            for _number in range(45)
        )  # fmt: skip
        keys = sorted(Duel.objects.values_list("pk", flat=True), reverse=True)
        seen, where = [], "/duels/?etat=over"
        for size in (20, 20, 5):
            answer = as_user().get(where)
            page = answer.context["page"]
            seen += [duel.pk for duel in page.duels]
            assert len(page.duels) == size
            where = f"/duels/?etat=over&avant={page.after}"
        assert page.after is None
        assert seen == keys

    def test_every_empty_list_says_what_to_do(self):
        client = english(as_user())
        assert "No duel is being fought just now." in read(client, "/duels/")
        assert "No duel is announced." in read(client, "/duels/?etat=announced")
        assert "No duel is over yet." in read(client, "/duels/?etat=over")
        assert "No duel is like that." in read(client, "/duels/?kind=training")
        assert "There are no older ones." in read(client, "/duels/?avant=3")

    @pytest.mark.parametrize("query", ["etat=secret", "avant=0", "avant=x", "avant=²", "avant=99999999999999999999"])
    def test_an_address_that_means_nothing_is_not_found(self, query):
        assert as_user().get(f"/duels/?{query}").status_code == 404


class TestADuel:
    def test_it_shows_where_it_stands(self):
        duel = play.running()
        said = read(english(as_user()), address("duel", duel))
        assert said.count('<svg class="puppet') == 2
        assert said.count("gauge-link") == said.count("gauge-alchemy") == 2
        for part in ("Turn 1", duel.commitment, duel.referee.username, "48 h"):
            assert part in said

    def test_the_thread_tells_the_turn_in_order(self):
        duel = play.running()
        play.play_turn(duel, b={"thrust": "torso", "parry": "right_arm"})
        said = read(english(as_user()), address("duel", duel))
        order = ["Announcement", "The duel starts", "pantins s'éveillent", "Resolution of turn 1"]
        places = [said.index(part) for part in order]
        assert places == sorted(places)
        entry = duel.entries.get(kind="filing", seat="a")
        assert entry.receipt in said

    def test_a_resolution_shows_what_both_declared_and_each_event_with_its_article(self):
        duel = play.running()
        play.play_turn(duel, a={"thrust": "torso", "parry": "head"}, b={"thrust": "torso", "parry": "right_arm"})
        said = read(english(as_user()), address("duel", duel))
        resolution = said[said.index("Resolution of turn 1") :]
        assert resolution.count("<td>torso</td>") == 2
        assert "<td>head</td>" in resolution
        assert f'href="{reverse("duels:rules_arena")}#A' in resolution

    def test_an_invalid_publication_says_why(self):
        duel = play.locked()
        rule_invalid(user=duel.referee, duel_id=duel.pk, turn=1, seat="b", reason="Le texte <b>répond</b> à un autre.")
        play.publish(duel)
        said = read(english(as_user()), address("duel", duel))
        assert f"finds the publication of {duel.name_of('b')} invalid" in said
        assert "Le texte &lt;b&gt;répond&lt;/b&gt; à un autre." in said

    def test_a_ruling_that_was_in_force_as_the_turn_was_published_is_told_though_it_was_taken_back_since(self):
        duel = play.locked()
        rule_invalid(**by_referee(duel), seat="b", reason="Trop court.")
        take_back_once_published(duel, "Compté de nouveau : assez long.")
        play.publish(duel)
        said = read(english(as_user()), address("duel", duel))
        assert said.count("Trop court.") == 2  # in either publication
        assert said.rindex("Trop court.") < said.index("Compté de nouveau")
        assert "takes back" in said

    def test_a_ruling_that_was_never_in_force_at_a_publication_is_told_in_the_record_alone(self):
        duel = play.locked()
        rule_invalid(**by_referee(duel), seat="b", reason="Trop court.")
        (ruling,) = standing_rulings(play.fresh(duel).phase)
        withdraw_ruling(**by_referee(duel), index=ruling.index, reason="Compté de nouveau : assez long.")
        duel = play.publish(duel)
        said = read(english(as_user()), address("duel", duel))
        assert "Trop court." not in said
        assert "takes back" not in said
        surrender(user=play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
        assert "Trop court." in read(english(as_user()), address("proof", duel))

    def test_what_came_and_went_before_a_turn_was_published_anew_is_not_told_either(self):
        duel = play.publish(play.locked())
        correct_turn(user=duel.referee, duel_id=duel.pk, turn=1, reason="Relu.", seen=duel.phase.pk)
        rule_invalid(**by_referee(duel), seat="b", reason="Trop court.")
        (ruling,) = standing_rulings(play.fresh(duel).phase)
        withdraw_ruling(**by_referee(duel), index=ruling.index, reason="Compté de nouveau : assez long.")
        play.publish(duel)
        assert "Trop court." not in read(english(as_user()), address("duel", duel))

    def test_what_is_published_says_who_was_late(self, time):
        duel = play.running()
        play.file(duel, "a")
        time.go_to(duel.due_at, seconds=31)
        sweep()
        play.publish(duel)
        assert Post.objects.get(kind="resolution").details == {"rulings": [], "late": ["b"]}

    def test_a_replaced_declaration_shows_its_receipt(self):
        duel = play.running()
        play.file(duel, "a")
        declaration = {"thrust": "head", "parry": "torso", "option": None}
        entry = replace_declaration(
            user=play.player(duel, "a"), duel_id=duel.pk, turn=1, declaration=declaration, received_at=clock.now()
        )
        said = read(english(as_user()), address("duel", duel))
        assert "has filed another declaration" in said
        assert entry.receipt in said

    def test_a_removed_text_is_gone_and_said_to_be(self):
        duel = play.running()
        play.file(duel, "a")
        post = Post.objects.get(kind="rp")
        remove_post(user=StaffFactory(), post_id=post.pk, reason="Un nom véritable.")
        said = read(english(as_user()), address("duel", duel))
        assert "removed by staff" in said
        assert "Un nom véritable." not in said  # the reason is the staff's: it may name what had to go
        assert "pantins s'éveillent" not in said

    def test_the_verdict_leads_to_the_proof(self):
        duel = play.over()
        said = read(english(as_user()), address("duel", duel))
        verdict = said[said.index('class="verdict"') :]
        assert duel.name_of("a") in verdict
        assert address("proof", duel) in verdict

    def test_each_player_sees_the_one_thing_to_do(self):
        duel = play.running()
        play.file(duel, "a")
        mine, theirs = (read(as_player(duel, letter), address("duel", duel)) for letter in "ab")
        button = f'class="btn btn-primary" href="{address("turn", duel)}"'
        assert button not in mine
        assert button in theirs
        assert address("surrender", duel) in mine
        assert address("surrender", duel) not in read(as_user(UserFactory()), address("duel", duel))

    def test_a_player_with_a_receptacle_to_hide_is_led_to_it(self):
        duel = play.announced()
        assert address("preparation", duel) in read(as_player(duel, "a"), address("duel", duel))
        play.hide(duel)
        button = f'class="btn btn-primary" href="{address("preparation", duel)}"'
        assert button not in read(as_player(duel, "a"), address("duel", duel))

    def test_the_referee_is_led_to_the_review(self):
        duel = play.locked()
        review = reverse("referee:review", args=[duel.pk, 1])
        assert review in read(as_user(duel.referee), address("duel", duel))
        assert review not in read(as_user(RefereeFactory()), address("duel", duel))

    def test_it_is_described_to_those_who_link_to_it(self):
        duel = play.running()
        said = read(english(as_user()), address("duel", duel))
        assert f'<meta property="og:title" content="{duel}">' in said
        assert '<meta property="og:description" content="training duel, ' in said
        assert f'<link rel="canonical" href="http://127.0.0.1:8000{address("duel", duel)}">' in said

    @pytest.mark.parametrize("stage", [play.announced, play.running])
    def test_those_who_link_to_it_get_its_picture(self, stage):
        duel = stage()
        address_of_it = address("picture", duel)
        assert f'<meta property="og:image" content="http://127.0.0.1:8000{address_of_it}">' in read(
            as_user(), address("duel", duel)
        )
        answer = as_user().get(address_of_it)
        assert answer["Content-Type"] == "image/png"
        assert Image.open(io.BytesIO(answer.content)).size == (1200, 630)

    def test_there_is_no_picture_of_what_may_not_be_known(self):
        duel = play.agreed()
        assert as_user().get(address("picture", duel)).status_code == 404
        assert as_player(duel, "a").get(address("picture", duel))["Cache-Control"] == "private, max-age=300"
        told = play.announced()
        assert as_user().get(address("picture", told))["Cache-Control"] == "public, max-age=300"

    def test_a_duel_that_looks_for_a_referee_has_no_thread_yet(self):
        duel = play.agreed()
        said = read(english(as_player(duel, "a")), address("duel", duel))
        assert "looking for a referee" in said
        assert "Nothing is published yet" in said

    @pytest.mark.parametrize("page", ["0", "x", "-1", "1e9"])
    def test_a_page_that_is_not_there_is_not_found(self, page):
        assert as_user().get(address("duel", play.running(), f"?page={page}")).status_code == 404


def lengthen(duel, posts):
    """Add posts to a thread until it has that many; return the thread."""
    thread = play.fresh(duel).thread
    made = range(thread.post_count + 1, posts + 1)
    Post.objects.bulk_create(
        Post(thread=thread, position=n, kind="choice", seat="a", posted_at=clock.now(), details={"zone": "head"})
        for n in made
    )
    del thread.post_count
    return thread


class TestPages:
    def test_twenty_posts_a_page_and_a_way_to_each_end(self):
        duel = play.running()
        lengthen(duel, 45)
        for page, first, last in ((1, 1, 20), (2, 21, 40), (3, 41, 45)):
            answer = as_user().get(address("duel", duel, f"?page={page}"))
            assert [post.position for post in answer.context["posts"]] == list(range(first, last + 1))
        said = read(english(as_user()), address("duel", duel, "?page=2"))
        for target in ("?page=1", "?page=3", "?page=3#last-turn", "Page 2 of 3"):
            assert target in said

    def test_the_last_turn_is_one_touch_away(self):
        duel = play.running()
        play.play_turn(duel)
        said = read(as_user(), address("duel", duel))
        assert 'href="#last-turn"' in said
        assert said.index('id="last-turn"') < said.index('id="m5"')
        assert said.index('id="last-turn"') > said.index('id="m4"')

    @pytest.mark.parametrize(("position", "page"), [(1, 1), (20, 1), (21, 2), (45, 3)])
    def test_the_address_of_a_post_leads_to_its_page(self, position, page):
        duel = play.running()
        lengthen(duel, 45)
        answer = as_user().get(reverse("duels:post", args=[duel.pk, position]))
        assert answer.url == f"{address('duel', duel)}?page={page}#m{position}"
        assert f'id="m{position}"' in read(as_user(), answer.url)

    @pytest.mark.parametrize("position", [0, 46, 10**12])
    def test_there_is_no_address_beyond_the_last_post(self, position):
        duel = play.running()
        lengthen(duel, 45)
        assert as_user().get(reverse("duels:post", args=[duel.pk, position])).status_code == 404


class TestUnread:
    def test_reading_never_marks_by_itself(self):
        duel = play.running()
        reader = as_user(UserFactory())
        read(reader, address("duel", duel))
        assert not ReadMark.objects.exists()

    def test_the_end_of_a_page_is_marked_and_the_first_unread_post_found_again(self):
        duel = play.running()
        lengthen(duel, 45)
        reader = english(as_user(UserFactory()))
        assert "First unread post" not in read(reader, address("duel", duel))
        answer = reader.post(address("read", duel), {"position": 20})
        assert answer.url == address("duel", duel)
        said = read(reader, address("duel", duel))
        assert 'href="?page=2#m21"' in said
        assert "New since your last visit" in read(reader, address("duel", duel, "?page=2"))
        reader.post(address("read", duel), {"position": 45})
        assert "First unread post" not in read(reader, address("duel", duel))

    def test_the_script_of_the_page_gets_no_page_back(self):
        duel = play.running()
        reader = as_user(UserFactory())
        answer = reader.post(address("read", duel), {"position": 2}, headers={"X-Requested-With": "fetch"})
        assert answer.status_code == 204
        assert ReadMark.objects.get().position == 2

    def test_a_mark_never_goes_back_nor_beyond_the_end(self):
        duel = play.running()
        reader = as_user(UserFactory())
        for position, kept in ((1, 1), (99, 2), (1, 2)):
            reader.post(address("read", duel), {"position": position})
            assert ReadMark.objects.get().position == kept

    def test_strangers_cannot_mark_nor_anybody_what_they_may_not_read(self):
        duel = play.running()
        assert as_user().post(address("read", duel), {"position": 1}).url.startswith("/compte/login/")
        hidden = play.agreed()
        assert as_user(UserFactory()).post(address("read", hidden), {"position": 1}).status_code == 404
        assert not ReadMark.objects.exists()

    @pytest.mark.parametrize("position", ["", "x", "-3", "1" * 30])
    def test_nonsense_is_not_marked(self, position):
        duel = play.running()
        assert as_user(UserFactory()).post(address("read", duel), {"position": position}).status_code == 404

    def test_a_get_is_refused(self):
        assert as_user(UserFactory()).get(address("read", play.running())).status_code == 405


class TestTheProof:
    def test_before_the_end_it_says_what_will_be_opened(self):
        duel = play.running()
        said = read(english(as_user()), address("proof", duel))
        assert "its secrets stay sealed until the verdict" in said
        assert duel.commitment in said

    def test_a_running_duel_exports_nothing_and_says_why(self):
        duel = play.running()
        for who, client in everybody(duel).items():
            answer = english(client).get(address("export", duel))
            assert answer.status_code == 403, who
            assert "This duel is not over" in answer.content.decode(), who

    def test_afterwards_it_verifies_and_opens_everything(self):
        duel = play.over(receptacles=("right_leg", "torso"))
        said = read(english(as_user()), address("proof", duel))
        assert "Verified:" in said
        assert "right leg" in said
        for entry in duel.entries.filter(kind__in=("receptacle", "filing")):
            assert entry.receipt in said
        assert "arena drawn" in said

    def test_it_says_what_the_referee_ruled_and_took_back(self):
        duel = play.locked()
        where = {"user": duel.referee, "duel_id": duel.pk, "turn": 1}
        adjust_points(**where, seat="a", gauge="link", points=1, reason="Beau geste.")
        index = standing_rulings(play.fresh(duel).phase)[0].index
        withdraw_ruling(**where, index=index, reason="Erreur de duelliste.")
        duel = play.publish(play.fresh(duel))
        surrender(user=play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
        said = read(english(as_user()), address("proof", duel))
        assert "The referee gives" in said
        assert "The referee takes back the points given to" in said
        assert "<q>Erreur de duelliste.</q>" in said

    def test_what_was_tampered_with_is_said_to_be(self, monkeypatch):
        duel = play.over()
        true = exporting.of
        monkeypatch.setattr(exporting, "of", lambda duel: _forged(true(duel)))
        assert "Not verified:" in read(english(as_user()), address("proof", duel))

    def test_the_download_has_a_lasting_name(self):
        duel = play.over()
        answer = as_user().get(address("export", duel))
        assert answer["Content-Type"] == "application/json"
        assert answer["Content-Disposition"] == f'attachment; filename="duel-{duel.pk}.json"'
        assert json.loads(answer.content)["duel"] == str(duel.uid)


def by_referee(duel):
    return {"user": duel.referee, "duel_id": duel.pk, "turn": 1}


def take_back_once_published(duel, why):
    """Publish the first turn, take it up again, and take its ruling back."""
    duel = play.publish(duel)
    correct_turn(user=duel.referee, duel_id=duel.pk, turn=1, reason="Relu.", seen=duel.phase.pk)
    (ruling,) = standing_rulings(play.fresh(duel).phase)
    withdraw_ruling(**by_referee(duel), index=ruling.index, reason=why)


def _forged(export):
    entries = list(export.entries)
    place = next(index for index, entry in enumerate(entries) if entry.kind == "filing")
    entries[place] = msgspec.structs.replace(entries[place], content={**entries[place].content, "thrust": "head"})
    return msgspec.structs.replace(export, entries=tuple(entries))
