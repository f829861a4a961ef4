"""What a table keeps of its Knave evening: the clock, encounters, calls for rolls, goals."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from characters.models.sheet import NAME_LENGTH, Character
from characters.settings import KnaveSettings
from games.models import Game, Table
from games.models.undoable import Undoable


class Party(Undoable):
    """The party's time (days from 1, ten-minute turns from 0) and how its table plays Knave."""

    table = models.OneToOneField(Table, models.CASCADE, related_name="party")
    day = models.PositiveIntegerField(default=1)
    turn = models.PositiveIntegerField(default=48)
    preferences = models.JSONField(default=dict, blank=True)

    def __str__(self) -> str:
        return f"day {self.day}, turn {self.turn}"

    @property
    def settings(self) -> KnaveSettings:
        return msgspec.convert(self.preferences, KnaveSettings)

    def keep_settings(self, new: KnaveSettings) -> None:
        self.preferences = msgspec.to_builtins(new)


class Encounter(Undoable):
    """Foes that the host has prepared, and the fight that came of them.

    `foes` are combatants as the fight's record writes them, before it begins.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="encounters")
    name = models.CharField(max_length=NAME_LENGTH)
    foes = models.JSONField(default=list)
    game = models.OneToOneField(
        Game, models.SET_NULL, null=True, blank=True, related_name="encounter"
    )
    # The round in which the host has said that the side which goes first is done.
    passed_round = models.PositiveIntegerField(default=0)
    is_open = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name, verbose_name_plural = _("encounter"), _("encounters")
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return self.name


class Call(Undoable):
    """The host asks chosen characters for a roll, and sees who is missing.

    A save (KN-8) or opposed save (`defense`, KN-9), or the die of a night's
    rest (KN-21).
    """

    class Kind(models.TextChoices):
        SAVE = "save", _("save")
        NIGHT = "night", _("night's rest")

    table = models.ForeignKey(Table, models.CASCADE, related_name="calls")
    kind = models.CharField(max_length=5, choices=Kind.choices, default=Kind.SAVE)
    ability = models.CharField(max_length=3, blank=True)
    reason = models.CharField(max_length=120, blank=True)
    edge = models.CharField(max_length=12, blank=True)
    modifier = models.SmallIntegerField(default=0)
    defense = models.SmallIntegerField(null=True, blank=True)
    is_open = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name, verbose_name_plural = _("call for a roll"), _("calls for rolls")
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.ability}"


class Answer(Undoable):
    """One character that a call asks; without faces it has not rolled yet."""

    call = models.ForeignKey(Call, models.CASCADE, related_name="answers")
    character = models.ForeignKey(Character, models.CASCADE, related_name="answers")
    faces = models.JSONField(default=list, blank=True)
    total = models.SmallIntegerField(null=True, blank=True)
    is_success = models.BooleanField(null=True, blank=True)
    is_real = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["call", "character"], name="asked_once")
        ]

    def __str__(self) -> str:
        return f"{self.character_id} to {self.call_id}"


class Goal(Undoable):
    """What is worth experience (KN-22), named beforehand; a hidden one only the host sees."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="goals")
    text = models.CharField(max_length=160)
    worth = models.PositiveIntegerField(default=100)
    is_shown = models.BooleanField(default=True)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("goal"), _("goals")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.text
