"""A sheet in the making: until when it may be written, and what has come of it (WA-12 to WA-18)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaigns.models import Character, Part, Sequence
from campaigns.models.chapter import Chapter
from campaigns.services.naming import called
from campaigns.services.steps import has_begun
from games.bouts import state_of
from games.errors import Malformed, MovedOn
from games.rules import wicked_sequence as ws
from games.rules.engine import IllegalAction
from games.rules.wicked_age.forms import npc_dice
from games.services.refusing import reason_of


def part_under_way(one: Character) -> Part | None:
    """Return a character's part in the chapter that is set up or played now, if she has one."""
    parts = one.parts.exclude(chapter__step=Chapter.Step.OVER)
    return parts.select_related("chapter__campaign", "member").first()


def is_in_the_making(part: Part | None) -> bool:
    """Tell whether a sheet belongs to a chapter that has never got to play."""
    return part is not None and part.chapter.is_setting_up and not has_begun(part.chapter)


def check_in_chapter(one: Character) -> Part:
    """Return a character's part in the chapter under way. Raises MovedOn without one."""
    part = part_under_way(one)
    if part is None:
        text = _("%(name)s is not in this chapter.")
        raise MovedOn(text % {"name": called(one)})
    return part


def part_that_may(one: Character) -> Part:
    """Return the part of one onto whose sheet a strength may come now, or raise MovedOn.

    A new PC has one at most, chosen before her first chapter (WA-14); a new NPC
    too, at any time (WA-18); a returning PC has one as her come-back choice
    (WA-98 b), and a returning NPC earns nothing (WA-104).
    """
    part, text = check_in_chapter(one), ""
    if part.is_returning and not one.is_pc:
        text = _("The GM's characters gain nothing by coming back.")
    elif (one.is_pc and not is_in_the_making(part)) or part.chapter.step == Chapter.Step.CLOSING:
        text = _("Strengths are chosen before the chapter begins.")
    elif part.is_returning and part.come_back:
        text = _("%(name)s has made the choice on coming back. Take that back first.")
    elif not part.is_returning and one.holdings.exists():
        text = _("%(name)s has a particular strength: one is all that a new character has.")
    if text:
        raise MovedOn(text % {"name": called(one)})
    return part


def may_be_given(one: Character) -> bool:
    """Tell whether a strength may come onto a sheet now."""
    try:
        part_that_may(one)
    except MovedOn:
        return False
    return True


def npc_forms(best: str, second: str = "") -> dict[str, dict[str, list[int]]]:
    """Return an NPC's forms as a sheet keeps them, with whole dice (WA-15).

    Raises Malformed when both are the same.
    """
    try:
        dice = npc_dice(best, second)
    except IllegalAction as refusal:
        raise Malformed(reason_of(refusal), field="second") from refusal
    return {form: {"base": list(pair), "current": list(pair)} for form, pair in dice.items()}


def has_dice_down(one: Character) -> bool:
    """Tell whether she is in an action sequence that is not over, or has yet to pay in one."""
    rows = Sequence.objects.filter(chapter__campaign=one.campaign_id, is_over=False)
    return any(one.ref in busy_in(state_of(row.game)) for row in rows.select_related("game"))


def busy_in(state: ws.State) -> tuple[str, ...]:
    """Return who has dice in a sequence, or has lost in it what is not settled yet."""
    return (*state.inside, state.settlement.loser) if state.settlement else state.inside
