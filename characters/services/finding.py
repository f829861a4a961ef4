"""Finding the rows that an action names, as far as the actor may act on them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from characters.models import Character, Encounter, Item, Party, Pile
from games.asked import Asked
from games.errors import Forbidden, MovedOn, NotFound
from games.models import Seat, Table, rows
from games.services.change import Change
from games.services.host import is_gm

MOST_WAITING = 100
"""Open calls, piles, encounters or goals at a table; more would slow every phone at it."""

MOST_THINGS = 3000
"""Things on sheets and in open piles of a table: each reading of the table reads all of them."""

State = Character.State

_SHEET = Asked(
    lambda table, key: (
        Character.objects.filter(table=table, pk=key)
        .exclude(state=State.GONE)
        .select_related("employer", "seat", "trade")
    )
)
_THING = Asked(
    lambda table, key: Item.objects.filter(table=table, pk=key).select_related(
        "holder__employer", "pile", "article", "spell"
    )
)


def gone() -> NotFound:
    """Return the refusal of a thing that is not there for this seat: taken meanwhile, or hidden."""
    return NotFound(_("That is not there any more: somebody was quicker."))


def check_room_among(waiting: QuerySet[Any]) -> None:
    """Raise MovedOn where as many of these wait at a table as anybody can look through."""
    _check_room(waiting, 1, MOST_WAITING)


def check_room_for_things(table: Table, more: int) -> None:
    """Raise MovedOn where a table would have more things than it can be drawn with in time."""
    _check_room(things_of(table), more, MOST_THINGS)


def _check_room(there: QuerySet[Any], more: int, most: int) -> None:
    if there.count() + more > most:
        raise MovedOn(_("There are too many of these already. Put some away first."))


def things_of(table: Table) -> QuerySet[Item]:
    """Return what is on the sheets and in the open piles of a table.

    What lies in a closed pile is nobody's; what the old graves hold their own pages read.
    """
    here = Q(holder__isnull=False) & ~Q(holder__state=State.GONE) | Q(pile__is_open=True)
    return Item.objects.filter(here, table=table)


def party_of(table: Table) -> Party:
    """Return the table's Knave evening, begun if it has none yet."""
    found = rows.first(Party, table_id=table.pk)
    if found is None:
        # Read again: what is kept remembers how it was read.
        Party.objects.get_or_create(table=table)
        found = rows.first(Party, table_id=table.pk)
        assert found
    found.table = table
    return found


def plays(seat: Seat | None, character: Character) -> bool:
    """Tell whether a seat plays this sheet: its own knave, or a hireling of its own."""
    if seat is None:
        return False
    employer = character.employer
    return character.seat_id == seat.pk or bool(employer and employer.seat_id == seat.pk)


def sheet_named(change: Change, key: int, *, anybody: bool = False) -> Character:
    """Return a character of this table that the actor may write on, as `sheet_at` has it."""
    return sheet_at(change.table, change.seat, key, may_all=is_gm(change), anybody=anybody)


def sheet_at(
    table: Table, seat: Seat | None, key: int, *, may_all: bool, anybody: bool = False
) -> Character:
    """Return a character of a table whose whole sheet is this seat's to read and write.

    Who `may_all` (the host) may with each; with `anybody` it only has to be in sight.
    Raises NotFound for a sheet of another table or a hidden one, Forbidden for one
    that somebody else plays.
    """
    found = _SHEET.first(table.pk, key)
    if found is None or (found.is_hidden and not may_all):
        raise NotFound(_("That sheet is not at this table."))
    found.table = table
    if not (anybody or may_all or plays(seat, found)):
        raise Forbidden(_("That sheet is somebody else's."))
    return found


def living_sheet_named(change: Change, key: int, *, anybody: bool = False) -> Character:
    """Return a sheet, as `sheet_named`; the dead and one in the making are refused (MovedOn)."""
    found = sheet_named(change, key, anybody=anybody)
    if found.state == State.DEAD:
        raise MovedOn(_("%(name)s is dead.") % {"name": found.name})
    if found.state == State.DRAFT:
        raise MovedOn(_("%(name)s is still in the making.") % {"name": found.name})
    return found


def thing_named(change: Change, key: int) -> Item:
    """Return an item that the actor may handle: on a sheet of theirs, or anything for the host.

    Raises NotFound when it is gone (somebody was quicker) or somebody hidden has it, MovedOn when
    its holder is dead, Forbidden for another's.
    """
    found = _THING.first(change.table.pk, key)
    holder = found.holder if found else None
    if found is None or holder is None or (holder.is_hidden and not is_gm(change)):
        raise gone()
    if holder.state == State.DEAD:
        raise MovedOn(_("%(name)s is dead.") % {"name": holder.name})
    if not (is_gm(change) or plays(change.seat, holder)):
        raise Forbidden(_("That sheet is somebody else's."))
    return found


def pile_named(change: Change, key: int) -> Pile:
    """Return a pile that the actor may see. Raises NotFound when it is gone or hidden."""
    found = rows.first(Pile, table_id=change.table.pk, id=key, is_open=True)
    if found is None or not (found.is_shown or is_gm(change)):
        raise gone()
    found.table = change.table
    return found


def encounter_named(change: Change, key: int) -> Encounter:
    """Return an open encounter; 0 means the newest. Raises NotFound when there is none."""
    asked: dict[str, Any] = {"id": key} if key else {}
    one = rows.first(Encounter, table_id=change.table.pk, is_open=True, **asked)
    if one is None:
        raise NotFound(_("Prepare an encounter first."))
    one.table = change.table
    return one


def waiting_encounter(change: Change, key: int) -> Encounter:
    """Return an open encounter: `encounter_named`. Raises MovedOn where its fight has begun."""
    one = encounter_named(change, key)
    if one.game_id is not None:
        raise MovedOn(_("That fight has begun."))
    return one


def living_party(table: Table) -> list[Character]:
    """Return the living knaves that somebody plays."""
    return list(
        table.characters.filter(kind=Character.Kind.KNAVE, state__in=Character.ALIVE).exclude(
            seat=None
        )
    )


def is_with_party(one: Character) -> bool:
    """Tell whether somebody stands with the party when a fight begins: whom a player acts for.

    That is every knave that somebody plays, and every hireling of theirs. **Ruling:** who played an
    employer who is dead goes on acting for the hirelings (KN-16, KN-24), until they get up.
    """
    if one.is_hidden or not one.is_alive or one.kind == Character.Kind.NPC:
        return False
    # The living are left to whoever takes them; a grave goes on saying whose it was.
    payer = one.employer and one.employer.seat
    return bool(one.seat_id or (payer and payer.standing != Seat.Standing.GONE))


def chosen(change: Change, keys: Iterable[int]) -> list[Character]:
    """Return the characters that are named; none named means the whole party.

    Raises MovedOn when nobody is left to be meant.
    """
    named = list(keys)
    if not named:
        found = living_party(change.table)
    else:
        found = [living_sheet_named(change, key) for key in dict.fromkeys(named)]
    if not found:
        raise MovedOn(_("There is no living knave at this table yet."))
    return found
