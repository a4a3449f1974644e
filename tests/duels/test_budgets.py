"""How many queries the pages of a duel may ask: the same at 5, 20 and 10,000 posts, and none of them twice."""

from collections import Counter
from contextlib import contextmanager

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from duels import clock
from duels.actions.revisions import correct_turn
from duels.actions.time_outs import ask_time_out
from duels.models import ReadMark
from duels.queries.books import spells_of
from tests import play, spells_play
from tests.duels.long_threads import lengthen
from tests.duels.readers import as_player, as_user
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

LENGTHS = (5, 20, 10_000)


@contextmanager
def at_most(budget):
    """Fail when more queries are asked, or one of them twice; the captured queries are given. What begins and ends a
    transaction is none."""
    with CaptureQueriesContext(connection) as captured:
        yield captured
    asked = [query["sql"] for query in captured if not query["sql"].startswith(("SAVEPOINT", "RELEASE"))]
    assert len(asked) <= budget, "\n".join(asked)
    assert [sql for sql, times in Counter(asked).items() if times > 1] == []


@pytest.fixture(params=LENGTHS, ids=lambda length: f"{length} posts")
def long(request):
    """A running duel whose thread has that many posts, and the address of its last page."""
    duel = play.running()
    play.play_turn(duel)
    lengthen(duel, request.param)
    last_page = (request.param + 19) // 20
    return duel, f"{duel.get_absolute_url()}?page={last_page}", request.param


def test_anybody_reads_a_page_in_four_queries(long):
    _duel, last_page, _length = long
    with at_most(4):
        assert as_user().get(last_page).status_code == 200


@pytest.fixture
def eventful():
    """A thread with all that a page may have to look for: posts to be corrected, corrected turns, a time-out."""
    duel = spells_play.running()
    spells_play.all_file(duel)
    duel = spells_play.publish(duel)
    correct_turn(
        user=duel.referee, duel_id=duel.pk, turn=1, name="action", reason="Un pari mal lu.", seen=duel.phase.pk
    )
    duel = spells_play.publish(duel)
    spells_play.file(duel, "a", spells_play.cast("lancea", target="b"), as_it_is=True)
    ask_time_out(user=play.player(duel, "b"), duel_id=duel.pk, hours=24, reason="Un voyage.", received_at=clock.now())
    return duel


def test_anybody_reads_it_in_four_queries_whatever_happened_in_it(eventful):
    spells_of(eventful.book_id)  # a process reads a book once
    with at_most(4):
        assert as_user().get(eventful.get_absolute_url()).status_code == 200


def test_a_member_reads_a_page_in_eight_queries(long):
    duel, last_page, length = long
    member = UserFactory()
    client = as_user(member)
    with at_most(8):
        assert client.get(last_page).status_code == 200
    ReadMark.objects.create(thread=duel.thread, user=member, position=length)
    with at_most(8):
        assert client.get(last_page).status_code == 200


def test_a_member_with_unread_posts_reads_a_page_in_ten_queries(long):
    duel, last_page, length = long
    member = UserFactory()
    client = as_user(member)
    ReadMark.objects.create(thread=duel.thread, user=member, position=length - 1)
    with at_most(10):
        assert f"#m{length}" in client.get(last_page).content.decode()


@pytest.mark.parametrize("who", ["a", "referee"])
def test_those_of_the_duel_read_it_as_members_do(long, who):
    duel, last_page, _length = long
    client = as_user(duel.referee) if who == "referee" else as_player(duel, who)
    with at_most(8):
        assert client.get(last_page).status_code == 200


def test_a_page_asks_as_much_whatever_the_length_of_the_thread():
    member = UserFactory()
    asked = set()
    for length in LENGTHS:
        duel = play.running()
        play.play_turn(duel)
        lengthen(duel, length)
        for address in (duel.get_absolute_url(), f"{duel.get_absolute_url()}?page={(length + 19) // 20}"):
            for client in (as_user(), as_user(member)):
                with CaptureQueriesContext(connection) as captured:
                    client.get(address)
                asked.add((client.session.get("_auth_user_id") is not None, len(captured)))
    assert len(asked) == 2  # one number for anybody, one for members


def test_the_address_of_a_post_asks_two_queries_of_anybody_and_of_members(long):
    duel, _last_page, length = long
    for client in (as_user(), as_user(UserFactory())):
        with at_most(2):
            assert client.get(reverse("duels:post", args=[duel.pk, length])).status_code == 302


def test_no_page_of_a_thread_counts_or_skips(long):
    _duel, last_page, _length = long
    with at_most(4) as captured:
        as_user().get(last_page)
    for query in captured:
        assert "COUNT(" not in query["sql"].upper()
        assert "OFFSET" not in query["sql"].upper()


def test_the_lists_ask_as_much_for_one_duel_as_for_ten():
    member = UserFactory()
    asked = []
    for _round in range(2):
        play.running()
        for client, address in ((as_user(), "/"), (as_user(), "/duels/"), (as_user(member), "/duels/")):
            with at_most(8) as captured:
                assert client.get(address).status_code == 200
            asked.append(len(captured))
        for _more in range(4):
            play.running()
    assert asked[:3] == asked[3:]


def posted(duel, letter):
    """What the browser sends when a player confirms a turn: in a spell duel, to stay where one is."""
    thrust, parry = ("head", "torso") if letter == "a" else ("torso", "left_leg")
    if duel.ruleset == "spells":
        return {"do": "file", "turn": duel.turn, "phase": duel.phase.name, "text": play.TEXT}
    return {"do": "file", "turn": duel.turn, "text": play.TEXT, "thrust": thrust, "parry": parry, "option": ""}


def filing(duel, letter, budget=12):
    """File a turn through its page; return what that asked of the database."""
    client = as_player(duel, letter)
    body = posted(duel, letter)
    with at_most(budget) as captured:
        answer = client.post(reverse("duels:turn", args=[duel.pk]), body)
    assert answer.status_code == 302
    assert duel.entries.filter(kind="filing", seat=letter).exists()
    return captured


CACHED = "django.contrib.sessions.backends.cached_db"


@pytest.fixture
def budget(settings):
    """Twelve on PostgreSQL with sessions read from Redis, as a public site has them; eleven on SQLite.

    PostgreSQL holds the duel by a statement of its own, which SQLite has no need of. It cannot read the log as well: a
    read that has waited for another's hold does not see what that one wrote.
    """
    settings.SESSION_ENGINE = CACHED
    return 12 if connection.vendor == "postgresql" else 11


def test_the_first_to_file_asks_twelve_queries():
    filing(play.running(), "a")


def test_it_is_one_less_where_redis_keeps_the_sessions(settings):
    stored = len(filing(play.running(), "a"))
    settings.SESSION_ENGINE = CACHED
    assert len(filing(play.running(), "a")) == stored - 1


def test_who_closes_the_turn_asks_twelve_queries_too(budget):
    duel = play.running()
    filing(duel, "a")
    filing(duel, "b", budget)
    assert play.fresh(duel).phase.status == "locked"


def test_who_closes_it_while_their_time_out_waits_for_an_answer_too(budget):
    duel = play.running()
    play.file(duel, "a")
    ask_time_out(user=play.player(duel, "b"), duel_id=duel.pk, hours=24, reason="Un voyage.", received_at=clock.now())
    filing(duel, "b", budget)
    assert play.fresh(duel).phase.status == "locked"


@pytest.mark.parametrize("rules", [play, spells_play])
def test_who_closes_a_turn_that_nobody_referees_too_though_the_next_one_opens(rules, budget):
    duel = rules.running(refereed=False)
    rules.file(duel, "a")
    filing(duel, "b", budget)
    assert play.fresh(duel).phase.filed == {}


def test_filing_asks_as_much_in_a_long_thread():
    asked = set()
    for length in LENGTHS:
        duel = play.running()
        play.play_turn(duel)
        lengthen(duel, length)
        asked.add(len(filing(play.fresh(duel), "a")))
    assert len(asked) == 1
