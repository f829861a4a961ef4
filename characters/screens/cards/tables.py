"""Cards of the table: what is asked, loot, the fight, and what each kind of page is given."""

from __future__ import annotations

from characters.screens.cards.sheets import DraftCard, ItemCard, PersonCard, SheetCard
from characters.settings import KnaveSettings
from games.screens.cards import Card, Choice


class AskCard(Card, frozen=True):
    """What the host asks this character for: one button. `kind` is save or night.

    It is answered by `action` with the `character`, the `ability` and `id` as its `call`.
    """

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


class AnswerCard(Card, frozen=True):
    """One character's answer to a call: `text` is the total, once it is in."""

    name: str
    is_in: bool
    text: str = ""
    is_success: bool | None = None


class CallCard(Card, frozen=True):
    """A call for rolls as the host sees it, with who is missing."""

    id: int
    title: str
    text: str
    answers: tuple[AnswerCard, ...]
    missing: int


class PileCard(Card, frozen=True):
    """A pile that may be claimed from. `is_divisible`: more than one slot's worth lies in it."""

    id: int
    name: str
    items: tuple[ItemCard, ...]
    purse: str
    is_shown: bool
    coins: int = 0
    is_divisible: bool = False
    most: int = 0  # of one metal: so many can have one each


class FoeCard(Card, frozen=True):
    """A foe as all see it. Figures, attacks and `targets` are the referee's alone.

    On everybody else's page those are None or empty, and it may do nothing.
    """

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
    attacks_left: int = 0  # of those that it has begun
    may_act: bool = False  # strike, with any of its attacks
    may_stunt: bool = False
    morale_due: str = ""  # the reason, when KN-20 offers the roll
    attacks: tuple[Choice, ...] = ()  # what it can attack with
    targets: tuple[Choice, ...] = ()
    is_engaged: bool = False
    is_ally: bool = False  # it has come over to the party
    early_in: int = 0  # the round in which its blow would end the other side's turn


class BlowCard(Card, frozen=True):
    """One way to strike: my weapon against a foe; `odds` where the table shows them."""

    target: str
    target_name: str
    odds: str = ""
    is_down: bool = False


class DamageCard(Card, frozen=True):
    """What a hit rolls, and the rows of faces on which its dice are typed (KN-15).

    `key` is another one after each blow, where the form stays for the next.
    """

    words: str
    rows: int
    sides: int
    key: str = ""


class FighterCard(Card, frozen=True):
    """One of my combatants in the fight, and what it may do now.

    `may` holds words, which are actions: `fight-attack`, `fight-stunt`, `fight-wield`, `fight-flee`
    and `fight-disengage` without their beginning, cast is `cast_spell`. both: attack and stunt with
    `both` (KN-18); paired: one of them is done, and the other goes with `both` on the same foe.
    Whoever is in `defends` strikes, and `fight-attack` `rolled_by` the defender answers (KN-14).
    """

    id: str
    character: int
    name: str
    hp: int
    max_hp: int
    armor_defense: int
    weapon: str
    status: str
    may: frozenset[str]  # attack, stunt, both, paired, cast, wield, disengage, flee
    why_not: str
    targets: tuple[BlowCard, ...] = ()
    defends: tuple[Choice, ...] = ()  # foes whose blow I may roll to avoid, when players roll all
    blows: tuple[str, ...] = ()  # what those of them who have several attacks can attack with
    weapons: tuple[Choice, ...] = ()
    spells: tuple[Choice, ...] = ()
    is_engaged: bool = False
    engaged_with: tuple[str, ...] = ()
    damage: DamageCard | None = None


class OwnCard(Card, frozen=True):
    """What the host may do for one of the party: who may strike, who may try a stunt, at whom.

    `damage` is what a hit rolls, with whichever of their weapons.
    """

    strikers: tuple[Choice, ...]
    tricksters: tuple[Choice, ...]
    aims: tuple[Choice, ...]
    damage: DamageCard | None = None


class FightCard(Card, frozen=True):
    """The fight as all see it; `foes` carry the referee's figures only on the host's page."""

    name: str
    round: int
    first: str  # party, foes, or nothing before the first initiative
    acting: str  # party, foes: the side whose turn it is now
    headline: str
    foes: tuple[FoeCard, ...]
    fighters: tuple[PersonCard, ...]
    scene: int
    allies: tuple[FoeCard, ...] = ()  # foes who have come over; of the party without a sheet
    is_over: bool = False
    fallen: str = ""  # in words, that nobody of a side stands: then no side acts
    is_round_done: bool = False  # nobody is waited for, but for the next round
    shaken: tuple[str, ...] = ()  # whose morale is asked for, on the referee's page alone (KN-20)
    bereft: tuple[str, ...] = ()  # likewise, because their employer has died in this fight
    blows: tuple[str, ...] = ()  # what the foes who have several attacks can attack with
    damage: DamageCard | None = None  # what a foe's hit rolls, on the referee's page alone
    standing: tuple[Choice, ...] = ()  # the foes to strike at, on the referee's page alone
    own: OwnCard | None = None  # what the referee may do for the party, on that page alone
    up: tuple[Choice, ...] = ()  # who can save, and against whom, on the referee's page alone
    late: tuple[Choice, ...] = ()  # who may come into it yet, on the referee's page alone
    aimed_at: tuple[Choice, ...] = ()  # at whom foes can strike, on the referee's page alone


class EncounterCard(Card, frozen=True):
    """Foes that wait for the host's word; `leader` is the id of who leads them."""

    id: int
    name: str
    foes: tuple[Choice, ...]
    leader: str = ""
    is_running: bool = False


class GoalCard(Card, frozen=True):
    """A goal, `worth` so much experience (KN-22); one that is not shown only the host sees."""

    id: int
    text: str
    worth: int
    is_shown: bool
    is_done: bool = False


class RollCard(Card, frozen=True):
    """The last roll, big: `total` is the number that matters; `faces` the dice as they fell.

    `kept` is which of two d20s counts, where the other does not.

    `outcome` is success, failure, hit, miss, or nothing, as it is for whoever rolled; `is_foes`
    says it was a foe, whose luck is the party's harm; `after` what else came of it, in words.
    """

    who: str
    text: str
    total: str
    faces: tuple[int, ...]
    outcome: str = ""
    outcome_word: str = ""
    after: str = ""
    is_foes: bool = False
    is_real: bool = False
    seq: int = 0
    kept: int | None = None


class SpellCard(Card, frozen=True):
    """A spell that was read aloud, big: `read` says who and which, `does` what it does."""

    read: str
    does: str


class SecretCard(Card, frozen=True):
    """Something rolled behind the screen."""

    seq: int
    text: str
    at: str
    may_show: bool = False
    undo: int | None = None


class Board(Card, frozen=True):
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
    fallen: str  # who has fallen since, by no roll
    spell: SpellCard | None  # what was read aloud since
    lights: tuple[str, ...]
    waiting: str  # whom the table waits for, in words
    free: tuple[PersonCard, ...] = ()  # knaves that nobody plays
    dice: str = "either"
    players_roll_all: bool = False
    shop_open: bool = True


class TurnCard(Card, frozen=True):
    """What the evening asks of one's phone.

    `headline` says whom the fight waits for, as long as it is somebody, and not me.
    While nobody fights, `waiting` says whom the table waits for. `due` is one's
    sheet when its next level may be taken.
    """

    is_there: bool = False  # a fight, even one that is over
    is_on: bool = False  # it goes on
    is_ours: bool = False  # my side acts, and somebody of mine still may
    must_defend: bool = False  # my armor may have to answer a foe
    headline: str = ""
    waiting: str = ""
    due: SheetCard | None = None


class MyKnave(Card, frozen=True):
    """What one seat's phone shows and offers.

    `claims` are those of mine who can take loot: the `character` of `claim_item`, `claim_coins`
    and `claim_pile`. `piles` are the newest; `more_piles` says how many older ones will be listed
    as those are emptied or left behind. With `may_make`, `new_knave` rolls one, or `claim_knave`
    takes one of `board.free`.
    """

    sheet: SheetCard | None
    draft: DraftCard | None
    asks: tuple[AskCard, ...]
    fighters: tuple[FighterCard, ...]
    fallen: PersonCard | None  # my dead knave, while I have no other
    others: tuple[PersonCard, ...]  # further sheets of mine: hirelings
    piles: tuple[PileCard, ...]
    may_make: bool
    claims: tuple[Choice, ...]
    more_piles: int = 0
    spare: Choice | None = None  # my knave in the making, while another of mine lives
    last_roll: RollCard | None = None  # until I do something else
    news: str = ""  # what another has just done to my knave
    fallen_of: str = ""  # what killed my dead knave
    undo: int | None = None
    undo_text: str = ""


class Referee(Card, frozen=True):
    """What only the host's page is given."""

    sheets: tuple[PersonCard, ...]
    fight: FightCard | None
    encounters: tuple[EncounterCard, ...]
    can_fight: bool  # somebody of the party is on their feet
    can_camp: bool  # nobody fights
    sharers: int  # among how many coins are shared
    calls: tuple[CallCard, ...]
    goals: tuple[GoalCard, ...]
    piles: tuple[PileCard, ...]
    secrets: tuple[SecretCard, ...]
    settings: KnaveSettings
    tables: tuple[Choice, ...]
    hirers: tuple[Choice, ...] = ()  # who may take on another hireling (KN-24)
    trades: tuple[Choice, ...] = ()  # of which trade
    facing: tuple[Choice, ...] = ()  # the NPCs who can be put among the foes
    masterless: tuple[Choice, ...] = ()  # or one of these, whose employer is dead
