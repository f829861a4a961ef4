"""The log: what was done (plays) and what happened (events). Rows are added, never changed.

Every tap adds to it and waits until each index is on disk as well. So columns that are never
searched have no index, and a table's rows are found by the index on their numbers.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.play import Game
from games.models.table import Seat, Table


class Play(models.Model):
    """One action that took place, under the tap that asked for it.

    `faces` are the dice it rolled; `is_real` says that a person typed them.
    `timing` keeps when a shout was pressed and when it arrived, both in
    milliseconds of server time. `ledger` lists the rows of the apps above that
    it changed, before and after, by which an undo sets them back; a play
    without one that `can_undo` is a game's own, and undone by its rules.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="plays", db_index=False)
    game = models.ForeignKey(Game, models.CASCADE, null=True, blank=True, related_name="plays")
    seat = models.ForeignKey(
        Seat, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    tap = models.CharField(max_length=80)
    action = models.JSONField()
    faces = models.JSONField(default=list)
    is_real = models.BooleanField(default=False)
    timing = models.JSONField(null=True, blank=True)
    ledger = models.JSONField(null=True, blank=True)
    can_undo = models.BooleanField(default=False)
    seq = models.PositiveBigIntegerField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name, verbose_name_plural = _("act in the log"), _("acts in the log")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "tap"], name="a_tap_happens_once")
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.action.get('action')}"


class Undone(models.Model):
    """A play that a later one took back by its ledger."""

    play = models.OneToOneField(Play, models.CASCADE, related_name="undone")
    by = models.ForeignKey(Play, models.CASCADE, related_name="took_back")

    def __str__(self) -> str:
        return f"{self.play_id} by {self.by_id}"


class Event(models.Model):
    """What happened, numbered without gaps at its table. `to` is the only seat that may know."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="events", db_index=False)
    seq = models.PositiveBigIntegerField()
    play = models.ForeignKey(Play, models.CASCADE, related_name="events", db_index=False)
    game = models.ForeignKey(Game, models.CASCADE, null=True, blank=True, related_name="events")
    kind = models.CharField(max_length=30)
    data = models.JSONField(default=dict)
    to = models.ForeignKey(
        Seat, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name, verbose_name_plural = _("line of the log"), _("lines of the log")
        ordering: ClassVar = ["seq"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "seq"], name="the_log_has_no_gaps")
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"
