"""What a returning character chooses, once and only one thing (WA-97 to WA-102, WA-106)."""

from __future__ import annotations

from typing import Any

import msgspec
from django.utils.translation import gettext as _

from campaigns import actions
from campaigns.models import LINE, Character, Holding, Part
from campaigns.services import choices
from campaigns.services.finding import character_named, holding_named
from campaigns.services.making import check_in_chapter, is_in_the_making
from campaigns.services.naming import about, called
from campaigns.services.returning import dice_on_return
from campaigns.services.strengths import (
    as_json,
    lean_on_holders,
    other_holders,
    refused_strength,
    take_off,
    version_of,
)
from games.errors import Malformed, MovedOn
from games.rules.wicked_age import growth, strengths
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.ledger import keep
from games.services.refusing import refused
from games.text import clean_line


@deed(actions.ComeBack, may="seat")
def come_back(change: Change, action: actions.ComeBack, tap: Tap) -> None:
    """Mend, grow, or add to a strength (WA-98 a, c, d); a new strength is chosen as such."""
    one = character_named(change, action.character)
    part = _returning(one)
    if part.come_back:
        text = _("%(name)s has made the choice on coming back. Take that back first.")
        raise MovedOn(text % {"name": called(one)})
    {"mend": _mend, "grow": _grow, "more": _add}[action.choice](change, action, part, one)


def _returning(one: Character) -> Part:
    """Return the part of a PC who comes back in a chapter that has not begun, or raise MovedOn.

    Who joins one that was opened again after play has her choice as well: the table waits for it.
    """
    part = check_in_chapter(one)
    if not (part.is_returning and one.is_pc):
        raise MovedOn(_("Only a player's character who comes back has this choice."))
    is_due = part.chapter.is_setting_up and not part.come_back
    if not (is_due or is_in_the_making(part)):
        raise MovedOn(_("The chapter has begun: that choice stands."))
    return part


def _mend(change: Change, action: actions.ComeBack, part: Part, one: Character) -> None:
    forms, is_free = _forms(one), part.chapter.campaign.settings.mending_is_free
    if is_free:
        raise MovedOn(_("In this campaign mending is free. Choose something else."))
    if not growth.is_worn(forms):
        raise MovedOn(_("All the dice are whole: there is nothing to mend."))
    _write(change, part, one, Part.ComeBack.MEND, growth.mend(forms))
    change.log("pc_mended", **about(one))


def _grow(change: Change, action: actions.ComeBack, part: Part, one: Character) -> None:
    forms = _forms(one)
    if not action.which_form:
        raise Malformed(_("Say which form grows."), field="which_form")
    if fault := growth.fault_of_growing(forms, action.which_form):
        raise refused(fault, field="which_form")
    grown = growth.grow(forms, action.which_form)
    _write(change, part, one, Part.ComeBack.GROW, grown)
    die = grown[action.which_form].current
    change.log("form_grown", **about(one), form=action.which_form, die=die)


def _forms(one: Character) -> dict[str, growth.FormDie]:
    return {form: growth.FormDie(**pair) for form, pair in one.forms.items()}


def _write(
    change: Change, part: Part, one: Character, what: Part.ComeBack, forms: growth.Forms
) -> None:
    choices.choose(change, part, what, forms=one.forms)
    one.forms = {form: msgspec.to_builtins(die) for form, die in forms.items()}
    keep(change, one)


def _add(change: Change, action: actions.ComeBack, part: Part, one: Character) -> None:
    held, option = _own(change, action, one), action.option
    if not option:
        raise Malformed(_("Say what more the strength can do."), field="option")
    version, named = version_of(held), _named(action)
    others = other_holders(held.strength, one)
    fault = strengths.fault_of_raise(
        version,
        strengths.Option(option),
        held.strength.pc_form,
        other_holders=len(others),
        **named,
    )
    if fault and fault.rule == "WA-106":
        text = _("%(name)s has this strength too: it cannot be unique.")
        raise MovedOn(text % {"name": called(others[0].character)}, field="option")
    if fault:
        raise refused_strength(fault, option, action.hits_pc)
    if option == strengths.Option.UNIQUE.value:
        lean_on_holders(change, held.strength, one)
    number = held.strength.number
    choices.choose(
        change, part, Part.ComeBack.MORE, strength=number, version=held.version, note=held.note
    )
    held.version = as_json(strengths.raised(version, strengths.Option(option), **named))
    held.note = clean_line(action.note, field="note", longest=LINE) or held.note
    keep(change, held)
    change.log("strength_raised", **about(one), strength=held.strength.name, option=option)


def _own(change: Change, action: actions.ComeBack, one: Character) -> Holding:
    if not action.holding:
        raise Malformed(_("Say which strength."), field="holding")
    held = holding_named(change, action.holding)
    if held.character_id != one.pk:
        raise MovedOn(_("That strength is not on this sheet."), field="holding")
    return held


def _named(action: actions.ComeBack) -> dict[str, Any]:
    """Return the forms that the option names; a form has fields for all of them (WA-101)."""
    if action.option == strengths.Option.BROAD.value:
        return {"broad_form": action.broad_form}
    if action.option == strengths.Option.CONSEQUENTIAL.value:
        return {"hits_pc": action.hits_pc, "hits_npc": action.hits_npc}
    return {}


@deed(actions.TakeBackChoice, may="seat")
def take_back_choice(change: Change, action: actions.TakeBackChoice, tap: Tap) -> None:
    """Set the sheet back to how it was before the choice, while the chapter has not begun."""
    one = character_named(change, action.character)
    part = _returning(one)
    if not part.come_back:
        raise MovedOn(_("%(name)s has made no choice yet.") % {"name": called(one)})
    was = choices.was_before(part)
    if "forms" in was:
        one.forms = dice_on_return(one, was["forms"])
        keep(change, one)
    for held in one.holdings.filter(strength__number=was.get("strength", 0), is_lost=False):
        if part.come_back == Part.ComeBack.STRENGTH:
            take_off(change, held)
        else:
            held.version, held.note = was["version"], was["note"]
            keep(change, held)
    choices.forget(change, part)
    change.log("choice_taken_back", **about(one))
