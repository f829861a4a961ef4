"""A house rule in one sentence."""

from __future__ import annotations

from games.rules import brave_or_knave as bk
from games.said import gettext as _
from games.said import ngettext
from games.sentences import call_word


def rule_in_words(rule: bk.HouseRule) -> str:
    """Say when a house rule acts and what it does, in the active language."""
    when = {
        "opening": _("On an opening roll"),
        "challenge": _("On a challenge roll"),
        "both": _("On any roll"),
    }[rule.on]
    return f"{when}: {'; '.join(effects_in_words(rule))}."


def effects_in_words(rule: bk.HouseRule) -> list[str]:
    """Say what a house rule does, one effect after the other."""
    return [_effect(effect) for effect in rule.effects]


def _target(target: str) -> str:
    return {
        "roller": _("the roller"),
        "challenger": _("the challenger"),
        "left": _("the neighbour to the left"),
        "right": _("the neighbour to the right"),
        "everyone_else": _("everyone else"),
        "everyone": _("everyone"),
        "picked": _("one whom the roller picks"),
    }[target]


def _effect(effect: bk.Effect) -> str:
    who = {"who": _target(effect.target), "count": effect.amount}
    if effect.kind == "lose":
        text = ngettext("%(who)s: −%(count)s finger", "%(who)s: −%(count)s fingers", effect.amount)
    elif effect.kind == "regain":
        text = ngettext("%(who)s: +%(count)s finger", "%(who)s: +%(count)s fingers", effect.amount)
    else:
        text = {
            "pass_die": _("the die passes to %(who)s"),
            "roll_next": _("%(who)s rolls next, %(call)s"),
            "roll_again": _("roll again"),
            "reverse": _("play turns round"),
        }[effect.kind]
    return text % {**who, "call": call_word(effect.call.value if effect.call else "")}
