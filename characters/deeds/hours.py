"""Time that passes: turns and light, nights and havens (KN-21), wages that come due (KN-24).

Rulings of ours: a night in camp ends on the next day's morning, and nobody
leaves a light burning through it. Only rest refreshes spell books, so a book
that was read before midnight stays read after it.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from characters import actions
from characters.models import Call, Character, Item, Party
from characters.services.body import set_hp
from characters.services.calls import open_call, sleep
from characters.services.fighting import fight_of
from characters.services.finding import chosen, party_of
from characters.services.goods import names_of
from characters.services.kit import needs_fuel
from characters.services.telling import tell
from games.errors import Malformed, MovedOn
from games.rules.dice import RecordedDice, SystemDice
from games.rules.knave import days
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.ledger import drop, keep

MORNING = 48
"""The turn of the day at which a camp is struck: eight o'clock."""
MOST_DAYS_OWED = 9999


@deed(actions.PassTurns, stops_in_pause=True)
def pass_turns(change: Change, action: actions.PassTurns, tap: Tap) -> None:
    """Let turns pass; a negative number only turns the clock back, nothing burns or is owed."""
    if not action.turns:
        raise Malformed(_("How many turns pass?"), field="turns")
    party = party_of(change.table)
    clock = days.Clock(party.day, party.turn)
    is_back = action.turns < 0
    later = clock.turned_back(-action.turns) if is_back else clock.advance(action.turns)
    _set_clock(change, party, later)
    tell(
        change,
        "turns_passed",
        turns=action.turns,
        day=later.day,
        hour=later.hour,
        minute=later.minute,
    )
    if not is_back:
        _burn(change, action.turns)
        _owe(change, later.day - clock.day)
        _keep_books_read(change, later.day - clock.day)


def _set_clock(change: Change, party: Party, clock: days.Clock) -> None:
    party.day, party.turn = clock.day, clock.turn
    keep(change, party)


def _lit(change: Change) -> Iterable[Item]:
    lit = change.table.items.filter(is_lit=True).exclude(holder=None)
    return lit.select_related("holder", "article", "spell").order_by("id")


def _burn(change: Change, turns: int) -> None:
    """Burn every light down; what is burnt out is gone, but for a lamp that is filled again."""
    for item in _lit(change):
        left = item.burns_turns if item.turns_left is None else item.turns_left
        if left is None:
            continue  # a light of one's own making that never burns down
        left = days.burn(left, turns)
        if left:
            item.turns_left = left
            keep(change, item)
        else:
            _burn_out(change, item)


def _burn_out(change: Change, item: Item) -> None:
    assert item.holder
    tell(change, "light_burnt_out", item.holder, name=item.holder.name, item=names_of(item))
    is_lamp = needs_fuel(item)
    if not is_lamp and item.count == 1:
        drop(change, item)
        return
    item.count -= 0 if is_lamp else 1
    item.is_lit, item.turns_left = False, None
    keep(change, item)


def _owe(change: Change, count: int) -> None:
    """Owe every hireling a wage for each day that begins (KN-24)."""
    if count <= 0:
        return
    for one in _hirelings(change):
        one.days_owed = min(MOST_DAYS_OWED, one.days_owed + count)
        keep(change, one)


def _keep_books_read(change: Change, count: int) -> None:
    """Let midnight pass over the books that were read: their day goes on until the next rest."""
    if count <= 0:
        return
    for book in change.table.items.exclude(cast_on=None):
        book.cast_on = (book.cast_on or 0) + count
        keep(change, book)


def _living(change: Change, kind: Character.Kind) -> QuerySet[Character]:
    living = change.table.characters.filter(state__in=Character.ALIVE, kind=kind)
    return living.select_related("employer")


def _hirelings(change: Change) -> list[Character]:
    return list(_living(change, Character.Kind.HIRELING))


def _wounded_of_nobody(change: Change) -> list[Character]:
    """Return the knaves that nobody plays, as far as a haven has something to heal."""
    knaves = _living(change, Character.Kind.KNAVE).filter(seat=None)
    return [one for one in knaves if one.hp < one.max_hp]


@deed(actions.MakeCamp, stops_in_pause=True)
def make_camp(change: Change, action: actions.MakeCamp, tap: Tap) -> None:
    """Rest (KN-21): a haven heals all, a night asks every knave for a d8 in the morning."""
    if fight_of(change.table) is not None:
        raise MovedOn(_("There is a fight: end it first."))
    who = chosen(change, ())
    party = party_of(change.table)
    clock = days.Clock(party.day, 0).advance(days.TURNS_A_DAY + MORNING)
    _set_clock(change, party, clock)
    hired = _hirelings(change)
    left = _wounded_of_nobody(change) if action.kind == "haven" else []
    # Where the app rolls nothing for players, they roll for their hirelings too.
    is_asked = action.kind == "night" and change.table.settings.dice == "real"
    asked = hired if is_asked else []
    # In a haven all others are made whole as well; at night each hireling's is told by itself.
    others = [*left, *hired] if action.kind == "haven" else asked
    met = (one for one in others if not one.is_hidden)
    named = [*who, *met]
    names = [one.name for one in named]
    tell(change, f"{action.kind}_rest", *named, names=names, day=clock.day)
    for item in _lit(change):
        item.is_lit = False
        keep(change, item)
    for book in change.table.items.exclude(cast_on=None):
        book.cast_on = None
        keep(change, book)
    for call in change.table.calls.filter(kind=Call.Kind.NIGHT, is_open=True):
        call.is_open = False
        keep(change, call)
    _owe(change, 1)
    if action.kind == "haven":
        for one in (*who, *others):
            set_hp(change, one, days.haven(one.hp, one.max_hp))
        return
    open_call(change, Call(table=change.table, kind=Call.Kind.NIGHT), [*who, *asked])
    dice = RecordedDice(SystemDice())
    for hireling in hired:
        if hireling not in asked:
            sleep(change, hireling, dice, leaves=1)  # for the employer, who has yet to sleep
    change.play.faces = dice.faces
