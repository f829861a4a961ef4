"""Best interests: named in turns, tagged, and what has come of them (WA-30 to WA-35)."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from campaigns import actions
from campaigns.models import LINE, Chapter, Character, Interest, Moment, Part
from campaigns.services.finding import (
    chapter_of,
    character_named,
    interest_named,
    people_named,
)
from campaigns.services.making import not_in_chapter
from campaigns.services.naming import about, in_log
from campaigns.services.steps import is_played
from campaigns.services.telling import MARKED, narrate, tell_anew, told_of
from games.errors import Malformed, MovedOn
from games.models import rows
from games.rules.wicked_age import interests as rules
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.ledger import drop, keep, lean
from games.services.meanwhile import written
from games.services.refusing import reason_of, refused, so_already
from games.text import clean_line, folded

Step = Chapter.Step
NAMED_IN = (Step.SHEETS, Step.INTERESTS, Step.PLAY)


@deed(actions.NameInterest, may="seat")
def name_interest(change: Change, action: actions.NameInterest, tap: Tap) -> None:
    """Name an interest; they need not be named together (WA-31)."""
    chapter = chapter_of(change, *NAMED_IN)
    one = character_named(change, action.character)
    part = rows.first(Part, chapter_id=chapter.pk, character_id=one.pk)
    if part is None:
        raise not_in_chapter(one)
    own = rows.fetch(Interest, chapter_id=chapter.pk, character_id=one.pk)
    text = _words(action.text, own)
    if fault := rules.fault_of(text, len(own) + 1):
        raise refused(fault)
    _in_turn(change, part, text, place=len(own) + 1)
    targets = _targets(change, chapter, one, action.targets)
    made = Interest(chapter=chapter, character=one, text=text, targets=[t.number for t in targets])
    keep(change, made)
    change.log("interest_named", **about(one), text=text, targets=[in_log(t) for t in targets])


def _in_turn(change: Change, part: Part, *texts: str, place: int = 0) -> None:
    """Tie what frees a place on a sheet, or words, to what takes them later.

    An undo of the first alone would give somebody a fourth interest, or the same twice (WA-32).
    """
    places = [f"interest {place}"] if place else []
    lean(change, part, *places, *(f"interest: {folded(text)}" for text in texts))


def _words(text: str, others: Iterable[Interest]) -> str:
    """Return what is wanted, or raise Malformed for nothing, and MovedOn for the same again."""
    clean = clean_line(text, field="text", longest=LINE)
    if fault := rules.fault_of(clean, 1):
        raise Malformed(reason_of(fault), field="text")
    if any(folded(other.text) == folded(clean) for other in others):
        raise MovedOn(_("That interest is on the sheet already."), field="text")
    return clean


def _targets(
    change: Change, chapter: Chapter, one: Character, keys: Iterable[int]
) -> list[Character]:
    """Return the characters that an interest is tagged with: others of this chapter."""
    found = people_named(change, chapter, keys)
    if one in found:
        raise Malformed(
            _("The interest is this character's own: tag the others it is about."), field="targets"
        )
    return found


@deed(actions.EditInterest, may="seat")
def edit_interest(change: Change, action: actions.EditInterest, tap: Tap) -> None:
    """Put an interest into other words, or about others."""
    chapter = chapter_of(change)
    row = interest_named(change, action.interest)
    one = row.character
    text = _words(action.text, chapter.interests.filter(character=one).exclude(pk=row.pk))
    before, row.text = row.text, written("text", text, row.text, was=action.was)
    if row.text != before and (part := _part_of(row)):
        _in_turn(change, part, before, row.text)
    for moment in _told_of(row, before):
        tell_anew(change, moment, text=row.text)
    row.targets = [t.number for t in _targets(change, chapter, one, action.targets)]
    keep(change, row)
    change.log("interest_edited", **about(one), text=row.text)


def _part_of(row: Interest) -> Part | None:
    return rows.first(Part, chapter_id=row.chapter_id, character_id=row.character_id)


@deed(actions.DropInterest, may="seat")
def drop_interest(change: Change, action: actions.DropInterest, tap: Tap) -> None:
    """Take an interest off the sheet, and what was told of it."""
    row = interest_named(change, action.interest)
    _forget(change, row)
    if part := _part_of(row):
        own = rows.fetch(Interest, chapter_id=row.chapter_id, character_id=row.character_id)
        _in_turn(change, part, row.text, place=len(own))
    drop(change, row)
    change.log("interest_dropped", **about(row.character), text=row.text)


@deed(actions.MarkInterest, may="seat")
def mark_interest(change: Change, action: actions.MarkInterest, tap: Tap) -> None:
    """Say what has come of an interest (WA-35); the chronicle keeps the last word."""
    row = interest_named(change, action.interest)
    if row.state == action.state:
        raise so_already()
    row.state = action.state
    keep(change, row)
    _forget(change, row)
    told = {**about(row.character), "text": row.text, "state": str(row.state)}
    if row.state == Interest.State.OPEN.value or not is_played(row.chapter):
        change.log(MARKED, **told)
    else:
        narrate(change, row.chapter, MARKED, **told)


def _forget(change: Change, row: Interest) -> None:
    """Take out of the chronicle what was said of an interest before."""
    for moment in _told_of(row, row.text):
        drop(change, moment)


def _told_of(row: Interest, text: str) -> list[Moment]:
    """Return what the chronicle says of an interest, which it knows by its words."""
    said = told_of(row.chapter, row.character)
    return [moment for moment in said if moment.data["text"] == text]
