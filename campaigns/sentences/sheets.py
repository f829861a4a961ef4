"""Sheets in words: what is written on them, dice, what became of somebody."""

from __future__ import annotations

from campaigns.words import dice_names, die_name, form_name
from games.rules.wicked_age.forms import PC_FORMS
from games.said import gettext as _
from games.said import ngettext
from games.sentences import Data, Names, Telling, and_list


def named(d: Data) -> Data:
    """Return an event's data with a name for somebody who has none yet: by her player."""
    return {**d, "name": d["name"] or _("%(by)s's character") % d}


def _written(d: Data, n: Names) -> str:
    if d["before"] and d["before"] != d["name"]:
        return _("%(before)s is called %(name)s now.") % d
    if d["name"] and not d["before"]:
        return _("%(by)s plays %(name)s.") % d
    return _("Something is written on %(name)s's sheet.") % named(d)


def _laid(d: Data, n: Names) -> str:
    dice = [f"{form_name(form)} {die_name(d['dice'][form])}" for form in PC_FORMS]
    return _("%(name)s: %(dice)s.") % {**named(d), "dice": ", ".join(dice)}


def _corrected(d: Data, n: Names) -> str:
    told = {
        **named(d),
        "form": form_name(d["form"]),
        "before": die_name(d["before"]),
        "after": die_name(d["after"]),
        "base": dice_names(d["base"]),
    }
    if d["before"] == d["after"]:
        return _("The GM sets right: %(name)s's %(form)s was made with %(base)s.") % told
    return _("The GM sets right: %(name)s's %(form)s is %(after)s, not %(before)s.") % told


def _marked(d: Data, n: Names) -> str:
    text = {
        "active": _("%(name)s is in play again."),
        "out": _("%(name)s is out for the rest of this chapter."),
        "dead": _("%(name)s is dead."),
        "captive": _("%(name)s is a captive."),
        "absent": _("%(name)s has gone away."),
    }[d["state"]]
    told = {**named(d), "strengths": and_list(d["lost"])}
    lost = ngettext(
        "Meanwhile it has gone to somebody else: %(strengths)s.",
        "Meanwhile they have gone to others: %(strengths)s.",
        len(d["lost"]),
    )
    return " ".join([text, lost] if d["lost"] else [text]) % told


TELLINGS: dict[str, Telling] = {
    "sheet_written": _written,
    "dice_laid": _laid,
    "die_corrected": _corrected,
    "character_marked": _marked,
    "pc_mended": lambda d, n: _("%(name)s comes back whole: all dice are mended.") % named(d),
    "form_grown": lambda d, n: (
        _("%(name)s comes back stronger: %(form)s is %(die)s now.")
        % {**named(d), "form": form_name(d["form"]), "die": die_name(d["die"])}
    ),
    "choice_taken_back": lambda d, n: _("%(name)s chooses again how to come back.") % named(d),
}
