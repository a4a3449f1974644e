"""The referees' bench of the demo: a duel that one hands over to the other, and a candidacy that waits for both."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User

from duels import clock
from duels.demo.cast import REFEREE_NAMES
from duels.demo.timeline import at_instant
from duels.models import Duel

from .actions.candidacies import apply
from .actions.hand_overs import ask_hand_over
from .models import Candidacy, HandOver

CANDIDATE = "mahaut"
WORDS = (
    "J’ai gagné deux titres et perdu tout le reste : je sais à quel point on relit une résolution quand elle fait mal. "
    "Je suis là chaque soir après le dîner, et je tiens des notes propres."
)
LEAVING = "Je pars deux semaines aux archives, sans hibou ni lanterne. Veux-tu garder celui-ci ? Il est bien parti."


def load_bench() -> int:
    """Let what is missing be asked of the referees; return how much was."""
    now = clock.now()
    asked = 0
    if not Candidacy.objects.exists():
        with at_instant(now - dt.timedelta(hours=30)):
            apply(user=User.objects.get(username=CANDIDATE), message=WORDS, at_once=2, note="Le soir, après le dîner.")
        asked += 1
    if not HandOver.objects.exists():
        one, other = (User.objects.get(username=name) for name in REFEREE_NAMES)
        duel = Duel.objects.filter(referee=one, status=Duel.Status.RUNNING, stopped_until=None).order_by("pk")[0]
        with at_instant(now - dt.timedelta(hours=2)):
            ask_hand_over(user=one, duel_id=duel.pk, to_id=other.pk, message=LEAVING)
        asked += 1
    return asked
