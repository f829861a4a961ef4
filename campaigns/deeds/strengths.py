"""Particular strengths come onto sheets, and go (WA-14, WA-18 to WA-25, WA-103)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaigns import actions
from campaigns.models import NAME, STORY, Character, Holding, Part, Strength
from campaigns.services import choices
from campaigns.services.finding import campaign_of, character_named, holding_named, strength_named
from campaigns.services.making import (
    is_in_the_making,
    part_that_may,
    part_under_way,
)
from campaigns.services.naming import about
from campaigns.services.numbers import next_number
from campaigns.services.strengths import (
    as_json,
    check_is_free,
    lean_on_holders,
    refused_strength,
    take_off,
)
from games.errors import Forbidden, MovedOn
from games.rules.wicked_age import strengths as rules
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.host import is_gm
from games.services.ledger import keep
from games.text import clean_name, clean_prose

MOST_STRENGTHS = 400


@deed(actions.NewStrength, may="seat")
def new_strength(change: Change, action: actions.NewStrength, tap: Tap) -> None:
    """Write a strength of one option onto a sheet (WA-19, WA-21)."""
    one = character_named(change, action.character)
    part = part_that_may(one)
    campaign = campaign_of(change)
    if campaign.strengths.count() >= MOST_STRENGTHS:
        raise MovedOn(_("This campaign has as many strengths as it can keep."))
    version = rules.tidied(
        rules.Version(
            (rules.Option(action.option),), action.broad_form, action.hits_pc, action.hits_npc
        )
    )
    name = clean_name(action.name, longest=NAME)
    written = rules.Strength(name, action.pc_form, action.npc_form, version)
    if fault := rules.fault_of_new(written):
        raise refused_strength(fault, action.option, action.hits_pc)
    made = Strength(
        campaign=campaign,
        number=next_number(campaign.strengths),
        name=name,
        description=clean_prose(action.description, longest=STORY, field="description"),
        effects=clean_prose(action.effects, longest=STORY, field="effects"),
        pc_form=action.pc_form,
        npc_form=action.npc_form,
        version=as_json(version),
    )
    keep(change, made)
    _give(change, part, one, made)
    change.log("strength_written", **about(one), strength=made.name, option=action.option)


@deed(actions.TakeStrength, may="seat")
def take_strength(change: Change, action: actions.TakeStrength, tap: Tap) -> None:
    """Take a strength that is written already, at significance 1 (WA-14, WA-103)."""
    one = character_named(change, action.character)
    part = part_that_may(one)
    row = strength_named(change, action.strength)
    check_is_free(row, one)
    lean_on_holders(change, row, one)
    _give(change, part, one, row)
    change.log("strength_taken", **about(one), strength=row.name)


def _give(change: Change, part: Part, one: Character, row: Strength) -> None:
    keep(change, Holding(strength=row, character=one, version=row.version))
    if part.is_returning:
        choices.choose(change, part, Part.ComeBack.STRENGTH, strength=row.number)


@deed(actions.DropStrength, may="seat")
def drop_strength(change: Change, action: actions.DropStrength, tap: Tap) -> None:
    """Take a strength off a sheet in the making, which frees the choice again.

    From then on the GM alone takes it off, and it counts as lost.
    """
    held = holding_named(change, action.holding)
    one, row = held.character, held.strength
    part = part_under_way(one)
    if part is not None and is_in_the_making(part) and _is_chosen_now(part, row):
        take_off(change, held)
        if part.is_returning:
            choices.forget(change, part)
        change.log("strength_put_back", **about(one), strength=row.name)
        return
    if not is_gm(change):
        raise Forbidden(_("That strength has been in play: only the GM takes it off."))
    held.is_lost = True
    keep(change, held)
    change.log("strength_crossed_out", **about(one), strength=row.name)


def _is_chosen_now(part: Part, row: Strength) -> bool:
    """Tell whether a strength was chosen in the setup of the part's chapter."""
    if not part.is_returning:
        return True
    is_choice = part.come_back == Part.ComeBack.STRENGTH
    return is_choice and choices.was_before(part).get("strength") == row.number
