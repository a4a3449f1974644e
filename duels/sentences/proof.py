"""What checking a record shows, in the reader's language: what was checked, and what does not hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from duels.checks import Step, Tally, Turn, tallied
from rules.verify import Failure, Reason, Report

from .names import Words
from .parts import part_name, value_name


class Check(NamedTuple):
    """One thing that is checked: its name, and what it means that it does not hold."""

    name: Promise
    broken: Promise


CHECKS: dict[str, Check] = {
    "chain": Check(
        gettext_lazy("entries of the record, chained"),
        gettext_lazy("an entry of the record was changed, moved or taken out: it does not fit the chain."),
    ),
    "receipt": Check(
        gettext_lazy("receipts opened"),
        gettext_lazy("what was sealed is not what its receipt says."),
    ),
    "parts": Check(
        gettext_lazy("entries read, part by part"),
        gettext_lazy("an entry has a part that such an entry has not, or lacks one, or it is not what it should be."),
    ),
    "format": Check(
        gettext_lazy("rules and format that the announcement names"),
        gettext_lazy("the record does not follow the rules, or the format, that the announcement names."),
    ),
    "version": Check(
        gettext_lazy("versions counted"),
        gettext_lazy("a version is missing, or stands twice."),
    ),
    "order": Check(
        gettext_lazy("order of the entries"),
        gettext_lazy("an entry stands where the rules let none stand."),
    ),
    "text": Check(
        gettext_lazy("texts published"),
        gettext_lazy("a text is not as it was published."),
    ),
    "removal": Check(
        gettext_lazy("texts taken away by staff, with the hashes that stay"),
        gettext_lazy("staff are said to have taken away a text that was not there."),
    ),
    "deadline": Check(
        gettext_lazy("deadlines, and hours at which something was done"),
        gettext_lazy("something was done at an hour, or a deadline moved, as the rules do not have it."),
    ),
    "official": Check(
        gettext_lazy("who ruled, published and answered"),
        gettext_lazy("somebody ruled, published or answered who could not."),
    ),
    "commitment": Check(
        gettext_lazy("seal of the dice"),
        gettext_lazy("the secret number is not the one that was sealed at the announcement."),
    ),
    "dice": Check(
        gettext_lazy("dice rolled again"),
        gettext_lazy("a die is not the one that the secret number gives."),
    ),
    "die": Check(
        gettext_lazy("dice replaced by the referee, with what they showed"),
        gettext_lazy("a ruling does not say what the die that it replaces showed."),
    ),
    "setup": Check(
        gettext_lazy("announcement drawn again"),
        gettext_lazy("the announcement is not what the rules draw."),
    ),
    "start": Check(
        gettext_lazy("start worked out again"),
        gettext_lazy("the start is not what the rules give."),
    ),
    "opening": Check(
        gettext_lazy("openings worked out again"),
        gettext_lazy("a turn did not open as the rules say."),
    ),
    "state": Check(
        gettext_lazy("states worked out again"),
        gettext_lazy("where the duel stands is not what the rules give."),
    ),
    "events": Check(
        gettext_lazy("turns worked out again, with all their events"),
        gettext_lazy("what happened is not what the rules give."),
    ),
    "computed": Check(
        gettext_lazy("turns worked out again as they were before the referee amended them"),
        gettext_lazy("what is said to have been worked out before the referee’s rulings is not what the rules give."),
    ),
    "public view": Check(
        gettext_lazy("views published"),
        gettext_lazy("what the public was shown is not what it should have been."),
    ),
    "public events": Check(
        gettext_lazy("resolutions published"),
        gettext_lazy("the resolution that was published is not the one of the rules."),
    ),
    "revision": Check(
        gettext_lazy("revisions published, in order"),
        gettext_lazy("a revision does not follow the one before."),
    ),
    "ruling": Check(
        gettext_lazy("rulings of the referee, taken into account"),
        gettext_lazy("a ruling is none that the rules know."),
    ),
    "correction": Check(
        gettext_lazy("published turns taken up again"),
        gettext_lazy("a correction cannot be read."),
    ),
    "verdict": Check(
        gettext_lazy("verdict"),
        gettext_lazy("the verdict is not the one of the rules."),
    ),
    "replay": Check(
        gettext_lazy("announcement, start and verdict, each once"),
        gettext_lazy("the duel cannot be played again from this record."),
    ),
    "ruleset": Check(
        gettext_lazy("rules"),
        gettext_lazy("the rules that this record names are not known here."),
    ),
    "export": Check(
        gettext_lazy("file"),
        gettext_lazy("this is not the record of a duel."),
    ),
}


def tallies(turns: list[Turn]) -> Iterator[tuple[str, Tally]]:
    """Yield the name and the numbers of each kind of check, of a record that does not hold."""
    for check, named in CHECKS.items():
        if (tally := tallied(turns, check)).made:
            yield str(named.name), tally


class Counted(NamedTuple):
    """One kind of check: how many were made."""

    name: str
    number: int


def counted(report: Report) -> Iterator[Counted]:
    """Yield what was checked, in the order of CHECKS; what was not is left out."""
    for check, named in CHECKS.items():
        if number := report.checked.get(check):
            yield Counted(str(named.name), number)


SHORT: Words = {
    "chain": gettext_lazy("in its place in the chain"),
    "receipt": gettext_lazy("what was sealed fits its receipt"),
    "version": gettext_lazy("version"),
    "parts": gettext_lazy("each part what it should be"),
    "format": gettext_lazy("rules and format as announced"),
    "removal": gettext_lazy("text that was there"),
    "deadline": gettext_lazy("in time"),
    "official": gettext_lazy("by who may"),
    "text": gettext_lazy("text as it was published"),
    "commitment": gettext_lazy("number sealed at the announcement"),
    "die": gettext_lazy("what the replaced die showed"),
    "setup": gettext_lazy("arena as drawn"),
    "start": gettext_lazy("start as the rules give it"),
    "opening": gettext_lazy("opening as the rules give it"),
    "state": gettext_lazy("state after it as the rules give it"),
    "events": gettext_lazy("every event as the rules give it"),
    "computed": gettext_lazy("what was computed before the rulings"),
    "public view": gettext_lazy("what the public was shown of the state"),
    "public events": gettext_lazy("what the public was shown of the events"),
    "revision": gettext_lazy("revision"),
    "ruling": gettext_lazy("ruling taken into account"),
    "correction": gettext_lazy("correction taken into account"),
    "verdict": gettext_lazy("verdict as the rules give it"),
}

ENTRIES: Words = {
    "announcement": gettext_lazy("announcement"),
    "receptacle": gettext_lazy("receptacle hidden"),
    "start": gettext_lazy("start"),
    "opening": gettext_lazy("opening of the turn"),
    "filing": gettext_lazy("declaration"),
    "choice": gettext_lazy("zone named for the decoy"),
    "infraction": gettext_lazy("lateness"),
    "ruling": gettext_lazy("ruling of the referee"),
    "surrender": gettext_lazy("surrender"),
    "draw_offer": gettext_lazy("draw offered"),
    "draw_refused": gettext_lazy("draw refused"),
    "time_out": gettext_lazy("time-out asked for"),
    "time_out_answer": gettext_lazy("answer to the time-out"),
    "wall": gettext_lazy("end of the round’s time"),
    "publication": gettext_lazy("resolution published"),
    "appeal": gettext_lazy("appeal"),
    "appeal_answer": gettext_lazy("answer to the appeal"),
    "correction": gettext_lazy("correction"),
    "verdict": gettext_lazy("verdict"),
    "annotation": gettext_lazy("note on the verdict"),
    "deadline": gettext_lazy("deadline moved"),
    "hour": gettext_lazy("hour of publication"),
    "lock": gettext_lazy("end of the phase"),
    "referee": gettext_lazy("change of referee"),
    "removal": gettext_lazy("text removed by staff"),
}

WHY: Words = {
    "missing": gettext_lazy("%(path)s is missing in the record."),
    "unknown": gettext_lazy("%(path)s is recorded, and the rules know no such thing."),
    "other": gettext_lazy("%(path)s: recorded as %(recorded)s, where the rules give %(truth)s."),
    "too_deep": gettext_lazy("It is nested too deep to be read."),
    "place": gettext_lazy("It stands at place %(place)s."),
    "previous": gettext_lazy("It does not follow the entry before it."),
    "hash": gettext_lazy("It is not what its hash says."),
    "content": gettext_lazy("Its content is not what was sealed."),
    "unsealed": gettext_lazy("Entries of this kind seal nothing, and this one does."),
    "two_texts": gettext_lazy("Two texts are given for entry %(place)s."),
    "no_such_text": gettext_lazy("It is missing."),
    "other_text": gettext_lazy("Its hash is not the one that its entry shows."),
    "text_of_none": gettext_lazy("A text is given for entry %(place)s, which published none."),
    "order_of_texts": gettext_lazy("The texts do not stand in the order of their entries."),
    "no_text": gettext_lazy("It names no text that was published and was still there."),
    "format": gettext_lazy("The announcement names another format of the record."),
    "downgraded": gettext_lazy("No duel is announced any more in the first format of the record, which says less."),
    "seat": gettext_lazy("An entry of this kind has no such seat, or no such version."),
    "hour": gettext_lazy("The hour, or the deadline, is not one that the rules have."),
    "who": gettext_lazy("It was done by somebody who could not."),
    "granted": gettext_lazy("An appeal was granted, and its turn has to be taken up again first."),
    "under_way": gettext_lazy("It is not of the phase under way, or that phase is not where it should be."),
    "opening": gettext_lazy("A phase opens as the duel starts, or as the one before is published."),
    "seat_acts": gettext_lazy("Its seat could not do this, or not then."),
    "declaration": gettext_lazy("The rules refuse such a declaration."),
    "words": gettext_lazy("A text is missing, is too short, or is there for nothing."),
    "unasked": gettext_lazy("It answers what was not asked."),
    "reason": gettext_lazy("No reason is given, or one where there is none."),
    "ruling": gettext_lazy("It is no ruling that the rules know, or is about nothing that is there."),
    "absent": gettext_lazy("Somebody has not filed, and is not said to be late."),
    "computed": gettext_lazy("What was computed before the rulings stands there if, and only if, there are any."),
    "after_verdict": gettext_lazy("Only notes come after the verdict, and none before."),
    "no_branch": gettext_lazy("Nothing can have been corrected before the first turn."),
    "opens": gettext_lazy("A turn opens once, after correction %(branch)s."),
    "not_open": gettext_lazy("Its turn is not open, or no longer counts."),
    "published": gettext_lazy("It comes after its turn was published."),
    "unpublished": gettext_lazy("It is about a turn that was not published."),
    "branch": gettext_lazy("It is numbered %(said)s, and follows correction %(branch)s."),
    "too_many": gettext_lazy("Too much failed before: the rest was not played again."),
    "count": gettext_lazy("A finished duel has one of this kind, not %(count)s: %(name)s."),
    "in_secret": gettext_lazy("Only training that begins early becomes clandestine (article 3)."),
    "early": gettext_lazy("It came early, and a receptacle was not hidden (A4.1b)."),
    "revision": gettext_lazy("Revision %(revision)s does not follow the one before."),
    "refused": gettext_lazy("The rules, or the form that a record has, refuse what stands there."),
    "removed": gettext_lazy("The text of entry %(place)s was taken away by staff."),
    "format_1": gettext_lazy("A record of the first format holds neither deadlines nor who refereed."),
}
_OTHER: Words = {  # where the whole differs, and where there are no words for what it differs in
    "whole": gettext_lazy("It is recorded as %(recorded)s, where the rules give %(truth)s."),
    "part unsaid": gettext_lazy("%(path)s: not what the rules give."),
    "whole unsaid": gettext_lazy("It is not what the rules give."),
    "part": WHY["other"],
}
_SAID_ALREADY = frozenset(  # by what it means that the check does not hold
    {
        ("receipt", "content"),
        ("official", "who"),
        ("deadline", "hour"),
        ("removal", "no_text"),
        ("revision", "revision"),
    }
)


def entry_name(kind: str) -> str:
    """Return what an entry of a record is."""
    return str(ENTRIES.get(kind, kind))


def held_sentence(step: Step) -> str:
    """Return what holds in an entry, in a few words each."""
    return _listed(step.held)


def missed_sentence(step: Step) -> str:
    """Return what could not be checked of an entry, in a few words each."""
    return _listed(step.missed)


def _listed(checks: list[str]) -> str:
    return " · ".join(str(SHORT.get(check) or CHECKS[check].name) for check in checks)


def removed_sentence(report: Report) -> str:
    """Return how many texts staff took away; nothing where there is none."""
    removed = sum(notice.code == "removed" for notice in report.notices)
    said = ngettext(
        "%(removed)s text was removed by staff: only its hash could be kept.",
        "%(removed)s texts were removed by staff: only their hashes could be kept.",
        removed,
    )
    return said % {"removed": removed} if removed else ""


def unchecked_sentences(report: Report) -> list[str]:
    """Return what could be checked of no entry, since the record does not hold it."""
    return [reason_sentence(notice) for notice in report.notices if notice.code != "removed"]


def reason_sentence(reason: Reason, cast: Mapping[str, Any] | None = None) -> str:
    """Return why something does not hold."""
    values = {**reason.values, "name": entry_name(str(reason.values.get("kind", "")))}
    if "path" in values:
        values["path"] = _capitalised(part_name(str(values["path"]), cast or {}))
    if reason.code == "other":
        return _difference_sentence(reason, values, cast or {})
    return str(WHY[reason.code]) % values


def _difference_sentence(reason: Reason, values: dict[str, Any], cast: Mapping[str, Any]) -> str:
    recorded, truth = (value_name(values[which], cast) for which in ("recorded", "truth"))
    which = "whole" if reason.values["path"] == "it" else "part"
    unsaid = "" if recorded and truth and recorded != truth else " unsaid"
    return str(_OTHER[f"{which}{unsaid}"]) % {**values, "recorded": recorded, "truth": truth}


def broken_sentence(failure: Failure, cast: Mapping[str, Any]) -> str:
    """Return what does not hold, and why, without its place."""
    return _with_reason(_capitalised(str(CHECKS[failure.check].broken)), failure, cast)


def _with_reason(broken: str, failure: Failure, cast: Mapping[str, Any]) -> str:
    if (failure.check, failure.reason.code) in _SAID_ALREADY:
        return broken
    return f"{broken} {reason_sentence(failure.reason, cast)}"


def _capitalised(said: str) -> str:
    return said[:1].upper() + said[1:]


def failure_sentence(failure: Failure, cast: Mapping[str, Any]) -> str:
    """Return what does not hold, where (which turn, which entry), and why."""
    return _with_reason(_place_sentence(failure), failure, cast)


def _place_sentence(failure: Failure) -> str:
    broken = str(CHECKS[failure.check].broken)
    if failure.entry is None:
        return _("The whole: %(broken)s") % {"broken": broken}
    where = {"turn": failure.turn, "entry": failure.entry, "broken": broken}
    if not failure.turn:
        return _("Before the first turn, entry %(entry)s: %(broken)s") % where
    return _("Turn %(turn)s, entry %(entry)s: %(broken)s") % where
