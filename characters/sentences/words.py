"""Words that several of Knave's sentences share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.said import gettext as _
from games.said import language

Data = dict[str, Any]


def said(names: dict[str, str]) -> str:
    """Return a name that an event holds in every language, in the active one."""
    return names.get(language()) or names["en"]


def ability_name(key: str) -> str:
    """Return an ability's name, by the three letters of its key."""
    return {
        "str": _("Strength"),
        "dex": _("Dexterity"),
        "con": _("Constitution"),
        "int": _("Intelligence"),
        "wis": _("Wisdom"),
        "cha": _("Charisma"),
    }[key]


def ability_short(key: str) -> str:
    """Return the short form that a sheet's small places show."""
    return {
        "str": _("Str"),
        "dex": _("Dex"),
        "con": _("Con"),
        "int": _("Int"),
        "wis": _("Wis"),
        "cha": _("Cha"),
    }[key]


def plain(text: Callable[[], str]) -> Callable[[Data, Any], str]:
    """A sentence whose gaps are the event's own fields; things are named in the reader's tongue."""

    def tell(data: Data, names: Any) -> str:
        spoken = {k: said(v) if isinstance(v, dict) and "en" in v else v for k, v in data.items()}
        return text() % spoken

    return tell
