"""Words that several of Knave's sentences share."""

from __future__ import annotations

from collections.abc import Callable

from games.rules.knave.days import TURN_MINUTES
from games.said import gettext as _
from games.said import language
from games.sentences import Data, Names, Telling


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


def span_of(turns: int) -> str:
    """Say how long some turns take: people know hours and minutes, not how long a turn is."""
    hours, minutes = divmod(turns * TURN_MINUTES, 60)
    if not hours:
        return _("%(minutes)s min") % {"minutes": minutes}
    if not minutes:
        return _("%(hours)s h") % {"hours": hours}
    return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": minutes}


def plain(text: Callable[[], str]) -> Telling:
    """A sentence whose gaps are the event's own fields; things are named in the reader's tongue."""

    def tell(data: Data, names: Names) -> str:
        spoken = {k: said(v) if isinstance(v, dict) and "en" in v else v for k, v in data.items()}
        return text() % spoken

    return tell
