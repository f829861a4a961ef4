"""What is worn and held at the same time: of each piece one, and in both hands no more than fits.

Rulings, where the book (KN-5) leaves it to the referee:

- Weapon and shield share two hands. Taking one up needs no question: what no
  longer fits is put away.
- Of weapons one is in hand, the one that was taken up last: a fight strikes
  with one, and has to know with which.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.rules.knave.slots import Thing

HANDS: Final = 2

WORN: Final = frozenset({"armor", "shield", "helmet"})
"""What protects: of each only one piece counts, and only one is worn."""

HELD: Final = frozenset({"weapon", "shield"})

EQUIPPED: Final = WORN | HELD


def put_away_for(thing: Thing, equipped: Sequence[Thing]) -> tuple[Thing, ...]:
    """Return what has to be put away so that a thing can be worn or taken in hand (KN-5).

    `equipped` is what is worn and held so far, the newest first.
    """
    off = [one for one in equipped if one.kind == thing.kind]
    if thing.kind in HELD:
        held = [one for one in equipped if one.kind in HELD and one not in off]
        while held and sum(one.hands for one in held) + thing.hands > HANDS:
            off.append(held.pop(0))
    return tuple(off)
