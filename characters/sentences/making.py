"""How knaves come to the table, in words."""

from __future__ import annotations

from characters.sentences.words import ability_name, plain, said
from characters.services import traits
from games.grammar import and_list
from games.said import gettext as _
from games.said import ngettext
from games.sentences import Data, Names, Telling, whose_dice


def part_name(part: str, key: str) -> str:
    """Return what a part of a knave in the making is called."""
    if part == "trait":
        return traits.title(key)
    return {
        "abilities": _("the abilities"),
        "hp": _("the hit points"),
        "gear": _("the gear"),
        "weapon": _("the weapon"),
        "traits": _("the traits"),
        "spell": _("the spell"),
        "all": _("everything"),
    }[part]


def _rerolled(d: Data, n: Names) -> str:
    text = _("%(name)s is rolled again: %(part)s.")
    return text % {**d, "part": part_name(d["part"], d["key"])} + whose_dice(d, count=2)


def _trait(d: Data, n: Names) -> str:
    gaps = {**d, "trait": traits.title(d["trait"]), "text": said(d["text"])}
    if not gaps["text"]:
        return _("%(name)s, %(trait)s: not known.") % gaps
    return _("%(name)s, %(trait)s: %(text)s.") % gaps


def _swapped(d: Data, n: Names) -> str:
    gaps = {**d, "first": ability_name(d["first"]), "second": ability_name(d["second"])}
    return _("%(name)s swaps %(first)s and %(second)s.") % gaps


def _made(d: Data, n: Names) -> str:
    if not d["player"]:
        return _("%(name)s is ready to be played.") % d
    return _("%(name)s joins the party, played by %(player)s.") % d


def _party(d: Data, n: Names) -> str:
    text = ngettext(
        "A ready knave of level %(level)s waits to be taken: %(names)s.",
        "%(count)s ready knaves of level %(level)s wait to be taken: %(names)s.",
        d["count"],
    )
    return text % {**d, "names": and_list(d["names"])}


def _handed(d: Data, n: Names) -> str:
    if not d["player"]:
        return _("%(name)s is nobody's now.") % d
    return _("%(name)s is played by %(player)s now.") % d


def _bout(d: Data, n: Names) -> str:
    if d["won"]:
        return _("%(name)s won a bout of Brave or Knave.") % d
    if not d["winners"]:
        return _("%(name)s lost a hand at Brave or Knave.") % d
    text = _("%(name)s lost a hand at Brave or Knave to %(winners)s.")
    return text % {**d, "winners": and_list(d["winners"])}


TELLINGS: dict[str, Telling] = {
    "knave_rolled": plain(lambda: _("A new knave is rolled: %(name)s.")),
    "knave_rerolled": _rerolled,
    "weapon_chosen": plain(lambda: _("%(name)s takes up: %(item)s.")),
    "trait_set": _trait,
    "abilities_swapped": _swapped,
    "knave_made": _made,
    "knave_discarded": plain(lambda: _("%(name)s was not to be. Back to the dice.")),
    "party_added": _party,
    "knave_claimed": plain(lambda: _("%(player)s plays %(name)s from now on.")),
    "knave_handed": _handed,
    "knave_freed": plain(lambda: _("%(name)s waits for somebody to take up the part.")),
    "bout_told": _bout,
}
