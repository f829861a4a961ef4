"""What players do in Brave or Knave. The tags are the words records use."""

from __future__ import annotations

from typing import Final, Self

import msgspec

from games.rules.brave_or_knave.model import Call, Digit
from games.rules.engine import Action, Seat


class Shroud(Action, frozen=True, tag="shroud"):
    """Call for the next opening roll to be made under a cupped hand (BK-23)."""


class Roll(Action, frozen=True, tag="roll"):
    """Roll the die: an opening (BK-7), a challenge (BK-12), or under a Shroud (BK-23).

    `cupped` says that a real die lies under the hand and nobody has read it;
    after the blind call the roller rolls again with the face then read.
    """

    cupped: bool = False


class Blind(Action, frozen=True, tag="blind"):
    """Choose BRAVE or KNAVE against the number under the Shroud (BK-23)."""

    call: Call


class Shout(Action, frozen=True, tag="shout"):
    """Shout for the challenge; `at_ms` counts from the opening of the shouting (BK-8)."""

    call: Call
    at_ms: int = 0

    def blank(self) -> Self:
        """Leave the moment open; one before the shouting opened stays and is refused."""
        return self if self.at_ms < 0 else msgspec.structs.replace(self, at_ms=0)


class Close(Action, frozen=True, tag="close"):
    """End the shouting; the table's own action (BK-9)."""


class Knock(Action, frozen=True, tag="knock"):
    """Knock on the table while nobody shouts (BK-11)."""


class Award(Action, frozen=True, tag="award"):
    """Give the challenge to somebody who shouted (BK-9, BK-10)."""

    to: Seat


class Name(Action, frozen=True, tag="name"):
    """Name who rolls next, and how (BK-11, BK-18); a house rule's pick has no call (BK-25)."""

    to: Seat
    call: Call | None = None


class Deal(Action, frozen=True, tag="deal"):
    """Deal out the fingers a Shroud won: how many each seat loses (BK-23)."""

    fingers: tuple[int, ...]


class Finger(Action, frozen=True, tag="finger"):
    """Pick which finger a lost one was (BK-20)."""

    which: Digit


class Leave(Action, frozen=True, tag="leave"):
    """Leave the game for good; the player is out at once."""


AnyAction = Shroud | Roll | Blind | Shout | Close | Knock | Award | Name | Deal | Finger | Leave
"""Every action, for decoding by tag."""

ACTIONS: Final[dict[str, type[AnyAction]]] = {
    "shroud": Shroud,
    "roll": Roll,
    "blind": Blind,
    "shout": Shout,
    "close": Close,
    "knock": Knock,
    "award": Award,
    "name": Name,
    "deal": Deal,
    "finger": Finger,
    "leave": Leave,
}
"""Every action by the word records use for it."""
