"""Cards of a sheet, of a knave in the making, and of what they carry."""

from __future__ import annotations

from games.screens.cards import Card, Choice


class NumberCard(Card, frozen=True):
    """A derived number that explains itself: `why` are lines like "Gambeson: 12"."""

    key: str
    name: str
    value: str
    why: tuple[str, ...] = ()


class AbilityCard(Card, frozen=True):
    """`bonus` is signed text ("+3"); `odds` a save's chance in words, where the table shows it."""

    key: str
    name: str
    short: str
    bonus: str
    defense: int
    odds: str = ""
    may_raise: bool = False


class ItemCard(Card, frozen=True):
    """A thing on a sheet or in a pile. `detail` is a line ("d8 · one hand · quality 2 of 3").

    `may` holds words for what can be done with it now, each for an action: use for `use_item`, and
    likewise drop, give, split, merge, break, repair and claim; cast for `cast_spell`. Of two words
    for one action the first says true and the second false: equip and unequip for the `on` of
    `equip_item`, light and douse for that of `light_item`, home and fetch for the `home` of
    `leave_home`; inside is `put_inside` with one of `containers`, and outside without; up and down
    are `move_item` with a `by` of -1 and 1.
    """

    id: int
    name: str
    kind: str
    detail: str = ""
    text: str = ""
    count: int = 1
    slots: int = 1
    quality: int | None = None
    max_quality: int | None = None
    is_equipped: bool = False
    is_lit: bool = False
    is_spent: bool = False
    is_inside: bool = False
    turns_left: int | None = None
    use_word: str = ""
    repair_price: str = ""
    split_counts: tuple[int, ...] = ()
    containers: tuple[Choice, ...] = ()
    contents: tuple[ItemCard, ...] = ()
    may: frozenset[str] = frozenset()
    no_room: bool = False  # neither to be fetched nor taken out: there is no slot for it


class RungCard(Card, frozen=True):
    """One slot of the ladder: a thing (its first rung or a further one), coins, or nothing."""

    number: int
    item: ItemCard | None = None
    is_first: bool = True
    is_coins: bool = False
    is_over: bool = False
    more: int = 0  # slots that a cut ladder leaves out


class FaceCard(Card, frozen=True):
    """An ability roll's three dice; `kept` is the index of the lowest (KN-1)."""

    key: str
    name: str
    faces: tuple[int, ...]
    kept: int
    bonus: str
    defense: int


class TraitCard(Card, frozen=True):
    """A trait; nothing is its text where it is not known. `told` is that text within a sentence."""

    key: str
    name: str
    text: str
    told: str


class OwnDiceCard(Card, frozen=True):
    """A part of a draft whose real dice may be typed: each die's sides, and what it is for."""

    part: str
    title: str
    dice: tuple[Choice, ...]


class DraftCard(Card, frozen=True):
    """A knave in the making. `gear` are lines like "Dungeoneering gear 17: sack"."""

    id: int
    name: str
    rolls: tuple[FaceCard, ...]
    may_swap: bool
    may_reroll: bool
    hp: int
    gear: tuple[str, ...]
    things: tuple[str, ...]
    left_home: tuple[str, ...]
    purse: str
    weapon: str
    weapons: tuple[Choice, ...]
    traits: tuple[TraitCard, ...]
    may_type_abilities: bool
    own_dice: tuple[OwnDiceCard, ...]
    is_money: bool = False
    spell: Choice | None = None  # of a book that the dice chose, and what it does


class PersonCard(Card, frozen=True):
    """A character as the whole table may see it."""

    id: int
    name: str
    kind: str  # knave, hireling, npc
    state: str  # up, unconscious, dead, gone, draft; fled, in a fight
    state_word: str
    hp: int
    max_hp: int
    level: int
    armor_defense: int
    player: str = ""
    colour: int = 1
    mark: str = ""
    drawn: str = ""  # the key of a drawn mark, or nothing
    portrait_url: str = ""
    lights: str = ""  # "torch, 4 turns"
    is_mine: bool = False
    is_connected: bool = True
    is_over: bool = False
    employer: str = ""
    employer_id: int = 0  # a name may be borne again by who comes after the dead
    service: str = ""  # "works for Ash"
    trade: str = ""  # what a hireling is
    wage: str = ""
    morale: int | None = None
    owed: str = ""
    days_due: int = 0  # of the days owed, those that one payment takes
    dues: str = ""  # what they come to
    is_acting: bool = False
    has_acted: bool = False
    url: str = ""
    xp: str = ""
    combatant: str = ""  # its id in the running fight
    is_engaged: bool = False  # in melee there
    weapons: tuple[Choice, ...] = ()  # what it could take in hand there
    paired_on: str = ""  # the foe of an attack and a stunt that were begun together
    why_not: str = ""  # why the host can't strike for them now
    spells: tuple[Choice, ...] = ()  # what the host can read aloud for them there
    may_overload: bool = False
    is_hidden: bool = False
    is_due: bool = False


class SheetCard(Card, frozen=True):
    """A character's whole sheet, for who plays it and for the host.

    `may` holds words: roll is `roll_save`, hp `change_hp`, buy `buy_item`, add `add_item`, hire
    `hire` or `take_on`, overload `allow_overload`, hand `hand_knave`; edit is `edit_knave`,
    `set_trait`, `choose_mark` and `set_coins`, repair what an item's own `may` says, correct
    `set_ability` and `set_level`. With `is_due` it may `level_up`.
    """

    person: PersonCard
    gender: str
    xp: int
    next_xp: int
    is_due: bool
    abilities: tuple[AbilityCard, ...]
    numbers: tuple[NumberCard, ...]  # armor first, then slots, healing, speed, hirelings
    rungs: tuple[RungCard, ...]
    home: tuple[ItemCard, ...]
    slots_used: int
    slots: int
    purse: str
    gold: int
    silver: int
    copper: int
    traits: tuple[TraitCard, ...]
    notes: str
    may: frozenset[str]  # edit, hp, roll, buy, repair, add, hire; the host: overload, correct, hand
    may_overload: bool
    give_to: tuple[Choice, ...]
    hirelings: tuple[PersonCard, ...] = ()
    record: tuple[str, ...] = ()
    more_url: str = ""
    shop_url: str = ""
    print_url: str = ""
    raises: tuple[AbilityCard, ...] = ()  # abilities that a level may raise
    raises_by_dice: bool = False
    level_dice: int = 0
