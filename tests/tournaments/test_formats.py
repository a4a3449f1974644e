"""Who meets whom, who stands where, who wins: every format, played to its end."""

import itertools
from collections import Counter
from random import Random

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scale import scaled
from tournaments import formats
from tournaments.formats import Course, Pairing, Result
from tournaments.formats.bracket import seed_order

from .checks import check_whole, meetings
from .seasons import Season, played

NAMES = sorted(formats.FORMATS)
sizes = st.integers(2, 64)
seeds = st.integers(0, 10**9)


def losses(season, place):
    return sum(result.loser == place for result in season.course.results)


def test_the_first_two_seeds_can_meet_in_the_final_only():
    assert seed_order(8) == [1, 8, 4, 5, 2, 7, 3, 6]


@pytest.mark.parametrize("places", [2, 3, 5, 8, 13, 64])
def test_a_single_elimination_takes_one_duel_less_than_it_has_entrants(places):
    season = played("single", places)
    assert sum(len(pairings) for pairings in season.rounds) == places - 1
    assert len(season.rounds) == season.format.rounds(season.course)


def test_who_loses_before_the_final_meets_for_the_third_place():
    season = played("single", 8, third_place=True)
    last = {pairing.key for pairing in season.rounds[-1]}
    assert last == {"3", "W3.1"}
    assert [standing.rank for standing in season.format.standings(season.course)] == [1, 2, 3, 4, 5, 5, 5, 5]


@given(sizes, seeds)
def test_in_a_single_elimination_everybody_but_the_champion_loses_once(places, seed):
    season = played("single", places, seed)
    champion = formats.champion(season.format, season.course)
    assert [losses(season, place) for place in range(1, places + 1) if place != champion] == [1] * (places - 1)
    assert losses(season, champion) == 0


@given(sizes, seeds)
def test_in_a_double_elimination_everybody_but_the_champion_loses_twice(places, seed):
    season = played("double", places, seed)
    champion = formats.champion(season.format, season.course)
    lost = Counter(losses(season, place) for place in range(1, places + 1) if place != champion)
    assert lost == {2: places - 1}
    assert losses(season, champion) < 2


def test_the_final_of_a_double_elimination_is_played_again_when_the_unbeaten_loses_it():
    form = formats.get("double")
    course = Course(2)
    for key, a, b in (("W1.1", 2, 0), ("F1", 0, 2), ("F2", 2, 0)):
        (pairing,) = form.pair(course)
        assert pairing.key == key
        course = Course(2, (*course.results, Result(pairing, a, b)))
    assert form.pair(course) == ()
    assert formats.champion(form, course) == 2


@given(sizes, seeds)
def test_in_a_round_robin_everybody_meets_everybody_once(places, seed):
    season = played("round_robin", places, seed)
    everybody = {frozenset(pair) for pair in itertools.combinations(range(1, places + 1), 2)}
    assert meetings(season) == dict.fromkeys(everybody, 1)


@given(st.integers(2, 24), seeds)
def test_in_a_swiss_nobody_meets_the_same_twice_where_it_can_be_helped(places, seed):
    season = Season("swiss", places, Random(seed))
    known = Counter()
    while pairings := season.format.pair(season.course):
        season._play_round(pairings)
        sides = [(one.a, one.b or 0) for one in pairings]
        repeated = sum(known[frozenset(side)] > 0 for side in sides)
        if repeated:
            fresh = networkx.Graph()
            places_now = [*season.course.still_in, *([0] if places % 2 else [])]
            fresh.add_edges_from(pair for pair in itertools.combinations(places_now, 2) if not known[frozenset(pair)])
            assert 2 * len(networkx.max_weight_matching(fresh, maxcardinality=True)) < len(places_now)
        known.update(frozenset(side) for side in sides)


def test_the_bye_of_a_swiss_goes_to_the_last_who_has_not_had_one():
    season = played("swiss", 9, seed=3)
    byes = [pairings[-1].a for pairings in season.rounds]
    assert all(pairings[-1].b is None for pairings in season.rounds)
    assert len(set(byes)) == len(byes) == 4
    assert byes[0] == 9


def test_the_first_round_of_a_swiss_pairs_the_upper_half_with_the_lower():
    pairs = [(pairing.a, pairing.b) for pairing in formats.get("swiss").pair(Course(8))]
    assert pairs == [(1, 5), (2, 6), (3, 7), (4, 8)]


def test_equal_points_are_told_apart_by_what_the_opponents_have_won():
    form = formats.get("swiss")
    results = tuple(
        Result(Pairing(f"{number}.{a}", number, a, b), 2, 0)
        for number, a, b in ((1, 1, 3), (1, 2, 4), (2, 1, 4), (2, 3, 2))
    )
    standings = form.standings(Course(4, results))
    assert [(one.place, one.points, one.tie_breaks[0]) for one in standings] == [
        (1, 4, 2),
        (3, 2, 6),
        (2, 2, 2),
        (4, 0, 6),
    ]


def test_who_has_left_stands_behind_those_who_stayed_and_wins_nothing():
    form = formats.get("round_robin")
    (pairing,) = form.pair(Course(2))
    course = Course(2, (Result(pairing, 2, 0),), gone=frozenset({1}))
    assert [one.place for one in form.standings(course)] == [2, 1]
    assert formats.champion(form, course) == 2


@pytest.mark.parametrize("name", NAMES)
def test_a_tournament_that_is_not_over_has_no_champion(name):
    with pytest.raises(ValueError, match="not over"):
        formats.champion(formats.get(name), Course(4))


@pytest.mark.parametrize("name", ["single", "double", "round_robin"])
def test_when_everybody_leaves_there_is_an_end_but_no_champion(name):
    season = Season(name, 8, Random(1), leaving=1.0, replaced=0.0).play()
    assert season.course.still_in == []
    assert formats.champion(season.format, season.course) is None


def test_two_thousand_tournaments_of_all_formats_and_sizes_end_with_one_champion_at_most():
    """Made-up results, absences, substitutes: all end, everyone plays whom the format says, and who is champion is who
    was not put out. `test_lives` plays fewer, through real duels."""
    random = Random(20_000)
    for number in range(scaled(120, 2000)):
        name = NAMES[number % len(NAMES)]
        leaving = random.choice([0.0, 0.02, 0.1, 0.3])
        third_place = random.random() < 0.5
        season = Season(name, random.randint(2, 64), random, third_place=third_place, leaving=leaving).play()
        check_whole(season)


@pytest.mark.parametrize("name", ["single", "double"])
def test_where_both_of_the_last_match_are_out_nobody_who_was_beaten_is_champion(name):
    form, course = formats.get(name), Course(4)
    while pairings := form.pair(course):
        is_last = pairings[0].key == {"single": "W2.1", "double": "F1"}[name]
        gone = frozenset({pairings[0].a, pairings[0].b}) if is_last else course.gone
        results = tuple(formats.unplayed(one, gone) or Result(one, 2, 0) for one in pairings)
        course = Course(4, (*course.results, *results), gone)
    assert len(course.still_in) == 2
    assert formats.champion(form, course) is None


@pytest.mark.parametrize("name", ["single", "double"])
def test_who_passes_to_the_last_match_and_leaves_is_no_champion(name):
    form = formats.get(name)
    season = Season(name, 2, Random(1)).play()
    winner = formats.champion(form, season.course)
    gone = Course(2, season.course.results, frozenset({winner}))
    assert formats.champion(form, gone) is None
