"""What the books of many duels must say once the clock has closed a turn of theirs."""

from duels import secrets
from duels.models import Duel, Happening, Phase
from rules.core import Filed, Inputs
from tests.duels.exporting import failures


def foretold(keys):
    """Return, by key, what the open turns of these duels will come to if nothing more is filed in them."""
    return {duel.pk: _foretell(duel) for duel in _read(keys)}


def _read(keys):
    return Duel.objects.filter(pk__in=keys).select_related("phase__live", "thread").order_by("pk")


def _foretell(duel):
    state = secrets.state(duel)
    opened = [secrets.opened(entry, duel.uid) for entry in duel.phase.log]
    filed = tuple(Filed(entry.seat, entry.content) for entry in opened if entry.kind == "filing")
    late = dict.fromkeys(sorted(set("ab") - {one.seat for one in filed}), "late")
    step = duel.rules.resolve(state, Inputs(filings=filed, infractions=late), secrets.dice_of(duel, duel.current))
    return list(late), duel.rules.encode(step.state)


def amiss(keys, foretold):
    """Return what is not as an undisturbed clock would have left it: each turn closed once, and as was foretold."""
    return [f"duel {duel.pk}: {why}" for duel in _read(keys) for why in _wrong(duel, *foretold[duel.pk])]


def _wrong(duel, late, state):
    phase = duel.phases.get(number=1)
    resolutions = list(phase.resolutions.all())
    facts = {
        "status": (phase.status, Phase.Status.LOCKED if duel.refereed else Phase.Status.PUBLISHED),
        "turn": (duel.turn, 1 if duel.refereed else 2),
        "late": ([entry.seat for entry in phase.log if entry.kind == "infraction"], late),
        "resolutions": ([one.revision for one in resolutions], [1]),
        "live": (phase.live_id, resolutions[-1].pk if resolutions else None),
        "told": (_told(duel), 1),
        "failures": (duel.failures, 0),
    }
    yield from (f"{name} is {found}, not {true}" for name, (found, true) in facts.items() if found != true)
    if resolutions:
        found = duel.rules.encode(secrets.open_resolution(duel, phase, resolutions[-1])[0])
        yield from ["it was not worked out as foretold"] * (found != state)
    yield from gaps(duel)
    yield from failures(duel, moved=True)


def _told(duel):
    what = "turn_locked" if duel.refereed else "turn_published"
    return Happening.objects.filter(duel=duel, what=what).count()


def gaps(duel):
    """Yield where places in the thread or the log do not follow one another."""
    positions = list(duel.thread.posts.order_by("position").values_list("position", flat=True))
    if positions != list(range(1, len(positions) + 1)):
        yield f"positions {positions}"
    log = list(duel.entries.order_by("index").values_list("index", "hash"))
    if [index for index, _hash in log] != list(range(duel.entry_count)) or log[-1][1] != duel.chain_head:
        yield f"entries {log} but {duel.entry_count} and {duel.chain_head}"
