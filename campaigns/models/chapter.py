"""A chapter: its oracle and story sheet, who is in it, what they are after, where it plays."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import LINE, NAME, STORY, Campaign, Member
from campaigns.models.character import Character
from games.models.undoable import Undoable

PROSE = 60_000


class Chapter(Undoable):
    """One session's story (WA-1). `number` is its place in play, `story_order` its place in time.

    `oracle` is a shipped oracle's id or `own-<key>`; the elements hold their own
    words, so that the records do not depend on the oracle. `declined` are the
    places on the owe list whose player would rather not come back now (WA-87).
    `told` is the chronicle as people have rewritten it; empty, it is written
    from what happened.
    """

    class Step(models.TextChoices):
        COMING_BACK = "coming_back", _("Who comes back?")  # of those on the owe list (WA-85)
        ORACLE = "oracle", _("Choose an oracle")
        PICK = "pick", _("Pick an element")  # the returning character's player does (WA-86)
        DEAL = "deal", _("Deal the cards")
        CAST = "cast", _("Who is in this story?")  # elements are read for characters (WA-8)
        CHOOSE = "choose", _("Choose whom you play")
        SHEETS = "sheets", _("Make your characters")
        INTERESTS = "interests", _("Name best interests")
        PLAY = "play", _("Play")
        CLOSING = "closing", _("The chapter ends")
        OVER = "over", _("Over")

    class Placement(models.TextChoices):
        AFTER = "after", _("after another chapter")
        BEFORE = "before", _("before another chapter")
        SAME = "same_time", _("at the same time as another chapter")
        UNKNOWN = "unknown", _("nobody knows when")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="chapters")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=NAME, blank=True)
    step = models.CharField(max_length=11, choices=Step.choices, default=Step.ORACLE)
    oracle = models.CharField(max_length=40, blank=True)
    oracle_title = models.CharField(max_length=NAME, blank=True)
    chooser = models.ForeignKey(Member, models.SET_NULL, null=True, blank=True, related_name="+")
    returning = models.ForeignKey(
        Character, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    placement = models.CharField(max_length=9, choices=Placement.choices, default=Placement.UNKNOWN)
    beside = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="+")
    when_and_where = models.CharField(max_length=LINE, blank=True)
    story_order = models.FloatField(default=0)
    end_note = models.TextField(max_length=STORY, blank=True)
    told = models.TextField(max_length=PROSE, blank=True)
    declined = models.JSONField(default=list, blank=True)
    gm_name = models.CharField(max_length=NAME, blank=True)
    began_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("chapter"), _("chapters")
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "number"], name="chapters_are_numbered")
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.title}"

    @property
    def is_setting_up(self) -> bool:
        return self.step not in SET_UP

    @property
    def is_listing(self) -> bool:
        """Tell whether the list of characters can be added to (WA-8)."""
        return self.step in LISTING


CHOOSING = (Chapter.Step.CAST, Chapter.Step.CHOOSE)
"""The steps in which people are read out of the elements, and taken up (WA-8, WA-11)."""

LISTING = (*CHOOSING, Chapter.Step.SHEETS, Chapter.Step.INTERESTS)
"""The steps of the setup in which there is a list of characters."""

LATE = (Chapter.Step.SHEETS, Chapter.Step.INTERESTS, Chapter.Step.PLAY)
"""The steps after the choosing in which whoever plays nobody can still take somebody up (WA-11)."""

SET_UP = (Chapter.Step.PLAY, Chapter.Step.CLOSING, Chapter.Step.OVER)
"""The steps after the setup."""


class Element(Undoable):
    """One of a chapter's elements (WA-7).

    `card` is what was dealt, or an entry's number where the oracle has no cards;
    an element in somebody's own words has none.
    """

    chapter = models.ForeignKey(Chapter, models.CASCADE, related_name="elements")
    order = models.PositiveSmallIntegerField()
    card = models.CharField(max_length=4, blank=True)
    text = models.CharField(max_length=400)
    implied = models.JSONField(default=list, blank=True)
    cautions = models.JSONField(default=list, blank=True)
    is_picked = models.BooleanField(default=False)
    is_struck = models.BooleanField(default=False)  # by somebody's stop (WA-4)

    class Meta:
        ordering: ClassVar = ["order", "id"]

    def __str__(self) -> str:
        return self.text


class CastLine(Undoable):
    """A line of the character list (WA-10). `elements` are the orders of those it comes from."""

    class How(models.TextChoices):
        EXPLICIT = "explicit"
        IMPLIED = "implied"

    class State(models.TextChoices):
        OPEN = "open"
        CHOSEN = "chosen"
        NPC = "npc"
        DROPPED = "dropped"

    chapter = models.ForeignKey(Chapter, models.CASCADE, related_name="cast_lines")
    text = models.CharField(max_length=LINE)
    elements = models.JSONField(default=list, blank=True)
    how = models.CharField(max_length=8, choices=How.choices, default=How.EXPLICIT)
    state = models.CharField(max_length=7, choices=State.choices, default=State.OPEN)
    same_as = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="+")
    taken_by = models.ForeignKey(Member, models.SET_NULL, null=True, blank=True, related_name="+")
    wanted_by = models.JSONField(default=list, blank=True)  # members' numbers, when they clash
    character = models.ForeignKey(
        Character, models.SET_NULL, null=True, blank=True, related_name="cast_lines"
    )

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.text

    @property
    def is_spoken_for(self) -> bool:
        """Tell whether somebody plays this one: a player, or the GM."""
        return self.taken_by_id is not None or self.state == self.State.NPC

    def is_worded_by(self, one: Member | None) -> bool:
        """Tell whether this member says who this one is: nobody else has chosen them (WA-9)."""
        return self.taken_by_id in (None, one.pk if one else None)

    def is_wanted_by(self, one: Member) -> bool:
        """Tell whether this member would like to play the one whom another has taken (WA-11)."""
        return one.number in self.wanted_by

    def drop_wish(self, one: Member) -> None:
        """Take a member out of those who would like to play this one as well."""
        self.wanted_by = [number for number in self.wanted_by if number != one.number]


class Part(Undoable):
    """A character in a chapter: who played her, how she came back, how her sheet was and became.

    `before` and `after` are sheets as values (`campaigns.services.sheets.sheet_value`):
    what the records show of dice and strengths over time (WA-83).
    """

    class ComeBack(models.TextChoices):
        NONE = ""
        MEND = "mend"
        STRENGTH = "strength"
        MORE = "more"
        GROW = "grow"

    chapter = models.ForeignKey(Chapter, models.CASCADE, related_name="parts")
    character = models.ForeignKey(Character, models.CASCADE, related_name="parts")
    member = models.ForeignKey(Member, models.SET_NULL, null=True, blank=True, related_name="parts")
    is_returning = models.BooleanField(default=False)
    come_back = models.CharField(
        max_length=8, choices=ComeBack.choices, default=ComeBack.NONE, blank=True
    )
    came_back_as = models.CharField(max_length=LINE, blank=True)  # the dead say how (WA-95)
    is_ready = models.BooleanField(default=False)
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)
    epilogue = models.TextField(max_length=STORY, blank=True)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chapter", "character"], name="one_part_a_chapter")
        ]

    def __str__(self) -> str:
        return f"{self.character_id} in {self.chapter_id}"


class Interest(Undoable):
    """A best interest (WA-35). `targets` are the numbers of the characters it is tagged with."""

    class State(models.TextChoices):
        OPEN = "open"
        ACHIEVED = "achieved"
        LOST = "lost"
        MOOT = "moot"

    chapter = models.ForeignKey(Chapter, models.CASCADE, related_name="interests")
    character = models.ForeignKey(Character, models.CASCADE, related_name="interests")
    text = models.CharField(max_length=LINE)
    targets = models.JSONField(default=list, blank=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.text


class Scene(Undoable):
    """Where, who, what is up (WA-38). `who` are characters' numbers."""

    chapter = models.ForeignKey(Chapter, models.CASCADE, related_name="scenes")
    where = models.CharField(max_length=LINE)
    what = models.CharField(max_length=LINE, blank=True)
    who = models.JSONField(default=list, blank=True)
    is_current = models.BooleanField(default=False)
    is_over = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.where
