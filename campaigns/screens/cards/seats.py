"""What one seat's phone, and the GM's page, are given beside the board."""

from __future__ import annotations

from campaigns.screens.cards.fights import MyFighterCard
from campaigns.screens.cards.people import Choice, MemberCard, OwedCard, SheetCard
from games.screens.cards import Card


class MyCampaign(Card, frozen=True, cache_hash=True):
    """What the holder of a seat sees of its own and may do.

    `may` holds words: begin_campaign, open_chapter, bring_back, decline, choose_oracle, pick, deal,
    type_cards, cast, take, step_on, step_back, begin_play, name_interest, start_sequence, epilogue.
    """

    member: MemberCard | None
    sheet: SheetCard | None  # the character played in this chapter
    others: tuple[SheetCard, ...]  # one's characters of other chapters
    fighters: tuple[MyFighterCard, ...]
    may: frozenset[str]
    what_now: str  # one sentence for this seat: what to do, or who is waited for
    claims: tuple[MemberCard, ...] = ()  # members whom nobody holds: "that's me"
    former: tuple[SheetCard, ...] = ()  # own former characters who could be played (WA-88)
    former_owed: tuple[OwedCard, ...] = ()  # names that could be struck for it
    lendable: tuple[Choice, ...] = ()
    everybody: tuple[Choice, ...] = ()  # characters of the chapter: to tag, name, challenge
    news: str = ""
    undo: int | None = None
    undo_text: str = ""


class GmCampaign(Card, frozen=True, cache_hash=True):
    """What the GM's page is given beside the board and `my`."""

    fighters: tuple[MyFighterCard, ...]  # everybody the GM acts for, in every sequence
    npcs: tuple[SheetCard, ...]
    old_npcs: tuple[Choice, ...]  # of earlier chapters, who may return (WA-90)
    campaigns: tuple[Choice, ...]
    members: tuple[MemberCard, ...]
    seats: tuple[Choice, ...]  # seats that a member could be linked to
    mending_is_free: bool = False
    may_end: bool = False
