"""How a campaign is played: one typed value, kept as JSON in the campaign's row."""

from __future__ import annotations

import msgspec

from games.rules.engine import learn


class CampaignSettings(msgspec.Struct, frozen=True):
    """What a GM may set.

    `mending_is_free`: everybody starts a chapter with whole dice and chooses
    among the other ways of coming back (WA-99).
    """

    mending_is_free: bool = False


learn(CampaignSettings)
