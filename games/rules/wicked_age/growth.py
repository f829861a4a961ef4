"""Coming back: worn dice, and the one choice of a returning PC (WA-97 to 101)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from games.rules.wicked_age.forms import step_up
from games.rules.words import Reason, _, refuse

LEAST_DIE: Final = 4
LARGEST_DIE: Final = 12


class FormDie(msgspec.Struct, frozen=True):
    """A form's die: what the sheet was made with, and what losses have left of it (WA-17)."""

    base: int
    current: int


Forms = Mapping[str, FormDie]


def come_back(forms: Forms) -> dict[str, FormDie]:
    """Give a d4 to every form at 0, before the choice and free (WA-99)."""
    return {
        form: FormDie(die.base, die.current or min(die.base, LEAST_DIE))
        for form, die in forms.items()
    }


def mend(forms: Forms) -> dict[str, FormDie]:
    """Bring every form back to what its sheet was made with (WA-98 a; NPCs: WA-90)."""
    return {form: FormDie(die.base, die.base) for form, die in forms.items()}


def start_of_chapter(forms: Forms, *, mending_is_free: bool = False) -> dict[str, FormDie]:
    """Return a returning PC's dice before her choice (WA-99)."""
    return mend(forms) if mending_is_free else come_back(forms)


def is_worn(forms: Forms) -> bool:
    """Tell whether mending would change anything: else it is no choice on coming back (WA-98)."""
    return any(die.current < die.base for die in forms.values())


def fault_of_growing(forms: Forms, form: str) -> Reason | None:
    """Return why a form cannot grow, or None (WA-98 d)."""
    if form not in forms:
        return Reason(_("there is no such form"), "WA-98")
    if forms[form].base >= LARGEST_DIE:
        return Reason(_("no form grows above d12"), "WA-98")
    return None


def grow(forms: Forms, form: str) -> dict[str, FormDie]:
    """Make one form a size bigger, its base and what is left of it (WA-98 d).

    Raises IllegalAction for a form that cannot grow.
    """
    if fault := fault_of_growing(forms, form):
        raise refuse(fault)
    die = forms[form]
    return {**forms, form: FormDie(step_up(die.base), step_up(die.current))}
