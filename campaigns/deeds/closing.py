"""How a chapter ends, and what is written about it afterwards (WA-82, WA-83)."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns import actions
from campaigns.models import PROSE, STORY, Chapter, Character, Part
from campaigns.services.chapters import check_no_dice
from campaigns.services.finding import chapter_named, chapter_of, character_named
from campaigns.services.making import not_in_chapter
from campaigns.services.naming import in_log
from campaigns.services.sheets import sheet_value
from campaigns.services.steps import is_played
from campaigns.services.telling import narrate
from games.errors import Malformed, MovedOn
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.ledger import keep
from games.services.meanwhile import written
from games.text import clean_prose, mark_of

Step = Chapter.Step
State = Character.State


@deed(actions.ProposeEnd)
def propose_end(change: Change, action: actions.ProposeEnd, tap: Tap) -> None:
    """Propose the end: interests get their last states, epilogues are written (WA-82)."""
    chapter = chapter_of(change, Step.PLAY)
    text = _("Dice are still on the table. Play them to their end, or call them off.")
    check_no_dice(change, chapter, text)
    chapter.step = Step.CLOSING
    keep(change, chapter)
    change.log("end_proposed", number=chapter.number)


@deed(actions.EndChapter)
def end_chapter(change: Change, action: actions.EndChapter, tap: Tap) -> None:
    """End the chapter: sheets go to the archive as they are (WA-83).

    An interest that is open stays so: a cliffhanger is an end (WA-82). Being out,
    being lent and being away last for one chapter (WA-69, WA-88, WA-87).
    """
    chapter = chapter_of(change, Step.CLOSING)
    for part in chapter.parts.select_related("character"):
        part.after = sheet_value(part.character)
        keep(change, part)
        if part.character.state == State.OUT:
            part.character.state = State.ACTIVE
            keep(change, part.character)
    for one in chapter.campaign.characters.exclude(lent_to=None):
        one.lent_to = None
        keep(change, one)
    for member in chapter.campaign.members.filter(is_away=True):
        member.is_away = False
        keep(change, member)
    chapter.step, chapter.ended_at = Step.OVER, timezone.now()
    keep(change, chapter)
    narrate(change, chapter, "chapter_ended", number=chapter.number, title=chapter.title)


@deed(actions.WriteEpilogue, may="seat")
def write_epilogue(change: Change, action: actions.WriteEpilogue, tap: Tap) -> None:
    """Write what became of a character after a chapter, or take it out again with nothing."""
    chapter = _played(change, action.chapter)
    part = _part_of(change, chapter, action.character)
    text = clean_prose(action.text, longest=STORY, field="text")
    if not text and not part.epilogue:
        raise Malformed(_("Write at least a word."), field="text")
    part.epilogue = text
    keep(change, part)
    kind = "epilogue_written" if text else "epilogue_removed"
    change.log(kind, name=in_log(part.character), number=chapter.number)


def _part_of(change: Change, chapter: Chapter, key: int) -> Part:
    """Return the part of a character whom the actor plays, or has played in that chapter."""
    part = chapter.parts.filter(character=key).select_related("character", "member").first()
    seat = change.seat
    has_played = part and part.member and seat and part.member.seat_id == seat.pk
    one = character_named(change, key, anybody=bool(has_played))
    if part is None:
        raise not_in_chapter(one)
    return part


def _played(change: Change, key: int) -> Chapter:
    """Return a chapter that has got to play. Raises MovedOn for one that has not."""
    chapter = chapter_named(change, key)
    if not is_played(chapter):
        raise MovedOn(_("This chapter has not been played yet."))
    return chapter


@deed(actions.WriteEndNote, may="seat")
def write_end_note(change: Change, action: actions.WriteEndNote, tap: Tap) -> None:
    """Write a few words on how a chapter ended, over nobody else's of meanwhile."""
    chapter = _played(change, action.chapter)
    text = clean_prose(action.text, longest=STORY, field="text")
    chapter.end_note = written("text", text, chapter.end_note, was=action.was)
    keep(change, chapter)
    change.log("end_note_written", number=chapter.number)


@deed(actions.WriteChronicle, may="seat")
def write_chronicle(change: Change, action: actions.WriteChronicle, tap: Tap) -> None:
    """Rewrite a chapter's chronicle; with nothing it tells again what happened."""
    chapter = _played(change, action.chapter)
    text = clean_prose(action.text, field="text", longest=PROSE)
    if action.was and action.was != mark_of(chapter.told) and text != chapter.told:
        raise MovedOn(_("Somebody else has told this chapter meanwhile."), field="text")
    chapter.told = text
    keep(change, chapter)
    kind = "chronicle_written" if chapter.told else "chronicle_set_back"
    change.log(kind, number=chapter.number)
