"""Statistics as charts: bars drawn in a table, which a screen reader reads as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from duels.models import SpellBook
from duels.queries.books import incantations
from duels.sentences import names
from duels.sentences.spells import spell_name

from .chance import Face, Fairness
from .models import Tally
from .queries.statistics import Statistics

LENGTH = 100  # of the longest bar, in the units of the SVG
Subject = Tally.Subject

RESULTS = {
    "won": gettext_lazy("duels won"),
    "lost": gettext_lazy("duels lost"),
    "drawn": gettext_lazy("duels drawn"),
}
TITLES: dict[str, Promise] = {
    Subject.RESULT: gettext_lazy("Results"),
    Subject.ENDING: gettext_lazy("How the duels ended"),
    Subject.THRUST: gettext_lazy("Where the thrusts aimed"),
    Subject.PARRY: gettext_lazy("What was parried"),
    Subject.RECEPTACLE: gettext_lazy("Where the receptacles lay"),
    Subject.OPTION: gettext_lazy("Options declared"),
    Subject.SPELL: gettext_lazy("Spells cast"),
}
LABELS: dict[str, Mapping[str, Promise]] = {
    Subject.RESULT: RESULTS,
    Subject.ENDING: names.ENDINGS,
    Subject.THRUST: names.ZONES,
    Subject.PARRY: names.ZONES,
    Subject.RECEPTACLE: names.ZONES,
    Subject.OPTION: names.OPTIONS,
}
WHOLE = (Subject.RESULT, Subject.THRUST, Subject.PARRY, Subject.RECEPTACLE)  # shown with what never happened, in order


class Bar(NamedTuple):
    """One line of a chart: `length` 0 to LENGTH as it is drawn, `share` of all in percent."""

    label: str
    times: int
    share: int
    length: str


class Chart(NamedTuple):
    """A table of bars; `mark` is where fair dice would end, as it is drawn."""

    key: str
    title: str
    bars: list[Bar]
    mark: str = ""


class DiceChart(NamedTuple):
    """How one kind of die fell, drawn and judged."""

    fairness: Fairness
    chart: Chart
    often: str


def of(counted: Statistics) -> list[Chart]:
    """Return the charts of what the duellists did; none of what never happened."""
    return [
        Chart(subject, str(TITLES[subject]), _bars(_labelled(subject, counted.of(subject))))
        for subject in TITLES
        if counted.of(subject)
    ]


def _labelled(subject: str, counts: Mapping[str, int]) -> list[tuple[str, int]]:
    if subject in WHOLE:
        return [(str(label), counts.get(value, 0)) for value, label in LABELS[subject].items()]
    if subject == Subject.SPELL:
        book = incantations(SpellBook.objects.values_list("pk", flat=True).first())
        said = [(spell_name(code, book), count) for code, count in counts.items()]
    else:
        said = [(str(LABELS[subject].get(value, value)), count) for value, count in counts.items()]
    return sorted(said, key=lambda one: (-one[1], one[0]))


def _bars(lines: Iterable[tuple[str, int]], longest: float = 0) -> list[Bar]:
    """Return the bars; the longest is as long as can be, unless `longest` is more."""
    lines = list(lines)
    total = sum(count for _label, count in lines) or 1
    longest = max(longest, *(count for _label, count in lines), 1)
    return [Bar(label, count, round(100 * count / total), f"{LENGTH * count / longest:.1f}") for label, count in lines]


def of_dice(counted: Statistics) -> list[DiceChart]:
    """Return how each kind of die fell."""
    return [_dice(fairness) for fairness in counted.dice]


def _dice(fairness: Fairness) -> DiceChart:
    mean = fairness.rolls / len(fairness.fell)
    longest = max(mean, *(face.times for face in fairness.fell))
    chart = Chart(
        f"die-{fairness.faces}",
        _("Dice of %(faces)d faces") % {"faces": fairness.faces},
        _bars([(_face_name(face), face.times) for face in fairness.fell], longest),
        f"{LENGTH * mean / longest:.1f}",
    )
    return DiceChart(fairness, chart, _often(fairness.p))


def _face_name(face: Face) -> str:
    if face.first == face.last:
        return str(face.first)
    return _("%(first)d to %(last)d") % face._asdict()


def _often(p: float | None) -> str:
    """Say a probability in words; "in 34 of 100 series as long"."""
    if p is None:
        return ""
    if p >= 0.01:
        return _("in %(times)d of 100 series as long") % {"times": round(100 * p)}
    if p >= 0.001:
        return _("in %(times)d of 1,000 series as long") % {"times": round(1000 * p)}
    return _("in less than 1 of 1,000 series as long")
