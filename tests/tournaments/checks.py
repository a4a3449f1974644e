"""What holds of every tournament that is over, whatever came of its duels."""

from collections import Counter

from tournaments import formats


def meetings(season):
    """How often each pair was to meet."""
    pairs = (frozenset((one.a, one.b)) for pairings in season.rounds for one in pairings if one.b is not None)
    return Counter(pairs)


def check_whole(season):
    course, form = season.course, season.format
    keys = [result.pairing.key for result in course.results]
    assert len(keys) == len(set(keys))
    for pairings in season.rounds:
        sides = [place for one in pairings for place in (one.a, one.b) if place is not None]
        assert len(sides) == len(set(sides)), "a place meets one other a round"
    standings = form.standings(course)
    assert sorted(standing.place for standing in standings) == list(range(1, course.places + 1))
    check_champion(season, formats.champion(form, course))
    if form.name == "round_robin":
        assert set(meetings(season).values()) == {1}
        assert len(meetings(season)) == course.places * (course.places - 1) // 2


def check_champion(season, champion):
    """The one who is left, in a knock-out, of those whom nobody has put out; else who has most points of those who have
    not gone. None only where there is nobody."""
    course = season.course
    if season.format.name in ("single", "double"):
        lives = 1 if season.format.name == "single" else 2
        left = [place for place in course.still_in if lives_lost(course, place, lives) < lives]
        assert left == ([] if champion is None else [champion])
    elif not course.still_in:
        assert champion is None
    else:
        points = {place: sum(points_of(course, place)) for place in course.still_in}
        assert points[champion] == max(points.values())


def points_of(course, place):
    for result in course.results:
        if place in (result.pairing.a, result.pairing.b):
            yield result.a if place == result.pairing.a else result.b


def lives_lost(course, place, lives):
    """Who loses loses one, and who does not come where nobody comes all."""
    lost = 0
    for result in course.results:
        if result.pairing.key != "3" and place in (result.pairing.a, result.pairing.b):
            mine, other = (result.a, result.b) if place == result.pairing.a else (result.b, result.a)
            lost += 0 if mine else 1 if other else lives
    return lost
