"""A campaign at Erin's table, as tests tell of it: Amy, Martha and Tom play, each on a phone.

``troupe.do(amy, "take_cast", line=2)`` taps, ``troupe.refusal(amy, "open_chapter")`` insists on
being refused. Chapters are brought to a step by tapping all that comes before it, so that a
test begins where its own story does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from django.http import HttpResponse
from django.utils import translation

from campaigns.models import (
    Campaign,
    CastLine,
    Chapter,
    Character,
    Element,
    Holding,
    Interest,
    Member,
    Owed,
    Part,
    Strength,
)
from games import sentences
from games.models import Event, Table
from tests.games.party import Clock, Dice, Person, done, refused
from tests.standing import rows_written

ORACLE = "bronze_and_dust"
DEALT = (1, 1, 1, 1)  # the first card of the deck each time: AH, 2H, 3H, 4H
LINES = ("a priest", "a spearwoman", "the widow", "the soldier", "the collector")
NAMES = {"Amy": "Mekha", "Martha": "Tajie", "Tom": "Amek"}
NPCS = ("Esan", "Fa Il Shar")
OWN_ORACLE = """The Salt Court
# Four kinds of trouble at a court of salt
A queen who has sold her tongue.
The taster, who likes it.
3. Nine drowned ambassadors.
A bell that rings for thieves.
A door that no one built.
"""
# As `tests.games.party.TABLE`.
IN_FRONT = """
    SELECT one.* FROM campaigns_campaign one JOIN games_table at ON at.id = one.table_id
    WHERE at.code = %s AND one.is_in_front
"""
NEWEST = f"""
    SELECT * FROM campaigns_chapter WHERE campaign_id = (SELECT id FROM ({IN_FRONT}) AS it)
    ORDER BY number DESC LIMIT 1
"""
NAMED = f"""
    SELECT * FROM campaigns_character
    WHERE campaign_id = (SELECT id FROM ({IN_FRONT}) AS it) AND name = %s
"""


class Troupe:
    """The cast, and what they have tapped so far."""

    def __init__(self, dice: Dice, clock: Clock) -> None:
        self.dice, self.clock = dice, clock
        self.erin, self.amy = Person("Erin"), Person("Amy")
        self.martha, self.tom = Person("Martha"), Person("Tom")
        self._steps_to: Callable[[str], Troupe | None] | None = None
        self._written: int | None = None

    def gathers(self) -> Self:
        """Erin opens the table, the others sit down, a campaign is begun."""
        table = self.erin.opens_table("The Swan")
        for person in self.players:
            person.joins(table)
        for person in self._people:
            person.has_come()
        self.do(self.erin, "begin_campaign", name="The Salt Road")
        return self

    @property
    def players(self) -> tuple[Person, ...]:
        return (self.amy, self.martha, self.tom)

    @property
    def _people(self) -> tuple[Person, ...]:
        return (self.erin, *self.players)

    # --- tapping ---------------------------------------------------------------------------------

    def do(self, who: Person, action: str, /, **fields: Any) -> HttpResponse:
        """Tap, and insist that it was taken."""
        return done(who.does(action, **fields))

    def refusal(self, who: Person, action: str, /, status: int = 409, **fields: Any) -> str:
        """Tap, insist that it was refused and logged nothing, and return the words."""
        before = self.table.events.count()
        words = refused(who.does(action, **fields), status)
        assert self.table.events.count() == before
        return words

    def undoes(self, kind: str, who: Person | None = None) -> None:
        """Take the newest event of a kind back; the GM takes back what hangs on it too."""
        self.do(who or self.erin, "undo", event=self.last(kind).seq, sure="true")

    # --- what there is ---------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        return self.erin.table

    @property
    def campaign(self) -> Campaign:
        return Campaign.objects.raw(IN_FRONT, [self.erin.code])[0]

    @property
    def chapter(self) -> Chapter:
        """Return the newest chapter."""
        return Chapter.objects.raw(NEWEST, [self.erin.code])[0]

    @property
    def step(self) -> str:
        return self.chapter.step

    def member(self, who: Person | str) -> Member:
        name = who if isinstance(who, str) else who.name
        return self.campaign.members.get(name=name)

    def pc(self, who: Person | str) -> Character:
        """Return whom somebody plays in the newest chapter."""
        return self.part(who).character

    def part(self, who: Person | str) -> Part:
        return self.chapter.parts.select_related("character").get(member=self.member(who))

    def named(self, name: str) -> Character:
        (found,) = Character.objects.raw(NAMED, [self.erin.code, name])
        return found

    def line(self, text: str) -> CastLine:
        return self.chapter.cast_lines.get(text=text)

    @property
    def elements(self) -> list[Element]:
        return list(self.chapter.elements.all())

    def events(self, kind: str) -> list[Event]:
        return list(self.table.events.filter(kind=kind).order_by("seq"))

    def last(self, kind: str) -> Event:
        found = self.events(kind)
        assert found, [e.kind for e in self.table.events.order_by("seq")]
        return found[-1]

    def told(self, kind: str, language: str = "en") -> str:
        """Return the newest event of a kind as the log says it."""
        event = self.last(kind)
        with translation.override(language):
            return sentences.tell(kind, event.data, [])

    # --- bringing a chapter to a step ------------------------------------------------------------

    def may_skip(self, steps_to: Callable[[str], Troupe | None]) -> None:
        """Let the first chapter's steps be put down as rows, as long as nobody did anything."""
        self._steps_to, self._written = steps_to, rows_written()

    def at_step(self, step: str) -> Self:
        """Open the chapter, unless one is under way, and tap everything before a step."""
        if self._steps_to and self._written is not None and self._written == rows_written():
            there = self._steps_to(step)
            if there:
                for mine, theirs in zip(self._people, there._people, strict=True):
                    mine.__dict__.update(theirs.__dict__)
                return self
        if not self.campaign.chapters.exclude(step="over").exists():
            self.do(self.amy, "open_chapter")
        while self.chapter.step != step:
            getattr(self, f"_past_{self.chapter.step}")()
        return self

    def in_play(self) -> Self:
        """Bring the chapter to play: three PCs, two NPCs, a strength, interests."""
        return self.at_step("play")

    def _past_coming_back(self) -> None:
        top = self.campaign.owed.filter(struck="").first()
        assert top
        self.do(self.erin, "bring_back", owed=top.pk, came_back_as="as a ghost")

    @property
    def chooser(self) -> Person:
        """Return who chooses and deals: the returning character's player, or Amy."""
        back = self.chapter.returning
        return next((p for p in self.players if back and p.name == str(back.owner)), self.amy)

    def _past_oracle(self) -> None:
        self.do(self.chooser, "choose_oracle", oracle=ORACLE)

    def _past_pick(self) -> None:
        self.do(self.chooser, "pick_element", text="A road of salt, and nobody on it.")

    def _past_deal(self) -> None:
        count = 4 - self.chapter.elements.filter(is_picked=True).count()
        self.dice.fall(*DEALT[:count])
        self.do(self.chooser, "deal_cards")

    def _past_cast(self) -> None:
        for text in LINES:
            self.do(self.amy, "add_cast", text=text, element=self.elements[0].pk)
        self.do(self.amy, "step_on")

    def _past_choose(self) -> None:
        playing = set(self.chapter.parts.exclude(member=None).values_list("member_id", flat=True))
        for person, text in zip(self.players, LINES, strict=False):
            if self.member(person).pk not in playing:
                self.do(person, "take_cast", line=self.line(text).pk)
        for name, text in zip(NPCS, LINES[3:], strict=True):
            if self.campaign.characters.filter(name=name).exists():
                self.do(self.erin, "bring_npc", character=self.named(name).pk)
            else:
                self.do(self.erin, "make_npc", name=name, line=self.line(text).pk, best="action")
        self.do(self.erin, "step_on")

    def _past_sheets(self) -> None:
        self.sheets()
        self.do(self.erin, "step_on")

    def sheets(self) -> None:
        """Write names, and choices of coming back, as rows: sheets have tests of their own."""
        number = self.chapter.number
        for person in self.players:
            part = self.part(person)
            if part.is_returning:
                Part.objects.filter(pk=part.pk).update(come_back=Part.ComeBack.MEND)
            elif not part.character.name:
                name = NAMES[person.name] + (f" {number}" if number > 1 else "")
                Character.objects.filter(pk=part.character_id).update(name=name)
        if number == 1:
            self.strength(self.pc(self.amy))

    def strength(self, one: Character, name: str = "Hawk's eyes", **more: Any) -> Holding:
        """Put a potent strength on a sheet: covertly, maneuvering."""
        version = {"options": ["potent"], "broad_form": "", "hits_pc": "", "hits_npc": "", **more}
        made = Strength.objects.create(
            campaign=self.campaign,
            number=self.campaign.strengths.count() + 1,
            name=name,
            pc_form="covertly",
            npc_form="maneuvering",
            version=version,
        )
        return Holding.objects.create(strength=made, character=one, version=version)

    def _past_interests(self) -> None:
        self.interests()
        self.do(self.erin, "begin_play")

    def interests(self) -> None:
        """Name what everybody wants, as rows: two for each PC, one for each NPC."""
        parts = list(self.chapter.parts.select_related("character"))
        pcs = [part.character for part in parts if part.character.is_pc]
        for one in (part.character for part in parts):
            target = next(pc for pc in pcs if pc.pk != one.pk)
            for text in ("To be rid of them", "To be feared")[: 2 if one.is_pc else 1]:
                Interest.objects.create(
                    chapter=self.chapter, character=one, text=text, targets=[target.number]
                )

    # --- what a chapter leaves -------------------------------------------------------------------

    def owes(self, *names: str) -> list[Owed]:
        """Write names on the owe list, as a sequence would have (WA-76)."""
        made = []
        for name in names:
            most = self.campaign.owed.count()
            made.append(
                Owed.objects.create(
                    campaign=self.campaign,
                    order=most + 1,
                    character=self.named(name),
                    chapter=self.chapter,
                )
            )
        return made

    def is_over(self) -> Self:
        """End the chapter under way, as rows: how a chapter is closed has tests of its own."""
        Chapter.objects.filter(pk=self.chapter.pk).update(step="over")
        return self

    def played_once(self, *owed: str) -> Self:
        """Have a first chapter behind them, with these names on the owe list."""
        self.in_play()
        self.owes(*owed)
        return self.is_over()


def owed(troupe: Troupe, place: int) -> int:
    """Return the key of the name that stands at this place of the owe list."""
    return troupe.campaign.owed.get(order=place).pk


def joins(troupe: Troupe, name: str) -> Person:
    """Have a newcomer sit down at the table."""
    newcomer = Person(name)
    newcomer.joins(troupe.table)
    return newcomer
