"""Campaigns that arrive as files, in words."""

from __future__ import annotations

from games.grammar import and_list
from games.said import gettext as _
from games.said import ngettext
from games.sentences import Data, Names, Telling


def _imported(d: Data, n: Names) -> str:
    text = ngettext(
        "The campaign “%(name)s” has arrived, with %(chapters)s chapter.",
        "The campaign “%(name)s” has arrived, with %(chapters)s chapters.",
        d["chapters"],
    )
    return " ".join(filter(None, (text % d, _whose(d))))


def _whose(d: Data) -> str:
    """Say who is its GM here, where the file says otherwise or nothing (WA-1)."""
    if "gm" not in d:
        return ""
    if not d["gms"]:
        text = _("Its file names no GM: here it is %(gm)s, who hosts this table.")
        return text % {"gm": d["gm"]}
    text = _("In its file the GM is %(gms)s: here it is %(gm)s, who hosts this table.")
    return text % {"gm": d["gm"], "gms": and_list(d["gms"])}


TELLINGS: dict[str, Telling] = {"campaign_imported": _imported}
