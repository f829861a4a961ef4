"""Who takes part in a sequence, with what, as its set-up says."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from games.rules.wicked_age.forms import larger_first

FORMAT: Final = 1
D6: Final = 6
"""An advantage die is a d6 with pips, always (WA-64)."""
LAST_ROUND: Final = 3
"""There is never a fourth round (WA-50)."""
FEWEST: Final = 2
MOST: Final = 8
"""How many take part at once (WA-41)."""
STRENGTH_SIZES: Final = (8, 10, 12)
"""The dice of particular strengths (WA-22)."""
LONGEST_ID: Final = 60

Id = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID)]
"""A character's name in records; the same on the owe list and in every sequence."""
Name = Annotated[str, Meta(max_length=120)]
Text = Annotated[str, Meta(max_length=2000)]
Kind = Literal["pc", "npc"]
Condition = Literal["dead", "captive", "absent"]
"""What a settlement may make of a character (WA-72)."""
Sheet = dict[str, int | tuple[int, int]]
"""Current dice by form: a PC's one each, an NPC's in pairs."""
GONE: Final[tuple[Condition, ...]] = ("dead", "absent")
"""Conditions that put a character out of the chapter; a captive is still in it."""


class Consequence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The forms in which a loser loses a die size to a consequential strength (WA-24)."""

    pc_form: str
    npc_form: str


class StrengthDie(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A particular strength as it is used in a sequence: its die and where it works (WA-20, WA-22).

    `forms` are a PC's, two where the strength is broad.
    """

    name: Annotated[str, Meta(min_length=1, max_length=120)]
    die: int = 8
    forms: tuple[str, ...] = ()
    npc_form: str = ""
    consequential: Consequence | None = None
    far_reaching: bool = False

    def works_in(self, kind: Kind) -> tuple[str, ...]:
        """List the forms in which this kind of character can use it (WA-20)."""
        return self.forms if kind == "pc" else (self.npc_form,)


class Participant(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Somebody with dice in a sequence, as the set-up or a late arrival brings them.

    A PC's six `forms` hold one current die each, an NPC's three a pair.
    """

    id: Id
    kind: Kind
    forms: Sheet
    strengths: Annotated[tuple[StrengthDie, ...], Meta(max_length=40)] = ()
    player: Id | None = None
    name: Name = ""

    @property
    def dice(self) -> dict[str, tuple[int, ...]]:
        """The dice of each form, the larger one first."""
        return {form: tuple(larger_first(one)) for form, one in self.forms.items()}


class Owed(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One line of the owe list: a PC's id and her player (WA-81)."""

    name: Id
    player: Id | None = None


class Setup(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sequence about to begin: who takes part, and the owe list, its top first (WA-41).

    `needs_far_reach` if only who is far-reaching can take part (WA-26); `act`
    is what it is about, in one line.
    """

    participants: tuple[Participant, ...]
    owe_list: tuple[Owed, ...] = ()
    needs_far_reach: bool = False
    act: Text = ""
