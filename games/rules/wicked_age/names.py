"""Names to pick from, a list for each oracle, three unused ones at a time."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final, Literal

import msgspec
import yaml

from games.rules.engine import Dice
from games.rules.wicked_age.oracles import LANGUAGES, SHIPPED

DATA: Final = Path(__file__).parent / "data" / "names"
# Read when a process begins, as the oracles are.
_TEXTS: Final = {name: (DATA / f"{name}.yaml").read_text(encoding="utf-8") for name in SHIPPED}
OFFERED: Final = 3

Kind = Literal["men", "women", "either", "places", "gods", "bynames"]


class Bynames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What follows a name, in both languages."""

    en: tuple[str, ...]
    es: tuple[str, ...]


class Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An oracle's list: names of people, bynames, places, gods and spirits."""

    men: tuple[str, ...]
    women: tuple[str, ...]
    either: tuple[str, ...]
    bynames: Bynames
    places: tuple[str, ...]
    gods: tuple[str, ...]


@cache
def names_of(list_id: str) -> Names:
    """Return the list that goes with an oracle; the first one for a table's own oracle.

    Raises ValueError for a file that does not read.
    """
    name = list_id if list_id in SHIPPED else SHIPPED[0]
    return msgspec.convert(yaml.safe_load(_TEXTS[name]), Names)


def suggest(
    dice: Dice,
    list_id: str,
    kind: Kind,
    taken: Iterable[str],
    *,
    language: str = LANGUAGES[0],
    count: int = OFFERED,
) -> tuple[str, ...]:
    """Draw names of a kind that nobody in the campaign has; fewer when the list runs out.

    When the men's or the women's names do, those of either are drawn from. `taken` are
    compared without regard to capitals; `language` matters for bynames only.
    """
    names = names_of(list_id)
    gone = {name.strip().casefold() for name in taken}
    drawn: list[str] = []
    for offered in _lists(names, kind, language):
        free = [name for name in offered if name.casefold() not in gone]
        while free and len(drawn) < count:
            drawn.append(free.pop(dice.roll(len(free)) - 1))
    return tuple(drawn)


def _lists(names: Names, kind: Kind, language: str) -> tuple[tuple[str, ...], ...]:
    match kind:
        case "men":
            return (names.men, names.either)
        case "women":
            return (names.women, names.either)
        case "either":
            return (names.either,)
        case "places":
            return (names.places,)
        case "gods":
            return (names.gods,)
        case "bynames":
            return (names.bynames.es if language == "es" else names.bynames.en,)
