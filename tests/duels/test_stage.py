"""The stage of a spell duel, as it is drawn."""

from itertools import combinations

import pytest

from duels.stage import WIDTH, stage

CAST = {letter: {"name": name} for letter, name in zip("abcd", ("Ada", "Bran", "Cyr", "Dor"), strict=True)}


def drawn(hazards=(), **zones):
    seats = {letter: {"zone": zone, "team": 1 if letter in "ac" else 2, "out": None} for letter, zone in zones.items()}
    return stage({"seats": seats, "hazards": hazards, "summons": ()}, CAST)


def tokens(picture, zone):
    return picture.boards[zone].tokens


def edges(token):
    return token.x - token.radius, token.x + token.radius, token.y - token.radius, token.y + token.radius


@pytest.mark.parametrize("zones", [{"a": 4, "c": 4}, dict.fromkeys("abc", 6), dict.fromkeys("abcd", 6)])
def test_those_of_one_board_stand_beside_and_above_one_another(zones):
    zone = zones["a"]
    here = tokens(drawn(**zones), zone)
    for one, other in combinations(here, 2):
        left, right, top, bottom = edges(one)
        other_left, other_right, other_top, other_bottom = edges(other)
        assert right <= other_left or other_right <= left or bottom <= other_top or other_bottom <= top
    for token in here:
        left, right, *_rest = edges(token)
        assert zone * WIDTH <= left
        assert right <= (zone + 1) * WIDTH


def test_one_alone_stands_in_the_middle_of_the_board():
    (token,) = tokens(drawn(a=4, b=8), 4)
    assert token.x == 4 * WIDTH + WIDTH // 2


def test_the_drawing_is_no_higher_than_what_stands_on_it():
    heights = [int(picture.canvas.split()[3]) for picture in (drawn(a=4, b=8), drawn(**dict.fromkeys("abcd", 6)))]
    assert heights[0] < heights[1]
    assert int(drawn(a=4, b=8, hazards=[{"zone": 5, "points": 1}]).canvas.split()[3]) > heights[0]
