"""What a seat is offered, at what cost, and what it is told of a post."""

import pytest

from tests.rules.play import offered
from tests.rules.spells.bout import SPELLS, act, cast, duel, entrant


def parts(state, seat):
    return {part.field: part for part in SPELLS.awaits(state, seat).parts}


def choice(part, value):
    return next(one for one in part.choices if one.value == value)


def ways(state, seat, spell):
    chosen = choice(parts(state, seat)["cast"], spell)
    return {way.value: way for way in next(part for part in chosen.parts if part.field == "cast.way").choices}


def found(state, seat, content):
    return [(finding.level, finding.code, finding.rule) for finding in SPELLS.check(state, seat, content)]


def costs(one):
    return {cost.gauge: cost.points for cost in one.costs}


def bets(way):
    return [bet.value for part in way.parts for bet in part.choices]


class TestAction:
    def test_moves_cost_their_zones_and_those_out_of_reach_are_refused(self):
        move = parts(duel(entrant(), entrant()), "a")["move"]
        assert costs(choice(move, "4")) == {}
        assert costs(choice(move, "9")) == {"fatigue": 5}
        step = act(duel(entrant(), entrant()), {"a": [{"do": "move", "to": 11}], "b": []})
        move = parts(step.state, "a")["move"]
        assert [one.value for one in offered(move)] == ["9", "10", "11"]
        assert choice(move, "8").refused.rule == "B4.0"

    def test_a_spell_of_ones_own_type_has_four_faces_or_its_bonus(self):
        of_type = ways(duel(entrant(1, "fire"), entrant()), "a", "ember")
        assert bets(of_type["plain"]) == ["1-2-3-4", "3-4-5-6"]
        assert bets(of_type["bonus"]) == ["1-2-3", "4-5-6"]
        other = ways(duel(entrant(1, "air"), entrant()), "a", "ember")
        assert bets(other["plain"]) == ["1-2-3", "4-5-6"]
        assert "bonus" not in other

    def test_a_modulation_costs_its_level_and_needs_it(self):
        assert costs(ways(duel(entrant(3), entrant()), "a", "ember")["modulation"]) == {"magic": 3}
        assert ways(duel(entrant(2), entrant()), "a", "ember")["modulation"].refused.code == "above_level"

    def test_what_magic_lacks_costs_fatigue(self):
        state = duel(entrant(5, legilimens=1), entrant())
        state = act(state, {"a": [cast("legilimens", "b")], "b": []}).state
        state = act(state, {"a": [cast("ember", "b", "1-2-3", modulation=True)], "b": []}, {"cast:a": 6}).state
        assert costs(ways(state, "a", "flash")["plain"]) == {"magic": 1, "fatigue": 1}

    def test_a_spell_just_above_ones_level_is_bet_on_two_faces_once(self):
        state = duel(entrant(), entrant())
        assert bets(ways(state, "a", "flash")["plain"]) == ["1-2", "3-4", "5-6"]
        state = act(state, {"a": [cast("flash", "b", "1-2")], "b": []}, {"cast:a": 6}).state
        state = act(state, {"a": [], "b": []}).state
        assert choice(parts(state, "a")["cast"], "flash").refused.rule == "B4.1.6"

    def test_the_same_spell_is_not_offered_in_the_next_turn(self):
        state = act(duel(entrant(), entrant()), {"a": [cast("ember", "b", "1-2-3")], "b": []}, {"cast:a": 6}).state
        assert choice(parts(state, "a")["cast"], "ember").refused.rule == "B4.1.7"
        assert choice(parts(state, "b")["cast"], "ember").refused is None

    def test_a_shield_is_not_offered_and_a_cleansing_is(self):
        cast_ = parts(duel(entrant(), entrant()), "a")["cast"]
        assert choice(cast_, "ward").refused.code == "only_in_defence"
        assert choice(cast_, "free").refused is None

    def test_legilimens_is_for_who_has_the_trait(self):
        state = duel(entrant(5, legilimens=1), entrant(5))
        assert choice(parts(state, "a")["cast"], "legilimens").refused is None
        assert choice(parts(state, "b")["cast"], "legilimens").refused.rule == "B7.1"

    def test_a_dark_mage_is_offered_half_the_cost_of_a_curse(self):
        state = duel(entrant(1, dark_mage=1), entrant())
        assert set(ways(state, "a", "rack")) == {"plain", "half_cost"}
        assert set(ways(state, "a", "ember")) == {"plain", "modulation"}

    def test_zones_and_targets_say_what_would_miss_from_here(self):
        state = duel(entrant(), entrant(), entrant(), entrant())
        fog = choice(parts(state, "a")["cast"], "fog")
        zones = next(part for part in fog.parts if part.field == "cast.zone")
        assert [one.value for one in zones.choices if one.findings] == ["9", "10", "11"]
        ember = choice(parts(state, "a")["cast"], "ember")
        targets = next(part for part in ember.parts if part.field == "cast.target")
        assert [one.value for one in targets.choices] == ["b", "d"]
        free = choice(parts(state, "a")["cast"], "free")
        assert [one.value for one in free.parts[1].choices] == ["a", "c"]

    def test_on_the_floor_there_is_only_climbing(self):
        heave = {"code": "heave", "level": 1, "range": 9, "type": "air", "tags": ["auto"],
                 "effects": [{"do": "push", "zones": 9}]}  # fmt: skip
        state = duel(entrant(), entrant(), spells=[heave])
        state = act(state, {"a": [cast("heave", "b")], "b": []}).state
        climb = parts(state, "b")
        assert set(climb) == {"climb"}
        assert costs(choice(climb["climb"], "10")) == {"fatigue": 2}


class TestDefence:
    def attacked(self, *entrants):
        state = duel(*entrants)
        posts = {"a": [cast("ember", "b", "1-2-3")], **{seat: [] for seat in list(state.duellists)[1:]}}
        return act(state, posts, {"cast:a": 1}).state

    def test_only_who_is_aimed_at_is_called(self):
        state = self.attacked(entrant(), entrant(), entrant(), entrant())
        assert SPELLS.status(state).awaited == ("b",)
        assert SPELLS.status(state).phase == "defence"
        assert not SPELLS.awaits(state, "d").awaited
        assert found(state, "d", {"do": "nothing"}) == [("error", "not_called", "B4.2.1")]

    def test_one_dodges_shields_or_does_nothing(self):
        do = parts(self.attacked(entrant(), entrant()), "b")["do"]
        assert [one.value for one in offered(do)] == ["nothing", "dodge", "cast"]
        assert costs(choice(do, "dodge")) == {"fatigue": 2}
        spells = choice(do, "cast").parts[0]
        assert [one.value for one in offered(spells)] == ["free", "ward"]

    def test_what_is_no_defence_is_refused(self):
        state = self.attacked(entrant(), entrant())
        assert found(state, "b", cast("ember", "a", "1-2-3")) == [("error", "not_a_defence", "B4.2.2")]
        assert found(state, "b", {"do": "move", "to": 7}) == [("error", "wrong_phase", "B6.2")]
        assert found(state, "b", {"do": "dodge"}) == [("error", "missing_bet", "B6.2")]


class TestCheck:
    @pytest.mark.parametrize(
        ("steps", "expected"),
        [
            ([], []),
            ([{"do": "move"}], [("error", "missing_zone", "B6.2")]),
            ([{"do": "move", "to": 12}], [("error", "off_stage", "B4.2")]),
            ([{"do": "move", "to": 4}], [("warning", "no_effect", "B4.2")]),
            ([{"do": "climb", "to": 4}], [("error", "not_on_floor", "B5.3")]),
            ([{"do": "retrieve"}], [("error", "has_wand", "B6.2")]),
            ([{"do": "dodge", "bet": "1-2-3"}], [("error", "wrong_phase", "B6.2")]),
            ([{"do": "nothing"}], [("error", "wrong_phase", "B6.2")]),
            ([cast("ember", None, "1-2-3")], [("error", "missing_target", "B6.2")]),
            ([cast("ember", "b")], [("error", "missing_bet", "B6.2")]),
            ([cast("ember", "b", "1-2")], [("error", "bet_not_offered", "B4.1.1")]),
            ([cast("ember", "a", "1-2-3")], [("error", "wrong_target", "B4.1.8")]),
            ([cast("fog", None, "1-2-3")], [("error", "missing_zone", "B6.2")]),
            ([cast("fog", None, "1-2-3", zone=0)], [("error", "off_stage", "B4.1.5")]),
            ([cast("fog", None, "1-2-3", zone=9)], [("warning", "out_of_range", "B3.1.3")]),
            ([cast("ember", "b", "1-2-3", bonus=True)], [("error", "other_type", "B4.1.2")]),
            ([cast("ember", "b", "1-2-3", wandless=True)], [("error", "no_trait", "B7.4")]),
            ([cast("rack", "b", "1-2-3", half_cost=True)], [("error", "no_trait", "B7.3")]),
            ([cast("ember", "b", "1-2-3"), cast("rack", "b", "1-2-3")], [("error", "one_cast", "B6.2")]),
            ([{"do": "move", "to": 5}, {"do": "move", "to": 6}], [("error", "one_move", "B6.2")]),
            ([{"do": "move", "to": 2}, cast("ember", "b", "1-2-3")], [("warning", "out_of_range", "B3.1.3")]),
        ],
    )
    def test_each_thing_has_its_finding(self, steps, expected):
        assert found(duel(entrant(), entrant()), "a", {"steps": steps}) == expected

    def test_costs_of_a_post_add_up(self):
        state = act(duel(entrant(), entrant()), {"a": [{"do": "move", "to": 11}], "b": []}).state
        walk = {"do": "move", "to": 9}
        assert found(state, "a", {"steps": [walk]}) == []
        state = act(state, {"a": [cast("fog", None, "1-2-3", zone=9)], "b": []}, {"cast:a": 6}).state
        assert found(state, "a", {"steps": [cast("hush", "b"), walk]}) == []

    def test_what_a_partner_may_lift_is_accepted_at_ones_risk(self):
        state = duel(entrant(), entrant(), entrant(), entrant())
        state = act(state, {"b": [cast("hush", "a")], "a": [], "c": [], "d": []}).state
        ember = {"steps": [cast("ember", "b", "1-2-3")]}
        assert found(state, "a", ember) == [("sanction", "silenced", "effects")]
        alone = act(duel(entrant(), entrant()), {"b": [cast("hush", "a")], "a": []}).state
        assert found(alone, "a", ember) == [("error", "silenced", "effects")]

    def test_an_order_is_for_who_sees_a_post(self):
        assert found(duel(entrant(), entrant()), "a", {"steps": [], "order": "after"}) == [
            ("error", "unexpected", "B7.1")
        ]


class TestLegilimens:
    def seeing(self):
        state = duel(entrant(5, legilimens=1), entrant(5), entrant(5), entrant(5))
        return act(state, {"a": [cast("legilimens", "b")], "b": [], "c": [], "d": []}).state

    def test_the_target_files_sealed_in_half_the_time_and_the_legilimens_waits(self):
        state = self.seeing()
        target, seer, other = (SPELLS.awaits(state, seat) for seat in "bac")
        assert (target.seen_by, target.share, target.waits_for) == (("a",), 0.5, None)
        assert (seer.seen_by, seer.share, seer.waits_for) == ((), 1.0, "b")
        assert (other.seen_by, other.share, other.waits_for) == ((), 1.0, None)
        assert [one.value for one in parts(state, "a")["order"].choices] == ["before", "after"]
        assert "order" not in parts(state, "b")

    @pytest.mark.parametrize(("order", "first"), [("before", "moved:a"), ("after", "moved:b")])
    def test_the_legilimens_says_whose_post_is_played_first(self, order, first):
        walk = [{"do": "move", "to": 6}]
        posts = {"c": [], "b": walk, "d": [], "a": {"steps": walk, "order": order}}
        step = act(self.seeing(), posts)
        assert [code for code in codes_of(step) if code.startswith("moved")][0] == first  # noqa: RUF015

    def test_it_lasts_one_turn(self):
        state = act(self.seeing(), {seat: [] for seat in "abcd"}).state
        assert SPELLS.awaits(state, "b").seen_by == ()
        assert SPELLS.awaits(state, "a").waits_for is None

    def test_two_who_read_each_other_do_not_wait_for_ever(self):
        state = duel(entrant(5, legilimens=1), entrant(5, legilimens=1))
        state = act(state, {"b": [cast("legilimens", "a")], "a": [cast("legilimens", "b")]}).state
        assert SPELLS.awaits(state, "b").waits_for == "a"
        assert SPELLS.awaits(state, "a").waits_for is None


def codes_of(step):
    return [f"{event.code}:{event.seat}" for event in step.events]
