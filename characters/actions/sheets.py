"""What is done with a sheet: made (KN-1 to KN-7), written on, rolled for, raised (KN-23)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from characters.actions.kinds import (
    Coins,
    Edge,
    KeyWord,
    KnaveAction,
    Letters,
    Modifier,
    Name,
    Words,
    Xp,
)
from games.actions import Mark, NumberOrNobody, RowKey
from games.rules.knave.growth import HIGHEST_LEVEL

Level = Annotated[int, Meta(ge=0, le=HIGHEST_LEVEL)]
MostHp = Annotated[int, Meta(ge=1, le=999)]


# --- making a knave (KN-1 to KN-7) ---------------------------------------------------------------
class NewKnave(KnaveAction, frozen=True, tag="new_knave"):
    """Roll a whole new knave for one's own seat, to look at before it is confirmed."""


class Reroll(KnaveAction, frozen=True, tag="reroll"):
    """Roll a part again: abilities, hp, gear, weapon, traits, spell, all, or one trait by key."""

    character: RowKey
    part: Literal["abilities", "hp", "gear", "weapon", "traits", "trait", "spell", "all"]
    key: Annotated[str, Meta(max_length=40)] = ""


class TypeAbilities(KnaveAction, frozen=True, tag="type_abilities"):
    """Enter the eighteen faces of real dice, three for each ability in order (KN-1)."""

    character: RowKey
    faces: Words


class ChooseWeapon(KnaveAction, frozen=True, tag="choose_weapon"):
    """Take a starting weapon by its key (KN-3)."""

    character: RowKey
    weapon: KeyWord


class SetTrait(KnaveAction, frozen=True, tag="set_trait"):
    """Choose or write a trait (KN-7)."""

    character: RowKey
    trait: KeyWord
    text: Words = ""


class SwapAbilities(KnaveAction, frozen=True, tag="swap_abilities"):
    """Swap the scores of two abilities, once (KN-2)."""

    character: RowKey
    first: Letters
    second: Letters


class ConfirmKnave(KnaveAction, frozen=True, tag="confirm_knave"):
    """Take the knave as it is; a name may come along."""

    character: RowKey
    name: Name = ""


class DiscardKnave(KnaveAction, frozen=True, tag="discard_knave"):
    """Throw a knave away that is still in the making."""

    character: RowKey


class AddParty(KnaveAction, frozen=True, tag="add_party"):
    """Roll several ready knaves of a level, for anybody to take."""

    count: Annotated[int, Meta(ge=1, le=12)] = 1
    level: Annotated[int, Meta(ge=1, le=20)] = 1


class ClaimKnave(KnaveAction, frozen=True, tag="claim_knave"):
    """Take a knave that nobody plays."""

    character: RowKey


class HandKnave(KnaveAction, frozen=True, tag="hand_knave"):
    """Give a sheet to a seat; without a seat it is nobody's."""

    character: RowKey
    seat_to: NumberOrNobody = 0


# --- the sheet -----------------------------------------------------------------------------------
class EditKnave(KnaveAction, frozen=True, tag="edit_knave"):
    """Write name, gender and notes. `was_…` are the marks of what the form was filled in with."""

    character: RowKey
    name: Name
    gender: Annotated[str, Meta(max_length=30)] = ""
    notes: Annotated[str, Meta(max_length=8000)] = ""
    was_name: Mark = ""
    was_gender: Mark = ""
    was_notes: Mark = ""


class ChooseMark(KnaveAction, frozen=True, tag="choose_mark"):
    """Choose a drawn mark as portrait; nothing takes portrait and mark away."""

    character: RowKey
    mark: Annotated[str, Meta(max_length=12)] = ""


class KeepPortrait(KnaveAction, frozen=True, tag="keep_portrait"):
    """Keep the picture that came with the tap as portrait."""

    character: RowKey


class ChangeHp(KnaveAction, frozen=True, tag="change_hp"):
    """Add to or take from hit points: the − and + of the sheet, or an amount typed."""

    character: RowKey
    by: Annotated[int, Meta(ge=-999, le=999)]


class SetAbility(KnaveAction, frozen=True, tag="set_ability"):
    """The host's correction of an ability's bonus."""

    character: RowKey
    ability: Letters
    bonus: Annotated[int, Meta(ge=-5, le=10)]


class SetLevel(KnaveAction, frozen=True, tag="set_level"):
    """The host's correction of level, experience and maximum hit points.

    `was_…` is what the form was filled in with.
    """

    character: RowKey
    level: Level
    xp: Xp
    max_hp: MostHp
    was_level: Level | None = None
    was_xp: Xp | None = None
    was_max_hp: MostHp | None = None


class SetCoins(KnaveAction, frozen=True, tag="set_coins"):
    """Write what is in the purse; `was_…` is what the form was filled in with."""

    character: RowKey
    gold: Coins = 0
    silver: Coins = 0
    copper: Coins = 0
    was_gold: Coins | None = None
    was_silver: Coins | None = None
    was_copper: Coins | None = None


class GiveCoins(KnaveAction, frozen=True, tag="give_coins"):
    """Hand coins to another character."""

    character: RowKey
    to: RowKey
    gold: Coins = 0
    silver: Coins = 0
    copper: Coins = 0


class AllowOverload(KnaveAction, frozen=True, tag="allow_overload"):
    """The referee's open override of the slots (KN-4)."""

    character: RowKey
    on: bool


class RollSave(KnaveAction, frozen=True, tag="roll_save"):
    """Roll a save (KN-8), against a defense (KN-9) or in answer to a call; dice may be typed."""

    character: RowKey
    ability: Letters = "str"
    edge: Edge = ""
    modifier: Modifier = 0
    defense: Annotated[int, Meta(ge=1, le=60)] | None = None
    call: RowKey | None = None


class LevelUp(KnaveAction, frozen=True, tag="level_up"):
    """Take a level (KN-23): three abilities, or six in the order the dice try them.

    `level` is the one that they were chosen for; without it, whichever is next.
    """

    character: RowKey
    abilities: tuple[Letters, ...] = ()
    level: Level | None = None
