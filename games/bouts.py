"""A bout of Brave or Knave, before its rules play it: who takes part, and by which house rules."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from games.asked import Asked
from games.models import Entrant, Game, HouseRule, Seat, Table, rows
from games.rules import brave_or_knave as bk
from games.rules.engine import learn

learn(bk.State, bk.Setup, bk.HouseRule)

_SEATS = Asked(lambda game: Seat.objects.filter(entries__game=game))


def entrants_of(game: Game) -> list[Entrant]:
    """Return who takes part, in order, each with their seat."""
    return seated(rows.fetch(Entrant, game_id=game.pk), game)


def seated(entrants: list[Entrant], game: Game, known: Iterable[Seat] = ()) -> list[Entrant]:
    """Return a game's entrants as they were read, each with their seat.

    The database is asked for seats only where one is not among those `known`: whose player got up
    in the middle of the bout.
    """
    found, seats = rows.belonging(entrants, game=game), {seat.pk: seat for seat in known}
    if any(entrant.seat_id not in seats for entrant in found):
        seats |= {s.pk: s for s in rows.belonging(_SEATS(game.pk), table=game.table)}
    for entrant in found:
        entrant.seat = seats[entrant.seat_id]
    return found


def house_rules_on(table: Table) -> tuple[bk.HouseRule, ...]:
    """Return the table's house rules that the next bout will use (BK-25)."""
    kept = rows.fetch(HouseRule, table_id=table.pk, is_on=True)
    return tuple(msgspec.convert(one.rule, bk.HouseRule) for one in kept)


def setup_gathered(game: Game, house_rules: tuple[bk.HouseRule, ...]) -> bk.Setup:
    """Return what a gathering would play if it began now, from its entrants and its table."""
    entrants: list[Entrant] = list(game.entrants.exclude(number=None))
    how = game.table.settings
    first = next((i for i, e in enumerate(entrants) if e.seat_id == game.first_id), None)
    return bk.Setup(
        names=tuple(e.guild_name for e in entrants),
        numbers=tuple(e.number or 0 for e in entrants),
        first=first,
        shroud=how.has_shroud,
        nine_sisters=how.has_nine_sisters,
        unison_ms=how.unison_ms,
        house_rules=house_rules,
    )
