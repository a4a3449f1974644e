"""What people at the desk are told, on their page and by mail."""

import pytest

from duels.actions.sweep import sweep
from duels.errors import TooLate
from tests.factories import DuellistFactory, UserFactory
from tests.notices import told
from tests.play import player

from . import play

pytestmark = pytest.mark.django_db(transaction=True)


def somebody():
    return DuellistFactory(user=told.confirmed(UserFactory()))


def letters_to(user):
    """The letters that the clock sends a user now."""
    return [letter for letter in told.told_and_mailed() if letter.to == [user.email]]


def test_the_two_get_a_letter_that_leads_to_the_confirmation_and_another_before_it_lapses(time):
    duel = play.paired(play.in_arena(somebody()), play.in_arena(somebody()))
    told.begin_here()
    faithful, silent = player(duel, "a"), player(duel, "b")
    (letter,) = letters_to(faithful)
    assert f"/defis/{duel.pk}/" in letter.body
    assert duel.cast["b"]["name"] in letter.subject + letter.body
    play.confirm(duel, "a")
    time.go_on(hours=25)
    sweep()
    told.told_and_mailed()
    assert told.noticed(silent) == ["paired", "pairing_confirmed", "confirmation_due"]
    assert told.noticed(faithful) == ["paired"]


def test_a_pairing_that_lapsed_leads_who_confirmed_and_who_did_not_back_to_the_desk(time):
    duel = play.paired(play.in_arena(somebody()), play.in_arena(somebody()))
    told.begin_here()
    play.confirm(duel, "a")
    told.told_and_mailed()
    time.go_on(hours=48, minutes=1)
    sweep()
    letters = {letter.to[0]: letter.body for letter in told.told_and_mailed()}
    assert set(letters) == {player(duel, letter).email for letter in "ab"}
    assert all("/inscriptions/" in body for body in letters.values())
    assert "tête de file" in letters[player(duel, "a").email]
    assert "pris fin" in letters[player(duel, "b").email]


@pytest.mark.usefixtures("in_english")
def test_who_confirms_a_pairing_too_late_is_sent_to_the_desk_not_to_send_a_challenge(time):
    duel = play.paired()
    time.go_to(duel.due_at, seconds=1)
    with pytest.raises(TooLate, match="register again at the desk"):
        play.confirm(duel, "a")
    time.go_on(minutes=2)
    sweep()
    with pytest.raises(TooLate, match=r"This pairing .* has come to nothing"):
        play.confirm(duel, "a")
