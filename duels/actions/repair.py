"""Comparing what was copied or added up for lists and pages with what it comes from, and repairing it.

Each function looks at one row while it is held, so that what changes meanwhile is not taken for wrong, and says what is
wrong in a few words; with `repair` it is put right.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction
from django.db.models import F, Q, Sum

from duels import clock, markup
from duels.models import Account, Currency, Duel, Phase, PostBody, Scene, Transfer
from duels.wakes import next_wake

from .duellists import recast_duel
from .filing import may_choose, state_now
from .ledger import held

LACKING = "its log lacks entries that it had, so nothing is repaired"


class _OnlyLooked(Exception):  # noqa: N818 - rolls back what was put right to see whether it differs
    pass


def audit_duel(duel_id: int, *, repair: bool) -> list[str]:
    """Compare the caches of one duel with its log; return the names of those that are wrong.

    A log that lacks entries is told, and nothing is put right by it: what is stored is the last trace of them here.
    """
    wrong: list[str] = []
    try:
        with held(duel_id) as duel:
            if _lacks_entries(duel):
                return [LACKING]
            before = _caches(duel)
            _bring_up_to_date(duel)
            after = _caches(duel)
            wrong = [name for name in after if before[name] != after[name]]
            if not repair:
                raise _OnlyLooked
    except _OnlyLooked:
        pass
    return wrong


def _lacks_entries(duel: Duel) -> bool:
    """Whether the log is shorter than was counted, or without the entry that was its last."""
    log = set(duel.entries.values_list("hash", flat=True))
    return duel.entry_count > len(log) or (duel.entry_count > 0 and duel.chain_head not in log)


def _bring_up_to_date(duel: Duel) -> None:
    last = duel.entries.order_by("index").last()
    if last is not None:
        duel.entry_count, duel.chain_head = duel.entries.count(), last.hash
    if not duel.is_over:
        recast_duel(duel)
    if duel.is_running and duel.phase is not None:
        _look_again(duel, duel.phase)
    duel.wake_at = next_wake(duel)


@transaction.atomic
def audit_account(pk: int, *, repair: bool) -> str:
    """Compare what an account holds with its entries; return what is wrong, empty if nothing is."""
    account = Account.objects.held().select_related("duellist", "duel").get(pk=pk)
    entered = _added_up(account)
    said = f"{account} holds {account.balance}, its entries add up to {entered}"
    if account.balance == entered:
        is_left = entered and _should_be_empty(account)
        return f"{account} holds {entered}, and its duel is over" if is_left else ""
    if entered < 0 and account.currency != Currency.DUST:
        return f"{said}: no purse holds that, so it stays"
    if repair:
        Account.objects.filter(pk=pk).update(balance=entered)
    return said


def _added_up(account: Account) -> int:
    if account.source:
        return 0  # nobody keeps a source's
    received = Transfer.objects.filter(payee=account).aggregate(all=Sum("amount"))["all"] or 0
    paid = Transfer.objects.filter(payer=account).aggregate(all=Sum("amount"))["all"] or 0
    return int(received - paid)


def _should_be_empty(account: Account) -> bool:
    return account.duel is not None and not account.duel.is_running


def unbalanced_transfers() -> Iterator[str]:
    """Yield the transfers that no account can make good: between two currencies. They are never changed."""
    for transfer in Transfer.objects.filter(~Q(payer__currency=F("payee__currency"))).order_by("pk"):
        yield f"transfer {transfer.pk} leads from one currency to another"


@transaction.atomic
def audit_scene(pk: int, *, repair: bool) -> list[str]:
    """Compare the copy that a scene's list goes by with the last post; return its name if it is wrong."""
    Scene.objects.hold(pk)
    scene = Scene.objects.get(pk=pk)
    last = scene.thread.posts.order_by("-position").values_list("posted_at", flat=True).first()
    if last is None or scene.last_post_at == last:
        return []
    if repair:
        Scene.objects.filter(pk=pk).update(last_post_at=last)
    return ["last_post_at"]


def _caches(duel: Duel) -> dict[str, object]:
    return {
        "entry_count": duel.entry_count,
        "chain_head": duel.chain_head,
        "cast": duel.cast,
        "public_view": duel.public_view,
        "awaited": duel.awaited,
        "owing": duel.owing,
        "wake_at": duel.wake_at,
    }


def _look_again(duel: Duel, phase: Phase) -> None:
    state = state_now(duel, phase)  # the zones named stay named when the phase locks
    duel.public_view = duel.rules.view(state, "public")
    awaited = duel.rules.status(state).awaited if phase.is_open else ()
    duel.awaited = "".join(letter for letter in awaited if letter not in {*phase.filed, *phase.left})
    if not phase.is_open:
        duel.owing = ""
    elif may_choose(phase, clock.now()):  # afterwards only `owing` itself knows whether the forfeit was noted (A10.2)
        duel.owing = "".join(duel.rules.status(state).owing)


def audit_texts(*, repair: bool) -> Iterator[str]:
    """Compare the HTML of every post with its text, and the text with the hash of its post; yield what is wrong.

    The database lets the HTML be written, for this alone. A text that is not the one posted stays, as evidence.
    """
    for body in PostBody.objects.select_related("post").order_by("pk").iterator(chunk_size=500):
        html = markup.render(body.text)
        if markup.digest(body.text) != body.post.text_sha256:
            yield f"post {body.post}: its text is not the one that was posted"
        elif html != body.html:
            if repair:
                PostBody.objects.filter(pk=body.pk).update(html=html)
            yield f"post {body.post}: html"
