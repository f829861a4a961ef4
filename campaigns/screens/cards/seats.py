"""What one seat's phone, and the GM's page, are given beside the board."""

from __future__ import annotations

from campaigns.screens.cards.chapter import CastCard, SetupCard
from campaigns.screens.cards.fights import MyFighterCard, TalkCard, TermCard
from campaigns.screens.cards.people import FormerCard, MemberCard, SheetCard
from games.screens.cards import Card, Choice


class MyCampaign(Card, frozen=True):
    """What the holder of a seat sees of its own and may do.

    `may` names actions. Those that go on (step_on, begin_play) wait until the chapter's setup has
    no `refusal`.
    """

    member: MemberCard | None
    sheet: SheetCard | None  # the character played in this chapter
    others: tuple[SheetCard, ...]  # one's characters of other chapters
    fighters: tuple[MyFighterCard, ...]
    may: frozenset[str]
    what_now: str  # one sentence for this seat: what to do, or who is waited for
    turn: str  # whose turn it is to name an interest: "you", where it is this seat's
    claims: tuple[MemberCard, ...] = ()  # members whom nobody holds: "that's me"
    former: tuple[FormerCard, ...] = ()  # own former characters, and those lent (WA-88)
    everybody: tuple[Choice, ...] = ()  # characters of the chapter: to tag, name, challenge
    gone: frozenset[int] = frozenset()  # of these, whose dice nobody can take up now
    busy: frozenset[int] = frozenset()  # of these, who has dice on the table already
    is_busy: bool = False  # one's own is among them
    news: str = ""
    undo: int | None = None
    undo_text: str = ""

    @property
    def open_talks(self) -> tuple[tuple[MyFighterCard, TalkCard], ...]:
        """With whom terms can be talked over now, each beside the character that would offer."""
        return tuple((me, talk) for me in self.fighters for talk in me.talks if talk.may_offer)


class FreeSeatCard(Card, frozen=True):
    """A seat that a member could be linked to; `member` is the newcomer who holds it, if one does.

    `id` is the seat's number.
    """

    id: int
    name: str
    member: int


class GmLineCard(Card, frozen=True):
    """A line of the character list, and what the GM does about it for players without a phone."""

    line: CastCard
    takers: tuple[MemberCard, ...]
    may_give_back: bool
    wanting: tuple[MemberCard, ...]  # who may want it no longer


class GmCampaign(Card, frozen=True):
    """What the GM's page is given beside the board and `my`."""

    fighters: tuple[MyFighterCard, ...]  # everybody the GM acts for, in every sequence
    npcs: tuple[SheetCard, ...]
    old_npcs: tuple[Choice, ...]  # of earlier chapters, who may return (WA-90)
    campaigns: tuple[Choice, ...]
    members: tuple[MemberCard, ...]
    seats: tuple[FreeSeatCard, ...]
    cast: tuple[GmLineCard, ...] = ()  # those lines that are on the list
    former: tuple[FormerCard, ...] = ()  # those of players without a phone
    earlier: tuple[Choice, ...] = ()  # chapters beside which the one under way may lie (WA-93)
    mending_is_free: bool = False
    may_end: bool = False


class AskCard(Card, frozen=True):
    """What one character is asked: her own card, the round, what is due in the phone's dock."""

    me: MyFighterCard
    round: int
    is_due: bool
    offers: tuple[TermCard, ...]


class UndoCard(Card, frozen=True):
    """One's own newest choice, by its event's number, and what the log says of it."""

    event: int
    text: str


class BetweenCard(Card, frozen=True):
    """What is asked of a seat beside its dice: in a setup, and between chapters.

    `wants_interest`: one's own sheet lacks one. `writes` is the address at which it gets its name,
    `returns` who has yet to choose what has changed; `ready` is the sheet that is ready but for
    saying so; `away` is who is down as away. Nothing or 0 where that is not so. `waits` says
    that others have to do something.
    """

    may: frozenset[str]
    number: int  # of the chapter that could begin
    setup: SetupCard | None
    may_go_on: bool
    wants_interest: bool = False
    writes: str = ""
    returns: int = 0
    ready: int = 0
    away: int = 0
    waits: bool = False


class AsksCard(Card, frozen=True):
    """What the dock of a phone asks.

    `goes` is what waits further up: "dice" to take up, "won", "talk" or what was "said", with
    the name of the other; `place` is where on the page that is. `is_busy`: there is
    something to do here. `is_turn`: dice or an offer wait for this seat.
    `may_start`: no dice lie, and whoever holds this may take some up. `is_known`: by a
    name of their own, and `claims` are who else they could be.
    """

    asks: tuple[AskCard, ...]
    is_asked: bool
    is_away: bool
    is_turn: bool
    goes: str
    goes_to: str
    place: str
    claims: tuple[MemberCard, ...]
    is_known: bool
    told: str
    may_start: bool
    is_waiting: bool
    between: tuple[BetweenCard, ...]
    undo: tuple[UndoCard, ...]
    is_busy: bool
