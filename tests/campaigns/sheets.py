"""Sheets as tests of other things want them: dice that are worn, and a strength to write."""

from __future__ import annotations

from typing import Any

from campaigns.models import Character
from tests.games.party import fresh

POTENT = {
    "name": "The tall bow",
    "pc_form": "with_violence",
    "npc_form": "action",
    "option": "potent",
}


def forms_are(one: Character, **current: Any) -> None:
    """Wear a sheet's dice, as a fight would."""
    row = fresh(one)
    for form, dice in current.items():
        row.forms[form]["current"] = dice
    row.save()
