"""The beginning of a sequence: the checks of its set-up, and its first state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from games.rules.engine import Dice, is_within_bounds
from games.rules.wicked_age.forms import NPC_FORMS, PC_FORMS, SIZES
from games.rules.wicked_sequence import refusals
from games.rules.wicked_sequence.model import Fighter, State
from games.rules.wicked_sequence.sheets import (
    FEWEST,
    MOST,
    STRENGTH_SIZES,
    Owed,
    Participant,
    Setup,
    StrengthDie,
)
from games.rules.words import Reason, refuse

_FORMS: Final = {"pc": PC_FORMS, "npc": NPC_FORMS}
_DICE_EACH: Final = {"pc": 1, "npc": 2}
_MOST_FORMS: Final = 2
"""The forms of a broad strength (WA-21, WA-23)."""


def setup(table: Setup, dice: Dice) -> State:
    """Let everybody choose forms; nothing is rolled yet (WA-41).

    An owe list that does not say whose a name is takes the player of the
    participant who has it. Raises IllegalAction for a set-up that cannot be.
    """
    reason = _fault(table)
    if reason is not None:
        raise refuse(reason)
    players = {one.id: one.player for one in table.participants}
    return State(
        participants=tuple(enlist(one) for one in table.participants),
        owe_list=tuple(
            Owed(one.name, one.player or players.get(one.name)) for one in table.owe_list
        ),
        needs_far_reach=table.needs_far_reach,
        act=table.act,
    )


def enlist(one: Participant) -> Fighter:
    """Return somebody who has not chosen forms yet."""
    return Fighter(
        id=one.id,
        kind=one.kind,
        player=one.player,
        name=one.name or one.id,
        forms=one.dice,
        strengths=one.strengths,
    )


def participant_fault(one: Participant, *, needs_far_reach: bool) -> Reason | None:
    """Say what is wrong with a participant, whoever else takes part.

    A sheet is whole: six forms, or three pairs (WA-13, WA-15). Who has two dice at 0
    is refused when she takes up dice (WA-69). **Ruling:** far reach is
    asked of players' characters only; of NPCs the GM says it (WA-26).
    """
    if not is_within_bounds(one):
        return refusals.SETUP_BOUNDS
    known = set(one.forms) == set(_FORMS[one.kind]) and all(
        len(dice) == _DICE_EACH[one.kind] for dice in one.dice.values()
    )
    if not known:
        return refusals.PC_FORMS if one.kind == "pc" else refusals.NPC_FORMS
    if any(sides not in SIZES for dice in one.dice.values() for sides in dice):
        return refusals.NO_SUCH_SIZE
    if len({held.name for held in one.strengths}) < len(one.strengths):
        return refusals.STRENGTH_TWICE
    faults = (fault for held in one.strengths if (fault := _strength_fault(held)))
    reaches = one.kind == "npc" or any(held.far_reaching for held in one.strengths)
    return next(faults, refusals.NO_REACH if needs_far_reach and not reaches else None)


def _strength_fault(strength: StrengthDie) -> Reason | None:
    if strength.die not in STRENGTH_SIZES:
        return refusals.STRENGTH_SIZE
    if len(strength.forms) > _MOST_FORMS or len(set(strength.forms)) < len(strength.forms):
        return refusals.STRENGTH_FORMS
    pc_forms, npc_forms = list(strength.forms), [strength.npc_form] if strength.npc_form else []
    if strength.consequential is not None:
        pc_forms.append(strength.consequential.pc_form)
        npc_forms.append(strength.consequential.npc_form)
    exist = set(pc_forms) <= set(PC_FORMS) and set(npc_forms) <= set(NPC_FORMS)
    return None if exist else refusals.STRENGTH_FORM


def _fault(table: Setup) -> Reason | None:
    everybody = table.participants
    if not FEWEST <= len(everybody) <= MOST:
        return refusals.HOW_MANY
    if len({one.id for one in everybody}) < len(everybody):
        return refusals.SAME_ID
    far = table.needs_far_reach
    faults = (participant_fault(one, needs_far_reach=far) for one in everybody)
    return next((fault for fault in faults if fault), owed_fault(everybody, table.owe_list))


def owed_fault(people: Iterable[Participant | Fighter], owe_list: Iterable[Owed]) -> Reason | None:
    """Say that an NPC stands on the owe list, where one does: that is for players' own (WA-76)."""
    npcs = {one.id for one in people if one.kind == "npc"}
    return refusals.NPC_OWED if any(owed.name in npcs for owed in owe_list) else None
