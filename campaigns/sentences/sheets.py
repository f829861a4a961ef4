"""Sheets in words: what is written on them, dice, what became of somebody."""

from __future__ import annotations

from typing import Any

from campaigns.words import dice_names, die_name, form_name, name_of
from games.grammar import and_list, in_one_sentence
from games.rules.wicked_age.forms import PC_FORMS
from games.said import gettext as _
from games.said import ngettext
from games.sentences import Data, Names, Telling


def about(text: str, d: Data, **more: Any) -> str:
    """Fill a sentence in; somebody who has no name yet is called after her player."""
    if d["name"]:
        return text % {**d, **more}
    name = name_of(d["by"])
    return in_one_sentence(text % {**d, **more, "name": name}, name)


def _written(d: Data, n: Names) -> str:
    if d["before"] and d["before"] != d["name"]:
        return _("%(before)s is called %(name)s now.") % d
    if d["name"] and not d["before"]:
        return _("%(by)s plays %(name)s.") % d
    return about(_("Something is written on %(name)s's sheet."), d)


def _laid(d: Data, n: Names) -> str:
    dice = [f"{form_name(form)} {die_name(d['dice'][form])}" for form in PC_FORMS]
    return about(_("%(name)s: %(dice)s."), d, dice=", ".join(dice))


def _corrected(d: Data, n: Names) -> str:
    text = _("The GM sets right: %(name)s's “%(form)s” is %(after)s, not %(before)s.")
    if d["before"] == d["after"]:
        text = _("The GM sets right: %(name)s's “%(form)s” was made with %(base)s.")
    told = {
        "form": form_name(d["form"]),
        "before": die_name(d["before"]),
        "after": die_name(d["after"]),
        "base": dice_names(d["base"]),
    }
    return about(text, d, **told)


def _marked(d: Data, n: Names) -> str:
    text = {
        "active": _("%(name)s is in play again."),
        "out": _("%(name)s is out for the rest of this chapter."),
        "dead": _("%(name)s is dead."),
        "captive": _("%(name)s is a captive."),
        "absent": _("%(name)s has gone away."),
    }[d["state"]]
    lost = ngettext(
        "Meanwhile it has gone to somebody else: %(strengths)s.",
        "Meanwhile they have gone to others: %(strengths)s.",
        len(d["lost"]),
    )
    told = f"{text} {lost}" if d["lost"] else text
    return about(told, d, strengths=and_list(d["lost"]))


TELLINGS: dict[str, Telling] = {
    "sheet_written": _written,
    "dice_laid": _laid,
    "die_corrected": _corrected,
    "character_marked": _marked,
    "pc_mended": lambda d, n: about(_("%(name)s comes back whole: all dice are mended."), d),
    "form_grown": lambda d, n: about(
        _("%(name)s comes back stronger: “%(form)s” is %(die)s now."),
        d,
        form=form_name(d["form"]),
        die=die_name(d["die"]),
    ),
    "choice_taken_back": lambda d, n: about(_("%(name)s chooses again how to come back."), d),
}
