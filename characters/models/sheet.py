"""A knave, what it carries, and what lies about for anybody to take."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from characters.models.book import DICE, Article, HirelingKind, Spell
from games.models import Event, Seat, Table
from games.models.undoable import Undoable
from games.rules.knave.abilities import Ability, Bonuses

NAME_LENGTH = 60


class Character(Undoable):
    """A sheet: a player's knave, a hireling, or an NPC of the referee's.

    `draft` holds the dice of its creation (KN-1 to KN-7) and stays after it is
    confirmed: what was rolled is in the record. Bonuses are stored, defenses
    are ten more.
    """

    class Kind(models.TextChoices):
        KNAVE = "knave", _("knave")
        HIRELING = "hireling", _("hireling")
        NPC = "npc", _("NPC")

    class State(models.TextChoices):
        DRAFT = "draft", _("in the making")
        UP = "up", _("up")
        UNCONSCIOUS = "unconscious", _("unconscious")
        DEAD = "dead", _("dead")
        GONE = "gone", _("gone")

    ALIVE: ClassVar = (State.UP, State.UNCONSCIOUS)

    table = models.ForeignKey(Table, models.CASCADE, related_name="characters")
    seat = models.ForeignKey(
        Seat, models.SET_NULL, null=True, blank=True, related_name="characters"
    )
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.KNAVE)
    state = models.CharField(max_length=11, choices=State.choices, default=State.DRAFT)
    name = models.CharField(max_length=NAME_LENGTH)
    gender = models.CharField(max_length=30, blank=True)
    strength = models.SmallIntegerField(default=1)
    dexterity = models.SmallIntegerField(default=1)
    constitution = models.SmallIntegerField(default=1)
    intelligence = models.SmallIntegerField(default=1)
    wisdom = models.SmallIntegerField(default=1)
    charisma = models.SmallIntegerField(default=1)
    level = models.PositiveSmallIntegerField(default=1)
    xp = models.PositiveIntegerField(default=0)
    hp = models.SmallIntegerField(default=1)
    max_hp = models.PositiveSmallIntegerField(default=1)
    gold = models.PositiveIntegerField(default=0)
    silver = models.PositiveIntegerField(default=0)
    copper = models.PositiveIntegerField(default=0)
    # What has no gear of its own fights by these: hirelings and NPCs.
    natural_defense = models.PositiveSmallIntegerField(null=True, blank=True)
    natural_attack = models.SmallIntegerField(null=True, blank=True)
    natural_die = models.PositiveSmallIntegerField(null=True, blank=True, choices=DICE)
    natural_is_ranged = models.BooleanField(default=False, db_default=False)
    morale = models.PositiveSmallIntegerField(null=True, blank=True)
    trade = models.ForeignKey(HirelingKind, models.SET_NULL, null=True, blank=True)
    employer = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="hirelings"
    )
    wage = models.PositiveIntegerField(default=0)
    days_owed = models.PositiveSmallIntegerField(default=0)
    traits = models.JSONField(default=dict, blank=True)
    draft = models.JSONField(default=dict, blank=True)
    notes = models.TextField(blank=True)
    # The last picture from before each had a row of its own (`Portrait`).
    portrait = models.BinaryField(null=True, blank=True, editable=False)
    portrait_at = models.DateTimeField(null=True, blank=True)
    mark = models.CharField(max_length=12, blank=True)
    # The referee's open override of KN-4: this sheet may hold more than its slots.
    may_overload = models.BooleanField(default=False)
    is_hidden = models.BooleanField(default=False)
    death = models.CharField(max_length=200, blank=True)
    died_at = models.DateTimeField(null=True, blank=True)
    died_on = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name, verbose_name_plural = _("sheet"), _("sheets")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def put_right(cls, keys: Iterable[int]) -> None:
        """Bring sheets back within what an undo of something earlier has moved.

        Hit points are not above a maximum that was taken back (KN-21), and who has got up from the
        table since plays nobody.
        """
        sheets = cls.objects.filter(pk__in=keys)
        sheets.filter(hp__gt=models.F("max_hp")).update(hp=models.F("max_hp"))
        sheets.filter(state__in=cls.ALIVE, seat__standing=Seat.Standing.GONE).update(seat=None)

    @property
    def bonuses(self) -> Bonuses:
        return Bonuses(
            self.strength,
            self.dexterity,
            self.constitution,
            self.intelligence,
            self.wisdom,
            self.charisma,
        )

    def keep_bonuses(self, bonuses: Bonuses) -> None:
        for ability in Ability:
            setattr(self, FIELDS[ability], bonuses.of(ability))

    @property
    def is_alive(self) -> bool:
        return self.state in self.ALIVE

    @property
    def is_employed(self) -> bool:
        """Tell whether somebody who lives pays this hireling (KN-24)."""
        return self.employer is not None and self.employer.is_alive


FIELDS = {ability: ability.name.lower() for ability in Ability}
"""The model field that keeps each ability's bonus."""


class Portrait(Undoable):
    """A picture that a sheet shows while its `portrait_at` is the instant at which this was kept.

    The ones before it stay, as an undo shows them again.
    """

    character = models.ForeignKey(Character, models.CASCADE, related_name="portraits")
    at = models.DateTimeField()
    picture = models.BinaryField(editable=False)

    class Meta:
        verbose_name, verbose_name_plural = _("portrait"), _("portraits")

    def __str__(self) -> str:
        return f"{self.character_id} at {self.at}"


class Pile(Undoable):
    """Loot on the table: what lies where anybody may claim it. Hidden ones only the host sees."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="piles")
    name = models.CharField(max_length=NAME_LENGTH)
    gold = models.PositiveIntegerField(default=0)
    silver = models.PositiveIntegerField(default=0)
    copper = models.PositiveIntegerField(default=0)
    of = models.ForeignKey(
        Character, models.SET_NULL, null=True, blank=True, related_name="left_piles"
    )
    is_shown = models.BooleanField(default=True)
    is_open = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name, verbose_name_plural = _("pile of loot"), _("piles of loot")
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return self.name


class Item(Undoable):
    """A thing, or a bundle of like things, that somebody holds or that lies in a pile.

    Its figures are copied from the article when it is made, so that a later
    edit of the book does not change what people carry.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="items")
    holder = models.ForeignKey(
        Character, models.CASCADE, null=True, blank=True, related_name="items"
    )
    pile = models.ForeignKey(Pile, models.CASCADE, null=True, blank=True, related_name="items")
    inside = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="contents"
    )
    article = models.ForeignKey(Article, models.SET_NULL, null=True, blank=True)
    spell = models.ForeignKey(Spell, models.SET_NULL, null=True, blank=True)
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    kind = models.CharField(max_length=12, choices=Article.Kind.choices, default=Article.Kind.GEAR)
    count = models.PositiveIntegerField(default=1)
    slots = models.PositiveSmallIntegerField(default=1)
    bundle = models.PositiveSmallIntegerField(default=1)
    cost = models.PositiveIntegerField(default=0)
    die = models.PositiveSmallIntegerField(null=True, blank=True)
    hands = models.PositiveSmallIntegerField(default=0)
    is_ranged = models.BooleanField(default=False)
    defense = models.PositiveSmallIntegerField(null=True, blank=True)
    bonus = models.PositiveSmallIntegerField(default=0)
    quality = models.PositiveSmallIntegerField(null=True, blank=True)
    max_quality = models.PositiveSmallIntegerField(null=True, blank=True)
    burns_turns = models.PositiveSmallIntegerField(null=True, blank=True)
    turns_left = models.PositiveSmallIntegerField(null=True, blank=True)
    holds = models.PositiveSmallIntegerField(default=0)
    holds_only = models.CharField(max_length=12, blank=True)
    is_lit = models.BooleanField(default=False)
    is_equipped = models.BooleanField(default=False)
    is_home = models.BooleanField(default=False)
    cast_on = models.PositiveIntegerField(null=True, blank=True)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name, verbose_name_plural = _("item on a sheet"), _("items on sheets")
        ordering: ClassVar = ["position", "id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(holder=None) ^ models.Q(pile=None), name="an_item_is_somewhere"
            ),
            models.CheckConstraint(condition=models.Q(count__gte=1), name="an_item_is_something"),
        ]

    def __str__(self) -> str:
        return self.said_name

    @property
    def said_name(self) -> str:
        """Return the thing's name in the active language; its owner's own name goes first."""
        if self.name:
            return self.name
        if self.spell:
            return self.spell.said("name")
        return self.article.said("name") if self.article else "?"


class Mention(models.Model):
    """Which characters an event of the log is about: a sheet's own record, found by index."""

    character = models.ForeignKey(Character, models.CASCADE, related_name="mentions")
    event = models.ForeignKey(Event, models.CASCADE, related_name="mentions")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["character", "event"], name="mentioned_once")
        ]

    def __str__(self) -> str:
        return f"{self.character_id} in {self.event_id}"
