"""NPCs made in one tap, NPCs of earlier chapters (WA-15, WA-16, WA-90), and who is ready."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaigns import actions
from campaigns.models import LATE, LISTING, NAME, STORY, CastLine, Chapter, Character, Part
from campaigns.services.casting import line_of, person_of
from campaigns.services.finding import chapter_of, character_named, scene_named
from campaigns.services.making import (
    come_into_play,
    joins_late,
    not_in_chapter,
    npc_forms,
    tell_who_joins,
)
from campaigns.services.naming import check_name, in_log, is_taken
from campaigns.services.numbers import next_number
from campaigns.services.returning import bring_in
from campaigns.services.steps import fault_of_interests
from games.errors import MovedOn
from games.rules.dice import SystemDice
from games.rules.wicked_age.names import Kind, suggest
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.ledger import keep
from games.services.refusing import look_again
from games.text import clean_line, clean_prose

MOST_CHARACTERS = 400
KINDS: tuple[Kind, ...] = ("either", "women", "men")
"""The lists of names for an NPC, in the order in which they are drawn from."""

Step = Chapter.Step
FROM_CAST_ON = (*LISTING, Step.PLAY)


@deed(actions.MakeNpc)
def make_npc(change: Change, action: actions.MakeNpc, tap: Tap) -> None:
    """Make an NPC, from a line of the list or out of nothing, also in the middle of a scene."""
    chapter = chapter_of(change, *FROM_CAST_ON)
    if chapter.campaign.characters.count() >= MOST_CHARACTERS:
        raise MovedOn(_("This campaign has as many characters as it can keep."))
    line = _free_line(chapter, action.line) if action.line else None
    place = scene_named(change, action.scene) if action.scene else None
    name = clean_line(action.name, field="name", longest=NAME)
    if name:
        check_name(chapter, name)
    one = Character(
        campaign=chapter.campaign,
        number=next_number(chapter.campaign.characters),
        kind=Character.Kind.NPC,
        name=name or _name_for(chapter, line.text if line else ""),
        description=clean_prose(action.description, longest=STORY, field="description")
        or (line.text if line else ""),
        forms=npc_forms(action.best, action.second),
    )
    keep(change, one, Part(chapter=chapter, character=one))
    if line is not None:
        _give_line(change, chapter, line, one)
    if place is not None:
        place.who = [*place.who, one.number]
        keep(change, place)
    change.log("npc_made", name=one.name)
    change.answer["character"] = one.pk


def _name_for(chapter: Chapter, text: str) -> str:
    """Call a nameless NPC by her line, or by a name that goes with the oracle."""
    if text and len(text) <= NAME and not is_taken(chapter, text):
        return text
    taken = chapter.campaign.characters.values_list("name", flat=True)
    for kind in KINDS:
        if names := suggest(SystemDice(), chapter.oracle, kind, taken, count=1):
            return names[0]
    return _nobodys_name(chapter)


def _nobodys_name(chapter: Chapter) -> str:
    """Call somebody by none of the names, of which an old campaign has used up all."""
    name = _("Somebody")
    numbers = (f"{name} {number}" for number in range(2, MOST_CHARACTERS + 2))
    return next(one for one in (name, *numbers) if not is_taken(chapter, one))


def _free_line(chapter: Chapter, key: int) -> CastLine:
    line = person_of(chapter, key)
    if line.state == CastLine.State.DROPPED:
        raise MovedOn(_("That one has been taken off the list."))
    if line.taken_by is not None:
        text = _("%(name)s has chosen this one.")
        raise MovedOn(text % {"name": line.taken_by.name})
    if line.state == CastLine.State.NPC:
        raise MovedOn(_("The GM has made an NPC of this one."))
    return line


def _give_line(change: Change, chapter: Chapter, line: CastLine, one: Character) -> None:
    line = line_of(chapter, line.pk)
    line.state, line.character, line.wanted_by = CastLine.State.NPC, one, []
    keep(change, line)


@deed(actions.BringNpc)
def bring_npc(change: Change, action: actions.BringNpc, tap: Tap) -> None:
    """Bring an NPC of an earlier chapter back, with whole dice (WA-90)."""
    chapter = chapter_of(change, *FROM_CAST_ON)
    one = character_named(change, action.character)
    if one.is_pc:
        raise MovedOn(_("%(name)s is a player's character.") % {"name": str(one)})
    if chapter.parts.filter(character=one).exists():
        raise MovedOn(_("%(name)s is in this chapter already.") % {"name": one.name})
    line = _free_line(chapter, action.line) if action.line else None
    if one.state == Character.State.DEAD and line is None:
        text = _("%(name)s is dead. Write on the list how it can be, and choose that line.")
        raise MovedOn(text % {"name": one.name})
    check_name(chapter, one.name, one)
    bring_in(change, chapter, one, None)
    if line is not None:
        _give_line(change, chapter, line, one)
    change.log("npc_returned", name=one.name)


@deed(actions.MarkReady, may="seat")
def mark_ready(change: Change, action: actions.MarkReady, tap: Tap) -> None:
    """Say that one's sheet is ready, or not yet after all (WA-12, WA-98).

    In a chapter that is played that is how who has joined it comes into play, with as much as the
    chapter asked of the others (WA-31, WA-32).
    """
    chapter = chapter_of(change, *LATE)
    one = character_named(change, action.character)
    part = chapter.parts.filter(character=one).select_related("character", "member").first()
    if part is None:
        raise not_in_chapter(one)
    is_played = chapter.step == Step.PLAY
    if is_played and not joins_late(part):
        raise MovedOn(_("%(name)s is in play.") % {"name": str(one)})
    if part.is_ready == action.on:
        raise look_again()
    if action.on and not one.name:
        raise MovedOn(_("Write a name first."))
    if action.on and one.is_pc and part.is_returning and not part.come_back:
        text = _("Whoever comes back has one choice to make. Still open: %(names)s.")
        raise MovedOn(text % {"names": one.name})
    part.is_ready = action.on
    keep(change, part)
    if is_played and action.on:
        _comes_into_play(change, part)
        return
    change.log("sheet_ready" if action.on else "sheet_not_ready", name=in_log(one))


def _comes_into_play(change: Change, part: Part) -> None:
    if fault := fault_of_interests(part.chapter, [part]):
        raise MovedOn(fault)
    come_into_play(change, part)
    tell_who_joins(change, part)
