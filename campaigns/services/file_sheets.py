"""Sheets in a campaign's file, held against the rules: dice and strengths (WA-12 to 29, WA-68)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import msgspec

from campaigns.models import Character, Part
from campaigns.services import file_format as ff
from campaigns.services.file_fault import Wrong, at, hold, insist
from campaigns.services.file_known import Known, distinct
from games.rules.engine import learn
from games.rules.wicked_age import strengths
from games.rules.wicked_age.forms import NPC_FORMS, PC_FORMS
from games.rules.wicked_age.strengths import Option, Version
from games.rules.wicked_sequence import refusals
from games.rules.words import _

PC = Character.Kind.PC


class SheetStrength(ff.Value):
    """A strength on a sheet in a chapter's archive."""

    number: ff.Number
    name: str
    options: list[Option]
    die: ff.Die


class ChoiceValue(ff.Value):
    """What a come-back choice changed, as `services.choices` notes it until play begins."""

    forms: dict[str, ff.DiceValue] = {}
    strength: ff.Number | None = None
    version: dict[str, Any] = {}
    note: str = ""


class SheetValue(ff.Value):
    """A sheet in a chapter's archive, as `services.sheets.sheet_value` writes it."""

    forms: dict[str, ff.DiceValue]
    strengths: list[SheetStrength]
    state: str
    choice: ChoiceValue | None = None


learn(SheetValue, Version)


# --- dice ----------------------------------------------------------------------------------------
def check_dice(kind: str, forms: Mapping[str, ff.DiceValue]) -> None:
    """Insist on all forms of this kind of character, and on dice that it can have (WA-13 to 17).

    Which die a form has is the GM's to set right (WA-111), so a PC's need not be the six
    that she began with and what they grew to; but no die is made as nothing, and none
    becomes larger than it was made.
    """
    names: tuple[str, ...]
    names, many, reason = (PC_FORMS, 1, refusals.PC_FORMS)
    if kind != PC:
        names, many, reason = (NPC_FORMS, 2, refusals.NPC_FORMS)
    insist(set(forms) == set(names), reason.why)
    for pair in forms.values():
        base, current = (_dice_of(dice, many, reason.why) for dice in (pair.base, pair.current))
        insist(all(base), _("a sheet is made with dice of at least d4"))
        is_worn = all(now <= made for now, made in zip(current, base, strict=True))
        insist(is_worn, _("no die is larger than it was made"))


def _dice_of(dice: int | list[ff.Die], many: int, why: str) -> list[int]:
    insist(isinstance(dice, list) == (many > 1), why)
    listed = dice if isinstance(dice, list) else [dice]
    insist(len(listed) == many, why)
    return sorted(listed, reverse=True)


# --- strengths -----------------------------------------------------------------------------------
def check_strengths(value: ff.CampaignValue, known: Known) -> None:
    """Insist on strengths as they can be written and held (WA-19 to 25, WA-102, WA-103)."""
    for one in value.strengths:
        with at(_("the strength %(what)s"), one.name):
            hold(strengths.fault_of_new(_written(one, one.version)))
    on_sheet: dict[int, list[ff.HoldingValue]] = defaultdict(list)
    for held in value.holdings:
        with at(_("the strengths of %(what)s"), known.called(held.character)):
            known.strengths(held.strength)
            known.characters(held.character)
            _check_held(held, known)
        if not held.is_lost:
            on_sheet[held.character].append(held)
    for number, sheet in on_sheet.items():
        with at(_("the strengths of %(what)s"), known.called(number)):
            distinct((held.strength for held in sheet), refusals.STRENGTH_TWICE.why)
            is_one = known.character[number].kind == PC or len(sheet) == 1
            insist(is_one, _("an NPC has one particular strength at the most"))
    _check_unique(value, known)


def _written(one: ff.StrengthValue, version: dict[str, Any]) -> strengths.Strength:
    read = msgspec.convert(version, Version)
    _check_named(read)
    return strengths.Strength(one.name, one.pc_form, one.npc_form, read)


def _check_named(version: Version) -> None:
    """Insist on forms that exist, also where no option asks for them."""
    insist({version.broad_form, version.hits_pc} <= {"", *PC_FORMS})
    insist(version.hits_npc in ("", *NPC_FORMS))


def _check_held(held: ff.HoldingValue, known: Known) -> None:
    """Insist that a copy has grown out of what was written, and an NPC's not at all."""
    row = known.strength[held.strength]
    copy, first = _written(row, held.version), _written(row, row.version)
    hold(strengths.fault_of(copy))
    had = first.version.options
    insist(copy.version.options[: len(had)] == had, _("a copy keeps what the strength began with"))
    is_new = len(copy.version.options) == len(had)
    is_pc = known.character[held.character].kind == PC
    insist(is_pc or is_new, _("an NPC's copy of a strength does not grow"))


def _check_unique(value: ff.CampaignValue, known: Known) -> None:
    """Insist that what is unique is on one sheet of somebody who lives (WA-25, WA-106)."""
    living: dict[int, list[ff.HoldingValue]] = defaultdict(list)
    for held in value.holdings:
        if not held.is_lost and known.character[held.character].state != Character.State.DEAD:
            living[held.strength].append(held)
    for number, copies in living.items():
        row = known.strength[number]
        versions = [row.version, *(held.version for held in copies)]
        is_unique = any(Option.UNIQUE in msgspec.convert(v, Version).options for v in versions)
        with at(_("the strength %(what)s"), row.name):
            others = len(copies) - 1
            hold(strengths.fault_of_taking(is_unique=is_unique, living_holders=others))


# --- sheets in a chapter's archive ---------------------------------------------------------------
def check_archived(part: ff.PartValue, kind: str, known: Known) -> None:
    """Insist on sheets that were one's own before and after a chapter (WA-83)."""
    for sheet in filter(None, (part.before, part.after)):
        read = msgspec.convert(sheet, SheetValue)
        check_dice(kind, read.forms)
        insist(read.state in Character.State.values)
        distinct((one.number for one in read.strengths), refusals.STRENGTH_TWICE.why)
        for one in read.strengths:
            version = Version(tuple(one.options))
            hold(strengths.fault_of_options(version))
            insist(
                one.die == strengths.die_of(version), _("a strength's die is what its options say")
            )
        if read.choice is not None:
            _check_choice(part, read.choice, kind, known)


def _check_choice(part: ff.PartValue, choice: ChoiceValue, kind: str, known: Known) -> None:
    """Insist on what taking the choice back needs (WA-98)."""
    known.strengths(choice.strength)
    if choice.forms:
        check_dice(kind, choice.forms)
    if part.come_back in (Part.ComeBack.MORE, Part.ComeBack.STRENGTH) and choice.strength is None:
        raise Wrong
    if part.come_back == Part.ComeBack.MORE:
        row = known.strength[choice.strength or 0]
        hold(strengths.fault_of(_written(row, choice.version)))
