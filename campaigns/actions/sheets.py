"""Sheets, particular strengths, and what a returning character chooses (WA-12 to WA-29, WA-97).

None of them has a field of the name `form`: in a page it would hide what a form's own
fields are asked for, and htmx would send nothing.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from campaigns.actions.kinds import (
    AnyLine,
    AnyName,
    CampaignAction,
    Die,
    Form,
    Key,
    Name,
    NpcForm,
    Option,
    PcForm,
    Story,
)
from games.actions import Mark, RowKey


class WriteSheet(CampaignAction, frozen=True, tag="write_sheet"):
    """Write a player character's sheet: name, description, and the six dice (WA-12, WA-13).

    A die of 0 means that this form keeps the one it has; the dice are only
    looked at in the setup of her first chapter. `was_…` say what the form was
    given: what is still so was not written by whoever sends it.
    """

    character: RowKey
    name: AnyName = ""
    description: Story = ""
    covertly: Die = 0
    directly: Die = 0
    for_myself: Die = 0
    for_others: Die = 0
    with_love: Die = 0
    with_violence: Die = 0
    was_name: Mark = ""
    was_description: Mark = ""
    was_dice: Annotated[str, Meta(max_length=20)] = ""


class SwapForms(CampaignAction, frozen=True, tag="swap_forms"):
    """Put a die on a form; the form that had it gets the other one (WA-13)."""

    character: RowKey
    which_form: PcForm
    other: PcForm


class WriteNpc(CampaignAction, frozen=True, tag="write_npc"):
    """Write an NPC's sheet: name, description, which form is best and which second (WA-15)."""

    character: RowKey
    name: AnyName = ""
    description: Story = ""
    best: NpcForm | Literal[""] = ""
    second: NpcForm | Literal[""] = ""
    was_name: Mark = ""
    was_description: Mark = ""


class NewStrength(CampaignAction, frozen=True, tag="new_strength"):
    """Write a particular strength of significance 1 onto a sheet (WA-19, WA-21)."""

    character: RowKey
    name: Name
    pc_form: PcForm
    npc_form: NpcForm
    option: Option
    description: Story = ""
    effects: Story = ""
    broad_form: PcForm | Literal[""] = ""
    hits_pc: PcForm | Literal[""] = ""
    hits_npc: NpcForm | Literal[""] = ""


class TakeStrength(CampaignAction, frozen=True, tag="take_strength"):
    """Take an existing strength onto a sheet, at significance 1 (WA-14, WA-25, WA-103)."""

    character: RowKey
    strength: RowKey


class DropStrength(CampaignAction, frozen=True, tag="drop_strength"):
    """Take a strength off a sheet in the making; in play the GM's correction."""

    holding: RowKey


class ComeBack(CampaignAction, frozen=True, tag="come_back"):
    """A returning character's one choice: mend, more significance (WA-101), or grow (WA-98).

    A new strength is chosen by `new_strength` or `take_strength`.
    """

    character: RowKey
    choice: Literal["mend", "more", "grow"]
    which_form: PcForm | Literal[""] = ""
    holding: Key = 0
    option: Option | Literal[""] = ""
    broad_form: PcForm | Literal[""] = ""
    hits_pc: PcForm | Literal[""] = ""
    hits_npc: NpcForm | Literal[""] = ""
    note: AnyLine = ""


class TakeBackChoice(CampaignAction, frozen=True, tag="take_back_choice"):
    """Choose otherwise: the come-back choice is undone while the chapter is set up."""

    character: RowKey


class CorrectDie(CampaignAction, frozen=True, tag="correct_die"):
    """The GM sets a die right, logged (WA-111). `which` is 0 or, for an NPC's other die, 1."""

    character: RowKey
    which_form: Form
    current: Die
    base: Die | None = None
    which: Annotated[int, Meta(ge=0, le=1)] = 0


class MarkCharacter(CampaignAction, frozen=True, tag="mark_character"):
    """Say what became of somebody: dead, captive, absent, or in play again (WA-25, WA-69)."""

    character: RowKey
    state: Literal["active", "out", "dead", "captive", "absent"]
