"""What is kept of Knave: the book, sheets, things, loot, encounters, calls. Services write it."""

from characters.models.book import Article, HirelingKind, Monster, Spell, TableRow
from characters.models.party import Answer, Call, Encounter, Goal, Party
from characters.models.sheet import Character, Item, Mention, Pile, Portrait

__all__ = [
    "Answer",
    "Article",
    "Call",
    "Character",
    "Encounter",
    "Goal",
    "HirelingKind",
    "Item",
    "Mention",
    "Monster",
    "Party",
    "Pile",
    "Portrait",
    "Spell",
    "TableRow",
]
