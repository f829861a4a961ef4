"""Sitting down to a bout: the checks of a table's set-up, and its first state."""

from __future__ import annotations

from typing import Final, get_args

from games.rules.brave_or_knave import refusals
from games.rules.brave_or_knave.model import (
    GRAVE,
    HAND,
    MAX_NUMBER,
    MAX_SEATS,
    MIN_NUMBER,
    MIN_SEATS,
    STAVE,
    Call,
    Effect,
    EffectKind,
    HouseRule,
    Occasion,
    Setup,
    State,
    Target,
)
from games.rules.engine import Dice
from games.rules.words import Reason, composed, refuse

FLOW: Final = frozenset({"pass_die", "roll_next", "roll_again"})
"""The effects that say who has the die next."""

TARGETLESS: Final = frozenset({"roll_again", "reverse"})
"""The effects that ask for no target."""


def setup(table: Setup, dice: Dice) -> State:
    """Seat the guilds with five fingers each and find who opens (BK-1 to BK-6).

    Raises IllegalAction for a table that breaks a rule. The die is rolled only
    when the table lets it choose who begins.
    """
    for reason in (_seating_fault(table), _house_rules_fault(table)):
        if reason is not None:
            raise refuse(reason)
    seats = len(table.names)
    first = dice.roll(seats) - 1 if table.first is None else table.first
    return State(
        names=table.names,
        numbers=table.numbers,
        first=first,
        fingers=(HAND,) * seats,
        given=((),) * seats,
        roller=first,
        shroud=table.shroud,
        nine_sisters=table.nine_sisters,
        unison_ms=table.unison_ms,
        house_rules=table.house_rules,
    )


def _seating_fault(table: Setup) -> Reason | None:
    names, numbers = table.names, table.numbers
    checks = (
        (MIN_SEATS <= len(names) <= MAX_SEATS, refusals.SEATS),
        (all(name.strip() for name in names), refusals.BLANK_NAME),
        (len({_folded(name) for name in names}) == len(names), refusals.SAME_NAME),
        (len(numbers) == len(names), refusals.NUMBERS_COUNT),
        (all(MIN_NUMBER <= number <= MAX_NUMBER for number in numbers), refusals.NUMBER_RANGE),
        (len(set(numbers)) == len(numbers), refusals.SAME_NUMBER),
        (table.first is None or 0 <= table.first < len(names), refusals.NO_SUCH_FIRST),
        (table.unison_ms >= 0, refusals.UNISON_RANGE),
    )
    return next((reason for holds, reason in checks if not holds), None)


def _folded(name: str) -> str:
    return composed(name).casefold().strip()


def check_house_rule(rule: HouseRule) -> None:
    """Refuse a house rule that cannot be played, whoever has which personal number (BK-25).

    Raises IllegalAction, which says why.
    """
    reason = _rule_fault(rule, ())
    if reason is not None:
        raise refuse(reason)


def _house_rules_fault(table: Setup) -> Reason | None:
    taken: set[tuple[int, str]] = set()
    for rule in table.house_rules:
        if reason := _rule_fault(rule, table.numbers):
            return reason
        for occasion in ("opening", "challenge") if rule.on == "both" else (rule.on,):
            if (rule.number, occasion) in taken:
                return refusals.RULE_CLASH
            taken.add((rule.number, occasion))
    return None


def _rule_fault(rule: HouseRule, numbers: tuple[int, ...]) -> Reason | None:
    checks = (
        (bool(rule.name.strip()), refusals.RULE_NAME),
        (rule.number != GRAVE, refusals.RULE_GRAVE),
        (rule.number != STAVE, refusals.RULE_STAVE),
        (MIN_NUMBER <= rule.number <= MAX_NUMBER, refusals.RULE_RANGE),
        (rule.number not in numbers, refusals.RULE_OWNED),
        (rule.on in get_args(Occasion), refusals.RULE_OCCASION),
        (bool(rule.effects), refusals.RULE_EMPTY),
        (sum(effect.kind in FLOW for effect in rule.effects) <= 1, refusals.EFFECT_TWICE),
    )
    faults = [reason for holds, reason in checks if not holds]
    faults += [fault for effect in rule.effects if (fault := _effect_fault(effect, rule.on))]
    return faults[0] if faults else None


def _effect_fault(effect: Effect, on: Occasion) -> Reason | None:
    calls = (Call.BRAVE, Call.KNAVE) if effect.kind == "roll_next" else (None,)
    hands_on = effect.kind in FLOW and effect.kind not in TARGETLESS
    checks = (
        (effect.kind in get_args(EffectKind), refusals.EFFECT_KIND),
        (effect.target in get_args(Target), refusals.EFFECT_TARGET),
        (1 <= effect.amount <= HAND, refusals.EFFECT_AMOUNT),
        (
            not (on == "opening" and effect.target == "challenger"),
            refusals.EFFECT_NO_CHALLENGER,
        ),
        (
            not hands_on or effect.target not in ("everyone", "everyone_else"),
            refusals.EFFECT_ONE_TARGET,
        ),
        (
            effect.call in calls,
            refusals.EFFECT_CALL if effect.kind == "roll_next" else refusals.EFFECT_NO_CALL,
        ),
    )
    return next((reason for holds, reason in checks if not holds), None)
