"""Who belongs to a campaign, and which of them leads it (WA-1)."""

from __future__ import annotations

from campaigns.models import Campaign, Member
from campaigns.services.numbers import next_number
from games.asked import Asked
from games.models import Seat, rows
from games.services.change import Change
from games.services.ledger import keep

_MEMBERS = Asked(lambda campaign: Member.objects.filter(campaign=campaign).select_related("seat"))


def members_of(campaign: Campaign) -> list[Member]:
    """Return everybody of a campaign, with the seats they have."""
    return rows.belonging(_MEMBERS(campaign.pk), campaign=campaign)


def held_seat(one: Member) -> Seat | None:
    """Return the seat at this table that is this member's now."""
    return one.seat if one.seat is not None and one.seat.is_seated else None


def has_own_phone(one: Member, gm: Seat) -> bool:
    """Tell whether a player who is here taps on a phone that is not the GM's."""
    held = held_seat(one)
    return one.is_here and held is not None and held.device_id not in (None, gm.device_id)


def add_member(change: Change, campaign: Campaign, name: str, seat: Seat | None = None) -> Member:
    """Add somebody to a campaign; who hosts the table leads it from then on (WA-1)."""
    made = Member(
        campaign=campaign,
        number=next_number(campaign.members),
        name=name,
        seat=seat,
        is_gm=seat is not None and seat.is_gm,
    )
    keep(change, made)
    if made.is_gm:
        settle_gm(change, campaign)
    return made


def settle_gm(change: Change, campaign: Campaign) -> None:
    """Let the campaign's GM be whoever hosts the table now: hosts can hand over between chapters.

    A GM without a seat stays GM, as the file says that they came from, as long as the host is no
    member. Otherwise there is one GM (WA-1), and whoever else was it counts as away.
    """
    keep(change, *_led_by_host(campaign))


def follow_host(change: Change, seat: Seat) -> None:
    """Let whoever hosts from now on be the GM, in the middle of a chapter as between two.

    The former GM becomes a player, who chooses whom to play (WA-11) or is handed a character.
    The ledger is not told of it, because an undo does not change who hosts.
    """
    campaign = rows.first(Campaign, table_id=change.table.pk, is_in_front=True)
    if campaign is None:
        return
    for one in _led_by_host(campaign):
        new = {"is_gm": one.is_gm, "is_away": one.is_away, "has_left": one.has_left}
        Member.objects.filter(pk=one.pk).update(**new)


def _led_by_host(campaign: Campaign) -> list[Member]:
    """Return the members for whom something changes when the table's host is the GM.

    They are changed, but not saved. Who leads it has not left it (WA-1, WA-105).
    """
    members = members_of(campaign)
    is_led = any(seat.is_gm for one in members if (seat := held_seat(one)))
    changed = []
    for one in members:
        was = one.is_gm, one.has_left
        if seat := held_seat(one):
            one.is_gm = seat.is_gm
            one.has_left = one.has_left and not one.is_gm
        elif is_led and one.is_gm:
            one.is_gm, one.is_away = False, True
        if (one.is_gm, one.has_left) != was:
            changed.append(one)
    return changed
