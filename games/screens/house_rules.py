"""A house rule in one sentence, and the numbers that one can have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from games.grammar import and_list
from games.rules import brave_or_knave as bk
from games.said import gettext as _
from games.said import ngettext
from games.sentences import call_word

USUAL = 13
"""The number that a new rule is offered, where it is free."""


def number_words(owners: Mapping[int, str], rules: Iterable[bk.HouseRule]) -> dict[int, str]:
    """Say of each number a rule can have whose it is already, if it is somebody's (BK-25)."""
    named: dict[int, list[str]] = {}
    for rule in rules:
        named.setdefault(rule.number, []).append(_("house rule “%(name)s”") % {"name": rule.name})
    words = {}
    for number in range(bk.MIN_NUMBER, bk.MAX_NUMBER + 1):
        taken = [*([owners[number]] if number in owners else ()), *named.get(number, ())]
        words[number] = and_list(taken) if taken else ""
    return words


def same_rolls(rule: bk.HouseRule, others: Iterable[bk.HouseRule]) -> str:
    """Say that another of the rules that are on wants the same number, or nothing (BK-25)."""
    for other in others:
        both = {rule.on, other.on}
        if other.number == rule.number and ("both" in both or len(both) == 1):
            return _("“%(rule)s” is for the same number: switch one of the two off.") % {
                "rule": other.name
            }
    return ""


def number_offered(words: Mapping[int, str]) -> int:
    """Return the free number that is nearest to the usual one, or that one where none is free."""
    free = [number for number, taken in words.items() if not taken]
    return min(free, key=lambda number: abs(number - USUAL), default=USUAL)


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


def picked_for(view: bk.View) -> str:
    """Name the rule that waits for a pick, and say what it does to who is picked."""
    rule = view.picked_for
    assert rule
    effects = "; ".join(_effect(one) for one in rule.effects if one.target == "picked")
    return _("“%(rule)s” (%(effects)s)") % {"rule": rule.name, "effects": effects}


def _target(target: str) -> str:
    return {
        "roller": _("the roller"),
        "challenger": _("the challenger"),
        "left": _("the neighbor to the left"),
        "right": _("the neighbor to the right"),
        "everyone_else": _("everyone else"),
        "everyone": _("everyone"),
        "picked": _("one picked by whoever has just rolled"),
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
