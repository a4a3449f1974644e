"""Clandestine duels: a scene before, students only, discovery, penalties that grow; and the training hours."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from duels import clock, export, secrets, training
from duels.actions.announcement import earliest_start, take_duel
from duels.actions.challenges import accept_challenge, check_kind
from duels.actions.preparation import ask_to_start
from duels.actions.scenes import open_scene, write_in_scene
from duels.errors import Invalid, TooLate
from duels.models import Duel, Transfer
from duels.vault import seal
from rules import verify
from rules.dice import SealedDice
from rules.seal import SEED_BYTES, commitment
from tests import play
from tests.factories import DuellistFactory, RefereeFactory

from .purses import assert_balanced, give, holds
from .readers import as_player, as_user, english

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

PARIS = ZoneInfo("Europe/Paris")


@pytest.fixture
def two():
    """Two students who have written a scene together."""
    a, b = DuellistFactory(name="Alma", year=3), DuellistFactory(name="Boris", year=4)
    write_together(a, b)
    return {"a": a, "b": b, "kind": "clandestine"}


def write_together(a, b, posts=3):
    scene = open_scene(user=a.user, duellist=a, title="Sous l'escalier", text=play.TEXT)
    for _turn in range(posts - 1):
        write_in_scene(user=a.user, scene_id=scene.pk, duellist=a, text=play.TEXT)
    for _turn in range(posts):
        write_in_scene(user=b.user, scene_id=scene.pk, duellist=b, text=play.TEXT)
    return scene


@pytest.fixture
def teacher(monkeypatch):
    """Let a teacher come as a turn opens, or stay away: `teacher(2)`, `teacher(None)`."""

    def comes(turn):
        def draw_seed(duel):
            duel.sealed_seed = seal(seed := found(duel, turn), duel.uid, "seed")
            duel.commitment = commitment(seed)

        monkeypatch.setattr(secrets, "draw_seed", draw_seed)

    return comes


@pytest.fixture
def nobody_comes(teacher):
    teacher(None)


def found(duel, turn):
    """Return a seed whose die gives the duel away as that turn opens, and not as turn 2 does if it is another."""
    for number in range(100_000):
        seed = number.to_bytes(SEED_BYTES, "big")
        caught = {n: SealedDice(seed, str(duel.uid), 0, n).roll("discovery", 100) > 102 - 2 * n for n in (2, 3)}
        if caught == {n: n == turn for n in (2, 3)}:
            return seed
    raise LookupError("no such seed")


def test_it_takes_a_scene_with_three_posts_of_each():
    a, b = DuellistFactory(year=3), DuellistFactory(year=4)
    write_together(a, b, posts=2)
    with pytest.raises(Invalid, match="three posts of 100 words each") as refused:
        play.challenged(a=a, b=b, kind="clandestine")
    assert refused.value.field == "kind"
    scene = write_together(a, b)
    assert play.challenged(a=a, b=b, kind="clandestine").scene == scene


def test_it_is_for_two_students(two):
    adult = DuellistFactory()
    write_together(two["a"], adult)
    with pytest.raises(Invalid, match="two students") as refused:
        play.challenged(a=two["a"], b=adult, kind="clandestine")
    assert refused.value.field == "kind"


def test_who_has_left_school_since_cannot_accept_it(two):
    duel = play.challenged(**two)
    two["b"].year = None
    two["b"].save()
    with pytest.raises(Invalid, match="two students"):
        accept_challenge(user=two["b"].user, duel_id=duel.pk)


def test_who_has_left_school_since_keeps_it_from_being_announced(two):
    duel = play.agreed(**two)
    two["b"].year = None
    two["b"].save()
    with pytest.raises(TooLate, match="no longer a student"):
        take_duel(user=RefereeFactory(), duel_id=duel.pk)
    assert play.fresh(duel).announced_at is None


def test_only_liards_are_staked(two):
    for duellist in (two["a"], two["b"]):
        give(duellist, 5, "runes")
    with pytest.raises(Invalid, match="Liards, nothing else"):
        play.challenged(**two, stake=5, stake_currency="runes")


def test_discovered_it_ends_at_once_the_winner_takes_the_stakes_and_both_lose_dust(two, teacher):
    teacher(2)
    a, b = two["a"], two["b"]
    for duellist in (a, b):
        give(duellist, 30)
    duel = play.play_turn(
        play.running(**two, stake=30, stake_currency="liards"), b={"thrust": "head", "parry": "left_arm"}
    )
    assert (duel.status, duel.ended_by, duel.turn) == (Duel.Status.OVER, "discovered", 2)
    assert sorted([holds(a), holds(b)]) == [0, 60]
    assert (holds(a, "dust"), holds(b, "dust")) == (-5, -5)
    text = english(as_user()).get(duel.get_absolute_url()).text
    assert "a teacher discovers the duel" in text
    assert "Alma loses 5 grains of dust." in text
    assert_balanced()


def test_who_was_caught_before_loses_five_more_each_time(two, teacher):
    teacher(2)
    a, b, c = two["a"], two["b"], DuellistFactory(year=2)
    write_together(a, c)
    for other in (b, b, c):
        duel = play.running(a=a, b=other, kind="clandestine")
        play.play_turn(duel)
    lost = Transfer.objects.filter(what="penalty", payer__duellist=a).order_by("pk").values_list("amount", flat=True)
    assert list(lost) == [5, 10, 15]
    assert (holds(b, "dust"), holds(c, "dust")) == (-15, -5)


def test_found_in_the_third_turn_the_second_was_fought_in_peace(two, teacher):
    teacher(3)
    duel = play.running(**two)
    duel = play.play_turn(duel)
    assert duel.is_running
    assert "4 chances in 100" in english(as_user()).get(duel.get_absolute_url()).text
    duel = play.play_turn(duel, a={"thrust": "torso", "parry": "head"}, b={"thrust": "torso", "parry": "head"})
    assert duel.is_over


def test_a_clandestine_duel_that_nobody_discovers_costs_no_dust(two, teacher):
    teacher(None)
    duel = play.play_turn(play.running(**two))
    assert duel.is_running
    play.surrender(user=play.player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
    assert not Transfer.objects.exists()


def test_who_is_challenged_is_told_what_it_risks_and_which_scene_led_to_it(two):
    duel = play.challenged(**two)
    text = english(as_player(duel, "b")).get(f"/defis/{duel.pk}/").text
    assert "a teacher may discover it" in text
    assert f"/scenes/{duel.scene_id}/" in text


# Training hours


@pytest.fixture
def wednesdays(settings):
    settings.TRAINING_HOURS = "wednesday 14:00-17:00"
    settings.SCHOOL_YEAR = "09-01/06-30"


def at(month, day, hour, minute=0, year=2026):
    return dt.datetime(year, month, day, hour, minute, tzinfo=PARIS)


@pytest.mark.parametrize(
    ("instant", "is_open"),
    [
        (at(11, 25, 14), True),
        (at(11, 25, 16, 59), True),
        (at(11, 25, 17), False),
        (at(11, 25, 13, 59), False),
        (at(11, 26, 15), False),
        (at(7, 15, 15), False),  # a Wednesday of the holidays
        (at(11, 25, 13, 30).astimezone(ZoneInfo("America/Montreal")), False),
        (dt.datetime(2026, 11, 25, 13, 30, tzinfo=dt.UTC), True),
    ],
)
@pytest.mark.usefixtures("wednesdays")
def test_students_train_on_wednesdays_in_the_schools_zone_and_year(instant, is_open):
    assert training.is_open(instant) is is_open


@pytest.mark.parametrize(
    ("instant", "opening"),
    [
        (at(11, 25, 15), at(11, 25, 15)),
        (at(11, 25, 9), at(11, 25, 14)),
        (at(11, 25, 18), at(12, 2, 14)),
        (at(7, 3, 12), at(9, 2, 14)),
        (at(10, 23, 12), at(10, 28, 14)),  # the clocks go back in between
    ],
)
@pytest.mark.usefixtures("wednesdays")
def test_the_next_training_hours(instant, opening):
    assert training.next_opening(instant) == opening


def test_without_a_setting_students_train_at_any_hour(settings):
    settings.TRAINING_HOURS = ""
    assert training.is_open(at(7, 14, 3))
    settings.TRAINING_HOURS, settings.SCHOOL_YEAR = "monday 08:00-09:00", ""
    assert training.is_open(at(7, 13, 8))


@pytest.mark.usefixtures("wednesdays")
def test_outside_of_them_a_students_duel_is_clandestine_and_the_form_says_so():
    students = DuellistFactory(year=2), DuellistFactory(year=3)
    with pytest.raises(Invalid, match="outside of them a duel is clandestine") as refused:
        check_kind(kind="training", duellists=students, starts_at=at(11, 26, 15))
    assert refused.value.field == "starts_at"
    assert check_kind(kind="training", duellists=students, starts_at=at(11, 25, 15)) is None
    assert check_kind(kind="training", duellists=(students[0], DuellistFactory()), starts_at=at(11, 26, 15)) is None
    client = english(as_user(students[0].user))
    answer = client.get(f"/defis/nouveau/?contre={students[1].pk}")
    assert "Students train Wednesday from 2 p.m. to 5 p.m." in answer.text
    proposed = answer.context["form"].fields["starts_at"].initial
    assert training.is_open(proposed.replace(tzinfo=PARIS))
    assert "Students train" not in client.get(f"/defis/nouveau/?contre={DuellistFactory().pk}").text


@pytest.mark.usefixtures("wednesdays")
def test_the_refusal_of_a_start_says_the_next_one_in_the_zone_of_the_field():
    students = DuellistFactory(year=2), DuellistFactory(year=3)
    client = english(as_user(students[0].user))
    client.cookies["tz"] = "UTC"
    closed = training.next_opening(clock.now() + dt.timedelta(days=10)) + dt.timedelta(hours=20)
    terms = {"challenger": students[0].pk, "kind": "training", "turn_hours": "48", "refereed": "yes"}
    starts_at = closed.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M")
    form = client.post(f"/defis/nouveau/?contre={students[1].pk}", {**terms, "starts_at": starts_at}).context["form"]
    (said,) = form.errors["starts_at"]
    assert "UTC" in form.fields["starts_at"].label
    assert " UTC: outside of them" in said


@pytest.mark.usefixtures("wednesdays")
def test_announced_too_late_a_students_duel_waits_for_the_next_training_hours():
    students = {"a": DuellistFactory(year=2), "b": DuellistFactory(year=3)}
    duel = play.agreed(**students, starts_at=training.next_opening(clock.now() + dt.timedelta(days=3)))
    agreed_start = duel.starts_at
    assert earliest_start(duel, clock.now()) == agreed_start
    assert earliest_start(duel, agreed_start) == training.next_opening(agreed_start + dt.timedelta(days=2))
    grown_ups = play.agreed()
    assert earliest_start(grown_ups, grown_ups.starts_at) == grown_ups.starts_at + dt.timedelta(days=2)


# A tournament duel is no way around them; and starting at once leads out of them (article 3)


@pytest.mark.parametrize(("years", "is_offered"), [((2, 3), True), ((2, None), False), ((None, 3), False)])
def test_it_is_offered_to_two_students_alone(years, is_offered):
    mine, foe = (DuellistFactory(year=year) for year in years)
    answer = english(as_user(mine.user)).get(f"/defis/nouveau/?contre={foe.pk}")
    assert ('value="clandestine"' in answer.text) is is_offered
    assert ("Clandestine: for two students" in answer.text) is is_offered
    assert answer.text.count('name="kind"') == (2 if is_offered else 1)


def test_nobody_chooses_the_kind_of_a_tournament():
    adults = DuellistFactory(), DuellistFactory()
    with pytest.raises(Invalid, match="Only a tournament") as refused:
        play.challenged(a=adults[0], b=adults[1], kind="tournament")
    assert refused.value.field == "kind"
    client = as_user(adults[0].user)
    form = client.get("/inscriptions/nouvelle/").context["form"]
    assert [value for value, _label in form.fields["kind"].choices] == ["training", "clandestine"]
    assert not Duel.objects.exists()


@pytest.fixture
def trained(two, wednesdays, monkeypatch):
    """Two students of one scene whose training is announced for a Wednesday; `at(...)` moves the clock."""
    now = [at(11, 23, 9)]
    monkeypatch.setattr(clock, "now", lambda: now[0])
    duel = play.announced(**{**two, "kind": "training"}, starts_at=at(12, 2, 14))
    play.hide(duel)
    return duel, lambda instant: now.__setitem__(0, instant)


def ask(duel, letter, *, as_clandestine=False):
    who = play.player(duel, letter)
    return ask_to_start(user=who, duel_id=duel.pk, received_at=clock.now(), as_clandestine=as_clandestine)


def test_within_training_hours_a_training_duel_starts_early_as_one(trained):
    duel, go_to = trained
    go_to(at(11, 25, 15))
    ask(duel, "a")
    duel = ask(duel, "b")
    assert (duel.is_running, duel.kind, duel.public_view["kind"]) == (True, "training", "training")


@pytest.mark.usefixtures("nobody_comes")
def test_outside_of_them_it_becomes_clandestine_once_both_have_confirmed_that(trained):
    duel, go_to = trained
    go_to(at(11, 26, 15))
    with pytest.raises(TooLate, match="Training hours are over"):
        ask(duel, "a")
    ask(duel, "a", as_clandestine=True)
    duel = ask(duel, "b", as_clandestine=True)
    assert (duel.is_running, duel.kind, duel.public_view["kind"]) == (True, "clandestine", "clandestine")
    assert duel.scene_id is not None
    assert "this duel is clandestine" in english(as_user()).get(duel.get_absolute_url()).text
    play.play_turn(duel)
    play.surrender(user=play.player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
    report = verify.verify(export.of(play.fresh(duel)))
    assert (report.failures, report.ok) == ((), True)


def test_a_duel_that_began_in_secret_costs_what_any_clandestine_one_does(trained, monkeypatch):
    duel, go_to = trained
    go_to(at(11, 26, 15))
    for letter in "ab":
        ask(duel, letter, as_clandestine=True)
    monkeypatch.setattr(SealedDice, "roll", lambda self, label, faces: faces)
    duel = play.play_turn(duel, b={"thrust": "torso", "parry": "right_arm"})
    assert (duel.is_over, duel.ended_by) == (True, "discovered")
    assert {holds(seat.duellist, "dust") for seat in duel.seats.all()} == {-5}


def test_who_asked_within_the_hours_is_asked_again_when_they_are_over(trained):
    duel, go_to = trained
    go_to(at(11, 25, 16, 59))
    ask(duel, "a")
    go_to(at(11, 25, 17))
    assert not ask(duel, "b", as_clandestine=True).is_running
    said = english(as_player(duel, "a")).get(f"/duels/{duel.pk}/preparation/").text
    assert "They are over: do you still want to?" in said
    duel = ask(duel, "a", as_clandestine=True)
    assert (duel.is_running, duel.kind) == (True, "clandestine")


def test_who_asked_in_secret_begins_in_training_all_the_same_when_the_hours_have_come(trained):
    duel, go_to = trained
    go_to(at(11, 25, 13, 59))
    ask(duel, "a", as_clandestine=True)
    go_to(at(11, 25, 14))
    assert ask(duel, "b").kind == "training"


def test_the_page_says_what_it_means_before_it_is_confirmed(trained):
    duel, go_to = trained
    go_to(at(11, 26, 15))
    client, address = english(as_player(duel, "a")), f"/duels/{duel.pk}/preparation/"
    assert "a teacher may discover it" in client.get(address).text
    recap = client.post(address, {"action": "start"}).text
    assert "a duel that begins now is clandestine" in recap
    assert 'name="clandestine" value="yes"' in recap
    assert client.post(address, {"action": "start", "sure": "yes"}).status_code == 409
    assert client.post(address, {"action": "start", "sure": "yes", "clandestine": "yes"}).status_code == 302
    assert play.fresh(duel).seats.get(letter="a").accepts_clandestine


@pytest.mark.usefixtures("wednesdays")
def test_without_a_scene_it_waits_for_the_hours(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: at(11, 26, 15))
    duel = play.announced(a=DuellistFactory(year=1), b=DuellistFactory(year=1), starts_at=at(12, 2, 14))
    play.hide(duel)
    with pytest.raises(Invalid, match=r"next on Dec\. 2, 2026 at 2 p\.m\. CET") as refused:
        ask(duel, "a", as_clandestine=True)
    said = english(as_player(duel, "a")).get(f"/duels/{duel.pk}/preparation/").text
    assert str(refused.value) in said.replace("&#x27;", "'")
    assert 'value="start"' not in said


@pytest.mark.usefixtures("wednesdays")
def test_with_runes_staked_it_waits_for_the_hours(two, monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: at(11, 26, 15))
    for one in (two["a"], two["b"]):
        give(one, 3, "runes")
    duel = play.announced(**{**two, "kind": "training"}, starts_at=at(12, 2, 14), stake=2, stake_currency="runes")
    play.hide(duel)
    with pytest.raises(Invalid, match="nothing but Liards"):
        ask(duel, "a", as_clandestine=True)


@pytest.mark.usefixtures("wednesdays")
def test_adults_start_at_any_hour(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: at(11, 26, 3))
    assert play.running(starts_at=at(12, 1, 20)).kind == "training"


def test_a_record_in_which_another_start_became_clandestine_does_not_hold(trained):
    duel, go_to = trained
    go_to(at(11, 25, 15))
    ask(duel, "a")
    duel = ask(duel, "b")
    play.surrender(user=play.player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
    record = export.of(play.fresh(duel))
    assert verify.verify(record).ok
    said = {"kind": "clandestine"}
    entries = [replace(one, public={**one.public, **said}) if one.kind == "start" else one for one in record.entries]
    failures = verify.verify(replace(record, entries=tuple(entries))).failures
    assert {failure.check for failure in failures} >= {"state", "chain"}
