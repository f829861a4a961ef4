"""Whose dice fall: the server's, or the faces that a person typed."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.errors import Forbidden, Malformed
from games.rules.dice import RecordedDice, SystemDice, TypedDice
from games.services.act import Tap
from games.services.change import Change


def dice_for(change: Change, tap: Tap, sides: list[int], *, more: bool = False) -> RecordedDice:
    """Return whose dice fall: the server's, or the faces a person typed, as the table allows.

    `sides` are the dice that the roll needs; with `more` the server rolls what
    follows from them and was not typed. Raises Forbidden where the table plays
    with the other kind, Malformed for a face that no such die shows.
    """
    if tap.faces:
        check_real_dice(change)
        _check_faces(tap.faces, sides, more=more)
        change.play.is_real = True
        return RecordedDice(TypedThenSystem(tap.faces) if more else TypedDice(tap.faces))
    is_player = change.seat is not None and not change.seat.is_gm
    if change.table.settings.dice == "real" and is_player:
        raise Forbidden(_("This table rolls real dice: tap the faces that you rolled."))
    return RecordedDice(SystemDice())


def check_real_dice(change: Change) -> None:
    """Raise Forbidden at a table where the app rolls all dice."""
    if change.table.settings.dice == "server":
        raise Forbidden(_("This table rolls the app's dice."))


def _check_faces(faces: tuple[int, ...], sides: list[int], *, more: bool) -> None:
    if len(faces) < len(sides) or (len(faces) > len(sides) and not more):
        needed = len(sides)
        text = ngettext("This roll needs %(count)s die.", "This roll needs %(count)s dice.", needed)
        raise Malformed(text % {"count": needed}, field="dice")
    for face, most in zip(faces, sides, strict=False):
        _check_face(face, most)


def _check_face(face: int, sides: int) -> None:
    if not 1 <= face <= sides:
        raise Malformed(_("A d%(sides)s shows 1 to %(sides)s.") % {"sides": sides}, field="dice")


class TypedThenSystem:
    """Typed faces first; what follows from them, and nobody typed, the server rolls."""

    def __init__(self, faces: Iterable[int]) -> None:
        self._typed = list(faces)
        self._system = SystemDice()

    def roll(self, sides: int) -> int:
        """Roll one die. Raises Malformed for a typed face that it does not have."""
        if not self._typed:
            return self._system.roll(sides)
        face = self._typed.pop(0)
        _check_face(face, sides)
        return face
