"""Particular strengths: rows as the rules' values, and who has one (WA-19 to 29, WA-106)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from campaigns.models import Character, Holding, Strength
from campaigns.services.naming import called
from games.errors import Malformed, MovedOn
from games.rules.wicked_age import strengths
from games.rules.wicked_age.strengths import Option, Version
from games.rules.words import Reason
from games.services.change import Change
from games.services.ledger import drop, keep, lean
from games.services.refusing import reason_of


def version_of(row: Strength | Holding) -> Version:
    """Return what a strength, or a copy of it, can do, as the rules' own value."""
    return msgspec.convert(row.version, Version)


def as_json(version: Version) -> dict[str, Any]:
    """Return a version as a row keeps it."""
    plain: dict[str, Any] = msgspec.to_builtins(version)
    return plain


def other_holders(strength: Strength, but: Character) -> list[Holding]:
    """Return the copies of all others who live, absent ones and NPCs too (WA-25)."""
    rows = strength.holdings.filter(is_lost=False).exclude(character=but)
    living = rows.exclude(character__state=Character.State.DEAD)
    return list(living.select_related("character__owner"))


def is_unique(strength: Strength, copies: list[Holding]) -> bool:
    """Tell whether only one may have it: as it is written, or by what a copy became (WA-106)."""
    versions = [version_of(strength), *map(version_of, copies)]
    return any(Option.UNIQUE in version.options for version in versions)


def lean_on_holders(change: Change, strength: Strength, one: Character) -> None:
    """Note that this one has a strength because no other holder keeps her from it (WA-25).

    The others are dead, have lost it, or their copy is not unique any more. An undo that changes
    that for one of them then takes the strength from this one as well.
    """
    lean(change, strength, "number")
    for held in strength.holdings.exclude(character=one).select_related("character"):
        lean(change, held, "is_lost", "version")
        lean(change, held.character, "state")


def check_is_free(strength: Strength, one: Character) -> None:
    """Raise MovedOn when somebody may not take this strength: she or another has it (WA-25)."""
    if one.holdings.filter(strength=strength, is_lost=False).exists():
        text = _("%(name)s has that strength already.")
        raise MovedOn(text % {"name": called(one)}, field="strength")
    others = other_holders(strength, one)
    if strengths.fault_of_taking(is_unique=is_unique(strength, others), living_holders=len(others)):
        text = _("%(strength)s is unique, and %(name)s has it.")
        told = {"strength": strength.name, "name": called(others[0].character)}
        raise MovedOn(text % told, field="strength")


def free_for(one: Character, some: Iterable[Strength]) -> list[Strength]:
    """Return those of some strengths that somebody may take (WA-25), asked for at once."""
    some = list(some)
    others: dict[int, list[Holding]] = defaultdict(list)
    copies = Holding.objects.filter(strength__in=some, is_lost=False).select_related("character")
    own = set()
    for held in copies:
        if held.character_id == one.pk:
            own.add(held.strength_id)
        elif held.character.state != Character.State.DEAD:
            others[held.strength_id].append(held)
    return [
        row
        for row in some
        if row.pk not in own
        and not strengths.fault_of_taking(
            is_unique=is_unique(row, others[row.pk]), living_holders=len(others[row.pk])
        )
    ]


def shared_by(one: Character) -> set[int]:
    """Return the keys of the strengths on a sheet that another who lives has as well (WA-106)."""
    rows = Holding.objects.filter(strength__holdings__character=one, is_lost=False)
    living = rows.exclude(character=one).exclude(character__state=Character.State.DEAD)
    return set(living.values_list("strength_id", flat=True))


def take_off(change: Change, held: Holding) -> None:
    """Take a copy off a sheet; a strength that is on no sheet and never was goes with it."""
    row = held.strength
    lean(change, row, "number")
    drop(change, held)
    if not row.holdings.exists():
        drop(change, row)


def give_up_what_was_taken(change: Change, one: Character) -> list[str]:
    """Let one who was dead lose the unique strengths that somebody took up since (WA-25).

    Returns their names.
    """
    lost = []
    for held in one.holdings.filter(is_lost=False).select_related("strength"):
        others = other_holders(held.strength, one)
        if others and is_unique(held.strength, [held, *others]):
            held.is_lost = True
            keep(change, held)
            lost.append(held.strength.name)
    return lost


def take_up_again(change: Change, one: Character, before: list[dict[str, Any]]) -> None:
    """Give back to one who is dead again what coming back had cost her; `before` as on a sheet."""
    numbers = {strength["number"] for strength in before}
    has = one.holdings.filter(is_lost=False).values_list("strength__number", flat=True)
    missing = numbers.difference(has)
    # Of a strength that she had lost before as well it is the last copy that she came with.
    for held in one.holdings.filter(is_lost=True).select_related("strength").order_by("-pk"):
        if held.strength.number in missing:
            missing.remove(held.strength.number)
            held.is_lost = False
            keep(change, held)


def refused_strength(fault: Reason, option: str, hits_pc: str) -> Malformed:
    """Return why a strength cannot be so, in words, with the field to mend.

    `option` is the one that is chosen, `hits_pc` the PC form that a
    consequential one names.
    """
    named = {
        Option.BROAD: "broad_form",
        Option.CONSEQUENTIAL: "hits_npc" if hits_pc else "hits_pc",
    }
    is_about_forms = fault.rule in {"WA-21", "WA-23"}
    field = named.get(Option(option), "option") if is_about_forms else "option"
    return Malformed(reason_of(fault), field=field)
