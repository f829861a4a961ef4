"""A campaign, the people who play in it, and the oracles that a table has written itself."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.settings import CampaignSettings
from games.models import Seat, Table
from games.models.undoable import Undoable

NAME = 60
LINE = 240
STORY = 4000


class Campaign(Undoable):
    """A run of chapters over weeks or years (WA-1). One at a table is in front, others wait."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="campaigns")
    name = models.CharField(max_length=NAME)
    is_in_front = models.BooleanField(default=True)
    preferences = models.JSONField(default=dict, blank=True)
    began_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("campaign"), _("campaigns")
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["table"],
                condition=models.Q(is_in_front=True),
                name="one_campaign_in_front",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def settings(self) -> CampaignSettings:
        return msgspec.convert(self.preferences, CampaignSettings)

    def keep_settings(self, new: CampaignSettings) -> None:
        self.preferences = msgspec.to_builtins(new)


class Member(Undoable):
    """Somebody who plays in a campaign. `seat` is their place at the table now, if they have one.

    `number` never changes and is what a file that leaves this server calls them.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="members")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=NAME)
    seat = models.ForeignKey(Seat, models.SET_NULL, null=True, blank=True, related_name="members")
    is_gm = models.BooleanField(default=False)
    is_away = models.BooleanField(default=False)  # not here for this chapter (WA-87)
    has_left = models.BooleanField(default=False)  # left the campaign (WA-105)

    class Meta:
        verbose_name, verbose_name_plural = _("member of a campaign"), _("members of campaigns")
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "number"], name="members_are_numbered")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_here(self) -> bool:
        """Tell whether this player can take part in the chapter."""
        return not (self.is_gm or self.is_away or self.has_left)


class OwnOracle(Undoable):
    """An oracle that a table has written or typed in for itself (WA-5).

    `entries` are as `games.rules.wicked_age.oracles.Entry` writes them.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="oracles")
    title = models.CharField(_("title"), max_length=NAME)
    blurb = models.CharField(max_length=LINE, blank=True)
    entries = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name, verbose_name_plural = _("oracle of a table"), _("oracles of tables")
        ordering: ClassVar = ["title", "id"]

    def __str__(self) -> str:
        return self.title
