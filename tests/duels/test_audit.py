"""What is copied or added up is compared with what it comes from, and repaired when that is asked for."""

import datetime as dt

import pytest
from django.core.management import CommandError, call_command

from duels.actions.scenes import open_scene, write_in_scene
from duels.models import Account, Duel, Scene, Transfer
from tests import play
from tests.factories import DuellistFactory

from .purses import assert_balanced, give, holds

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("in_english")]
SOUND = "0 wrong, 0 repaired\n"


def audit(capsys, **options):
    """Return what the audit says, its complaint at the end included."""
    try:
        call_command("audit", **options)
    except CommandError as error:
        return f"{capsys.readouterr().out}{error}"
    return capsys.readouterr().out


@pytest.fixture
def alma():
    alma = DuellistFactory(name="Alma")
    give(alma, 7)
    return alma


def test_a_sound_site_has_nothing_wrong(capsys, alma):
    other = DuellistFactory()
    give(other, 7)
    play.over(a=alma, b=other, stake=3, stake_currency="liards")
    play.running()
    open_scene(user=alma.user, duellist=alma, title="La serre", text="Elle attend.")
    assert audit(capsys) == SOUND


def test_a_balance_that_is_not_what_its_entries_add_up_to_is_told_and_repaired(capsys, alma):
    Account.objects.filter(duellist=alma).update(balance=100)
    assert audit(capsys) == ("Alma: Liards holds 100, its entries add up to 7\n1 wrong, 0 repaired\n1 left")
    assert holds(alma) == 100
    assert "1 wrong, 1 repaired" in audit(capsys, repair=True)
    assert holds(alma) == 7
    assert audit(capsys) == SOUND
    assert_balanced()


def test_dust_is_repaired_below_0_and_nothing_else_can_be(capsys, alma):
    give(alma, -4, "dust")
    Account.objects.filter(duellist=alma, currency="dust").update(balance=0)
    audit(capsys, repair=True)
    assert holds(alma, "dust") == -4
    purse = Account.objects.get(duellist=alma, currency="liards")
    staff = Account.objects.get(source="staff", currency="liards")
    Transfer.objects.create(payer=purse, payee=staff, amount=9, what="withdrawal", at=play.clock.now())
    assert "add up to -2: no purse holds that, so it stays" in audit(capsys, repair=True)
    assert holds(alma) == 7


def test_a_stake_that_a_duel_kept_when_it_was_over_is_told(capsys, alma):
    other = DuellistFactory()
    give(other, 7)
    duel = play.running(a=alma, b=other, stake=3, stake_currency="liards")
    assert audit(capsys) == SOUND
    type(duel).objects.filter(pk=duel.pk).update(status="over")
    assert f"stakes of duel {duel.pk}: Liards holds 6, and its duel is over" in audit(capsys, repair=True)


def test_a_transfer_between_two_currencies_is_told(capsys, alma):
    purse = Account.objects.get(duellist=alma)
    runes = Account.objects.create(source="staff", currency="runes")
    Transfer.objects.create(payer=runes, payee=purse, amount=1, what="grant", at=play.clock.now())
    assert "leads from one currency to another" in audit(capsys)


def test_what_lists_show_of_duels_and_scenes_is_told_and_repaired(capsys, alma):
    duel = play.running()
    play.file(duel, "a")
    right = play.fresh(duel)
    scene = open_scene(user=alma.user, duellist=alma, title="La serre", text="Elle attend.")
    last = write_in_scene(user=alma.user, scene_id=scene.pk, duellist=alma, text="Encore.")
    duel = play.fresh(duel)
    duel.cast["a"]["name"], duel.awaited, duel.public_view, duel.entry_count = "Faux", "ab", {}, 1
    duel.save()
    Scene.objects.update(last_post_at=last.posted_at - dt.timedelta(days=9))
    said = audit(capsys)
    assert f"duel {duel.pk}: entry_count, cast, public_view, awaited" in said
    assert f"scene {scene.pk}: last_post_at" in said
    assert play.fresh(duel).awaited == "ab"  # nothing was touched
    audit(capsys, repair=True)
    repaired = play.fresh(duel)
    assert (repaired.cast, repaired.awaited, repaired.public_view, repaired.entry_count) == (
        right.cast, "b", right.public_view, right.entry_count,
    )  # fmt: skip
    assert Scene.objects.get().last_post_at == last.posted_at
    assert audit(capsys) == SOUND


@pytest.mark.parametrize("stored", [{"chain_head": "f" * 64}, {"entry_count": 99}])
def test_a_log_that_lacks_entries_is_told_and_what_is_known_of_them_stays(capsys, stored):
    duel = play.running()
    Duel.objects.filter(pk=duel.pk).update(**stored, awaited="")
    for repair in (False, True):
        said = audit(capsys, repair=repair)
        assert f"duel {duel.pk}: its log lacks entries that it had, so nothing is repaired" in said
        assert "1 left" in said
    assert Duel.objects.filter(pk=duel.pk, **stored, awaited="").exists()


def test_a_duel_without_any_of_its_entries_is_told(capsys):
    duel = play.challenged()
    assert audit(capsys) == SOUND
    Duel.objects.filter(pk=duel.pk).update(entry_count=3, chain_head="f" * 64)
    assert "its log lacks entries" in audit(capsys, repair=True)
