"""Characters of earlier chapters, and what their players can do with them (WA-88, WA-89, WA-95).

They play them, lend them, or strike a name for them.
"""

from __future__ import annotations

from campaigns.models import CHOOSING, LATE, Chapter, Character, Member
from campaigns.screens.cards import FormerCard, OwedCard
from campaigns.screens.people import (
    has_room,
    owed_cards,
    plays_for_good,
    plays_nobody,
    sheet_card,
)
from campaigns.screens.steps import is_in_the_making
from campaigns.snapshot import Tale
from games.models import Seat
from games.screens.cards import Choice
from games.snapshot import Snapshot

Step = Chapter.Step
OPEN = (*CHOOSING, *LATE)
# Then they come only for who plays nobody yet.
CHOSEN = (Step.INTERESTS, Step.PLAY)


def former_cards(now: Snapshot, tale: Tale, seat: Seat, one: Member) -> tuple[FormerCard, ...]:
    """List the former characters that are a player's, or lent to them; `seat` is who looks."""
    if tale.chapter is None or tale.chapter.step not in OPEN:
        return ()
    theirs = [c for c in tale.former if c.is_pc and one.pk in (c.owner_id, c.lent_to_id)]
    is_free = bool(theirs) and _may_come(tale, one)
    if tale.chapter.step in CHOSEN and not is_free:
        return ()
    return tuple(_card(now, tale, seat, one, c, is_free=is_free) for c in theirs)


def _card(
    now: Snapshot, tale: Tale, seat: Seat, one: Member, who: Character, *, is_free: bool
) -> FormerCard:
    is_own, has_word = who.owner_id == one.pk, who.lent_to_id in (None, one.pk)
    return FormerCard(
        sheet=sheet_card(now, tale, who, seat),
        who=one.pk,
        who_name=one.name,
        may_play=is_free and has_word,
        names=_names(tale, who) if is_own else (),
        lendable=lendable(tale, who) if is_own and who.lent_to_id is None else (),
    )


def lendable(tale: Tale, one: Character) -> tuple[Choice, ...]:
    """List to whom her player can give the word to play somebody, the GM too (WA-88)."""
    return tuple(
        Choice(m.pk, m.name) for m in tale.members if m.pk != one.owner_id and not m.has_left
    )


def handable(tale: Tale, one: Character) -> tuple[Choice, ...]:
    """List to which players somebody can be handed over for good (WA-105).

    In the middle of a chapter not to one who plays another in it (WA-89).
    """
    is_in = tale.part_of(one.pk) is not None
    busy = {p.member_id for p in tale.parts} | {
        line.taken_by_id for line in tale.cast if line.character_id != one.pk
    }
    return tuple(
        Choice(m.pk, m.name)
        for m in tale.members
        if m.pk != one.owner_id and not (m.is_gm or m.has_left or (is_in and m.pk in busy))
    )


def _names(tale: Tale, one: Character) -> tuple[OwedCard, ...]:
    """Return the first of her names; of the dead the list says how they can be there (WA-95)."""
    if one.state == Character.State.DEAD:
        return ()
    first = next((o.pk for o in tale.owed if o.character_id == one.pk), None)
    return tuple(card for card in owed_cards(tale) if card.id == first)


def _may_come(tale: Tale, one: Member) -> bool:
    """Tell whether a player may still say that one of before is whom they play (WA-89)."""
    assert tale.chapter
    if not (one.is_gm or one.is_here) or plays_for_good(tale, one):
        return False
    if is_in_the_making(tale) and tale.chapter.step not in CHOSEN:
        return True
    return plays_nobody(tale, one) and (one.is_gm or has_room(tale))
