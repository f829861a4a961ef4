"""Knave's log in words; each module tells the events of the deeds it is named after."""

from characters.sentences import (
    encounters,
    experience,
    fight,
    hours,
    loot,
    making,
    people,
    referee,
    rolls,
    sheets,
    things,
)
from games.sentences import Telling

ALL: tuple[dict[str, Telling], ...] = tuple(
    told.TELLINGS
    for told in (
        encounters,
        experience,
        fight,
        hours,
        loot,
        making,
        people,
        referee,
        rolls,
        sheets,
        things,
    )
)
"""The sentences of every kind of event, for the table's log."""

KINDS = frozenset(kind for told in ALL for kind in told)
"""Every kind of event that is Knave's: a table's log may hold another game's as well."""
