"""The people of a campaign: who they are at this table, who is here, whose character is whose."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaigns import actions
from campaigns.models import CHOOSING, NAME, Campaign, Character, Member
from campaigns.services.casting import let_go, want_nobody
from campaigns.services.finding import (
    campaign_of,
    character_named,
    check_own,
    member_named,
    open_chapter_of,
)
from campaigns.services.members import add_member as make_member
from campaigns.services.members import held_seat, settle_gm
from campaigns.services.naming import called, in_log
from campaigns.services.people import (
    has_done_nothing,
    seats_of_people,
)
from campaigns.services.sequences import hand_over
from games.errors import Forbidden, MovedOn, NotFound
from games.models import Seat
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.host import is_gm
from games.services.ledger import drop, keep
from games.services.refusing import look_again
from games.text import clean_name, is_among

MOST_MEMBERS = 60


@deed(actions.AddMember)
def add_member(change: Change, action: actions.AddMember, tap: Tap) -> None:
    """Add a player who has no phone; the GM's taps are theirs."""
    campaign = campaign_of(change)
    name = clean_name(action.name, longest=NAME)
    if campaign.members.count() >= MOST_MEMBERS:
        raise MovedOn(_("No campaign has room for so many people."))
    if is_among(name, campaign.members.values_list("name", flat=True)):
        text = _("Somebody called %(name)s plays in this campaign already.")
        raise MovedOn(text % {"name": name}, field="name")
    make_member(change, campaign, name)
    change.log("member_added", name=name)


@deed(actions.LinkMember)
def link_member(change: Change, action: actions.LinkMember, tap: Tap) -> None:
    """Say which seat a member has here, or free them from theirs."""
    one = member_named(change, action.member)
    seat = None
    if action.who:
        seat = next((s for s in seats_of_people(change.table) if s.number == action.who), None)
        if seat is None:
            raise NotFound(_("Nobody sits there."))
    if one.seat_id == (seat.pk if seat else None):
        raise look_again()
    if seat is None:
        one.seat = None
    else:
        _sit_down(change, one, seat)
    keep(change, one)
    settle_gm(change, one.campaign)
    if seat is None:
        change.log("member_freed", name=one.name)
    else:
        change.log("member_linked", name=one.name, seat=seat.name)


def _sit_down(change: Change, one: Member, seat: Seat) -> None:
    """Give somebody a seat in the place of whoever holds it; who sits here is here."""
    _get_off(change, one.campaign, seat)
    one.seat = seat
    one.is_away = one.has_left = False


def _get_off(change: Change, campaign: Campaign, seat: Seat) -> None:
    """Take whoever holds a seat off it; one of whom nothing is known yet goes altogether."""
    for holder in campaign.members.filter(seat=seat):
        if has_done_nothing(holder):
            chapter = open_chapter_of(campaign)
            if chapter is not None:
                want_nobody(change, chapter, holder)
            drop(change, holder)
        else:
            holder.seat = None
            keep(change, holder)


@deed(actions.ClaimMember, may="seat")
def claim_member(change: Change, action: actions.ClaimMember, tap: Tap) -> None:
    """Say "that is me" of a member whom nobody here is, before one has done anything oneself."""
    one, seat = member_named(change, action.member), change.seat
    if seat is None:
        raise Forbidden(_("Not from this seat."))
    if held_seat(one):
        text = _("%(name)s sits at this table already.")
        raise MovedOn(text % {"name": one.name})
    own = one.campaign.members.filter(seat=seat).first()
    if own is not None and not has_done_nothing(own):
        text = _("You are %(name)s in this campaign. The GM can change that.")
        raise MovedOn(text % {"name": own.name})
    _sit_down(change, one, seat)
    keep(change, one)
    settle_gm(change, one.campaign)
    change.log("member_claimed", name=one.name, seat=seat.name)


@deed(actions.MarkAway, may="seat")
def mark_away(change: Change, action: actions.MarkAway, tap: Tap) -> None:
    """Say that a player is not here for this chapter, or here again (WA-87)."""
    one = member_named(change, action.member)
    check_own(change, one)
    if one.is_away == action.on:
        raise look_again()
    if action.on:
        _free_choice(change, one)
    one.is_away = action.on
    keep(change, one)
    change.log("member_away" if action.on else "member_here", name=one.name)


@deed(actions.MarkLeft, may="seat")
def mark_left(change: Change, action: actions.MarkLeft, tap: Tap) -> None:
    """Say that a player has left the campaign, or is back; her characters stay hers (WA-105)."""
    one = member_named(change, action.member)
    check_own(change, one)
    if one.has_left == action.on:
        raise look_again()
    if one.is_gm:
        raise MovedOn(_("A campaign has a GM: make somebody else the host first."))
    if action.on:
        _free_choice(change, one)
    one.has_left = action.on
    keep(change, one)
    change.log("member_left" if action.on else "member_back", name=one.name)


def _free_choice(change: Change, one: Member) -> None:
    """Give back to the list what somebody chose who will not play it."""
    chapter = open_chapter_of(one.campaign)
    if chapter is not None and chapter.step in CHOOSING:
        let_go(change, chapter, one)


# --- whose character -----------------------------------------------------------------------------
@deed(actions.HandCharacter, may="seat")
def hand_character(change: Change, action: actions.HandCharacter, tap: Tap) -> None:
    """Hand a player's character over for good; her place on the owe list goes along (WA-105)."""
    one = _own_pc(change, action.character)
    to = _other_player(change, one, action.member)
    chapter = open_chapter_of(one.campaign)
    part = chapter.parts.filter(character=one).first() if chapter else None
    if chapter and part:
        # Who has chosen a line has no part yet, and gets a sheet of it later on (WA-89).
        chosen = chapter.cast_lines.filter(taken_by=to).exclude(character=one)
        if chapter.parts.filter(member=to).exists() or chosen.exists():
            text = _("%(name)s plays somebody else in this chapter: one player, one character.")
            raise MovedOn(text % {"name": to.name})
        want_nobody(change, chapter, to)
        part.member = to
        keep(change, part)
        for line in chapter.cast_lines.filter(character=one):
            line.taken_by = to
            keep(change, line)
    before, name = one.owner.name if one.owner else "", in_log(one)
    one.owner, one.lent_to = to, None
    keep(change, one)
    if chapter:
        hand_over(change, chapter, one)
    change.log("character_handed", name=name, before=before, by=to.name)


@deed(actions.LendCharacter, may="seat")
def lend_character(change: Change, action: actions.LendCharacter, tap: Tap) -> None:
    """Give another, the GM too, one's word to play a character in a chapter (WA-88)."""
    one = _own_pc(change, action.character)
    chapter = open_chapter_of(one.campaign)
    if chapter and chapter.parts.filter(character=one).exists():
        text = _("%(name)s is in this chapter already.")
        raise MovedOn(text % {"name": called(one)})
    if not action.member:
        if one.lent_to is None:
            raise look_again()
        one.lent_to = None
        keep(change, one)
        change.log("loan_ended", name=in_log(one))
        return
    to = member_named(change, action.member)
    if to.pk == one.owner_id:
        raise MovedOn(_("That character is theirs already."))
    if to.has_left:
        raise _no_player(to)
    one.lent_to = to
    keep(change, one)
    change.log("character_lent", name=in_log(one), by=to.name)


def _own_pc(change: Change, key: int) -> Character:
    """Return a player's character that is the actor's own to give; the GM may give any."""
    one = character_named(change, key, anybody=True)
    if not one.is_pc:
        raise MovedOn(_("That is one of the GM's characters."))
    is_own = change.seat is not None and one.owner and one.owner.seat_id == change.seat.pk
    if not (is_own or is_gm(change)):
        raise Forbidden(_("That character is somebody else's."))
    return one


def _other_player(change: Change, one: Character, key: int) -> Member:
    to = member_named(change, key)
    if to.pk == one.owner_id:
        raise MovedOn(_("That character is theirs already."))
    if to.is_gm or to.has_left:
        raise _no_player(to)
    return to


def _no_player(one: Member) -> MovedOn:
    return MovedOn(_("%(name)s is not a player in this campaign.") % {"name": one.name})
