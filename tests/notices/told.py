"""People who are told, and what they were told."""

from allauth.account.models import EmailAddress
from django.core import mail

from duels.models import Happening
from notices.actions.mail import send_waiting
from notices.actions.telling import drain
from notices.models import Cursor, Delivery, Notice
from tests import play
from tests.factories import DuellistFactory, RefereeFactory, UserFactory


def confirmed(user):
    """Confirm a user's address: mail goes to no other."""
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def pair():
    """Two duellists whose players have confirmed their addresses, for `tests.play`."""
    return {letter: DuellistFactory(user=confirmed(UserFactory())) for letter in "ab"}


def referee():
    return confirmed(RefereeFactory())


def begin_here():
    """Let the cursor stand before the first happening; keys do not begin at 1 where other tests have run."""
    first = Happening.objects.order_by("pk").first()
    Cursor.objects.update_or_create(name="notices", defaults={"position": first.pk - 1})


def noticed(user):
    """What stands on a user's page of notices, in the order of what happened."""
    return list(Notice.objects.filter(user=user).order_by("happening").values_list("happening__what", flat=True))


def told_and_mailed():
    """Let the clock tell what happened and send the mail; return the letters sent by it, oldest first."""
    before = len(mail.outbox)
    drain()
    send_waiting()
    return mail.outbox[before:]


def status_of(user, what):
    """What became of the last mail of that kind to a user: its status and the reason."""
    delivery = Delivery.objects.filter(user=user, happening__what=what).latest("pk")
    return delivery.status, delivery.reason


def player(duel, letter):
    return play.player(duel, letter)
