"""Loot: piles on the table that anybody may claim from; who taps first gets it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from characters import actions
from characters.models import Character, Item, Pile
from characters.models.sheet import NAME_LENGTH
from characters.services import finding, goods, kit, purse, telling
from games.errors import MovedOn
from games.models import Seat
from games.rules.knave.entries import UNCARRIED
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.host import gm_seat
from games.services.ledger import keep
from games.services.refusing import so_already
from games.text import clean_name


def readers_of(change: Change, pile: Pile) -> Seat | None:
    """Return to whom the log tells of a pile: everybody (None), or the host while it is hidden."""
    return None if pile.is_shown else gm_seat(change)


def called(pile: Pile) -> dict[str, Any]:
    """Return what the log says of a pile: its name, and whether that is who left it."""
    return {"pile": pile.name, "is_estate": pile.of_id is not None}


@deed(actions.NewPile)
def new_pile(change: Change, action: actions.NewPile, tap: Tap) -> None:
    """Lay out a pile with coins and no things yet; a hidden one is told to the host alone.

    What the dead leave is never refused, and takes nobody's room.
    """
    finding.check_room_among(change.table.piles.filter(is_open=True, of=None))
    coins = purse.coins_of(action)
    name = clean_name(action.name, longest=NAME_LENGTH)
    pile = Pile(table=change.table, name=name, is_shown=action.is_shown, **coins)
    keep(change, pile)
    change.answer["pile"] = pile.pk
    telling.tell(
        change, "pile_laid", to=readers_of(change, pile), **called(pile), **purse.told(coins)
    )


@deed(actions.ShowPile)
def show_pile(change: Change, action: actions.ShowPile, tap: Tap) -> None:
    """Show a pile to the table, or hide it again."""
    pile = finding.pile_named(change, action.pile)
    if pile.is_shown == action.on:
        raise so_already()
    pile.is_shown = action.on
    keep(change, pile)
    # That it was hidden again is for all to know: they have seen it.
    telling.tell(change, "pile_shown" if action.on else "pile_hidden", **called(pile))


@deed(actions.ClosePile)
def close_pile(change: Change, action: actions.ClosePile, tap: Tap) -> None:
    """Leave what is still in a pile behind."""
    pile = finding.pile_named(change, action.pile)
    pile.is_open = False
    keep(change, pile)
    telling.tell(change, "pile_left", to=readers_of(change, pile), **called(pile))


@deed(actions.ClaimItem, may="seat")
def claim_item(change: Change, action: actions.ClaimItem, tap: Tap) -> None:
    """First come, first served; whole or not at all, as far as there is room (KN-4)."""
    taker = finding.living_sheet_named(change, action.character)
    item = (
        Item.objects.filter(table=change.table, pk=action.item, pile__is_open=True)
        .select_related("pile", "article", "spell")
        .first()
    )
    if item is None or item.pile is None:
        raise finding.gone()
    pile = finding.pile_named(change, item.pile.pk)
    taken = kit.take(change, item, action.count)
    count = taken.count
    goods.check_room(taker, [taken])
    goods.add(change, taken, taker)
    names = goods.names_of(taken)
    telling.tell_of(
        change,
        "item_claimed",
        taker,
        to=readers_of(change, pile),
        item=names,
        count=count,
        **called(pile),
    )
    kit.close_if_empty(change, pile)


@deed(actions.ClaimCoins, may="seat")
def claim_coins(change: Change, action: actions.ClaimCoins, tap: Tap) -> None:
    """Take the coins that are named; none named takes all of them."""
    taker = finding.living_sheet_named(change, action.character)
    pile = finding.pile_named(change, action.pile)
    wanted = purse.coins_of(action)
    if not any(wanted.values()):
        wanted = purse.coins_of(pile)
    if not any(wanted.values()):
        raise finding.gone()
    purse.check_coins(pile, wanted)
    goods.check_room(taker, coins=sum(wanted.values()))
    purse.hand_over(change, pile, taker, wanted)
    telling.tell_of(
        change,
        "coins_claimed",
        taker,
        to=readers_of(change, pile),
        **called(pile),
        **purse.told(wanted),
    )
    kit.close_if_empty(change, pile)


@deed(actions.ClaimPile, may="seat")
def claim_pile(change: Change, action: actions.ClaimPile, tap: Tap) -> None:
    """Take the coins and every thing there is room for, in order (KN-4); the rest stays.

    Coins that do not all fit leave the room to the things, and fill what is left of it. What others
    are in goes first, and a mule before all: what is on it needs no room.
    """
    taker = finding.living_sheet_named(change, action.character)
    pile = finding.pile_named(change, action.pile)
    coins = purse.coins_of(pile)
    took = []
    is_whole = _has_room(taker, sum(coins.values()))
    if any(coins.values()) and is_whole:
        purse.hand_over(change, pile, taker, coins)
        took.append("coins")
    things = pile.items.select_related("article", "spell")
    for item in sorted(things, key=lambda i: (i.kind not in UNCARRIED, not i.holds)):
        try:
            goods.check_room(taker, [item])
        except MovedOn:
            continue
        took.append(item.kind)
        goods.add(change, item, taker)
    _keep_together(change, taker, pile)
    if not is_whole and any((some := goods.coins_that_fit(taker, coins)).values()):
        purse.hand_over(change, pile, taker, some)
        took.append("coins")
    if not took:
        raise MovedOn(_("There is no free slot for any of it."))
    left = pile.items.count() + any(purse.coins_of(pile).values())
    data = {"count": len(took), "left": left, **called(pile)}
    telling.tell_of(change, "pile_claimed", taker, to=readers_of(change, pile), **data)
    kit.close_if_empty(change, pile)


def _keep_together(change: Change, taker: Character, pile: Pile) -> None:
    """Take out of its container what has been parted from it, for want of room for one of them."""
    for there in (goods.items_of(taker), list(pile.items.all())):
        keys = {item.pk for item in there}
        for item in there:
            if item.inside_id is not None and item.inside_id not in keys:
                goods.leave_container(change, item)
                keep(change, item)


@deed(actions.ShareCoins, may="seat")
def share_coins(change: Change, action: actions.ShareCoins, tap: Tap) -> None:
    """Deal a pile's coins out evenly, metal by metal; what does not divide stays."""
    pile = finding.pile_named(change, action.pile)
    sharers = finding.living_party(change.table)
    if not sharers:
        raise MovedOn(_("There is no living knave at this table yet."))
    each = {metal: count // len(sharers) for metal, count in purse.coins_of(pile).items()}
    if not any(each.values()):
        raise MovedOn(_("There are too few coins to share."))
    able = [c for c in sharers if _has_room(c, sum(each.values()))]
    if not able:
        text = _("There is no free slot for the coins: %(names)s.")
        raise MovedOn(text % {"names": ", ".join(c.name for c in sharers)})
    # Whose slots are full leaves their share lying, for when they have made room.
    for sharer in able:
        purse.hand_over(change, pile, sharer, each)
    names = [c.name for c in able]
    full = [c.name for c in sharers if c not in able]
    data = {"names": names, "count": len(names), "full": full, **called(pile), **each}
    telling.tell(change, "coins_shared", *able, to=readers_of(change, pile), **data)
    kit.close_if_empty(change, pile)


def _has_room(character: Character, coins: int) -> bool:
    try:
        goods.check_room(character, coins=coins)
    except MovedOn:
        return False
    return True
