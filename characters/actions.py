"""What a seat may do with Knave's sheets, loot, time and encounters.

Like the table's own actions, each is a typed value that takes the one way in;
bounds stand in the types. `character`, `item`, `pile`, `call` are row keys;
`who` lists characters by their keys.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from games.actions import RowKey, TableAction

Letters = Literal["str", "dex", "con", "int", "wis", "cha"]
Edge = Literal["", "advantage", "disadvantage"]
Count = Annotated[int, Meta(ge=1, le=9999)]
Coins = Annotated[int, Meta(ge=0, le=999_999)]
Modifier = Annotated[int, Meta(ge=-20, le=20)]
Amount = Annotated[int, Meta(ge=1, le=999)]
NewestOr = Annotated[int, Meta(ge=0)]
"""An encounter's key; 0 is the newest one."""
Words = Annotated[str, Meta(max_length=400)]
Some = Annotated[tuple[RowKey, ...], Meta(max_length=60)]
"""Characters; none named means every living knave of the party."""


class KnaveAction(TableAction, frozen=True, tag=True):
    """An action on a sheet, or on what the party shares."""


# --- making a knave (KN-1 to KN-7) ---------------------------------------------------------------
class NewKnave(KnaveAction, frozen=True, tag="new_knave"):
    """Roll a whole new knave for one's own seat, to look at before it is confirmed."""


class Reroll(KnaveAction, frozen=True, tag="reroll"):
    """Roll a part again: abilities, hp, gear, weapon, traits, spell, all, or one trait by key."""

    character: RowKey
    part: Literal["abilities", "hp", "gear", "weapon", "traits", "trait", "spell", "all"]
    key: str = ""


class TypeAbilities(KnaveAction, frozen=True, tag="type_abilities"):
    """Enter the eighteen faces of real dice, three for each ability in order (KN-1)."""

    character: RowKey
    faces: str


class ChooseWeapon(KnaveAction, frozen=True, tag="choose_weapon"):
    """Take a starting weapon by its key (KN-3)."""

    character: RowKey
    weapon: str


class SetTrait(KnaveAction, frozen=True, tag="set_trait"):
    """Choose or write a trait (KN-7)."""

    character: RowKey
    trait: str
    text: Words = ""


class SwapAbilities(KnaveAction, frozen=True, tag="swap_abilities"):
    """Swap the scores of two abilities, once (KN-2)."""

    character: RowKey
    first: Letters
    second: Letters


class ConfirmKnave(KnaveAction, frozen=True, tag="confirm_knave"):
    """Take the knave as it is; a name may come along."""

    character: RowKey
    name: str = ""


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
    seat_to: Annotated[int, Meta(ge=0, le=999)] = 0


# --- the sheet -----------------------------------------------------------------------------------
class EditKnave(KnaveAction, frozen=True, tag="edit_knave"):
    """Write name, gender and notes."""

    character: RowKey
    name: str
    gender: Annotated[str, Meta(max_length=30)] = ""
    notes: Annotated[str, Meta(max_length=8000)] = ""


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
    """The GM's correction of an ability's bonus."""

    character: RowKey
    ability: Letters
    bonus: Annotated[int, Meta(ge=-5, le=10)]


class SetLevel(KnaveAction, frozen=True, tag="set_level"):
    """The GM's correction of level, experience and maximum hit points."""

    character: RowKey
    level: Annotated[int, Meta(ge=0, le=30)]
    xp: Annotated[int, Meta(ge=0, le=1_000_000)]
    max_hp: Annotated[int, Meta(ge=1, le=999)]


class SetCoins(KnaveAction, frozen=True, tag="set_coins"):
    """Write what is in the purse."""

    character: RowKey
    gold: Coins = 0
    silver: Coins = 0
    copper: Coins = 0


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
    """Take a level (KN-23): three abilities, or six in the order the dice try them."""

    character: RowKey
    abilities: tuple[Letters, ...]


# --- things (KN-3 to KN-5) -----------------------------------------------------------------------
class UseItem(KnaveAction, frozen=True, tag="use_item"):
    """Use up one of a thing: eat, shoot, drink."""

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
    name: str = ""
    slots: Annotated[int, Meta(ge=0, le=20)] = 1
    count: Count = 1


# --- loot ----------------------------------------------------------------------------------------
class NewPile(KnaveAction, frozen=True, tag="new_pile"):
    """Lay out loot: shown to all, or kept hidden for now."""

    name: str
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


# --- the referee: rolls, harm, experience, time --------------------------------------------------
class AskSaves(KnaveAction, frozen=True, tag="ask_saves"):
    """Call for a save from chosen characters (KN-8, KN-9)."""

    ability: Letters
    who: Some = ()
    reason: Annotated[str, Meta(max_length=120)] = ""
    edge: Edge = ""
    modifier: Modifier = 0
    defense: Annotated[int, Meta(ge=1, le=60)] | None = None


class RollMissing(KnaveAction, frozen=True, tag="roll_missing"):
    """Roll for those who have not answered a call."""

    call: RowKey


class CloseCall(KnaveAction, frozen=True, tag="close_call"):
    """Take a call back, or put an answered one away."""

    call: RowKey


class HurtMany(KnaveAction, frozen=True, tag="hurt_many"):
    """Damage several characters at once."""

    amount: Amount
    who: Some = ()
    cause: Annotated[str, Meta(max_length=120)] = ""


class HealMany(KnaveAction, frozen=True, tag="heal_many"):
    """Heal several characters at once."""

    amount: Amount
    who: Some = ()


class AwardXp(KnaveAction, frozen=True, tag="award_xp"):
    """Give experience to several characters (KN-22)."""

    amount: Annotated[int, Meta(ge=1, le=100_000)]
    who: Some = ()
    reason: Annotated[str, Meta(max_length=120)] = ""


class AwardLevel(KnaveAction, frozen=True, tag="award_level"):
    """A milestone, or the end of a session: everybody chosen may take a level (KN-22)."""

    who: Some = ()


class AwardCoin(KnaveAction, frozen=True, tag="award_coin"):
    """Experience for coin brought home, shared evenly among those chosen (KN-22)."""

    gold: Coins = 0
    silver: Coins = 0
    copper: Coins = 0
    who: Some = ()


class AnnounceGoal(KnaveAction, frozen=True, tag="announce_goal"):
    """Name what a goal is worth beforehand (KN-22)."""

    text: Annotated[str, Meta(min_length=1, max_length=160)]
    worth: Annotated[int, Meta(ge=1, le=100_000)] = 100
    is_shown: bool = True


class ShowGoal(KnaveAction, frozen=True, tag="show_goal"):
    """Show a hidden goal, or hide it."""

    goal: RowKey
    on: bool


class ReachGoal(KnaveAction, frozen=True, tag="reach_goal"):
    """The goal is reached: everybody living gets its worth."""

    goal: RowKey


class DropGoal(KnaveAction, frozen=True, tag="drop_goal"):
    """Take a goal off the list."""

    goal: RowKey


class PassTurns(KnaveAction, frozen=True, tag="pass_turns"):
    """Let ten-minute turns pass; lights burn down. A negative number turns the clock back."""

    turns: Annotated[int, Meta(ge=-144, le=144)]


class MakeCamp(KnaveAction, frozen=True, tag="make_camp"):
    """Night's rest or a safe haven (KN-21): a new day begins, spell books refresh."""

    kind: Literal["night", "haven"]


class RollDice(KnaveAction, frozen=True, tag="roll_dice"):
    """Roll some dice for all to see, or behind the screen."""

    dice: Annotated[str, Meta(min_length=1, max_length=40)]
    reason: Annotated[str, Meta(max_length=120)] = ""
    is_secret: bool = False


class RollTable(KnaveAction, frozen=True, tag="roll_table"):
    """Roll on a table: reaction, spell, a trait, gear, name."""

    table: Annotated[str, Meta(min_length=1, max_length=40)]
    is_secret: bool = True


class ShowRoll(KnaveAction, frozen=True, tag="show_roll"):
    """Show the table what was rolled behind the screen."""

    event: RowKey


class ConfigureKnave(KnaveAction, frozen=True, tag="configure_knave"):
    """Change one way in which the table plays Knave; see `KnaveSettings`."""

    setting: Literal[
        "gear",
        "spell",
        "may_reroll",
        "experience",
        "raising",
        "players_roll_all",
        "foes_shown",
        "may_add",
        "shop_open",
    ]
    value: Annotated[str, Meta(min_length=1, max_length=40)]


# --- people (KN-24) ------------------------------------------------------------------------------
class Hire(KnaveAction, frozen=True, tag="hire"):
    """Take a hireling on; at most as many as the Charisma bonus."""

    character: RowKey
    trade: RowKey
    name: str = ""


class PayHireling(KnaveAction, frozen=True, tag="pay_hireling"):
    """Pay days of wage from the employer's purse."""

    character: RowKey
    days: Annotated[int, Meta(ge=1, le=60)] = 1


class Dismiss(KnaveAction, frozen=True, tag="dismiss"):
    """Send a hireling or an NPC away."""

    character: RowKey


class RollMorale(KnaveAction, frozen=True, tag="roll_morale"):
    """Roll a hireling's or an NPC's morale outside a fight (KN-20)."""

    character: RowKey
    moment: Literal["unpaid", "employer_died", "danger", "wish"] = "wish"


class SetMorale(KnaveAction, frozen=True, tag="set_morale"):
    """Raise or lower a rating after good or bad treatment (KN-20)."""

    character: RowKey
    morale: Annotated[int, Meta(ge=2, le=12)]


class AddNpc(KnaveAction, frozen=True, tag="add_npc"):
    """A sheet of the referee's: figures from a monster, a stat line, or given."""

    name: str
    level: Annotated[int, Meta(ge=0, le=30)] = 1
    hp: Annotated[int, Meta(ge=1, le=999)] = 4
    armor_defense: Annotated[int, Meta(ge=5, le=30)] = 11
    die: Literal[2, 3, 4, 6, 8, 10, 12, 20] = 6
    morale: Annotated[int, Meta(ge=2, le=12)] = 7
    is_shown: bool = True


# --- encounters and fights (KN-12 to KN-20) ------------------------------------------------------
class PrepareEncounter(KnaveAction, frozen=True, tag="prepare_encounter"):
    """Open an encounter to put foes into."""

    name: str = ""


class AddFoes(KnaveAction, frozen=True, tag="add_foes"):
    """Put monsters from the book into an encounter, or into its running fight."""

    encounter: NewestOr
    monster: RowKey
    count: Annotated[int, Meta(ge=1, le=30)] = 1


class AddStatLine(KnaveAction, frozen=True, tag="add_stat_line"):
    """Put an old-school stat line into an encounter; `keeps` also keeps it among the monsters."""

    encounter: NewestOr
    text: Annotated[str, Meta(min_length=1, max_length=4000)]
    count: Annotated[int, Meta(ge=1, le=30)] = 1
    is_adnd: bool = False


class DropFoe(KnaveAction, frozen=True, tag="drop_foe"):
    """Take a foe out of an encounter that has not begun."""

    encounter: RowKey
    foe: str


class DropEncounter(KnaveAction, frozen=True, tag="drop_encounter"):
    """Put an encounter away."""

    encounter: RowKey


class StartFight(KnaveAction, frozen=True, tag="start_fight"):
    """Begin the fight: the party and its hirelings against the encounter's foes."""

    encounter: RowKey


class SideDone(KnaveAction, frozen=True, tag="side_done"):
    """The side that goes first this round is done; now the other acts (KN-12)."""


class EndFight(KnaveAction, frozen=True, tag="end_fight"):
    """Close the fight."""


KNAVE_ACTIONS: dict[str, type[KnaveAction]] = {
    kind.__struct_config__.tag: kind  # type: ignore[misc]
    for kind in KnaveAction.__subclasses__()
}
