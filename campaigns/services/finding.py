"""Finding the rows that an action names, as far as the actor may act on them."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from campaigns.models import (
    Campaign,
    Chapter,
    Character,
    Element,
    Holding,
    Interest,
    Member,
    Owed,
    Part,
    Scene,
    Sequence,
    Strength,
)
from campaigns.services.members import add_member
from games.asked import Asked
from games.errors import Forbidden, MovedOn, NotFound
from games.models import Game, Seat, rows
from games.services.change import Change
from games.services.host import is_gm
from games.services.ledger import lean

Step = Chapter.Step
_OPEN_CHAPTER = Asked(
    lambda campaign: (
        Chapter.objects.filter(campaign=campaign).exclude(step=Step.OVER).order_by("-number")[:1]
    )
)
_MEMBER = Asked(
    lambda campaign, key: Member.objects.filter(campaign=campaign, pk=key).select_related("seat")
)
_OF_RETURNING = Asked(
    lambda chapter, returning: Part.objects.filter(
        chapter=chapter, character=returning
    ).select_related("member__seat")
)
_PARTS = Asked(
    lambda chapter: (
        Part.objects.filter(chapter=chapter)
        .select_related("character__owner")
        .order_by("character__number")
    )
)
_INTEREST = Asked(
    lambda chapter, key: Interest.objects.filter(chapter=chapter, pk=key).select_related(
        "character__owner", "character__lent_to"
    )
)
_HOLDING = Asked(
    lambda campaign, key: Holding.objects.filter(
        character__campaign=campaign, is_lost=False, pk=key
    ).select_related("strength", "character__owner", "character__lent_to")
)
_OWED = Asked(
    lambda campaign, key: Owed.objects.filter(
        campaign=campaign, struck=Owed.Struck.NOT, pk=key
    ).select_related("character__owner")
)


def campaign_of(change: Change) -> Campaign:
    """Return the campaign in front. Raises MovedOn when the table has none yet."""
    found = rows.first(Campaign, table_id=change.table.pk, is_in_front=True)
    if found is None:
        raise MovedOn(_("Begin a campaign first."))
    found.table = change.table
    return found


def open_chapter_of(campaign: Campaign) -> Chapter | None:
    """Return the chapter that is being set up or played, if there is one."""
    found = _OPEN_CHAPTER.first(campaign.pk)
    if found is not None:
        found.campaign = campaign
    return found


def chapter_of(change: Change, *steps: str) -> Chapter:
    """Return the chapter under way. Raises MovedOn when there is none, or it is at another step."""
    found = open_chapter_of(campaign_of(change))
    if found is None:
        raise MovedOn(_("No chapter is under way. Begin one first."))
    if steps and found.step not in steps:
        raise MovedOn(_("The chapter is at another step now."))
    return found


def part_of_returning(chapter: Chapter) -> Part | None:
    """Return the part of the character who has come back for a chapter, if one has (WA-85)."""
    if chapter.returning_id is None:
        return None
    found = _OF_RETURNING(chapter.pk, chapter.returning_id)
    return next(iter(rows.belonging(found, chapter=chapter)), None)


def chapter_named(change: Change, key: int) -> Chapter:
    """Return a chapter of the campaign in front by its key; 0 is the one under way.

    Raises NotFound for a key of none; MovedOn, as `chapter_of`, where none is under way.
    """
    if not key:
        return chapter_of(change)
    campaign = campaign_of(change)
    found = rows.first(Chapter, campaign_id=campaign.pk, id=key)
    if found is None:
        raise NotFound(_("This campaign has no such chapter."))
    found.campaign = campaign
    return found


def element_of(chapter: Chapter, key: int) -> Element:
    """Return what an oracle has given a chapter, by its key. Raises NotFound."""
    found = rows.first(Element, chapter_id=chapter.pk, id=key)
    if found is None:
        raise NotFound(_("That element is not on the story sheet any more."))
    found.chapter = chapter
    return found


def member_named(change: Change, key: int) -> Member:
    """Return somebody of the campaign in front. Raises NotFound."""
    campaign = campaign_of(change)
    found = _MEMBER.first(campaign.pk, key)
    if found is None:
        raise NotFound(_("Nobody of that name plays in this campaign."))
    found.campaign = campaign
    return found


def member_of(change: Change) -> Member:
    """Return who acts, as a member of the campaign; who sits down later joins it with that.

    Raises Forbidden for a seat that cannot be one: the house, or a shared screen.
    """
    seat, campaign = change.seat, campaign_of(change)
    if seat is None or seat.role == Seat.Role.SCREEN:
        raise Forbidden(_("Not from this seat."))
    found = rows.first(Member, campaign_id=campaign.pk, seat_id=seat.pk)
    if found is None:
        return add_member(change, campaign, seat.name, seat)
    found.campaign = campaign
    return found


def acting_for(change: Change, key: int) -> Member:
    """Return for whom something is done: oneself, or, by the GM's hand, the member named."""
    if not key:
        return member_of(change)
    one = member_named(change, key)
    check_own(change, one)
    return one


def check_own(change: Change, one: Member) -> None:
    """Raise Forbidden unless the member is the actor, or the GM acts."""
    if not is_gm(change) and member_of(change).pk != one.pk:
        raise Forbidden(_("Only that player, or the GM, may do that."))


def with_players(one: Character) -> Character:
    """Return a character with her owner, and who has the owner's word to play her, read anew."""
    one.owner = rows.first(Member, id=one.owner_id) if one.owner_id else None
    one.lent_to = rows.first(Member, id=one.lent_to_id) if one.lent_to_id else None
    return one


def plays(change: Change, character: Character) -> bool:
    """Tell whether the actor plays a character now: the owner, or who has the owner's word."""
    if change.seat is None:
        return False
    holder = character.holder
    return holder is not None and holder.seat_id == change.seat.pk


def character_named(change: Change, key: int, *, anybody: bool = False) -> Character:
    """Return a character that the actor may act for.

    The GM may for everybody; with `anybody` it is enough to be of this
    campaign. Raises NotFound, or Forbidden for somebody else's.
    """
    campaign = campaign_of(change)
    found = rows.first(Character, id=key, campaign_id=campaign.pk)
    if found is None:
        raise NotFound(_("That character is not in this campaign."))
    found.campaign = campaign
    if not (anybody or is_gm(change)):
        _check_plays(change, with_players(found))
    return found


def _check_plays(change: Change, one: Character) -> None:
    """Raise Forbidden unless the actor plays a character now, or is the GM."""
    if not (is_gm(change) or plays(change, one)):
        raise Forbidden(_("That character is somebody else's."))


def people_named(change: Change, chapter: Chapter, keys: Iterable[int]) -> list[Character]:
    """Return characters of a chapter, by number, which is what somebody is about to keep of them.

    With one who is taken back goes what was made of it: else it would be about whoever has that
    number next. Raises NotFound for somebody who is not in the chapter.
    """
    wanted = set(keys)
    there = rows.belonging(_PARTS(chapter.pk), chapter=chapter)
    parts = [part for part in there if part.character_id in wanted]
    if len(parts) != len(wanted):
        raise NotFound(_("That character is not in this chapter."))
    for part in parts:
        lean(change, part)
    return [part.character for part in parts]


def strength_named(change: Change, key: int) -> Strength:
    """Return a strength of this campaign. Raises NotFound."""
    found = Strength.objects.filter(campaign=campaign_of(change), pk=key).first()
    if found is None:
        raise NotFound(_("No such strength is written in this campaign."))
    return found


def holding_named(change: Change, key: int) -> Holding:
    """Return a strength as it stands on a sheet that the actor may write on.

    Raises NotFound for one that is lost or of another campaign, Forbidden on somebody else's sheet.
    """
    found = _HOLDING.first(campaign_of(change).pk, key)
    if found is None:
        raise NotFound(_("That strength is not on this sheet."))
    _check_plays(change, found.character)
    return found


def interest_named(change: Change, key: int) -> Interest:
    """Return an interest of the chapter under way that the actor may write on.

    Raises NotFound where it is gone, Forbidden for somebody else's character's.
    """
    chapter = chapter_of(change)
    found = _INTEREST.first(chapter.pk, key)
    if found is None:
        raise NotFound(_("That interest is not there any more."))
    found.chapter = chapter
    _check_plays(change, found.character)
    return found


def scene_named(change: Change, key: int) -> Scene:
    """Return a scene of the chapter under way. Raises NotFound."""
    found = Scene.objects.filter(chapter=chapter_of(change), pk=key).first()
    if found is None:
        raise NotFound(_("That scene is not in this chapter."))
    return found


def any_scene_named(change: Change, key: int) -> Scene:
    """Return a scene of any chapter of the campaign in front. Raises NotFound."""
    campaign = campaign_of(change)
    found = Scene.objects.filter(chapter__campaign=campaign, pk=key).first()
    if found is None:
        raise NotFound(_("This campaign has no such scene."))
    return found


def sequence_named(change: Change, key: int) -> Sequence:
    """Return a sequence of the chapter under way that is not over. Raises NotFound, MovedOn."""
    campaign = campaign_of(change)
    found = rows.first(Sequence, id=key)
    chapter = rows.first(Chapter, id=found.chapter_id, campaign_id=campaign.pk) if found else None
    if found is None or chapter is None:
        raise NotFound(_("Those dice are not on this table."))
    if found.is_over:
        raise MovedOn(_("That is over already."))
    chapter.campaign = campaign
    game = rows.first(Game, id=found.game_id)
    assert game
    found.chapter, found.game = chapter, game
    return found


def owed_named(change: Change, key: int) -> Owed:
    """Return an occurrence on the owe list that still stands. Raises NotFound."""
    found = _OWED.first(campaign_of(change).pk, key)
    if found is None:
        raise NotFound(_("That name is not on the owe list any more."))
    return found
