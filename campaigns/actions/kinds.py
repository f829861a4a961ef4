"""What every campaign action is, and the bounds that several share."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from games.actions import HIGHEST_KEY, RowKey, TableAction

Key = Annotated[int, Meta(ge=0, le=HIGHEST_KEY)]
"""A row's key; 0 where none is meant."""
Keys = Annotated[tuple[RowKey, ...], Meta(max_length=40)]
Name = Annotated[str, Meta(min_length=1, max_length=60)]
AnyName = Annotated[str, Meta(max_length=60)]
Line = Annotated[str, Meta(min_length=1, max_length=240)]
AnyLine = Annotated[str, Meta(max_length=240)]
Story = Annotated[str, Meta(max_length=4000)]
Die = Annotated[int, Meta(ge=0, le=12)]
PcForm = Literal["covertly", "directly", "for_myself", "for_others", "with_love", "with_violence"]
NpcForm = Literal["action", "maneuvering", "self_protection"]
Form = Literal[
    "covertly", "directly", "for_myself", "for_others", "with_love", "with_violence",
    "action", "maneuvering", "self_protection",
]  # fmt: skip
Option = Literal["potent", "broad", "consequential", "unique", "far_reaching", "doubly_potent"]


class CampaignAction(TableAction, frozen=True, tag=True):
    """An action on a campaign, a chapter, or what stands in one."""
