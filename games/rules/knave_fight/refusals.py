"""Why a fight's rules refuse something: sentences for players, each with its rule's number."""

from __future__ import annotations

from typing import Final

from games.rules.words import _

NO_PARTY: Final = (_("a fight needs somebody in the party"), "KN-12")
NO_FOES: Final = (_("a fight needs at least one foe"), "KN-12")
TOO_MANY: Final = (_("a fight holds at most 60 combatants"), "KN-12")
SAME_ID: Final = (_("two combatants have the same id"), "KN-12")
TOO_HEALTHY: Final = (_("hit points are never above their maximum"), "KN-21")
SETUP_BOUNDS: Final = (_("a figure or a text of this combatant is out of bounds"), "")

OVER: Final = (_("the fight is over"), "")
UNKNOWN: Final = (_("there is no such action in this fight"), "")
NO_SEAT: Final = (_("nobody in the party sits there"), "")
NOT_YOURS: Final = (_("you act only for your own character"), "KN-13")
ONLY_REFEREE: Final = (_("only the referee does that"), "")
BOUNDS: Final = (_("a figure or a text is out of bounds"), "")
MODIFIER: Final = (_("a modifier goes from -20 to 20"), "KN-10")
AMOUNT: Final = (_("an amount of hit points goes from 0 to 9999"), "KN-16")

STRANGER: Final = (_("nobody in this fight has that id"), "")
DEAD: Final = (_("the dead do nothing"), "KN-16")
UNCONSCIOUS: Final = (_("the unconscious do nothing"), "KN-16")
FLED: Final = (_("whoever has fled does nothing more here"), "KN-20")
ON_SELF: Final = (_("nobody does that to themselves"), "KN-14")
ON_DEAD: Final = (_("that one is dead already"), "KN-16")
ON_FLED: Final = (_("that one has fled"), "KN-20")
ON_DOWN: Final = (_("that one is unconscious"), "KN-16")

NO_INITIATIVE: Final = (_("nobody has rolled for initiative yet"), "KN-12")
SECOND_BEGAN: Final = (_("the other side has begun to act"), "KN-12")
ONE_ACTION: Final = (_("that combatant has used this round's combat action"), "KN-13")
ATTACKS_MADE: Final = (_("that combatant has made all its attacks for this round"), "KN-18")
STUNT_MADE: Final = (_("that combatant has made a stunt this round"), "KN-18")
BOTH_EDGE: Final = (
    _("an attack and a stunt together go without advantage or disadvantage"),
    "KN-18",
)
BOTH_BEGUN: Final = (_("that combatant chose an attack and a stunt together"), "KN-18")
BOTH_LATE: Final = (_("an attack and a stunt go together only from the first of them"), "KN-18")
NO_WEAPON: Final = (_("there is no weapon in hand: wield one"), "KN-14")
NO_SUCH_WEAPON: Final = (_("there is no such further weapon"), "KN-14")
RANGED_ENGAGED: Final = (_("nobody shoots or throws while engaged in melee"), "KN-14")

ENGAGED: Final = (_("these two are in melee already"), "KN-14")
NOT_ENGAGED: Final = (_("that combatant is not in melee"), "KN-14")
NO_MORALE: Final = (_("that combatant has no morale rating"), "KN-20")
HEAL_DEAD: Final = (_("nothing heals the dead"), "KN-16")
REST_DEAD: Final = (_("the dead do not rest"), "KN-21")
REST_TWICE: Final = (_("nobody rests twice in one night"), "KN-21")
REST_HAVEN: Final = (_("a safe haven heals everybody, without dice"), "KN-21")

RECORD_DICE: Final = (_("this action's dice are missing, or of another shape"), "")
RECORD_NO_DICE: Final = (_("this action has no dice"), "")
RECORD_WHO: Final = (_("a record says who rests beside the dice"), "KN-21")
RECORD_OBJECT: Final = (_("an action is a JSON object"), "")
