"""Coming back (WA-85 to 90, WA-95).

By the top of the owe list, by a place further down, or by fitting the character list.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaigns import actions
from campaigns.models import CHOOSING, LATE, LINE, CastLine, Chapter, Character, Member, Owed
from campaigns.services.casting import (
    check_not_back,
    hang_on_being_here,
    let_go,
    line_of,
    person_of,
    put_away,
    take,
)
from campaigns.services.finding import (
    acting_for,
    chapter_of,
    character_named,
    check_own,
    owed_named,
)
from campaigns.services.making import check_may_join
from campaigns.services.naming import called, check_name, in_log, said_of
from campaigns.services.people import check_is_player
from campaigns.services.returning import bring_in, standing, strike, top_of
from campaigns.services.steps import has_begun
from games.errors import Forbidden, Malformed, MovedOn
from games.rules.wicked_age import owe
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.ledger import keep, lean
from games.text import clean_line

Step = Chapter.Step


@deed(actions.BringBack, may="seat")
def bring_back(change: Change, action: actions.BringBack, tap: Tap) -> None:
    """The one at the top comes back, and that occurrence is struck (WA-85)."""
    chapter = chapter_of(change, Step.COMING_BACK)
    counted, player = _counted(change, chapter, action.owed)
    row = _made_way_for(change, chapter, counted, player)
    one = row.character
    how = clean_line(action.came_back_as, field="came_back_as", longest=LINE)
    if one.state == Character.State.DEAD and not how:
        text = _("%(name)s is dead. Say how it can be: an earlier time, a ghost, born again…")
        raise Malformed(text % {"name": called(one)}, field="came_back_as")
    _hang_on_whose(change, one, player)
    strike(change, row, chapter)
    one.lent_to = None  # her player plays her
    if chapter.declined:
        lean(change, chapter, "declined")  # whoever takes a no back would be first again (WA-85)
    chapter.returning, chapter.step = one, Step.ORACLE
    keep(change, chapter)
    bring_in(change, chapter, one, player, how)
    change.log("pc_came_back", name=in_log(one), by=player.name, how=how)


def _made_way_for(change: Change, chapter: Chapter, row: Owed, player: Member) -> Owed:
    """Free her player, and her, of what was chosen before the setup went back (WA-88, WA-89).

    Returns the first occurrence of her name that was not declined; if it was struck for this
    chapter it stands again.
    """
    _free(change, chapter, player)
    part = chapter.parts.filter(character=row.character).select_related("member").first()
    if part is not None and part.member is not None:
        let_go(change, chapter, part.member)
    hers = (r for r in standing(chapter.campaign) if r.character_id == row.character_id)
    return next(r for r in hers if r.order not in chapter.declined)


@deed(actions.DeclineReturn, may="seat")
def decline_return(change: Change, action: actions.DeclineReturn, tap: Tap) -> None:
    """Her player would rather not: her name stays, and the next one counts (WA-87)."""
    chapter = chapter_of(change, Step.COMING_BACK)
    row, player = _counted(change, chapter, action.owed)
    lean(change, row, "order")  # its place would be the next name's
    chapter.declined = [*chapter.declined, row.order]
    if top_of(chapter.campaign, chapter.declined) is None:
        chapter.step = Step.ORACLE
    keep(change, chapter)
    change.log("return_declined", name=in_log(row.character), by=player.name)


def _counted(change: Change, chapter: Chapter, key: int) -> tuple[Owed, Member]:
    """Return the occurrence that counts now, and her player; anything else is refused."""
    named = owed_named(change, key)
    row = top_of(chapter.campaign, chapter.declined)
    if row is None or row.pk != named.pk:
        raise MovedOn(_("Another name is first on the owe list."))
    assert row.character.owner
    check_own(change, row.character.owner)
    return row, row.character.owner


@deed(actions.PlayFormer, may="seat")
def play_former(change: Change, action: actions.PlayFormer, tap: Tap) -> None:
    """Play a former character: because she fits the list, or for a struck name (WA-88).

    Who plays nobody may do so as long as the chapter is played.
    """
    chapter = chapter_of(change, *CHOOSING, *LATE)
    player = acting_for(change, action.member)
    one = character_named(change, action.character, anybody=True)
    _check_word(one, player)
    _check_not_in(chapter, one, player)
    if chapter.step == Step.INTERESTS or has_begun(chapter):
        check_may_join(chapter, player)
    line = _fitting(chapter, action.line, player) if action.line else None
    row = _own_occurrence(change, chapter, one, player, action.owed) if action.owed else None
    if line is None and row is None:
        text = _("Choose a line of the list that fits, or strike the name off the owe list.")
        raise Malformed(text, field="line")
    is_dead = one.state == Character.State.DEAD
    if is_dead and line is None:
        text = _("%(name)s is dead. Write on the list how it can be, and choose that line.")
        raise Malformed(text % {"name": called(one)}, field="line")
    _free(change, chapter, player)
    if one.name:
        check_name(chapter, one.name, one)
    _hang_on_whose(change, one, player)
    if row is not None:
        strike(change, row, chapter)
    bring_in(change, chapter, one, player, line.text if line and is_dead else "")
    if line is not None:
        line = line_of(chapter, line.pk)
        line.character = one
        take(change, line, player)
    text = line.text if line else ""
    change.log("former_taken", name=in_log(one), by=player.name, text=text, struck=row is not None)


def _hang_on_whose(change: Change, one: Character, player: Member) -> None:
    """Tie somebody's coming back to whose she is, to the word for her, and to who plays her.

    An undo of any of these alone would leave her to one player's part and another's hand.
    """
    lean(change, one, "owner_id", "lent_to_id")
    hang_on_being_here(change, player)


def _check_word(one: Character, player: Member) -> None:
    """Raise unless the player may use this character: her own, or with her player's word."""
    if not one.is_pc:
        raise MovedOn(_("That is one of the GM's characters."))
    if one.lent_to_id not in (None, player.pk) and one.lent_to is not None:
        text = _("%(by)s already has permission to play %(name)s.")
        raise MovedOn(said_of(one, text, by=one.lent_to.name))
    if player.pk not in (one.owner_id, one.lent_to_id):
        text = _("%(name)s can be played only with the permission of the character's player.")
        raise Forbidden(said_of(one, text))
    if not player.is_gm:
        check_is_player(player)


def _check_not_in(chapter: Chapter, one: Character, player: Member) -> None:
    if chapter.parts.filter(character=one).exists():
        text = _("%(name)s is in this chapter already.")
        raise MovedOn(text % {"name": called(one)})
    check_not_back(chapter, player)


def _fitting(chapter: Chapter, key: int, player: Member) -> CastLine:
    """Return the line that she fits, if nobody else has it."""
    line = person_of(chapter, key)
    if line.state == CastLine.State.DROPPED:
        raise MovedOn(_("That one has been taken off the list."))
    if line.is_spoken_for and line.taken_by_id != player.pk:
        raise MovedOn(_("Somebody else plays that one."))
    return line


def _own_occurrence(
    change: Change, chapter: Chapter, one: Character, player: Member, key: int
) -> Owed:
    """Return the occurrence to be struck: the first of her name, by her own player (WA-88)."""
    row = owed_named(change, key)
    rows = standing(chapter.campaign)
    entries = [
        owe.Owed(r.order, r.character.ref, str(r.character.owner_id))
        for r in rows
        if r.character.owner_id
    ]
    may = {found.id for found in owe.may_bring_back(entries, str(player.pk))}
    if row.character_id != one.pk or row.order not in may:
        text = _(
            "Only the first %(name)s on the owe list can be struck, and only by the character's "
            "player."
        )
        raise MovedOn(text % {"name": called(one)})
    return row


def _free(change: Change, chapter: Chapter, player: Member) -> None:
    """Let go of what the player has chosen, with a sheet that was begun for it (WA-89)."""
    begun = [part.character for part in chapter.parts.filter(member=player, is_returning=False)]
    let_go(change, chapter, player)
    for sheet in begun:
        put_away(change, chapter, sheet)
