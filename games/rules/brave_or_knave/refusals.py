"""Why the rules refuse something: sentences for players, each with its rule's number."""

from __future__ import annotations

from typing import Final

from games.rules.words import Reason, _

SEATS: Final = Reason(_("a game needs 2 to 18 players"), "BK-1")
BLANK_NAME: Final = Reason(_("every player needs a guild name"), "BK-2")
SAME_NAME: Final = Reason(_("two players have the same guild name"), "BK-2")
NUMBERS_COUNT: Final = Reason(_("every player needs one personal number"), "BK-3")
NUMBER_RANGE: Final = Reason(_("a personal number goes from 2 to 19"), "BK-3")
SAME_NUMBER: Final = Reason(_("two players have the same personal number"), "BK-3")
NO_SUCH_FIRST: Final = Reason(_("the first player must have a seat"), "BK-6")
UNISON_RANGE: Final = Reason(_("the unison window cannot be negative"), "BK-9")

RULE_NAME: Final = Reason(_("a house rule needs a name"), "BK-25")
RULE_RANGE: Final = Reason(_("a house rule's number goes from 2 to 19"), "BK-25")
RULE_GRAVE: Final = Reason(_("a house rule cannot take the 1: it is GRAVE"), "BK-25")
RULE_STAVE: Final = Reason(_("a house rule cannot take the 20: it is STAVE"), "BK-25")
RULE_OWNED: Final = Reason(_("a house rule cannot take somebody's personal number"), "BK-25")
RULE_CLASH: Final = Reason(_("two house rules want the same number on the same rolls"), "BK-25")
RULE_OCCASION: Final = Reason(
    _("a house rule acts on opening rolls, challenge rolls or both"), "BK-25"
)
RULE_EMPTY: Final = Reason(_("a house rule needs at least one effect"), "BK-25")
EFFECT_KIND: Final = Reason(_("there is no such effect"), "BK-25")
EFFECT_TARGET: Final = Reason(_("there is no such target"), "BK-25")
EFFECT_AMOUNT: Final = Reason(_("an effect takes or gives 1 to 5 fingers"), "BK-25")
EFFECT_NO_CHALLENGER: Final = Reason(_("an opening roll has no challenger"), "BK-25")
EFFECT_ONE_TARGET: Final = Reason(_("only one player can have the die"), "BK-25")
EFFECT_CALL: Final = Reason(_("whoever rolls next must roll under BRAVE or KNAVE"), "BK-25")
EFFECT_NO_CALL: Final = Reason(_("only an effect that says who rolls next has a call"), "BK-25")
EFFECT_TWICE: Final = Reason(_("a house rule can say only once who has the die next"), "BK-25")

OVER: Final = Reason(_("the game is over"), "BK-22")
NO_SEAT: Final = Reason(_("nobody sits there"), "BK-5")
OUT: Final = Reason(_("you are out"), "BK-21")
ONLY_TABLE: Final = Reason(_("only the table itself closes the shouting"), "BK-9")
ONLY_PLAYERS: Final = Reason(_("the table itself can only knock and close the shouting"), "BK-11")
UNKNOWN: Final = Reason(_("there is no such action in this game"))

SHROUD_SWITCHED_OFF: Final = Reason(_("this table plays without the Shroud"), "BK-23")
SHROUD_TOO_LATE: Final = Reason(_("a Shroud is called before an opening roll"), "BK-23")
SHROUD_ROLLER: Final = Reason(_("the roller cannot call for a Shroud"), "BK-23")
SHROUD_TAKEN: Final = Reason(_("somebody has called for a Shroud already"), "BK-23")
CUP_WITHOUT_SHROUD: Final = Reason(_("a die is cupped only under a Shroud"), "BK-23")
CUP_LIES: Final = Reason(_("the die lies under the hand already"), "BK-23")
BLIND_ONLY_CALLER: Final = Reason(_("only whoever called for the Shroud chooses blind"), "BK-23")
BLIND_NOT_NOW: Final = Reason(_("no die is under a Shroud"), "BK-23")
BLIND_CALL: Final = Reason(_("under a Shroud the choice is BRAVE or KNAVE"), "BK-23")

ROLL_NOT_YOU: Final = Reason(_("it is not your roll"), "BK-12")
ROLL_OPENING_NOT_YOU: Final = Reason(_("somebody else makes the opening roll"), "BK-7")
ROLL_NOT_NOW: Final = Reason(_("nobody rolls now"), "BK-7")

SHOUT_NOT_NOW: Final = Reason(_("the shouting is not open"), "BK-8")
SHOUT_ROLLER: Final = Reason(_("the roller cannot shout"), "BK-7")
SHOUT_TWICE: Final = Reason(_("you have shouted already"), "BK-8")
SHOUT_EARLY: Final = Reason(_("nobody can shout before the shouting opens"), "BK-8")
HEAL_SWITCHED_OFF: Final = Reason(_("this table plays without the Nine Sisters"), "BK-24")
HEAL_NOT_NOW: Final = Reason(_("HEAL is called only when a 9 stands"), "BK-24")

CLOSE_NOT_NOW: Final = Reason(_("the shouting is not open"), "BK-9")
CLOSE_SILENCE: Final = Reason(_("nobody has shouted yet"), "BK-9")
KNOCK_NOT_NOW: Final = Reason(_("knocks count only while the shouting is open"), "BK-11")
KNOCK_ROLLER: Final = Reason(_("only the roller may knock"), "BK-11")
KNOCK_SHOUTED: Final = Reason(_("somebody has shouted already"), "BK-11")

AWARD_NOT_NOW: Final = Reason(_("there is no challenge to give"), "BK-10")
AWARD_ROLLER: Final = Reason(_("only the roller has the last word"), "BK-10")
AWARD_TOO_LATE: Final = Reason(
    _("the roller's word holds only for shouts, before the roll"), "BK-10"
)
AWARD_SILENT: Final = Reason(_("only somebody who shouted can be given the challenge"), "BK-10")
AWARD_SAME: Final = Reason(_("that player has the challenge already"), "BK-10")

NAME_NOT_NOW: Final = Reason(_("nobody is to be named now"), "BK-11")
NAME_NOT_YOU: Final = Reason(_("somebody else names who rolls next"), "BK-18")
NAME_OUT: Final = Reason(_("only a living player can be named"), "BK-21")
NAME_SELF: Final = Reason(_("the roller names somebody else"), "BK-11")
NAME_CALL: Final = Reason(_("say BRAVE or KNAVE for them"), "BK-11")
NAME_NO_CALL: Final = Reason(_("a house rule's pick has no call"), "BK-25")

DEAL_NOT_NOW: Final = Reason(_("there are no fingers to deal out"), "BK-23")
DEAL_NOT_YOU: Final = Reason(_("only whoever won the Shroud deals out fingers"), "BK-23")
DEAL_SELF: Final = Reason(_("the fingers go to the other players"), "BK-23")
DEAL_TOO_MANY: Final = Reason(_("nobody can lose more fingers than they have left"), "BK-23")
DEAL_SUM: Final = Reason(_("all the fingers won must be dealt out, and no more"), "BK-23")

FINGER_NONE: Final = Reason(_("you owe no finger"), "BK-20")
FINGER_GONE: Final = Reason(_("that finger is gone already"), "BK-20")

RECORD_NOBODY: Final = Reason(_("nobody at this table has that name"), "BK-2")
RECORD_ONE_DIE: Final = Reason(_("a roll has exactly one die"), "BK-7")
RECORD_CUP: Final = Reason(_("a real die under the hand has no face yet"), "BK-23")
