"""Cards of a chapter: the steps of its setup, story sheet, cast, scenes, interests as a web."""

from __future__ import annotations

from campaigns.screens.cards.fights import FightCard
from campaigns.screens.cards.people import InterestCard, MemberCard, OwedCard, SheetCard
from games.screens.cards import Card, Choice


class StepCard(Card, frozen=True):
    """One step of the setup; `state` is done, now or next."""

    key: str
    name: str
    state: str


class OracleCard(Card, frozen=True):
    """An oracle to choose; `id` may be one of the table's own, `count` is of its entries."""

    id: str
    title: str
    blurb: str
    count: int
    is_own: bool = False


class ElementCard(Card, frozen=True):
    """One element. `card` is drawn text ("Q♥") or a number; `phrases` are its parts to tap.

    `lang` is the language that it speaks, where that is not its reader's.
    """

    id: int
    order: int
    text: str
    card: str = ""
    is_red: bool = False
    phrases: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    is_picked: bool = False
    is_struck: bool = False
    lang: str = ""


class CastCard(Card, frozen=True):
    """A line of the character list."""

    id: int
    text: str
    is_implied: bool
    state: str  # open, chosen, npc, dropped
    elements: tuple[int, ...] = ()
    taker: MemberCard | None = None
    wanted: tuple[MemberCard, ...] = ()
    same_as: str = ""
    sheet: int = 0  # the key of the character it became
    sheet_label: str = ""
    is_mine: bool = False
    i_want_it: bool = False
    may_leave: bool = False  # give it back, or want it no longer
    may_take: bool = False
    may_draw_lots: bool = False
    may_part: bool = False
    may_join: bool = False  # this seat says who this one is (WA-9)
    is_spoken_for: bool = False


class SceneCard(Card, frozen=True):
    """A scene with who is in it; `fights` counts the action sequences fought there."""

    id: int
    where: str
    what: str
    who: tuple[Choice, ...]
    is_current: bool
    is_over: bool
    fights: int = 0


class ThreadCard(Card, frozen=True):
    """One line of the web of who threatens whom: an interest from one character at another."""

    of: str
    of_id: int
    at: str
    at_id: int
    text: str
    is_open: bool = True


class SetupCard(Card, frozen=True):
    """The guided setup as everybody sees it; what this seat may do stands in `MyCampaign`.

    `title` and `text` are what happens at this step, in words; `refusal` why it
    can't go on yet, or nothing.
    """

    step: str
    title: str
    text: str
    steps: tuple[StepCard, ...]
    refusal: str
    on_label: str
    back_label: str  # empty where there is nothing to go back to
    oracles: tuple[OracleCard, ...] = ()
    entries: tuple[Choice, ...] = ()  # of the oracle, to pick one from, in the table's language
    words_in: str = ""  # why the oracle is in another language than who reads this
    entries_in: str = ""  # that language's code
    top: OwedCard | None = None
    top_is_dead: bool = False
    cards_needed: int = 4
    waits: str = ""  # for everybody: whom the table waits for, or who can go on
    may_add_card: bool = False  # one more than the rules deal, by the GM's consent (WA-7)
    turn: str = ""  # whose turn it is to name an interest, as nobody's own
    players_hint: str = ""  # WA-1: for the phones
    players_fault: str = ""  # for the tablet: only that so many cannot play
    stays_out: tuple[str, ...] = ()  # the table's content lines (WA-4)
    off_screen: tuple[str, ...] = ()


class ChapterCard(Card, frozen=True):
    """The chapter under way, as everybody may see it (nothing in this game is hidden)."""

    id: int
    number: int
    title: str
    step: str
    is_listing: bool
    oracle_title: str
    returning: str
    placement: str  # in words
    gm_name: str
    elements: tuple[ElementCard, ...]
    cast: tuple[CastCard, ...]
    sheets: tuple[SheetCard, ...]  # everybody in the chapter, PCs first
    scenes: tuple[SceneCard, ...]
    web: tuple[ThreadCard, ...]
    interests: tuple[InterestCard, ...]
    prompts: tuple[str, ...] = ()  # WA-82: why it may be time to end
    setup: SetupCard | None = None


class BoardCard(Card, frozen=True):
    """What the whole table sees: campaign, chapter, fights, owe list."""

    name: str
    chapters: int
    members: tuple[MemberCard, ...]
    owed: tuple[OwedCard, ...]
    chapter: ChapterCard | None
    fights: tuple[FightCard, ...] = ()
    headline: str = ""  # one line for the top of every screen
    hints: tuple[str, ...] = ()  # WA-84
    is_closed: bool = False
    waiting: str = ""
    last: str = ""  # the newest sentence of the log
    ended: str = ""  # what the last fight came to, until something new begins
    not_yet_members: tuple[MemberCard, ...] = ()  # who sits here, and is of it with the next tap
    has_new_gm: bool = False  # one of those: the GM among `members` leads it no more
