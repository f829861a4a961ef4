"""Particular strengths: significance, options, who may have one (WA-19 to 26, WA-101 to 106)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec
from msgspec.structs import replace

from games.rules.wicked_age.forms import NPC_FORMS, PC_FORMS
from games.rules.words import Reason, _

HIGHEST_SIGNIFICANCE: Final = 4
"""No strength has more options than this (WA-102)."""


class Option(StrEnum):
    """What a point of significance buys (WA-21)."""

    POTENT = "potent"
    BROAD = "broad"
    CONSEQUENTIAL = "consequential"
    UNIQUE = "unique"
    FAR_REACHING = "far_reaching"
    DOUBLY_POTENT = "doubly_potent"


class Version(msgspec.Struct, frozen=True):
    """The options that one copy of a strength has, and the forms they name (WA-29).

    `broad_form` is a broad strength's second PC form; `hits_pc` and `hits_npc` are the
    forms in which the loser to a consequential one loses a size (WA-24).
    """

    options: tuple[Option, ...]
    broad_form: str = ""
    hits_pc: str = ""
    hits_npc: str = ""


class Strength(msgspec.Struct, frozen=True):
    """A strength as it is written, with the version that is looked at."""

    name: str
    pc_form: str
    npc_form: str
    version: Version


def significance(version: Version) -> int:
    """Return the number of options chosen (WA-21)."""
    return len(version.options)


def die_of(version: Version) -> int:
    """Return the size of the strength's die (WA-22).

    >>> die_of(Version((Option.POTENT,)))
    10
    """
    if Option.DOUBLY_POTENT in version.options:
        return 12
    return 10 if Option.POTENT in version.options else 8


def forms_of(strength: Strength) -> tuple[str, ...]:
    """Return the PC forms in which a copy works: one, or two when it is broad (WA-20, WA-21)."""
    if Option.BROAD in strength.version.options:
        return (strength.pc_form, strength.version.broad_form)
    return (strength.pc_form,)


def tidied(version: Version) -> Version:
    """Return the version without forms that its options do not ask for (WA-21, WA-24)."""
    is_consequential = Option.CONSEQUENTIAL in version.options
    return replace(
        version,
        broad_form=version.broad_form if Option.BROAD in version.options else "",
        hits_pc=version.hits_pc if is_consequential else "",
        hits_npc=version.hits_npc if is_consequential else "",
    )


def fault_of(strength: Strength) -> Reason | None:
    """Return why nobody can have such a strength, or None (WA-19 to 24, WA-102)."""
    if not strength.name.strip():
        return Reason(_("a strength needs a name"), "WA-19")
    if strength.pc_form not in PC_FORMS or strength.npc_form not in NPC_FORMS:
        return Reason(_("a strength works in one PC form and one NPC form"), "WA-19")
    return fault_of_options(strength.version) or _fault_of_named_forms(
        strength.version, strength.pc_form
    )


def fault_of_new(strength: Strength) -> Reason | None:
    """Return why this cannot be a new strength, or None: it has exactly one option (WA-21)."""
    options = strength.version.options
    if Option.DOUBLY_POTENT in options:
        return Reason(_("a strength is potent before it is doubly potent"), "WA-22")
    if len(options) != 1:
        return Reason(_("a new strength has exactly one option"), "WA-21")
    return fault_of(strength)


def options_left(version: Version) -> tuple[Option, ...]:
    """Return the options that more significance may bring (WA-101, WA-102)."""
    if significance(version) >= HIGHEST_SIGNIFICANCE:
        return ()
    return tuple(
        option
        for option in Option
        if option not in version.options
        and (option is not Option.DOUBLY_POTENT or Option.POTENT in version.options)
    )


def raised(
    version: Version, option: Option, broad_form: str = "", hits_pc: str = "", hits_npc: str = ""
) -> Version:
    """Return the version with one more option and the forms it names (WA-101)."""
    return tidied(
        Version(
            (*version.options, option),
            broad_form or version.broad_form,
            hits_pc or version.hits_pc,
            hits_npc or version.hits_npc,
        )
    )


def fault_of_raise(
    version: Version,
    option: Option,
    pc_form: str,
    *,
    broad_form: str = "",
    hits_pc: str = "",
    hits_npc: str = "",
    other_holders: int = 0,
) -> Reason | None:
    """Return why the copy cannot take this option, or None (WA-101, WA-102, WA-106).

    `pc_form` is the strength's own PC form; `other_holders` counts the other living
    characters who have the strength, anywhere in the campaign.
    """
    if significance(version) >= HIGHEST_SIGNIFICANCE:
        return Reason(_("no strength has more than four options"), "WA-102")
    if option is Option.UNIQUE and other_holders:
        return Reason(_("somebody else has this strength: it cannot be unique"), "WA-106")
    after = raised(version, option, broad_form, hits_pc, hits_npc)
    return fault_of_options(after) or _fault_of_named_forms(after, pc_form)


def fault_of_taking(*, is_unique: bool, living_holders: int) -> Reason | None:
    """Return why nobody else may take this strength, or None (WA-25).

    `living_holders` counts all in the campaign, NPCs and absent PCs among them.
    """
    if is_unique and living_holders:
        return Reason(_("this strength is unique, and somebody has it"), "WA-25")
    return None


def fault_of_options(version: Version) -> Reason | None:
    """Return why no copy can have these options, whatever they name, or None (WA-21 to 23)."""
    options = version.options
    if not options:
        return Reason(_("a strength has at least one option"), "WA-21")
    if len(set(options)) != len(options):
        return Reason(_("every option is taken once"), "WA-23")
    if Option.DOUBLY_POTENT in options and Option.POTENT not in options:
        return Reason(_("a strength is potent before it is doubly potent"), "WA-22")
    if len(options) > HIGHEST_SIGNIFICANCE:
        return Reason(_("no strength has more than four options"), "WA-102")
    return None


def _fault_of_named_forms(version: Version, pc_form: str) -> Reason | None:
    if Option.BROAD in version.options:
        if version.broad_form not in PC_FORMS:
            return Reason(_("a broad strength names a second PC form"), "WA-21")
        if version.broad_form == pc_form:
            return Reason(_("the second form differs from the first"), "WA-23")
    if Option.CONSEQUENTIAL in version.options and (
        version.hits_pc not in PC_FORMS or version.hits_npc not in NPC_FORMS
    ):
        return Reason(_("a consequential strength names one PC form and one NPC form"), "WA-21")
    return None
