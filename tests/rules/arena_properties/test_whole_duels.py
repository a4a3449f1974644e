"""Whole duels, played step by step through the façade, in any order that hypothesis thinks of."""

import json

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import rules
from rules.core import Adjustment, Filed, Inputs, RulesError
from tests.rules import play
from tests.rules.arena_properties.knowledge import OTHER, Known, told

ARENA = rules.get("arena")
SEATS = st.sampled_from("ab")
RANDOM = st.randoms(use_true_random=False)
ENDINGS = st.sampled_from((*[{}] * 20, {"surrender": "a"}, {"surrender": "b"}, {"agreed_draw": True}))
FAULTS = st.dictionaries(SEATS, st.sampled_from(("late", "invalid_post")), max_size=2) | st.just({})
POINTS = st.builds(Adjustment, SEATS, st.sampled_from(("link", "alchemy")), st.integers(-3, 3).filter(bool))


def plain(value):
    return json.loads(ARENA.encode(value))


class ArenaDuel(RuleBasedStateMachine):
    """A duel under way: what was filed in the open turn, and what everybody knows."""

    @initialize(
        random=RANDOM,
        edition=st.sampled_from(("beta", "classic")),
        kind=st.sampled_from(("training", "clandestine", "tournament")),
        hours=st.sampled_from((24, 48)),
    )
    def starts(self, random, edition, kind, hours):
        self.known = Known()
        self.at_end = None
        self.links = {}
        self.arrive(play.started(random, ARENA, edition=edition, kind=kind, turn_hours=hours))
        self.links = {seat: self.state_of(seat)["link"] for seat in "ab"}
        self.turn_opens(random)

    def state_of(self, seat):
        return ARENA.summary(self.state)[seat]

    def arrive(self, state):
        self.state = state
        self.status = ARENA.status(state)
        self.filings, self.choices, self.adjustments = {}, {}, []

    def turn_opens(self, random):
        self.dice = play.RandomDice(random)
        step = ARENA.open(self.state, self.dice)
        discovered = [event for event in step.events if event.code == "discovered"]
        assert bool(discovered) == (ARENA.status(step.state).outcome is not None)
        self.arrive(step.state)

    def running(self):
        return self.status.outcome is None

    def now(self):
        """The state with the zones named so far, and what is still owed forfeited."""
        state = self.state
        for seat in self.status.owing:
            state = ARENA.choose(state, seat, self.choices.get(seat)).state
        return state

    @precondition(lambda self: self.running() and self.status.owing)
    @rule(random=RANDOM)
    def names_a_zone(self, random):
        """A decoy's owner names a zone, before filing (A10.2d)."""
        seat = random.choice(self.status.owing)
        if seat not in self.choices:
            owed = ARENA.awaits(self.state, seat).owes
            self.choices[seat] = random.choice(play.offered(owed)).value
            self.filings = {}

    @precondition(running)
    @rule(seat=SEATS, random=RANDOM)
    def files(self, seat, random):
        """A seat files, or files again (A6.3); its place in the order is that of the first time."""
        self.filings[seat] = play.filing(random, ARENA.awaits(self.now(), seat))

    @precondition(running)
    @rule(adjustment=POINTS)
    def referee_adjusts(self, adjustment):
        self.adjustments.append(adjustment)

    @precondition(running)
    @rule(random=RANDOM, faults=FAULTS, ending=ENDINGS)
    def turn_closes(self, random, faults, ending):
        for seat in "ba":
            if seat not in self.filings and faults.get(seat) != "late":
                self.files(seat, random)
        filings = {s: f for s, f in self.filings.items() if faults.get(s) != "late"}
        inputs = Inputs(
            filings=tuple(Filed(seat, content) for seat, content in filings.items()),
            infractions=faults,
            choices={seat: self.choices.get(seat) for seat in self.status.owing},
            adjustments=tuple(self.adjustments),
            **ending,
        )
        step = ARENA.resolve(self.state, inputs, self.dice)
        self.judge(inputs, step)
        before = self.status
        self.known.learn(plain(step.events))
        self.arrive(step.state)
        if self.running():
            assert self.status.turn == before.turn + 1
            self.turn_opens(random)

    def judge(self, inputs, step):
        """What was said of a filing beforehand is what befell it."""
        if inputs.surrender or inputs.agreed_draw:
            assert {event.code for event in step.events} <= {"duel_over", "zone_disabled", "choice_forfeited"}
            return
        sanctions = {"relentlessness", "cowardice", "repetition", "insufficient"}
        for filed in inputs.filings:
            if filed.seat in inputs.infractions:
                continue
            said = ARENA.check(self.now(), filed.seat, filed.content)
            announced = [finding.code for finding in said if finding.level == "sanction"]
            befell = [e.code for e in step.events if e.seat == filed.seat and e.code in sanctions]
            assert sorted(announced) == sorted(befell)
        for audience in ("a", "b", "public", "referee"):
            shown = plain(ARENA.redact(step.events, audience))
            assert shown == [e for e in (told(event, audience) for event in plain(step.events)) if e is not None]

    @precondition(lambda self: not self.running())
    @rule(random=RANDOM, seat=SEATS)
    def goes_on_after_the_end(self, random, seat):
        """Nothing changes a duel that is over."""
        filed = tuple(Filed(s, {"thrust": "head", "parry": "head", "option": None}) for s in "ab")
        for attempt in (
            lambda: ARENA.open(self.state, play.RandomDice(random)),
            lambda: ARENA.choose(self.state, seat, "head"),
            lambda: ARENA.resolve(self.state, Inputs(filings=filed), play.RandomDice(random)),
            lambda: ARENA.resolve(self.state, Inputs(surrender=seat), play.RandomDice(random)),
        ):
            try:
                assert attempt().state == self.state
            except RulesError:
                continue

    @invariant()
    def gauges_stay_within_bounds(self):
        over = self.status.outcome
        if self.status.extra_turn and over:
            return  # A13.2a: below 0 in an extra turn
        for seat, full in self.links.items():
            puppet = self.state_of(seat)
            least = 0 if over or self.status.extra_turn else 1
            assert least <= puppet["link"] <= full
            assert 0 <= puppet["alchemy"] <= 8
            assert puppet["infractions"] <= (3 if over else 2)

    @invariant()
    def the_end_is_one_of_article_13(self):
        outcome = self.status.outcome
        if outcome is None:
            return
        if outcome.winner is None:
            assert outcome.by == "draw"
            return
        won, lost = self.state_of(outcome.winner), self.state_of(OTHER[outcome.winner])
        gauges = (won["link"], won["alchemy"]), (lost["link"], lost["alchemy"])
        assert {
            "link_broken": won["link"] > 0 >= lost["link"],
            "alchemy": won["link"] == lost["link"] == 0 and won["alchemy"] > lost["alchemy"],
            "extra_turn": gauges[0] > gauges[1] and self.status.extra_turn,
            "first_post": gauges[0] == gauges[1] and self.status.extra_turn,
            "infractions": won["infractions"] < 3 == lost["infractions"],
            "discovered": gauges[0] >= gauges[1],
            "surrender": True,
        }[outcome.by]

    @invariant()
    def nobody_is_awaited_once_it_is_over(self):
        for seat in "ab":
            menu = ARENA.awaits(self.state, seat)
            assert menu.awaited is (seat in self.status.awaited) is self.running()
            assert (menu.owes is not None) is (seat in self.status.owing)

    @invariant()
    def state_and_menus_survive_their_json(self):
        raw = ARENA.encode(self.state)
        assert ARENA.decode_state(raw) == self.state
        assert ARENA.encode(ARENA.decode_state(raw)) == raw

    @invariant()
    def receptacles_are_known_from_being_pierced_until_they_move(self):
        for seat in "ab" if self.running() else "":
            for audience in ("public", OTHER[seat]):
                shown = ARENA.view(self.state, audience)["seats"][seat].get("receptacle")
                assert shown == self.known.receptacle[seat]


TestArenaDuel = ArenaDuel.TestCase
