"""Every page that can be asked of the site, by the name of its address, with what a duel puts into it.

`tests/duels/test_pairs.py` reads them all; an address of the site that is listed nowhere here fails it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.contrib import admin
from django.urls import URLResolver, get_resolver

from duels.models import Appeal, Duel, Post
from tournaments.models import Match


class Page(NamedTuple):
    """One thing to ask: its address, with the places of `places`; sent an empty form, if so."""

    address: str
    is_sent: bool = False

    def __str__(self) -> str:
        return f"{'POST ' if self.is_sent else ''}{self.address}"


# What shows a duel, or might. Where there is a form, it is sent empty too: a refusal may not tell anything either.
SHOWN: dict[str, tuple[str, ...]] = {
    "duels:home": ("/",),
    "duels:duels": ("/duels/", "/duels/?etat=announced", "/duels/?etat=over"),
    "duels:duel": ("/duels/{duel}/", "/duels/{duel}/?page=2"),
    "duels:post": ("/duels/{duel}/message/{last}/", "/duels/{duel}/message/{after_last}/"),
    "duels:copy": ("/duels/{duel}/message/{result}/copie/", "/duels/{duel}/message/{last}/copie/"),
    "duels:picture": ("/duels/{duel}/apercu.png",),
    "duels:proof": ("/duels/{duel}/preuve/",),
    "duels:export": ("/duels/{duel}/preuve/export.json",),
    "duels:disclosures": ("/duels/{duel}/ouvertures/",),
    "duels:duellists": ("/duellistes/",),
    "duels:duellist": ("/duellistes/{a}/", "/duellistes/{b}/"),
    "duels:purse": ("/duellistes/{a}/bourse/", "/duellistes/{b}/bourse/"),
    "duels:purse_csv": ("/duellistes/{a}/bourse/export.csv",),
    "duels:ledger_csv": ("/bourses/export.csv",),
    "duels:verification": ("/preuve/",),
    "notices:notices": ("/avis/",),
    "referee:queue": ("/arbitrage/",),
    "referee:referees": ("/arbitrage/arbitres/",),
    "tournaments:tournaments": ("/tournois/",),
    "tournaments:tournament": ("/tournois/{tournament}/",),
    "tournaments:picture": ("/tournois/{tournament}/apercu.png",),
    "tournaments:calendar": ("/tournois/{tournament}/calendrier.ics",),
    "tournaments:lots": ("/tournois/{tournament}/tirages.json",),
    "tournaments:statistics": ("/statistiques/",),
    "tournaments:statistics_of": ("/duellistes/{a}/statistiques/",),
    "tournaments:ratings": ("/champions/cotes/",),
    "tournaments:champions": ("/champions/",),
    "desk:desk": ("/inscriptions/",),
    "state": ("/etat/",),
}
WITH_FORMS: dict[str, tuple[str, ...]] = {
    "duels:challenge": ("/defis/{duel}/",),
    "duels:challenge_new": ("/defis/nouveau/",),
    "duels:preparation": ("/duels/{duel}/preparation/",),
    "duels:read": ("/duels/{duel}/lu/",),
    "duels:turn": ("/duels/{duel}/tour/",),
    "duels:draft": ("/duels/{duel}/tour/brouillon/",),
    "duels:correction_draft": ("/duels/{duel}/tour/correction/brouillon/",),
    "duels:correction": ("/duels/{duel}/tour/correction/",),
    "duels:choice": ("/duels/{duel}/zone/",),
    "duels:surrender": ("/duels/{duel}/abandon/",),
    "duels:draw": ("/duels/{duel}/nulle/",),
    "duels:time_out": ("/duels/{duel}/temps-mort/",),
    "duels:appeals": ("/duels/{duel}/recours/",),
    "duels:register": ("/duellistes/{a}/registre/",),
    "desk:register": ("/inscriptions/nouvelle/",),
    "referee:hand_over": ("/arbitrage/{duel}/confier/",),
    "referee:answer_hand_over": ("/arbitrage/{duel}/accepter/",),
    "referee:take": ("/arbitrage/{duel}/prendre/",),
    "referee:take_over": ("/arbitrage/{duel}/reprendre/",),
    "referee:time_out": ("/arbitrage/{duel}/temps-mort/",),
    "referee:annotate": ("/arbitrage/{duel}/annoter/",),
    "referee:appeal": ("/arbitrage/{duel}/recours/",),
    "referee:published": ("/arbitrage/{duel}/corriger/",),
    "referee:correct": ("/arbitrage/{duel}/{phase}/corriger/", "/arbitrage/{duel}/{first}/corriger/"),
    "referee:review": ("/arbitrage/{duel}/{phase}/", "/arbitrage/{duel}/{first}/"),
    "referee:amend": ("/arbitrage/{duel}/{phase}/amender/",),
    "referee:publish": ("/arbitrage/{duel}/{phase}/publier/",),
}
# What knows of no duel: help, forms about other things, signing in, what somebody's own settings are.
OF_NO_DUEL = {
    "duels:rules", "duels:rules_arena", "duels:rules_spells", "duels:spell_book", "duels:duellist_new",
    "duels:duellist_edit", "duels:purse_grant", "duels:scenes", "duels:scene_new", "duels:scene", "duels:scene_draft",
    "duels:scene_read", "duels:scene_post", "referee:availability", "referee:apply", "referee:candidacies",
    "referee:candidacy", "notices:notice", "notices:all_read", "notices:stop", "notices:settings", "notices:revoke",
    "tournaments:tournament_new", "tournaments:entry", "tournaments:withdrawal", "tournaments:exclusion",
    "tournaments:cancellation", "desk:withdrawal", "set_language", "None",
}  # fmt: skip
ALLAUTH = ("account_", "mfa_")

PAGES = (
    *(Page(address) for found in (SHOWN | WITH_FORMS).values() for address in found),
    *(Page(address, is_sent=True) for found in WITH_FORMS.values() for address in found),
)


def of_the_administration() -> tuple[Page, ...]:
    """Return the list of each kind of row, and the page of its newest row."""
    kinds = sorted(f"/admin/{model._meta.app_label}/{model._meta.model_name}/" for model in admin.site._registry)
    return (Page("/admin/"), *(Page(f"{kind}{row}") for kind in kinds for row in ("", "{newest}/change/")))


def names_of_the_site() -> set[str]:
    """Return the name of every address of the site but the administration's, which `of_the_administration` lists."""
    names = {name for name in _names(get_resolver()) if not name.startswith("admin:")}
    return {name for name in names if not name.startswith(ALLAUTH)}


def _names(resolver: URLResolver, space: str = "") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from _names(pattern, f"{space}{pattern.namespace}:" if pattern.namespace else space)
        else:
            yield f"{space}{pattern.name}"


def places(duel: Duel) -> dict[str, object]:
    """Return what stands in the addresses of a duel: keys, positions, phases."""
    posts = Post.objects.filter(thread__duel=duel).order_by("position")
    last = posts.values_list("position", flat=True).last() or 0
    result = posts.filter(kind="resolution").values_list("position", flat=True).last()
    name = "" if duel.phase is None or duel.phase.name == "turn" else f"/{duel.phase.name}"
    match = Match.objects.filter(duel=duel).select_related("tournament").first()
    return {
        "duel": duel.pk, "last": last, "after_last": last + 1, "result": result or last,
        "a": duel.cast["a"]["duellist"], "b": duel.cast["b"]["duellist"],
        "phase": f"{max(duel.turn, 1)}{name}", "first": f"1{'/action' if duel.ruleset == 'spells' else ''}",
        "tournament": match.tournament.slug if match else "aucun",
    }  # fmt: skip


def newest(address: str) -> int:
    """Return the key of the newest row of the kind that an address of the administration lists; 0: there is none."""
    _, _admin, app, name, *_ = address.split("/")
    model = next(one for one in admin.site._registry if (one._meta.app_label, one._meta.model_name) == (app, name))
    found = model._default_manager.order_by("pk").values_list("pk", flat=True).last()
    return found or 0


def waits(duel: Duel) -> bool:
    """Say whether an appeal waits in a duel: then whoever may decide reads its turns."""
    return Appeal.objects.filter(duel=duel, answer="").exists()
