"""Tournaments in the database: announced, entered, played, won; whoever leaves, and whatever the clock does twice."""

import datetime as dt
from random import Random
from unittest.mock import patch

import pytest

from duels import clock
from duels.actions.availability import set_availability
from duels.actions.spell_challenges import Registration
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Duel, Duellist, Happening, Seat
from notices.actions.telling import drain
from notices.kinds import KINDS
from notices.news import News
from rules.seal import commitment
from tests.factories import DuellistFactory, RefereeFactory, StaffFactory, UserFactory
from tests.scale import scaled
from tests.spells_play import fighter
from tournaments import formats, lots
from tournaments.actions import announcing, rounds, walls
from tournaments.actions.announcing import cancel_tournament
from tournaments.actions.leaving import disqualify
from tournaments.actions.registering import register
from tournaments.actions.rounds import course_of
from tournaments.actions.sweep import take_up_again
from tournaments.models import Entrant, Match, Reign, Tournament
from tournaments.queries.ranking import by_duels_won

from . import play
from .play import leave

pytestmark = pytest.mark.django_db(transaction=True)


def entrant_in(tournament, place):
    return tournament.entrants.get(place=place, status="in")


def undecided(tournament):
    return list(tournament.matches.filter(decided_at=None))


# Announcing


def test_only_organisers_announce():
    with pytest.raises(NotAllowed):
        play.announced(user=UserFactory())


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"name": "nouveau"}, "name"),
        ({"name": "!!!"}, "name"),
        ({"starts_at": dt.datetime(2020, 1, 1, tzinfo=dt.UTC)}, "starts_at"),
        ({"ruleset": "spells"}, "mode"),
        ({"capacity": 65}, "capacity"),
        ({"round_days": 3}, "round_days"),
    ],
)
def test_what_cannot_be_announced_names_its_field(terms, field):
    with pytest.raises(Invalid) as refused:
        play.announced(**terms)
    assert refused.value.field == field


def test_a_name_serves_once_and_referees_have_to_be_some():
    play.announced(name="Coupe d’hiver")
    with pytest.raises(Invalid) as refused:
        play.announced(name="Coupe d'hiver")
    assert refused.value.field == "name"
    with pytest.raises(Invalid) as refused:
        play.announced(referees=[UserFactory()])
    assert refused.value.field == "referees"


def test_the_seed_is_committed_to_at_the_announcement_and_opened_at_the_end():
    tournament = play.announced(2)
    assert (len(tournament.commitment), tournament.seed) == (64, "")
    play.sweep_at(tournament.starts_at)
    tournament = play.played(play.fresh(tournament))
    assert commitment(bytes.fromhex(tournament.seed)) == tournament.commitment


# Registering


def test_who_comes_when_all_places_are_taken_waits_as_a_substitute():
    tournament = play.announced(2, capacity=2)
    assert play.enter(tournament).status == "reserve"
    leave(tournament.entrants.filter(status="registered").first())
    assert tournament.entrants.filter(status="registered").count() == 2


def test_one_enters_with_one_duellist_and_ones_own():
    tournament = play.announced()
    duellist = DuellistFactory()
    play.enter(tournament, duellist)
    with pytest.raises(Invalid):
        play.enter(tournament, DuellistFactory(user=duellist.user))
    with pytest.raises(NotAllowed):
        register(user=UserFactory(), tournament_id=tournament.pk, duellist=duellist)


def test_a_name_that_was_taken_at_that_instant_is_refused_as_any_other():
    play.announced(name="Coupe")
    with patch.object(announcing, "_check_name"), pytest.raises(Invalid) as refusal:
        play.announced(name="Coupe")
    assert refusal.value.field == "name"
    assert Tournament.objects.count() == 1


def test_before_the_start_one_may_come_back():
    tournament = play.announced(1)
    entrant = tournament.entrants.get()
    leave(entrant)
    assert play.enter(tournament, entrant.duellist).status == "registered"


def moved_up(entrant, year, types):
    Duellist.objects.filter(pk=entrant.duellist_id).update(year=year, types=types)


def test_who_moves_up_a_year_before_the_start_fights_at_the_new_level_to_the_end():
    tournament = play.announced(ruleset="spells", mode="rp", capacity=2)
    first, second, waiting = (play.enter(tournament, fighter(year=year, types=["fire"])) for year in (3, 4, 5))
    moved_up(first, 4, ["fire"])
    play.sweep_at(tournament.starts_at)
    levels = {seat.duellist_id: seat.terms["level"] for seat in Seat.objects.all()}
    assert levels == {first.duellist_id: 4, second.duellist_id: 4}
    moved_up(waiting, 6, ["fire", "air"])
    leave(first)
    terms = Seat.objects.get(duellist=waiting.duellist_id).terms
    assert (terms["level"], terms["types"]) == (6, ["fire", "air"])


def test_who_moves_up_without_the_type_of_magic_that_goes_with_it_fights_as_registered():
    tournament = play.announced(1, ruleset="spells", mode="rp")
    entrant = play.enter(tournament, fighter(year=5, types=["fire"]))
    moved_up(entrant, 6, ["fire"])
    play.sweep_at(tournament.starts_at)
    assert Seat.objects.get(duellist=entrant.duellist_id).terms["level"] == 5


def test_in_mode_free_the_level_is_the_chosen_one():
    tournament = play.announced(ruleset="spells", mode="free")
    chosen = Registration(2, ("fire",))
    one, _other = (play.enter(tournament, fighter(year=3, types=["fire"]), registration=chosen) for _number in "ab")
    moved_up(one, 4, ["fire"])
    play.sweep_at(tournament.starts_at)
    assert {seat.terms["level"] for seat in Seat.objects.all()} == {2}


@pytest.mark.parametrize("number", [0, 2], ids=["registered", "waiting"])
def test_sent_off_before_the_start_one_does_not_come_back_and_the_reason_stays(number):
    tournament = play.announced(3, capacity=2)
    gone = tournament.entrants.order_by("registered_at", "pk")[number]
    disqualify(user=StaffFactory(), tournament_id=tournament.pk, entrant_id=gone.pk, reason="Tricherie.")
    for duellist in (gone.duellist, DuellistFactory(user=gone.duellist.user)):
        with pytest.raises(TooLate, match="disqualif"):
            play.enter(tournament, duellist)
    gone.refresh_from_db()
    assert (gone.status, gone.reason) == ("disqualified", "Tricherie.")
    assert tournament.entrants.count() == 3


def test_after_the_start_who_has_left_does_not_come_back_with_another_duellist():
    tournament = play.running(5)
    gone = entrant_in(tournament, 1)
    leave(gone)
    for duellist in (gone.duellist, DuellistFactory(user=gone.duellist.user)):
        with pytest.raises(TooLate):
            play.enter(tournament, duellist)


def test_a_spell_tournament_asks_for_what_a_spell_duel_asks():
    tournament = play.announced(ruleset="spells", mode="rp")
    with pytest.raises(Invalid, match=r"B1\.1"):
        play.enter(tournament, DuellistFactory())
    entrant = play.enter(tournament)
    assert entrant.terms["types"] == ["fire", "air"]


def test_with_fewer_than_two_it_is_cancelled():
    tournament = play.running(1)
    assert (tournament.status, tournament.round) == ("cancelled", 0)


# Seeding and rounds


def test_the_draw_of_the_places_can_be_drawn_again_from_the_seed():
    tournament = play.running(6)
    registered = list(tournament.entrants.order_by("registered_at", "pk"))
    drawn = lots.shuffled(tournament, registered)
    assert [entrant.place for entrant in drawn] == [1, 2, 3, 4, 5, 6]


def test_by_ranking_who_has_won_most_comes_first():
    first = play.played(play.running(2))
    champion = first.reign.duellist
    tournament = play.announced(3, seeding="ranking")
    play.enter(tournament, champion)
    play.sweep_at(tournament.starts_at)
    assert entrant_in(tournament, 1).duellist == champion
    assert by_duels_won("arena", [champion.pk])[champion.pk] == (1, 0)


def test_each_duel_is_announced_and_has_a_referee_who_does_not_play_in_it():
    one, other = RefereeFactory(), RefereeFactory()
    tournament = play.announced(3, referees=[one, other], capacity=4, turn_hours=24)
    play.enter(tournament, DuellistFactory(user=one))
    play.sweep_at(tournament.starts_at)
    duels = [match.duel for match in tournament.matches.select_related("duel")]
    assert {duel.status for duel in duels} == {"announced"}
    assert {duel.turn_hours for duel in duels} == {24}
    for duel in duels:
        assert duel.referee in (one, other)
        assert duel.referee_id not in {player["user"] for player in duel.cast.values()}


def test_a_referee_is_told_which_duels_the_tournament_gives_them():
    referee = RefereeFactory()
    tournament = play.running(2, referees=[referee])
    given = Happening.objects.get(what="duel_given")
    assert (given.duel, given.concerns) == (tournament.matches.get().duel, [referee.pk])


def test_a_referee_without_room_comes_last():
    busy, free = RefereeFactory(), RefereeFactory()
    set_availability(user=busy, is_available=False, at_once=1)
    tournament = play.running(8, referees=[busy, free])
    assert {match.duel.referee for match in tournament.matches.all()} == {free}
    set_availability(user=free, is_available=False, at_once=1)
    tournament = play.running(4, referees=[busy, free])
    assert {match.duel.referee for match in tournament.matches.all()} == {busy, free}


def test_without_a_referee_left_a_duel_has_none():
    referee = RefereeFactory()
    tournament = play.announced(1, referees=[referee])
    play.enter(tournament, DuellistFactory(user=referee))
    play.sweep_at(tournament.starts_at)
    assert tournament.matches.get().duel.refereed is False


def test_the_best_seeded_have_the_byes_and_the_next_round_opens_when_all_is_decided():
    tournament = play.running(3)
    assert [(match.a, match.b) for match in tournament.matches.all()] == [(2, 3)]
    tournament = play.play_round(tournament)
    assert tournament.round == 2
    assert [(match.a, match.b) for match in undecided(tournament)] == [(1, 2)]


@pytest.mark.parametrize("kind", sorted(formats.FORMATS))
def test_each_format_is_played_to_its_champion(kind):
    tournament = play.played(play.running(5, kind=kind, third_place=True), Random(5))
    assert tournament.status == "over"
    place = formats.champion(tournament.format, course_of(tournament))
    assert tournament.reign.duellist == entrant_in(tournament, place).duellist


def test_a_spell_tournament_is_played_too():
    tournament = play.played(play.running(3, ruleset="spells", mode="rp"))
    assert tournament.status == "over"
    assert {duel.ruleset for duel in Duel.objects.all()} == {"spells"}


# Walls


def test_at_the_wall_what_is_undecided_is_decided_as_it_stands():
    tournament = play.running(4)
    early = play.sweep_at(tournament.wall)
    assert early == {"done": 0, "failed": 0}
    play.sweep_at(tournament.wall + clock.GRACE)
    tournament = play.fresh(tournament)
    assert tournament.round == 2
    first = tournament.matches.filter(round=1)
    assert {match.duel.status for match in first} == {"over"}
    assert {match.how for match in first} <= {"wall", "lot"}


def test_at_the_wall_one_duel_that_fails_does_not_keep_the_others(monkeypatch):
    tournament = play.running(4)
    broken = undecided(tournament)[0].duel_id
    decide = walls.decide_at_the_wall

    def decide_or_fail(*, duel_id):
        if duel_id == broken:
            raise RuntimeError("broken")
        return decide(duel_id=duel_id)

    with monkeypatch.context() as patch:
        patch.setattr(walls, "decide_at_the_wall", decide_or_fail)
        assert play.sweep_at(tournament.wall + clock.GRACE)["failed"] == 1
    assert [match.duel_id for match in undecided(tournament)] == [broken]
    play.sweep_at(tournament.wall + clock.GRACE)
    assert play.fresh(tournament).round == 2


def test_after_a_draw_lots_are_drawn_where_one_must_go_on():
    tournament = play.running(2, ruleset="spells", mode="rp")
    play.sweep_at(tournament.wall + clock.GRACE)
    match = tournament.matches.get()
    assert (match.how, match.duel.ended_by) == ("lot", "draw")
    assert (match.winner == match.first) is lots.first_by_lot(tournament, match.key)


def test_after_a_draw_in_a_table_both_have_half_a_point():
    tournament = play.running(2, kind="round_robin", ruleset="spells", mode="rp")
    play.sweep_at(tournament.wall + clock.GRACE)
    match = tournament.matches.get()
    assert (match.a_points, match.b_points, match.how) == (1, 1, "wall")


# Leaving


def test_who_leaves_before_a_duel_starts_is_replaced_until_the_second_round():
    tournament = play.announced(2, capacity=2)
    substitute = play.enter(tournament)
    play.sweep_at(tournament.starts_at)
    match = tournament.matches.get()
    before, goes = match.duel, match.second
    leave(goes)
    match.refresh_from_db()
    substitute.refresh_from_db()
    assert (substitute.status, substitute.place, substitute.replaces) == ("in", goes.place, goes)
    assert (match.second, match.decided_at) == (substitute, None)
    assert (play.fresh(tournament).round, Duel.objects.get(pk=before.pk).status) == (1, "cancelled")
    assert match.duel.cast["b"]["duellist"] == substitute.duellist_id


def test_who_leaves_a_duel_that_runs_loses_it_substitute_or_not():
    tournament = play.announced(2, capacity=2)
    play.enter(tournament)
    play.sweep_at(tournament.starts_at)
    match = tournament.matches.get()
    play.start_duel(match)
    leave(match.first)
    match.refresh_from_db()
    assert (match.winner, match.how, match.duel.status) == (match.second, "walkover", "over")
    assert play.fresh(tournament).reign.duellist == match.second.duellist


def test_who_has_won_and_leaves_before_the_second_round_passes_the_place_on():
    tournament = play.announced(4, capacity=4)
    substitute = play.enter(tournament)
    play.sweep_at(tournament.starts_at)
    first = tournament.matches.first()
    play.end_duel(first, loser="b")
    leave(first.first)
    substitute.refresh_from_db()
    assert substitute.place == first.a
    tournament = play.play_round(play.fresh(tournament))
    assert substitute in {entrant for match in undecided(tournament) for entrant in (match.first, match.second)}


def test_from_the_second_round_on_nobody_comes_in():
    tournament = play.play_round(play.running(4))
    with pytest.raises(TooLate):
        play.enter(tournament)
    final = undecided(tournament)[0]
    leave(final.first)
    tournament = play.fresh(tournament)
    assert (tournament.status, tournament.reign.duellist) == ("over", final.second.duellist)


def test_who_is_sent_off_goes_and_the_reason_is_kept():
    tournament = play.running(2)
    entrant = entrant_in(tournament, 1)
    with pytest.raises(NotAllowed):
        disqualify(user=UserFactory(), tournament_id=tournament.pk, entrant_id=entrant.pk, reason="x")
    with pytest.raises(Invalid):
        disqualify(user=StaffFactory(), tournament_id=tournament.pk, entrant_id=entrant.pk, reason=" ")
    disqualify(user=StaffFactory(), tournament_id=tournament.pk, entrant_id=entrant.pk, reason="insulte l’arbitre")
    entrant.refresh_from_db()
    assert (entrant.status, entrant.reason) == ("disqualified", "insulte l’arbitre")
    assert play.fresh(tournament).reign.duellist == entrant_in(tournament, 2).duellist


def test_who_is_silent_until_the_duel_is_lost_is_out_of_the_tournament():
    tournament = play.running(3, kind="round_robin")
    match = undecided(tournament)[0]
    play.start_duel(match)
    for _turn in range(3):
        play.file_one_and_close(match.duel, "a")
    play.sweep_now(tournament)
    match.refresh_from_db()
    match.second.refresh_from_db()
    assert (match.winner, match.duel.ended_by) == (match.first, "infractions")
    assert match.second.status == "disqualified"
    tournament = play.played(play.fresh(tournament))
    assert tournament.matches.filter(how="walkover").count() == 1


def test_a_tournament_called_off_takes_its_unstarted_duels_with_it():
    tournament = play.running(4)
    play.end_duel(undecided(tournament)[0])
    cancel_tournament(user=StaffFactory(), tournament_id=tournament.pk, reason="grippe")
    assert sorted(match.duel.status for match in tournament.matches.all()) == ["cancelled", "over"]
    assert play.sweep_at(tournament.wall + clock.GRACE) == {"done": 0, "failed": 0}
    with pytest.raises(TooLate):
        cancel_tournament(user=StaffFactory(), tournament_id=tournament.pk, reason="encore")


# Champions


def test_a_champion_reigns_until_the_next_tournament_is_won():
    first = play.played(play.running(2)).reign
    other_rules = play.played(play.running(2, ruleset="spells", mode="rp")).reign
    second = play.played(play.running(2)).reign
    first.refresh_from_db()
    other_rules.refresh_from_db()
    assert (first.until, second.until, other_rules.until) == (second.since, None, None)


def told(what):
    happening = Happening.objects.get(what=what)
    return happening.concerns, happening.details["name"]


def users_of(*entrants):
    return sorted(entrant.duellist.user_id for entrant in entrants)


def test_everybody_who_took_part_is_told_who_won():
    tournament = play.played(play.running(3))
    assert told("tournament_started") == (users_of(*tournament.entrants.all()), "")
    assert told("tournament_won") == (users_of(*tournament.entrants.all()), str(tournament.reign.duellist))


def test_who_gets_a_place_is_told_before_the_start_and_after():
    tournament = play.announced(2, capacity=2)
    first, second = play.enter(tournament), play.enter(tournament)
    leave(tournament.entrants.filter(status="registered").first())
    assert told("tournament_place") == (users_of(first), str(first))
    play.sweep_at(tournament.starts_at)
    leave(entrant_in(tournament, 1))
    assert Happening.objects.filter(what="tournament_place").last().concerns == users_of(second)


def test_who_is_sent_off_and_whose_tournament_is_called_off_is_told():
    tournament = play.running(3)
    entrant = entrant_in(tournament, 2)
    disqualify(user=StaffFactory(), tournament_id=tournament.pk, entrant_id=entrant.pk, reason="tricherie")
    assert told("tournament_sent_off") == (users_of(entrant), str(entrant))
    cancel_tournament(user=StaffFactory(), tournament_id=tournament.pk, reason="grippe")
    assert told("tournament_cancelled") == (users_of(*tournament.entrants.all()), "")


def test_a_notice_of_a_tournament_says_which_and_leads_there(client):
    tournament = play.played(play.running(2))
    drain()
    client.force_login(tournament.reign.duellist.user)
    page = client.get("/avis/").content.decode()
    assert f"{tournament.reign.duellist} a gagné le tournoi" in page
    assert KINDS["tournament_won"].leads_to(
        News(Happening.objects.get(what="tournament_won"), None, 0, clock.now())
    ) == (tournament.get_absolute_url())


# The clock


def test_sweeping_again_changes_nothing_more():
    tournament = play.running(4)
    play.end_duel(undecided(tournament)[0])
    play.sweep_now(tournament)
    before = list(Match.objects.values()), list(Entrant.objects.values()), list(Tournament.objects.values())
    play.sweep_now(tournament)
    assert (list(Match.objects.values()), list(Entrant.objects.values()), list(Tournament.objects.values())) == before


def test_a_sweep_cut_off_half_way_leaves_nothing_half_done(monkeypatch):
    tournament = play.announced(4)
    arrange = rounds.arrange_duel
    calls = []

    def cut_off(**terms):
        calls.append(terms)
        if len(calls) == 2:
            raise RuntimeError("cut off")
        return arrange(**terms)

    monkeypatch.setattr(rounds, "arrange_duel", cut_off)
    assert play.sweep_at(tournament.starts_at) == {"done": 0, "failed": 1}
    assert (Match.objects.count(), Duel.objects.count(), play.fresh(tournament).status) == (0, 0, "open")
    assert play.sweep_at(tournament.starts_at) == {"done": 1, "failed": 0}
    assert Match.objects.count() == 2


def test_the_duels_stay_among_the_referees_of_the_list():
    listed = [RefereeFactory(), RefereeFactory()]
    tournament = play.running(4, referees=listed)
    assert [set(match.duel.panel.all()) for match in undecided(tournament)] == [set(listed)] * 2


def test_what_fails_three_times_is_set_aside_until_staff_takes_it_up(monkeypatch):
    tournament = play.announced(2)

    def broken(*_args, **_terms):
        raise RuntimeError("broken")

    with monkeypatch.context() as patch:
        patch.setattr(rounds, "arrange_duel", broken)
        for _time in range(3):
            play.sweep_at(tournament.starts_at)
        assert play.sweep_at(tournament.starts_at) == {"done": 0, "failed": 0}
    take_up_again(tournament_id=tournament.pk)
    assert play.sweep_at(tournament.starts_at) == {"done": 1, "failed": 0}


def test_whole_tournaments_with_people_who_leave_and_substitutes_end_with_one_champion():
    random = Random(77)
    for _number in range(scaled(4, 60)):
        kind = random.choice(sorted(formats.FORMATS))
        size = random.randint(2, scaled(7, 16))
        tournament = play.announced(size, kind=kind, capacity=max(2, size - 1), third_place=random.random() < 0.5)
        play.sweep_at(tournament.starts_at)
        tournament = play.fresh(tournament)
        while tournament.is_running:
            present = list(tournament.entrants.filter(status="in"))
            if len(present) > 1 and random.random() < 0.3:
                leave(random.choice(present))
            for match in undecided(tournament):
                if random.random() < 0.8:
                    play.end_duel(match, loser=random.choice("ab"))
            play.sweep_at(tournament.wall + clock.GRACE)
            tournament = play.fresh(tournament)
        assert tournament.status == "over"
        assert Reign.objects.filter(tournament=tournament).count() == 1
        assert not tournament.matches.filter(decided_at=None).exists()
        left = Duel.objects.filter(match__tournament=tournament).exclude(status__in=("over", "cancelled"))
        assert not left.exists()
