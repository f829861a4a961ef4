"""Calls for saves, harm to several, experience and goals, in words."""

from __future__ import annotations

from characters.sentences.words import ability_name, plain
from games.grammar import and_list
from games.said import gettext as _
from games.said import ngettext
from games.sentences import Data, Names, Telling
from games.text import as_sentence


def _asked(d: Data, n: Names) -> str:
    told = {"names": and_list(d["names"]), "ability": ability_name(d["ability"])}
    text = _("%(names)s: save with %(ability)s!") % told
    return f"{text} {as_sentence(d['reason'])}" if d["reason"] else text


def _closed(d: Data, n: Names) -> str:
    if d["asked"] == "night":
        return _("The night's rolls are put away.")
    ability = ability_name(d["ability"])
    return _("The call for the %(ability)s save is closed.") % {"ability": ability}


def _hurt(d: Data, n: Names) -> str:
    text = ngettext(
        "%(names)s: %(amount)s hit point lost.",
        "%(names)s: %(amount)s hit points lost.",
        d["amount"],
    )
    told = text % {"names": and_list(d["names"]), "amount": d["amount"]}
    return f"{told} {as_sentence(d['cause'])}" if d["cause"] else told


def _healed(d: Data, n: Names) -> str:
    text = ngettext(
        "%(names)s: up to %(amount)s hit point healed.",
        "%(names)s: up to %(amount)s hit points healed.",
        d["amount"],
    )
    return text % {"names": and_list(d["names"]), "amount": d["amount"]}


def _awarded(d: Data, n: Names) -> str:
    # The host may have typed a whole sentence.
    reason = d["reason"].rstrip(". ")
    amount = d["amount"]
    if reason:
        text = ngettext(
            "%(names)s: %(amount)s experience for %(reason)s.",
            "%(names)s: %(amount)s experience for %(reason)s.",
            amount,
        )
    else:
        text = ngettext(
            "%(names)s: %(amount)s experience.", "%(names)s: %(amount)s experience.", amount
        )
    return text % {"names": and_list(d["names"]), "amount": amount, "reason": reason}


def _reached(d: Data, n: Names) -> str:
    told = {**d, "names": and_list(d["names"])}
    return _("Reached: “%(text)s”. %(worth)s experience for %(names)s.") % told


def _configured(d: Data, n: Names) -> str:
    return _("The referee changes how Knave is played here: %(setting)s, now “%(value)s”.") % {
        "setting": setting_name(d["setting"]),
        "value": setting_value(d["value"]),
    }


def setting_name(setting: str) -> str:
    """Return what a setting of Knave's is called, as its page has it: "Yes" is told of that."""
    return {
        "gear": _("starting gear"),
        "spell": _("starting spell books"),
        "may_reroll": _("rolling parts again"),
        "experience": _("what earns experience"),
        "raising": _("how abilities rise"),
        "players_roll_all": _("players roll to defend"),
        "foes_shown": _("foes' defenses in the log"),
        "may_add": _("players write things on their sheets"),
        "shop_open": _("the shop is open"),
    }[setting]


def setting_value(value: str) -> str:
    """Return what a choice is called, as its chip has it."""
    return {
        "true": _("Yes"),
        "false": _("No"),
        "tables": _("By the tables"),
        "money": _("By money"),
        "none": _("None"),
        "instead_of_armor": _("Instead of armor"),
        "extra": _("As well"),
        "accomplishments": _("Deeds"),
        "milestones": _("Milestones"),
        "sessions": _("Evenings"),
        "coin": _("Coin brought home"),
        "chosen": _("Three chosen abilities"),
        "dice": _("What the dice choose"),
    }.get(value, value)


TELLINGS: dict[str, Telling] = {
    "saves_asked": _asked,
    "call_closed": _closed,
    "many_hurt": _hurt,
    "many_healed": _healed,
    "xp_awarded": _awarded,
    "level_due": plain(lambda: _("%(name)s is ready for level %(level)s.")),
    "goal_announced": plain(lambda: _("A goal: “%(text)s”, worth %(worth)s experience.")),
    "goal_hidden": plain(lambda: _("The goal “%(text)s” is hidden now.")),
    "goal_reached": _reached,
    "goal_dropped": plain(lambda: _("The goal “%(text)s” is off the list.")),
    "knave_configured": _configured,
}
