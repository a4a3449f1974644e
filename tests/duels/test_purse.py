"""Purses: what they hold, who sees it, what staff give and take, and that it always adds up."""

import csv
from codecs import BOM_UTF8

import pytest
from django.contrib.auth.models import Permission
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from duels import clock
from duels.actions.purse import RULES, Holder, Move, Short, grant, hold_accounts, record
from duels.errors import Invalid, NotAllowed
from duels.models import Account, Currency, Transfer
from duels.queries.purse import PAGE, page_of_lines
from tests.factories import DuellistFactory, StaffFactory, UserFactory

from .purses import assert_balanced, give, holds
from .readers import as_user, english

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.fixture
def alma():
    return DuellistFactory(name="Alma")


def page(duellist, more=""):
    return f"/duellistes/{duellist.pk}/bourse/{more}"


def test_a_purse_is_for_its_owner_and_for_staff(alma):
    give(alma, 7)
    assert as_user().get(page(alma)).status_code == 302
    assert as_user(UserFactory()).get(page(alma)).status_code == 403
    for reader in (alma.user, StaffFactory()):
        answer = english(as_user(reader)).get(page(alma))
        assert "+7 Liards" in answer.text
        assert "no-store" in answer["Cache-Control"]


def test_an_empty_purse_says_what_fills_it(alma):
    assert "Challenge somebody" in english(as_user(alma.user)).get(page(alma)).text


def test_entries_are_paged_the_newest_first(alma):
    for number in range(1, PAGE + 3):
        give(alma, number)
    client = as_user(alma.user)
    first = client.get(page(alma)).context["page"]
    assert [line.amount for line in first.lines] == list(range(PAGE + 2, 2, -1))
    last = client.get(page(alma), {"avant": first.after}).context["page"]
    assert ([line.amount for line in last.lines], last.after) == ([2, 1], None)


@pytest.mark.parametrize("said", ["x", "²", "9" * 40, "-1"])
def test_a_page_that_is_none_is_not_found(alma, said):
    assert as_user(alma.user).get(page(alma), {"avant": said}).status_code == 404


def test_a_page_of_a_purse_takes_few_queries(alma, django_assert_max_num_queries):
    for number in range(1, 12):
        give(alma, number)
    client = as_user(alma.user)
    with django_assert_max_num_queries(9):
        client.get(page(alma))


def test_staff_give_after_a_recap_with_a_reason(alma):
    client = english(as_user(StaffFactory()))
    filled = {"currency": "runes", "amount": "12", "reason": "Concours de Noël"}
    recap = client.post(page(alma, "don/"), filled)
    assert "give 12 Runes?" in recap.text
    assert holds(alma, "runes") == 0
    assert client.post(page(alma, "don/"), {**filled, "do": "change"}).context["form"]["amount"].value() == "12"
    assert client.post(page(alma, "don/"), {**filled, "do": "confirm"}).url == page(alma)
    assert holds(alma, "runes") == 12
    assert "Concours de Noël" in as_user(alma.user).get(page(alma)).text


@pytest.mark.parametrize("step", ["", "confirm"])
@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"reason": " "}, "reason"),
        ({"amount": "0"}, "amount"),
        ({"amount": "-1"}, "amount"),
        ({"amount": "beaucoup"}, "amount"),
        ({"currency": "or"}, "currency"),
    ],
)
def test_what_cannot_be_given_or_taken_is_said_beside_its_field_at_the_first_step(alma, wrong, field, step):
    filled = {"currency": "liards", "amount": "3", "reason": "Noël", "do": step, **wrong}
    answer = as_user(StaffFactory()).post(page(alma, "don/"), filled)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert not Transfer.objects.exists()


@pytest.mark.parametrize(
    ("currency", "amount", "status"), [("liards", -5, 200), ("liards", -6, 422), ("dust", -6, 200)]
)
def test_a_recap_is_shown_of_no_more_than_the_purse_holds_but_for_dust(alma, currency, amount, status):
    give(alma, 5)
    filled = {"currency": currency, "amount": str(amount), "reason": "Noël"}
    answer = as_user(StaffFactory()).post(page(alma, "don/"), filled)
    assert answer.status_code == status
    assert ('value="confirm"' in answer.text) is (status == 200)
    assert answer.context["form"]["amount"].value() == str(amount)


def test_only_staff_give(alma):
    for address in (page(alma, "don/"), page(alma, "export.csv"), "/bourses/export.csv"):
        assert as_user(alma.user).get(address).status_code == 403
    with pytest.raises(NotAllowed):
        grant(user=alma.user, duellist=alma, currency="liards", amount=1, reason="moi")


def staff_with(*permissions):
    """Return staff who may do just that."""
    user = UserFactory(is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    return user


PAGES = ("", "don/", "export.csv")


@pytest.mark.parametrize(
    ("permissions", "opened"),
    [
        ((), ()),
        (("view_account",), ()),
        (("view_transfer",), ("", "export.csv")),
        (("add_transfer",), ("don/",)),
        (("view_transfer", "add_transfer"), PAGES),
    ],
)
def test_staff_look_into_purses_and_give_only_with_the_permission_for_each(alma, permissions, opened):
    client = as_user(staff_with(*permissions))
    assert [more for more in PAGES if client.get(page(alma, more)).status_code == 200] == list(opened)
    assert (client.get("/bourses/export.csv").status_code == 200) is ("view_transfer" in permissions)
    offered = f'href="{page(alma)}"' in client.get(alma.get_absolute_url()).text
    assert offered is ("view_transfer" in permissions)
    if "" in opened:
        assert ("don/" in client.get(page(alma)).text) is ("add_transfer" in permissions)


def test_a_permission_without_being_staff_opens_nothing(alma):
    reader = staff_with("view_transfer", "add_transfer")
    reader.is_staff = False
    reader.save()
    assert [as_user(reader).get(page(alma, more)).status_code for more in PAGES] == [403, 403, 403]


def test_a_purse_holds_more_than_a_short_number_can(alma):
    Account.objects.create(duellist=alma, currency="liards", balance=2**31 - 1)
    give(alma, 1_000_000)
    assert holds(alma) == 2**31 - 1 + 1_000_000


@pytest.mark.parametrize("currency", [one for one in Currency if one != Currency.DUST])
def test_nothing_but_dust_falls_below_0_champions_points_neither(alma, currency):
    give(alma, 1, currency)
    with pytest.raises(Invalid, match="not that much"):
        give(alma, -2, currency)
    assert holds(alma, currency) == 1


def test_dust_may_fall_below_0_and_is_written_with_a_minus_sign(alma):
    give(alma, -5, "dust")
    assert holds(alma, "dust") == -5
    assert "−5" in as_user(alma.user).get(page(alma)).text


def table(answer):
    marked = b"".join(answer.streaming_content)
    assert marked.startswith(BOM_UTF8)
    return list(csv.reader(marked.decode("utf-8-sig").splitlines()))


def test_the_ledger_is_a_table_whose_cells_are_no_formulas(alma):
    eve = DuellistFactory(name="=HYPERLINK(1)")
    give(alma, 3, reason="@cmd")
    give(eve, 4, reason="+1")
    rows = table(as_user(StaffFactory()).get("/bourses/export.csv"))
    assert [row[3:6] for row in rows[1:]] == [["Alma", "Liards", "3"], ["'=HYPERLINK(1)", "Liards", "4"]]
    assert [row[-1] for row in rows[1:]] == ["'@cmd", "'+1"]
    assert [row[3] for row in table(as_user(StaffFactory()).get(page(alma, "export.csv")))[1:]] == ["Alma"]


def test_the_headings_of_the_ledger_are_in_the_language_of_who_reads_it(alma):
    give(alma, 3)
    french = as_user(StaffFactory())
    french.cookies["django_language"] = "fr"
    headings, row = table(french.get(page(alma, "export.csv")))
    assert ", ".join(headings) == (
        "numéro, date, de, à, monnaie, montant, opération, règle, duel, valeur en Liards, par, raison"
    )
    assert dict(zip(headings, row, strict=True))["opération"] == "donné par l’équipe"
    english_headings = table(english(as_user(StaffFactory())).get("/bourses/export.csv"))[0]
    assert english_headings[2:6] == ["from", "to", "currency", "amount"]


MOVES = st.lists(
    st.tuples(
        st.integers(0, 3), st.integers(0, 3), st.sampled_from(list(Currency)), st.integers(1, 20), st.booleans()
    ).filter(lambda move: move[0] != move[1]),
    max_size=12,
)


@given(MOVES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_moves_it_always_adds_up(sequence):
    """Holders 1 to 3 are duellists, 0 is a source; what a purse cannot pay is refused, and nothing of it moves."""
    holders = [RULES, *(Holder(DuellistFactory().pk) for _ in range(3))]
    for payer, payee, currency, amount, back in sequence:
        move = Move(holders[payer], holders[payee], currency, amount, Transfer.What.REWARD)
        moves = [move, move._replace(payer=move.payee, payee=move.payer)] if back else [move]
        accounts = hold_accounts(moves)
        before = sum(Account.objects.filter(source="").values_list("balance", flat=True))
        try:
            record(moves, accounts, at=clock.now())
        except Short:
            assert payer != 0
            assert currency != Currency.DUST
        after = sum(Account.objects.filter(source="").values_list("balance", flat=True))
        assert after == before or 0 in (payer, payee)
    assert_balanced(made_up=True)


def test_the_amount_of_a_purse_is_what_its_lines_add_up_to(alma):
    for amount in (5, -2, 9):
        give(alma, amount)
    assert sum(line.amount for line in page_of_lines(alma).lines) == holds(alma) == 12


def test_refused_nothing_moves(alma):
    give(alma, 5)
    with pytest.raises(Invalid, match="not that much"):
        give(alma, -6)
    assert holds(alma) == 5
    assert_balanced()
