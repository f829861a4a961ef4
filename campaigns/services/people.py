"""Who plays in a campaign, who is here for the chapter, and who chooses for all."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from campaigns.models import Campaign, CastLine, Chapter, Character, Member, Part
from campaigns.services.finding import member_of, part_of_returning
from campaigns.services.members import add_member, has_own_phone, members_of, settle_gm
from games.asked import Asked
from games.errors import Forbidden, MovedOn
from games.models import Seat, Table
from games.services.change import Change
from games.services.host import gm_seat, is_gm
from games.services.ledger import keep


def seats_of_people(table: Table) -> list[Seat]:
    """Return the seats where somebody sits who can play: no shared screen, no regular."""
    seated = table.seats.filter(standing=Seat.Standing.SEATED, regular="")
    return list(seated.exclude(role=Seat.Role.SCREEN))


def seat_everybody(change: Change, campaign: Campaign) -> None:
    """Make a member of everybody who sits at the table and is none yet."""
    known = set(campaign.members.exclude(seat=None).values_list("seat_id", flat=True))
    for seat in seats_of_people(change.table):
        if seat.pk not in known:
            add_member(change, campaign, seat.name, seat)
    settle_gm(change, campaign)
    _let_go_home(change, campaign)


def _let_go_home(change: Change, campaign: Campaign) -> None:
    """Let nobody wait for who has got up from the table and has no character (WA-87).

    Such a one has led, or has only watched; who led where the campaign's file is from need never
    have sat here. Of whoever has one the GM says whether they are away: theirs can be played by the
    GM's hand, and may be owed the chapter.
    """
    has_one = Exists(Character.objects.filter(owner=OuterRef("pk")))
    has_led = Q(seat=None, name__in=campaign.chapters.values("gm_name"))
    has_got_up = Q(seat__standing=Seat.Standing.GONE)
    gone = campaign.members.filter(~has_one, has_got_up | has_led)
    for one in gone.filter(is_gm=False, is_away=False, has_left=False):
        one.is_away = True
        keep(change, one)


def players_here(campaign: Campaign) -> list[Member]:
    """Return the players who take part in the chapter: not the GM, not away, not gone (WA-87)."""
    return [one for one in members_of(campaign) if one.is_here]


def newcomers(campaign: int) -> QuerySet[Member]:
    """Return the members of whom nothing in the campaign speaks, so that they can go unnoticed."""
    one = OuterRef("pk")
    return Member.objects.filter(
        ~Exists(Character.objects.filter(Q(owner=one) | Q(lent_to=one))),
        ~Exists(Part.objects.filter(member=one)),
        ~Exists(Chapter.objects.filter(chooser=one)),
        ~Exists(CastLine.objects.filter(taken_by=one)),
        campaign=campaign,
    )


_NEWCOMER = Asked(lambda campaign, key: newcomers(campaign).filter(pk=key).only("pk"))


def has_done_nothing(one: Member) -> bool:
    """Tell whether a member is one of the newcomers."""
    return _NEWCOMER.first(one.campaign_id, one.pk) is not None


def check_is_player(one: Member) -> None:
    """Raise MovedOn for somebody who plays no character in this chapter (WA-11, WA-87)."""
    if one.is_gm:
        raise MovedOn(_("The GM chooses no character, and plays all who are left."))
    if not one.is_here:
        text = _("%(name)s is not here for this chapter.")
        raise MovedOn(text % {"name": one.name})


def player_who_chooses(change: Change, chapter: Chapter) -> Member | None:
    """Return who chooses the oracle and deals now, or raise Forbidden (WA-3, WA-6, WA-86).

    With somebody come back it is her player, otherwise any player. The GM does
    it only for those who have no phone; then nobody in particular has done it,
    and the answer is None, unless it was the returning character's player's.
    """
    part = part_of_returning(chapter)
    hers = part.member if part else None
    if hers is not None:
        if is_gm(change) and not has_own_phone(hers, gm_seat(change)):
            return hers
        if is_gm(change) or member_of(change).pk != hers.pk:
            raise Forbidden(_("In this chapter that is for %(name)s to do.") % {"name": hers.name})
        return hers
    if is_gm(change):
        gm = gm_seat(change)
        if any(has_own_phone(one, gm) for one in members_of(chapter.campaign)):
            raise Forbidden(_("The players choose and deal, and the GM writes."))
        return None
    one = member_of(change)
    check_is_player(one)
    return one
