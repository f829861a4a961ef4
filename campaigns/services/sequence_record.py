"""A sequence's whole record: what it had where it came from, and what was played of it here."""

from __future__ import annotations

from collections.abc import Iterable

from campaigns.models import Sequence
from games.models import Play as Played
from games.rules import records
from games.rules.engine import Play
from games.stored import kept_setup, moves_of, plays_that_count


def full_record(row: Sequence, standing: Iterable[Played] | None = None) -> str:
    """Return the record of a sequence, which replays to the state that is kept.

    `standing` are the plays of its game that are not undone, where they have been read already. Of
    a sequence that came in a file the earlier moves are read from the record it brought along:
    plays of another table have no rows here.
    """
    here: list[Play] = [
        (None, action, faces)
        for one in plays_that_count(row.game, standing)
        for action, faces in moves_of(one)
    ]
    if row.earlier and not here:
        return row.earlier
    read = records.read(row.earlier.encode().splitlines()) if row.earlier else ()
    before = [moment.play for moment in read if moment.play]
    return records.write(row.game.rules, kept_setup(row.game), [*before, *here])
