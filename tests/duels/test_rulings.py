"""Amending a turn before it is published: each ruling an input to a new computation, which the record replays."""

import pytest

from duels import clock, export
from duels.actions.ending import surrender
from duels.actions.granted import standing_rulings
from duels.actions.rulings import (
    adjust_points,
    note_ruling,
    replace_die,
    rule_invalid,
    withdraw_ruling,
)
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Entry, Post
from duels.queries import reading
from rules.verify import verify
from tests import play, spells_play
from tests.duels.exporting import failures
from tests.factories import RefereeFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

LANCEA = spells_play.cast("lancea", target="b", bet="1-2-3-4")  # fire, which a and b know


def by_its_referee(duel, **about):
    return {"user": duel.referee, "duel_id": duel.pk, "turn": duel.turn, "name": duel.phase.name, **about}


def gauge(duel, seat, name):
    """What a seat has of a gauge once the turn that waits is published."""
    return play.fresh(duel).phase.resolution.public_view["seats"][seat][name]


def ended(duel):
    """The duel once a has surrendered, every seal open."""
    surrender(user=play.player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
    return play.fresh(duel)


@pytest.fixture
def missed(fate):
    """A spell duel in which a's die has lost the bet, waiting for its referee."""
    fate({(1, "cast:a"): 6, (1, "cast:b"): 6})
    duel = spells_play.running()
    spells_play.file(duel, "a", LANCEA)
    spells_play.file(duel, "b")
    return play.fresh(duel)


class TestADie:
    def test_rolled_elsewhere_counts_and_the_duels_own_is_told_beside_it(self, missed):
        assert missed.phase.resolution.public_view["under_way"] == []
        replace_die(**by_its_referee(missed, label="cast:a", face=2, reason="Rolled at the table."))
        duel = play.fresh(missed)
        assert [one["caster"] for one in duel.phase.resolution.public_view["under_way"]] == ["a"]
        said = duel.entries.get(kind="ruling").public
        assert (said["drawn"], said["face"], said["faces"]) == (6, 2, 6)

    def test_the_record_replays_it(self, missed):
        replace_die(**by_its_referee(missed, label="cast:a", face=2, reason="Rolled at the table."))
        duel = ended(spells_play.publish(missed))
        report = verify(export.of(duel))
        assert report.failures == ()
        assert {(die.label, die.face, die.elsewhere) for die in report.dice} == {("cast:a", 6, 2)}

    @pytest.mark.parametrize(("face", "field"), [(0, "face"), (7, "face"), (-1, "face")])
    def test_has_only_its_faces(self, missed, face, field):
        with pytest.raises(Invalid, match="faces 1 to 6") as refusal:
            replace_die(**by_its_referee(missed, label="cast:a", face=face, reason="Rolled."))
        assert refusal.value.field == field

    @pytest.mark.parametrize("label", ["cast:b", "wind", ""])
    def test_that_was_not_rolled_cannot_be_replaced(self, missed, label):
        with pytest.raises(Invalid, match="No such die"):
            replace_die(**by_its_referee(missed, label=label, face=1, reason="Rolled."))

    def test_is_replaced_once_and_again_after_it_was_taken_back(self, missed):
        replace_die(**by_its_referee(missed, label="cast:a", face=2, reason="Rolled."))
        with pytest.raises(Invalid, match="replaced already"):
            replace_die(**by_its_referee(missed, label="cast:a", face=1, reason="Rolled again."))
        (ruling,) = standing_rulings(play.fresh(missed).phase)
        withdraw_ruling(**by_its_referee(missed, index=ruling.index, reason="The wrong die."))
        assert play.fresh(missed).phase.resolution.public_view["under_way"] == []
        replace_die(**by_its_referee(missed, label="cast:a", face=1, reason="The right one."))
        assert play.fresh(missed).phase.resolution.public_view["under_way"]


class TestPoints:
    def test_are_taken_within_the_gauge_and_the_rule_is_named(self):
        duel = play.locked()
        before = gauge(duel, "a", "alchemy")
        adjust_points(**by_its_referee(duel, seat="a", gauge="alchemy", points=-2, reason="A misjudged turn."))
        assert gauge(duel, "a", "alchemy") == before - 2
        events = play.fresh(duel).phase.resolution.public_events
        assert [event["rule"] for event in events if event["code"] == "adjusted"] == ["A14.1"]

    def test_of_an_action_phase_wait_for_the_end_of_the_turn(self, fate):
        fate({(1, "cast:a"): 1, (1, "dodge:b"): 1})
        duel = spells_play.running()
        spells_play.file(duel, "a", LANCEA)
        spells_play.file(duel, "b")
        duel = play.fresh(duel)
        adjust_points(**by_its_referee(duel, seat="a", gauge="magic", points=-1, reason="A misjudged post."))
        spent = gauge(duel, "a", "magic")
        duel = spells_play.publish(duel)
        spells_play.file(duel, "b")
        assert gauge(duel, "a", "magic") == spent - 1

    @pytest.mark.parametrize(
        ("about", "field"),
        [
            ({"seat": "c"}, "seat"),
            ({"gauge": "magic"}, "gauge"),
            ({"points": 0}, "points"),
            ({"points": 51}, "points"),
            ({"points": -51}, "points"),
        ],
    )
    def test_that_make_no_sense_are_refused_beside_their_field(self, about, field):
        duel = play.locked()
        with pytest.raises(Invalid) as refusal:
            adjust_points(
                **by_its_referee(duel, **{"seat": "a", "gauge": "link", "points": 1, "reason": "Hm.", **about})
            )
        assert refusal.value.field == field
        assert play.fresh(duel).phase.resolution.revision == 1


class TestAFault:
    def test_says_which_rule_is_broken(self):
        duel = play.locked()
        rule_invalid(**by_its_referee(duel, seat="a", ground="no_reaction", reason="It answers another duel."))
        said = duel.entries.get(kind="ruling").public
        assert (said["ground"], said["fault"], said["rule"]) == ("no_reaction", "invalid_post", "A6.2")
        assert gauge(duel, "a", "infractions") == 1

    @pytest.mark.parametrize(("ground", "fault"), [("edited", "edited"), ("told_result", "referee")])
    def test_of_a_spell_duel_bears_the_name_that_its_rules_give_it(self, missed, ground, fault):
        rule_invalid(**by_its_referee(missed, seat="a", ground=ground, reason="Look."))
        (event,) = [one for one in play.fresh(missed).phase.resolution.public_events if one["code"] == "action_fault"]
        assert event["fault"] == fault

    def test_on_a_ground_of_another_ruleset_is_refused(self):
        duel = play.locked()
        with pytest.raises(Invalid, match="which rule") as refusal:
            rule_invalid(**by_its_referee(duel, seat="a", ground="told_result", reason="Look."))
        assert refusal.value.field == "ground"


class TestWords:
    def test_alone_change_nothing_and_are_published(self):
        duel = play.locked()
        before = play.fresh(duel).phase.resolution.public_events
        note_ruling(**by_its_referee(duel, reason="The scene stands as it was played."))
        assert play.fresh(duel).phase.resolution.public_events == before
        duel = play.publish(duel)
        details = Post.objects.get(thread__duel=duel, kind="resolution").details
        assert [ruling["reason"] for ruling in details["rulings"]] == ["The scene stands as it was played."]
        assert "changes" not in details


class TestEveryRuling:
    @pytest.mark.parametrize("reason", ["", "  \n", "x" * 1001])
    def test_has_a_reason_of_a_reasonable_length(self, reason):
        duel = play.locked()
        with pytest.raises(Invalid) as refusal:
            note_ruling(**by_its_referee(duel, reason=reason))
        assert refusal.value.field == "reason"
        assert not Entry.objects.filter(kind="ruling").exists()

    def test_is_its_own_referees(self):
        duel = play.locked()
        with pytest.raises(NotAllowed):
            note_ruling(**by_its_referee(duel, reason="Hm.") | {"user": RefereeFactory()})

    def test_comes_before_the_publication(self):
        duel = play.locked()
        place = by_its_referee(duel)
        play.publish(duel)
        with pytest.raises(TooLate):
            adjust_points(**place, seat="a", gauge="link", points=1, reason="Hm.")

    def test_is_taken_back_once(self):
        duel = play.locked()
        note_ruling(**by_its_referee(duel, reason="Hm."))
        (ruling,) = standing_rulings(play.fresh(duel).phase)
        withdraw_ruling(**by_its_referee(duel, index=ruling.index, reason="No."))
        assert standing_rulings(play.fresh(duel).phase) == []
        with pytest.raises(Invalid, match="taken back already"):
            withdraw_ruling(**by_its_referee(duel, index=ruling.index, reason="No, no."))
        assert failures(play.fresh(duel)) == []


class TestTheDifference:
    def met(self, receptacle, option=None, **players):
        """A turn in which b's thrust at the torso meets what a has there, or not; nothing moves a thrust."""
        duel = play.announced(**players)
        while duel.arena != "verdant_circles":
            duel = play.announced(**players)
        play.hide(duel, receptacle, "head")
        for letter in "ab":
            play.ask_to_start(user=play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())
        play.file(duel, "a", thrust="left_arm", parry="left_leg", option=option)
        play.file(duel, "b", thrust="torso", parry="right_arm")
        return play.fresh(duel)

    @pytest.fixture
    def pierced(self):
        """A turn in which, as computed, b's thrust pierces a's receptacle."""
        return self.met("torso")

    @pytest.mark.parametrize("also", ["points", "nothing else"])
    def test_is_told_alike_whatever_a_thrust_that_does_not_count_would_have_met(self, also):
        told = []
        for receptacle, zone in (("torso", "head"), ("right_leg", "torso")):
            duel = self.met(receptacle, {"name": "rough_skin", "zones": [zone]})
            if also == "points":
                adjust_points(**by_its_referee(duel, seat="a", gauge="link", points=-1, reason="As agreed."))
            rule_invalid(**by_its_referee(duel, seat="b", ground="clue", reason="A clue."))
            duel = play.publish(duel)
            post = Post.objects.get(thread__duel=duel, kind="resolution")
            shown = {**post.resolution.public_view, "technique_limit": None}  # drawn for each duel
            told.append((post.details, shown, post.resolution.public_events))
        assert told[0] == told[1]

    def test_tells_no_secret_while_the_duel_runs_and_everything_after(self, pierced):
        rule_invalid(**by_its_referee(pierced, seat="b", ground="clue", reason="A clue."))
        duel = play.publish(pierced)
        post = Post.objects.get(thread__duel=duel, kind="resolution")
        assert [(change["sign"], change["event"]["code"]) for change in post.changes] == [("+", "infraction")]
        assert "pierced" not in str(post.details)
        duel = ended(duel)
        posts = reading.posts_of_page(duel.thread, 1)
        reading.open_differences(duel, posts)
        (post,) = [one for one in posts if one.kind == "resolution"]
        assert ("−", "pierced") in [(change.sign, change.event["code"]) for change in post.changes]
        assert verify(export.of(duel)).failures == ()

    def test_of_a_spell_duel_is_open_at_once(self, missed):
        replace_die(**by_its_referee(missed, label="cast:a", face=2, reason="Rolled at the table."))
        duel = spells_play.publish(missed)
        (post,) = Post.objects.filter(thread__duel=duel, kind="resolution")
        assert {(change["sign"], change["event"]["code"]) for change in post.changes} == {
            ("−", "failed"),
            ("+", "succeeded"),
        }

    def test_of_what_ends_the_duel_is_open_with_it(self, pierced):
        adjust_points(**by_its_referee(pierced, seat="a", gauge="link", points=-50, reason="As both have asked."))
        duel = play.publish(pierced)
        assert duel.is_over
        (post,) = Post.objects.filter(thread__duel=duel, kind="resolution")
        assert {change["event"]["code"] for change in post.changes} >= {"adjusted", "duel_over"}
        assert verify(export.of(duel)).failures == ()
