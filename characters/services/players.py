"""Whose a knave is: which one a seat plays, under which name at Brave or Knave, who has got up."""

from __future__ import annotations

from characters.models import Character
from characters.services.telling import tell_of
from games.asked import Asked
from games.models import Entrant, Game, Seat
from games.models.table import NAME_LENGTH
from games.services.change import Change

Kind = Character.Kind
State = Character.State


_KNAVES = Asked(
    lambda table: Character.objects.filter(table=table, kind=Kind.KNAVE, is_hidden=False).defer(
        "portrait"
    )
)


def is_free(character: Character) -> bool:
    """Tell whether nobody plays a sheet: it has no seat, or one that has got up."""
    return character.seat is None or character.seat.standing == Seat.Standing.GONE


def draft_on(seat: Seat) -> Character | None:
    """Return the knave that a seat has in the making, or None."""
    return seat.characters.filter(state=State.DRAFT).first()


def knave_of(seat: Seat) -> Character | None:
    """Return the living knave that a seat plays, or None."""
    return _knaves_at(seat.table_id).get(seat.pk)


def _knaves_at(table_id: int) -> dict[int | None, Character]:
    """Return the living knave that each seat of a table plays; of several the oldest."""
    living = [one for one in _KNAVES(table_id) if one.is_alive]
    return {one.seat_id: one for one in reversed(living)}


def guild_name(seat: Seat) -> str:
    """Return the name under which a seat plays Brave or Knave: its knave's, as far as it fits."""
    knave = knave_of(seat)
    return knave.name[:NAME_LENGTH].strip() if knave else ""


def tell_bout(change: Change, game: Game, entrants: list[Entrant]) -> None:
    """Write a finished bout of Brave or Knave into the record of every knave that was in it."""
    by_seat = _knaves_at(change.table.pk)
    knaves = {e.guild_name: by_seat.get(e.seat_id) for e in entrants}
    won = [knave.name if (knave := knaves.get(name)) else name for name in game.winners]
    for guild, knave in knaves.items():
        if knave:
            is_winner = guild in game.winners
            tell_of(change, "bout_told", knave, won=is_winner, winners=won)


def free_knaves(change: Change, seat: Seat) -> None:
    """Leave the knaves of somebody who gets up to whoever takes them, and put their draft away.

    Deliberately not through the ledger: leaving is a move of the bout, which its rules undo, and
    the chair stays empty whatever an undo sets back.
    """
    seat.characters.filter(state=State.DRAFT).update(state=State.GONE)
    for knave in seat.characters.exclude(state__in=[State.GONE, State.DEAD]):
        Character.objects.filter(pk=knave.pk).update(seat=None)
        tell_of(change, "knave_freed", knave, player=seat.name)
