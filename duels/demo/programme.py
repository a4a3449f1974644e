"""The duels of the demo's school, each with its challenge and the steps that lead where it stands today."""

from __future__ import annotations

from typing import NamedTuple

from duels.actions.framing import Words

from .goals import beaten, caught, decided, even, pierced, transformed, trapped
from .steps import (
    ACCEPT,
    DECLINE,
    EXPIRE,
    PREPARED,
    START_ON_TIME,
    STARTED_BY_BOTH,
    TAKE,
    Amended,
    Step,
    announces,
    answers_appeal,
    asks_time_out,
    contests,
    corrects,
    filed,
    grants_time_out,
    hide,
    offers_draw,
    resign,
    turn,
    turn_before_extra,
)

TAKEN = (ACCEPT, TAKE)
RUNNING = (*TAKEN, *STARTED_BY_BOTH)
RUNNING_ALONE = (ACCEPT, *STARTED_BY_BOTH)  # without a referee
OMBELINE, TANCREDE = "ombeline", "tancrede"
A_CLUE = Amended(invalid=("b", "La fin laisse deviner ce que prépare le pantin."))
A_BELL = Amended(
    given=("b", 1, "La cloche a sonné trop tôt pendant sa parade : un point rendu, d’accord avec les deux."),
    words=Words("La cloche du dîner sonne une fois de trop. *Personne* ne bouge.", "Reprenez place. On ne rit pas."),
)
LANTERNS = Words("On rallume les lanternes une à une. Tancrède ouvre son carnet.", "Bonne nuit à qui peut dormir.")


class Scene(NamedTuple):
    """A duel: who challenges whom, with what words; the `steps`; and how many hours ago the last one was, about.

    The message tells one scene from another: a duel that bears it between the two has been loaded already.
    """

    a: str
    b: str
    message: str
    steps: tuple[Step, ...]
    since: float
    referee: str = ""  # nobody's: the duel needs none, or looks for one still
    refereed: bool = True
    kind: str = "training"
    hours: int = 48
    edition: str = "beta"
    stake: int = 0
    staked_in: str = "liards"


def _friendly(a: str, b: str, message: str, weeks_ago: int) -> Scene:
    steps = (*RUNNING_ALONE, turn(), turn(), turn(), offers_draw("b"), offers_draw("a"))
    return Scene(a, b, message, steps, since=weeks_ago * 7 * 24, refereed=False, hours=24)


# With these, two have finished the five duels after which one may apply to become a referee (A14).
_FRIENDLY = (
    ("mahaut", "celeste", "Tu as tenu bon la dernière fois. On recommence, sans public et sans craie ?", 10),
    ("celeste", "mahaut", "Troisième et dernière, promis. Je veux comprendre ta garde, pas la battre.", 11),
    ("basile", "mahaut", "Madame, accordez-moi une leçon. J'apporte le pantin, vous apportez le reste.", 12),
    ("mahaut", "basile", "La leçon numéro deux, Basile : cette fois, on regarde la lame et pas son reflet.", 13),
)  # fmt: skip

OVER = (
    Scene(
        "celeste", "isaure",
        "Tu as dit au réfectoire que je gagnais parce que personne n'osait. Ose. Je t'attends, avec plaisir.",
        (*RUNNING, *[turn_before_extra(even(1))] * 5, turn_before_extra(even(3)), turn(decided), resign("b")),
        since=9 * 24, referee=OMBELINE,
    ),
    Scene(
        "basile", "celeste",
        "Ma chère Céleste, je vous accorde le privilège d'être battue par moi. Ne me remerciez pas : signez.",
        (*RUNNING, turn(beaten("a", 1)), turn(beaten("a", 2)), turn(pierced),
         *[turn(beaten("a", 3))] * 2, resign("a")),
        since=17 * 24, referee=TANCREDE,
    ),
    Scene(
        "joachim", "gersende",
        "Chère madame, si je gagne vous effacez mes amendes. Si je perds je range les cartes. Signé : un ami.",
        (*RUNNING, turn(), turn(), resign("a")),
        since=30 * 24, referee=OMBELINE,
    ),
    Scene(
        "eudoxie", "fulbert",
        "Vous souvenez-vous de la chandelle renversée, en 1958 ? Moi oui. Je réclame ma revanche avant le thé.",
        (*RUNNING, turn(), turn(), offers_draw("a"), offers_draw("b")),
        since=5 * 24, referee=TANCREDE, edition="classic",
    ),
    Scene(
        "hippolyte", "dorian",
        "On me dit que tu écris des vers sur mes roses. Viens donc voir le jardinier, on causera en bois.",
        (*RUNNING, turn(late="b"), turn(late="b"), turn(late="b")),
        since=12 * 24, referee=OMBELINE, hours=24, stake=12,
    ),
    Scene(
        "kerenza", "alix",
        "Tu regardais le râtelier comme d'autres la mer. Un duel d'entraînement, tout doux, pour voir ?",
        (*RUNNING_ALONE, *[turn(beaten("b", 2))] * 2, *[turn(beaten("b", 3))] * 2, resign("b")),
        since=21 * 24, refereed=False, hours=24,
    ),
    Scene(
        "celeste", "mahaut",
        "Mahaut, les élèves de troisième veulent voir une championne. Je leur ai dit que j'en connaissais une.",
        (*RUNNING, turn(), turn(),
         contests("a", "Ma parade couvrait le bras gauche : je ne vois pas où est passé ce point de liaison."),
         answers_appeal(TANCREDE, "Relu étape par étape : l’estoc visait le torse, la parade n’y était pas."),
         turn(), offers_draw("a"), offers_draw("b")),
        since=62 * 24, referee=OMBELINE, hours=24,
    ),
    *(_friendly(a, b, message, weeks_ago) for a, b, message, weeks_ago in _FRIENDLY),
    Scene(
        "mahaut", "hippolyte",
        "Deuxième manche ? Je promets de ne pas piétiner les plates-bandes. La première ne compte pas, il ventait.",
        (*TAKEN, *PREPARED, START_ON_TIME, turn(amended=A_CLUE), turn(), resign("b")),
        since=40 * 24, referee=TANCREDE, edition="classic",
    ),
)  # fmt: skip

LIVE = (
    Scene(
        "basile", "mahaut",
        "Une ancienne championne, c'est comme un vieux vin : on le débouche avec respect, et d'un coup sec.",
        (), since=20,
    ),
    Scene(
        "isaure", "alix",
        "Je t'apprends ! Enfin, on apprend toutes les deux. Dis oui dis oui dis oui.",
        (), since=51, hours=24,
    ),
    Scene(
        "gersende", "hippolyte",
        "Il y a de la terre dans le rayon botanique. Réglons cela dehors, c'est-à-dire dedans.",
        (ACCEPT,), since=16,
    ),
    Scene(
        "kerenza", "dorian",
        "Tu as écrit « la mer, cette plaine ». Il faut qu'on parle.",
        (*TAKEN, hide("a")), since=7, referee=TANCREDE,
    ),
    Scene(
        "fulbert", "leopold",
        "Cassagne ! Posez cette craie. Mercredi.",
        TAKEN, since=11, referee=OMBELINE,
    ),
    Scene(
        "alix", "joachim",
        "Bonjour, on m'a dit que tu étais gentil. Tu veux bien être mon premier adversaire ? Merci d'avance.",
        (*RUNNING,
         asks_time_out("b", 48, "Bal chez ma grand-tante, au fond des bois et sans hibou. Deux jours, promis.")),
        since=9, referee=OMBELINE,
    ),
    Scene(
        "celeste", "dorian",
        "J'ai lu ton recueil. Il y a un hexamètre faux page douze, et beaucoup de courage ailleurs. Viens te battre.",
        (*RUNNING, turn(transformed), turn(transformed), filed(only="b")),
        since=4, referee=TANCREDE,
    ),
    Scene(
        "mahaut", "leopold",
        "Cher collègue, vous soutenez que l'intuition ne se démontre pas. Démontrons-le ensemble.",
        (*RUNNING, turn(trapped), turn(trapped), turn(caught)),
        since=3, referee=OMBELINE,
    ),
    Scene(
        "gersende", "eudoxie",
        "Professeur, vous m'avez mis onze sur vingt en 1996. J'y pense encore.",
        (*RUNNING, turn(amended=A_BELL), filed(only="a"),
         asks_time_out("b", 72, "Trois jours de sources chaudes, sur ordonnance. Mes genoux vous remercient."),
         grants_time_out("Accordé : on ne discute pas une ordonnance.")),
        since=8, referee=TANCREDE, edition="classic",
    ),
    Scene(
        "fulbert", "mahaut",
        "Deux titres, et vous baissez encore la garde en riant. Venez que je corrige ça.",
        (*RUNNING, filed()),
        since=13, referee=OMBELINE,
    ),
    Scene(
        "isaure", "gersende",
        "Je n'ai PAS corné la page 40. C'était déjà corné. Je le prouverai par les armes.",
        (*RUNNING, turn(), turn(pierced), filed(), announces(20, LANTERNS)),
        since=3, referee=TANCREDE, stake=2, staked_in="runes",
    ),
    Scene(
        "basile", "kerenza",
        "Tout le monde dit que tu es imprenable. J'ai de la conversation et un grand pantin.",
        (*RUNNING, *[turn_before_extra(even(points)) for points in (1, 2, 1, 3, 3)], filed(only="b")),
        since=5, referee=OMBELINE,
    ),
    Scene(
        "joachim", "hippolyte",
        "Monsieur Sauvageon, si je gagne, j'ai le droit de conduire la brouette. C'est tout ce que je demande.",
        (*RUNNING_ALONE, turn()),
        since=3, refereed=False,
    ),
    Scene(
        "hippolyte", "mahaut",
        "Le terreau est tourné, les outils rangés. Il reste une heure avant la nuit : descendez sur la piste.",
        (*RUNNING, turn(), turn(),
         corrects(1, "b", "Relecture faite, j’ai laissé passer une publication qui annonçait son coup.",
                  "La dernière phrase dit où l’épée va tomber."),
         filed(only="a")),
        since=6, referee=TANCREDE,
    ),
    Scene(
        "dorian", "gersende",
        "Vous avez classé mon recueil avec les herbiers. Je demande réparation, ou au moins une étagère.",
        (*RUNNING, turn(), turn(),
         contests("b", "Ma parade tenait encore quand l’estoc est tombé : relisez l’ordre des étapes.")),
        since=5, referee=OMBELINE,
    ),
    Scene(
        "isaure", "kerenza",
        "Jeudi, au bois, comme on a dit. Apporte les quinze Liards et ne marche pas sur les brindilles.",
        (*RUNNING_ALONE, turn()),
        since=6, refereed=False, kind="clandestine", stake=15,
    ),
    Scene(
        "leopold", "celeste",
        "Mademoiselle, votre copie était parfaite, ce qui est suspect. Je souhaite vérifier.",
        (DECLINE,), since=45 * 24,
    ),
    Scene(
        "dorian", "eudoxie",
        "Chère Madame, j'aimerais perdre contre vous, si le cœur vous en dit, un soir de pluie.",
        (EXPIRE,), since=26 * 24,
    ),
)  # fmt: skip


def _wednesday(a: str, b: str, weeks_ago: int) -> Scene:
    message = "Un entraînement de plus, mercredi, pour voir du terrain ? On s'arrête avant le goûter."
    steps = (*RUNNING_ALONE, turn(), offers_draw("b"), offers_draw("a"))
    return Scene(a, b, message, steps, since=weeks_ago * 7 * 24, refereed=False, hours=24)


# Friendly bouts of the past, loaded one by one until each of the arenas, which only dice choose, has been seen.
WEDNESDAYS = tuple(
    _wednesday(a, b, 7 + week)
    for week, (a, b) in enumerate(
        (
            ("alix", "basile"), ("isaure", "joachim"), ("kerenza", "celeste"), ("dorian", "basile"),
            ("mahaut", "gersende"), ("fulbert", "hippolyte"), ("leopold", "eudoxie"), ("alix", "dorian"),
            ("joachim", "kerenza"), ("isaure", "dorian"), ("celeste", "alix"), ("gersende", "leopold"),
            ("hippolyte", "eudoxie"), ("mahaut", "basile"), ("joachim", "dorian"), ("isaure", "kerenza"),
        )
    )
)  # fmt: skip
