"""What is done with a thing on a sheet: used, dropped, given, put away, taken apart (KN-4)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.utils.translation import gettext as _

from characters import actions
from characters.models import Character, Item
from characters.services import fighting, finding, goods, kit, telling
from games.errors import Malformed, MovedOn
from games.rules.engine import IllegalAction
from games.rules.knave import slots as rules
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.ledger import keep, lean
from games.services.refusing import refused


def tell_thing(
    change: Change, kind: str, item: Item, *about: Character, count: int = 1, **data: Any
) -> None:
    """Log what was done with a thing, by whom, and with how many of it."""
    telling.tell(
        change,
        kind,
        *about,
        name=about[0].name,
        item=goods.names_of(item),
        count=count,
        **data,
    )


def holder_of(item: Item) -> Character:
    """Return whose a thing is that was found among somebody's: a thing in a pile has no holder."""
    assert item.holder
    return item.holder


@contextmanager
def _may_end_its_use(change: Change, item: Item) -> Iterator[Character]:
    """Let the block move a thing, which its holder may have been using.

    If it was lit and is not any more, that is logged: the others may stand in the dark. If it was
    worn or in hand, a fight that is running hears of it.
    """
    holder, was_lit, was_worn = holder_of(item), item.is_lit, item.is_equipped
    yield holder
    if was_lit and not item.is_lit:
        tell_thing(change, "light_gone_out", item, holder)
    if was_worn:
        fighting.regear(change, holder)


@deed(actions.UseItem, may="seat")
def use_item(change: Change, action: actions.UseItem, tap: Tap) -> None:
    """Eat, shoot, pour out: so many are gone."""
    item = finding.thing_named(change, action.item)
    who = holder_of(item)
    if item.kind not in kit.USED_UP:
        raise MovedOn(_("That is not used up."))
    kit.check_at_hand(item)
    kit.check_awake(change, who)
    names, what = goods.names_of(item), item.kind
    kit.spend(change, item, action.count)
    telling.tell_of(change, "item_used", who, item=names, count=action.count, what=what)


@deed(actions.DropItem, may="seat")
def drop_item(change: Change, action: actions.DropItem, tap: Tap) -> None:
    """Put a thing down where anybody may claim it."""
    item = finding.thing_named(change, action.item)
    kit.check_at_hand(item)
    with _may_end_its_use(change, item) as who:
        dropped = kit.take(change, item, action.count)
        count = dropped.count
        goods.add(change, dropped, kit.ground(change))
        tell_thing(change, "item_dropped", dropped, who, count=count)


@deed(actions.GiveItem, may="seat")
def give_item(change: Change, action: actions.GiveItem, tap: Tap) -> None:
    """Hand a thing over whole, or not at all: the receiver needs the room (KN-4)."""
    item = finding.thing_named(change, action.item)
    taker = finding.living_sheet_named(change, action.to, anybody=True)
    if taker == holder_of(item):
        raise Malformed(_("%(name)s has it already.") % {"name": taker.name}, field="to")
    kit.check_at_hand(item)
    with _may_end_its_use(change, item) as giver:
        given = kit.take(change, item, action.count)
        count = given.count
        goods.check_takers_room(taker, [given])
        goods.add(change, given, taker)
        tell_thing(change, "item_given", given, giver, taker, count=count, taker=taker.name)


@deed(actions.LeaveHome, may="seat")
def leave_home(change: Change, action: actions.LeaveHome, tap: Tap) -> None:
    """Leave a thing at home with all that is in it, or fetch it if there is room (KN-4)."""
    item = finding.thing_named(change, action.item)
    if goods.is_left(item, goods.beside(holder_of(item))) == action.home:
        raise MovedOn(
            _("%(item)s is at home.") % {"item": item.said_name}
            if action.home
            else _("%(item)s is not at home.") % {"item": item.said_name}
        )
    with _may_end_its_use(change, item) as who:
        goods.leave_container(change, item)
        item.is_home = action.home
        item.is_equipped = item.is_lit = False
        goods.check_rearranged(who, item)
        count = item.count
        goods.add(change, item, who)
        kind = "item_left_home" if action.home else "item_fetched"
        tell_thing(change, kind, item, who, count=count)


@deed(actions.PutInside, may="seat")
def put_inside(change: Change, action: actions.PutInside, tap: Tap) -> None:
    """Put a thing into a container of the same sheet, or take it out again."""
    item = finding.thing_named(change, action.item)
    container, held = item.inside, goods.beside(holder_of(item))
    was_left = goods.is_left(item, held)
    with _may_end_its_use(change, item) as who:
        goods.leave_container(change, item)
        if action.container is None:
            if container is None:
                raise MovedOn(_("%(item)s is in nothing.") % {"item": item.said_name})
            item.is_home = was_left
        else:
            container = finding.thing_named(change, action.container)
            kit.check_holds(container, item)
            if goods.is_left(container, held) != was_left:
                raise MovedOn(_("One of them is at home."), field="container")
            # Taking back how the container came here takes out again what was put into it.
            lean(change, container, "holder_id", "pile_id", "is_home")
            item.inside = container
            # Where it is, its container says from now on.
            item.is_home = item.is_equipped = item.is_lit = False
        goods.check_rearranged(who, item)
        count = item.count
        goods.add(change, item, who)
        kind = "item_put_inside" if action.container else "item_taken_out"
        tell_thing(change, kind, item, who, count=count, container=goods.names_of(container))


@deed(actions.SplitItem, may="seat")
def split_item(change: Change, action: actions.SplitItem, tap: Tap) -> None:
    """Take some of a bundle apart; the parts may need another slot (KN-4)."""
    item = finding.thing_named(change, action.item)
    who = holder_of(item)
    # Earlier releases have bundled what is counted by itself, such as mules: that comes apart.
    if item.count == 1 and not rules.may_bundle(goods.as_thing(item)):
        raise MovedOn(_("Each of these is counted by itself."))
    try:
        rules.split(goods.as_thing(item), action.count)
    except IllegalAction as refusal:
        raise refused(refusal) from refusal
    finding.check_room_for_things(change.table, 1)
    goods.check_rows(who, 1)
    taken = goods.part(change, item, action.count)
    taken.is_equipped = taken.is_lit = False
    goods.check_rearranged(who, taken)
    taken.position = goods.next_position(who)
    keep(change, taken)
    tell_thing(change, "item_split", item, who, count=action.count)


@deed(actions.MergeItem, may="seat")
def merge_item(change: Change, action: actions.MergeItem, tap: Tap) -> None:
    """Put a thing together with all its likes on the same sheet (KN-4)."""
    item = finding.thing_named(change, action.item)
    who, mine = holder_of(item), goods.alike_key(item)
    twins = [o for o in goods.items_of(who) if o.pk != item.pk and goods.alike_key(o) == mine]
    if not twins:
        raise MovedOn(_("There is nothing like it to put it together with."))
    try:
        for twin in twins:
            rules.merge(goods.as_thing(item), goods.as_thing(twin))
    except IllegalAction as refusal:
        raise refused(refusal) from refusal
    for twin in twins:
        item.count += twin.count
        kit.destroy(change, twin)
    keep(change, item)
    tell_thing(change, "item_merged", item, who, count=item.count)


@deed(actions.MoveItem, may="seat")
def move_item(change: Change, action: actions.MoveItem, tap: Tap) -> None:
    """Move a thing up or down the ladder, past its neighbour in the same place."""
    item = finding.thing_named(change, action.item)
    ladder = goods.items_of(holder_of(item))
    place = [
        i
        for i, o in enumerate(ladder)
        if (o.is_home, o.inside_id) == (item.is_home, item.inside_id)
    ]
    at = next(n for n, i in enumerate(place) if ladder[i].pk == item.pk)
    if not 0 <= at + action.by < len(place):
        raise MovedOn(_("It is at the end already."))
    here, there = place[at], place[at + action.by]
    ladder[here], ladder[there] = ladder[there], ladder[here]
    for position, one in enumerate(ladder, 1):
        one.position = position
    keep(change, *ladder)
    tell_thing(change, "item_moved", item, holder_of(item))
