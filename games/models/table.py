"""The table, the seats at it, the devices that hold them, and the door."""

from __future__ import annotations

import secrets
import uuid
from typing import ClassVar

import msgspec
from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.settings import TableSettings

# Without 0/O, 1/I/L: what one person reads aloud, another types right.
CODE_SYMBOLS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH = 6
NAME_LENGTH = 30
COLOURS = 18
"""As many as can play one bout; which a seat has goes by its number."""
KEY_LENGTH = 3 * NAME_LENGTH
TABLE_NAME_LENGTH = 60


def new_code() -> str:
    """Return a join code of six unambiguous symbols: 887 million of them."""
    return "".join(secrets.choice(CODE_SYMBOLS) for _ in range(CODE_LENGTH))


def new_key() -> str:
    """Return a secret of 128 bits, short enough for a QR code across the table."""
    return secrets.token_urlsafe(16)


def new_epoch() -> str:
    """Return a mark that no other house, and no restored copy of this one, has."""
    return uuid.uuid4().hex


class House(models.Model):
    """This installation. A restored backup gets a new epoch, so that phones redraw everything."""

    epoch = models.CharField(max_length=32, default=new_epoch)

    def __str__(self) -> str:
        return self.epoch

    @classmethod
    def current_epoch(cls) -> str:
        return cls.objects.get_or_create(pk=1)[0].epoch


class Device(models.Model):
    """A phone, a tablet or a laptop, known by its session cookie and nothing else."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return str(self.id)


class Table(models.Model):
    """A group that plays together, for an evening or for years."""

    class Door(models.TextChoices):
        OPEN = "open", _("open: whoever has the code sits down")
        ASK = "ask", _("ask: the newcomer knocks, the host admits")
        LOCKED = "locked", _("locked: nobody new")

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)
    key = models.CharField(max_length=32, unique=True, default=new_key)
    name = models.CharField(max_length=TABLE_NAME_LENGTH)
    language = models.CharField(max_length=5, choices=settings.LANGUAGES, default="en")
    door = models.CharField(max_length=6, choices=Door.choices, default=Door.OPEN)
    door_closes_at = models.DateTimeField()
    # Which game is in front of everybody now; a table can turn to another at any time.
    rules = models.CharField(max_length=30, default="brave_or_knave")
    is_trial = models.BooleanField(default=False)
    paused_at = models.DateTimeField(null=True, blank=True)
    preferences = models.JSONField(default=dict, blank=True)
    seq = models.PositiveBigIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name, verbose_name_plural = _("table"), _("tables")

    def __str__(self) -> str:
        return f"{self.name} ({self.code})"

    @property
    def settings(self) -> TableSettings:
        """How this table plays, typed; what it never changed has its default."""
        return msgspec.convert(self.preferences, TableSettings)

    def keep_settings(self, new: TableSettings) -> None:
        self.preferences = msgspec.to_builtins(new)

    @property
    def pause(self) -> int:
        """The present pause by when it began, in ms since the epoch; 0 while play goes on."""
        return 0 if self.paused_at is None else int(self.paused_at.timestamp() * 1000)

    @property
    def is_door_shut(self) -> bool:
        """Tell whether nobody new may come in: locked, or the code's twelve hours are over."""
        return self.door == self.Door.LOCKED or timezone.now() >= self.door_closes_at

    @property
    def door_now(self) -> str:
        """How the door stands: locked too once the code's twelve hours are over."""
        return self.Door.LOCKED if self.is_door_shut else self.door


class Seat(models.Model):
    """A person's place at a table. `number` never changes; `place` is the clockwise order."""

    class Role(models.TextChoices):
        GM = "gm", _("host")
        PLAYER = "player", _("player")
        SCREEN = "screen", _("shared screen")

    class Standing(models.TextChoices):
        KNOCKING = "knocking", _("at the door")
        SEATED = "seated", _("seated")
        GONE = "gone", _("gone")

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    role = models.CharField(max_length=6, choices=Role.choices, default=Role.PLAYER)
    standing = models.CharField(max_length=8, choices=Standing.choices, default=Standing.SEATED)
    name = models.CharField(max_length=NAME_LENGTH)
    language = models.CharField(max_length=5, choices=settings.LANGUAGES, default="en")
    device = models.ForeignKey(Device, models.SET_NULL, null=True, blank=True, related_name="seats")
    regular = models.CharField(max_length=12, blank=True)
    has_letters = models.BooleanField(default=False)
    joined_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name, verbose_name_plural = _("seat"), _("seats")
        ordering: ClassVar = ["place", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "number"], name="one_seat_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.table_id}/{self.number})"

    @property
    def is_seated(self) -> bool:
        return self.standing == self.Standing.SEATED

    @property
    def is_gm(self) -> bool:
        return self.role == self.Role.GM


class SeatPass(models.Model):
    """A one-time right to sit down on a seat from another device, carried by a QR code."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="passes")
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"pass for {self.seat_id}"


class JoinAttempt(models.Model):
    """A code that opened no table, or a wrong password; counted, so that nobody can try them all.

    `address` is the visitor's, or another key of `games.limits`.
    """

    address = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["at", "address"])]

    def __str__(self) -> str:
        return f"{self.address} {self.at:%H:%M}"
