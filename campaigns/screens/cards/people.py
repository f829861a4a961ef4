"""Cards of sheets, strengths, interests and the people who play."""

from __future__ import annotations

from games.screens.cards import Card, Choice


class MemberCard(Card, frozen=True):
    """A person of the campaign. `colour` and `mark` are their seat's, as on every screen.

    `seat` is the number of the one they hold at this table, or 0; `id` is 0 of who is none yet.
    """

    id: int
    name: str
    colour: int = 0
    mark: str = ""
    is_gm: bool = False
    is_away: bool = False
    has_left: bool = False
    seat: int = 0
    is_mine: bool = False
    may_claim: bool = False
    plays: str = ""  # the name of the character played in this chapter
    may_choose: bool = False  # while a chapter's characters are chosen


class FormCard(Card, frozen=True):
    """One form: `dice` are the sizes now, larger first, `base` what they were made as."""

    key: str
    name: str
    dice: tuple[int, ...]
    base: tuple[int, ...]
    is_worn: bool = False


class StrengthCard(Card, frozen=True):
    """A particular strength on a sheet.

    `forms` are the names of the forms it works in; `options` what it can do ("potent", "unique"),
    in words.
    """

    id: int  # the holding
    strength: int
    name: str
    die: int
    significance: int
    forms: tuple[str, ...]
    options: tuple[str, ...]
    description: str = ""
    effects: str = ""
    note: str = ""  # how it came by what it can do besides (WA-101)
    may_raise: tuple[Choice, ...] = ()  # options one more significance could take (WA-101)


class InterestCard(Card, frozen=True):
    """A best interest, and its `targets`: the characters it is tagged with (WA-35)."""

    id: int
    text: str
    targets: tuple[Choice, ...]
    state: str  # open, achieved, lost, moot
    state_word: str
    warnings: tuple[str, ...] = ()  # WA-34: advice, never a bar
    may_write: bool = False
    owner: str = ""


class ReturnCard(Card, frozen=True):
    """A returning character's one choice (WA-98), while it is open, or what it was."""

    is_open: bool
    chosen: str = ""  # in words, once it is made
    may_mend: bool = False
    grow: tuple[Choice, ...] = ()  # forms that can grow: "directly d8 → d10"
    more: tuple[StrengthCard, ...] = ()  # strengths with options left
    may_choose_again: bool = False


class SheetCard(Card, frozen=True):
    """A character's sheet. `label` is the name, or what she is until she has one."""

    id: int
    number: int
    label: str
    name: str
    description: str
    is_pc: bool
    state: str  # active, out, dead, captive, absent
    state_word: str
    player: str
    colour: int
    mark: str
    forms: tuple[FormCard, ...]
    strengths: tuple[StrengthCard, ...] = ()
    interests: tuple[InterestCard, ...] = ()
    owed: int = 0  # how often her name stands on the owe list
    is_mine: bool = False
    is_own: bool = False  # also while somebody else has the word to play this one (WA-88)
    lent_to: str = ""
    may_write: bool = False
    is_ready: bool = False
    may_be_ready: bool = False  # being made, named, and with the choice on coming back made
    epilogue: str = ""
    missing: tuple[str, ...] = ()  # what the sheet still lacks, in words
    may_name_interest: bool = False
    may_lay_dice: bool = False  # of a new PC before her first chapter (WA-13), of a whole new NPC
    is_joining: bool = False  # in a chapter that was being played, and not ready for it yet
    back: ReturnCard | None = None
    url: str = ""  # her page: writing, strengths, her chapters
    in_chapter: bool = True


class OwedCard(Card, frozen=True):
    """One occurrence on the owe list."""

    id: int
    name: str
    colour: int
    mark: str
    player: str
    chapter: int  # where it was written; 0: in none, by the GM's word
    is_mine: bool = False
    is_top: bool = False  # who would come back next
    why_not: str = ""  # why this one would be passed over


class FormerCard(Card, frozen=True):
    """A character of an earlier chapter, and what the player `who` can do with her now (WA-88).

    `names` is her occurrence on the owe list that could be struck to bring her in; `lendable` are
    those to whom her own player can give the word.
    """

    sheet: SheetCard
    who: int
    who_name: str
    may_play: bool
    names: tuple[OwedCard, ...] = ()
    lendable: tuple[Choice, ...] = ()
