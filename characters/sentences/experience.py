"""Milestones, sessions and coin in words (KN-22)."""

from __future__ import annotations

from characters.services.purse import money
from games.grammar import and_list
from games.said import ngettext
from games.sentences import Data, Names, Telling


def _level(d: Data, n: Names) -> str:
    text = ngettext(
        "%(names)s may take a level.", "%(names)s may each take a level.", len(d["names"])
    )
    return text % {"names": and_list(d["names"])}


def _coin(d: Data, n: Names) -> str:
    text = ngettext(
        "%(worth)s brought home: %(amount)s experience for %(names)s.",
        "%(worth)s brought home: %(amount)s experience each for %(names)s.",
        len(d["names"]),
    )
    return text % {
        "worth": money(d["copper"]),
        "amount": d["amount"],
        "names": and_list(d["names"]),
    }


TELLINGS: dict[str, Telling] = {"level_awarded": _level, "coin_awarded": _coin}
