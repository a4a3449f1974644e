"""Why something in a record does not hold: a code and its values, so that others can say it in other languages."""

from __future__ import annotations

import reprlib
from typing import Any

import msgspec


class Reason(msgspec.Struct, frozen=True):
    """One of REASONS, with what its sentence names: JSON values as the record has them."""

    code: str
    values: dict[str, Any] = {}

    def __str__(self) -> str:
        return REASONS[self.code].format(**{name: _brief(value) for name, value in self.values.items()})


def _brief(value: Any) -> str:
    return value if isinstance(value, str) else _short.repr(value)


_short = reprlib.Repr()
_short.maxlevel, _short.maxstring = 3, 80  # however deep it is nested


REASONS: dict[str, str] = {
    "refused": "{said}",  # by the rules or by the form of the record, in words of their own
    "missing": "{path} is missing",
    "unknown": "{path} is not of the rules",
    "other": "{path} is recorded as {recorded}, the rules give {truth}",
    "too_deep": "it is nested too deep",
    "place": "it stands at place {place}",
    "previous": "it does not follow the entry before it",
    "hash": "it is not what its hash says",
    "content": "the content is not what was sealed",
    "unsealed": "an entry {kind!r} has nothing sealed",
    "two_texts": "two texts are given for entry {place}",
    "no_such_text": "the text is missing",
    "other_text": "the text is not the one published",
    "text_of_none": "a text is given for entry {place}, which published none",
    "order_of_texts": "the texts do not stand in the order of their entries",
    "no_text": "it names no text that was published and is still there",
    "format": "the announcement names another format of the record",
    "downgraded": "no duel is announced in format 1 any more, which says less",
    "seat": "an entry {kind!r} has no such seat or version",
    "hour": "the hour, or the deadline, is not one that the rules have",
    "who": "it was done by somebody who could not",
    "granted": "it comes where a turn has to be taken up again, since an appeal was granted",
    "under_way": "it is not of the phase under way, or that phase is not where it should be",
    "opening": "a phase opens as the duel starts, or as the one before is published",
    "seat_acts": "its seat could not do this, or not then",
    "declaration": "the rules refuse such a declaration",
    "words": "a text is missing, is too short, or is there for nothing",
    "unasked": "it answers what was not asked",
    "reason": "no reason is given, or one where there is none",
    "ruling": "it is no ruling that the rules know, or about nothing that is there",
    "absent": "somebody has not filed, and is not said to be late",
    "computed": "what was computed before the rulings stands there if, and only if, there are any",
    "after_verdict": "only annotations come after the verdict, and none before",
    "no_branch": "there are no branches before the first turn",
    "opens": "the turn that opens now is of branch {branch}, and opens once",
    "not_open": "its turn is not open, or no longer counts",
    "published": "it comes after its turn was published",
    "unpublished": "it is about a turn that was not published",
    "branch": "the branch after {branch} is not {said}",
    "too_many": "too much failed before: the rest was not played again",
    "count": "a finished duel has one {kind!r}, not {count}",
    "in_secret": "only training that begins early becomes clandestine (article 3)",
    "early": "it is early and a receptacle was not hidden (A4.1b)",
    "revision": "revision {revision} does not follow the one before",
    "removed": "the text of entry {place}, taken away by staff",
    "format_1": "deadlines, and who refereed: this record, of format 1, does not hold them",
}
