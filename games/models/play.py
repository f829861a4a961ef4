"""A game at a table: who takes part, its state, and the table's own rules."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.table import KEY_LENGTH, NAME_LENGTH, Seat, Table
from games.models.undoable import Undoable


class Game(Undoable):
    """One play of one game's rules. Its state is the rules' own value as versioned JSON."""

    class Status(models.TextChoices):
        GATHERING = "gathering", _("gathering")
        PLAYING = "playing", _("being played")
        OVER = "over", _("over")
        ENDED = "ended", _("called off")

    table = models.ForeignKey(Table, models.CASCADE, related_name="games")
    rules = models.CharField(max_length=30, default="brave_or_knave")
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.GATHERING)
    setup = models.TextField(blank=True)
    state = models.TextField(blank=True)
    first = models.ForeignKey(Seat, models.SET_NULL, null=True, blank=True, related_name="+")
    # The scene is the seq of the event that began what players now look at: an action that
    # answers an older one is refused, not applied to something its sender never saw.
    scene = models.PositiveBigIntegerField(default=0)
    scene_ms = models.BigIntegerField(default=0)
    moved_ms = models.BigIntegerField(default=0)
    closes_ms = models.BigIntegerField(null=True, blank=True)
    # Since when a player, by index, has had a lost finger to pick (BK-20).
    owed_ms = models.JSONField(default=dict, db_default={}, blank=True)
    locks = models.JSONField(default=dict, blank=True)
    winners = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("game"), _("games")
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["table", "rules"],
                condition=models.Q(status__in=["gathering", "playing"])
                & ~models.Q(rules="wicked_sequence"),
                name="one_game_of_a_kind_on_the_table",
            )
        ]

    def __str__(self) -> str:
        return f"{self.rules} {self.pk} ({self.get_status_display()})"


class Entrant(models.Model):
    """A seat that takes part in a game: its guild name (BK-2) and personal number (BK-3)."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="entrants")
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="entries")
    order = models.PositiveSmallIntegerField(default=0)
    guild_name = models.CharField(max_length=NAME_LENGTH)
    guild_key = models.CharField(max_length=KEY_LENGTH)
    number = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("entrant"), _("entrants")
        ordering: ClassVar = ["order", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seat"], name="a_seat_enters_once"),
            models.UniqueConstraint(fields=["game", "guild_key"], name="guild_names_differ"),
            models.UniqueConstraint(fields=["game", "number"], name="numbers_differ"),
        ]

    def __str__(self) -> str:
        return self.guild_name


class HouseRule(models.Model):
    """A table's own special number (BK-25), as the rules' JSON."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="house_rules")
    rule = models.JSONField()
    is_on = models.BooleanField(default=True)

    class Meta:
        verbose_name, verbose_name_plural = _("house rule"), _("house rules")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return str(self.rule.get("name", ""))
