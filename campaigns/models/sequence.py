"""Action sequences in a chapter, what is offered in them, the owe list, and what is told of it."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import LINE, Campaign
from campaigns.models.chapter import Chapter, Scene
from campaigns.models.character import Character
from games.models import Game
from games.models.undoable import Undoable


class Sequence(Undoable):
    """An action sequence (WA-41): the act, its actor, and the game that its dice are.

    Several may run at once; `is_held` is one whose dice wait while another scene
    plays (WA-38). `earlier` is the record it had where it was imported from.
    """

    chapter = models.ForeignKey(Chapter, models.CASCADE, related_name="sequences")
    number = models.PositiveIntegerField()
    scene = models.ForeignKey(Scene, models.SET_NULL, null=True, blank=True, related_name="+")
    game = models.OneToOneField(Game, models.CASCADE, related_name="sequence")
    act = models.CharField(max_length=LINE)
    actor = models.ForeignKey(Character, models.CASCADE, related_name="+")
    needs_far_reach = models.BooleanField(default=False)
    is_held = models.BooleanField(default=False)
    is_over = models.BooleanField(default=False)
    agreed = models.JSONField(default=list, blank=True)  # who would rather end it (WA-60)
    earlier = models.TextField(blank=True)
    began_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name, verbose_name_plural = _("action sequence"), _("action sequences")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chapter", "number"], name="sequences_are_numbered")
        ]

    def __str__(self) -> str:
        return self.act


class Offer(Undoable):
    """Terms that one of two has put to the other (WA-70, WA-74), as a record writes them.

    `by`, `winner`, `loser` and `leave` are what the sequence calls people. Broken
    off, nothing more is offered and the default applies (WA-71).
    """

    class State(models.TextChoices):
        OPEN = "open"
        TAKEN = "taken"
        REFUSED = "refused"
        BROKEN_OFF = "broken_off"

    sequence = models.ForeignKey(Sequence, models.CASCADE, related_name="offers")
    by = models.CharField(max_length=12)
    winner = models.CharField(max_length=12)
    loser = models.CharField(max_length=12)
    terms = models.JSONField(default=list, blank=True)
    leave = models.JSONField(default=list, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.by}: {self.terms}"


class Owed(Undoable):
    """One occurrence of a name on the owe list (WA-81), with its birth and its end.

    `order` is its place; a struck one keeps it. Struck for a die, it names the
    sequence and the round; for a chapter, the chapter.
    """

    class Struck(models.TextChoices):
        NOT = ""
        DIE = "die"
        CHAPTER = "chapter"
        WORD = "word"  # the GM's correction

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="owed")
    order = models.PositiveIntegerField()
    character = models.ForeignKey(Character, models.CASCADE, related_name="owed")
    chapter = models.ForeignKey(Chapter, models.SET_NULL, null=True, blank=True, related_name="+")
    sequence = models.ForeignKey(Sequence, models.SET_NULL, null=True, blank=True, related_name="+")
    struck = models.CharField(max_length=7, choices=Struck.choices, default=Struck.NOT, blank=True)
    struck_sequence = models.ForeignKey(
        Sequence, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    struck_round = models.PositiveSmallIntegerField(null=True, blank=True)
    struck_chapter = models.ForeignKey(
        Chapter, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering: ClassVar = ["order", "id"]

    def __str__(self) -> str:
        return f"{self.order}: {self.character_id}"

    @property
    def is_in_use(self) -> bool:
        """Tell whether what the stroke has paid for, a die or a chapter, is still on the table."""
        dice, chapter = self.struck_sequence, self.struck_chapter
        is_played = chapter is not None and chapter.step != Chapter.Step.OVER
        return is_played or (dice is not None and not dice.is_over)


class Moment(Undoable):
    """Something worth telling that happened in a chapter: what the chronicle is written from.

    The table's log has it too; a campaign moves between tables and takes these
    along, and an undo takes back the one with the other.
    """

    chapter = models.ForeignKey(Chapter, models.CASCADE, related_name="moments")
    number = models.PositiveIntegerField()
    sequence = models.ForeignKey(
        Sequence, models.CASCADE, null=True, blank=True, related_name="moments"
    )
    kind = models.CharField(max_length=30)
    data = models.JSONField(default=dict)
    # What somebody said, taken out of `data` so that a search need not read all of it.
    says = models.CharField(max_length=LINE, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["number", "id"]
        indexes: ClassVar = [
            models.Index(fields=["chapter", "number"]),
            models.Index(
                fields=["chapter", "says"], condition=~models.Q(says=""), name="what_was_said"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.kind}"
