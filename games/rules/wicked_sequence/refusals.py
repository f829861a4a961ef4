"""Why a sequence's rules refuse something: sentences for players, each with its rule's number."""

from __future__ import annotations

from typing import Final

from games.rules.words import Reason, _

HOW_MANY: Final = Reason(_("a sequence has two to eight participants"), "WA-41")
SAME_ID: Final = Reason(_("two participants have the same id"), "WA-41")
SETUP_BOUNDS: Final = Reason(_("a figure or a text of this participant is out of bounds"))
PC_FORMS: Final = Reason(_("a player's character has the six forms, with one die each"), "WA-13")
NPC_FORMS: Final = Reason(_("an NPC has the three forms, with two dice each"), "WA-15")
NO_SUCH_SIZE: Final = Reason(_("a die is a d12, d10, d8, d6 or d4, or gone"), "WA-68")
STRENGTH_SIZE: Final = Reason(_("a strength's die is a d8, d10 or d12"), "WA-22")
STRENGTH_FORM: Final = Reason(_("a strength works in a form that exists"), "WA-20")
STRENGTH_FORMS: Final = Reason(
    _("a strength works in one form of a player's character, or in two that differ"),
    "WA-21",
)
STRENGTH_TWICE: Final = Reason(_("nobody has the same strength twice"), "WA-29")
IS_OUT: Final = Reason(_("with two dice at 0 a character is out of the chapter"), "WA-69")
NO_REACH: Final = Reason(_("this is beyond those who have no far-reaching strength"), "WA-26")

OVER: Final = Reason(_("the sequence is over"), "WA-60")
UNKNOWN: Final = Reason(_("there is no such action in a sequence"))
NO_SEAT: Final = Reason(_("nobody in this sequence sits there"))
NOT_YOURS: Final = Reason(_("you act only for your own character"), "WA-40")
ONLY_TABLE: Final = Reason(_("that is for the whole table to say"))
BOUNDS: Final = Reason(_("a figure or a text is out of bounds"))
STRANGER: Final = Reason(_("nobody in this sequence has that id"), "WA-40")
NOT_IN: Final = Reason(_("that one is no longer in the sequence"), "WA-60")

NOT_CHOOSING: Final = Reason(_("forms are chosen at the start and kept"), "WA-43")
CHOSEN: Final = Reason(_("that one has chosen, and forms are kept"), "WA-43")
TWO_FORMS: Final = Reason(_("a player's character takes two different forms"), "WA-42")
ONE_FORM: Final = Reason(_("an NPC takes one form, with both its dice"), "WA-42")
NO_SUCH_FORM: Final = Reason(_("this character has no such form"), "WA-42")
NO_FORM_DIE: Final = Reason(_("at least one die of a form must be in hand"), "WA-44")
NO_SUCH_STRENGTH: Final = Reason(_("this character has no such strength"), "WA-28")
NOT_ITS_FORM: Final = Reason(_("a strength is used only when acting in its form"), "WA-28")

NPC_OWED: Final = Reason(_("the GM's characters are never owed a chapter"), "WA-76")
GM_BUYS: Final = Reason(_("only players buy advantage dice"), "WA-65")
NOT_OWED: Final = Reason(_("that name is not on the owe list"), "WA-65")
NOT_HER_NAME: Final = Reason(_("players strike only the names of their own characters"), "WA-65")
NOT_BEFORE_ROLL: Final = Reason(_("a die is bought before a roll of one's own"), "WA-65")

NOT_ROLLING: Final = Reason(_("no roll is due now"), "WA-51")
ROLLED: Final = Reason(_("that one has rolled; a roll once shown stands"), "WA-111")
NOT_TIED: Final = Reason(_("only those tied at the top roll again"), "WA-52")
NOT_PRESSED: Final = Reason(_("first one of those tied has to press on"), "WA-52")
STANDS: Final = Reason(_("whoever is first in order moves with the roll that stands"), "WA-54")
NOT_HER_TURN: Final = Reason(_("it is somebody else's turn"), "WA-54")
NOT_NEXT: Final = Reason(_("those named answer in turn order"), "WA-57")
NOT_NAMED: Final = Reason(_("that one does not have to answer"), "WA-57")

NO_LOTS: Final = Reason(_("there is no tie to draw lots for"), "WA-53")
LOTS_ORDER: Final = Reason(
    _("lots order all who are tied for the highest place, each once"), "WA-53"
)
NO_TIE: Final = Reason(_("backing away and pressing need a tie at the top"), "WA-52")
NOT_AT_TOP: Final = Reason(_("that one is not tied at the top"), "WA-52")
IS_BACKING: Final = Reason(_("that one has said so already"), "WA-52")
IS_PRESSED: Final = Reason(_("one wants to fight: each of the tied rolls again"), "WA-52")

NO_TURN: Final = Reason(_("nobody has a turn now"), "WA-54")
ROLL_FIRST: Final = Reason(_("a later turn begins with a new roll"), "WA-54")
ON_SELF: Final = Reason(_("nobody answers their own move"), "WA-54")
NAMED_TWICE: Final = Reason(_("somebody is named twice"), "WA-54")
NO_ANSWER: Final = Reason(_("no move waits for an answer"), "WA-56")
OWN_MOVE: Final = Reason(_("nobody interferes with their own move"), "WA-56")
IS_NAMED: Final = Reason(_("that one answers this move anyway"), "WA-56")

NO_SETTLEMENT: Final = Reason(_("nothing waits to be settled"), "WA-67")
SETTLE_FIRST: Final = Reason(_("the loser's consequences come first"), "WA-60")
OTHER_SETTLEMENT: Final = Reason(_("this is between another winner and loser"), "WA-73")
WINNERS_CHOICE: Final = Reason(_("the default is the winner's choice"), "WA-67")
WHICH_DIE: Final = Reason(_("there is no such die of an NPC's to choose"), "WA-24")
NOTHING_TO_WAIVE: Final = Reason(_("there is no consequential strength to waive"), "WA-24")

NO_AGREEMENT: Final = Reason(
    _("agreements are made after an absolute result or between rounds"), "WA-74"
)
WITH_SELF: Final = Reason(_("an agreement takes two"), "WA-74")
EMPTY_TERM: Final = Reason(_("a term says what is given"), "WA-72")
TERM_FORM: Final = Reason(_("the loser has no such form to give a die from"), "WA-70")
TERM_STRENGTH: Final = Reason(_("the loser has no such strength to give"), "WA-70")
TERM_STATES: Final = Reason(_("the loser is dead, captive or absent, and not two of them"), "WA-72")
LEAVE_WHO: Final = Reason(_("an agreement says only of its own two that they leave"), "WA-74")
LEAVE_WHEN: Final = Reason(_("the winner leaves only between rounds"), "WA-74")

NOT_BETWEEN: Final = Reason(_("that is done between rounds"), "WA-74")
JOIN_WHEN: Final = Reason(_("whoever joins comes in at the start of round 2 or 3"), "WA-108")
TOO_MANY: Final = Reason(_("eight are in this sequence already"), "WA-41")
NO_CONSENT: Final = Reason(
    _("whoever leaves needs the consent of all who hold an advantage"), "WA-108"
)

RECORD_OBJECT: Final = Reason(_("an action is a JSON object"))
RECORD_DICE: Final = Reason(_("this action's dice are missing, or of another shape"), "WA-111")
RECORD_NO_DICE: Final = Reason(_("this action has no dice"), "WA-110")
HOW_MANY_DICE: Final = Reason(_("these are not as many dice as are in hand"), "WA-42")
HOW_MANY_PIPS: Final = Reason(_("these are not as many pips as there are advantage dice"), "WA-62")
ONE_DIE: Final = Reason(_("in a tie only the lowest die is rolled again; pips stay"), "WA-52")
NO_SUCH_FACE: Final = Reason(_("the die has no such face"), "WA-111")
