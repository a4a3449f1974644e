"""What people are told: for each thing that happens, its sentence, whom it is news to, where it leads, and how long
it stays true. Sentences are made in the reader's language when they are read; nothing in them is secret."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from duels import sentences
from duels.models import Duel, Happening
from duels.sentences import names

from .news import (
    Holds,
    News,
    always,
    appeal_ends,
    appeal_waits,
    appeal_waits_for_reader,
    at_candidacy,
    at_duel,
    at_page,
    at_post,
    at_queue,
    at_review,
    at_tournament,
    candidacy_waits,
    deadline_stands,
    draw_is_offered,
    filing_again_ends,
    hiding_ends,
    is_handed_over,
    publication_comes,
    publication_is_announced,
    publication_is_not_announced,
    reader_has_to_answer,
    reader_has_to_prepare,
    reader_is_awaited,
    reader_may_ask_to_start,
    reader_may_file_again,
    reader_referees,
    status,
    the_duel,
    time_is_short,
    time_out_waits,
    turn_ends,
    turn_is_open,
    turn_waits_for_another,
    turn_waits_for_reader,
)

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True)
class Kind:
    """One kind of event. `name` stands in the settings; `by` is whose doing it was, and to whom it is no news; `at`
    has the sentence for those seats to whom it is told in other words."""

    name: StrOrPromise
    sentence: StrOrPromise
    holds: Holds = always
    leads_to: Callable[[News], str] = the_duel
    until: Callable[[News], dt.datetime | None] = lambda _news: None
    mailed: bool = True
    by: str = ""
    for_referees: bool = False
    without_receptacle: StrOrPromise = ""  # where there is nothing to hide (spells)
    at: Mapping[str, StrOrPromise] = field(default_factory=dict)
    asks: bool = False  # something of the reader: once it no longer holds, there is nothing left to do


CHALLENGES = {
    "challenged": Kind(
        gettext_lazy("Somebody challenges me"),
        gettext_lazy("%(foe)s challenges you."),
        reader_has_to_answer,
        at_duel("duels:challenge"),
        lambda news: news.duel.due_at,
        at={"c": gettext_lazy("%(foe)s asks you to duel at their side, two against two.")},
        asks=True,
    ),
    "accepted": Kind(
        gettext_lazy("My challenge is accepted"),
        gettext_lazy("%(foe)s has accepted your challenge."),
        status(Duel.Status.AGREED),
        by="seat",
        at=dict.fromkeys("bcd", gettext_lazy("%(foe)s has accepted the challenge too.")),
    ),
    "partly_accepted": Kind(
        gettext_lazy("One of several accepts a challenge"),
        gettext_lazy("%(foe)s has accepted; others have not answered yet."),
        status(Duel.Status.CHALLENGED),
        at_duel("duels:challenge"),
        mailed=False,
        by="seat",
    ),
    "declined": Kind(
        gettext_lazy("My challenge is declined"),
        gettext_lazy("%(foe)s has declined your challenge."),
        leads_to=at_duel("duels:challenge"),
        by="seat",
        at=dict.fromkeys("bcd", gettext_lazy("%(foe)s has declined the challenge.")),
    ),
    "withdrawn": Kind(
        gettext_lazy("A challenge is taken back"),
        gettext_lazy("%(foe)s has taken the challenge back."),
        leads_to=at_duel("duels:challenge"),
        by="a",
    ),
    "expired": Kind(
        gettext_lazy("A challenge expires"),
        gettext_lazy("The challenge has expired without an answer."),
        leads_to=at_duel("duels:challenge"),
        mailed=False,
    ),
}
DESK = {
    "paired": Kind(
        gettext_lazy("The desk finds me an opponent"),
        gettext_lazy("The registration desk has paired you against %(foe)s: confirm within 48 hours."),
        reader_has_to_answer,
        at_duel("duels:challenge"),
        lambda news: news.duel.due_at,
        asks=True,
    ),
    "pairing_confirmed": Kind(
        gettext_lazy("Another confirms a pairing"),
        gettext_lazy("%(name)s has confirmed the pairing."),
        status(Duel.Status.CHALLENGED),
        at_duel("duels:challenge"),
        mailed=False,
        by="seat",
    ),
    "confirmation_due": Kind(
        gettext_lazy("24 hours are left and I have not confirmed a pairing"),
        gettext_lazy("Less than 24 hours are left to confirm the pairing against %(foe)s."),
        reader_has_to_answer,
        at_duel("duels:challenge"),
        lambda news: news.duel.due_at,
        asks=True,
    ),
    "pairing_agreed": Kind(
        gettext_lazy("A pairing is confirmed by everybody"),
        gettext_lazy("Everybody has confirmed the pairing: the duel against %(foe)s takes place."),
        status(Duel.Status.AGREED),
        by="seat",
    ),
    "pairing_lapsed": Kind(
        gettext_lazy("A pairing comes to nothing"),
        gettext_lazy("The pairing has come to nothing: you are first in line at the registration desk again."),
        leads_to=at_page("desk:desk"),
    ),
    "pairing_unrefereed": Kind(
        gettext_lazy("No referee takes the duel of a pairing"),
        gettext_lazy(
            "No referee has taken the duel against %(foe)s: it is cancelled. You are in line at the registration desk"
            " again, in your old place."
        ),
        leads_to=at_page("desk:desk"),
    ),
    "pairing_missed": Kind(
        gettext_lazy("I have not confirmed a pairing in time"),
        gettext_lazy("You have not confirmed the pairing in time: your registration has ended."),
        leads_to=at_page("desk:desk"),
    ),
    "pairing_hindered": Kind(
        gettext_lazy("I can no longer fight the duel of a pairing"),
        gettext_lazy(
            "The pairing against %(foe)s has come to nothing, since you could no longer fight that duel: your"
            " registration has ended."
        ),
        leads_to=at_page("desk:desk"),
    ),
}
PREPARATION = {
    "put_off": Kind(
        gettext_lazy("A start is put off"),
        gettext_lazy("No referee has taken the duel yet: its start is put off by 48 hours."),
        status(Duel.Status.AGREED),
    ),
    "start_moved": Kind(
        gettext_lazy("A duel is agreed on too late for its start"),
        gettext_lazy("The duel was agreed on too late to start as proposed: its start is moved."),
        status(Duel.Status.AGREED),
    ),
    "start_put_off": Kind(
        gettext_lazy("A start is put off after an outage"),
        gettext_lazy("The site was down: the start is put off by what was lost."),
        status(Duel.Status.ANNOUNCED),
        at_duel("duels:preparation"),
    ),
    "cancelled": Kind(
        gettext_lazy("A duel is cancelled"), gettext_lazy("The duel is cancelled: no referee has taken it.")
    ),
    "not_begun": Kind(
        gettext_lazy("A spell duel cannot begin"),
        gettext_lazy("The duel does not take place: %(name)s may not begin it, as its thread says."),
        by="seat",
    ),
    "called_off": Kind(
        gettext_lazy("A tournament duel is called off"),
        gettext_lazy("The duel does not take place: somebody has left the tournament, or it is called off."),
        by="seat",
    ),
    "announced": Kind(
        gettext_lazy("A duel is announced"),
        gettext_lazy("The duel is announced: hide your receptacle."),
        reader_has_to_prepare,
        at_duel("duels:preparation"),
        hiding_ends,
        without_receptacle=gettext_lazy("The duel is announced."),
        asks=True,
    ),
    "start_asked": Kind(
        gettext_lazy("My opponent asks to start at once"),
        gettext_lazy("%(foe)s asks to start at once."),
        reader_may_ask_to_start,
        at_duel("duels:preparation"),
        asks=True,
    ),
    "started": Kind(
        gettext_lazy("A duel starts"), gettext_lazy("The duel has started."), status(Duel.Status.RUNNING), mailed=False
    ),
}
TURNS = {
    "turn_opened": Kind(
        gettext_lazy("A turn opens: it is my move"),
        gettext_lazy("Turn %(turn)s is open: it is your move."),
        reader_is_awaited,
        at_duel("duels:turn"),
        turn_ends,
        asks=True,
    ),
    "filed": Kind(
        gettext_lazy("My opponent has filed"),
        gettext_lazy("%(foe)s has filed in turn %(turn)s."),
        turn_is_open,
        mailed=False,
        by="seat",
    ),
    "reminder_24": Kind(
        gettext_lazy("24 hours are left and I have not filed"),
        gettext_lazy("Less than 24 hours are left in turn %(turn)s, and you have not filed."),
        time_is_short("reminder_24"),
        at_duel("duels:turn"),
        turn_ends,
        asks=True,
    ),
    "reminder_6": Kind(
        gettext_lazy("6 hours are left and I have not filed"),
        gettext_lazy("Less than 6 hours are left in turn %(turn)s, and you have not filed."),
        time_is_short("reminder_6"),
        at_duel("duels:turn"),
        turn_ends,
        asks=True,
    ),
    "zone_named": Kind(
        gettext_lazy("My opponent names the zone of a decoy"),
        gettext_lazy("%(foe)s has named the zone that the decoy disables: you may file again."),
        reader_may_file_again,
        at_duel("duels:turn"),
        filing_again_ends,
        by="seat",
        asks=True,
    ),
    "choice_forfeited": Kind(
        gettext_lazy("A zone was not named in time"),
        gettext_lazy("The zone of the decoy was not named in time: the choice is forfeited."),
        turn_is_open,
    ),
    "turn_published": Kind(
        gettext_lazy("A turn is published"), gettext_lazy("Turn %(turn)s is published."), mailed=False
    ),
    "turn_taken_up": Kind(
        gettext_lazy("The referee takes a published turn up again"),
        gettext_lazy("The referee takes turn %(turn)s up again to correct it: what came after it no longer counts."),
    ),
    "turn_corrected": Kind(
        gettext_lazy("A published turn is corrected"),
        gettext_lazy("Turn %(turn)s is corrected: the thread says what has changed, and the duel goes on from there."),
    ),
    "publication_announced": Kind(
        gettext_lazy("The hour at which a turn is published is announced"),
        gettext_lazy("The referee has announced when turn %(turn)s is published."),
        publication_is_announced,
        until=publication_comes,
    ),
    "publication_called_off": Kind(
        gettext_lazy("An announced publication is called off"),
        gettext_lazy("Turn %(turn)s is not published at the hour announced."),
        publication_is_not_announced,
        mailed=False,
    ),
    "appeal_made": Kind(
        gettext_lazy("A resolution is contested"),
        gettext_lazy("%(name)s contests the resolution of turn %(turn)s: the clock stands still until the answer."),
        appeal_waits,
        at_duel("duels:appeals"),
        appeal_ends,
        by="seat",
    ),
    "appeal_upheld": Kind(
        gettext_lazy("An appeal is answered: the resolution stands"),
        gettext_lazy("The resolution of turn %(turn)s, contested by %(name)s, stands: the clock goes on."),
        leads_to=at_duel("duels:appeals"),
    ),
    "appeal_granted": Kind(
        gettext_lazy("An appeal is granted"),
        gettext_lazy("The appeal of %(name)s against the resolution of turn %(turn)s is granted."),
        leads_to=at_duel("duels:appeals"),
    ),
    "appeal_lapsed": Kind(
        gettext_lazy("An appeal has no answer"),
        gettext_lazy("Nobody answered the appeal of %(name)s in time: turn %(turn)s stands, and the clock goes on."),
        leads_to=at_duel("duels:appeals"),
    ),
    "ruled": Kind(
        gettext_lazy("A publication is ruled on"),
        gettext_lazy("A publication of turn %(turn)s was ruled on."),
        mailed=False,
        by="referee",
    ),
    "time_out_granted": Kind(
        gettext_lazy("A time-out is granted"),
        gettext_lazy("%(name)s gets a time-out: turn %(turn)s lasts longer."),
        turn_is_open,
        until=turn_ends,
    ),
    "time_out_refused": Kind(
        gettext_lazy("A time-out is refused"),
        gettext_lazy("%(name)s gets no time-out: the deadline of turn %(turn)s stands."),
        deadline_stands,
        until=turn_ends,
    ),
    "time_out_lapsed": Kind(
        gettext_lazy("A request for a time-out has no answer"),
        gettext_lazy("Nobody answered when %(name)s asked for a time-out in turn %(turn)s."),
        mailed=False,
    ),
    "sight_lapsed": Kind(
        gettext_lazy("A Legilimens need wait no longer"),
        gettext_lazy("The post that you waited for has not come in its time: you may post."),
        reader_is_awaited,
        at_duel("duels:turn"),
        turn_ends,
        asks=True,
    ),
    "surrendered": Kind(
        gettext_lazy("One of a team surrenders"),
        gettext_lazy("%(name)s has surrendered; the duel goes on."),
        status(Duel.Status.RUNNING),
        by="seat",
    ),
    "taken_over": Kind(gettext_lazy("A duel gets another referee"), gettext_lazy("The duel has another referee.")),
    "outage": Kind(
        gettext_lazy("A turn is extended after an outage"),
        gettext_lazy("The site was down: turn %(turn)s is extended by what was lost."),
        turn_is_open,
        at_duel("duels:turn"),
        turn_ends,
    ),
    "text_removed": Kind(
        gettext_lazy("A text of mine is removed"),
        gettext_lazy("The staff have removed a text of yours."),
        leads_to=at_post,
    ),
}  # fmt: skip
ENDING = {
    "draw_offered": Kind(
        gettext_lazy("My opponent offers a draw"),
        gettext_lazy("%(foe)s offers a draw."),
        draw_is_offered,
        at_duel("duels:draw"),
        by="seat",
        asks=True,
    ),
    "draw_refused": Kind(
        gettext_lazy("My opponent refuses a draw"),
        gettext_lazy("%(foe)s refuses the draw: the duel goes on."),
        status(Duel.Status.RUNNING),
        by="seat",
    ),
    "annotated": Kind(
        gettext_lazy("The verdict of a duel of mine is annotated"),
        gettext_lazy("The verdict is annotated: read what is said after it in the thread."),
    ),
    "over": Kind(gettext_lazy("A duel is over"), "%(verdict)s"),
}
REFEREEING = {
    "duel_given": Kind(
        gettext_lazy("A tournament gives me a duel to referee"),
        gettext_lazy("A tournament has given you this duel to referee."),
        reader_referees,
        for_referees=True,
    ),
    "turn_locked": Kind(
        gettext_lazy("A turn waits for my review"),
        gettext_lazy("Turn %(turn)s is worked out, and waits for you."),
        turn_waits_for_reader,
        at_review,
        for_referees=True,
        asks=True,
    ),
    "reminder_referee": Kind(
        gettext_lazy("A turn still waits for my review"),
        gettext_lazy("Turn %(turn)s still waits for you."),
        turn_waits_for_reader,
        at_review,
        for_referees=True,
        asks=True,
    ),
    "turn_offered": Kind(
        gettext_lazy("A turn of another referee may be taken over"),
        gettext_lazy("Turn %(turn)s has waited long for its referee: you may take it over."),
        turn_waits_for_another,
        at_queue,
        for_referees=True,
        asks=True,
    ),
    "hand_over_asked": Kind(
        gettext_lazy("A referee asks me to go on with a duel"),
        gettext_lazy("%(user)s asks you to referee this duel in their place."),
        is_handed_over,
        at_duel("referee:answer_hand_over"),
        for_referees=True,
        asks=True,
    ),
    "hand_over_declined": Kind(
        gettext_lazy("A referee declines a duel that I hand over"),
        gettext_lazy("%(user)s declines to referee this duel in your place."),
        reader_referees,
        at_duel("referee:hand_over"),
        for_referees=True,
    ),
    "hand_over_withdrawn": Kind(
        gettext_lazy("A referee no longer asks me to go on with a duel"),
        gettext_lazy("%(user)s no longer asks you to referee this duel."),
        mailed=False,
        for_referees=True,
    ),
    "candidacy_sent": Kind(
        gettext_lazy("Somebody wants to become a referee"),
        gettext_lazy("%(user)s wants to become a referee."),
        candidacy_waits,
        at_candidacy,
        for_referees=True,
    ),
    "candidacy_withdrawn": Kind(
        gettext_lazy("Somebody takes their candidacy back"),
        gettext_lazy("%(user)s no longer wants to become a referee."),
        leads_to=at_candidacy,
        mailed=False,
        for_referees=True,
    ),
    "appeal_waits": Kind(
        gettext_lazy("An appeal waits for another referee"),
        gettext_lazy("%(name)s contests the resolution of turn %(turn)s: another referee decides, within 48 hours."),
        appeal_waits_for_reader,
        at_duel("referee:appeal"),
        appeal_ends,
        for_referees=True,
        asks=True,
    ),
    "time_out_asked": Kind(
        gettext_lazy("A player asks for a time-out"),
        gettext_lazy("%(name)s asks for a time-out in turn %(turn)s."),
        time_out_waits,
        at_duel("referee:time_out"),
        for_referees=True,
        asks=True,
    ),
}
CANDIDACY = {
    "candidacy_accepted": Kind(
        gettext_lazy("My candidacy is accepted"),
        gettext_lazy("You are a referee now: set up your second factor to begin."),
        leads_to=at_queue,
    ),
    "candidacy_declined": Kind(
        gettext_lazy("My candidacy is declined"),
        gettext_lazy("The referees have declined your candidacy."),
        leads_to=at_page("referee:apply"),
    ),
}
TOURNAMENTS = {
    "tournament_started": Kind(
        gettext_lazy("A tournament of mine starts"),
        gettext_lazy("The tournament “%(tournament)s” has started."),
        leads_to=at_tournament,
        mailed=False,
    ),
    "tournament_place": Kind(
        gettext_lazy("A place in a tournament becomes mine"),
        gettext_lazy("%(name)s no longer waits: a place in the tournament “%(tournament)s” has become free."),
        leads_to=at_tournament,
    ),
    "tournament_sent_off": Kind(
        gettext_lazy("I am out of a tournament"),
        gettext_lazy("%(name)s is out of the tournament “%(tournament)s”: disqualified."),
        leads_to=at_tournament,
    ),
    "tournament_cancelled": Kind(
        gettext_lazy("A tournament of mine is called off"),
        gettext_lazy("The tournament “%(tournament)s” is called off."),
        leads_to=at_tournament,
    ),
    "tournament_won": Kind(
        gettext_lazy("A tournament of mine is won"),
        gettext_lazy("%(name)s has won the tournament “%(tournament)s”."),
        leads_to=at_tournament,
    ),
    "tournament_vacant": Kind(
        gettext_lazy("A tournament of mine ends without a champion"),
        gettext_lazy("The tournament “%(tournament)s” is over; nobody has won it, and the title stays where it was."),
        leads_to=at_tournament,
    ),
}
GROUPS: dict[str, tuple[StrOrPromise, Mapping[str, Kind]]] = {
    "challenges": (gettext_lazy("Challenges"), CHALLENGES),
    "desk": (gettext_lazy("The registration desk"), DESK),
    "preparation": (gettext_lazy("Before the start"), PREPARATION),
    "turns": (pgettext_lazy("notices", "Turns"), TURNS),
    "ending": (gettext_lazy("The end of a duel"), ENDING),
    "tournaments": (gettext_lazy("Tournaments"), TOURNAMENTS),
    "refereeing": (gettext_lazy("Refereeing"), REFEREEING),
    "candidacy": (gettext_lazy("Becoming a referee"), CANDIDACY),
}
KINDS: dict[str, Kind] = {what: kind for _title, group in GROUPS.values() for what, kind in group.items()}
ASKING = frozenset(what for what, kind in KINDS.items() if kind.asks)


def readers(happening: Happening) -> set[int]:
    """Return the users to whom a happening is news: those it concerns, but for who did it."""
    kind = KINDS.get(happening.what)
    if kind is None:
        return set()
    return set(happening.concerns) - {_author(kind, happening)}


def _author(kind: Kind, happening: Happening) -> int | None:
    duel = happening.duel
    if duel is None or not kind.by:
        return None
    if kind.by == "referee":
        return duel.referee_id
    letter = happening.details.get("seat", "") if kind.by == "seat" else kind.by
    return duel.cast[letter]["user"] if letter else None


def sentence(news: News) -> str:
    """Return what is told, in the language that is active; plain text."""
    details, kind = news.happening.details, KINDS[news.happening.what]
    if news.about is None:
        return str(kind.sentence) % details
    cast = news.about.cast
    parameters: dict[str, Any] = {
        "foe": _foe(news),
        "name": cast[details["seat"]]["name"] if details.get("seat") else _("somebody"),
        "user": details.get("user", ""),
        "turn": _turn(details),
    }
    if news.happening.what == "over":
        parameters["verdict"] = sentences.verdict(details, cast)
    hides = news.duel.ruleset == "arena" or not kind.without_receptacle
    said = kind.at.get(news.letter, kind.sentence) if hides else kind.without_receptacle
    return str(said) % parameters


def _turn(details: Mapping[str, Any]) -> str:
    """The turn's number, with its phase where a turn has two (spells)."""
    phase = names.PHASES.get(details.get("phase", ""))
    return f"{details['turn']} ({phase})" if phase else str(details.get("turn", ""))


def _foe(news: News) -> str:
    """Whose doing it is, if it is said; or else those of the other side (a and c against b and d)."""
    cast, seat = news.duel.cast, news.happening.details.get("seat")
    if news.happening.what in ("challenged", "withdrawn"):
        seat = "a"
    if seat and seat != news.letter:
        return str(cast[seat]["name"])
    side = news.letter in ("a", "c")
    return names.enumeration([cast[letter]["name"] for letter in sorted(cast) if (letter in ("a", "c")) is not side])


def holds(news: News) -> bool:
    """Say whether what is told is still true."""
    return KINDS[news.happening.what].holds(news)


def is_done(news: News) -> bool:
    """Say whether it asked for something that is done, or can no longer be done."""
    return news.happening.what in ASKING and not holds(news) and not _stands_still(news)


def _stands_still(news: News) -> bool:
    """Whether the clock stands still for an appeal: what a turn asks for may be asked again."""
    return news.duel.stopped_until is not None and news.happening.what != "appeal_waits"


def address(news: News) -> str:
    """Return where it leads; to the duel, once it is no longer true."""
    return KINDS[news.happening.what].leads_to(news) if holds(news) else the_duel(news)


def until(news: News) -> dt.datetime | None:
    """Return the deadline that it is about, or None."""
    return KINDS[news.happening.what].until(news)
