"""One sentence for each thing that happens in an arena duel, in the words of a referee.

A key is the event's code, then what it varies with (an option, a rule…), then "+zones" or "+gain" when the event
names zones or points were won. The most particular key counts, so that what is masked from a reader is said without it.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from .names import Words

INCIDENTS: Words = {
    "infraction": _("Infraction: the link of %(of_seat)s puppet is weakened, which costs %(points)s."),
    "infraction late": _("%(seat)s let the deadline pass: this infraction costs %(points)s."),
    "infraction invalid_post": _("%(of_seat)s publication is not valid: this infraction costs %(points)s."),
    "relentlessness": _("Relentlessness: %(seat)s thrust at the same zone two turns running, which costs %(points)s."),
    "relentlessness+zones": _("Relentlessness: %(seat)s thrust %(at_zone)s two turns running, which costs %(points)s."),
    "cowardice": _("Cowardice: %(seat)s parried the same zone two turns running, which costs %(points)s."),
    "cowardice+zones": _("Cowardice: %(seat)s parried %(at_zone)s two turns running, which costs %(points)s."),
    "repetition": _("Repetition: %(seat)s used the same option twice in a row, which costs %(points)s."),
    "repetition option": _("Repetition: %(seat)s used %(option)s twice in a row, which costs %(points)s."),
    "insufficient": _("%(seat)s tried an option without the points for it, which costs %(points)s."),
    "insufficient option": _("%(seat)s tried %(option)s without the points for it, which costs %(points)s."),
    "choice_forfeited": _("%(seat)s named no zone in time for the decoy that was hit: the choice is forfeited."),
    "zone_disabled": _("%(foe)s named a zone of %(of_seat)s puppet: it is disabled for this turn and the next."),
    "zone_disabled+zones": _("%(foe)s named %(zone)s of %(of_seat)s puppet: it is disabled up to turn %(last_turn)s."),
}

OPTIONS: Words = {
    "failed_option": _("An option that %(seat)s tried has failed."),
    "failed_option A10.6": _("%(seat)s tried %(option)s without naming the zones it needs: it has failed."),
    "failed_option A10.7a": _("%(seat)s tried %(option)s with a receptacle that cannot be used: it has failed."),
    "failed_option A11.0": _("%(seat)s tried %(option)s, out of reach: it has failed."),
    "failed_option move_receptacle": _("%(seat)s tried %(option)s, but the receptacle could not move: it has failed."),
    "option_cancelled": _("%(foe)s had seen it coming: the option that %(seat)s tried is cancelled."),
    "option_cancelled option": _("%(foe)s had seen it coming: %(option)s that %(seat)s tried is cancelled."),
    "move_pinned": _("%(seat)s tried to move the receptacle, but %(foe)s had pinned it: it stays where it is."),
    "option_used": _("%(seat)s used an option."),
    "option_used rough_skin": _("%(seat)s covered a secret zone with rough skin for the next two turns."),
    "option_used rough_skin+zones": _("%(seat)s covered %(zones)s with rough skin for the next two turns."),
    "option_used gaping_hole": _("%(seat)s opened gaping holes in two secret zones, decoys for the next two turns."),
    "option_used gaping_hole+zones": _("%(seat)s opened gaping holes: %(zones)s are decoys for the next two turns."),
    "option_used regenerating_sap": _("%(seat)s let the regenerating sap rise, but the gauge was already full."),
    "option_used regenerating_sap+gain": _("%(seat)s let the regenerating sap rise, and won back %(gained)s."),
    "option_used stealth_thrust": _("%(seat)s prepared a stealth thrust for the next turn."),
    "option_used time_capsule": _("%(seat)s opened a time capsule: it changes the length of the next three turns."),
    "option_used move_receptacle": _("%(seat)s moved the receptacle of the puppet to another zone, kept secret."),
    "option_used move_receptacle+zones": _("%(seat)s moved the receptacle of the puppet into %(zones)s."),
    "option_used change_arena": _("%(seat)s used the year 2 technique to change the arena."),
    "option_used repair_receptacle": _("%(seat)s used the year 3 technique: the receptacle of the puppet is whole."),
    "option_used cancel_option": _("%(seat)s used the year 4 technique: %(of_foe)s next option will be cancelled."),
    "option_used pin_receptacle": _(
        "%(seat)s used the year 5 technique: %(of_foe)s receptacle will not move next time."
    ),
    "option_used neutralise_arena": _("%(seat)s used the year 6 technique to neutralise the arena."),
    "option_used convert_points": _("%(seat)s converted %(points)s, but could keep nothing of what they became."),
    "option_used convert_points+gain": _("%(seat)s converted %(points)s into %(gained)s."),
}

THRUSTS: Words = {
    "swapped_zones": _("The winds rose: for both duellists the zones of thrust and parry were swapped."),
    "shifted": _("The runic rocks shifted thrusts and parries by one zone."),
    "shifted up": _("The runic rocks shifted thrusts and parries by one zone up."),
    "shifted down": _("The runic rocks shifted thrusts and parries by one zone down."),
    "shifted left": _("The runic rocks shifted thrusts and parries by one zone to the left."),
    "shifted right": _("The runic rocks shifted thrusts and parries by one zone to the right."),
    "missed": _("%(of_seat)s thrust met nothing but air."),
    "missed A12.4a": _("%(of_seat)s thrust, shifted off %(of_foe)s puppet, met nothing but air."),
    "missed A12.3": _("%(of_seat)s thrust was lost in the void zone of %(of_foe)s puppet."),
    "missed A12.3+zones": _("%(of_seat)s thrust was lost in the void zone of %(of_foe)s puppet: %(zone)s."),
    "hit": _("%(of_foe)s thrust hit %(of_seat)s puppet, which costs %(points)s."),
    "hit+zones": _("%(of_foe)s thrust hit %(zone)s of %(of_seat)s puppet, which costs %(points)s."),
    "parried": _("%(seat)s parried the thrust, and won nothing by it."),
    "parried+gain": _("%(seat)s parried the thrust, and won %(gained)s."),
    "parried+zones": _("%(seat)s parried the thrust %(at_zone)s, and won nothing by it."),
    "parried+zones+gain": _("%(seat)s parried the thrust %(at_zone)s, and won %(gained)s."),
    "rough_skin_held": _("The rough skin of %(of_seat)s puppet stopped the thrust, and nothing was won by it."),
    "rough_skin_held+gain": _("The rough skin of %(of_seat)s puppet stopped the thrust, and won %(gained)s."),
    "rough_skin_held+zones": _(
        "The rough skin of %(of_seat)s puppet stopped the thrust %(at_zone)s, and nothing was won by it."
    ),
    "rough_skin_held+zones+gain": _(
        "The rough skin of %(of_seat)s puppet stopped the thrust %(at_zone)s, and won %(gained)s."
    ),
    "decoy_hit": _("%(of_foe)s thrust fell into a decoy: %(seat)s may name a zone to disable."),
    "decoy_hit+zones": _("%(of_foe)s thrust fell into a decoy, %(zone)s: %(seat)s may name a zone to disable."),
    "stealth_struck": _("It was a stealth thrust: nothing could protect %(of_seat)s puppet."),
    "stealth_struck+zones": _("It was a stealth thrust: nothing could protect %(zone)s of %(of_seat)s puppet."),
    "pierced": _("%(of_seat)s receptacle has been pierced."),
    "pierced+zones": _("%(of_seat)s receptacle has been pierced: it was in %(zone)s."),
    "leaked": _("%(of_seat)s receptacle leaked: %(points)s lost."),
}

ENDS: Words = {
    "adjusted": _("The referee changed %(of_seat)s gauge."),
    "adjusted given": _("The referee gave %(seat)s %(points)s."),
    "adjusted taken": _("The referee took %(points)s from %(seat)s."),
    "gauges_swapped": _("The verdant circles bloomed: the duellists swapped their link and alchemy points."),
    "arena_changed": _("%(seat)s changed the arena."),
    "arena_changed arena": _("%(seat)s changed the arena: from the next turn on, the duel is fought on %(arena)s."),
    "arena_neutralised": _("%(seat)s neutralised the arena: from the next turn on it has no effect."),
    "arena_neutralised+turn": _(
        "%(seat)s neutralised the arena: it has no effect from the next turn on, and up to turn %(last_turn)s at least."
    ),
    "zone_void": _("The sand crept into the puppets: one zone is void for the next turn."),
    "zone_void+zones": _("The sand crept into the puppets: in the next turn the void zone is %(zone)s."),
    "discovered": _("A teacher has discovered the duel: it ended at once."),
    "extra_turn": _("Nothing could separate the duellists: one extra turn will be played."),
    "duel_over": _("The duel is over: %(seat)s has won."),
    "duel_over draw": _("The duel is over: it is a draw."),
    "duel_over draw A13.3": _("Both duellists committed their third infraction in the same turn: the duel is a draw."),
    "duel_over draw A13.4": _("The duellists agreed on a draw: the duel is over."),
    "duel_over link_broken": _("The link of %(of_foe)s puppet is broken: %(seat)s has won the duel."),
    "duel_over alchemy": _("Both links broke in the same turn: %(seat)s, with more alchemy points, has won the duel."),
    "duel_over extra_turn": _("The extra turn has decided: %(seat)s has won the duel."),
    "duel_over first_post": _("Nothing separates the gauges: %(seat)s, the first to publish, has won the duel."),
    "duel_over infractions": _("%(foe)s committed a third infraction: %(seat)s has won the duel."),
    "duel_over discovered": _("Discovered, the duel is decided by the gauges: %(seat)s has won."),
    "duel_over wall": _("The time of the round is over; the gauges decide: %(seat)s has won the duel."),
    "duel_over draw A15.1": _("The time of the round is over, and nothing separates the duellists: it is a draw."),
    "duel_over absence": _("%(foe)s has filed nothing by the end of the round: %(seat)s has won the duel."),
    "duel_over surrender": _("%(foe)s has surrendered: %(seat)s has won the duel."),
}

SENTENCES: Words = {**INCIDENTS, **OPTIONS, **THRUSTS, **ENDS}
