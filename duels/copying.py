"""A published result, to be copied onto a forum elsewhere: as BBCode and as HTML, in the reader's language.

It holds what the thread shows of it, and nothing else; what a correction has changed stands in the thread alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _

from duels import sentences
from duels.bbcode import bbcode, listed, plain
from duels.models import Duel, Post
from duels.queries.books import incantations
from duels.sentences import names
from duels.sentences.rulings import ruling_sentence


class Result(NamedTuple):
    """What a resolution says: its title, where everybody stands, what happened and was ruled, the words around."""

    title: str
    preamble: Post | None
    declared: list[str]
    events: list[str]
    rulings: list[str]
    standing: list[str]
    closing: Post | None


def result(duel: Duel, post: Post, preamble: Post | None, closing: Post | None) -> Result:
    """Return what a resolution's post says, as plain text. `post` has its resolution, the others their bodies."""
    resolution = post.resolution
    if resolution is None:
        raise LookupError(f"post {post} resolves nothing")
    view = resolution.public_view
    return Result(
        title=_title(post),
        preamble=preamble,
        declared=list(_declared(view, duel)),
        events=[_event(event, duel) for event in resolution.public_events],
        rulings=[_ruling(ruling, duel) for ruling in post.details.get("rulings", ())],
        standing=list(_standing(view, duel)),
        closing=closing,
    )


def _title(post: Post) -> str:
    title = _("Resolution of turn %(turn)d") % {"turn": post.turn}
    phase = names.PHASES.get(post.details.get("phase", ""))
    title = f"{title}, {phase}" if phase else title
    return _("%(title)s (superseded: it was corrected)") % {"title": title} if post.superseded_by else title


def _declared(view: dict[str, Any], duel: Duel) -> Iterator[str]:
    """Yield what each declared, where that is not in the open already."""
    if duel.rules.in_the_open:
        return
    for letter, seat in sorted(view["seats"].items()):
        thrust, parry = (str(names.ZONES[zone]) if zone else "–" for zone in (seat["last_thrust"], seat["last_parry"]))
        said = {"name": duel.name_of(letter), "thrust": thrust, "parry": parry}
        yield _("%(name)s: thrust %(thrust)s, parry %(parry)s") % said


def _standing(view: dict[str, Any], duel: Duel) -> Iterator[str]:
    for letter, seat in sorted(view["seats"].items()):
        gauges = (names.points(gauge, seat[gauge]) for gauge in duel.rules.gauges)
        yield _("%(name)s: %(gauges)s") % {"name": duel.name_of(letter), "gauges": names.enumeration(list(gauges))}


def _event(event: dict[str, Any], duel: Duel) -> str:
    said = sentences.sentence(event, duel.cast, incantations(duel.book_id))
    return _with_rule(said, event.get("rule"))


def _ruling(ruling: dict[str, Any], duel: Duel) -> str:
    said = _with_rule(ruling_sentence(ruling, duel.cast), ruling.get("rule"))
    why = {"ruling": said, "reason": ruling["reason"], "void": ruling.get("void")}
    if why["void"]:
        return _("Taken back: %(ruling)s Reason: %(reason)s Why it was taken back: %(void)s") % why
    return _("%(ruling)s Reason: %(reason)s") % why


def _with_rule(said: str, rule: str | None) -> str:
    return f"{said} ({rule})" if rule and rule != "effects" else said


def as_bbcode(said: Result) -> str:
    """Return a result in BBCode."""
    parts = [
        bbcode(_text(said.preamble)),
        f"[b]{plain(said.title)}[/b]",
        plain("\n".join(said.declared)),
        listed(said.events) if said.events else "",
        listed(said.rulings) if said.rulings else "",
        "\n".join(f"[b]{plain(line)}[/b]" for line in said.standing),
        bbcode(_text(said.closing)),
    ]
    return "\n\n".join(part for part in parts if part)


def as_html(said: Result) -> str:
    """Return a result in HTML, without classes or styles."""
    parts = [
        _html(said.preamble),
        format_html("<h3>{}</h3>", said.title),
        format_html_join("", "<p>{}</p>", ((line,) for line in said.declared)),
        _list(said.events),
        _list(said.rulings),
        format_html_join("", "<p><strong>{}</strong></p>", ((line,) for line in said.standing)),
        _html(said.closing),
    ]
    return "\n".join(part for part in parts if part)


def _list(lines: list[str]) -> str:
    items = format_html_join("\n", "<li>{}</li>", ((line,) for line in lines))
    return format_html("<ol>\n{}\n</ol>", items) if lines else ""


def _text(post: Post | None) -> str:
    return post.body.text if post is not None and hasattr(post, "body") else ""


def _html(post: Post | None) -> str:
    return post.body.html if post is not None and hasattr(post, "body") else ""
