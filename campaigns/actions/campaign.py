"""Campaigns, and the people in them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from campaigns.actions.kinds import AnyName, CampaignAction, Key, Name
from campaigns.settings import CampaignSettings
from games.actions import Mark, NumberOrNobody, RowKey
from games.rules.engine import CHOSEN

LONGEST_ORACLE = 200_000
"""Letters of an oracle as it is written."""


class BeginCampaign(CampaignAction, frozen=True, tag="begin_campaign"):
    """Begin a campaign with everybody who sits here; the one in front until now waits."""

    name: AnyName = ""


class RenameCampaign(CampaignAction, frozen=True, tag="rename_campaign"):
    """Give the campaign in front another name."""

    name: AnyName = ""  # an empty one is refused in words of its own


class FrontCampaign(CampaignAction, frozen=True, tag="front_campaign"):
    """Put another of the table's campaigns in front."""

    campaign: RowKey


class CloseCampaign(CampaignAction, frozen=True, tag="close_campaign"):
    """The campaign is over (WA-84), or goes on after all."""

    on: bool = True


class ConfigureCampaign(CampaignAction, frozen=True, tag="configure_campaign"):
    """Change one way in which the campaign is played; see `CampaignSettings`."""

    # The names are worked out from the settings, which no type checker follows.
    setting: Literal[*CampaignSettings.__struct_fields__]  # type: ignore[valid-type]
    value: Annotated[str, Meta(min_length=1, max_length=20), CHOSEN]


class ImportCampaign(CampaignAction, frozen=True, tag="import_campaign"):
    """Bring in a campaign from its file, which comes beside the tap."""


class LinkMember(CampaignAction, frozen=True, tag="link_member"):
    """Say which seat a member of the campaign sits on here; 0 frees them from their seat."""

    member: RowKey
    who: NumberOrNobody = 0


class ClaimMember(CampaignAction, frozen=True, tag="claim_member"):
    """Say "that is me" of a member whom no seat holds."""

    member: RowKey


class AddMember(CampaignAction, frozen=True, tag="add_member"):
    """Add a player who has no phone; the GM's taps are theirs."""

    name: Name


class MarkAway(CampaignAction, frozen=True, tag="mark_away"):
    """Say that a player is not here for this chapter (WA-87), or here again."""

    member: RowKey
    on: bool = True


class MarkLeft(CampaignAction, frozen=True, tag="mark_left"):
    """Say that a player has left the campaign (WA-105), or has come back."""

    member: RowKey
    on: bool = True


class HandCharacter(CampaignAction, frozen=True, tag="hand_character"):
    """Hand a player's character over to another player for good (WA-105)."""

    character: RowKey
    member: RowKey


class LendCharacter(CampaignAction, frozen=True, tag="lend_character"):
    """Give another player one's word to play a character (WA-88); 0 takes it back."""

    character: RowKey
    member: Key = 0


class WriteOracle(CampaignAction, frozen=True, tag="write_oracle"):
    """Write an oracle of the table's own, or write one anew, from text or YAML.

    `was` is the mark of the one that is written anew, as the form was given it.
    """

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_ORACLE)]
    oracle: Key = 0
    written_as: Literal["text", "yaml"] = "text"
    was: Mark = ""


class DropOracle(CampaignAction, frozen=True, tag="drop_oracle"):
    """Put away an oracle of the table's own."""

    oracle: RowKey
