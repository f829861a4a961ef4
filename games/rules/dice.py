"""Where dice come from. The only module that knows randomness."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterable

from games.rules.engine import Dice, IllegalAction
from games.rules.words import _


class SystemDice:
    """The server's dice: the operating system's generator, which nobody can predict."""

    def roll(self, sides: int) -> int:
        """Roll one die."""
        return secrets.randbelow(sides) + 1


class SeededDice:
    """Dice that fall the same way for the same seed: for tests and measurements."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - repeatable on purpose

    def roll(self, sides: int) -> int:
        """Roll one die, the same one for the same seed."""
        return self._random.randint(1, sides)


class TypedDice:
    """Dice that somebody rolled by hand and typed, or that a record holds.

    Raises IllegalAction when a face does not exist on the die, or when more
    dice are asked for than were typed.
    """

    def __init__(self, faces: Iterable[int]) -> None:
        self._faces = list(faces)

    def roll(self, sides: int) -> int:
        """Take the next typed face."""
        if not self._faces:
            raise IllegalAction(_("a die is missing"))
        face = self._faces.pop(0)
        if not 1 <= face <= sides:
            raise IllegalAction(_("the die has no such face"))
        return face

    @property
    def unused(self) -> int:
        """How many typed dice nobody asked for."""
        return len(self._faces)


class RecordedDice:
    """Wraps other dice and remembers the faces that fell, for the log."""

    def __init__(self, source: Dice) -> None:
        self._source = source
        self.faces: list[int] = []

    def roll(self, sides: int) -> int:
        """Roll the wrapped dice and remember the face."""
        face = self._source.roll(sides)
        self.faces.append(face)
        return face
