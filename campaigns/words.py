"""The rules' terms as words in the active language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from games.grammar import unbroken
from games.rules.wicked_age.cards import SIGNS, drawn
from games.said import gettext as _
from games.said import language

NAMELESS: Final = "nameless_of"
"""By this an event speaks of a character who has no name yet: whose they are."""


def name_of(player: str) -> str:
    """Return what a character without a name is called: after whose they are."""
    return _("%(by)s's character") % {"by": player}


def form_name(form: str) -> str:
    """Return a form's name as it stands in a sentence (WA-13, WA-15)."""
    return _forms(language()).get(form, form)


@cache
def _forms(language: str) -> dict[str, str]:
    return {
        "covertly": _("covertly"),
        "directly": _("directly"),
        "for_myself": _("for myself"),
        "for_others": _("for others"),
        "with_love": _("with love"),
        "with_violence": _("with violence"),
        "action": _("action"),
        "maneuvering": _("maneuvering"),
        "self_protection": _("self-protection"),
    }


def option_name(option: str) -> str:
    """Return what a particular strength can do besides (WA-21)."""
    return _options(language()).get(option, option)


@cache
def _options(language: str) -> dict[str, str]:
    return {
        "potent": _("potent"),
        "doubly_potent": _("doubly potent"),
        "broad": _("broad"),
        "consequential": _("consequential"),
        "unique": _("unique"),
        "far_reaching": _("far-reaching"),
    }


def option_text(option: str) -> str:
    """Say in a line what an option does (WA-21)."""
    return {
        "potent": _("its die is a d10 instead of a d8"),
        "doubly_potent": _("its die is a d12"),
        "broad": _("it works in a second form too"),
        "consequential": _("whoever loses outright to it loses a die size more"),
        "unique": _("nobody else can have it"),
        "far_reaching": _("it reaches what no human hand could"),
    }.get(option, option)


def state_name(state: str) -> str:
    """Return a character's state; one who is in play has none to tell."""
    return _states(language()).get(state, state)


@cache
def _states(language: str) -> dict[str, str]:
    return {
        "active": "",
        "out": _("out for this chapter"),
        "dead": _("dead"),
        "captive": _("captive"),
        "absent": _("gone away"),
    }


def interest_state_name(state: str) -> str:
    """Say what has come of an interest (WA-35)."""
    return {
        "open": _("open"),
        "achieved": _("achieved"),
        "lost": _("lost"),
        "moot": _("moot"),
    }.get(state, state)


def placement_name(placement: str) -> str:
    """Say how a chapter lies to another in time (WA-93)."""
    return {
        "after": _("after"),
        "before": _("before"),
        "same_time": _("at the same time as"),
        "unknown": _("nobody knows when"),
    }.get(placement, placement)


def caution_name(caution: str) -> str:
    """Say what an element may touch on (WA-4)."""
    return {
        "slavery": _("slavery"),
        "desire": _("desire"),
        "death": _("death"),
        "torture": _("torture"),
    }.get(caution, caution)


def card_name(card: str) -> str:
    """Return a card as it is drawn: "Q♥"; an entry's number stays a number."""
    return drawn(card) if card[-1:] in SIGNS else card


def quoted(says: str) -> str:
    """Return somebody's own words in the language's quote marks."""
    return _("“%(says)s”") % {"says": says}


def die_name(sides: int) -> str:
    """Return "d8", or 0 for a die that is gone (WA-68)."""
    return f"d{sides}" if sides else "0"


def pair_name(dice: Iterable[int]) -> str:
    """Return a form's dice as one thing: "d12+d8", or "d10" where it is one."""
    return "+".join(map(die_name, dice))


def changed_dice(form: str, before: str, after: str) -> str:
    """Return what has become of a form's named dice: "directly d10 → d8", whole in its line."""
    return f"{form_name(form)} {unbroken(f'{before} → {after}')}"


def dice_names(dice: Sequence[int]) -> str:
    """Return several dice: "d12, d8"."""
    return ", ".join(map(die_name, dice))
