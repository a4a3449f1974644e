"""The pages of tournaments: who may read, who may do what, and what they say."""

import datetime as dt
import io
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from icalendar import Calendar
from PIL import Image

from duels import clock
from rules.dice import SealedDice
from rules.seal import commitment
from tests.duels.readers import as_user, english
from tests.factories import DuellistFactory, RefereeFactory, StaffFactory, UserFactory
from tests.spells_play import fighter
from tournaments import formats
from tournaments.actions.announcing import cancel_tournament
from tournaments.actions.leaving import disqualify
from tournaments.models import Entrant, Reign, Tournament
from tournaments.queries import showing

from . import play

pytestmark = pytest.mark.django_db(transaction=True)


def organiser():
    """One of the staff who may announce tournaments, and nothing else."""
    user = UserFactory(is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=("add_tournament", "change_tournament")))
    return user


def html(client, address, status=200):
    response = client.get(address)
    assert response.status_code == status
    return response.content.decode()


def html_of_post(client, address, said, status):
    response = client.post(address, said)
    assert response.status_code == status
    return response.content.decode()


@pytest.mark.parametrize("address", ["/tournois/", "/champions/"])
def test_empty_pages_say_what_to_do_next(client, address):
    assert "<a href=" in html(client, address).split("<main")[1].split("</main")[0]


@pytest.mark.parametrize("kind", sorted(formats.FORMATS))
def test_anyone_reads_a_tournament_at_every_stage(client, kind):
    tournament = play.announced(5, kind=kind, third_place=True)
    stages = [html(client, tournament.get_absolute_url())]
    play.sweep_at(tournament.starts_at)
    tournament = play.play_round(play.fresh(tournament))
    stages.append(html(client, tournament.get_absolute_url()))
    tournament = play.played(tournament)
    stages.append(html(client, tournament.get_absolute_url()))
    assert "S’inscrire" in stages[0]
    assert "Ronde 2" in stages[1]
    assert str(tournament.reign.duellist) in stages[2]
    assert tournament.seed in stages[2]
    assert all(tournament.commitment in stage for stage in stages)
    assert ("<svg" in stages[1]) is (kind in ("single", "double"))
    assert str(tournament.reign.duellist) in html(client, "/champions/")
    assert tournament.name in html(client, "/tournois/")


def test_a_large_tournament_takes_no_more_queries_than_a_small_one(client, django_assert_max_num_queries):
    small, large = play.running(4), play.running(16)
    with django_assert_max_num_queries(12) as first:
        html(client, small.get_absolute_url())
    with django_assert_max_num_queries(len(first.captured_queries)):
        html(client, large.get_absolute_url())


def test_the_calendar_names_the_start_and_every_wall(client):
    tournament = play.announced(4, capacity=4)
    response = client.get(f"{tournament.get_absolute_url()}calendrier.ics")
    assert response["Content-Type"].startswith("text/calendar")
    events = Calendar.from_ical(response.content).walk("VEVENT")
    starts = [event.decoded("dtstart") for event in events]
    walls = [tournament.starts_at + dt.timedelta(days=14 * number) for number in (0, 1, 2)]
    assert starts == [wall.replace(microsecond=0) for wall in walls]


def events_of(client, tournament):
    """What a reader's calendar is told, by identifier."""
    read = client.get(f"{tournament.get_absolute_url()}calendrier.ics").content
    return {
        str(event["uid"]).rpartition(str(tournament.uid))[2]: event for event in Calendar.from_ical(read).walk("VEVENT")
    }


def told(events):
    return {key: (str(event["status"]), event.decoded("dtstart")) for key, event in events.items()}


def test_an_event_that_moves_comes_again_under_its_identifier_with_a_higher_sequence(client):
    tournament = play.running(4, capacity=4)
    before = events_of(client, tournament)
    play.beat_until(tournament.starts_at + dt.timedelta(days=5))
    play.sweep_after_silence(tournament.starts_at + dt.timedelta(days=7))
    after = events_of(client, tournament)
    assert before.keys() == after.keys() == {"-start", "-round-1", "-round-2"}
    moved = {key for key in before if before[key].decoded("dtstart") != after[key].decoded("dtstart")}
    assert moved == {"-round-1", "-round-2"}
    assert after["-round-1"].decoded("dtstart") - before["-round-1"].decoded("dtstart") == dt.timedelta(days=2)
    assert all(after[key]["sequence"] > before[key]["sequence"] for key in moved)
    assert all(after[key].decoded("last-modified") > before[key].decoded("last-modified") for key in moved)


def test_a_tournament_called_off_promises_no_end_of_a_round_and_lists_no_next_duels(client):
    tournament = play.running(4)
    runs, _waits = tournament.matches.order_by("pk")
    play.start_duel(runs)
    promise = "Still undecided on"
    assert promise in english(client).get(runs.duel.get_absolute_url()).text
    page = client.get(tournament.get_absolute_url()).text
    assert "Next duels" in page
    assert "until" in page.split('id="rounds"')[1]
    cancel_tournament(user=StaffFactory(), tournament_id=tournament.pk, reason="grippe")
    read = client.get(runs.duel.get_absolute_url()).text
    assert tournament.name in read
    assert promise not in read
    page = client.get(tournament.get_absolute_url()).text
    assert "Next duels" not in page
    wall = timezone.localtime(tournament.wall).strftime("%Y-%m-%dT")
    assert wall not in page.split('id="rounds"')[1].split("</summary>")[0]


def test_rounds_that_will_not_be_are_called_off(client):
    tournament = play.announced(3, capacity=16)
    before = events_of(client, tournament)
    assert {status for status, _at in told(before).values()} == {"CONFIRMED"}
    play.sweep_at(tournament.starts_at)
    after = events_of(client, tournament)
    off = {key for key, (status, _at) in told(after).items() if status == "CANCELLED"}
    assert (len(before), off) == (5, {"-round-3", "-round-4"})
    assert after["-round-4"]["sequence"] > before["-round-4"]["sequence"]


def test_a_round_decided_early_ends_when_it_was_and_what_does_not_come_is_called_off(client):
    tournament = play.play_round(play.running(4, capacity=4))
    decided = max(match.decided_at for match in tournament.matches.filter(round=1))
    cancel_tournament(user=StaffFactory(), tournament_id=tournament.pk, reason="Une grippe.")
    events = told(events_of(client, tournament))
    assert events["-start"][0] == "CONFIRMED"
    assert events["-round-1"] == ("CONFIRMED", decided.replace(microsecond=0))
    assert events["-round-2"][0] == "CANCELLED"


def test_a_tournament_called_off_before_it_starts_takes_its_start_along(client):
    tournament = play.announced(2)
    cancel_tournament(user=StaffFactory(), tournament_id=tournament.pk, reason="Une grippe.")
    assert {status for status, _at in told(events_of(client, tournament)).values()} == {"CANCELLED"}


def test_a_member_registers_and_withdraws_once_it_is_said_what_that_means(client):
    tournament = play.announced()
    duellist = DuellistFactory()
    client.force_login(duellist.user)
    address = tournament.get_absolute_url()
    assert "vous engagez" in html(client, f"{address}inscription/")
    assert client.post(f"{address}inscription/", {"duellist": duellist.pk}).url == address
    assert "participe" in html(client, address)
    again = html(client, f"{address}inscription/")
    assert "participe" in again
    assert f'href="{address}retrait/"' in again
    assert 'name="duellist"' not in again
    assert "rend sa place" in html(client, f"{address}retrait/")
    assert Entrant.objects.get().status == "registered"
    assert client.post(f"{address}retrait/").url == address
    assert Entrant.objects.get().status == "withdrawn"
    assert client.post(f"{address}retrait/").status_code == 409


@pytest.mark.parametrize("entrants", [1, 3])
def test_who_was_sent_off_is_told_why_and_not_asked_to_register(client, entrants):
    tournament = play.announced(entrants)
    gone = tournament.entrants.first()
    disqualify(user=StaffFactory(), tournament_id=tournament.pk, entrant_id=gone.pk, reason="Tricherie aux dés.")
    address = tournament.get_absolute_url()
    entry = f"{address}inscription/"
    assert f'href="{entry}"' in html(client, address)
    client.force_login(gone.duellist.user)
    page = html(client, address)
    assert f'href="{entry}"' not in page
    assert "disqualification (Tricherie aux dés.)" in page.partition('class="actions"')[2].partition("</div>")[0]
    assert 'name="duellist"' not in html(client, entry)
    refused = html_of_post(client, entry, {"duellist": gone.duellist.pk}, 409)
    assert "disqualification (Tricherie aux dés.)" in refused


def test_once_the_second_round_has_begun_nobody_is_asked_to_register(client):
    tournament = play.play_round(play.running(4))
    client.force_login(DuellistFactory().user)
    address = tournament.get_absolute_url()
    assert "inscription/" not in html(client, address).partition("<main")[2]
    assert 'name="duellist"' not in html(client, f"{address}inscription/")


def test_in_the_free_mode_level_and_types_are_asked_for_and_kept_when_refused(client):
    tournament = play.announced(ruleset="spells", mode="free")
    duellist = fighter()
    client.force_login(duellist.user)
    address = f"{tournament.get_absolute_url()}inscription/"
    refused = client.post(address, {"duellist": duellist.pk, "level": 3, "types": ["fire", "air"]})
    assert refused.status_code == 422
    assert "B2.5" in refused.content.decode()
    assert refused.content.decode().count("checked") == 2
    assert client.post(address, {"duellist": duellist.pk, "level": 3, "types": ["fire"]}).status_code == 302
    assert Entrant.objects.get().terms["level"] == 3


def test_who_has_no_duellist_is_led_to_make_one(client):
    client.force_login(UserFactory())
    assert "/duellistes/nouveau/?next=" in html(client, f"{play.announced().get_absolute_url()}inscription/")


def test_signed_out_one_is_asked_to_sign_in(client):
    response = client.get(f"{play.announced().get_absolute_url()}inscription/")
    assert (response.status_code, "/compte/login/" in response.url) == (302, True)


NEW = "/tournois/nouveau/"


def announcement(**said):
    """What an organiser fills in."""
    starts_at = (clock.now() + dt.timedelta(days=3)).strftime("%Y-%m-%dT%H:%M")
    return {
        "name": "Coupe de givre", "ruleset": "arena", "kind": "single", "seeding": "draw", "capacity": 8,
        "turn_hours": 48, "round_days": 10, "starts_at": starts_at, "description": "", **said,
    }  # fmt: skip


def hidden_fields(page):
    """What a recap would send, as a browser reads it."""
    sent = {}
    for field in re.findall(r'<input type="hidden"[^>]*>', page.partition("<main")[2]):
        name, value = (re.search(rf'{key}="([^"]*)"', field) for key in ("name", "value"))
        sent.setdefault(name[1], []).append(value[1] if value else "")
    return sent


def test_a_member_may_not_announce(client):
    client.force_login(UserFactory())
    assert client.get(NEW).status_code == 403
    assert client.post(NEW, {**announcement(), "do": "announce"}).status_code == 403


def test_of_a_tournament_that_has_ended_nothing_is_left_to_withdraw_from():
    tournament = play.running(4)
    client = english(as_user(tournament.entrants.first().duellist.user))
    address = f"{tournament.get_absolute_url()}retrait/"
    assert "I withdraw" in html(client, address)
    cancel_tournament(user=StaffFactory(), tournament_id=tournament.pk, reason="grippe")
    for status, why in (("cancelled", "is called off"), ("over", "is over")):
        Tournament.objects.update(status=status)
        said = html(client, address)
        assert f"This tournament {why}: there is nothing left to withdraw from." in said
        assert "I withdraw" not in said
        assert client.post(address).status_code == 409


def test_a_permission_without_being_staff_opens_nothing():
    member = organiser()
    member.is_staff = False
    member.save()
    tournament = play.running(4)
    address = tournament.get_absolute_url()
    client = as_user(member)
    for path in (NEW, f"{address}exclusion/{tournament.entrants.first().pk}/", f"{address}annulation/"):
        assert (client.get(path).status_code, client.post(path, {"reason": "x"}).status_code) == (403, 403)
    for page, link in (("/tournois/", NEW), (address, "/annulation/")):
        assert link not in html(client, page)
        assert link in html(as_user(organiser()), page)


def test_an_organiser_announces_after_a_recap():
    client = as_user(organiser())
    referees = [RefereeFactory(username="minerve"), RefereeFactory(username="albus")]
    said = announcement(third_place="on", referees=[referee.pk for referee in referees])
    recap = client.post(NEW, said).content.decode()
    assert not Tournament.objects.exists()
    for expected in ("Coupe de givre", "élimination directe", "troisième place", "10 jours", "minerve", "albus"):
        assert expected in recap
    sent = hidden_fields(recap)
    changed = client.post(NEW, {**sent, "do": "change"}).context["form"]
    assert [changed[name].value() for name in ("name", "third_place")] == ["Coupe de givre", True]
    assert changed["referees"].value() == [str(referee.pk) for referee in referees]
    assert client.post(NEW, {**sent, "do": "announce"}).url == "/tournois/coupe-de-givre/"
    made = Tournament.objects.get()
    assert (made.round_days, made.third_place, made.referees.count()) == (10, True, 2)


SPELLS = {"ruleset": "spells", "mode": "rp"}


@pytest.mark.parametrize(
    ("said", "field", "advice"),
    [
        ({"capacity": 1}, "capacity", "2"),
        ({**SPELLS, "turn_hours": 24}, "turn_hours", "choisissez 48 heures"),
        ({**SPELLS, "mode": ""}, "mode", "Choisissez l’un des deux modes"),
        ({"mode": "free"}, "mode", "choisissez «\N{NO-BREAK SPACE}aucun\N{NO-BREAK SPACE}»"),
        *[
            ({"kind": kind, "third_place": "on"}, "third_place", "décochez")
            for kind in ("double", "round_robin", "swiss")
        ],
    ],
)
@pytest.mark.parametrize("step", ["", "announce"])
def test_what_does_not_apply_is_refused_beside_its_field_and_kept(said, field, advice, step):
    client = as_user(organiser())
    refused = client.post(NEW, {**announcement(**said), "do": step})
    assert refused.status_code == 422
    form = refused.context["form"]
    assert list(form.errors) == [field]
    assert advice in form.errors[field][0]
    assert form["name"].value() == "Coupe de givre"
    assert not Tournament.objects.exists()


def test_a_recap_refuses_a_name_that_is_taken():
    client = as_user(organiser())
    taken = play.announced()
    refused = client.post(NEW, announcement(name=taken.name))
    assert list(refused.context["form"].errors) == ["name"]


def test_an_organiser_sends_off_and_calls_off_with_a_reason():
    tournament = play.running(4)
    address = tournament.get_absolute_url()
    entrant = tournament.entrants.first()
    for path in (f"{address}exclusion/{entrant.pk}/", f"{address}annulation/"):
        assert as_user(UserFactory()).post(path, {"reason": "x"}).status_code == 403
        client = as_user(organiser())
        assert client.post(path, {"reason": ""}).status_code == 422
        assert client.post(path, {"reason": "Le tableau a brûlé."}).url == address
    entrant.refresh_from_db()
    assert entrant.status == "disqualified"
    assert "Annulé" in html(client, address)
    assert "Le tableau a brûlé." in html(client, address)
    assert client.post(f"{address}annulation/", {"reason": "encore"}).status_code == 409


def test_reading_writes_nothing(client):
    tournament = play.running(4)
    addresses = ["", "calendrier.ics"]
    with CaptureQueriesContext(connection) as asked:
        for path in addresses:
            client.get(f"{tournament.get_absolute_url()}{path}")
    assert not [query for query in asked.captured_queries if query["sql"].split()[0] in ("UPDATE", "INSERT", "DELETE")]


def test_nobody_learns_from_a_page_what_the_draw_will_be(client):
    tournament = play.announced(4)
    shown = html(client, tournament.get_absolute_url())
    assert tournament.commitment in shown
    assert bytes(tournament.sealed_seed).hex() not in shown
    assert tournament.seed == ""


def test_a_duel_says_which_tournament_it_belongs_to_and_when_its_round_ends(client):
    tournament = play.running(2)
    match = tournament.matches.get()
    page = html(client, match.duel.get_absolute_url())
    assert tournament.get_absolute_url() in page
    assert "A15.1" in page
    tournament = play.played(tournament)
    assert "A15.1" not in html(client, match.duel.get_absolute_url()).split('class="thread"')[0]


def test_a_duellist_bears_the_titles_won(client):
    reign = play.played(play.running(2)).reign
    page = html(client, reign.duellist.get_absolute_url())
    assert reign.tournament.name in page
    assert "titre en cours" in page


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_are_accessible_and_fit_a_phone(new_reader, scheme):
    tournament = play.play_round(play.running(7, kind="double"))
    swiss = play.play_round(play.running(5, kind="swiss"))
    page = new_reader(color_scheme=scheme, viewport={"width": 360, "height": 740}).new_page()
    for address in ("/tournois/", tournament.get_absolute_url(), swiss.get_absolute_url(), "/champions/"):
        page.goto(address)
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_once_the_seed_is_open_anybody_draws_the_lots_again(client):
    tournament = play.announced(5, ruleset="spells", mode="rp")
    address = f"{tournament.get_absolute_url()}tirages.json"
    assert client.get(address).status_code == 404
    play.sweep_at(tournament.starts_at)
    for number in (1, 2, 3):
        play.sweep_at(tournament.wall_of(number) + clock.GRACE)
    told = client.get(address).json()
    drawn = list(told["registered"])
    for faces in range(len(drawn), 1, -1):
        seeding = SealedDice(bytes.fromhex(told["seed"]), told["tournament"], 0, "seeding")
        other = seeding.roll(f"place:{faces}", faces) - 1
        assert told["dice"]["seeding"][f"place:{faces}"] == [faces, other + 1]
        drawn[faces - 1], drawn[other] = drawn[other], drawn[faces - 1]
    assert drawn == told["places"]
    assert set(told["dice"]["lot"]) == set(tournament.matches.values_list("key", flat=True))
    assert commitment(bytes.fromhex(told["seed"])) == told["commitment"]


def test_a_round_robin_shows_what_each_has_won_against_each(client):
    tournament = play.played(play.running(3, kind="round_robin"))
    grid = showing.shown(tournament).grid
    for number, row in enumerate(grid):
        assert row.points[number] is None
        assert sum(points or 0 for points in row.points) == 2 * len(
            [match for match in tournament.matches.all() if match.winner == row.entrant]
        )
    assert "Chacun contre chacun" in html(client, tournament.get_absolute_url())


def test_the_bracket_in_words_names_the_matches_to_come(client):
    tournament = play.running(4, third_place=True)
    names = [[str(match.first), str(match.second)] for match in tournament.matches.order_by("pk")]
    pairs = [f"{one} – {other}" for one, other in names]
    page = " ".join(html(client, tournament.get_absolute_url()).split())
    assert f"Finale · qui gagne {pairs[0]} contre qui gagne {pairs[1]}" in page
    assert f"Troisième place · qui perd {pairs[0]} contre qui perd {pairs[1]}" in page
    tournament = play.play_round(tournament)
    assert showing.shown(tournament).coming == []


@pytest.mark.parametrize("kind", ["single", "double"])
def test_every_match_that_is_drawn_is_said_in_words_too(kind):
    tournament = play.running(7, kind=kind)
    while tournament.is_running:
        seen = showing.shown(tournament)
        said = sum(match.second is not None for one in seen.rounds for match in one.matches)
        for shape in ("wide", "narrow"):
            drawn = [box for tree in seen.drawings for box in getattr(tree, shape).boxes if box.is_met]
            assert len(drawn) == said + len(seen.coming)
            assert all(line.name for box in drawn for line in box.lines)
            assert sorted(box.number for box in drawn) == list(range(1, len(drawn) + 1))
        tournament = play.play_round(tournament)


def test_an_undecided_match_says_which_it_waits_for_where_somebody_passes_without_one_too(client):
    tournament = play.running(5, third_place=True)
    boxes = [box for tree in showing.shown(tournament).drawings for box in tree.wide.boxes if box.is_met]
    said = {box.number: [line.name if not line.is_known else line.name[0] for line in box.lines] for box in boxes}
    assert said == {
        1: ["4", "5"],
        2: ["1", "qui gagne le match 1"],
        3: ["2", "3"],
        4: ["qui perd le match 2", "qui perd le match 3"],
        5: ["qui gagne le match 2", "qui gagne le match 3"],
    }
    page = " ".join(html(client, tournament.get_absolute_url()).split())
    assert "Match 5 · Finale · qui gagne le match 2 contre qui gagne " in page


@pytest.mark.browser
@pytest.mark.parametrize("kind", ["single", "double"])
def test_on_a_phone_no_text_of_a_bracket_is_cut(new_reader, kind):
    tournament = play.announced(0, kind=kind, third_place=True)
    for number in range(9):
        play.enter(tournament, DuellistFactory(name=f"Hippolyte Montgommery {number} d’Arc"))
    play.sweep_at(tournament.starts_at)
    tournament = play.play_round(play.fresh(tournament))
    page = new_reader(viewport={"width": 390, "height": 740}).new_page()
    page.goto(tournament.get_absolute_url())
    texts = page.locator(".bracket svg:visible text").evaluate_all(
        """texts => texts.map((text) => {
            const [said, box] = [text, text.parentNode.querySelector("rect")].map((one) => one.getBoundingClientRect());
            const end = box.right - (text.matches(".bracket-sign") ? 0 : 18);
            return said.left >= box.left && said.right <= end && said.right <= innerWidth;
        })"""
    )
    assert len(texts) > 20
    assert all(texts)


def test_the_hall_of_fame_has_a_second_page(client):
    winner = play.played(play.running(2)).reign
    for number in range(showing_page := 20):
        tournament = play.announced()
        Reign.objects.create(
            tournament=tournament, duellist=DuellistFactory(name=f"Zéphyr {number:02}"), ruleset="arena",
            since=winner.since, until=winner.since,
        )  # fmt: skip
    assert "Zéphyr 19" not in html(client, "/champions/").partition('id="hall"')[2].partition('id="reigns"')[0]
    second = html(client, "/champions/?palmares=2").partition('id="hall"')[2].partition('id="reigns"')[0]
    assert "Zéphyr 19" in second
    assert f'start="{showing_page + 1}"' in second


@pytest.mark.parametrize("kind", ["single", "double", "round_robin", "swiss"])
def test_the_picture_for_those_who_link_to_it_shows_how_it_stands(client, kind):
    tournament = play.running(4, kind=kind)
    address = f"{tournament.get_absolute_url()}apercu.png"
    assert f'{address}"' in html(client, tournament.get_absolute_url()).partition('property="og:image"')[2][:200]
    before = client.get(address)
    assert before["Content-Type"] == "image/png"
    assert Image.open(io.BytesIO(before.content)).size == (1200, 630)
    play.play_round(tournament)
    cache.clear()
    assert client.get(address).content != before.content
