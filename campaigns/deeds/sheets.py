"""Sheets: names, descriptions, dice, and what became of somebody (WA-12 to WA-17, WA-69)."""

from __future__ import annotations

from collections import Counter

from django.utils.translation import gettext as _

from campaigns import actions
from campaigns.models import NAME, STORY, Character, Part
from campaigns.services.finding import character_named
from campaigns.services.making import (
    has_dice_down,
    is_in_the_making,
    npc_forms,
    part_under_way,
)
from campaigns.services.naming import about, called, check_name, said_of
from campaigns.services.sheets import is_out_by_dice
from campaigns.services.steps import is_played
from campaigns.services.strengths import give_up_what_was_taken
from campaigns.services.telling import narrate, tell_anew, told_of
from games.errors import Forbidden, Malformed, MovedOn
from games.rules.wicked_age.forms import (
    NPC_FORMS,
    PC_DICE,
    PC_FORMS,
    SIZES,
    larger_first,
    pc_fault,
)
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.host import is_gm
from games.services.ledger import keep
from games.services.meanwhile import written
from games.services.refusing import so_already
from games.text import clean_line, clean_prose

State = Character.State


# --- what is written (WA-12, WA-13, WA-15) -------------------------------------------------------
@deed(actions.WriteSheet, may="seat")
def write_sheet(change: Change, action: actions.WriteSheet, tap: Tap) -> None:
    """Write a PC's sheet. Words left empty stay as they are, like dice of 0."""
    one = _pc(change, action.character)
    before = one.name
    wanted = {form: die for form in PC_FORMS if (die := getattr(action, form))}
    is_laid = ",".join(map(str, wanted.values())) != action.was_dice and _lay_dice(one, wanted)
    _write_words(change, one, action)
    keep(change, one)
    if is_laid:
        change.log("dice_laid", **about(one), dice=one.dice("base"))
    if not is_laid or one.name != before:
        change.log("sheet_written", **about(one), before=before)


def _pc(change: Change, key: int) -> Character:
    one = character_named(change, key)
    if not one.is_pc:
        raise MovedOn(_("That is one of the GM's characters."))
    return one


def _write_words(
    change: Change, one: Character, action: actions.WriteSheet | actions.WriteNpc
) -> None:
    name = clean_line(action.name, field="name", longest=NAME)
    # Nothing at all is no other word: what stands there stays.
    new = written("name", name or one.name, one.name, was=action.was_name)
    part = part_under_way(one)
    if part is not None and new != one.name:
        check_name(part.chapter, new, one)
        for moment in told_of(part.chapter, one):
            tell_anew(change, moment, name=new)
    one.name = new
    text = clean_prose(action.description, longest=STORY, field="description")
    now, was = one.description, action.was_description
    one.description = written("description", text or now, now, was=was)


def _lay_dice(one: Character, wanted: dict[str, int]) -> bool:
    """Give each form its die (WA-13), and tell whether any has changed.

    Raises MovedOn when the dice are laid out for good, Malformed when they are
    not the six that there are.
    """
    made = one.dice("base")
    new = {**made, **wanted}
    changed = [form for form in PC_FORMS if new[form] != made[form]]
    if not changed:
        return False
    _check_may_lay(one, changed[0])
    if pc_fault(new):
        raise _wrong_dice(new, changed)
    one.forms = {
        form: {"base": new[form], "current": new[form]} if form in changed else pair
        for form, pair in one.forms.items()
    }
    return True


def _check_may_lay(one: Character, field: str) -> None:
    part = part_under_way(one)
    if part is None or part.is_returning or not is_in_the_making(part):
        text = _("The six dice are laid out once, before %(name)s's first chapter begins.")
        raise MovedOn(said_of(one, text), field=field)


def _wrong_dice(new: dict[str, int], changed: list[str]) -> Malformed:
    """Name the die of which there are too many, and a form that asks for it (WA-13)."""
    there = Counter(PC_DICE)
    die = max((Counter(new.values()) - there).elements())
    field = next((form for form in reversed(changed) if new[form] == die), changed[0])
    text = {
        0: _("There is no d%(die)s among the six: they are d12, d10, d8, d6, d6 and d4."),
        1: _("Two forms can't both have the d%(die)s."),
    }.get(there[die], _("Only two forms can have a d%(die)s."))
    return Malformed(text % {"die": die}, field=field)


@deed(actions.SwapForms, may="seat")
def swap_forms(change: Change, action: actions.SwapForms, tap: Tap) -> None:
    """Let two forms change their dice (WA-13)."""
    one = _pc(change, action.character)
    if action.which_form == action.other:
        raise Malformed(_("Choose two different forms."), field="other")
    _check_may_lay(one, "which_form")
    dice = one.forms
    one.forms = {
        **dice,
        action.which_form: dice[action.other],
        action.other: dice[action.which_form],
    }
    keep(change, one)
    change.log("dice_laid", **about(one), dice=one.dice("base"))


@deed(actions.WriteNpc)
def write_npc(change: Change, action: actions.WriteNpc, tap: Tap) -> None:
    """Write an NPC's sheet; words and forms left empty stay as they are."""
    one = character_named(change, action.character)
    if one.is_pc:
        raise MovedOn(_("%(name)s is a player's character.") % {"name": called(one)})
    before = one.name
    if action.best or action.second:
        _lay_pairs(one, action.best, action.second)
    _write_words(change, one, action)
    keep(change, one)
    change.log("sheet_written", **about(one), before=before)


def _lay_pairs(one: Character, best: str, second: str) -> None:
    """Give each form its pair (WA-15); what is not said keeps its place as far as it can."""
    made = one.dice("base")
    order = sorted(NPC_FORMS, key=lambda form: sorted(made[form], reverse=True), reverse=True)
    best = best or next(form for form in order if form != second)
    second = second or next(form for form in order if form != best)
    new = npc_forms(best, second)
    if {form: pair["base"] for form, pair in new.items()} == made:
        return
    part = part_under_way(one)
    if part is None or part.is_returning or one.dice() != made or has_dice_down(one):
        text = _("%(name)s's dice have been in use: set them right one by one.")
        raise MovedOn(said_of(one, text), field="best")
    one.forms = new


# --- corrections, and what became of somebody ----------------------------------------------------
@deed(actions.CorrectDie)
def correct_die(change: Change, action: actions.CorrectDie, tap: Tap) -> None:
    """Set a die right (WA-111). Whether she is out of the chapter follows from it (WA-69)."""
    one = character_named(change, action.character)
    if action.which_form not in one.forms or (one.is_pc and action.which):
        raise Malformed(_("There is no such die on this sheet."), field="which_form")
    pair = one.forms[action.which_form]
    base, current = larger_first(pair["base"]), larger_first(pair["current"])
    before = (base[action.which], current[action.which])
    after = (before[0] if action.base is None else action.base, action.current)
    _check_sizes(*after)
    if after == before:
        raise MovedOn(_("That die has that size already."))
    base[action.which], current[action.which] = after
    base, current = larger_first(base), larger_first(current)
    one.forms = {
        **one.forms,
        action.which_form: {
            "base": base[0] if one.is_pc else base,
            "current": current[0] if one.is_pc else current,
        },
    }
    was, part = one.state, part_under_way(one)
    _settle_out(one, part)
    keep(change, one)
    change.log(
        "die_corrected",
        **about(one),
        form=action.which_form,
        before=before[1],
        after=after[1],
        base=base,
    )
    if part is not None and one.state != was:
        narrate(
            change, part.chapter, "character_marked", **about(one), state=str(one.state), lost=[]
        )


def _check_sizes(base: int, current: int) -> None:
    for field, die in (("base", base), ("current", current)):
        if die not in SIZES:
            raise Malformed(_("There is no d%(die)s.") % {"die": die}, field=field)
    if not base:
        raise Malformed(_("A sheet is made with dice of at least d4."), field="base")
    if current > base:
        text = _("That form was made with a d%(die)s: set that right too.")
        raise Malformed(text % {"die": base}, field="current")


def _settle_out(one: Character, part: Part | None) -> None:
    """Let her be out, or not any more, by what her dice say now (WA-69)."""
    if part is None or not is_played(part.chapter):
        return
    if one.state in Character.IN_PLAY and is_out_by_dice(one):
        one.state = State.OUT
    elif one.state == State.OUT and not is_out_by_dice(one):
        one.state = State.ACTIVE


@deed(actions.MarkCharacter, may="seat")
def mark_character(change: Change, action: actions.MarkCharacter, tap: Tap) -> None:
    """Say that somebody is dead, captive, gone away, or in play again.

    Out by dice she is only by dice; the GM may say so beside. One who was dead
    and is not loses the unique strengths that another took up since (WA-25).
    """
    one = character_named(change, action.character)
    part = part_under_way(one)
    if one.state == action.state:
        raise so_already()
    if action.state == State.OUT.value and not is_gm(change):
        raise Forbidden(_("Dice put somebody out of a chapter, or the GM does."))
    if has_dice_down(one):
        text = _("%(name)s has dice on the table. Play them to their end first.")
        raise MovedOn(text % {"name": called(one)})
    is_begun = part is not None and is_played(part.chapter)
    stays = action.state in Character.IN_PLAY
    if stays and is_begun and is_out_by_dice(one):
        text = _("Two of %(name)s's dice are at 0. That means out for this chapter.")
        raise MovedOn(said_of(one, text))
    was_dead, one.state = one.state == State.DEAD, action.state
    keep(change, one)
    lost = give_up_what_was_taken(change, one) if was_dead else []
    told = {**about(one), "state": str(action.state), "lost": lost}
    if part is not None and is_begun:
        narrate(change, part.chapter, "character_marked", **told)
    else:
        change.log("character_marked", **told)
