"""Foes' names in the language of whoever reads.

A fight and its log hold one name for each foe, in the table's language; of the book's own monsters
both languages are known, and a phone that speaks the other one is told in it.
"""

from __future__ import annotations

from characters.services import kept_book
from characters.services.combatants import key_of
from games.rules import knave_fight as kf


def in_tongue(name: str) -> str:
    """Return a foe's name in the active language, where it is one of the book's with its number."""
    kind, _space, number = name.rpartition(" ")
    if not number.isdecimal():
        return name
    monster = kept_book.monsters_by_name().get(kind)
    return f"{monster.said('name')} {number}" if monster else name


def called(who: object, name: str) -> str:
    """Return the name of whoever has this id in a fight: knaves and hirelings keep theirs."""
    return name if key_of(str(who)) else in_tongue(name)


def name_of(fighter: kf.Fighter | kf.Seen) -> str:
    """Return a combatant's name as screens say it: only foes' are ours to translate."""
    name = fighter.name or fighter.id
    return called(fighter.id, name) if fighter.side is kf.Side.FOES else name
