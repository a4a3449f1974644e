"""A duel that the ratings or the statistics cannot take in: the others go on, staff see it, and have it tried again."""

from unittest.mock import patch

import pytest
from django.db import OperationalError

from duels import clock
from tests import play as duel_play
from tests.duels.readers import as_user
from tests.factories import StaffFactory, UserFactory
from tournaments.actions.counting import count_anew, count_what_is_over
from tournaments.actions.happenings import SETTLED
from tournaments.actions.rating import rate_anew, rate_what_is_over
from tournaments.models import LeftOut, Rating
from tournaments.queries import ratings, statistics
from tournaments.queries.statistics import kept

pytestmark = pytest.mark.django_db(transaction=True)


def count():
    return kept("arena").duels


def rated():
    return sum(Rating.objects.values_list("duels", flat=True)) // 2


READERS = {
    "statistics": (statistics, "of_duel", count_what_is_over, count_anew, count),
    "ratings": (ratings, "rate", rate_what_is_over, rate_anew, rated),
}


@pytest.fixture(params=sorted(READERS))
def reader(request):
    return request.param


def read(name):
    later = clock.now() + 2 * SETTLED  # so late that no gap in the keys is fresh
    with patch.object(clock, "now", lambda: later):
        return READERS[name][2]()


def failing(name, monkeypatch, duel, error=KeyError):
    """Have one duel be such that taking it in fails."""
    module, function, *_rest = READERS[name]
    true = getattr(module, function)

    def fail(*given):
        if given[-1] == duel or getattr(given[-1], "cast", None) == duel.cast:
            raise error("wings")
        return true(*given)

    monkeypatch.setattr(module, function, fail)


def staff_tries_again():
    (left_out,) = LeftOut.objects.all()
    client = as_user(StaffFactory())
    assert str(left_out.duel) in client.get("/etat/").text
    assert client.post("/etat/", {"row": f"left_out:{left_out.pk}"}).url == "/etat/"
    assert str(left_out.duel) not in client.get("/etat/").text


def test_the_others_are_taken_in_and_it_is_left_out(reader, monkeypatch):
    duels = [duel_play.over() for _number in range(3)]
    failing(reader, monkeypatch, duels[1])
    read(reader)
    left_out = LeftOut.objects.get()
    assert (left_out.name, left_out.duel, left_out.why) == (reader, duels[1], "KeyError")
    duel_play.over()
    read(reader)
    assert READERS[reader][4]() == 3
    assert LeftOut.objects.count() == 1
    assert READERS[reader][3]() == [], "counted anew it is left out too"


def test_tried_again_it_counts_in_its_place(reader, monkeypatch):
    a, b = (duel_play.running() for _number in range(2))
    first = duel_play.over(a=a.seats.get(letter="a").duellist, b=b.seats.get(letter="b").duellist)
    duel_play.over(a=b.seats.get(letter="b").duellist, b=a.seats.get(letter="a").duellist)
    with monkeypatch.context() as wrong:
        failing(reader, wrong, first)
        read(reader)
    assert READERS[reader][4]() == 1
    staff_tries_again()
    read(reader)
    assert (READERS[reader][4](), LeftOut.objects.count()) == (2, 0)
    assert READERS[reader][3]() == []


def test_still_wrong_it_is_left_out_again_and_shown_again(reader, monkeypatch):
    failing(reader, monkeypatch, duel_play.over())
    read(reader)
    staff_tries_again()
    read(reader)
    assert LeftOut.objects.get().is_tried_again is False
    assert READERS[reader][4]() == 0


def test_a_connection_that_is_cut_off_leaves_nothing_out(reader, monkeypatch):
    duel = duel_play.over()
    with monkeypatch.context() as cut:
        failing(reader, cut, duel, OperationalError)
        with pytest.raises(OperationalError):
            read(reader)
    assert not LeftOut.objects.exists()
    read(reader)
    assert READERS[reader][4]() == 1


def test_only_staff_have_it_tried_again(reader, monkeypatch):
    failing(reader, monkeypatch, duel_play.over())
    read(reader)
    left_out = LeftOut.objects.get()
    assert as_user(UserFactory()).post("/etat/", {"row": f"left_out:{left_out.pk}"}).status_code == 403
    left_out.refresh_from_db()
    assert not left_out.is_tried_again


def test_one_taken_in_as_all_is_being_counted_anew_counts_once(monkeypatch):
    with monkeypatch.context() as wrong:
        failing("statistics", wrong, duel_play.over())
        read("statistics")
    LeftOut.objects.update(is_tried_again=True)
    true = statistics.from_the_log

    def taken_in_first(**bounds):
        monkeypatch.setattr(statistics, "from_the_log", true)
        read("statistics")
        return true(**bounds)

    monkeypatch.setattr(statistics, "from_the_log", taken_in_first)
    assert count_anew() == []
    assert count() == 1
