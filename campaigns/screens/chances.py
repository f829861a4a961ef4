"""Exact odds in words, where the table shows them: of a pair of forms, of an answer."""

from __future__ import annotations

from collections.abc import Sequence

from games.rules import wicked_sequence as ws
from games.rules.wicked_age import odds
from games.said import gettext as _
from games.screens.scene import percent

PIPS = ("advantage", "bought")


def answer_text(state: ws.State, who: str) -> str:
    """Say what an answer to the standing roll may come to (WA-49, WA-50)."""
    standing = _standing(state)
    owed = ws.dice_owed(state, who)
    if standing is None or not owed:
        return ""
    hand = _hand(owed)
    last = state.round == ws.LAST_ROUND
    return chances_text(odds.answer(hand, standing, is_third_round=last))


def pair_texts(
    state: ws.State, who: str, pairs: Sequence[tuple[str, ...]]
) -> dict[tuple[str, ...], str]:
    """Say for each choice of forms how the first roll may go, against those who have chosen.

    As long as somebody has yet to choose, that is so far only: of no exchange it is told how it may
    go, as it need not be between these two.
    """
    others = [m for m in state.participants if m.is_in and m.id != who]
    chosen = [_in_hand(state, m, [die.sides for die in m.base]) for m in others if m.chosen]
    if not chosen:
        return {}
    fighter = state.of(who)
    found = {
        pair: odds.opening(_in_hand(state, fighter, ws.preview(fighter, pair)), chosen)
        for pair in pairs
    }
    if len(chosen) == len(others):
        return {pair: opening_text(one) for pair, one in found.items()}
    return {pair: so_far_text(one) for pair, one in found.items()}


def chances_text(chances: odds.Chances) -> str:
    """Word the four results of an answer."""
    given = {
        "win": percent(chances.win_outright),
        "ahead": percent(chances.win_advantage),
        "behind": percent(chances.lose_advantage),
        "lose": percent(chances.lose_outright),
    }
    if not chances.win_advantage and not chances.lose_advantage:
        return _("wins outright %(win)s · loses outright %(lose)s") % given
    return (
        _("wins outright %(win)s · ahead %(ahead)s · behind %(behind)s · loses outright %(lose)s")
        % given
    )


def opening_text(found: odds.Opening) -> str:
    """Word what a first roll may come to."""
    first = _("highest %(first)s") % {"first": percent(found.first)}
    if found.exchange is None:
        return first
    return f"{first} · {chances_text(found.exchange)}"


def so_far_text(found: odds.Opening) -> str:
    """Word what a first roll may come to as long as somebody has yet to choose."""
    return _("highest so far %(first)s") % {"first": percent(found.first)}


def _standing(state: ws.State) -> odds.Standing | None:
    who = state.standing
    throw = state.of(who).throw if who else None
    return odds.Standing(throw.total, throw.ranked[1:]) if throw else None


def _in_hand(state: ws.State, fighter: ws.Fighter, dice: Sequence[int]) -> odds.Hand:
    return odds.Hand(tuple(dice), state.advantage_of(fighter.id) + fighter.bought)


def _hand(owed: Sequence[tuple[str, int]]) -> odds.Hand:
    base = tuple(sides for source, sides in owed if source not in PIPS)
    return odds.Hand(base, sum(source in PIPS for source, _sides in owed))
