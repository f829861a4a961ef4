"""Characters who come back: whom the owe list brings, their dice, and how that is taken back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from campaigns.models import Campaign, Chapter, Character, Member, Owed, Part
from campaigns.services.choices import CHOICE
from campaigns.services.naming import called
from campaigns.services.people import players_here
from campaigns.services.sheets import sheet_value
from campaigns.services.strengths import give_up_what_was_taken, take_up_again
from games.asked import Asked
from games.errors import MovedOn
from games.models import rows
from games.rules.wicked_age import growth, owe
from games.services.change import Change
from games.services.ledger import drop, keep

Struck = Owed.Struck

_STANDING = Asked(
    lambda campaign: Owed.objects.filter(campaign=campaign, struck=Struck.NOT).select_related(
        "character__owner__seat"
    )
)


def standing(campaign: Campaign) -> list[Owed]:
    """Return the occurrences on the owe list that are not struck, in its order (WA-81)."""
    return rows.belonging(_STANDING(campaign.pk), campaign=campaign)


def top_of(campaign: Campaign, declined: Iterable[int] = ()) -> Owed | None:
    """Return the occurrence that counts for the next chapter, or None (WA-85, WA-87, WA-105).

    `declined` are the places on the list whose player does not want them now.
    """
    owed = standing(campaign)
    entries = [owe.Owed(row.order, row.character.ref, _player_of(row.character)) for row in owed]
    present = {str(one.number) for one in players_here(campaign)}
    found = owe.top(entries, present, set(declined))
    return next((row for row in owed if found and row.order == found.id), None)


def _player_of(character: Character) -> str | None:
    owner = character.owner
    return None if owner is None or owner.has_left else str(owner.number)


def bring_in(
    change: Change, chapter: Chapter, one: Character, member: Member | None, as_what: str = ""
) -> Part:
    """Put a former character into the chapter, with her free dice (WA-90, WA-99).

    Until she is played `before` is the sheet and the state that she came with, so
    that she can be sent back again; a PC has a choice to make.
    """
    to_choose: dict[str, Any] = {CHOICE: {}} if one.is_pc else {}
    part = Part(
        chapter=chapter,
        character=one,
        member=member,
        is_returning=True,
        came_back_as=as_what,
        before=sheet_value(one) | to_choose,
    )
    keep(change, part)
    one.forms = dice_on_return(one, one.forms)
    was_dead, one.state = one.state == Character.State.DEAD, Character.State.ACTIVE
    keep(change, one)
    if was_dead:
        give_up_what_was_taken(change, one)
    return part


def dice_on_return(one: Character, forms: Mapping[str, Any]) -> dict[str, Any]:
    """Return a sheet's forms as they are before the come-back choice (WA-99).

    `forms` are those she came with: a PC's zeros become d4, or all is mended
    where that is free; an NPC's dice are whole (WA-90).
    """
    if not one.is_pc:
        return {form: {**pair, "current": pair["base"]} for form, pair in forms.items()}
    dice = {form: growth.FormDie(**pair) for form, pair in forms.items()}
    is_free = one.campaign.settings.mending_is_free
    back = growth.start_of_chapter(dice, mending_is_free=is_free)
    return {form: msgspec.to_builtins(die) for form, die in back.items()}


def mend_who_came_back(change: Change, chapter: Chapter) -> None:
    """Give the PCs who have come back the dice that they have by how mending is now (WA-99).

    Where it is free they are whole. Where it is not any more, those that it alone has made whole
    are worn again; what a choice or the GM has changed since stays.
    """
    for part in chapter.parts.filter(is_returning=True, character__kind=Character.Kind.PC):
        one = part.character
        came_with = part.before["forms"]
        is_mended_free = one.forms == {f: {**p, "current": p["base"]} for f, p in came_with.items()}
        if one.campaign.settings.mending_is_free:
            one.forms = dice_on_return(one, one.forms)
        elif is_mended_free and part.come_back != Part.ComeBack.MEND:
            one.forms = dice_on_return(one, came_with)
        keep(change, one)


def send_back(change: Change, part: Part) -> None:
    """Take a former character out of a chapter that has not begun, as if she had not come.

    A name that was struck for it stands again. Raises MovedOn when she has made
    her come-back choice: that is taken back first.
    """
    one = part.character
    if part.come_back:
        text = _("%(name)s has made the choice on coming back. Take that back first.")
        raise MovedOn(text % {"name": called(one)})
    for row in one.owed.filter(struck=Struck.CHAPTER, struck_chapter=part.chapter_id):
        row.struck, row.struck_chapter = Struck.NOT, None
        keep(change, row)
    one.forms, one.state = part.before["forms"], part.before["state"]
    keep(change, one)
    if one.state == Character.State.DEAD:
        take_up_again(change, one, part.before["strengths"])
    for line in part.chapter.cast_lines.filter(character=one):
        line.character = None
        keep(change, line)
    for interest in part.chapter.interests.filter(character=one):
        drop(change, interest)
    untag(change, part.chapter, one)
    drop(change, part)


def untag(change: Change, chapter: Chapter, one: Character) -> None:
    """Take somebody who is no longer in the chapter off all interests that name them (WA-35).

    Their number may become another's later, and a file that names nobody could not be read back.
    """
    for interest in chapter.interests.exclude(character=one):
        if one.number in interest.targets:
            interest.targets = [number for number in interest.targets if number != one.number]
            keep(change, interest)


def strike(change: Change, row: Owed, chapter: Chapter) -> None:
    """Strike one occurrence for a chapter (WA-85, WA-88)."""
    row.struck, row.struck_chapter = Struck.CHAPTER, chapter
    keep(change, row)
