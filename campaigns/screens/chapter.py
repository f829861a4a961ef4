"""The chapter under way as everybody sees it: story sheet, cast, scenes, the web of interests."""

from __future__ import annotations

from typing import Any

from campaigns.models import CHOOSING, LATE, CastLine, Element, Member
from campaigns.screens.cards import (
    BoardCard,
    CastCard,
    ChapterCard,
    ElementCard,
    SceneCard,
    ThreadCard,
)
from campaigns.screens.fights import fight_cards
from campaigns.screens.hints import (
    campaign_hints,
    chapter_prompts,
    headline,
    missing_players,
    waiting,
)
from campaigns.screens.newest import ended_text, last_sentence
from campaigns.screens.people import (
    interest_cards,
    is_player,
    label_of,
    may_join,
    member_card,
    member_cards,
    member_to_be,
    not_yet_members,
    owed_cards,
    plays_for_good,
    sheet_card,
)
from campaigns.screens.records import placed
from campaigns.screens.setup import foreign, setup_card
from campaigns.snapshot import Tale
from campaigns.words import card_name, caution_name
from games.models import Seat
from games.rules.wicked_age.cast import phrases
from games.screens.cards import Choice
from games.snapshot import Snapshot

RED = ("H", "D")


def board_of(now: Snapshot, seat: Seat) -> BoardCard:
    """Build what the table sees of its campaign; `seat` is who looks, for what is one's own."""
    tale: Tale = now.more
    if tale.campaign is None:
        who_plays = _who_plays(now, tale, seat)
        return BoardCard("", 0, owed=(), chapter=None, headline=headline(tale), **who_plays)
    memory, own = tale.memory, (tale.ground, seat.pk)
    return BoardCard(
        name=tale.campaign.name,
        chapters=tale.chapters,
        **memory.known("who_plays", lambda: _who_plays(now, tale, seat), *own),
        owed=memory.known("owed", lambda: owed_cards(tale, seat), *own),
        chapter=chapter_card(now, tale, seat) if tale.chapter else None,
        is_closed=tale.campaign.closed_at is not None,
        **_told_to_all(now, tale),
    )


def _who_plays(now: Snapshot, tale: Tale, seat: Seat) -> dict[str, Any]:
    """Return the people of the campaign, and whoever at the table is about to be one of them."""
    new = not_yet_members(now, tale)
    return {
        "members": member_cards(tale, tale.members, seat),
        "not_yet_members": tuple(map(member_to_be, new)),
        "has_new_gm": any(one.is_gm for one in new),
    }


def _told_to_all(now: Snapshot, tale: Tale) -> dict[str, Any]:
    """Return what nobody is shown differently from anybody else."""
    return tale.memory.known(
        "told_to_all",
        lambda: {
            "fights": fight_cards(now, tale),
            "headline": headline(tale),
            "hints": (*missing_players(now, tale), *campaign_hints(tale)),
            "waiting": waiting(tale),
            "last": last_sentence(now),
            "ended": ended_text(now),
        },
        *(tale.ground, tale.sequences, now.events, now.undone),
    )


def chapter_card(now: Snapshot, tale: Tale, seat: Seat) -> ChapterCard:
    """Build the chapter under way."""
    if tale.chapter and tale.chapter.is_setting_up:
        return _chapter_card(now, tale, seat)
    fights = tuple(sorted(s.scene_id or 0 for s in tale.sequences))
    return tale.memory.known(
        ("chapter_card", now.table.code, fights),
        lambda: _chapter_card(now, tale, seat),
        *(tale.ground, seat.pk, seat.is_gm),
    )


def _chapter_card(now: Snapshot, tale: Tale, seat: Seat) -> ChapterCard:
    chapter = tale.chapter
    assert chapter
    lang = foreign(now.table, chapter)
    sheets = tuple(
        sheet_card(now, tale, p.character, seat)
        for p in sorted(tale.parts, key=lambda p: (not p.character.is_pc, p.pk))
    )
    return ChapterCard(
        id=chapter.pk,
        number=chapter.number,
        title=chapter.title,
        step=chapter.step,
        is_listing=chapter.is_listing,
        oracle_title=chapter.oracle_title,
        returning=label_of(chapter.returning) if chapter.returning else "",
        placement=placed(chapter),
        gm_name=chapter.gm_name,
        elements=tuple(element_card(e, lang) for e in tale.elements),
        cast=tuple(cast_card(tale, one, seat) for one in tale.cast),
        sheets=sheets,
        scenes=_scenes(tale),
        web=_web(tale),
        interests=interest_cards(tale, None, may_write=False),
        prompts=chapter_prompts(tale),
        setup=setup_card(now, tale) if chapter.is_setting_up else None,
    )


def element_card(one: Element, lang: str = "") -> ElementCard:
    """Build one element, with its phrases to tap (WA-8); `lang` is what its oracle speaks."""
    return ElementCard(
        id=one.pk,
        order=one.order,
        text=one.text,
        card=card_name(one.card),
        is_red=one.card[-1:] in RED,
        phrases=() if one.is_struck else phrases(one.text),
        implied=tuple(one.implied),
        cautions=tuple(map(caution_name, one.cautions)),
        is_picked=one.is_picked,
        is_struck=one.is_struck,
        lang=lang,
    )


def cast_card(tale: Tale, line: CastLine, seat: Seat) -> CastCard:
    """Build a line of the character list, with what this seat may do about it (WA-11)."""
    me = tale.member_at(seat)
    taker = tale.member(line.taken_by_id)
    wanted = [m for m in tale.members if line.is_wanted_by(m)]
    is_late, is_choosing = line.chapter.step in LATE, line.chapter.step in CHOOSING
    if is_late:
        is_open, may_choose = line.state == CastLine.State.OPEN, may_join(tale, me, seat)
    else:
        is_open = line.state in (CastLine.State.OPEN, CastLine.State.CHOSEN)
        may_choose = is_choosing and is_player(me, seat) and not plays_for_good(tale, me)
    # What a wish was for may have been given back since: then it can be taken.
    has_said = me is not None and (taker == me or (taker is not None and me in wanted))
    kept = line.same_as
    return CastCard(
        id=line.pk,
        text=line.text,
        is_implied=line.how == CastLine.How.IMPLIED,
        state=line.state,
        elements=tuple(line.elements),
        taker=member_card(tale, taker, seat),
        wanted=member_cards(tale, wanted, seat),
        same_as=kept.text if kept else "",
        sheet=line.character_id or 0,
        sheet_label=label_of(line.character) if line.character else "",
        is_mine=me is not None and taker == me,
        i_want_it=me is not None and me in wanted,
        may_take=may_choose and is_open and not has_said and line.same_as_id is None,
        may_leave=may_choose and has_said and not is_late,
        may_draw_lots=is_choosing and taker is not None and _can_be_drawn_for(taker, wanted),
        may_part=is_choosing and kept is not None and (seat.is_gm or kept.is_worded_by(me)),
        may_join=is_choosing and kept is None and (seat.is_gm or line.is_worded_by(me)),
        is_spoken_for=line.is_spoken_for,
    )


def _can_be_drawn_for(taker: Member, wanted: list[Member]) -> bool:
    """Tell whether lots decide anything: between two who are here, or more (WA-11, WA-87)."""
    return bool(wanted) and sum(one.is_here for one in (taker, *wanted)) > 1


def _scenes(tale: Tale) -> tuple[SceneCard, ...]:
    return tuple(
        SceneCard(
            id=one.pk,
            where=one.where,
            what=one.what,
            who=tuple(
                Choice(c.pk, label_of(c)) for number in one.who if (c := tale.by_number(number))
            ),
            is_current=one.is_current,
            is_over=one.is_over,
            fights=sum(s.scene_id == one.pk for s in tale.sequences),
        )
        for one in tale.scenes
    )


def _web(tale: Tale) -> tuple[ThreadCard, ...]:
    """List who threatens whom: one thread for each interest and each it is tagged with."""
    threads = []
    for one in tale.interests:
        owner = tale.characters.get(one.character_id)
        for number in one.targets:
            at = tale.by_number(number)
            if owner and at:
                threads.append(
                    ThreadCard(
                        label_of(owner),
                        owner.pk,
                        label_of(at),
                        at.pk,
                        one.text,
                        is_open=one.state == one.State.OPEN,
                    )
                )
    return tuple(threads)
