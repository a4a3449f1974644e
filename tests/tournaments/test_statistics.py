"""Statistics: what was done in duels that are over, and no others, each once; and whether dice fell fairly."""

import math
from collections import Counter
from contextlib import contextmanager
from io import StringIO
from random import Random
from unittest.mock import patch

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.core.management import call_command
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from duels import clock, export
from duels.actions.ending import surrender
from duels.actions.filing import replace_declaration
from duels.errors import NotAllowed
from duels.models import Duel
from rules.verify import verify
from tests import play as duel_play
from tests import spells_play
from tests.duels.test_budgets import at_most
from tests.duels.test_concurrency import together
from tests.factories import DuellistFactory
from tournaments.actions.counting import count_anew, count_what_is_over
from tournaments.actions.happenings import SETTLED
from tournaments.chance import chance_of, fairness
from tournaments.models import Cursor, Tally
from tournaments.queries import statistics
from tournaments.queries.statistics import kept, of_duel

in_a_database = pytest.mark.django_db(transaction=True)
MOVE = {"name": "move_receptacle", "zones": ["left_leg"]}
LANCEA = spells_play.cast("lancea", target="b", bet="1-2-3-4")
NUMBERS = st.integers(1, 60)


@contextmanager
def later():
    """So late that no gap in the keys is fresh (those of earlier tests leave one)."""
    instant = clock.now() + 2 * SETTLED
    with patch.object(clock, "now", lambda: instant):
        yield


def count_later():
    with later():
        return count_what_is_over()


def a_duel(**terms):
    """A duel in which `a` aims at the left arm and moves its receptacle, `b` at the torso, and surrenders."""
    duel = duel_play.running(receptacles=("torso", "head"), **terms)
    duel_play.play_turn(duel, a={"option": MOVE}, b={"thrust": "torso", "parry": "right_arm"})
    surrender(user=duel_play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    return duel_play.fresh(duel)


def of(duel, letter, subject):
    duellist = DuellistFactory._meta.model.objects.get(pk=duel.cast[letter]["duellist"])
    return kept(duel.ruleset, duellist).of(subject)


@in_a_database
def test_a_duel_that_is_over_tells_who_aimed_where_and_won():
    duel = a_duel()
    count_later()
    assert [of(duel, "a", subject) for subject in ("result", "thrust", "parry", "receptacle", "option")] == [
        {"won": 1}, {"left_arm": 1}, {"left_leg": 1}, {"torso": 1}, {"move_receptacle": 1},
    ]  # fmt: skip
    assert [of(duel, "b", subject) for subject in ("result", "thrust", "parry", "receptacle", "option")] == [
        {"lost": 1}, {"torso": 1}, {"right_arm": 1}, {"head": 1}, {},
    ]  # fmt: skip
    everybody = kept("arena")
    assert everybody.duels == 1
    assert everybody.of("thrust") == {"left_arm": 1, "torso": 1}
    assert everybody.of("ending") == {"surrender": 1}
    assert everybody.of("result") == {}


@in_a_database
def test_a_running_duel_counts_in_nothing_whatever_is_filed_in_it():
    duel = duel_play.running()
    duel_play.play_turn(duel, a={"option": MOVE})
    duel_play.file(duel, "a")
    count_later()
    assert not Tally.objects.exists()
    with pytest.raises(NotAllowed):
        of_duel(Duel.objects.get(pk=duel.pk))


@in_a_database
def test_only_the_last_version_of_a_declaration_counts():
    duel = duel_play.running()
    duel_play.file(duel, "a", thrust="head")
    replace_declaration(
        user=duel_play.player(duel, "a"),
        duel_id=duel.pk,
        turn=1,
        declaration={"thrust": "right_leg", "parry": "left_leg", "option": None},
        received_at=clock.now(),
    )
    surrender(user=duel_play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    count_later()
    assert of(duel, "a", "thrust") == {"right_leg": 1}


@in_a_database
def test_a_spell_duel_of_four_counts_spells_and_both_winners():
    duel = spells_play.running(count=4)
    spells_play.file(duel, "a", LANCEA)
    for letter in "bd":
        surrender(user=duel_play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())
    count_later()
    assert of(duel, "a", "spell") == kept("spells").of("spell") == {"lancea": 1}
    assert [of(duel, letter, "result") for letter in "abcd"] == [{"won": 1}, {"lost": 1}] * 2
    assert kept("spells").duels == 1


@in_a_database
def test_the_dice_are_those_that_the_opened_seed_gives():
    duel = a_duel()
    count_later()
    rolled = Counter((die.faces, die.face) for die in verify(export.of(duel)).dice)
    assert rolled
    shown = {(die.faces, face.first): face.times for die in kept("arena").dice for face in die.fell if face.times}
    assert shown == rolled


def a_season():
    a, b, c = DuellistFactory(), DuellistFactory(), DuellistFactory()
    for one, other in ((a, b), (b, c), (c, a)):
        a_duel(a=one, b=other)


@in_a_database
def test_counted_anew_from_the_records_they_are_those_that_were_stored():
    a_season()
    count_later()
    assert count_anew() == []
    a_season()
    count_later()
    assert count_anew() == []
    assert kept("arena").duels == 6


@in_a_database
def test_each_duel_counts_once_however_often_it_is_looked_for():
    a_duel()
    count_later()
    before = list(Tally.objects.values())
    assert count_later() == 0
    assert list(Tally.objects.values()) == before


@in_a_database
def test_what_is_cut_off_counts_nothing_and_then_everything(monkeypatch):
    a_season()

    def cut_off(*_args, **_more):
        raise RuntimeError

    with monkeypatch.context() as cut:
        cut.setattr(Cursor, "save", cut_off)
        with pytest.raises(RuntimeError):
            count_later()
    assert not Tally.objects.exists()
    monkeypatch.setattr("tournaments.actions.happenings.BATCH", 7)
    count_later()
    assert count_anew() == []
    assert kept("arena").duels == 3


@in_a_database
def test_what_was_tampered_with_is_put_right():
    duel = a_duel()
    count_later()
    Tally.objects.filter(duellist=None, subject="thrust", value="torso").update(count=99)
    Tally.objects.create(ruleset="arena", subject="thrust", value="wings", count=1)
    Tally.objects.filter(duellist=duel.cast["a"]["duellist"], subject="parry").delete()
    out = StringIO()
    call_command("recount", stdout=out)
    assert "3 tallies were not as the records have them" in out.getvalue()
    assert kept("arena").of("thrust") == {"left_arm": 1, "torso": 1}
    assert of(duel, "a", "parry") == {"left_leg": 1}


@in_a_database
def test_a_duel_that_ends_while_all_is_counted_anew_is_counted_once(monkeypatch):
    a_duel()
    count_later()
    first_count = statistics.from_the_log

    def then_another_ends(**bounds):
        monkeypatch.setattr(statistics, "from_the_log", first_count)
        counted = first_count(**bounds)
        a_duel()
        count_later()
        return counted

    monkeypatch.setattr(statistics, "from_the_log", then_another_ends)
    assert count_anew() == []
    assert kept("arena").duels == 2


@pytest.mark.postgres
@in_a_database
def test_three_clocks_count_each_duel_once():
    a_season()
    count_later()
    a_season()
    cursor = Cursor.objects.filter(name="statistics")
    with later():
        together(cursor, *[count_what_is_over] * 3)
    assert kept("arena").duels == 6
    assert count_anew() == []


@in_a_database
@pytest.mark.parametrize("ruleset", ["arena", "spells"])
def test_the_page_says_what_to_do_where_nothing_is_over(client, ruleset):
    duellist = DuellistFactory()
    for address in ("/statistiques/", f"/duellistes/{duellist.pk}/statistiques/"):
        shown = client.get(f"{address}?regles={ruleset}").content.decode().split("<main")[1]
        assert 'href="/duels/"' in shown
        assert "<table" not in shown
    assert client.get("/statistiques/?regles=quidditch").status_code == 404
    assert client.get("/duellistes/0/statistiques/").status_code == 404


@in_a_database
def test_the_pages_show_the_counts_in_few_queries_and_only_the_whole_shows_dice():
    duel = a_duel()
    count_later()
    address = f"/duellistes/{duel.cast['a']['duellist']}/"
    with at_most(1):
        whole = Client().get("/statistiques/").content.decode()
    with at_most(2):
        own = Client().get(f"{address}statistiques/").content.decode()
    assert 'id="thrust"' in whole
    assert 'id="dice"' in whole
    assert 'id="thrust"' in own
    assert 'id="dice"' not in own
    assert f'href="{address}statistiques/"' in Client().get(address).content.decode()
    assert 'href="/statistiques/"' in Client().get("/champions/").content.decode()


@in_a_database
def test_a_spell_is_called_by_its_incantation(client):
    duel = spells_play.running()
    spells_play.file(duel, "a", LANCEA)
    surrender(user=duel_play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    count_later()
    name = duel.book.spell("lancea")["name"]
    assert name in client.get("/statistiques/?regles=spells").content.decode()


@pytest.mark.browser
@in_a_database
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_charts_are_accessible_and_fit_a_phone(new_reader, scheme):
    duel = a_duel()
    for faces in (6, 100):
        Tally.objects.create(ruleset="arena", subject="die", value=f"{faces}:{faces}", count=50)
    count_later()
    page = new_reader(color_scheme=scheme, viewport={"width": 360, "height": 740}).new_page()
    for address in ("/statistiques/", f"/duellistes/{duel.cast['a']['duellist']}/statistiques/"):
        page.goto(address)
        assert page.locator(".chart-bar").count() > 6
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize(
    ("chi_square", "freedom", "p"),
    [(3.841, 1, 0.05), (11.070, 5, 0.05), (16.919, 9, 0.05), (30.144, 19, 0.05), (15.086, 5, 0.01), (27.877, 9, 0.001)],
)
def test_the_chances_are_those_of_the_tables(chi_square, freedom, p):
    assert chance_of(chi_square, freedom) == pytest.approx(p, rel=1e-3)


def density(x, freedom):
    half = freedom / 2
    return math.exp((half - 1) * math.log(x) - x / 2 - half * math.log(2) - math.lgamma(half))


@given(st.floats(0.5, 80), st.integers(1, 100))
def test_the_chance_is_the_area_under_the_density(chi_square, freedom):
    """By Simpson's rule between two values: what is lost from one to the other."""
    end, steps = chi_square + 1, 40
    at = [chi_square + place / steps for place in range(steps + 1)]
    weights = [1, *([4, 2] * (steps // 2 - 1)), 4, 1]
    area = sum(weight * density(x, freedom) for weight, x in zip(weights, at, strict=True)) / (3 * steps)
    assert chance_of(chi_square, freedom) - chance_of(end, freedom) == pytest.approx(area, abs=1e-6)


@given(st.sampled_from([3, 4, 6, 10, 20, 100]), NUMBERS)
def test_perfectly_even_dice_are_fair(faces, times):
    judged = fairness(faces, dict.fromkeys(range(1, faces + 1), times))
    assert judged.rolls == faces * times
    assert judged.chi_square == pytest.approx(0, abs=1e-9)
    assert judged.verdict == ("fair" if judged.rolls >= judged.needed else "too_few")


@given(st.dictionaries(st.integers(1, 6), NUMBERS, min_size=1), st.permutations(range(1, 7)))
def test_the_names_of_the_faces_do_not_matter(fell, names):
    renamed = {names[face - 1]: times for face, times in fell.items()}
    assert fairness(6, fell).chi_square == pytest.approx(fairness(6, renamed).chi_square)


def test_a_loaded_die_deserves_a_look_and_a_few_rolls_say_nothing():
    assert fairness(6, {6: 29}).verdict == "too_few"
    assert fairness(6, {6: 30}).verdict == "odd"
    assert fairness(6, {1: 14, 2: 10, 3: 10, 4: 10, 5: 10, 6: 30}).verdict == "odd"
    assert fairness(100, {100: 49}).verdict == "too_few"


def test_fair_dice_are_found_rare_as_often_as_it_says():
    random = Random(20)
    series = [fairness(6, Counter(random.choices(range(1, 7), k=120))) for _series in range(2000)]
    assert sum(one.verdict != "fair" for one in series) == pytest.approx(100, abs=40)


def test_a_long_die_is_told_apart_by_tens():
    judged = fairness(100, {1: 3, 10: 4, 11: 5, 100: 6})
    assert [(face.first, face.last, face.times) for face in judged.fell if face.times] == [
        (1, 10, 7), (11, 20, 5), (91, 100, 6),
    ]  # fmt: skip
