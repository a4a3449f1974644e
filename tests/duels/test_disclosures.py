"""Who was shown what somebody had filed: written down before it is opened, told to its author once the duel is over."""

import re
from pathlib import Path

import pytest
from django.urls import reverse

from duels import clock, secrets
from duels.actions.ending import surrender
from duels.models import Disclosure
from tests import play, spells_play
from tests.duels.readers import as_player, as_user, strangers
from tests.factories import StaffFactory

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[2]
OPENS = re.compile(r"secrets\.(opened|open_resolution|open_draft|state)\b|\bunseal\(|import .*\bopened\b")
MAY_OPEN = {
    "duels/secrets.py": "where it is opened",
    "duels/vault.py": "where it is opened",
    "duels/export.py": "of a duel that is over",
    "duels/queries/appeals.py": "appeals, which are no filings",
    "duels/queries/preparing.py": "one's own receptacle",
    "duels/queries/reading.py": "of a duel that is over",
    "duels/queries/turn.py": "one's own declaration, draft, and view of the game",
    "duels/queries/legilimens.py": "noted",
    "referee/review.py": "noted",
    "tournaments/lots.py": "lots, which are no filings",
}


def page(duel):
    return reverse("duels:disclosures", args=[duel.pk])


def review(duel, name="review", turn=1):
    return reverse(f"referee:{name}", args=[duel.pk, turn])


def ended(duel):
    surrender(user=play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    return play.fresh(duel)


def noted(duel):
    rows = Disclosure.objects.filter(phase__duel=duel).order_by("pk")
    return [(row.phase.number, row.seats, row.by) for row in rows]


def test_each_time_a_referee_opens_a_locked_turn_it_is_written_down():
    duel = play.locked()
    client = as_user(duel.referee)
    for name in ("review", "publish", "review"):
        assert client.get(review(duel, name)).status_code == 200
    assert noted(duel) == [(1, "ab", duel.referee)] * 3


def test_a_published_turn_is_still_somebodys_secret_while_the_duel_runs():
    duel = play.publish(play.locked())
    assert as_user(duel.referee).get(review(duel)).status_code == 200
    assert noted(duel) == [(1, "ab", duel.referee)]


def test_an_amendment_that_is_refused_shows_the_turn_again_and_is_written_down_too():
    duel = play.locked()
    assert as_user(duel.referee).post(review(duel, "amend"), {}).status_code in (409, 422)
    assert set(noted(duel)) == {(1, "ab", duel.referee)}


def test_nothing_is_opened_of_an_open_turn_nor_for_those_who_are_refused():
    duel = play.running()
    play.file(duel, "a")
    assert as_user(duel.referee).get(review(duel)).status_code == 200
    play.file(duel, "b", thrust="torso", parry="right_arm")
    for kind, client in strangers(duel).items():
        if kind != "its referee":
            assert client.get(review(duel)).status_code == 403
    as_user(duel.referee).get(reverse("referee:queue"))
    as_player(duel, "a").get(reverse("duels:turn", args=[duel.pk]))
    assert noted(duel) == []


def test_what_cannot_be_written_down_is_not_opened(monkeypatch):
    duel = play.locked()
    client = as_user(duel.referee)

    def refuse(**_row):
        raise OSError("no room")

    monkeypatch.setattr(Disclosure.objects, "create", refuse)
    opened = []
    monkeypatch.setattr(secrets, "open_resolution", lambda *parts: opened.append(parts))
    with pytest.raises(OSError, match="no room"):
        client.get(review(duel))
    assert opened == []


def test_once_the_duel_is_over_everybody_reads_everything_and_nothing_is_written_down():
    duel = ended(play.publish(play.locked()))
    assert as_user(duel.referee).get(review(duel)).status_code == 200
    assert noted(duel) == []


def test_its_author_reads_who_opened_it_and_every_hour_once_the_duel_is_over():
    duel = play.locked()
    client = as_user(duel.referee)
    client.get(review(duel))
    client.get(review(duel, "publish"))
    player = as_player(duel, "a")
    assert duel.referee.username not in player.get(page(duel)).text
    play.publish(duel)
    duel = ended(duel)
    (readings,) = player.get(page(duel)).context["disclosures"]
    assert (readings.phase.number, readings.name, readings.plays) == (1, duel.referee.username, False)
    hours = [row.at for row in Disclosure.objects.order_by("pk")]
    assert readings.times == hours
    (receptacle,) = player.get(page(duel)).context["receptacle"]
    assert (receptacle.phase.number, receptacle.name, receptacle.times) == (1, duel.referee.username, hours)
    assert player.get(page(duel)).text.count("<time datetime") == 2 * len(hours) == 4
    assert page(duel) in player.get(duel.get_absolute_url()).text


def test_who_read_where_the_receptacle_is_stands_once_with_every_hour_of_every_turn():
    duel = play.locked()
    as_user(duel.referee).get(review(duel))
    duel = play.publish(duel)
    play.file(duel, "a")
    play.file(duel, "b", thrust="torso", parry="right_arm")
    as_user(duel.referee).get(review(duel, turn=2))
    player = as_player(duel, "b")
    assert player.get(page(duel)).context["receptacle"] == []
    (receptacle,) = player.get(page(ended(duel))).context["receptacle"]
    assert (receptacle.phase.number, len(receptacle.times)) == (1, 2)


def test_no_receptacle_is_told_of_where_none_is_hidden():
    duel = spells_play.all_file(spells_play.running())
    Disclosure.objects.create(phase=duel.phases.first(), seats="ab", by=duel.referee, at=clock.now())
    surrender(user=play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    shown = as_player(duel, "a").get(page(duel)).context
    assert len(shown["disclosures"]) == 1
    assert shown["receptacle"] == []


def test_turn_by_turn_and_opened_by_nobody(django_assert_max_num_queries):
    duel = play.publish(play.locked())
    client = as_player(duel, "b")
    duel = ended(duel)
    assert client.get(page(duel)).context["disclosures"] == []
    for who in (duel.referee, StaffFactory()):
        Disclosure.objects.create(phase=duel.phases.first(), seats="b", by=who, at=clock.now())
        Disclosure.objects.create(phase=duel.phases.last(), seats="b", by=who, at=clock.now())
    Disclosure.objects.create(phase=duel.phases.last(), seats="a", by=duel.referee, at=clock.now())
    with django_assert_max_num_queries(6):
        shown = client.get(page(duel)).context["disclosures"]
    assert [readings.phase.number for readings in shown] == [1, 1, 2, 2]
    assert all(len(readings.times) == 1 for readings in shown)


def test_it_is_for_the_players_and_each_reads_their_own():
    duel = ended(play.publish(play.locked()))
    Disclosure.objects.create(phase=duel.phases.first(), seats="a", by=duel.referee, at=clock.now())
    assert as_user().get(page(duel)).url.startswith("/compte/login/")
    for kind, client in strangers(duel).items():
        assert client.get(page(duel)).status_code == 403, kind
    assert as_player(duel, "a").get(page(duel)).context["disclosures"]
    answer = as_player(duel, "b").get(page(duel))
    assert answer.context["disclosures"] == []
    assert "no-store" in answer["Cache-Control"]
    assert as_player(duel, "a").get(reverse("duels:disclosures", args=[999_999])).status_code == 404


def test_no_other_code_opens_what_is_sealed():
    """Actions open it to play, and show nobody. Whoever opens it in another place asks whose eyes it is for, notes it
    if they are not its author's, and says so here."""
    apps = ("config", "duels", "notices", "referee", "tournaments")
    paths = [path.relative_to(ROOT) for app in apps for path in (ROOT / app).rglob("*.py")]
    code = {path.as_posix(): (ROOT / path).read_text() for path in paths if not {"actions", "demo"} & {*path.parts}}
    opening = {name for name, text in code.items() if OPENS.search(text)}
    assert "referee/review.py" in opening
    assert opening - set(MAY_OPEN) == set()
    assert all("note_disclosure(" in code[name] for name, why in MAY_OPEN.items() if why == "noted")
