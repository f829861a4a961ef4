"""Dice in hand, and how a roll is read: WA-42 to WA-50."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from games.rules.engine import Dice
from games.rules.wicked_sequence.model import Die, Fighter, Phase, Result, State, Throw
from games.rules.wicked_sequence.sheets import D6, LAST_ROUND


def preview(fighter: Fighter, forms: Sequence[str]) -> tuple[int, ...]:
    """List the sides of the base dice that somebody would take up with these forms (WA-42).

    Raises KeyError for a form she has not.
    """
    chosen = replace(fighter, chosen=tuple(forms), using=())
    return tuple(die.sides for die in chosen.base)


def dice_owed(state: State, who: str) -> tuple[tuple[str, int], ...]:
    """List the dice a participant would roll now, each with where it comes from.

    Base dice bear the name of their form or strength, dice with pips are
    ``advantage`` or ``bought``. In a tie at the top it is the lowest base die
    alone (WA-52).
    """
    fighter = state.of(who)
    if not fighter.is_in:
        return ()
    if state.phase is Phase.TIE and who in state.tied:
        assert fighter.throw is not None
        lowest = fighter.throw.dice[fighter.throw.lowest]
        return ((lowest.source, lowest.sides),)
    base = [(die.source, die.sides) for die in fighter.base]
    won = [("advantage", D6)] * state.advantage_of(who)
    return (*base, *won, *[("bought", D6)] * fighter.bought)


def pips_owed(state: State, who: str) -> int:
    """Count the advantage dice among them: won and bought ones stack (WA-62)."""
    return sum(label in ("advantage", "bought") for label, _ in dice_owed(state, who))


def throw(state: State, who: str, dice: Dice) -> Throw:
    """Roll all dice in hand: base dice in the order they were taken, then pips (WA-51, WA-62)."""
    fighter = state.of(who)
    base = tuple(Die(die.source, die.sides, dice.roll(die.sides)) for die in fighter.base)
    return Throw(base, tuple(dice.roll(D6) for _ in range(pips_owed(state, who))))


def rethrow(lying: Throw, dice: Dice) -> Throw:
    """Roll the lowest base die again; all others and the pips stay as they lie (WA-52)."""
    at = lying.lowest
    again = replace(lying.dice[at], face=dice.roll(lying.dice[at].sides))
    return replace(lying, dice=(*lying.dice[:at], again, *lying.dice[at + 1 :]))


def compare(answer: Throw, standing: Throw, round_: int) -> Result:
    """Tell how an answer does against the roll that stands (WA-48 to WA-50).

    Doubling and halving are asked first; an identical roll wins. In round 3
    both middle results are absolute.
    """
    if answer.total >= 2 * standing.total:
        return "wins_absolutely"
    if 2 * answer.total <= standing.total:
        return "loses_absolutely"
    if answer.rank >= standing.rank:
        return "wins_absolutely" if round_ == LAST_ROUND else "wins_advantage"
    return "loses_absolutely" if round_ == LAST_ROUND else "loses_advantage"
