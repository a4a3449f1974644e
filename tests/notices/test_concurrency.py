"""Several drains at the same moment, on PostgreSQL: each happening is told once, and none is passed over."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core import mail
from django.db import connections, transaction

from duels import clock
from duels.models import Happening
from notices.actions.mail import send_waiting
from notices.actions.telling import drain
from notices.models import Cursor, Delivery, Notice
from tests import play

from .told import begin_here, noticed, pair, player

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def at_once(act, times=4):
    """Do it so many times at the same moment, each on a connection of its own; return the results."""
    gate = Barrier(times)

    def one(_number):
        try:
            gate.wait(10)
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(one, range(times)))


def test_four_drains_tell_everything_once():
    duel = play.running(**pair())
    play.file(duel, "a")
    begin_here()
    read = at_once(drain)
    assert sum(read) == Happening.objects.count()
    assert Cursor.objects.count() == 1
    assert noticed(player(duel, "b")).count("filed") == 1
    assert len(set(Notice.objects.values_list("happening", "user"))) == Notice.objects.count() > 6


def test_four_rounds_of_mail_send_each_letter_once():
    for _duel in range(5):
        play.challenged(**pair())
    drain()
    counts = at_once(send_waiting)
    assert sum(count.get("sent", 0) for count in counts) == Delivery.objects.filter(status="sent").count() == 5
    assert len({letter.to[0] for letter in mail.outbox}) == len(mail.outbox) == 5


def test_what_commits_late_is_told_all_the_same():
    """Its key was given before that of a happening which was read first."""
    duel = play.challenged()
    begin_here()
    drain()
    note = {"duel_id": duel.pk, "at": clock.now(), "concerns": [player(duel, "a").pk]}

    def later():
        Happening.objects.create(what="expired", **note)
        drain()

    with transaction.atomic():
        early = Happening.objects.create(what="cancelled", **note)
        at_once(later, times=1)
    assert noticed(player(duel, "a")) == ["expired"]
    drain()
    assert noticed(player(duel, "a")) == ["cancelled", "expired"]
    assert Cursor.objects.get().position > early.pk
