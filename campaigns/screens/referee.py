"""What the GM's page is given beside what everybody sees."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from campaigns.models import CHOOSING, LATE, CastLine, Chapter, Character
from campaigns.screens.cards import CastCard, GmCampaign, MemberCard
from campaigns.screens.cards.seats import FreeSeatCard, GmLineCard
from campaigns.screens.chapter import cast_card
from campaigns.screens.former import former_cards
from campaigns.screens.people import label_of, member_cards, plays_for_good, sheet_card
from campaigns.screens.turns import gm_fighters
from campaigns.services.members import held_seat
from campaigns.snapshot import Tale
from games.models import Seat
from games.screens.cards import Choice
from games.snapshot import Snapshot


def gm_campaign(now: Snapshot, seat: Seat) -> GmCampaign:
    """Build what only the GM's page shows and offers; none of it is a secret."""
    tale: Tale = now.more
    return GmCampaign(
        fighters=gm_fighters(now, tale, seat),
        may_end=tale.chapter is not None
        and tale.chapter.step in (Chapter.Step.PLAY, Chapter.Step.CLOSING)
        and not tale.sequences,
        **tale.memory.known(
            ("gm_campaign", now.table.code),
            lambda: _lasting(now, tale, seat),
            *(tale.ground, now.seats, seat.pk),
        ),
    )


def _lasting(now: Snapshot, tale: Tale, seat: Seat) -> dict[str, Any]:
    """Return the parts that no dice change."""
    members = member_cards(tale, tale.members, seat)
    return {
        "npcs": tuple(
            sheet_card(now, tale, p.character, seat) for p in tale.parts if not p.character.is_pc
        ),
        "old_npcs": tuple(
            Choice(c.pk, label_of(c), is_off=c.state == Character.State.DEAD)
            for c in tale.former
            if not c.is_pc
        ),
        "campaigns": tuple(Choice(c.pk, c.name, is_on=c.is_in_front) for c in tale.campaigns),
        "members": members,
        "seats": tuple(_free_seats(now, tale)),
        "cast": tuple(_lines(tale, seat, members)),
        "former": tuple(
            card
            for one in tale.members
            if one.is_here and held_seat(one) is None
            for card in former_cards(now, tale, seat, one)
        ),
        "earlier": tuple(Choice(key, f"{n} {title}".strip()) for key, n, title in tale.earlier),
        "mending_is_free": bool(tale.campaign and tale.campaign.settings.mending_is_free),
    }


def _lines(tale: Tale, seat: Seat, members: tuple[MemberCard, ...]) -> Iterable[GmLineCard]:
    """List the lines of the character list, with what it is that players without a phone may do."""
    if tale.chapter is None:
        return
    step = tale.chapter.step
    without = [m for m in members if m.may_choose and not (m.is_gm or m.seat)]
    is_choosing = step in CHOOSING
    for one in tale.cast:
        if one.state == CastLine.State.DROPPED:
            continue
        line = cast_card(tale, one, seat)
        is_free, holder = not line.same_as, line.taker
        yield GmLineCard(
            line,
            takers=tuple(_takers(step, line, without)) if is_free else (),
            may_give_back=is_choosing and is_free and _may_let_go(tale, holder),
            wanting=tuple(m for m in without if m in line.wanted) if is_choosing else (),
        )


def _may_let_go(tale: Tale, holder: MemberCard | None) -> bool:
    """Tell whether somebody's choice can go back to the list: also that of who is away by now."""
    if holder is None or holder.is_gm:
        return False
    return not plays_for_good(tale, tale.member(holder.id))


def _takers(step: str, line: CastCard, without: list[MemberCard]) -> Iterable[MemberCard]:
    """List who of those without a phone may take somebody up (WA-11).

    Once the choosing is over it is who plays nobody.
    """
    if step == Chapter.Step.CHOOSE:
        is_open = line.state in (CastLine.State.OPEN, CastLine.State.CHOSEN)
        said = (line.taker, *line.wanted) if line.taker else ()
        return [m for m in without if m not in said] if is_open else []
    is_open = step in LATE and line.state == CastLine.State.OPEN
    return [m for m in without if not m.plays] if is_open else []


def _free_seats(now: Snapshot, tale: Tale) -> Iterable[FreeSeatCard]:
    """List the seats that a member could be linked to.

    A newcomer who holds one gives it up for them.
    """
    held = {m.seat_id: m for m in tale.members if m.seat_id is not None}
    for seat in now.seats:
        if not seat.is_seated or seat.role == Seat.Role.SCREEN or seat.regular:
            continue
        holder = held.get(seat.pk)
        if holder is None or holder.pk in tale.newcomers:
            yield FreeSeatCard(seat.number, seat.name, holder.pk if holder else 0)
