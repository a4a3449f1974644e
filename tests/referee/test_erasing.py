"""Staff erase what somebody wrote to a referee or to become one: with a reason, logged, and nothing else of it."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.urls import reverse

from duels import clock
from duels.errors import NotAllowed, TooLate
from referee.actions.erasing import erase_words
from referee.actions.hand_overs import ask_hand_over
from referee.models import Candidacy
from tests import play
from tests.duels.readers import as_user, english
from tests.factories import RefereeFactory, StaffFactory, UserFactory

pytestmark = pytest.mark.django_db
RUDE = "Une grossièreté."
GONE = "The staff have erased its words."


@pytest.fixture(params=["handover", "candidacy"])
def asked(request):
    if request.param == "candidacy":
        return Candidacy.objects.create(user=UserFactory(), message=RUDE, note=RUDE, sent_at=clock.now())
    duel = play.locked()
    return ask_hand_over(user=duel.referee, duel_id=duel.pk, to_id=RefereeFactory().pk, message=RUDE)


def send(client, asked, **more):
    address = reverse(f"admin:referee_{asked._meta.model_name}_changelist")
    return client.post(address, {"action": "erase_words", "_selected_action": [asked.pk], **more})


def words(asked):
    row = type(asked).objects.get(pk=asked.pk)
    return {getattr(row, name) for name in row.WORDS}


def test_they_are_erased_with_a_reason_that_is_logged(asked):
    staff = StaffFactory()
    client = english(as_user(staff))
    assert "This cannot be undone" in send(client, asked).text
    assert send(client, asked, confirm="1", reason=" ").context["form"].errors["reason"]
    assert RUDE in words(asked)
    assert LogEntry.objects.count() == 0
    assert send(client, asked, confirm="1", reason="une injure").status_code == 302
    assert words(asked) == {""}
    logged = LogEntry.objects.get()
    assert (logged.user, logged.object_id) == (staff, str(asked.pk))
    assert "une injure" in logged.change_message
    send(client, asked, confirm="1", reason="encore")
    assert LogEntry.objects.count() == 1


def test_only_by_staff_who_may(asked):
    reader = UserFactory(is_staff=True)
    reader.user_permissions.add(*Permission.objects.filter(codename__startswith="view_"))
    send(as_user(reader), asked, confirm="1", reason="pour voir")
    for user in (reader, RefereeFactory(), UserFactory()):
        with pytest.raises(NotAllowed):
            erase_words(user=user, asked=asked)
    assert RUDE in words(asked)
    erase_words(user=StaffFactory(), asked=asked)
    with pytest.raises(TooLate):
        erase_words(user=StaffFactory(), asked=asked)


def test_the_pages_say_that_they_are_gone():
    sent = Candidacy.objects.create(user=UserFactory(), message=RUDE, sent_at=clock.now())
    erase_words(user=StaffFactory(), asked=sent)
    decides = english(as_user(RefereeFactory())).get(reverse("referee:candidacy", args=[sent.pk]))
    applies = english(as_user(sent.user)).get(reverse("referee:apply"))
    assert [GONE in page.text for page in (decides, applies)] == [True, True]
