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
