"""Amending a turn on its page: each form with its reason, refused beside its field, open to its referee alone."""

import pytest
from django.urls import reverse
from django.utils import translation

from duels.actions.granted import standing_rulings
from duels.actions.rulings import replace_die
from referee.effects import running
from referee.points import foreseen
from referee.review import reviewed, turn_of
from tests import play, spells_play
from tests.duels.arenas import quiet
from tests.duels.readers import as_player, as_user, english, strangers

pytestmark = pytest.mark.django_db

LANCEA = spells_play.cast("lancea", target="b", bet="1-2-3-4")


def address(duel, name="review"):
    named = [] if duel.phase.name == "turn" else [duel.phase.name]
    return reverse(f"referee:{name}", args=[duel.pk, duel.turn, *named])


def sending(do, **fields):
    return {"do": do, **{f"{do}-{field}": value for field, value in fields.items()}}


def amend(duel, do, **fields):
    return as_user(duel.referee).post(address(duel, "amend"), sending(do, **fields))


def of_words(duel):
    return [entry.public for entry in standing_rulings(play.fresh(duel).phase)]


@pytest.fixture
def spells(fate):
    """A spell duel whose first action phase waits: a's spell is under way."""
    fate({(1, "cast:a"): 1})
    duel = spells_play.running()
    spells_play.file(duel, "a", LANCEA)
    spells_play.file(duel, "b")
    return play.fresh(duel)


def test_a_die_rolled_elsewhere_is_shown_beside_the_one_that_it_replaces(spells):
    answer = amend(spells, "die", label="cast:a", face="6", reason="Lancé à la table.")
    assert answer.url == address(spells) + "#amendments"
    answer = as_user(spells.referee).get(address(spells))
    ((_name, die),) = answer.context["dice"]
    assert (die.face, die.elsewhere) == (1, 6)
    said = answer.content.decode()
    assert "Lancé à la table." in said
    assert {(change.sign, change.event["code"]) for change in answer.context["review"].changes} == {
        ("−", "succeeded"),
        ("+", "failed"),
    }
    assert "die" not in answer.context["amending"]  # the one die of the phase is replaced: take that back first


@pytest.mark.parametrize(("face", "label"), [("7", "cast:a"), ("x", "cast:a"), ("", "cast:a"), ("2", "cast:z")])
def test_a_die_that_is_none_is_refused_and_what_was_typed_is_kept(spells, face, label):
    answer = amend(spells, "die", label=label, face=face, reason="Lancé à la table.")
    assert answer.status_code == 422
    assert answer.context["sent"].errors
    assert "Lancé à la table." in answer.content.decode()
    assert of_words(spells) == []


def test_points_are_given_to_a_seat():
    duel = play.locked()
    amend(duel, "points", seat="b", gauge="link", points="-2", reason="Un retard.")
    (ruling,) = of_words(duel)
    assert (ruling["seat"], ruling["gauge"], ruling["points"]) == ("b", "link", -2)


@pytest.mark.parametrize("points", ["0", "99", "deux", ""])
def test_points_that_make_no_sense_are_refused_beside_their_field(points):
    duel = play.locked()
    answer = amend(duel, "points", seat="b", gauge="link", points=points, reason="Un retard.")
    assert answer.status_code == 422
    assert list(answer.context["sent"].errors) == ["points"]


def test_a_ruling_in_words_is_noted_and_taken_back_with_a_reason():
    duel = play.locked()
    amend(duel, "note", reason="La scène vaut comme elle est écrite.")
    (entry,) = standing_rulings(play.fresh(duel).phase)
    assert amend(duel, f"withdraw-{entry.index}", reason="").status_code == 422
    amend(duel, f"withdraw-{entry.index}", reason="Non.")
    assert of_words(duel) == []
    said = as_user(duel.referee).get(address(duel)).content.decode()
    assert said.index("La scène vaut") < said.index("Non.")


@pytest.mark.parametrize("do", ["withdraw-999", "withdraw-", "fault-z", "nothing", ""])
def test_what_cannot_be_ruled_gives_back_what_was_typed(do):
    duel = play.locked()
    answer = amend(duel, do, reason="Une longue raison.")
    assert answer.status_code == 409
    assert "Une longue raison." in answer.content.decode()


def test_once_the_turn_is_published_what_was_typed_comes_back_too():
    duel = play.locked()
    play.publish(duel)
    answer = amend(duel, "note", reason="Une longue raison.")
    assert answer.status_code == 409
    assert "Une longue raison." in answer.content.decode()
    assert "amending" in answer.context
    assert 'name="note-reason"' not in answer.content.decode()


def test_only_its_referee_amends():
    duel = play.locked()
    others = [client for kind, client in strangers(duel).items() if kind != "its referee"]
    for client in [*others, as_player(duel, "a"), as_player(duel, "b")]:
        assert client.post(address(duel, "amend"), sending("note", reason="Hm.")).status_code == 403
    assert of_words(duel) == []


def test_a_turn_that_is_open_cannot_be_amended():
    duel = play.running()
    answer = amend(duel, "note", reason="Trop tôt.")
    assert answer.status_code == 409
    assert "Trop tôt." in answer.content.decode()


def test_the_grounds_are_those_of_the_ruleset(spells):
    of_spells = as_user(spells.referee).get(address(spells)).context["amending"]["fault-a"]
    duel = play.locked()
    of_arena = as_user(duel.referee).get(address(duel)).context["amending"]["fault-a"]
    codes = [[code for code, _label in form.fields["ground"].choices] for form in (of_spells, of_arena)]
    assert codes == [
        ["short_post", "edited", "told_result", "against_rules"],
        ["short_post", "edited", "no_reaction", "clue"],
    ]


def test_the_page_names_steps_and_articles_in_both_rulesets(spells):
    said = english(as_user(spells.referee)).get(address(spells)).content.decode()
    assert "The posts, in their order" in said
    assert "section 4, casting, moving, defending" in said
    duel = play.locked()
    said = english(as_user(duel.referee)).get(address(duel)).content.decode()
    assert "Thrusts and parries" in said
    assert "article 8, the thrust" in said or "article 9, the parry" in said


def test_a_defence_phase_is_read_and_amended_like_any_other(fate):
    fate({(1, "cast:a"): 1, (1, "dodge:b"): 1})
    duel = spells_play.running()
    spells_play.file(duel, "a", LANCEA)
    spells_play.file(duel, "b")
    duel = spells_play.publish(duel)
    spells_play.file(duel, "b", {"do": "dodge", "bet": "1-2-3"})
    duel = play.fresh(duel)
    replace_die(
        user=duel.referee, duel_id=duel.pk, turn=1, name="defence", label="dodge:b", face=6, reason="Lancé à la table."
    )
    read = reviewed(play.fresh(duel), turn_of(duel, 1, "defence"), reader=duel.referee)
    assert ("−", "dodged") in [(change.sign, change.event["code"]) for change in read.changes]
    assert read.steps[0][0] in ("Esquives et boucliers", "Dodges and shields")
    assert as_user(duel.referee).get(address(duel)).status_code == 200


class TestWhatStillRuns:
    CAST = {"a": {"name": "Ana"}, "b": {"name": "Béla"}}

    def test_in_the_arena_with_its_last_turn_and_its_secrets(self):
        skin = {"name": "rough_skin", "zones": ["head"]}
        duel = quiet()
        play.file(duel, "a", option=skin)
        play.file(duel, "b", thrust="torso", parry="right_arm", option={"name": "cancel_option"})
        duel = play.fresh(duel)
        found = running(reviewed(duel, duel.phase, reader=duel.referee).after, self.CAST)
        (rough,) = [effect for effect in found if effect.rule == "A10.1"]
        (armed,) = [effect for effect in found if effect.rule == "A11.2"]
        assert (rough.name, rough.last, rough.secret) == ("Ana", 3, True)
        assert (armed.name, armed.last, armed.secret) == ("Béla", None, True)

    def test_in_a_spell_duel_up_to_the_turn_that_it_says(self):
        seat = {"bound": 2, "silenced": 0, "jinxed": 1, "wand": False}
        free = {"bound": 0, "silenced": 0, "jinxed": 0, "wand": True}
        view = {
            "turn": 4,
            "outcome": None,
            "under_way": [{"caster": "b", "target": "a", "spell": "lancea"}],
            "seats": {"a": seat, "b": free},
            "hazards": [{"zone": 3, "points": 2, "turns_left": 1}],
            "summons": [{"zone": 8, "points": 1, "turns_left": 3}],
        }
        found = running(view, self.CAST, {"lancea": "Lancea"})
        assert "Lancea" in found[0].what
        assert [(effect.name, effect.last) for effect in found] == [
            ("Béla", 4),
            ("Ana", 5),
            ("Ana", 4),
            ("Ana", None),
            ("", 4),
            ("", 6),
        ]

    def test_nothing_once_it_is_over(self):
        assert running({"outcome": {"winner": 1, "by": "fatigue"}}, self.CAST) == []


class TestPointsBeyondAGauge:
    def points(self, duel, **given):
        return amend(duel, "points", **{"seat": "b", "gauge": "link", "reason": "Un retard.", **given})

    def test_what_each_has_of_each_gauge_stands_beside_the_points(self):
        duel = play.locked()
        seat = reviewed_seat(duel, "b")
        said = english(as_user(duel.referee)).get(address(duel)).text
        assert f"{seat['link']} link points of {seat['link_max']} and" in said
        assert "Yes, I mean it" not in said

    def test_more_than_the_gauge_holds_is_asked_about_once_more_with_what_it_comes_to(self):
        duel = play.locked()
        seat = reviewed_seat(duel, "b")
        answer = english(as_user(duel.referee)).post(
            address(duel, "amend"), sending("points", seat="b", gauge="alchemy", points="-50", reason="Un retard.")
        )
        assert answer.status_code == 422
        assert f"has {seat['alchemy']} alchemy point" in answer.text
        assert "and would have 0. Tick the box below if you mean it." in answer.text
        assert 'type="checkbox" name="points-is_meant"' in answer.text
        assert of_words(duel) == []

    @pytest.mark.parametrize(
        ("gauge", "points"), [("alchemy", "50"), ("alchemy", "-50"), ("link", "-50"), ("link", "50")]
    )
    def test_the_warning_says_what_the_rules_then_give(self, gauge, points):
        duel = play.locked()
        review = reviewed(duel, turn_of(duel, 1), reader=duel.referee)
        told = foreseen(review, "b", gauge, int(points))
        assert told.warning
        assert self.points(duel, gauge=gauge, points=points).status_code == 422
        assert self.points(duel, gauge=gauge, points=points, is_meant="on").status_code == 302
        assert reviewed_seat(play.fresh(duel), "b")[gauge] == told.then

    def test_what_fits_the_gauge_is_not_asked_about(self):
        assert self.points(play.locked(), points="-1").status_code == 302

    def test_in_a_spell_duel_what_is_ruled_already_counts_though_it_waits_for_the_end_of_the_turn(self, spells):
        has = reviewed_seat(spells, "b")["fatigue"]
        assert self.points(spells, gauge="fatigue", points=str(1 - has)).status_code == 302
        assert reviewed_seat(play.fresh(spells), "b")["fatigue"] == has
        assert self.points(play.fresh(spells), gauge="fatigue", points="-2").status_code == 422

    def test_who_is_out_is_said_to_stay_out(self):
        duel = play.locked()
        review = reviewed(duel, turn_of(duel, 1), reader=duel.referee)
        review.after["seats"]["b"]["out"] = "fatigue"
        with translation.override("fr"):
            assert "ne changerait rien" in foreseen(review, "b", "link", 1).warning


def reviewed_seat(duel, letter):
    return reviewed(duel, turn_of(duel, 1, duel.phase.name), reader=duel.referee).after["seats"][letter]
