"""The character list (WA-8 to WA-12).

Finding its lines, choosing, letting go, and making sheets of what is chosen.
"""

from __future__ import annotations

from typing import TypedDict, Unpack

from django.utils.translation import gettext as _

from campaigns.models import CastLine, Chapter, Character, Member, Part
from campaigns.services.numbers import next_number
from campaigns.services.returning import send_back, untag
from campaigns.services.strengths import take_off
from games.asked import Asked
from games.errors import MovedOn, NotFound
from games.models import rows
from games.rules.wicked_age.forms import PC_DICE, PC_FORMS
from games.services.change import Change
from games.services.ledger import drop, keep, lean

State = CastLine.State

_LINE = Asked(
    lambda chapter, key: CastLine.objects.filter(chapter=chapter, pk=key).select_related(
        "same_as", "taken_by", "character"
    )
)
_FORMER = Asked(
    lambda chapter, one: Part.objects.filter(
        chapter=chapter, member=one, is_returning=True
    ).select_related("character__campaign", "chapter")
)
_BEGUN = Asked(
    lambda chapter: Part.objects.filter(chapter=chapter, character__kind="pc", is_returning=False)[
        :1
    ]
)


class _Which(TypedDict, total=False):
    same_as_id: int
    taken_by_id: int


def lines_of(chapter: Chapter, **which: Unpack[_Which]) -> list[CastLine]:
    """Return the lines of a chapter's list, or those of them with these values."""
    found = rows.fetch(CastLine, chapter_id=chapter.pk, **which)
    return rows.belonging(found, chapter=chapter)


def line_of(chapter: Chapter, key: int) -> CastLine:
    """Return a line of the chapter's list. Raises NotFound."""
    found = _LINE.first(chapter.pk, key)
    if found is None:
        raise NotFound(_("That is not on the list of this chapter."))
    found.chapter = chapter
    return found


def person_of(chapter: Chapter, key: int) -> CastLine:
    """Return the line that stands for a person: of several that are one, the one pointed to."""
    line = line_of(chapter, key)
    return line_of(chapter, line.same_as_id) if line.same_as_id else line


def off_list(change: Change, line: CastLine) -> None:
    """Take a line off the list; whoever was the same as that one stands alone again (WA-9)."""
    for other in lines_of(line.chapter, same_as_id=line.pk):
        other.same_as = None
        keep(change, other)
    line.state, line.wanted_by = State.DROPPED, []
    keep(change, line)


def former_part(chapter: Chapter, one: Member) -> Part | None:
    """Return the former character whom somebody plays in this chapter (WA-85, WA-88)."""
    return _FORMER.first(chapter.pk, one.pk)


def check_not_back(chapter: Chapter, one: Member) -> None:
    """Raise MovedOn for whoever plays the one back from the top of the owe list (WA-85)."""
    former = former_part(chapter, one)
    if former is not None and former.character_id == chapter.returning_id:
        text = _("In this chapter you play %(name)s, who has come back.")
        raise MovedOn(text % {"name": former.character.name})


def take(change: Change, line: CastLine, one: Member) -> None:
    """Let a player have a line that stands for somebody, and for as long as it does (WA-11)."""
    lean(change, line, "same_as_id")
    _in_turn(change, line.chapter, one)
    hang_on_being_here(change, one)
    line.taken_by, line.state = one, State.CHOSEN
    line.drop_wish(one)
    keep(change, line)


def let_go(change: Change, chapter: Chapter, one: Member) -> None:
    """Give back to the list what a player has, and send back whom they chose of former ones.

    Whoever came back from the top of the owe list stays. Raises MovedOn when a
    former one has made her come-back choice.
    """
    _in_turn(change, chapter, one)
    want_nobody(change, chapter, one)
    part = former_part(chapter, one)
    if part is not None and part.character_id != chapter.returning_id:
        send_back(change, part)
    for line in lines_of(chapter, taken_by_id=one.pk):
        line.taken_by, line.state = None, State.OPEN
        keep(change, line)


def _in_turn(change: Change, chapter: Chapter, one: Member) -> None:
    """Tie together what a player chooses, so that undoing one choice takes back the later ones.

    A player has one line at a time (WA-11). An undo of the earlier choice alone would give them two
    where the later one is another line. Who chooses again, the sheets having been begun, does so
    because the setup went back: where that is undone, the sheets are those of before.
    """
    lean(change, one, "number")
    if chapter.step == Chapter.Step.CHOOSE and _BEGUN.first(chapter.pk):
        lean(change, chapter, "step")


def hang_on_being_here(change: Change, one: Member) -> None:
    """Tie what a player chooses to their being here for the chapter (WA-87, WA-105).

    Who is away or has left gives back what they have; an undo of their coming back does so too.
    """
    lean(change, one, "is_away", "has_left")


def want_nobody(change: Change, chapter: Chapter, one: Member) -> None:
    """Take a player out of every drawing of lots (WA-11)."""
    for line in lines_of(chapter):
        if line.is_wanted_by(one):
            line.drop_wish(one)
            keep(change, line)


# --- sheets (WA-12) ------------------------------------------------------------------------------
def make_sheets(change: Change, chapter: Chapter) -> None:
    """Give every chosen line its sheet, and put away those begun for a line that was given back.

    Whoever takes a choice back from now on takes back the sheets as well: somebody would be played
    whom nobody has chosen.
    """
    for line in chapter.cast_lines.filter(same_as=None).exclude(taken_by=None):
        assert line.taken_by
        lean(change, line, "taken_by_id")
        if line.character_id is None:
            begin_sheet(change, chapter, line, line.taken_by)
        elif line.character and line.character.owner_id != line.taken_by_id:
            _new_owner(change, chapter, line.character, line.taken_by)
    # Last, so that none of the new ones has a number that an undo gives back to an old one.
    for line in chapter.cast_lines.filter(taken_by=None).exclude(character=None):
        if line.state != State.NPC and line.character is not None:
            lean(change, line, "taken_by_id")
            put_away(change, chapter, line.character)


def begin_sheet(change: Change, chapter: Chapter, line: CastLine, one: Member) -> None:
    """Begin a sheet with the line's words, and the dice in the order of the forms (WA-13)."""
    also = chapter.cast_lines.filter(same_as=line).exclude(state=State.DROPPED)
    texts = [line.text, *(other.text for other in also)]
    made = Character(
        campaign=chapter.campaign,
        number=next_number(chapter.campaign.characters),
        owner=one,
        description="\n".join(texts),
        forms={
            form: {"base": die, "current": die} for form, die in zip(PC_FORMS, PC_DICE, strict=True)
        },
    )
    keep(change, made)
    keep(change, Part(chapter=chapter, character=made, member=one))
    line.character = made
    keep(change, line)


def _new_owner(change: Change, chapter: Chapter, one: Character, owner: Member) -> None:
    """Hand a sheet that was begun to whoever has its line now; a former one's is not handed."""
    part = chapter.parts.filter(character=one).first()
    if part is None or part.is_returning:
        return
    one.owner, part.member = owner, owner
    keep(change, one, part)


def put_away(change: Change, chapter: Chapter, one: Character) -> None:
    """Delete a sheet that was begun in this chapter, with all that stands on it.

    Her name goes with it if the GM has written it on the owe list: who was never played is owed
    nothing (WA-76). Raises MovedOn for a character who has been in another chapter.
    """
    if one.parts.exclude(chapter=chapter).exists():
        raise MovedOn(_("%(name)s has been in play.") % {"name": str(one)})
    for line in chapter.cast_lines.filter(character=one):
        line.character = None
        keep(change, line)
    untag(change, chapter, one)
    interests, parts = one.interests.filter(chapter=chapter), one.parts.filter(chapter=chapter)
    for held in one.holdings.select_related("strength"):
        take_off(change, held)
    for row in (*interests, *parts, *one.owed.all()):
        drop(change, row)
    drop(change, one)
