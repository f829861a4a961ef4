"""What Knave's templates are given: small frozen values, worded in the reader's language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NumberCard:
    """A derived number that explains itself: `why` are lines like "Gambeson 12 (KN-5)"."""

    key: str
    name: str
    value: str
    why: tuple[str, ...] = ()


@dataclass(frozen=True)
class AbilityCard:
    """`bonus` is signed text ("+3"); `odds` a save's chance in words, where the table shows it."""

    key: str
    name: str
    short: str
    bonus: str
    defense: int
    odds: str = ""
    may_raise: bool = False


@dataclass(frozen=True)
class Choice:
    """Somebody or something that can be picked: a row's key and its name."""

    id: int | str
    name: str
    hint: str = ""
    is_off: bool = False


@dataclass(frozen=True)
class ItemCard:
    """A thing on a sheet or in a pile. `may` holds the words of what can be done with it now:
    use, drop, give, equip, unequip, home, fetch, split, merge, break, repair, light, douse, cast,
    up, down, inside, outside, claim. `detail` is a line ("d8 · one hand · quality 2 of 3")."""

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


@dataclass(frozen=True)
class RungCard:
    """One slot of the ladder: a thing (its first rung or a further one), coins, or nothing."""

    number: int
    item: ItemCard | None = None
    is_first: bool = True
    is_coins: bool = False
    is_over: bool = False
    more: int = 0  # slots that a cut ladder leaves out


@dataclass(frozen=True)
class FaceCard:
    """An ability roll's three dice; `kept` is the index of the lowest (KN-1)."""

    key: str
    name: str
    faces: tuple[int, ...]
    kept: int
    bonus: str
    defense: int


@dataclass(frozen=True)
class TraitCard:
    key: str
    name: str
    text: str


@dataclass(frozen=True)
class DraftCard:
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
    may_type_dice: bool
    is_money: bool = False
    shop_url: str = ""


@dataclass(frozen=True)
class PersonCard:
    """A character as the whole table may see it."""

    id: int
    name: str
    kind: str  # knave, hireling, npc
    state: str  # up, unconscious, dead, gone, draft
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
    wage: str = ""
    morale: int | None = None
    owed: str = ""
    is_acting: bool = False
    has_acted: bool = False
    url: str = ""
    xp: str = ""
    combatant: str = ""  # its id in the running fight
    is_engaged: bool = False  # in melee there
    weapons: tuple[Choice, ...] = ()  # what it could take in hand there
    may_overload: bool = False
    is_due: bool = False


@dataclass(frozen=True)
class SheetCard:
    """A character's whole sheet, for who plays it and for the GM."""

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
    may: frozenset[str]  # edit, roll, rest, level, overload, repair, buy, add
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


@dataclass(frozen=True)
class AskCard:
    """What the GM asks this character for: one button. `kind` is save or night."""

    id: int
    character: int
    name: str
    kind: str
    title: str
    text: str
    button: str
    action: str
    ability: str = ""
    dice: str = "d20"
    sides: int = 20
    count: int = 1
    odds: str = ""
    may_tap: bool = True
    may_type: bool = True


@dataclass(frozen=True)
class AnswerCard:
    name: str
    is_in: bool
    text: str = ""
    is_success: bool | None = None


@dataclass(frozen=True)
class CallCard:
    """A call for rolls as the GM sees it, with who is missing."""

    id: int
    title: str
    text: str
    answers: tuple[AnswerCard, ...]
    missing: int


@dataclass(frozen=True)
class PileCard:
    id: int
    name: str
    items: tuple[ItemCard, ...]
    purse: str
    is_shown: bool
    coins: int = 0


@dataclass(frozen=True)
class FoeCard:
    """A foe as players know it; the last five fields are the referee's only (None for others)."""

    id: str
    name: str
    status: str
    wound: str  # "unhurt", "hurt", "half": as the eye sees it
    wound_word: str
    colour: int = 1
    hp: int | None = None
    max_hp: int | None = None
    armor_defense: int | None = None
    attack: str = ""
    morale: int | None = None
    note: str = ""
    has_acted: bool = False
    may_act: bool = False
    morale_due: str = ""  # the reason, when KN-20 offers the roll
    attacks: tuple[Choice, ...] = ()  # what it can attack with
    targets: tuple[Choice, ...] = ()
    is_engaged: bool = False


@dataclass(frozen=True)
class BlowCard:
    """One way to strike: my weapon against a foe; `odds` where the table shows them."""

    target: str
    target_name: str
    odds: str = ""
    is_ideal_offered: bool = True


@dataclass(frozen=True)
class FighterCard:
    """One of my combatants in the fight, and what it may do now."""

    id: str
    character: int
    name: str
    hp: int
    max_hp: int
    armor_defense: int
    weapon: str
    status: str
    may: frozenset[str]  # attack, stunt, both, cast, wield, disengage, defend
    why_not: str
    targets: tuple[BlowCard, ...] = ()
    defends: tuple[Choice, ...] = ()  # foes whose blow I may roll to avoid, when players roll all
    weapons: tuple[Choice, ...] = ()
    spells: tuple[Choice, ...] = ()
    is_engaged: bool = False
    engaged_with: tuple[str, ...] = ()


@dataclass(frozen=True)
class FightCard:
    """The fight as all see it; `foes` carry the referee's figures only on the GM's page."""

    name: str
    round: int
    first: str  # party, foes, or nothing before the first initiative
    acting: str  # party, foes: the side whose turn it is now
    headline: str
    foes: tuple[FoeCard, ...]
    fighters: tuple[PersonCard, ...]
    scene: int
    is_over: bool = False


@dataclass(frozen=True)
class EncounterCard:
    """Foes that wait for the GM's word."""

    id: int
    name: str
    foes: tuple[Choice, ...]
    is_running: bool = False


@dataclass(frozen=True)
class GoalCard:
    id: int
    text: str
    worth: int
    is_shown: bool
    is_done: bool = False


@dataclass(frozen=True)
class RollCard:
    """The last roll, big: `total` is the number that matters; `faces` the dice, counted ones first.

    `outcome` is success, failure, hit, miss, or nothing.
    """

    who: str
    text: str
    total: str
    faces: tuple[int, ...]
    outcome: str = ""
    outcome_word: str = ""
    is_real: bool = False
    seq: int = 0


@dataclass(frozen=True)
class SecretCard:
    """Something rolled behind the screen."""

    seq: int
    text: str
    at: str
    may_show: bool = False
    undo: int | None = None


@dataclass(frozen=True)
class Board:
    """Knave's table as everybody may see it, in one language."""

    day: int
    time_word: str
    turn_text: str
    party: tuple[PersonCard, ...]
    graves: int
    piles: tuple[PileCard, ...]
    goals: tuple[GoalCard, ...]
    fight: FightCard | None
    last_roll: RollCard | None
    lights: tuple[str, ...]
    waiting: str  # whom the table waits for, in words
    free: tuple[PersonCard, ...] = ()  # knaves that nobody plays
    dice: str = "either"
    players_roll_all: bool = False
    shop_open: bool = True
    story: tuple[str, ...] = ()


@dataclass(frozen=True)
class MyKnave:
    """What one seat's phone shows and offers. `scene` answers to the fight's present moment."""

    sheet: SheetCard | None
    draft: DraftCard | None
    asks: tuple[AskCard, ...]
    fighters: tuple[FighterCard, ...]
    fallen: PersonCard | None  # my dead knave, while I have no other
    others: tuple[PersonCard, ...]  # further sheets of mine: hirelings
    piles: tuple[PileCard, ...]
    may_make: bool
    claims: tuple[Choice, ...]  # who can take loot: my knave and my hirelings
    last_roll: RollCard | None = None  # until I do something else
    news: str = ""  # what another has just done to my knave
    fallen_of: str = ""  # what killed my dead knave
    undo: int | None = None
    undo_text: str = ""


@dataclass(frozen=True)
class Referee:
    """What only the GM's page is given."""

    sheets: tuple[PersonCard, ...]
    fight: FightCard | None
    encounters: tuple[EncounterCard, ...]
    calls: tuple[CallCard, ...]
    goals: tuple[GoalCard, ...]
    piles: tuple[PileCard, ...]
    secrets: tuple[SecretCard, ...]
    settings: object
    tables: tuple[Choice, ...]
