"""Why a fight's rules refuse something: sentences for players, each with its rule's number."""

from __future__ import annotations

from typing import Final

from games.rules.words import Reason, _

NO_PARTY: Final = Reason(_("a fight needs somebody in the party"), "KN-12")
NO_FOES: Final = Reason(_("a fight needs at least one foe"), "KN-12")
TOO_MANY: Final = Reason(_("a fight holds at most 60 combatants"), "KN-12")
SAME_ID: Final = Reason(_("two combatants have the same id"), "KN-12")
TOO_HEALTHY: Final = Reason(_("hit points are never above their maximum"), "KN-21")
SETUP_BOUNDS: Final = Reason(_("a figure or a text of this combatant is out of bounds"))

OVER: Final = Reason(_("the fight is over"))
UNKNOWN: Final = Reason(_("there is no such action in this fight"))
NO_SEAT: Final = Reason(_("nobody in the party sits there"))
NOT_YOURS: Final = Reason(_("you act only for your own character"), "KN-13")
ONLY_REFEREE: Final = Reason(_("only the referee does that"))
BOUNDS: Final = Reason(_("a figure or a text is out of bounds"))
MODIFIER: Final = Reason(_("a modifier goes from -20 to 20"), "KN-10")
AMOUNT: Final = Reason(_("an amount of hit points goes from 0 to 9999"), "KN-16")

STRANGER: Final = Reason(_("nobody in this fight has that id"))
DEAD: Final = Reason(_("the dead do nothing"), "KN-16")
UNCONSCIOUS: Final = Reason(_("the unconscious do nothing"), "KN-16")
FLED: Final = Reason(_("whoever has fled does nothing more here"), "KN-20")
ON_SELF: Final = Reason(_("nobody does that to themselves"), "KN-14")
ON_DEAD: Final = Reason(_("that one is dead already"), "KN-16")
ON_FLED: Final = Reason(_("that one has fled"), "KN-20")
ON_DOWN: Final = Reason(_("that one is unconscious"), "KN-16")

NO_INITIATIVE: Final = Reason(_("nobody has rolled for initiative yet"), "KN-12")
SECOND_BEGAN: Final = Reason(_("the other side has begun to act"), "KN-12")
ONE_ACTION: Final = Reason(_("that combatant has used this round's combat action"), "KN-13")
ATTACKS_MADE: Final = Reason(_("that combatant has made all its attacks for this round"), "KN-18")
STUNT_MADE: Final = Reason(_("that combatant has made a stunt this round"), "KN-18")
BOTH_EDGE: Final = Reason(
    _("an attack and a stunt together go without advantage or disadvantage"),
    "KN-18",
)
BOTH_BEGUN: Final = Reason(_("that combatant chose an attack and a stunt together"), "KN-18")
BOTH_LATE: Final = Reason(
    _("an attack and a stunt go together only from the first of them"), "KN-18"
)
NO_WEAPON: Final = Reason(_("there is no weapon in hand: wield one"), "KN-14")
NO_SUCH_WEAPON: Final = Reason(_("there is no such further weapon"), "KN-14")
RANGED_ENGAGED: Final = Reason(_("nobody shoots or throws while engaged in melee"), "KN-14")

ENGAGED: Final = Reason(_("these two are in melee already"), "KN-14")
NOT_ENGAGED: Final = Reason(_("that combatant is not in melee"), "KN-14")
NO_MORALE: Final = Reason(_("that combatant has no morale rating"), "KN-20")
HEAL_DEAD: Final = Reason(_("nothing heals the dead"), "KN-16")
REST_DEAD: Final = Reason(_("the dead do not rest"), "KN-21")
REST_TWICE: Final = Reason(_("nobody rests twice in one night"), "KN-21")
REST_HAVEN: Final = Reason(_("a safe haven heals everybody, without dice"), "KN-21")

RECORD_DICE: Final = Reason(_("this action's dice are missing, or of another shape"))
RECORD_NO_DICE: Final = Reason(_("this action has no dice"))
RECORD_WHO: Final = Reason(_("a record says who rests beside the dice"), "KN-21")
RECORD_OBJECT: Final = Reason(_("an action is a JSON object"))
