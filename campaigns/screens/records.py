"""A campaign's records as cards: its chapters, one chapter, the owe list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Prefetch, prefetch_related_objects

from campaigns.chronicle import Paragraph, chronicle_of, happened_in, told
from campaigns.models import Campaign, Chapter, Interest, Owed, Part, Sequence
from campaigns.screens.lives import PARTS, cast_of, title_of
from campaigns.screens.people import label_of
from campaigns.services.steps import is_played
from campaigns.words import card_name, interest_state_name, placement_name
from games.models import Game, Table
from games.said import gettext as _
from games.stored import state_of

CHAPTERS_A_PAGE = 10
MOMENTS_A_PAGE = 100
OWED_A_PAGE = 20
# Not the record, which is long; the dice for who was in it to the end.
SHOWN_OF_FIGHTS = ("number", "act", "is_over", "actor__name", "actor__description",
                   "game__rules", "game__state", "game__winners", "game__status")  # fmt: skip
# What a chapter is told from.
INTERESTS = Prefetch("interests", Interest.objects.select_related("character"))


def arrival(table: Table) -> str:
    """Tell how the last campaign came in, for whoever has just brought it: who leads it, too."""
    last = table.events.filter(kind="campaign_imported").order_by("-seq").first()
    return told(last.kind, last.data) if last else ""


@dataclass(frozen=True)
class ChapterRow:
    """A chapter in the list."""

    number: int
    title: str
    oracle: str
    began_at: datetime
    is_over: bool
    placement: str
    cast: tuple[str, ...]
    fights: int


@dataclass(frozen=True)
class FightRow:
    """A sequence in a chapter, and who was in it to the end."""

    number: int
    act: str
    actor: str
    is_over: bool
    is_called_off: bool
    winners: tuple[str, ...]


@dataclass(frozen=True)
class OwedRow:
    """An entry of the owe list with its birth and its end.

    `may_stand`: the GM may let it stand again (WA-111).
    """

    id: int
    order: int
    name: str
    number: int
    born: int
    fight: str
    struck: str
    may_stand: bool


def chapter_rows(
    campaign: Campaign, *, by_story: bool, page: int
) -> tuple[list[ChapterRow], Page[Chapter]]:
    """Return a page of chapters, in the order of play or of the story (WA-93)."""
    order = ("story_order", "number") if by_story else ("-number",)
    rows = campaign.chapters.select_related("beside").defer("told", "end_note")
    pages = Paginator(rows.order_by(*order), CHAPTERS_A_PAGE).get_page(page)
    shown = list(pages.object_list)
    keys = [chapter.pk for chapter in shown]
    of_these = Sequence.objects.filter(chapter__in=keys).order_by().values_list("chapter")
    fights = dict(of_these.annotate(Count("id")))
    casts: dict[int, list[str]] = {key: [] for key in keys}
    parts = Part.objects.filter(chapter__in=keys, character__kind="pc")
    for part in parts.select_related("character", "member"):
        player = f" ({part.member.name})" if part.member else ""
        casts[part.chapter_id].append(f"{label_of(part.character)}{player}")
    listed = [
        ChapterRow(
            number=one.number,
            title=title_of(one),
            oracle=one.oracle_title,
            began_at=one.began_at.astimezone(),
            is_over=one.step == Chapter.Step.OVER,
            placement=placed(one),
            cast=tuple(casts[one.pk]),
            fights=fights.get(one.pk, 0),
        )
        for one in shown
    ]
    return listed, pages


def placed(one: Chapter) -> str:
    """Say where a chapter lies in time (WA-93)."""
    words = []
    if one.beside and one.placement != Chapter.Placement.UNKNOWN:
        words = [
            placement_name(one.placement),
            _("chapter %(number)s") % {"number": one.beside.number},
        ]
    return ", ".join(filter(None, (" ".join(words), one.when_and_where)))


def owed_rows(campaign: Campaign, page: int) -> tuple[list[OwedRow], Page[Owed]]:
    """Return a page of the owe list's whole history, the newest first (WA-81)."""
    rows = campaign.owed.select_related(
        "character", "chapter", "sequence", "struck_sequence__chapter", "struck_chapter"
    )
    pages = Paginator(rows.order_by("-order", "-id"), OWED_A_PAGE).get_page(page)
    listed = [
        OwedRow(
            id=one.pk,
            order=one.order,
            name=label_of(one.character),
            number=one.character.number,
            born=one.chapter.number if one.chapter else 0,
            fight=one.sequence.act if one.sequence else "",
            struck=_struck(one),
            may_stand=bool(one.struck) and not one.is_in_use,
        )
        for one in pages.object_list
    ]
    return listed, pages


def _struck(one: Owed) -> str:
    if one.struck == Owed.Struck.DIE and one.struck_sequence:
        return _("struck for a die in chapter %(chapter)s, round %(round)s: %(act)s") % {
            "chapter": one.struck_sequence.chapter.number,
            "round": one.struck_round or 1,
            "act": one.struck_sequence.act,
        }
    if one.struck == Owed.Struck.CHAPTER and one.struck_chapter:
        return _("struck for chapter %(chapter)s") % {"chapter": one.struck_chapter.number}
    return _("struck by the GM") if one.struck else ""


def chapter_page(chapter: Chapter, page: int, fight: int) -> dict[str, Any]:
    """Return everything that is told of one chapter; what happened comes in pages.

    With a `fight` what happened is only what happened in that one; 0 is all of it.
    """
    moments = chapter.moments.all()
    if fight:
        moments = moments.filter(sequence__number=fight)
    pages = Paginator(moments, MOMENTS_A_PAGE).get_page(page)
    return {
        **book_chapter(chapter, paragraphs(chapter), with_struck=True),
        "chapter": chapter,
        "is_played": is_played(chapter),
        "scenes": list(chapter.scenes.all()),
        "fights": _fights(chapter),
        "fight": fight,
        "moments": [text for one in pages.object_list if (text := told(one.kind, one.data))],
        "moment_pages": pages,
    }


def _fights(chapter: Chapter) -> list[FightRow]:
    rows = chapter.sequences.select_related("actor", "game").only(*SHOWN_OF_FIGHTS)
    labels = {p.character.ref: label_of(p.character) for p in chapter.parts.all()}
    return [
        FightRow(
            number=one.number,
            act=one.act,
            actor=label_of(one.actor),
            is_over=one.is_over,
            is_called_off=one.game.status == Game.Status.ENDED,
            winners=_stayed(one, labels),
        )
        for one in rows
    ]


def _stayed(one: Sequence, labels: Mapping[str, str]) -> tuple[str, ...]:
    """Say who was in a sequence to its end (WA-60), by the names that they have now."""
    if one.game.status != Game.Status.OVER:
        return tuple(one.game.winners)
    state = state_of(one.game)
    return tuple(labels.get(ref) or state.of(ref).name for ref in state.inside)


def book_of(chapters: Iterable[Chapter]) -> list[dict[str, Any]]:
    """Return chapters as the book tells them, in as many queries for one as for all."""
    listed = list(chapters)
    prefetch_related_objects(listed, "elements", PARTS, INTERESTS)
    happened = happened_in(one for one in listed if not one.told)
    return [book_chapter(one, chronicle_of(one, happened[one.pk])) for one in listed]


def book_chapter(
    chapter: Chapter, chronicle: list[Paragraph], *, with_struck: bool = False
) -> dict[str, Any]:
    """Return a chapter as the book tells it; `with_struck` elements that were taken out as well."""
    return {
        "number": chapter.number,
        "title": title_of(chapter),
        "oracle": chapter.oracle_title,
        "placement": placed(chapter),
        "began_at": chapter.began_at.astimezone(),
        "gm_name": chapter.gm_name,
        "is_over": chapter.step == Chapter.Step.OVER,
        "elements": [
            {"card": card_name(e.card), "text": e.text, "is_struck": e.is_struck}
            for e in chapter.elements.all()
            if with_struck or not e.is_struck
        ],
        "parts": cast_of(chapter),
        "interests": _interests(chapter),
        "paragraphs": chronicle,
        "end_note": chapter.end_note,
    }


def paragraphs(chapter: Chapter) -> list[Paragraph]:
    """Return a chapter's chronicle."""
    happened = [] if chapter.told else happened_in([chapter])[chapter.pk]
    return chronicle_of(chapter, happened)


def _interests(chapter: Chapter) -> list[dict[str, str]]:
    prefetch_related_objects([chapter], INTERESTS)
    return [
        {
            "name": label_of(one.character),
            "text": one.text,
            "state": one.state,
            "state_word": interest_state_name(one.state),
        }
        for one in chapter.interests.all()
    ]
