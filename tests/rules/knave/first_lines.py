"""The lines with which the record of a fight begins."""

from __future__ import annotations

ONES = {"str": 1, "dex": 1, "con": 1, "int": 1, "wis": 1, "cha": 1}
ASH = {
    "id": "ash",
    "level": 1,
    "bonus": ONES | {"str": 2},
    "hp": 5,
    "max_hp": 5,
    "armor": {"defense": 12, "quality": 3},
    "shield": {"quality": 1},
    "weapon": {"die": 8, "quality": 3, "ranged": False},
}
GOBLIN = {
    "id": "goblin-1",
    "level": 1,
    "bonus": ONES,
    "hp": 4,
    "max_hp": 4,
    "armor": {"defense": 12},
    "weapon": {"die": 6},
    "morale": 7,
}
FIRST = {"game": "knave_fight", "format": 1, "party": [ASH], "foes": [GOBLIN]}
BEGINS = {"action": "initiative", "dice": [5]}
