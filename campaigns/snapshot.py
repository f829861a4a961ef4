"""A campaign at a table, read once for every screen, in as many queries whether it is new or old.

After a commit that only moved dice nothing but the sequences is read again
(`advance`), and what screens made of all the rest is shown again.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict, TypeVar

from django.db.models import Min, Model, Q, QuerySet

from campaigns.models import (
    Campaign,
    CastLine,
    Chapter,
    Character,
    Element,
    Holding,
    Interest,
    Member,
    Offer,
    Owed,
    Part,
    Scene,
    Sequence,
    Strength,
)
from campaigns.services.members import held_seat, members_of
from campaigns.services.people import newcomers
from games.asked import Asked
from games.memory import TRUSTED_SECONDS, Memory
from games.models import ContentLine, Game, Seat, Table, rows
from games.rules import wicked_sequence as ws
from games.services.change import Committed
from games.services.recent import Recent, and_last, recent_at
from games.stored import state_of
from games.text import in_order

Row = TypeVar("Row", bound=Model)

# Of former characters, and of strengths, the newest are offered; the records have them all.
NEWEST = 40
# A commit that wrote to nothing else of a campaign has only moved dice.
DICE = frozenset({"campaigns_sequence", "campaigns_offer", "campaigns_moment"})
# A tale keeps nothing of these tables: what it needs of them is in the row of the moved game.
TOLD = frozenset({"campaigns_moment"})
GROUND = ("games_seat", "games_contentline")


class Ground:
    """Stands for a tale without its dice: the same object until something else is written."""


@dataclass(frozen=True)
class Tale:
    """What is read of a table's campaign. Without one, or without a chapter, the rest is empty.

    `memory` has what screens have made of it, `ground` says for how long that holds.
    """

    campaign: Campaign | None = None
    campaigns: tuple[Campaign, ...] = ()
    members: tuple[Member, ...] = ()
    # Players who have done nothing yet: they may still say that they are a member of before.
    newcomers: frozenset[int] = frozenset()
    chapter: Chapter | None = None
    chapters: int = 0
    # Of a chapter under way: those before it, by key, number and title.
    earlier: tuple[tuple[int, int, str], ...] = ()
    elements: tuple[Element, ...] = ()
    cast: tuple[CastLine, ...] = ()
    parts: tuple[Part, ...] = ()
    characters: dict[int, Character] = field(default_factory=dict)
    former: tuple[Character, ...] = ()
    holdings: dict[int, list[Holding]] = field(default_factory=dict)
    strengths: tuple[Strength, ...] = ()
    interests: tuple[Interest, ...] = ()
    scenes: tuple[Scene, ...] = ()
    sequences: tuple[Sequence, ...] = ()
    states: dict[int, ws.State] = field(default_factory=dict)
    offers: dict[int, list[Offer]] = field(default_factory=dict)
    content_lines: tuple[ContentLine, ...] = ()
    owed: tuple[Owed, ...] = ()
    # Between chapters: the first chapter of each PC who stands on the owe list.
    owed_since: tuple[int, ...] = ()
    recent: Recent = ()
    ground: Ground = field(default_factory=Ground, compare=False, repr=False)
    memory: Memory = field(default_factory=Memory, compare=False, repr=False)
    read_at: float = field(default_factory=time.monotonic, compare=False, repr=False)

    def view(self, one: Sequence) -> ws.View:
        """Return a sequence as everybody sees it."""
        view: ws.View = self.memory.once(ws.view, self.states[one.pk], None)
        return view

    def member(self, key: int | None) -> Member | None:
        return next((m for m in self.members if m.pk == key), None)

    def member_at(self, seat: Seat) -> Member | None:
        """Return whose seat this is in the campaign."""
        return next((m for m in self.members if m.seat_id == seat.pk), None)

    def holder_of(self, one: Character) -> Member | None:
        """Return who plays somebody now (WA-88), with the seat that was read along."""
        return self.member(one.lent_to_id or one.owner_id)

    def part_of(self, character: int) -> Part | None:
        return next((p for p in self.parts if p.character_id == character), None)

    def by_ref(self, ref: str) -> Character | None:
        """Return whom a sequence means."""
        return next((c for c in self.characters.values() if c.ref == ref), None)

    def by_number(self, number: int) -> Character | None:
        return next((c for c in self.characters.values() if c.number == number), None)


class _OfCampaign(TypedDict):
    campaign: Campaign
    campaigns: tuple[Campaign, ...]
    members: tuple[Member, ...]
    newcomers: frozenset[int]
    chapters: int
    owed: tuple[Owed, ...]
    recent: Recent


class _Dice(TypedDict):
    sequences: tuple[Sequence, ...]
    states: dict[int, ws.State]
    offers: dict[int, list[Offer]]


class _OfChapter(_Dice):
    chapter: Chapter
    elements: tuple[Element, ...]
    earlier: tuple[tuple[int, int, str], ...]
    content_lines: tuple[ContentLine, ...]
    cast: tuple[CastLine, ...]
    parts: tuple[Part, ...]
    characters: dict[int, Character]
    former: tuple[Character, ...]
    holdings: dict[int, list[Holding]]
    strengths: tuple[Strength, ...]
    interests: tuple[Interest, ...]
    scenes: tuple[Scene, ...]


class _Kept(TypedDict):
    memory: Memory
    recent: Recent


_CAMPAIGNS = Asked(lambda table: Campaign.objects.filter(table=table)[:NEWEST])
_CHAPTER = Asked(
    lambda campaign: (
        Chapter.objects.filter(campaign=campaign)
        .select_related("returning", "beside")
        .order_by("-number")[:1]
    )
)
_OWED = Asked(
    lambda campaign: Owed.objects.filter(campaign=campaign, struck=Owed.Struck.NOT).select_related(
        "character__owner", "chapter"
    )
)

_SEATED_NEWCOMERS = Asked(
    lambda campaign: newcomers(campaign).filter(is_gm=False).exclude(seat=None).only("pk")
)
_OTHER_CHAPTERS = Asked(
    lambda campaign, chapter: (
        Chapter.objects.filter(campaign=campaign)
        .exclude(pk=chapter)
        .order_by("-number")
        .only("number", "title")[:NEWEST]
    )
)


def load(table: Table) -> Tale:
    """Read everything that the screens of a table's campaign show."""
    campaigns = tuple(rows.belonging(_CAMPAIGNS(table.pk), table=table))
    campaign = next((c for c in campaigns if c.is_in_front), None)
    if campaign is None:
        return Tale(campaigns=campaigns)
    chapter = _CHAPTER.first(campaign.pk)
    if chapter is not None:
        rows.belonging([chapter], campaign=campaign)
    owed = tuple(rows.belonging(_OWED(campaign.pk), campaign=campaign))
    members = tuple(members_of(campaign))
    base: _OfCampaign = {
        "campaign": campaign,
        "campaigns": campaigns,
        "members": members,
        "newcomers": _newcomers(campaign, members),
        "chapters": chapter.number if chapter else 0,
        "owed": owed,
        "recent": recent_at(table),
    }
    if chapter is None or chapter.step == Chapter.Step.OVER:
        return Tale(**base, owed_since=_first_chapters(owed))
    return Tale(**base, **_of_chapter(campaign, chapter, members))


def _newcomers(campaign: Campaign, members: Iterable[Member]) -> frozenset[int]:
    """Return the players who have done nothing yet, where some member has no seat here.

    The GM is none of them, because a campaign speaks of its GM as of who leads it.
    """
    if all(held_seat(one) or one.has_left for one in members):
        return frozenset()
    return frozenset(one.pk for one in _SEATED_NEWCOMERS(campaign.pk))


def _first_chapters(owed: Iterable[Owed]) -> tuple[int, ...]:
    """Return the number of the chapter in which each of these PCs was first played (WA-84)."""
    parts = Part.objects.filter(character__in={row.character_id for row in owed})
    first = parts.values("character").annotate(first=Min("chapter__number"))
    return tuple(first.values_list("first", flat=True))


def advance(tale: Tale, table: Table, committed: Committed) -> Tale | None:
    """Return the tale after a commit of this process, or None where it has to be read afresh."""
    ours = {name for name in committed.touched if name.startswith("campaigns_") or name in GROUND}
    if not ours <= DICE or time.monotonic() - tale.read_at > TRUSTED_SECONDS:
        return None
    kept: _Kept = {"memory": Memory(tale.memory), "recent": and_last(tale.recent, committed)}
    if tale.chapter is None or not (ours or "games_game" in committed.touched):
        return replace(tale, **kept)
    thrown = _thrown(tale, committed.game) if ours <= TOLD else None
    return replace(tale, **(thrown or _dice(tale.chapter)), **kept)


def _thrown(tale: Tale, game: Game | None) -> _Dice | None:
    """Return the sequences after a move in one of them; None where it is none that is known."""
    was = next((one for one in tale.sequences if game and one.game_id == game.pk), None)
    if was is None or game is None:
        return None
    moved, game = rows.copy_of(was), rows.copy_of(game)
    moved._state.fields_cache.update(was._state.fields_cache, game=game)
    return {
        "sequences": tuple(moved if one is was else one for one in tale.sequences),
        "states": {**tale.states, was.pk: state_of(game)},
        "offers": tale.offers,
    }


_SEQUENCES = Asked(
    lambda chapter: Sequence.objects.filter(chapter=chapter, is_over=False).select_related(
        "game", "actor", "scene"
    )
)
_OFFERS = Asked(
    lambda chapter: Offer.objects.filter(sequence__chapter=chapter, sequence__is_over=False)
)


def _dice(chapter: Chapter) -> _Dice:
    """Read the sequences under way, and what is offered in them."""
    sequences = tuple(_SEQUENCES(chapter.pk))
    offers: dict[int, list[Offer]] = defaultdict(list)
    for offer in _OFFERS(chapter.pk):
        offers[offer.sequence_id].append(offer)
    return {
        "sequences": sequences,
        "states": {s.pk: state_of(s.game) for s in sequences},
        "offers": offers,
    }


_PARTS = Asked(
    lambda chapter: Part.objects.filter(chapter=chapter).select_related(
        "character__owner", "character__lent_to", "member"
    )
)
_CAST = Asked(
    lambda chapter: CastLine.objects.filter(chapter=chapter).select_related("same_as", "character")
)
_STRENGTHS = Asked(
    lambda campaign: Strength.objects.filter(campaign=campaign).order_by("-number")[:NEWEST]
)
_FORMER = Asked(
    lambda campaign, chapter: (
        Character.objects.filter(
            Q(pk__in=_newest(campaign, chapter, Character.Kind.PC))
            | Q(pk__in=_newest(campaign, chapter, Character.Kind.NPC))
        )
        .select_related("owner", "lent_to")
        .order_by("-number")
    )
)


def _newest(campaign: int, chapter: int, kind: str) -> QuerySet[Any]:
    """Return the newest of one kind who are not in a chapter: the GM's would crowd out players'."""
    those = Character.objects.filter(campaign=campaign, kind=kind).exclude(parts__chapter=chapter)
    return those.order_by("-number").values("pk")[:NEWEST]


def _of_chapter(campaign: Campaign, chapter: Chapter, members: Iterable[Member]) -> _OfChapter:
    """Read everything of a chapter that is being set up or played."""

    def its(those: list[Row]) -> tuple[Row, ...]:
        return tuple(rows.belonging(those, chapter=chapter))

    parts = its(_PARTS(chapter.pk))
    characters = {p.character_id: p.character for p in parts}
    former = tuple(rows.belonging(_FORMER(campaign.pk, chapter.pk), campaign=campaign))
    if not chapter.is_setting_up and _all_play(members, parts):
        # Nobody is left whom a player could bring back: only the GM does (WA-90).
        former = tuple(c for c in former if not c.is_pc)
    lines = rows.fetch(ContentLine, table_id=campaign.table_id)
    return {
        "chapter": chapter,
        "elements": its(rows.fetch(Element, chapter_id=chapter.pk)),
        "earlier": _earlier(campaign, chapter),
        "content_lines": tuple(sorted(lines, key=lambda one: in_order(one.text))),
        "cast": its(_CAST(chapter.pk)),
        "parts": parts,
        "characters": characters,
        "former": former,
        "holdings": _holdings(chapter, [c.pk for c in former if c.is_pc]),
        "strengths": tuple(rows.belonging(_STRENGTHS(campaign.pk), campaign=campaign)),
        "interests": its(rows.fetch(Interest, chapter_id=chapter.pk)),
        "scenes": its(rows.fetch(Scene, chapter_id=chapter.pk)),
        **_dice(chapter),
    }


def _all_play(members: Iterable[Member], parts: Iterable[Part]) -> bool:
    """Tell whether every player who is here has a character in the chapter."""
    playing = {part.member_id for part in parts}
    return all(one.pk in playing for one in members if one.is_here)


def _earlier(campaign: Campaign, chapter: Chapter) -> tuple[tuple[int, int, str], ...]:
    """Return the chapters beside which this one may lie (WA-93), the newest first."""
    others = _OTHER_CHAPTERS(campaign.pk, chapter.pk)
    return tuple((one.pk, one.number, one.title) for one in others)


_HELD = Asked(
    lambda chapter: Holding.objects.filter(
        character__parts__chapter=chapter, is_lost=False
    ).select_related("strength", "character")
)


def _holdings(chapter: Chapter, former: list[int]) -> dict[int, list[Holding]]:
    """Return what is held by those of a chapter, and by these former characters."""
    found: dict[int, list[Holding]] = defaultdict(list)
    held = _HELD(chapter.pk)
    if former:
        theirs = Holding.objects.filter(character__in=former, is_lost=False)
        held += theirs.select_related("strength", "character")
    for one in held:
        found[one.character_id].append(one)
    return found
