"""Loose dice and tables in words."""

from __future__ import annotations

from characters.sentences.words import said
from characters.services import traits
from games.grammar import number
from games.rules.knave.people import REACTIONS
from games.said import gettext as _
from games.sentences import Data, Names, Telling, whose_dice
from games.text import as_sentence

REACTION_WORDS = {key: word for _highest, key, word in REACTIONS}


def _dice(d: Data, n: Names) -> str:
    told = {**d, "faces": ", ".join(map(str, d["faces"])), "total": number(d["total"])}
    text = _("%(by_name)s rolls %(dice)s: %(total)s (%(faces)s).") % told
    told_why = f"{as_sentence(d['reason'])} {text}" if d["reason"] else text
    return told_why + whose_dice(d)


def _table(d: Data, n: Names) -> str:
    if d["table"] == "reaction":
        text = _("Reaction: %(total)s, %(result)s.")
        told = {"total": d["total"], "result": _(REACTION_WORDS[d["result"]])}
    elif d["table"] == "name":
        text, told = _("A name: %(result)s."), {"result": d["result"]}
    else:
        text = _("%(table)s, %(total)s: %(result)s.")
        told = {
            "table": table_name(d["table"]),
            "total": d["total"],
            "result": said(d["result"]),
        }
    return text % told + whose_dice(d)


def table_name(key: str) -> str:
    """Return what a table is called that can be rolled on."""
    if key in traits.KEYS:
        return traits.title(key)
    return {
        "spell": _("A spell"),
        "armor": _("Armor"),
        "helmets-and-shields": _("Helmet and shield"),
        "dungeoneering-gear": _("Dungeoneering gear"),
        "general-gear-1": _("General gear 1"),
        "general-gear-2": _("General gear 2"),
    }.get(key, key)


TELLINGS: dict[str, Telling] = {
    "dice_rolled": _dice,
    "table_rolled": _table,
}
