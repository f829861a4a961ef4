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
    """Say for each choice of forms how the first roll may go, against those who have chosen."""
    others = [
        odds.Hand(tuple(d.sides for d in m.base), state.advantage_of(m.id) + m.bought)
        for m in state.participants
        if m.is_in and m.id != who and m.chosen
    ]
    if not others:
        return {}
    member = state.of(who)
    return {
        pair: opening_text(odds.opening(odds.Hand(ws.preview(member, pair)), others))
        for pair in pairs
    }


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


def _standing(state: ws.State) -> odds.Standing | None:
    who = state.standing
    throw = state.of(who).throw if who else None
    return odds.Standing(throw.total, throw.ranked[1:]) if throw else None


def _hand(owed: Sequence[tuple[str, int]]) -> odds.Hand:
    base = tuple(sides for source, sides in owed if source not in PIPS)
    return odds.Hand(base, sum(source in PIPS for source, _sides in owed))
