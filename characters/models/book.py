"""Knave's data as rows, so that a host can edit and add to them in the admin.

Shipped rows come from the reviewed YAML of `games.rules.knave`. A row that the
host has edited keeps the edit through every upgrade; one that the host does
not want is hidden, so that it does not come back.
"""

from __future__ import annotations

from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.said import language

DICE = [(n, f"d{n}") for n in (2, 3, 4, 6, 8, 10, 12, 20)]


class Shipped(models.Model):
    """A row of the book. `edited_at` is set by the admin, and upgrades then leave it alone."""

    key = models.SlugField(_("key of this row"), max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=80)
    name_es = models.CharField(_("name in Spanish"), max_length=80, blank=True)
    is_own = models.BooleanField(_("added here"), default=False, editable=False)
    is_hidden = models.BooleanField(_("hidden"), default=False)
    edited_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.said("name")

    def names(self) -> dict[str, str]:
        """Return its name in every language, for the log: each reads it in their own."""
        return {"en": self.name, "es": self.name_es}

    def said(self, field: str) -> str:
        """Return a text in the active language, in English where the other was left empty."""
        other: str = getattr(self, f"{field}_es")
        text: str = getattr(self, field)
        return other if other and language().startswith("es") else text


class Article(Shipped):
    """A thing with a price (KN-3, KN-4).

    `cost` in copper buys `lot` pieces; `bundle` is how many share `slots`.
    `burns_turns` are turns of ten minutes; `feeds` names the lamp of a fuel.
    """

    class Kind(models.TextChoices):
        WEAPON = "weapon", _("weapon")
        ARMOR = "armor", _("armor")
        SHIELD = "shield", _("shield")
        HELMET = "helmet", _("helmet")
        AMMUNITION = "ammunition", _("ammunition")
        LIGHT = "light", _("light")
        FUEL = "fuel", _("fuel")
        RATION = "ration", _("ration")
        CONTAINER = "container", _("container")
        SPELL_BOOK = "spell_book", _("spell book")
        GEAR = "gear", _("gear")
        TOOL = "tool", _("tool")
        ANIMAL = "animal", _("animal")
        TRANSPORT = "transport", _("transport")
        SERVICE = "service", _("service")
        BUILDING = "building", _("building")
        COINS = "coins", _("coins")

    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices, default=Kind.GEAR)
    category = models.CharField(_("category"), max_length=30, blank=True)
    slots = models.PositiveSmallIntegerField(
        _("slots"), default=1, validators=[MaxValueValidator(20)]
    )
    bundle = models.PositiveSmallIntegerField(
        _("how many share the slots"), default=1, validators=[MinValueValidator(1)]
    )
    cost = models.PositiveIntegerField(
        _("price in copper"), default=0, validators=[MaxValueValidator(10_000_000)]
    )
    lot = models.PositiveSmallIntegerField(
        _("how many for the price"), default=1, validators=[MinValueValidator(1)]
    )
    die = models.PositiveSmallIntegerField(_("damage die"), null=True, blank=True, choices=DICE)
    hands = models.PositiveSmallIntegerField(
        _("hands"), default=0, validators=[MaxValueValidator(2)]
    )
    is_ranged = models.BooleanField(_("is ranged"), default=False)
    defense = models.PositiveSmallIntegerField(_("defense"), null=True, blank=True)
    bonus = models.PositiveSmallIntegerField(_("armor bonus"), default=0)
    quality = models.PositiveSmallIntegerField(_("quality"), null=True, blank=True)
    burns_turns = models.PositiveSmallIntegerField(
        _("turns of ten minutes that it burns"), null=True, blank=True
    )
    light_feet = models.PositiveSmallIntegerField(_("feet that it lights"), null=True, blank=True)
    holds = models.PositiveSmallIntegerField(_("slots inside"), default=0)
    holds_only = models.CharField(_("holds only"), max_length=12, blank=True, choices=Kind.choices)
    damage_kinds = models.JSONField(_("kinds of damage"), default=list, blank=True)
    feeds = models.SlugField(_("fuel of (key)"), max_length=60, blank=True)
    ammunition = models.SlugField(_("ammunition (key)"), max_length=60, blank=True)
    is_sold = models.BooleanField(_("is sold"), default=True)

    class Meta:
        verbose_name, verbose_name_plural = _("article"), _("articles")
        ordering: ClassVar = ["kind", "cost", "name"]


class Spell(Shipped):
    """One of the spells a book may hold (KN-25), by its number for a d100."""

    number = models.PositiveSmallIntegerField(_("number"), unique=True)
    effect = models.TextField(_("effect"))
    effect_es = models.TextField(_("effect in Spanish"), blank=True)
    reach = models.CharField(_("range"), max_length=60, blank=True)
    reach_es = models.CharField(_("range in Spanish"), max_length=60, blank=True)
    duration = models.CharField(_("duration"), max_length=80, blank=True)
    duration_es = models.CharField(_("duration in Spanish"), max_length=80, blank=True)
    save_with = models.CharField(_("saved with"), max_length=20, blank=True)

    # What is told of one, in this order.
    TOLD: ClassVar = ("effect", "reach", "duration")

    class Meta:
        verbose_name, verbose_name_plural = _("spell"), _("spells")
        ordering: ClassVar = ["number"]


class Monster(Shipped):
    """A foe for encounters; `attacks` is a list of {name, name_es, count, damage, die}.

    A hit rolls `damage` (KN-15); `die` is the one die nearest to it, for a row without any.
    """

    kind = models.CharField(_("kind"), max_length=30, blank=True)
    level = models.PositiveSmallIntegerField(
        _("level"), default=1, validators=[MaxValueValidator(30)]
    )
    hd = models.CharField(_("hit dice"), max_length=20, blank=True)
    hp = models.PositiveSmallIntegerField(
        _("hit points"), default=4, validators=[MinValueValidator(1)]
    )
    armor_defense = models.PositiveSmallIntegerField(_("armor defense"), default=11)
    attack_bonus = models.SmallIntegerField(_("attack bonus"), default=0)
    attacks = models.JSONField(_("attacks"), default=list, blank=True)
    attacks_all = models.BooleanField(_("makes all attacks in a turn"), default=False)
    speed = models.CharField(_("speed"), max_length=80, blank=True)
    morale = models.PositiveSmallIntegerField(
        _("morale"), default=7, validators=[MinValueValidator(2), MaxValueValidator(12)]
    )
    appearing = models.CharField(_("how many appear"), max_length=20, blank=True)
    note = models.TextField(_("note"), blank=True)
    note_es = models.TextField(_("note in Spanish"), blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("monster"), _("monsters")
        ordering: ClassVar = ["level", "name"]


class HirelingKind(Shipped):
    """A trade that can be hired (KN-24): wage in copper a day, and what to start a sheet with."""

    wage = models.PositiveIntegerField(_("wage in copper a day"), default=1)
    level = models.PositiveSmallIntegerField(_("level"), default=0)
    hp = models.PositiveSmallIntegerField(_("hit points"), default=2)
    armor_defense = models.PositiveSmallIntegerField(_("armor defense"), default=11)
    attack_bonus = models.SmallIntegerField(_("attack bonus"), default=0)
    die = models.PositiveSmallIntegerField(_("damage die"), default=6, choices=DICE)
    is_ranged = models.BooleanField(_("is ranged"), default=False, db_default=False)
    morale = models.PositiveSmallIntegerField(_("morale"), default=7)

    class Meta:
        verbose_name, verbose_name_plural = _("kind of hireling"), _("kinds of hirelings")
        ordering: ClassVar = ["wage", "name"]


class TableRow(Shipped):
    """One row of a table that is rolled on: starting gear (KN-3), a trait (KN-7).

    `items` are [article key, count] pairs that the row hands out.
    """

    table = models.SlugField(_("table that is rolled on"), max_length=40, db_index=True)
    low = models.PositiveSmallIntegerField(_("lowest face"), default=1)
    high = models.PositiveSmallIntegerField(_("highest face"), default=1)
    items = models.JSONField(_("items"), default=list, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("row of a table"), _("rows of tables")
        ordering: ClassVar = ["table", "low"]

    @classmethod
    def ranked(cls) -> models.QuerySet[TableRow]:
        """Return the rows as they are rolled on: the host's own before what they overlap."""
        return cls.objects.order_by("-is_own", "low")
