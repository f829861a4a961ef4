"""What is done with things, in words. A number stands before what there are several of."""

from __future__ import annotations

import re
from collections.abc import Callable

from characters.models import Spell
from characters.sentences.words import ability_name, plain, said, span_of
from characters.services.purse import money
from games.grammar import and_list
from games.said import gettext as _
from games.sentences import Data, Names, Telling

# What a spell's target saves with, where the book names an ability.
SAVES = {
    "strength": "str",
    "dexterity": "dex",
    "constitution": "con",
    "intelligence": "int",
    "opposed-intelligence": "int",
    "wisdom": "wis",
    "charisma": "cha",
}
_NOTHING = {"en": ""}


def several(d: Data) -> str:
    """Name a thing with how many there are of it: "3 × torch"."""
    name = said(d["item"])
    return f"{d['count']} × {name}" if d.get("count", 1) > 1 else name


def of_things(text: Callable[[], str]) -> Telling:
    """A sentence with the event's things in it, counted."""
    return lambda d, n: text() % {**d, "item": several(d)}


def _used(d: Data, n: Names) -> str:
    text = {
        "ration": _("%(name)s eats: %(item)s."),
        "ammunition": _("%(name)s shoots: %(item)s."),
    }.get(d["what"]) or _("%(name)s uses up: %(item)s.")
    return text % {**d, "item": several(d)}


def _equipped(d: Data, n: Names) -> str:
    text = (
        _("%(name)s takes in hand: %(item)s.")
        if d["what"] in ("weapon", "shield")
        else _("%(name)s puts on: %(item)s.")
    )
    told = text % {**d, "item": said(d["item"])}
    if d["instead"]:
        names = and_list([said(i) for i in d["instead"]])
        told += " " + _("Put away for it: %(items)s.") % {"items": names}
    return told


def _inside(text: Callable[[], str]) -> Telling:
    return lambda d, n: text() % {**d, "item": several(d), "container": said(d["container"])}


def _repaired(d: Data, n: Names) -> str:
    gaps = {**d, "item": said(d["item"]), "price": money(d["price"])}
    if not d["price"]:
        return _("%(name)s has it mended: %(item)s, quality %(quality)s of %(most)s.") % gaps
    return (
        _("%(name)s has it mended: %(item)s, quality %(quality)s of %(most)s, for %(price)s.")
        % gaps
    )


def _lit(d: Data, n: Names) -> str:
    text = _("%(name)s lights it: %(item)s, %(time)s.")
    return text % {**d, "item": said(d["item"]), "time": span_of(d["turns"])}


def has_level(effect: str) -> bool:
    """Tell whether a spell's words count by the caster's level, which they write as L (KN-25)."""
    return re.search(r"\bL\b", effect) is not None


def spell_said(effect: str, reach: str, duration: str) -> list[str]:
    """Return what a spell does, how far it reaches and how long it lasts, where that is known."""
    return [
        text
        for text, is_known in (
            (effect, effect),
            (_("Reach: %(reach)s.") % {"reach": reach}, reach),
            (_("Duration: %(duration)s.") % {"duration": duration}, duration),
        )
        if is_known
    ]


def cast_in_two(d: Data) -> tuple[str, str]:
    """Return who reads which spell aloud, and what it does, with the save against it (KN-25)."""
    read = _("%(name)s reads aloud: %(item)s.") % {**d, "item": said(d["item"])}
    # Logs from before do not know how far a spell reached, and how long.
    does = spell_said(*(said(d.get(key, _NOTHING)) for key in Spell.TOLD))
    if "level" in d and has_level(" ".join(does)):
        does.append(_("L is %(level)s.") % d)
    if save := _spell_save(d):
        does.append(save)
    return read, " ".join(does)


def _cast(d: Data, n: Names) -> str:
    return " ".join(filter(None, cast_in_two(d)))


def _spell_save(d: Data) -> str:
    """Say who may save against a spell, and what the total has to exceed (KN-9)."""
    match d["save_with"]:
        case "if-creature":
            return _("If the object is a creature, it may save: more than %(defense)s.") % d
        case "if-unwilling":
            return _("Whoever is unwilling may save: more than %(defense)s.") % d
    ability = SAVES.get(d["save_with"])
    if not ability:
        return ""
    text = _("Whoever is aimed at saves with %(ability)s: more than %(defense)s.")
    return text % {**d, "ability": ability_name(ability)}


def _bought(d: Data, n: Names) -> str:
    gaps = {**d, "item": several(d), "price": money(d["price"])}
    return _("%(name)s buys for %(price)s: %(item)s.") % gaps


TELLINGS: dict[str, Telling] = {
    "item_used": _used,
    "item_dropped": of_things(lambda: _("%(name)s drops: %(item)s.")),
    "item_given": of_things(lambda: _("%(name)s gives %(taker)s: %(item)s.")),
    "item_left_home": of_things(lambda: _("%(name)s leaves at home: %(item)s.")),
    "item_fetched": of_things(lambda: _("%(name)s fetches from home: %(item)s.")),
    "item_put_inside": _inside(lambda: _("%(name)s: %(item)s goes into %(container)s.")),
    "item_taken_out": _inside(lambda: _("%(name)s: %(item)s comes out of %(container)s.")),
    "item_split": lambda d, n: "",
    "item_merged": lambda d, n: "",
    "item_moved": lambda d, n: "",
    "item_equipped": _equipped,
    "item_put_away": plain(lambda: _("%(name)s puts away: %(item)s.")),
    "item_worn": plain(
        lambda: _("%(name)s: %(item)s loses quality, %(left)s of %(most)s is left.")
    ),
    "item_destroyed": plain(lambda: _("%(name)s: %(item)s is broken past mending.")),
    "item_repaired": _repaired,
    "item_lit": _lit,
    "item_doused": plain(lambda: _("%(name)s puts it out: %(item)s.")),
    "light_gone_out": plain(lambda: _("%(name)s's light goes out: %(item)s.")),
    "spell_cast": _cast,
    "item_bought": _bought,
    "item_added": of_things(lambda: _("%(name)s now has: %(item)s.")),
}
