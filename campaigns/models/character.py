"""Characters over the whole campaign: their forms, and the particular strengths they hold."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import LINE, NAME, STORY, Campaign, Member
from games.models.undoable import Undoable
from games.rules.wicked_age import interests
from games.rules.wicked_age.forms import in_order


class Character(Undoable):
    """A player's character or the GM's (WA-12, WA-15), from her first chapter to her last.

    `forms` maps each form to `{"base": die, "current": die}` (WA-17); an NPC's
    form has two dice, larger first. `number` never changes: in a sequence's
    record and in a campaign's file she is called by it.
    """

    class Kind(models.TextChoices):
        PC = "pc", _("a player's character")
        NPC = "npc", _("an NPC")

    class State(models.TextChoices):
        ACTIVE = "active", _("in play")
        OUT = "out", _("out for this chapter")  # WA-69
        DEAD = "dead", _("dead")
        CAPTIVE = "captive", _("captive")
        ABSENT = "absent", _("gone away")

    # A captive can take up dice (WA-72).
    IN_PLAY: ClassVar = (State.ACTIVE, State.CAPTIVE)

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="characters")
    number = models.PositiveIntegerField()
    kind: models.CharField[str, interests.Kind] = models.CharField(
        max_length=3, choices=Kind.choices, default=Kind.PC
    )
    owner = models.ForeignKey(
        Member, models.SET_NULL, null=True, blank=True, related_name="characters"
    )
    # Another player who has the owner's word to play her this chapter (WA-88).
    lent_to = models.ForeignKey(Member, models.SET_NULL, null=True, blank=True, related_name="+")
    name = models.CharField(max_length=NAME, blank=True)
    description = models.TextField(max_length=STORY, blank=True)
    forms = models.JSONField(default=dict)
    state = models.CharField(max_length=7, choices=State.choices, default=State.ACTIVE)

    class Meta:
        verbose_name, verbose_name_plural = _("character"), _("characters")
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "number"], name="characters_are_numbered")
        ]

    def __str__(self) -> str:
        return self.name or f"#{self.number}"

    @property
    def is_pc(self) -> bool:
        return self.kind == "pc"

    @property
    def is_gone(self) -> bool:
        """Tell whether she is out of this chapter: she takes up no dice, and wants for nothing."""
        return self.state not in self.IN_PLAY

    @property
    def holder(self) -> Member | None:
        """Return who plays her now: who has her owner's word, or else the owner (WA-88)."""
        return self.lent_to or self.owner

    @property
    def ref(self) -> str:
        """What a sequence calls her."""
        return f"c{self.number}"

    def dice(self, which: str = "current") -> dict[str, Any]:
        """Return each form's die or pair of dice, as they are (`current`) or were made (`base`)."""
        return {form: pair[which] for form, pair in in_order(self.forms).items()}


class Strength(Undoable):
    """A particular strength as it was first written (WA-19); copies on sheets grow on their own.

    `version` holds the one option of significance 1 (WA-21) with the forms that it
    names, as `games.rules.wicked_age.strengths.Version` writes them.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="strengths")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=NAME)
    description = models.TextField(max_length=STORY, blank=True)
    effects = models.TextField(max_length=STORY, blank=True)
    pc_form = models.CharField(max_length=16)
    npc_form = models.CharField(max_length=16)
    version = models.JSONField(default=dict)

    class Meta:
        verbose_name, verbose_name_plural = _("particular strength"), _("particular strengths")
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "number"], name="strengths_are_numbered")
        ]

    def __str__(self) -> str:
        return self.name


class Holding(Undoable):
    """A strength on one character's sheet, with the options this copy has (WA-29)."""

    strength = models.ForeignKey(Strength, models.CASCADE, related_name="holdings")
    character = models.ForeignKey(Character, models.CASCADE, related_name="holdings")
    version = models.JSONField(default=dict)
    is_lost = models.BooleanField(default=False)
    note = models.CharField(max_length=LINE, blank=True)

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.strength_id} of {self.character_id}"
