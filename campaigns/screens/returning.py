"""A returning character's choice, on her player's sheet (WA-97 to WA-102)."""

from __future__ import annotations

from msgspec.structs import replace

from campaigns.models import Character, Part
from campaigns.screens.cards import ReturnCard, SheetCard
from campaigns.screens.people import strength_card
from campaigns.screens.steps import is_being_made, is_joining
from campaigns.snapshot import Tale
from campaigns.words import die_name, form_name
from games.rules.wicked_age import growth
from games.rules.wicked_age.forms import in_order, step_up
from games.said import gettext as _
from games.screens.cards import Choice


def with_return(tale: Tale, card: SheetCard, part: Part, one: Character) -> SheetCard:
    """Return the sheet with what coming back offers a PC, until she is played (WA-104)."""
    is_setup = tale.chapter is not None and tale.chapter.is_setting_up
    is_open = is_setup or is_joining(tale, part)
    if not (part.is_returning and one.is_pc and is_open):
        return card
    return replace(card, back=_return_card(tale, part, one))


def _return_card(tale: Tale, part: Part, one: Character) -> ReturnCard:
    if part.come_back:
        return ReturnCard(
            is_open=False,
            chosen=choice_text(part.come_back),
            may_choose_again=is_being_made(tale, part),
        )
    assert tale.campaign
    is_free = tale.campaign.settings.mending_is_free
    held = tale.holdings.get(one.pk, [])
    forms = in_order(one.forms)
    dice = {f: growth.FormDie(p["base"], p["current"]) for f, p in forms.items()}
    return ReturnCard(
        is_open=True,
        may_mend=growth.is_worn(dice) and not is_free,
        grow=tuple(
            Choice(
                form,
                form_name(form),
                f"{die_name(pair['current'])} → {die_name(step_up(pair['current']))}",
            )
            for form, pair in forms.items()
            if growth.fault_of_growing(dice, form) is None
        ),
        more=tuple(card for h in held if (card := strength_card(h)).may_raise),
    )


def choice_text(choice: str) -> str:
    """Say how somebody came back (WA-98)."""
    return {
        "mend": _("mended: all dice as they were made"),
        "strength": _("a new particular strength"),
        "more": _("more significance for a strength"),
        "grow": _("one form grown by a size"),
    }.get(choice, "")
