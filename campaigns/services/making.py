"""A sheet in the making: until when it may be written, and what has come of it (WA-12 to WA-18)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaigns.models import LATE, Chapter, Character, Member, Part, Sequence
from campaigns.services import choices
from campaigns.services.naming import called, in_log
from campaigns.services.sheets import sheet_value
from campaigns.services.steps import has_begun
from campaigns.services.telling import narrate
from games.asked import Asked
from games.errors import Malformed, MovedOn
from games.models import rows
from games.rules import wicked_sequence as ws
from games.rules.engine import IllegalAction
from games.rules.wicked_age.forms import npc_dice
from games.rules.wicked_age.hints import MOST_PLAYERS
from games.services.change import Change
from games.services.ledger import keep
from games.services.refusing import reason_of
from games.stored import state_of

_UNDER_WAY = Asked(
    lambda character: (
        Part.objects.filter(character=character)
        .exclude(chapter__step=Chapter.Step.OVER)
        .select_related("chapter__campaign", "member")
    )
)


def part_under_way(one: Character) -> Part | None:
    """Return a character's part in the chapter that is set up or played now, if she has one."""
    found = _UNDER_WAY(one.pk)
    return next(iter(rows.belonging(found, character=one)), None)


def is_in_the_making(part: Part | None) -> bool:
    """Tell whether a sheet's chapter has never got to play, or she herself has not in it."""
    if part is None:
        return False
    if has_begun(part.chapter):
        return part.chapter.step in LATE and joins_late(part)
    return part.chapter.is_setting_up


def joins_late(part: Part) -> bool:
    """Tell of a part in a chapter that is played whether her player has yet to say she is ready.

    Only then does it hold what her sheet was when she came into play.
    """
    if part.is_returning:
        return choices.CHOICE in part.before
    return part.character.is_pc and not part.before


def come_into_play(change: Change, part: Part) -> None:
    """Let what the part held `before` be from now on the sheet with which she was first played."""
    part.before = sheet_value(part.character)
    keep(change, part)


def tell_who_joins(change: Change, part: Part) -> None:
    """Tell that somebody has come into a chapter that was being played already."""
    narrate(
        change,
        part.chapter,
        "pc_joined",
        name=in_log(part.character),
        by=part.member.name if part.member else "",
        is_returning=part.is_returning,
    )


def check_may_join(chapter: Chapter, one: Member) -> None:
    """Raise MovedOn for a player who cannot take anybody up once the choosing is over (WA-11)."""
    parts = chapter.parts.exclude(member=None)
    if parts.filter(member=one).exists():
        raise MovedOn(_("The choosing is over: who plays whom in this chapter stands."))
    if parts.filter(member__is_gm=False).values("member").distinct().count() >= MOST_PLAYERS:
        raise MovedOn(_("Six play in this chapter already: there is no room for more."))


def check_in_chapter(one: Character) -> Part:
    """Return a character's part in the chapter under way. Raises MovedOn without one."""
    part = part_under_way(one)
    if part is None:
        raise not_in_chapter(one)
    return part


def not_in_chapter(one: Character) -> MovedOn:
    """Return the refusal of what is done to somebody who has no part in the chapter."""
    return MovedOn(_("%(name)s is not in this chapter.") % {"name": called(one)})


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
    going_on = Sequence.objects.filter(chapter__campaign=one.campaign_id, is_over=False)
    return any(one.ref in busy_in(state_of(row.game)) for row in going_on.select_related("game"))


def busy_in(state: ws.State) -> tuple[str, ...]:
    """Return who has dice in a sequence, or has lost in it what is not settled yet."""
    return (*state.inside, state.settlement.loser) if state.settlement else state.inside
