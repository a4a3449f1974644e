"""What the rules have to say of a filing, and what to do about it. A key is the code, then the field or the rule."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from .names import Words

SANCTIONS: Words = {
    "relentlessness": _("You thrust there last turn: again would be relentlessness."),
    "cowardice": _("You parried there last turn: again would be cowardice."),
    "repetition": _("It is the last option you used: again would be a repetition."),
    "insufficient": _("You have not enough points for it: it would fail."),
}

REFUSALS: Words = {
    "above_year": _("It is taught in a later year than yours."),
    "past_limit": _("You have used all the secret techniques that this duel allows."),
    "receptacle_unusable": _("Your receptacle cannot be used in this turn: choose what needs no alchemy."),
    "duel_over": _("The duel is over: nothing more can be declared."),
    "choice_owed": _("Your decoy was hit: first name the zone that it disables."),
    "malformed": _("This declaration cannot be read: fill the form in again."),
    "missing": _("Something is missing here."),
    "missing thrust": _("Choose the zone that your thrust aims at."),
    "missing parry": _("Choose the zone that you parry."),
    "missing option": _("Choose an option, or none."),
    "missing option.zones": _("Choose as many zones as this option needs."),
    "missing option.to": _("Choose what your points become."),
    "unknown": _("This is not one of the choices offered: choose again."),
    "unexpected": _("This is not asked for: leave it out."),
    "unexpected option.zones": _("These are more zones than this option takes: choose fewer."),
    "equal": _("Choose different zones."),
}

WARNINGS: Words = {
    "void_zone": _("The sand has made this zone void."),
    "void_zone thrust": _("The sand has made this zone void: a thrust that lands there misses."),
    "void_zone parry": _("The sand has made this zone void: a parry there protects nothing."),
    "void_zone option.zones": _("The sand has made this zone void: a receptacle there cannot be used in this turn."),
    "disabled_zone": _("This zone is disabled."),
    "disabled_zone parry": _("This zone is disabled: a parry there protects nothing."),
    "disabled_zone choice": _("This zone is disabled already."),
    "disabled_zone option.zones": _("This zone is still disabled in the next turn: nothing will work there so long."),
    "disabled_zone option.zones A11.0": _("This zone is disabled: a receptacle cannot move there, it would fail."),
    "same_zone": _("The receptacle is there already: it would fail."),
    "no_effect": _("It would have nothing to act on."),
    "no_effect A2.2": _("Your gauge is full: it would win nothing."),
    "no_effect A11.0": _("Your receptacle is whole: there is nothing to repair."),
    "no_effect A11.6": _("The arena has just been neutralised, and cannot be changed yet."),
    "no_effect A11.2": _("You already have one waiting for your opponent: another adds nothing."),
    "gain_lost": _("What you would win would be lost."),
    "gain_lost A2.2": _("Your gauge is too full: what goes above it would be lost."),
    "gain_lost A4.2": _("Your receptacle is pierced: what you would win would be lost."),
    "gain_lost A12.3": _("Your receptacle cannot be used in this turn: what you would win would be lost."),
    "breaks_link": _("It would take your last link points: your link would break."),
}

BRIEF: Words = {
    "relentlessness": _("relentlessness"),
    "cowardice": _("cowardice"),
    "repetition": _("repetition"),
    "insufficient": _("not enough points"),
    "void_zone": _("void zone"),
    "disabled_zone": _("disabled zone"),
    "same_zone": _("receptacle already there"),
}

SPELLS: Words = {
    "not_called": _("No spell is aimed at you: nothing is asked of you in this phase."),
    "missing_zone": _("Name a zone."),
    "missing_zone zone": _("Name the zone that the spell is cast on."),
    "missing_zone move": _("Name the zone that you go to."),
    "missing_zone climb": _("Name the zone that you climb to."),
    "missing_target": _("Name whom the spell is cast on."),
    "missing_bet": _("Choose the series that you bet on."),
    "bet_not_offered": _("This series cannot be bet on here: choose one of those offered."),
    "one_cast": _("A post casts one spell, or picks up the wand: choose."),
    "one_move": _("A post moves once."),
    "climb_alone": _("Who climbs back onto the stage does nothing else in that post."),
    "wrong_phase": _("This cannot be done in this phase."),
    "not_a_defence": _("Only a defence spell can be cast in this phase."),
    "only_in_defence": _("A shield is cast in the defence phase only, when a spell is coming."),
    "on_floor": _("Fallen from the stage: you can only climb back, and cast nothing in this turn."),
    "not_on_floor": _("You stand on the stage: there is nothing to climb."),
    "off_stage": _("The stage has the zones 1 to 11."),
    "silenced": _("You are silenced, and can cast nothing."),
    "bound": _("You are bound, and can neither move, nor climb, nor dodge."),
    "disarmed": _("Your wand is gone: pick it up first."),
    "has_wand": _("You have your wand in hand."),
    "above_level": _("It is too far above your level."),
    "above_level modulation": _("Its modulation is above your level."),
    "above_level bonus": _("A spell above your level has no bonus."),
    "used_up": _("It is used up for this duel."),
    "used_up spell B4.1.6": _("Your one spell above your level is used up."),
    "used_up spell B4.1.9": _("All the casts of it that a duel allows are used up."),
    "repeated": _("It was cast last turn, or in this one: another spell has to come between."),
    "unpayable": _("It costs more than you can pay: the last fatigue point cannot be spent."),
    "no_bonus": _("This spell has no bonus."),
    "other_type": _("The bonus is for those who have its type of magic."),
    "no_modulation": _("This spell has no modulation."),
    "no_trait": _("It takes a trait that you do not have, or not at this rank."),
    "not_a_curse": _("Only a curse can be cast at half its cost."),
    "wrong_target": _("This spell cannot be cast on them."),
    "target_out": _("They are out of the duel: aim at somebody else."),
    "out_of_range": _("From where you stand it is out of range: it would miss, and be paid all the same."),
    "no_effect move": _("You stand there already."),
    "malformed post": _("This post cannot be read: fill the form in again."),
}

FINDINGS: Words = {**SANCTIONS, **REFUSALS, **WARNINGS, **SPELLS}
LEVELS: Words = {"error": _("not possible"), "sanction": _("sanction"), "warning": _("warning")}
