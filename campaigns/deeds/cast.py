"""The character list, and who takes whom (WA-8 to WA-11)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaigns import actions
from campaigns.models import CHOOSING, LATE, LINE, LISTING, CastLine, Chapter, Member
from campaigns.services.casting import (
    begin_sheet,
    check_not_back,
    let_go,
    line_of,
    lines_of,
    off_list,
    person_of,
    take,
)
from campaigns.services.finding import acting_for, chapter_of, element_of, member_of
from campaigns.services.making import check_may_join
from campaigns.services.people import check_is_player
from games.errors import Forbidden, MovedOn
from games.rules.dice import RecordedDice, SystemDice
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.host import is_gm
from games.services.ledger import keep, lean
from games.services.refusing import look_again
from games.text import clean_name, folded

MOST_LINES = 80

Step = Chapter.Step
State = CastLine.State


@deed(actions.AddCast, may="seat")
def add_cast(change: Change, action: actions.AddCast, tap: Tap) -> None:
    """Put somebody on the list; it stays open until play, and for who joins in it (WA-8, WA-9).

    Whom an element has named goes with it when it is taken back, and with them
    goes what was chosen and made of them (WA-8, WA-10, WA-11).
    """
    chapter = chapter_of(change, *LISTING, Step.PLAY)
    if not chapter.is_listing:
        check_may_join(chapter, member_of(change))
    text = clean_name(action.text, field="text", longest=LINE)
    element = element_of(chapter, action.element) if action.element else None
    lines = lines_of(chapter)
    twin = next((line for line in lines if folded(line.text) == folded(text)), None)
    if twin is not None and twin.state != State.DROPPED:
        raise _listed_already()
    if twin is None and len(lines) >= MOST_LINES:
        raise MovedOn(_("The list is as long as anybody can read."))
    line = twin or CastLine(chapter=chapter, text=text)
    line.how, line.state = action.how, State.OPEN
    line.elements = [element.order] if element else []
    keep(change, line)
    if element is not None:
        lean(change, element)
    change.log("cast_added", text=line.text)


def _listed_already() -> MovedOn:
    """Return the refusal of a line in the words of another one."""
    return MovedOn(_("That one is on the list already. Say a word more to tell them apart."))


@deed(actions.EditCast, may="seat")
def edit_cast(change: Change, action: actions.EditCast, tap: Tap) -> None:
    """Change a line; one that somebody has is theirs to word."""
    chapter = chapter_of(change, *CHOOSING)
    line = line_of(chapter, action.line)
    _check_may_word(change, line)
    line.text = clean_name(action.text, field="text", longest=LINE)
    _check_is_new(chapter, line)
    keep(change, line)
    change.log("cast_edited", text=line.text)


def _check_is_new(chapter: Chapter, line: CastLine) -> None:
    """Raise MovedOn where another line says the same: nobody could tell the two apart."""
    others = (one for one in lines_of(chapter) if one.pk != line.pk and one.state != State.DROPPED)
    if any(folded(one.text) == folded(line.text) for one in others):
        raise _listed_already()


def _check_may_word(change: Change, *lines: CastLine) -> None:
    """Raise Forbidden for a line that another player has chosen; the GM may touch all."""
    if is_gm(change):
        return
    one = member_of(change)
    for line in lines:
        if line.taken_by is not None and not line.is_worded_by(one):
            text = _("%(name)s has chosen this one.")
            raise Forbidden(text % {"name": line.taken_by.name})


@deed(actions.DropCast, may="seat")
def drop_cast(change: Change, action: actions.DropCast, tap: Tap) -> None:
    """Take a possible character off the list, or put one back (WA-9)."""
    chapter = chapter_of(change, *LISTING)
    line = line_of(chapter, action.line)
    if (line.state == State.DROPPED) == action.on:
        raise look_again()
    if line.taken_by is not None:
        text = _("%(name)s has chosen this one.")
        raise MovedOn(text % {"name": line.taken_by.name})
    if line.state == State.NPC:
        raise MovedOn(_("The GM has made an NPC of this one."))
    if action.on:
        off_list(change, line)
    else:
        _check_is_new(chapter, line)
        line.state, line.wanted_by = State.OPEN, []
        keep(change, line)
    change.log("cast_dropped" if action.on else "cast_restored", text=line.text)


@deed(actions.SameCast, may="seat")
def same_cast(change: Change, action: actions.SameCast, tap: Tap) -> None:
    """Say that two lines are one person, or two after all: whoever takes that person says (WA-9).

    The line that somebody has chosen stays the one that stands for the person.
    """
    chapter = chapter_of(change, *CHOOSING)
    line = line_of(chapter, action.line)
    if not action.other:
        _part(change, chapter, line)
        return
    first, second = person_of(chapter, line.pk), person_of(chapter, action.other)
    if first.pk == second.pk:
        raise MovedOn(_("Those are one person already."))
    _check_may_word(change, first, second)
    if first.is_spoken_for and second.is_spoken_for:
        raise MovedOn(_("Both are somebody's already: they are two."))
    kept, joined = (first, second) if first.is_spoken_for else (second, first)
    for other in lines_of(chapter):
        if other.same_as_id is None:
            lean(change, other, "same_as_id")  # no undo lets one stand for who is another by now
    for other in (joined, *chapter.cast_lines.filter(same_as=joined)):
        other.same_as = kept
        keep(change, other)
    change.log("cast_joined", text=joined.text, other=kept.text)


def _part(change: Change, chapter: Chapter, line: CastLine) -> None:
    """Let a line stand for itself again, and those that pointed to it."""
    joined = [line] if line.same_as_id else list(chapter.cast_lines.filter(same_as=line))
    if not joined:
        raise MovedOn(_("That one stands alone."))
    _check_may_word(change, person_of(chapter, line.pk))
    for other in joined:
        other.same_as = None
    keep(change, *joined)
    change.log("cast_parted", text=line.text)


# --- choosing (WA-11) ----------------------------------------------------------------------------
@deed(actions.TakeCast, may="seat")
def take_cast(change: Change, action: actions.TakeCast, tap: Tap) -> None:
    """Choose a character: one each, in any order. One that somebody has can be wanted (WA-11).

    Once the choosing is over who plays nobody takes one who is free, and begins a sheet at once.
    """
    chapter = chapter_of(change, *CHOOSING, *LATE)
    is_late = chapter.step in LATE
    one = acting_for(change, action.member)
    check_is_player(one)
    line = person_of(chapter, action.line)
    _check_can_be_taken(chapter, line, one)
    if is_late:
        check_may_join(chapter, one)
    if line.taken_by is not None:
        if is_late:
            raise MovedOn(_("Somebody else plays that one."))
        lean(change, one)  # the list knows who wants it by number
        line.wanted_by = [*line.wanted_by, one.number]
        keep(change, line)
        change.log("cast_wanted", text=line.text, by=one.name, has=line.taken_by.name)
        return
    let_go(change, chapter, one)
    line = line_of(chapter, line.pk)
    take(change, line, one)
    if is_late:
        begin_sheet(change, chapter, line, one)
    change.log("cast_taken", text=line.text, by=one.name)


def _check_can_be_taken(chapter: Chapter, line: CastLine, one: Member) -> None:
    check_not_back(chapter, one)
    if line.state == State.DROPPED:
        raise MovedOn(_("That one has been taken off the list."))
    if line.state == State.NPC:
        raise MovedOn(_("The GM has made an NPC of this one."))
    # Who wanted one that has been given back since takes it as anybody does.
    is_wish = line.taken_by is not None and line.is_wanted_by(one)
    if line.taken_by_id == one.pk or is_wish:
        raise MovedOn(_("You have said so already."))


@deed(actions.LeaveCast, may="seat")
def leave_cast(change: Change, action: actions.LeaveCast, tap: Tap) -> None:
    """Give a character back to the list, or want it no longer."""
    chapter = chapter_of(change, *CHOOSING)
    one = acting_for(change, action.member)
    line = person_of(chapter, action.line)
    if line.taken_by_id == one.pk:
        let_go(change, chapter, one)
        change.log("cast_left", text=line.text, by=one.name)
    elif line.is_wanted_by(one):
        line.drop_wish(one)
        keep(change, line)
        change.log("cast_not_wanted", text=line.text, by=one.name)
    else:
        raise look_again()


@deed(actions.DrawLots, may="seat")
def draw_lots(change: Change, action: actions.DrawLots, tap: Tap) -> None:
    """Draw lots among all who want the same character and do not agree (WA-11)."""
    chapter = chapter_of(change, *CHOOSING)
    line = person_of(chapter, action.line)
    wanting = [*chapter.campaign.members.filter(number__in=line.wanted_by)]
    among = [one for one in (line.taken_by, *wanting) if one is not None and one.is_here]
    if len(among) < 2:
        raise MovedOn(_("Nobody else wants this one."))
    dice = RecordedDice(SystemDice())
    winner = among[dice.roll(len(among)) - 1]
    change.play.faces = dice.faces
    if line.taken_by_id != winner.pk:
        if line.taken_by is not None:
            let_go(change, chapter, line.taken_by)
        let_go(change, chapter, winner)
    line = line_of(chapter, line.pk)
    line.wanted_by = []
    take(change, line, winner)
    names = [one.name for one in among]
    change.log("cast_lots_drawn", text=line.text, names=names, by=winner.name)
