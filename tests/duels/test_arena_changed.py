"""An arena that a secret technique replaced is the one that lists and filters show."""

import pytest
from django.urls import reverse

from duels.templatetags.duels_tags import arena_name
from tests import play

pytestmark = pytest.mark.django_db


def test_lists_show_the_arena_in_force(client):
    duel = play.running()
    drawn = duel.arena
    duel = play.play_turn(duel, a={"option": {"name": "change_arena"}}, b={"thrust": "torso", "parry": "right_arm"})
    assert duel.arena == duel.public_view["arena"] != drawn
    address = reverse("duels:duels")
    assert duel.get_absolute_url() in client.get(address, {"arena": duel.arena}).text
    assert duel.get_absolute_url() not in client.get(address, {"arena": drawn}).text
    assert arena_name(duel.arena) in client.get(address).text
