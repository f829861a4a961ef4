"""Why a fight's rules refuse a move, as it is told to people: with the name of whom it is about.

The rules' own sentences name nobody, because a record has them as well. At the
table nobody is "that combatant": with six goblins on the screen, the thumb has
to hear which of them it was.
"""

from __future__ import annotations

from typing import Final

from characters.services.foe_names import name_of
from games.errors import MovedOn
from games.rules import knave_fight as kf
from games.rules.engine import IllegalAction
from games.rules.knave_fight import refusals
from games.rules.words import Reason, _
from games.said import gettext
from games.text import as_sentence

# About whoever acts (`by`, or `of` where somebody flees or is rolled for).
ABOUT_ACTOR: Final = {
    refusals.DEAD: _("%(name)s is dead, and does nothing"),
    refusals.UNCONSCIOUS: _("%(name)s is unconscious, and does nothing"),
    refusals.FLED: _("%(name)s has fled, and does nothing more here"),
    refusals.ONE_ACTION: _("%(name)s has used this round's combat action"),
    refusals.ATTACKS_MADE: _("%(name)s has made all the attacks for this round"),
    refusals.STUNT_MADE: _("%(name)s has made a stunt this round"),
    refusals.BOTH_BEGUN: _("%(name)s chose an attack and a stunt together"),
    refusals.NO_WEAPON: _("%(name)s has no weapon in hand: wield one"),
    refusals.NO_SUCH_WEAPON: _("%(name)s has no such attack"),
    refusals.NOT_ENGAGED: _("%(name)s is not in melee"),
    refusals.NO_MORALE: _("%(name)s has no morale rating"),
}
# About whom it is done to (`on`).
ABOUT_TARGET: Final = {
    refusals.ON_DEAD: _("%(name)s is dead already"),
    refusals.ON_FLED: _("%(name)s has fled"),
    refusals.ON_DOWN: _("%(name)s is unconscious"),
    refusals.HEAL_DEAD: _("%(name)s is dead, and nothing heals the dead"),
}
# About both.
ABOUT_BOTH: Final = {refusals.ENGAGED: _("%(by)s and %(on)s are in melee already")}


def shown_name(state: kf.State, who: str) -> str:
    """Return the name by which all at the table see a combatant, or nothing for a stranger."""
    fighter = state.find(who)
    return name_of(fighter) if fighter else ""


def worded(reason: Reason, state: kf.State, action: kf.FightAction) -> str:
    """Return a reason against a move as a sentence in the active language."""
    by = shown_name(state, getattr(action, "by", "") or getattr(action, "of", ""))
    aimed = getattr(action, "on", "")
    on = shown_name(state, aimed if isinstance(aimed, str) else "") or by
    text, name = reason.why, ""
    if reason in ABOUT_ACTOR and by:
        text, name = ABOUT_ACTOR[reason], by
    elif reason in ABOUT_TARGET and on:
        text, name = ABOUT_TARGET[reason], on
    elif reason in ABOUT_BOTH and by and on:
        text = ABOUT_BOTH[reason]
    said = as_sentence(gettext(text))
    # Only these have gaps; they are filled last, for a name is written as its owner writes it.
    return said if text == reason.why else said % {"name": name, "by": by, "on": on}


def refused_move(refusal: IllegalAction, state: kf.State, action: kf.FightAction) -> MovedOn:
    """Return a move's refusal in words for whoever tried."""
    return MovedOn(worded(Reason(refusal.why, refusal.rule), state, action))
