"""What each of Knave's actions does. Importing this package registers them all."""

from characters.deeds import (
    encounters,
    experience,
    fight,
    fight_course,
    gear,
    hours,
    loot,
    making,
    people,
    referee,
    rolls,
    sheets,
    shop,
    things,
)

__all__ = [
    "encounters",
    "experience",
    "fight",
    "fight_course",
    "gear",
    "hours",
    "loot",
    "making",
    "people",
    "referee",
    "rolls",
    "sheets",
    "shop",
    "things",
]
