"""Becoming a referee: after five finished duels one applies, and the referees decide (A14)."""

import datetime as dt

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from duels import clock
from duels.actions.ending import surrender
from duels.actions.revisions import correct_turn
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Availability
from duels.people import is_referee
from notices.actions.telling import drain
from referee.actions import candidacies as actions
from referee.eligibility import played
from referee.models import Candidacy
from tests import play
from tests.duels.readers import as_user
from tests.factories import DuellistFactory, RefereeFactory, StaffFactory, UserFactory
from tests.lifting import lifted
from tests.notices.told import noticed

pytestmark = pytest.mark.django_db

APPLY = reverse("referee:apply")
LIST = reverse("referee:candidacies")
PARRIED = {"thrust": "left_arm", "parry": "left_arm"}
SENT = {"message": "J'aime lire.", "at_once": "2", "note": "Le soir."}


def page(candidacy):
    return reverse("referee:candidacy", args=[candidacy.pk])


def finish(duellist, turns, number=1):
    """Let a duellist finish duels in which so many turns were resolved."""
    for _one in range(number):
        duel = play.running(a=duellist, referee=RefereeFactory())
        for _turn in range(turns):
            duel = play.play_turn(duel, a=PARRIED, b=PARRIED)
        surrender(user=play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())


@pytest.fixture
def veteran():
    """A player of two duellists who has finished five duels of three turns."""
    first = DuellistFactory()
    finish(first, 3, 3)
    finish(DuellistFactory(user=first.user), 3, 2)
    return first.user


def applied(user):
    return actions.apply(user=user, message="J'aime lire.", at_once=2, note="Le soir.")


def test_five_duels_of_three_turns_are_needed_and_what_is_missing_is_said():
    duellist = DuellistFactory()
    client = as_user(duellist.user)
    client.cookies["django_language"] = "en"
    assert "5 finished duels of at least three resolved turns are missing." in client.get(APPLY).text
    finish(duellist, 3, 4)
    finish(duellist, 2)
    assert played(duellist.user) == (4, 1)
    text = " ".join(client.get(APPLY).text.split())
    assert "1 finished duel of at least three resolved turns is missing." in text
    assert "Finished duels that count: 4 of 5. 1 other was too short" in text
    answer = client.post(APPLY, SENT)
    assert answer.status_code == 422
    assert not Candidacy.objects.exists()
    with pytest.raises(NotAllowed):
        applied(duellist.user)
    finish(duellist, 3)
    assert client.post(APPLY, SENT).url == APPLY


def test_a_turn_that_a_correction_has_superseded_is_not_one_of_them():
    duellist = DuellistFactory()
    duel = play.running(a=duellist)
    for _turn in range(3):
        duel = play.play_turn(duel, a=PARRIED, b=PARRIED)
    correct_turn(user=duel.referee, duel_id=duel.pk, turn=1, reason="Un dé mal lu.", seen=duel.phase_id)
    surrender(user=play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    assert played(duellist.user) == (0, 1)


def test_the_referees_are_told_and_one_accepts(veteran):
    referee, other = RefereeFactory(), RefereeFactory()
    client = as_user(veteran)
    assert client.post(APPLY, SENT).url == APPLY
    candidacy = Candidacy.objects.get()
    assert "J&#x27;aime lire." in client.get(APPLY).text
    drain()
    assert noticed(referee)[-1] == noticed(other)[-1] == "candidacy_sent"
    bench = as_user(referee)
    assert page(candidacy) in bench.get(reverse("referee:queue")).text
    assert page(candidacy) in bench.get(LIST).text
    assert "J&#x27;aime lire." in bench.get(page(candidacy)).text
    assert bench.post(page(candidacy), {"answer": "accept", "reason": ""}).url == LIST
    assert is_referee(type(veteran).objects.get(pk=veteran.pk))
    said = Availability.objects.get(user=veteran)
    assert (said.at_once, said.note, said.is_available) == (2, "Le soir.", True)
    drain()
    assert noticed(veteran)[-1] == "candidacy_accepted"
    assert as_user(veteran).get("/avis/").status_code == 200
    assert as_user(veteran).get(reverse("referee:queue")).status_code == 200


def test_a_new_referee_is_asked_for_a_second_factor_before_anything_else(client, veteran):
    candidacy = applied(veteran)
    client.force_login(veteran)
    assert client.get(APPLY).status_code == 200
    actions.answer_candidacy(user=RefereeFactory(), candidacy_id=candidacy.pk, accepted=True)
    assert client.get(APPLY).url.startswith("/compte/2fa/totp/activate/")


def test_declining_needs_a_reason_which_the_candidate_reads_and_they_wait_thirty_days(time, veteran):
    candidacy, referee = applied(veteran), RefereeFactory()
    bench = as_user(referee)
    for body in ({"answer": "decline", "reason": " "}, {"reason": "Trop tôt."}):
        answer = bench.post(page(candidacy), body)
        assert answer.status_code == 422
        assert answer.context["form"].errors
    assert "Trop tôt." in answer.text
    assert bench.post(page(candidacy), {"answer": "decline", "reason": "Trop tôt."}).url == LIST
    assert not is_referee(type(veteran).objects.get(pk=veteran.pk))
    drain()
    assert noticed(veteran)[-1] == "candidacy_declined"
    client = as_user(veteran)
    text = client.get(APPLY).text
    assert "Trop tôt." in text
    assert referee.username in text
    assert client.post(APPLY, SENT).status_code == 422
    with lifted():
        Candidacy.objects.update(answered_at=clock.now() - dt.timedelta(days=31))
    assert client.post(APPLY, SENT).url == APPLY


def test_one_candidacy_is_open_at_a_time_and_it_can_be_taken_back(veteran):
    candidacy = applied(veteran)
    client = as_user(veteran)
    with pytest.raises(TooLate):
        applied(veteran)
    assert client.post(APPLY, SENT).status_code == 422
    with pytest.raises(IntegrityError), transaction.atomic():
        Candidacy.objects.create(user=veteran, message="Encore.", sent_at=clock.now())
    client.post(APPLY, {"withdraw": "1"})
    candidacy.refresh_from_db()
    assert candidacy.answer == "withdrawn"
    with pytest.raises(TooLate):
        actions.answer_candidacy(user=RefereeFactory(), candidacy_id=candidacy.pk, accepted=True)
    with pytest.raises(TooLate):
        actions.withdraw_candidacy(user=veteran, candidacy_id=candidacy.pk)
    applied(veteran)


def test_referees_decide_and_nobody_on_their_own(veteran):
    candidacy = applied(veteran)
    for person in (veteran, UserFactory(), StaffFactory()):
        with pytest.raises(NotAllowed):
            actions.answer_candidacy(user=person, candidacy_id=candidacy.pk, accepted=True)
        assert as_user(person).get(page(candidacy)).status_code == 403
        assert as_user(person).get(LIST).status_code == 403
    other = RefereeFactory()
    veteran.groups.set(other.groups.all())
    own = type(veteran).objects.get(pk=veteran.pk)
    with pytest.raises(NotAllowed):
        actions.answer_candidacy(user=own, candidacy_id=candidacy.pk, accepted=True)
    assert as_user(own).get(page(candidacy)).url == APPLY
    with pytest.raises(NotAllowed):
        actions.withdraw_candidacy(user=other, candidacy_id=candidacy.pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        Candidacy.objects.update(answer="accepted", answered_by=veteran)


def test_a_referee_has_nothing_to_apply_for(veteran):
    referee = RefereeFactory()
    assert as_user(referee).get(APPLY).context["is_one"]
    with pytest.raises(NotAllowed):
        applied(referee)


def test_what_makes_no_sense_is_refused_beside_its_field_and_nothing_is_lost(veteran):
    answer = as_user(veteran).post(APPLY, {"message": "J'aime lire.", "at_once": "99", "note": ""})
    assert answer.status_code == 422
    assert answer.context["form"].errors["at_once"]
    assert "J&#x27;aime lire." in answer.text
    assert as_user(veteran).post(APPLY, {**SENT, "message": " "}).context["form"].errors["message"]
    for wrong in ({"at_once": 0}, {"message": " "}):
        with pytest.raises(Invalid):
            actions.apply(user=veteran, **({"message": "Oui.", "at_once": 2} | wrong))


def test_the_second_to_answer_is_told_so(veteran):
    candidacy = applied(veteran)
    actions.answer_candidacy(user=RefereeFactory(), candidacy_id=candidacy.pk, accepted=True)
    answer = as_user(RefereeFactory()).post(page(candidacy), {"answer": "decline", "reason": "Trop tôt."})
    assert answer.status_code == 422
    candidacy.refresh_from_db()
    assert candidacy.answer == "accepted"


def test_the_list_is_paged_and_asks_as_much_for_many_as_for_few(django_assert_max_num_queries):
    client = as_user(RefereeFactory())
    for _one in range(21):
        Candidacy.objects.create(user=UserFactory(), message="Moi.", sent_at=clock.now())
    with django_assert_max_num_queries(4):
        assert len(client.get(LIST).context["open"].rows) == 20
    assert len(client.get(LIST, {"page": "2"}).context["open"].rows) == 1
    assert as_user().get(APPLY).url.startswith("/compte/login/")
