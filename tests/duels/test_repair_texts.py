"""The HTML of posts is made again from their texts, and what differed is said."""

import pytest
from django.core.management import CommandError, call_command

from duels.actions.removal import remove_post
from duels.actions.scenes import open_scene
from duels.models import Post, PostBody
from tests import play
from tests.factories import DuellistFactory, StaffFactory
from tests.lifting import lifted

pytestmark = pytest.mark.django_db


@pytest.fixture
def bodies():
    """The texts of a duel and of a scene, all of them in order."""
    play.locked()
    author = DuellistFactory()
    open_scene(user=author.user, duellist=author, title="Au bord du lac", text="Un soir **calme**.")
    return PostBody.objects.order_by("pk")


def audit(capsys, *options):
    """Return what the audit says, and whether it has left something wrong."""
    capsys.readouterr()
    try:
        call_command("audit", *options)
    except CommandError:
        return capsys.readouterr().out.splitlines(), True
    return capsys.readouterr().out.splitlines(), False


def test_where_nothing_was_amiss_it_says_so(bodies, capsys):
    assert bodies.count() == 3
    assert audit(capsys) == (["0 wrong, 0 repaired"], False)


def test_html_that_somebody_wrote_is_named_and_made_again(bodies, capsys):
    before = list(bodies.values_list("html", flat=True))
    forged = bodies[1]
    PostBody.objects.filter(pk=forged.pk).update(html="<script>alert(1)</script>")
    assert audit(capsys) == ([f"post {forged.post}: html", "1 wrong, 0 repaired"], True)
    assert audit(capsys, "--repair") == ([f"post {forged.post}: html", "1 wrong, 1 repaired"], False)
    assert list(bodies.values_list("html", flat=True)) == before


def test_a_text_that_is_not_the_one_that_was_posted_is_named_and_left(bodies, capsys):
    forged = bodies[2]
    with lifted():
        PostBody.objects.filter(pk=forged.pk).update(text="Un soir terrible.")
    said = f"post {forged.post}: its text is not the one that was posted"
    assert audit(capsys, "--repair") == ([said, "1 wrong, 0 repaired"], True)
    assert "terrible" not in PostBody.objects.get(pk=forged.pk).html


def test_a_text_that_was_removed_does_not_come_back(bodies, capsys):
    gone = Post.objects.get(pk=bodies[0].pk)
    remove_post(user=StaffFactory(), post_id=gone.pk, reason="Un nom véritable.")
    assert audit(capsys) == (["0 wrong, 0 repaired"], False)
    assert not PostBody.objects.filter(pk=gone.pk).exists()
