"""Rolls that belong to nobody's sheet: loose dice, tables, and secrets that are shown later."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from characters import actions
from characters.models import Spell, TableRow
from characters.services.dice_text import read_dice, roll_terms
from characters.services.telling import tell
from games.errors import Forbidden, Malformed, MovedOn, NotFound
from games.guild_names import suggest
from games.models import Event
from games.rules.dice import RecordedDice
from games.rules.engine import IllegalAction
from games.rules.knave import people
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.dice import dice_for
from games.services.host import gm_seat, is_gm
from games.text import clean_line

SHOWABLE = frozenset({"dice_rolled", "table_rolled"})
"""What is rolled behind the screen, and may be shown to the table afterwards."""
MOST_TRIES = 1000

Names = dict[str, str]


class Entry(NamedTuple):
    """A row of a table that is rolled on: the faces it covers and what it says."""

    low: int
    high: int
    result: Names


@deed(actions.RollDice, may="seat", stops_in_pause=True)
def roll_dice(change: Change, action: actions.RollDice, tap: Tap) -> None:
    """Roll loose dice for all to see; the host also behind the screen."""
    if action.is_secret and not is_gm(change):
        raise Forbidden(_("Only the referee rolls in secret."))
    terms = read_dice(action.dice)
    reason = clean_line(action.reason, field="reason")
    sides = [term.sides for term in terms for _each in range(term.number) if term.sides]
    dice = dice_for(change, tap, sides)
    faces, total = roll_terms(dice, terms)
    change.play.faces = dice.faces
    tell(
        change,
        "dice_rolled",
        to=gm_seat(change) if action.is_secret else None,
        by_name=change.seat.name if change.seat else "",
        dice="".join(action.dice.split()),
        faces=faces,
        total=total,
        reason=reason,
        is_real=change.play.is_real,
    )


@deed(actions.RollTable, stops_in_pause=True)
def roll_table(change: Change, action: actions.RollTable, tap: Tap) -> None:
    """Roll on a table: reaction (KN-11), name, spell (KN-25), traits and gear (KN-3, KN-7)."""
    if action.table == "reaction":
        dice = dice_for(change, tap, [6, 6])
        faces, key = people.reaction(dice)
        told: Mapping[str, Any] = {"faces": faces, "total": sum(faces), "result": key}
    elif action.table == "name":
        one = suggest(change.table.language)
        dice, told = dice_for(change, tap, []), {"faces": [], "result": one}
    else:
        sides, entries = _entries(action.table)
        dice = dice_for(change, tap, [sides])
        face, result = _fall(dice, sides, entries)
        told = {"faces": [face], "total": face, "result": result}
    change.play.faces = dice.faces
    to = gm_seat(change) if action.is_secret else None
    tell(change, "table_rolled", to=to, table=action.table, is_real=change.play.is_real, **told)


def _entries(table: str) -> tuple[int, list[Entry]]:
    """Return a table's die and the rows that the host has not hidden.

    Raises Malformed when there is no such table.
    """
    if table == "spell":
        spells = Spell.objects.filter(number__gte=1)
        every = [(s.is_hidden, _entry(s.number, s.number, s)) for s in spells]
    else:
        rows = TableRow.ranked().filter(table=table, high__gte=1)
        every = [(r.is_hidden, _entry(r.low, r.high, r)) for r in rows]
    entries = [entry for is_hidden, entry in every if not is_hidden]
    if not entries:
        raise Malformed(_("There is no such table."), field="table")
    return max(entry.high for _is_hidden, entry in every), entries


def _entry(low: int, high: int, row: Spell | TableRow) -> Entry:
    return Entry(low, high, row.names())


def _fall(dice: RecordedDice, sides: int, entries: list[Entry]) -> tuple[int, Names]:
    """Roll until a row is found: the face of a row that the host has hidden is rolled again.

    A real die has fallen once: whoever typed it rolls that again.
    """
    with suppress(IllegalAction):
        for _try in range(MOST_TRIES):
            face = dice.roll(sides)
            found = next((e.result for e in entries if e.low <= face <= e.high), None)
            if found is not None:
                return face, found
    raise MovedOn(_("Nothing was found on that table. Roll again."), field="dice")


@deed(actions.ShowRoll)
def show_roll(change: Change, action: actions.ShowRoll, tap: Tap) -> None:
    """Show the table what was rolled behind the screen, once; `event` is its number in the log."""
    secret = Event.objects.filter(table=change.table, seq=action.event).first()
    if secret is None or secret.kind not in SHOWABLE or secret.to_id != gm_seat(change).pk:
        raise NotFound(_("That is not a secret roll."))
    if change.table.events.filter(kind=secret.kind, to=None, data__shows=secret.seq).exists():
        raise MovedOn(_("Everybody has seen that roll."))
    tell(change, secret.kind, **{**secret.data, "shows": secret.seq})
