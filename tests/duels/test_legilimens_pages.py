"""The pages of Legilimens (B7.1): who is told what, who reads the sealed post, and what is refused on the way."""

import pytest
from django.urls import reverse
from django.utils import timezone
from msgspec.structs import replace

from duels import clock, secrets
from duels.actions.ending import surrender
from duels.actions.sweep import sweep
from duels.models import Duel, Post, SealedPost
from tests import spells_play as play
from tests.play import TEXT, fresh, player
from tests.spells_play import cast, move

from .readers import as_player, as_user, strangers

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("in_english")]
SECRET = "Une pensée que nul autre ne doit lire. " + TEXT
THOUGHT = "nul autre"
READS_B = cast("legilimens", target="b")


@pytest.fixture
def duel():
    """The second action phase, with a referee: a sees b's post before writing."""
    a = play.fighter(traits={"legilimens": 3})
    return play.all_file(play.running(sides=[a]), a=[move(5), READS_B])


def page(duel):
    return reverse("duels:turn", args=[duel.pk])


def reader(duel, letter):
    client = as_player(duel, letter)
    client.cookies["django_language"] = "en"
    return client


def shown(duel, letter):
    answer = reader(duel, letter).get(page(duel))
    assert answer.status_code == 200
    return answer


def send(duel, letter, do="file", text=TEXT, **fields):
    now = fresh(duel)
    sent = {"do": do, "turn": now.turn, "phase": now.phase.name, "text": text, **fields}
    return reader(duel, letter).post(page(duel), sent)


def everywhere(duel):
    """Every page on which something of a running duel is shown, and what lies beside them."""
    pages = ["duel", "picture", "proof", "turn", "correction", "draw", "surrender"]
    yield from (reverse(f"duels:{name}", args=[duel.pk]) for name in pages)
    yield from (reverse(f"duels:{name}") for name in ("home", "duels"))
    yield reverse("referee:queue")
    yield reverse("referee:review", args=[duel.pk, duel.turn, "action"])
    yield reverse("duels:export", args=[duel.pk])
    yield from (reverse("duels:post", args=[duel.pk, post.position]) for post in duel.thread.posts.all())


def published(duel):
    return list(Post.objects.filter(thread__duel=duel, turn=2, kind="rp").values_list("seat", flat=True))


class TestBefore:
    def test_the_target_is_told_who_sees_the_post_first_and_until_when(self, duel):
        html = shown(duel, "b").content.decode()
        assert f"Your thoughts are read: {duel.name_of('a')}" in html
        assert timezone.localtime(duel.phase.sealed_until).isoformat(timespec="seconds") in html

    def test_the_recap_does_not_say_that_it_is_public_at_once(self, duel):
        html = send(duel, "b", do="recap", move="7").content.decode()
        assert "alone sees it at first" in html
        assert "public at once" not in html

    def test_the_legilimens_waits_and_is_told_for_whom(self, duel):
        answer = shown(duel, "a")
        assert answer.templates[0].name == "duels/spells/waiting.html"
        assert f"You will see the post of {duel.name_of('b')}" in answer.content.decode()

    def test_what_waits_for_them_is_not_a_turn_to_play(self, duel):
        home = reverse("duels:home")
        assert as_player(duel, "a").get(home).context["tasks"] == []
        assert [task.what for task in as_player(duel, "b").get(home).context["tasks"]] == ["play"]
        play.file(duel, "b", text=SECRET)
        assert [task.what for task in as_player(duel, "a").get(home).context["tasks"]] == ["play"]

    @pytest.mark.parametrize("order", [{}, {"order": "before"}, {"order": "after"}])
    def test_posting_too_early_is_refused_and_nothing_typed_is_lost(self, duel, order):
        answer = send(duel, "a", text=SECRET, move="6", **order)
        assert answer.status_code == 422
        assert "wait for it" in answer.content.decode()
        assert THOUGHT in answer.content.decode()
        assert published(duel) == []

    def test_others_are_told_nothing_of_it_on_their_page(self):
        a = play.fighter(traits={"legilimens": 3})
        four = play.all_file(play.running(count=4, sides=[a]), a=[move(5), READS_B])
        for letter in "cd":
            assert "Your thoughts are read" not in shown(four, letter).content.decode()


class TestSealed:
    @pytest.fixture(autouse=True)
    def sealed(self, duel):
        answer = send(duel, "b", text=SECRET, move="7")
        assert answer.status_code == 302
        assert SealedPost.objects.count() == 1

    def test_who_posted_it_reads_that_it_is_sealed(self, duel):
        html = shown(duel, "b").content.decode()
        assert THOUGHT in html
        assert f"Sealed post of {duel.name_of('b')}" in html

    def test_the_legilimens_reads_it_and_is_asked_before_or_after(self, duel):
        html = shown(duel, "a").content.decode()
        assert THOUGHT in html
        assert 'name="order" value="before"' in html
        assert "checked" not in html[html.index('name="order" value="before"') :].split("</fieldset>")[0]

    def test_nobody_else_reads_it_anywhere(self, duel):
        duel = fresh(duel)
        clients = {"nobody": as_user(), **strangers(duel)}
        for kind, client in clients.items():
            for where in everywhere(duel):
                answer = client.get(where)
                told = b"".join(answer.streaming_content) if answer.streaming else answer.content
                assert THOUGHT.encode() not in told, (kind, where)
                assert THOUGHT not in str(answer.headers), (kind, where)

    def test_nor_a_partner_nor_the_other_opponent(self):
        sides = [play.fighter(traits={"legilimens": 3})]
        four = play.all_file(play.running(count=4, sides=sides), a=[move(5), READS_B])
        play.file(four, "b", move(7), text=SECRET)
        four = fresh(four)
        for letter in "cd":
            for where in everywhere(four):
                assert THOUGHT.encode() not in as_player(four, letter).get(where).content, (letter, where)

    @pytest.mark.parametrize("order", [{}, {"order": ""}, {"order": "during"}])
    def test_without_before_or_after_it_is_refused_beside_the_question(self, duel, order):
        answer = send(duel, "a", move="6", **order)
        assert answer.status_code == 422
        html = answer.content.decode()
        asked = html[html.index('id="part-order"') :].split("</fieldset>")[0]
        assert "Say whether your post is played before or after" in asked
        assert published(duel) == []

    @pytest.mark.parametrize("do", ["recap", "as_it_is"])
    def test_a_missing_before_or_after_is_not_published_as_it_is(self, duel, do):
        """It is none of what can be corrected (B6.4), alone or beside what can."""
        for text in (TEXT, "Trop court."):
            answer = send(duel, "a", do=do, move="6", text=text)
            assert answer.status_code == 422
            assert "recap_as_it_is" not in answer.content.decode()
        complete = send(duel, "a", do=do, move="6", order="after", text="Trop court.")
        assert complete.status_code == (422 if do == "recap" else 302)
        assert published(duel) == ([] if do == "recap" else ["b", "a"])

    @pytest.mark.parametrize(("order", "in_thread"), [("before", ["a", "b"]), ("after", ["b", "a"])])
    def test_the_choice_travels_through_the_recap_and_both_are_published(self, duel, order, in_thread):
        recap = send(duel, "a", do="recap", move="6", order=order)
        fields = dict(recap.context["fields"])
        assert fields["order"] == order
        assert send(duel, "a", **fields).status_code == 302
        assert published(duel) == in_thread
        assert THOUGHT in as_user().get(duel.get_absolute_url()).content.decode()

    def test_the_sealed_post_can_be_sent_but_once(self, duel):
        answer = send(duel, "b", text="Autre chose. " + TEXT, move="6")
        assert answer.status_code == 409
        assert "Autre chose." in answer.content.decode()
        assert SealedPost.objects.count() == 1

    def test_a_surrender_of_the_target_ends_it_with_the_post_in_the_thread(self, duel):
        surrender(user=player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
        assert Duel.objects.get(pk=duel.pk).is_over
        assert published(duel) == ["b"]


def test_a_sealed_post_is_read_where_it_is_corrected_by_its_author(duel):
    assert send(duel, "b", do="as_it_is", text="Une pensée que nul autre ne doit lire.", move="7").status_code == 302
    there = reverse("duels:correction", args=[duel.pk])
    assert THOUGHT in reader(duel, "b").get(there).content.decode()
    assert reader(duel, "a").get(there).url == page(duel)


class TestPastHalfOfTheTime:
    def test_the_legilimens_posts_without_being_asked(self, duel, time):
        time.go_to(duel.phase.sealed_until, seconds=31)
        sweep()
        html = shown(duel, "a").content.decode()
        assert 'id="part-order"' not in html
        assert send(duel, "a", move="6", order="before").status_code == 422
        assert send(duel, "a", move="6").status_code == 302
        assert published(duel) == ["a"]
        assert "Your thoughts are read" not in shown(duel, "b").content.decode()


class TestOnTheFloor:
    """Pushed off the stage, a Legilimens has nothing to do but climb; the choice has to be possible all the same."""

    @pytest.fixture
    def fallen(self, duel):
        state = secrets.state(duel)
        me = replace(state.duellists["a"], zone=0, floored=True)
        secrets.put_state(duel, replace(state, duellists={**state.duellists, "a": me}))
        duel.save()
        play.file(duel, "b", text=SECRET)
        return duel

    @pytest.mark.parametrize("climb", ["", "2"])
    def test_before_or_after_is_said_with_the_climb(self, fallen, climb):
        recap = send(fallen, "a", do="recap", climb=climb, order="before")
        assert recap.context["declaration"]["order"] == "before"
        answer = send(fallen, "a", **dict(recap.context["fields"]))
        assert answer.status_code == 302
        assert published(fallen) == ["a", "b"]
