"""Scenes: role play outside of duels, and what it opens the way to."""

from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from duels import clock, markup
from duels.actions.removal import remove_post
from duels.actions.scenes import open_scene, opened_draft, save_scene_draft, write_in_scene
from duels.errors import Invalid, NotAllowed
from duels.models import Duellist, Post, PostBody, ReadMark, Scene, SceneDraft
from duels.queries.eligibility import message_count
from duels.queries.scenes import has_companion, leading_to, written_together
from tests import play, spells_play
from tests.factories import DuellistFactory, StaffFactory, UserFactory

from .readers import as_user, english

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.fixture
def alma():
    return DuellistFactory(name="Alma")


@pytest.fixture
def boris():
    return DuellistFactory(name="Boris")


def opened(duellist, title="La serre, à la nuit", text="Les vitres gouttent."):
    return open_scene(user=duellist.user, duellist=duellist, title=title, text=text)


def says(scene, duellist, text="Il se tait."):
    return write_in_scene(user=duellist.user, scene_id=scene.pk, duellist=duellist, text=text)


def test_a_scene_is_opened_with_its_first_post(alma):
    client = as_user(alma.user)
    answer = client.post(
        "/scenes/nouvelle/", {"title": "La serre", "duellist": alma.pk, "text": f"Les vitres *gouttent*. {words(100)}"}
    )
    scene = Scene.objects.get()
    assert answer.url == f"/scenes/{scene.pk}/"
    assert "<em>gouttent</em>" in client.get(answer.url).text


@pytest.mark.parametrize(("wrong", "field"), [({"title": ""}, "title"), ({"text": " ** "}, "text")])
def test_what_is_missing_is_said_beside_its_field_and_nothing_typed_is_lost(alma, wrong, field):
    filled = {"title": "La serre", "duellist": alma.pk, "text": f"Les vitres gouttent. {words(100)}", **wrong}
    answer = as_user(alma.user).post("/scenes/nouvelle/", filled)
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, [field])
    kept = {name: answer.context["form"][name].value() for name in ("title", "text")}
    assert kept == {name: filled[name] for name in kept}
    assert not Scene.objects.exists()


def test_others_write_in_it_and_positions_follow(alma, boris):
    scene = opened(alma)
    answer = as_user(boris.user).post(f"/scenes/{scene.pk}/", {"duellist": boris.pk, "text": words(100)})
    assert answer.url == f"/scenes/{scene.pk}/?page=1&ecrit=1#m2"
    assert [(post.position, post.duellist) for post in scene.thread.posts.all()] == [(1, alma), (2, boris)]
    assert Scene.objects.get().last_post_at == scene.thread.posts.get(position=2).posted_at


@pytest.mark.parametrize(("count", "told"), [(1, "1 word: under 100"), (99, "99 words: under 100")])
@pytest.mark.parametrize("address", ["/scenes/nouvelle/", "/scenes/{}/"])
def test_a_post_that_is_too_short_to_count_is_posted_only_as_it_is(alma, address, count, told):
    address = address.format(opened(alma, text=words(100)).pk)
    client = english(as_user(alma.user))
    typed = {"title": "Le toit", "duellist": alma.pk, "text": words(count)}
    asked = client.post(address, typed)
    assert (asked.status_code, list(asked.context["form"].errors)) == (422, ["text"])
    assert told in asked.context["form"].errors["text"][0]
    assert asked.context["form"]["text"].value() == words(count)
    assert 'name="do" value="as_it_is"' in asked.text
    assert Post.objects.count() == 1
    assert client.post(address, {**typed, "do": "as_it_is"}).status_code == 302
    assert Post.objects.filter(words=count).count() == 1


@pytest.mark.parametrize("text", ["", "mot " * 100])
def test_what_is_long_enough_or_empty_is_not_asked_about(alma, text):
    answer = as_user(alma.user).post("/scenes/nouvelle/", {"title": "", "duellist": alma.pk, "text": text})
    assert 'value="as_it_is"' not in answer.text


def test_one_writes_with_ones_own_duellists_only(alma, boris):
    scene = opened(alma)
    with pytest.raises(NotAllowed):
        write_in_scene(user=alma.user, scene_id=scene.pk, duellist=boris, text="Il entre.")
    typed = {"duellist": boris.pk, "text": words(100)}
    answer = as_user(alma.user).post(f"/scenes/{scene.pk}/", typed)
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["duellist"])
    assert answer.context["form"]["text"].value() == typed["text"]


def test_an_empty_post_and_one_too_long_are_refused(alma):
    scene = opened(alma)
    for text in ("", "> « cité »", "mot " * 20_000):
        with pytest.raises(Invalid):
            says(scene, alma, text)
    assert scene.thread.posts.count() == 1


def test_scenes_are_for_members(alma):
    scene = opened(alma)
    for address in ("/scenes/", "/scenes/nouvelle/", f"/scenes/{scene.pk}/", f"/scenes/{scene.pk}/message/1/"):
        assert as_user().get(address).url.startswith("/compte/login/")
    reader = english(as_user(UserFactory()))
    assert "you have none yet" in reader.get(f"/scenes/{scene.pk}/").text
    assert "you have none yet" in reader.get("/scenes/nouvelle/").text


def test_the_list_shows_mine_then_all_those_written_in_last_first(alma, boris):
    first, second = opened(alma, "La serre"), opened(boris, "Le toit")
    assert [scene.title for scene in as_user(alma.user).get("/scenes/").context["page"].scenes] == [
        "Le toit",
        "La serre",
    ]
    says(first, boris)
    context = as_user(alma.user).get("/scenes/").context
    assert [scene.pk for scene in context["page"].scenes] == [first.pk, second.pk]
    assert [scene.pk for scene in context["mine"].scenes] == [first.pk]
    assert [scene.last_position for scene in context["page"].scenes] == [2, 1]


def test_the_list_is_paged(alma):
    for number in range(23):
        opened(alma, f"Scène {number}")
    client = as_user(alma.user)
    first = client.get("/scenes/?mes").context["page"]
    rest = client.get("/scenes/", {"mes": "", "avant": first.after}).context["page"]
    titles = [scene.title for scene in [*first.scenes, *rest.scenes]]
    assert titles == [f"Scène {number}" for number in range(22, -1, -1)]
    assert rest.after is None


@pytest.mark.parametrize("said", ["x", "0", "9" * 30])
def test_a_page_that_is_none_is_not_found(alma, said):
    scene = opened(alma)
    assert as_user(alma.user).get("/scenes/", {"avant": said}).status_code == 404
    assert as_user(alma.user).get(f"/scenes/{scene.pk}/", {"page": said}).status_code == 404


def test_an_empty_list_says_what_to_do(alma):
    assert "Open the first one" in english(as_user(alma.user)).get("/scenes/").text
    assert "you need a duellist" in english(as_user(UserFactory())).get("/scenes/").text


def test_a_draft_is_kept_sealed_and_gone_once_it_is_posted(alma, boris):
    scene = opened(alma)
    client = as_user(boris.user)
    assert client.post(f"/scenes/{scene.pk}/brouillon/", {"text": "Presque.", "do": "quietly"}).status_code == 204
    draft = SceneDraft.objects.get()
    assert b"Presque" not in bytes(draft.sealed)
    assert opened_draft(draft) == "Presque."
    assert client.get(f"/scenes/{scene.pk}/").context["form"]["text"].value() == "Presque."
    assert "Presque." not in as_user(alma.user).get(f"/scenes/{scene.pk}/").text
    says(scene, boris)
    assert not SceneDraft.objects.exists()


def test_a_draft_that_is_too_long_is_not_kept(alma):
    with pytest.raises(NotAllowed):
        save_scene_draft(user=alma.user, scene_id=opened(alma).pk, text="a" * 50_001)


def lengthen(scene, length):
    """Fill a scene up to that many posts."""
    html, authors = markup.render("Il se tait."), list(Duellist.objects.all())
    posts = Post.objects.bulk_create(
        Post(
            thread=scene.thread,
            position=n,
            kind="rp",
            duellist=authors[n % len(authors)],
            posted_at=clock.now(),
            words=3,
        )
        for n in range(scene.thread.posts.count() + 1, length + 1)
    )
    PostBody.objects.bulk_create(PostBody(post=post, text="Il se tait.", html=html) for post in posts)


@pytest.mark.parametrize("length", [5, 20, 10_000])
def test_a_member_reads_a_page_in_ten_queries_whatever_the_length(alma, boris, length):
    scene = opened(alma)
    lengthen(scene, length)
    ReadMark.objects.create(thread=scene.thread, user=alma.user, position=length - 1)
    client = as_user(alma.user)
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(f"/scenes/{scene.pk}/")
    asked = [query["sql"] for query in captured]
    assert f'id="m{length}"' in answer.text
    assert answer.context["unread"].position == length
    assert len(asked) <= 10, "\n".join(asked)
    assert [sql for sql, times in Counter(asked).items() if times > 1] == []


def test_a_post_has_a_lasting_address_and_a_page_is_marked_as_read(alma):
    scene = opened(alma)
    lengthen(scene, 41)
    client = as_user(alma.user)
    assert client.get(f"/scenes/{scene.pk}/message/21/").url == f"/scenes/{scene.pk}/?page=2#m21"
    assert client.get(f"/scenes/{scene.pk}/message/42/").status_code == 404
    client.post(f"/scenes/{scene.pk}/lu/", {"position": "21"})
    assert client.get(f"/scenes/{scene.pk}/?page=1").context["unread"] == (22, 2)


def words(number):
    return "mot " * number


def test_posts_of_scenes_count_as_messages_from_a_hundred_words_on_until_staff_remove_them(alma):
    scene = opened(alma, text=words(100))
    says(scene, alma, words(99))
    says(scene, alma, words(101))
    says(scene, alma)
    assert message_count(alma.user_id) == 2
    remove_post(user=StaffFactory(), post_id=scene.thread.posts.first().pk, reason="un nom véritable")
    assert message_count(alma.user_id) == 1
    page = english(as_user(alma.user)).get(scene.get_absolute_url()).text
    assert page.count("too short to count") == 2


def test_posts_of_duels_count_by_the_same_measure():
    duel = play.running(refereed=False)
    play.file(duel, "a")
    author = play.player(duel, "a")
    assert message_count(author.pk) == 1
    remove_post(user=StaffFactory(), post_id=Post.objects.get(kind="rp").pk, reason="un nom véritable")
    assert message_count(author.pk) == 0
    spells = spells_play.running(refereed=False)
    spells_play.file(spells, "a", text=words(80), as_it_is=True)
    assert message_count(spells_play.player(spells, "a").pk) == 50  # what staff carried over, no more


def test_staff_take_a_text_away_and_its_hash_stays(alma):
    scene = opened(alma)
    post = scene.thread.posts.get()
    remove_post(user=StaffFactory(), post_id=post.pk, reason="un nom véritable")
    text = as_user(alma.user).get(f"/scenes/{scene.pk}/").text
    assert "gouttent" not in text
    assert post.text_sha256[:8] in text


def test_three_posts_of_each_in_one_scene_lead_to_a_clandestine_duel(alma, boris):
    long = words(100)
    scene, other = opened(alma, text=long), opened(boris, text=long)
    for _turn in range(2):
        says(scene, alma, long)
        says(scene, boris, long)
        says(other, alma, long)
        says(other, boris, long)
    assert leading_to(alma, boris) is None  # three and two in either
    says(scene, boris, words(99))
    assert leading_to(alma, boris) is None
    last = says(scene, boris, long)
    assert leading_to(alma, boris) == leading_to(boris, alma) == scene
    assert leading_to(alma, DuellistFactory()) is None
    assert written_together({alma.pk, boris.pk}) == {frozenset((alma.pk, boris.pk))}
    Duellist.objects.filter(pk=boris.pk).update(year=3)
    assert has_companion(alma)
    remove_post(user=StaffFactory(), post_id=last.pk, reason="un nom véritable")
    assert leading_to(alma, boris) is None
    assert written_together({alma.pk, boris.pk}) == frozenset()
    assert not has_companion(alma)
