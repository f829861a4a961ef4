"""Foes' names, and their attacks', in the language of whoever reads.

A fight and its log hold one name for each foe, in the table's language. Of the book's own monsters
both languages are known, so a phone that speaks the other one shows its own. The same goes for
names that we give where nobody else has: an encounter's number, a foe out of a nameless stat line.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from django.conf import settings
from django.utils import translation

from characters.services import kept_book
from characters.services.combatants import (
    attack_name,
    attack_rows,
    attack_times,
    key_of,
    kind_of,
)
from games.rules import knave_fight as kf
from games.said import gettext as _

COUNT: Final = "%(count)s"


@cache
def _spoken(text: str) -> frozenset[str]:
    """Return a text of ours in every language."""
    found = set()
    for code, _name in settings.LANGUAGES:
        with translation.override(code):
            found.add(translation.gettext(text))
    return frozenset(found)


def in_tongue(name: str) -> str:
    """Return a foe's name in the active language, where it is one of the book's with its number."""
    kind, _space, number = name.rpartition(" ")
    if not number.isdecimal():
        return name
    if kind in _spoken("Foe"):
        return f"{_('Foe')} {number}"
    monster = kept_book.monsters_by_name().get(kind)
    return f"{monster.said('name')} {number}" if monster else name


def called(who: object, name: str) -> str:
    """Return the name of whoever has this id in a fight: knaves and hirelings keep theirs."""
    return name if key_of(str(who)) else in_tongue(name)


def name_of(fighter: kf.Fighter | kf.Seen) -> str:
    """Return a combatant's name as screens say it: a sheet's is not ours to translate."""
    return called(fighter.id, fighter.name or fighter.id)


def blow_in_tongue(foe: str, name: str) -> str:
    """Return an attack's name in the active language, where the book has it for this foe."""
    return attack_name(_in_book(foe, name)) or name


def times_of(foe: str, name: str) -> int:
    """Return how often a round the book has this attack for this foe; 1 where it has none."""
    return attack_times(_in_book(foe, name))


def _in_book(foe: str, name: str) -> dict[str, Any]:
    """Return the book's row of a foe's attack; an empty one where it has none of that name."""
    monster = kept_book.monsters().get(kind_of(foe))
    rows = attack_rows(monster.attacks) if monster else []
    return next((r for r in rows if name and name in (r.get("name"), r.get("name_es"))), {})


def encounter_in_tongue(name: str) -> str:
    """Return an encounter's name in the active language, where it is the number it was given."""
    number = number_of(name)
    return numbered(number) if number else name


def numbered(number: int) -> str:
    """Return the name of an encounter that nobody has named."""
    return _("Encounter %(count)s") % {"count": number}


def number_of(name: str) -> int:
    """Return the number that an encounter was given for a name, in whichever language; 0: none."""
    for pattern in _spoken("Encounter %(count)s"):
        before, _gap, after = pattern.partition(COUNT)
        number = name.removeprefix(before).removesuffix(after)
        if number.isdecimal() and name == f"{before}{number}{after}":
            return int(number)
    return 0
