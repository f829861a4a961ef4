"""Forms and the sizes of their dice (WA-12 to 17, WA-68, WA-69)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

from games.rules.engine import IllegalAction
from games.rules.words import Reason, _

PC_FORMS: Final = (
    "covertly",
    "directly",
    "for_myself",
    "for_others",
    "with_love",
    "with_violence",
)
"""A PC's six forms, each with one die (WA-13)."""

NPC_FORMS: Final = ("action", "maneuvering", "self_protection")
"""An NPC's three forms, each with a pair of dice (WA-15)."""

SIZES: Final = (0, 4, 6, 8, 10, 12)
"""The sizes of a die, the smallest first; 0 is a die that is gone (WA-68)."""

PC_DICE: Final = (12, 10, 8, 6, 6, 4)
NPC_PAIRS: Final = ((12, 8), (10, 6), (6, 4))

_DICE_OF_ONE_WHO_IS_OUT: Final = 2

Value = TypeVar("Value")


def in_order(forms: Mapping[str, Value]) -> dict[str, Value]:
    """Return a sheet's forms as they stand on it (WA-13, WA-15): not every store keeps an order."""
    return {form: forms[form] for form in (*PC_FORMS, *NPC_FORMS) if form in forms}


def larger_first(dice: int | Iterable[int]) -> list[int]:
    """Return a form's dice as a sheet shows them: a PC's one, of an NPC's pair the larger first."""
    return [dice] if isinstance(dice, int) else sorted(dice, reverse=True)


def step_down(die: int) -> int:
    """Return the next smaller size; a die at 0 loses nothing more (WA-68).

    Raises ValueError for a die that does not exist.
    """
    return SIZES[max(0, SIZES.index(die) - 1)]


def step_up(die: int) -> int:
    """Return the next bigger size, never above d12 (WA-98).

    Raises ValueError for a die that does not exist.
    """
    return SIZES[min(len(SIZES) - 1, SIZES.index(die) + 1)]


def is_out(dice: Iterable[int]) -> bool:
    """Tell whether a character is out of the chapter: two form dice at 0 (WA-69)."""
    return sum(die == 0 for die in dice) >= _DICE_OF_ONE_WHO_IS_OUT


def npc_dice(best: str, second: str = "") -> dict[str, tuple[int, int]]:
    """Return the pairs of an NPC's forms: d12 and d8 for the best, d10 and d6 for the next (WA-15).

    Without a second it is the first of the others, as they stand on the sheet.
    Raises IllegalAction when both are the same.

    >>> npc_dice("maneuvering")
    {'maneuvering': (12, 8), 'action': (10, 6), 'self_protection': (6, 4)}
    """
    if best == second:
        raise IllegalAction(_("each form takes one pair of dice"), "WA-15")
    others = [form for form in NPC_FORMS if form not in (best, second)]
    order = [best, *([second] if second else []), *others]
    return dict(zip(order, NPC_PAIRS, strict=True))


def pc_fault(forms: Mapping[str, int]) -> Reason | None:
    """Return why these are no dice of a new PC, or None (WA-13)."""
    if sorted(forms) != sorted(PC_FORMS):
        return Reason(_("each of the six forms takes one die"), "WA-13")
    if sorted(forms.values()) != sorted(PC_DICE):
        return Reason(
            _("the six forms share out one d12, one d10, one d8, two d6 and one d4"), "WA-13"
        )
    return None
