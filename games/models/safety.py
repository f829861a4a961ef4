"""What a table keeps out of its play, as anybody at it may ask without giving a name."""

from __future__ import annotations

import hashlib
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.table import Table
from games.models.undoable import Undoable

LONGEST_LINE = 120


class ContentLine(Undoable):
    """One topic, in all the table's games.

    It has no seat and no time. The order is by its words, so that it does not
    tell either who has just written.
    """

    class Kind(models.TextChoices):
        LINE = "line", _("stays out")
        VEIL = "veil", _("happens off screen")

    table = models.ForeignKey(Table, models.CASCADE, related_name="content_lines")
    text = models.CharField(max_length=LONGEST_LINE)
    kind = models.CharField(max_length=4, choices=Kind.choices, default=Kind.LINE)

    class Meta:
        ordering: ClassVar = ["kind", "text", "id"]

    def __str__(self) -> str:
        return self.text

    @property
    def mark(self) -> int:
        """Return what a button calls this line by: a number made of its words.

        Keys of rows would tell in which order lines were written and, with the log, when.
        """
        return 1 + int.from_bytes(hashlib.sha256(self.text.encode()).digest()[:6])
