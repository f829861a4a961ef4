"""Hirelings to be had: of which trades, who is without an employer, who has room (KN-24)."""

from __future__ import annotations

from characters.models import Character, HirelingKind
from characters.screens.people import days_unpaid, wage_a_day
from characters.services import kept_book
from characters.snapshot import Evening
from games.rules.knave.people import hireling_limit
from games.screens.cards import Choice
from games.text import in_order

Kind = Character.Kind


def trades(evening: Evening) -> tuple[Choice, ...]:
    """Return the trades that can be hired, the cheapest first, each with its wage."""
    return evening.memory.once(_trades, kept_book.hireling_kinds())


def _trades(kinds: tuple[HirelingKind, ...]) -> tuple[Choice, ...]:
    shown = [one for one in kinds if not one.is_hidden]
    shown.sort(key=lambda one: (one.wage, in_order(one.said("name"))))
    return tuple(Choice(one.pk, one.said("name"), wage_a_day(one.wage)) for one in shown)


def masterless(evening: Evening) -> tuple[Choice, ...]:
    """Return the hirelings whose employer is dead, with the trade, the wage and what is owed."""
    once = evening.memory.once
    return evening.memory.row(
        once(_masterless, one) for one in evening.characters if _is_masterless(one)
    )


def _is_masterless(one: Character) -> bool:
    is_here = one.kind == Kind.HIRELING and one.is_alive and not one.is_hidden
    return is_here and not one.is_employed


def _masterless(one: Character) -> Choice:
    trade = one.trade.said("name") if one.trade else ""
    told = (trade, wage_a_day(one.wage) if one.wage else "", days_unpaid(one))
    return Choice(one.pk, one.name, " · ".join(filter(None, told)))


def has_room(one: Character, hired: int) -> bool:
    """Tell whether somebody who employs so many may take on another."""
    return one.kind == Kind.KNAVE and one.is_alive and hired < hireling_limit(one.charisma)


def hirers(evening: Evening) -> tuple[Choice, ...]:
    """Return the knaves who may take on another hireling."""
    once, found = evening.memory.once, evening.characters
    with_room = (one for one in found if has_room(one, len(evening.hired_by(one))))
    return evening.memory.row(once(Choice, one.pk, one.name) for one in with_room)
