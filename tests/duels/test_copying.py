"""A result copied for a forum elsewhere: as BBCode and as HTML, what the thread shows and nothing else."""

import re

import pytest
from django.urls import reverse

from duels.actions.publications import keep_words
from duels.actions.revisions import correct_turn
from duels.actions.rulings import adjust_points, rule_invalid, standing_rulings, withdraw_ruling
from duels.bbcode import bbcode
from duels.models import Post
from tests import play, spells_play
from tests.duels.readers import as_user, english


def copied(duel, kind="resolution"):
    """The page on which a post of a kind is copied, as a stranger opens it, in English."""
    post = Post.objects.filter(thread__duel=duel, kind=kind).latest("position")
    return english(as_user()).get(reverse("duels:copy", args=[duel.pk, post.position]))


@pytest.mark.parametrize(
    ("text", "spelt"),
    [
        ("Un *deux* **trois** ~~quatre~~", "Un [i]deux[/i] [b]trois[/b] [s]quatre[/s]"),
        ("# Titre\n\nTexte", "[b]Titre[/b]\n\nTexte"),
        ("> cité", "[quote]cité\n\n[/quote]"),
        ("- un\n- deux", "[list]\n[*]un\n[*]deux\n[/list]"),
        ("1. un\n2. deux", "[list=1]\n[*]un\n[*]deux\n[/list]"),
        ("[lien](https://exemple.fr/a)", "[url=https://exemple.fr/a]lien[/url]"),
        ("un\ndeux", "un\ndeux"),
        ("`code`", "code"),
        ("```\ncode\n```", "[code]code[/code]"),
        ("un\n\n---\n\ndeux", "un\n\n———\n\ndeux"),
        ("", ""),
    ],
)
def test_what_is_written_reads_the_same_in_bbcode(text, spelt):
    assert bbcode(text) == spelt


@pytest.mark.parametrize(
    ("text", "spelt"),
    [
        ("[b]gras[/b]", "[\u200bb]gras[\u200b/b]"),
        (r"[\*] un **[\*] deux**", "[\u200b*] un [b][\u200b*] deux[/b]"),
        ("[IMG]https://exemple.fr/a.png[/IMG]", "[\u200bIMG]https://exemple.fr/a.png[\u200b/IMG]"),
        ("`[b]`", "[\u200bb]"),
        ("```\n[/code][b]\n```", "[code][\u200b/code][\u200bb][/code]"),
        ("[[b]](https://exemple.fr/a)", "[url=https://exemple.fr/a][\u200bb][/url]"),
        ("[lien](<https://exemple.fr/a][img]b>)", "[url=https://exemple.fr/a%5D%5Bimg%5Db]lien[/url]"),
        ("![[b]](https://exemple.fr/a.png)", "[\u200bb]"),
        ("[rires] et [une note]", "[\u200brires] et [\u200bune note]"),
    ],
)
def test_what_looks_like_a_tag_is_none_in_bbcode(text, spelt):
    assert bbcode(text) == spelt


@pytest.mark.django_db
class TestAResult:
    def test_has_the_events_with_their_rules_the_gauges_and_the_words_around(self):
        duel = play.locked()
        keep_words(
            user=duel.referee, duel_id=duel.pk, turn=1, preamble="La **cloche** sonne.", closing="À vous, <b>tous</b>."
        )
        answer = copied(play.publish(duel))
        code, html = answer.context["bbcode"], answer.context["html"]
        assert code.startswith("La [b]cloche[/b] sonne.\n\n[b]Resolution of turn 1[/b]")
        assert code.endswith("À vous, <b>tous</b>.")
        assert "thrust left arm, parry left leg" in code
        assert "link point" in code
        assert html.startswith("<p>La <strong>cloche</strong> sonne.</p>")
        assert "À vous, &lt;b&gt;tous&lt;/b&gt;." in html
        events = duel.phase.resolution.public_events
        assert code.count("[*]") == html.count("<li>") == len(events)
        assert all(f"({event['rule']})" in code for event in events)

    def test_has_what_was_ruled(self):
        duel = play.locked()
        rule_invalid(user=duel.referee, duel_id=duel.pk, turn=1, seat="a", ground="clue", reason="Un <indice>.")
        answer = copied(play.publish(duel))
        assert "(A6.2) Reason: Un <indice>." in answer.context["bbcode"]
        assert "(A6.2) Reason: Un &lt;indice&gt;." in answer.context["html"]

    def test_makes_no_markup_of_words_that_people_typed(self):
        duel = play.locked()
        where = {"user": duel.referee, "duel_id": duel.pk, "turn": 1}
        rule_invalid(**where, seat="a", ground="clue", reason="[img]x[/img] <script>alert(1)</script>")
        keep_words(**where, preamble="[b]Oyez[/b] <i>!</i>", closing="[url=x]y[/url]")
        mischief = "[i]Bo[/i] <b>x</b>"
        duel = play.fresh(duel)
        duel.cast = {letter: {**player, "name": mischief} for letter, player in duel.cast.items()}
        duel.save(update_fields=["cast"])
        answer = copied(play.publish(duel))
        code, html = answer.context["bbcode"], answer.context["html"]
        assert set(re.findall(r"\[/?[\w*]+(?:=1)?\]", code)) == {"[b]", "[/b]", "[list=1]", "[*]", "[/list]"}
        assert "[\u200bimg]x[\u200b/img]" in code
        assert "[\u200bi]Bo[\u200b/i]" in code
        assert set(re.findall(r"<\w+>", html)) <= {"<p>", "<h3>", "<ol>", "<li>", "<strong>"}
        assert "&lt;script&gt;" in html

    def test_says_at_once_that_a_ruling_was_taken_back_and_why(self):
        duel = play.locked()
        where = {"user": duel.referee, "duel_id": duel.pk, "turn": 1}
        adjust_points(**where, seat="a", gauge="link", points=1, reason="Beau geste.")
        duel = play.publish(duel)
        correct_turn(user=duel.referee, duel_id=duel.pk, turn=1, reason="Relu.", seen=duel.phase.pk)
        index = standing_rulings(play.fresh(duel).phase)[0].index
        withdraw_ruling(**where, index=index, reason="Erreur de duelliste.")
        answer = copied(play.publish(play.fresh(duel)))
        for text in (answer.context["bbcode"], answer.context["html"]):
            assert "Taken back: The referee gives" in text
            assert "(A14.1) Reason: Beau geste. Why it was taken back: Erreur de duelliste." in text

    def test_of_a_spell_duel_names_its_phase(self):
        duel = spells_play.all_file(spells_play.running())
        answer = copied(duel)
        assert "[b]Resolution of turn 1, action[/b]" in answer.context["bbcode"]
        assert "fatigue points" in answer.context["bbcode"]
        assert "parry" not in answer.context["bbcode"]

    def test_says_that_it_was_superseded(self):
        duel = play.publish(play.locked())
        correct_turn(user=duel.referee, duel_id=duel.pk, turn=1, reason="Un dé mal lu.", seen=duel.phase_id)
        answer = copied(duel)
        for copy in ("bbcode", "html"):
            assert "Resolution of turn 1 (superseded: it was corrected)" in answer.context[copy]

    def test_is_no_other_post(self):
        duel = play.publish(play.locked())
        for position in (1, 3, 99):
            assert as_user().get(reverse("duels:copy", args=[duel.pk, position])).status_code == 404

    def test_stands_on_the_page_for_who_has_no_script(self):
        answer = copied(play.publish(play.locked()))
        said = answer.content.decode()
        assert said.count("<textarea") == 2
        assert "[b]Resolution of turn 1[/b]" in said
