"""How much a campaign and its table have room for; past that it is refused in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.campaigns.sheets import POTENT
from tests.campaigns.troupe import OWN_ORACLE, Troupe

Count = Callable[[Troupe], int]

ROOM: dict[str, tuple[str, dict[str, Any], Count]] = {
    "campaign.MOST_CAMPAIGNS": ("begin_campaign", {}, lambda t: t.table.campaigns.count()),
    "campaign.MOST_ORACLES": (
        "write_oracle",
        {"text": OWN_ORACLE},
        lambda t: t.table.oracles.count(),
    ),
    "members.MOST_MEMBERS": ("add_member", {"name": "Zoe"}, lambda t: t.campaign.members.count()),
    "npcs.MOST_CHARACTERS": (
        "make_npc",
        {"name": "Zoe", "best": "action"},
        lambda t: t.campaign.characters.count(),
    ),
    "owe.MOST_OWED": ("owe_name", {"character": "Amek"}, lambda t: t.campaign.owed.count()),
    "scenes.MOST_SCENES": ("open_scene", {"where": "Here"}, lambda t: t.chapter.scenes.count()),
    "strengths.MOST_STRENGTHS": (
        "new_strength",
        {"character": "Esan", **POTENT},
        lambda t: t.campaign.strengths.count(),
    ),
}


@pytest.mark.parametrize("limit", ROOM)
def test_there_is_room_for_so_many(troupe: Troupe, monkeypatch: pytest.MonkeyPatch, limit: str):
    action, given, count = ROOM[limit]
    troupe.in_play()
    troupe.owes("Amek")
    fields = dict(given)
    if "character" in fields:
        fields["character"] = troupe.named(fields["character"]).pk
    there = count(troupe)
    monkeypatch.setattr(f"campaigns.deeds.{limit}", there)
    troupe.refusal(troupe.erin, action, **fields)
    monkeypatch.setattr(f"campaigns.deeds.{limit}", there + 1)
    troupe.do(troupe.erin, action, **fields)
