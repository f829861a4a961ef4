"""What is done with things: on a sheet (KN-3 to KN-5), and in piles that anybody may claim from."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from characters.actions.kinds import Coins, Count, KnaveAction, Name
from games.actions import RowKey


# --- things (KN-3 to KN-5) -----------------------------------------------------------------------
class UseItem(KnaveAction, frozen=True, tag="use_item"):
    """Use up some of a thing: eat, shoot, drink."""

    item: RowKey
    count: Count = 1


class DropItem(KnaveAction, frozen=True, tag="drop_item"):
    """Put a thing down on the table, where anybody may claim it; no count drops all."""

    item: RowKey
    count: Count | None = None


class GiveItem(KnaveAction, frozen=True, tag="give_item"):
    """Hand a thing to another character, whole or not at all; no count gives all."""

    item: RowKey
    to: RowKey
    count: Count | None = None


class EquipItem(KnaveAction, frozen=True, tag="equip_item"):
    """Wear or wield a thing, or put it away."""

    item: RowKey
    on: bool


class LeaveHome(KnaveAction, frozen=True, tag="leave_home"):
    """Leave a thing at home, or fetch it."""

    item: RowKey
    home: bool


class PutInside(KnaveAction, frozen=True, tag="put_inside"):
    """Put a thing into a container of the same sheet; no container takes it out."""

    item: RowKey
    container: RowKey | None = None


class SplitItem(KnaveAction, frozen=True, tag="split_item"):
    """Take some of a bundle apart."""

    item: RowKey
    count: Count


class MergeItem(KnaveAction, frozen=True, tag="merge_item"):
    """Put a thing together with its likes on the same sheet."""

    item: RowKey


class BreakItem(KnaveAction, frozen=True, tag="break_item"):
    """Take a point of quality from a thing (KN-19)."""

    item: RowKey


class RepairItem(KnaveAction, frozen=True, tag="repair_item"):
    """Mend points of quality for a tenth of the price each (KN-19), paid from the purse."""

    item: RowKey
    points: Annotated[int, Meta(ge=1, le=20)] = 1
    is_free: bool = False


class LightItem(KnaveAction, frozen=True, tag="light_item"):
    """Light a torch, candle or lantern, or put it out."""

    item: RowKey
    on: bool


class CastSpell(KnaveAction, frozen=True, tag="cast_spell"):
    """Read a spell book aloud, once a day (KN-25)."""

    item: RowKey


class MoveItem(KnaveAction, frozen=True, tag="move_item"):
    """Move a thing up or down the ladder."""

    item: RowKey
    by: Literal[-1, 1]


class BuyItem(KnaveAction, frozen=True, tag="buy_item"):
    """Buy from the price list, paid from the purse."""

    character: RowKey
    article: RowKey
    count: Count = 1


class AddItem(KnaveAction, frozen=True, tag="add_item"):
    """Write a thing onto a sheet or into a pile: priced, a spell book, or one's own."""

    character: RowKey | None = None
    pile: RowKey | None = None
    article: RowKey | None = None
    spell: RowKey | None = None
    name: Name = ""
    slots: Annotated[int, Meta(ge=0, le=20)] = 1
    count: Count = 1


# --- loot ----------------------------------------------------------------------------------------
class NewPile(KnaveAction, frozen=True, tag="new_pile"):
    """Lay out loot: shown to all, or kept hidden for now."""

    name: Name
    gold: Coins = 0
    silver: Coins = 0
    copper: Coins = 0
    is_shown: bool = True


class ShowPile(KnaveAction, frozen=True, tag="show_pile"):
    """Show a pile to the table, or hide it."""

    pile: RowKey
    on: bool


class ClosePile(KnaveAction, frozen=True, tag="close_pile"):
    """Leave what is still in a pile behind."""

    pile: RowKey


class ClaimItem(KnaveAction, frozen=True, tag="claim_item"):
    """Take a thing out of a pile; no count takes all of it."""

    character: RowKey
    item: RowKey
    count: Count | None = None


class ClaimPile(KnaveAction, frozen=True, tag="claim_pile"):
    """Take all of a pile that there is room for; what does not fit stays."""

    character: RowKey
    pile: RowKey


class ClaimCoins(KnaveAction, frozen=True, tag="claim_coins"):
    """Take coins out of a pile; none named takes them all."""

    character: RowKey
    pile: RowKey
    gold: Coins = 0
    silver: Coins = 0
    copper: Coins = 0


class ShareCoins(KnaveAction, frozen=True, tag="share_coins"):
    """Share a pile's coins evenly among the living knaves; what is left over stays."""

    pile: RowKey
