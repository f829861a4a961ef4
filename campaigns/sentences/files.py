"""Campaigns that arrive as files, in words."""

from __future__ import annotations

from typing import Any

from games.said import ngettext
from games.sentences import Telling


def _imported(d: dict[str, Any], n: Any) -> str:
    text = ngettext(
        "The campaign “%(name)s” has arrived, with %(chapters)s chapter.",
        "The campaign “%(name)s” has arrived, with %(chapters)s chapters.",
        d["chapters"],
    )
    return text % d


TELLINGS: dict[str, Telling] = {"campaign_imported": _imported}
