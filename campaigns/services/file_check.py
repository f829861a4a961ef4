"""What a campaign's file must keep to beside its types, so that every screen can show it.

A checksum only shows that nothing was lost on the way: a file made by hand has one as well. So
every number must refer to something, and all the rest is held against the rules as taps are: people
and their sheets here, a chapter's setup by `file_story`, its dice by `file_fights`. What an undo, a
GM's correction (WA-111) or an earlier release could have left is accepted.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec

from campaigns.models import Chapter, Character
from campaigns.services import file_format as ff
from campaigns.services.file_fault import UNREADABLE, Wrong, at, damaged, insist, short
from campaigns.services.file_known import Known, distinct
from campaigns.services.file_sheets import check_dice, check_strengths
from campaigns.services.file_story import check_chapter
from campaigns.settings import CampaignSettings
from games.rules.wicked_age.oracles import Entry
from games.rules.wicked_sequence import LAST_ROUND
from games.rules.words import _

YEARS = range(1970, 3000)

Step = Chapter.Step


def time_of(text: str | None) -> datetime | None:
    """Return an instant as a file writes it. Raises Malformed for none."""
    if text is None:
        return None
    try:
        read = datetime.fromisoformat(text)
    except ValueError as error:
        raise damaged(text[:40]) from error
    if read.tzinfo is None or read.year not in YEARS:
        raise damaged(text[:40])
    return read


def check(value: ff.CampaignValue) -> None:
    """Raise Malformed for a file whose parts point to nothing, or that the rules do not allow.

    It says where in the file, and which rule it is.
    """
    try:
        _check_campaign(value)
    except Wrong as wrong:
        raise wrong.refusal() from wrong
    except UNREADABLE as error:
        raise damaged() from error


def _check_campaign(value: ff.CampaignValue) -> None:
    with at(_("its settings")):
        msgspec.convert(value.settings, CampaignSettings)
    for name in value.settings:
        if name not in CampaignSettings.__struct_fields__:
            raise damaged(f"`$.settings.{short(name)}`")
    known = Known(value)
    for oracle in value.oracles:
        with at(_("the oracle %(what)s"), oracle.title):
            insist(bool(msgspec.convert(oracle.entries, list[Entry])))
    for one in value.characters:
        with at(_("the character %(what)s"), known.called(one.number)):
            _check_character(one, known)
    check_strengths(value, known)
    _check_chapters(value)
    for chapter in value.chapters:
        with at(_("chapter %(what)s"), chapter.number):
            check_chapter(chapter, known)
    _check_owe_list(value, known)


def _check_chapters(value: ff.CampaignValue) -> None:
    """Insist on one chapter under way at most, the last one, and none once all is over (WA-84)."""
    under_way = [one.number for one in value.chapters if one.step != Step.OVER]
    insist(len(under_way) <= 1, _("only one chapter is under way at a time"))
    if under_way:
        with at(_("chapter %(what)s"), under_way[0]):
            newest = max(one.number for one in value.chapters)
            insist(under_way[0] == newest, _("only the last chapter can be under way"))
            insist(value.closed_at is None, _("in a campaign that is over no chapter is under way"))


def _check_character(one: ff.CharacterValue, known: Known) -> None:
    known.members(one.owner, one.lent_to)
    check_dice(one.kind, one.forms)
    if one.kind == Character.Kind.PC:
        insist(one.owner is not None, _("a player's character belongs to a player"))
        insist(one.lent_to != one.owner, _("a character is lent to somebody else"))
    elif one.kind == Character.Kind.NPC:
        is_free = one.owner is None and one.lent_to is None
        insist(is_free, _("the GM's characters belong to no player"))


def _check_owe_list(value: ff.CampaignValue, known: Known) -> None:
    with at(_("the owe list")):
        distinct((owed.order for owed in value.owed), _("no two names have the same place"))
        for owed in value.owed:
            with at(_("place %(what)s"), owed.order):
                _check_owed(owed, known)


def _check_owed(owed: ff.OwedValue, known: Known) -> None:
    """Insist on a player's character, and on an end that says what it was for (WA-76, WA-81)."""
    known.characters(owed.character)
    known.chapters(owed.chapter, owed.struck_chapter)
    known.sequences(owed.sequence, owed.struck_sequence)
    is_pc = known.character[owed.character].kind == Character.Kind.PC
    insist(is_pc, _("the GM's characters are never owed a chapter"))
    for_what: Iterable[tuple[str, object]] = (
        ("die", owed.struck_sequence),
        ("die", owed.struck_round),
        ("chapter", owed.struck_chapter),
    )
    for struck, paid in for_what:
        is_so = (owed.struck == struck) == (paid is not None)
        insist(is_so, _("a name is struck for one die, or for one chapter"))
    _check_times(owed)


def _check_times(owed: ff.OwedValue) -> None:
    """Insist on a name that was written before it was struck (WA-65, WA-76, WA-81)."""
    insist(owed.sequence is None or owed.sequence[0] == owed.chapter)
    for_die, number = owed.struck_sequence, owed.struck_round
    insist(number is None or 1 <= number <= LAST_ROUND, _("no sequence has a fourth round"))
    chapter = for_die[0] if for_die else owed.struck_chapter
    is_so = chapter is None or owed.chapter is None or owed.chapter <= chapter
    insist(is_so, _("a name is written before it is struck"))
