"""Loot on the table, in words."""

from __future__ import annotations

from collections.abc import Callable

from characters.sentences.sheets import coins
from characters.sentences.things import several
from games.grammar import and_list
from games.said import gettext as _
from games.sentences import Data, Names, Telling


def pile_name(d: Data) -> str:
    """Say which pile: by its name, by whose it was, or what lies on the ground."""
    if d.get("is_estate"):
        return _("what %(name)s carried") % {"name": d["pile"]}
    return d["pile"] or _("what lies on the ground")


def where_from(d: Data) -> str:
    """Say out of which pile a thing was taken."""
    return pile_name(d) if d["pile"] else _("from the ground")


def _of_pile(text: Callable[[], str]) -> Telling:
    return lambda d, n: text() % {"pile": pile_name(d)}


def _laid(d: Data, n: Names) -> str:
    gaps = {"pile": pile_name(d), "coins": coins(d)}
    if not any(d[metal] for metal in ("gold", "silver", "copper")):
        return _("Loot: %(pile)s.") % gaps
    return _("Loot: %(pile)s, %(coins)s.") % gaps


def _added(d: Data, n: Names) -> str:
    gaps = {"item": several(d), "pile": pile_name(d)}
    return _("Among the loot, %(pile)s: %(item)s.") % gaps


def _claimed(d: Data, n: Names) -> str:
    gaps = {**d, "item": several(d), "pile": where_from(d)}
    return _("%(name)s takes: %(item)s (%(pile)s).") % gaps


def _coins(d: Data, n: Names) -> str:
    gaps = {**d, "coins": coins(d), "pile": where_from(d)}
    return _("%(name)s takes %(coins)s (%(pile)s).") % gaps


def _shared(d: Data, n: Names) -> str:
    gaps = {"names": and_list(d["names"]), "coins": coins(d)}
    if len(d["names"]) == 1:
        said = _("%(names)s takes a share of the coins: %(coins)s.") % gaps
    else:
        said = _("%(names)s share the coins: %(coins)s each.") % gaps
    if full := d.get("full"):  # earlier shares did not say so
        said += " " + _("No free slot for their share: %(names)s.") % {"names": and_list(full)}
    return said


def _emptied(d: Data, n: Names) -> str:
    text = _("%(name)s takes from %(pile)s what there is room for.")
    if not d["left"]:
        text = _("%(name)s takes all of %(pile)s.")
    return text % {"name": d["name"], "pile": pile_name(d)}


TELLINGS: dict[str, Telling] = {
    "pile_laid": _laid,
    "loot_added": _added,
    "pile_shown": _of_pile(lambda: _("Loot comes to light: %(pile)s.")),
    "pile_hidden": _of_pile(lambda: _("Out of sight again: %(pile)s.")),
    "pile_left": _of_pile(lambda: _("Left behind: %(pile)s.")),
    "item_claimed": _claimed,
    "pile_claimed": _emptied,
    "coins_claimed": _coins,
    "coins_shared": _shared,
}
