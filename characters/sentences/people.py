"""Hirelings and NPCs in words (KN-20, KN-24)."""

from __future__ import annotations

from characters.sentences.words import plain, said
from characters.services.purse import money
from games.said import gettext as _
from games.said import ngettext
from games.sentences import Data, Names, Telling, whose_dice


def _hired(d: Data, n: Names) -> str:
    trade = said(d["trade"])  # as the price list begins it, with a capital
    told = {**d, "trade": trade[:1].lower() + trade[1:], "wage": money(d["wage"])}
    return _("%(employer)s hires %(name)s, %(trade)s, for %(wage)s a day.") % told


def _paid(d: Data, n: Names) -> str:
    text = ngettext(
        "%(employer)s pays %(name)s for %(count)s day: %(price)s.",
        "%(employer)s pays %(name)s for %(count)s days: %(price)s.",
        d["count"],
    )
    return text % {**d, "price": money(d["price"])}


def _morale(d: Data, n: Names) -> str:
    moment = {
        "unpaid": _("Unpaid."),
        "employer_died": _("The employer is dead."),
        "danger": _("The danger is great."),
    }.get(d["moment"], "")
    text = _("Morale: %(name)s breaks, with %(total)s.")
    if d["success"]:
        text = _("Morale: %(name)s holds, with %(total)s.")
    return " ".join(filter(None, (moment, text % d))) + whose_dice(d)


TELLINGS: dict[str, Telling] = {
    "npc_shown": plain(lambda: _("%(name)s comes into sight.")),
    "npc_hidden": plain(lambda: _("%(name)s is out of sight.")),
    "hireling_hired": _hired,
    "hireling_paid": _paid,
    "hireling_taken_on": plain(lambda: _("%(employer)s takes %(name)s into service.")),
    "person_dismissed": plain(lambda: _("%(name)s goes away.")),
    "morale_rolled": _morale,
    "morale_set": plain(lambda: _("%(name)s's morale is %(morale)s now.")),
    "morale_offered": plain(lambda: _("%(of)s is dead: roll morale for %(name)s?")),
    "npc_added": plain(lambda: _("%(name)s comes along.")),
}
