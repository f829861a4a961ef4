"""A campaign with everything in it, brought to every place where something can be done.

``saga.at("settle")``: Amy's Mekha has won over Martha's Tajie. Amy is whom things are about, Tom
anybody else, Erin the GM. Tess is the tablet, Kim waits at the door, Gus has left. Nell plays
without a phone, and is away; a campaign of older days waits behind the one in front.
"""

from __future__ import annotations

from typing import Any, Self

from django.urls import reverse

from campaigns import urls
from campaigns.models import (
    Campaign,
    CastLine,
    Chapter,
    Character,
    Element,
    Holding,
    Interest,
    Member,
    Offer,
    Owed,
    OwnOracle,
    Part,
    Scene,
    Sequence,
    Strength,
)
from games.models import Device, Game, House, Table
from tests.campaigns.brawl import Brawl
from tests.campaigns.troupe import LINES, NAMES, NPCS, Troupe
from tests.games.every_row import EveryRow
from tests.games.party import Person, done

Fields = dict[str, Any]

OWN = (
    "The Salt Court\n# Four kinds of trouble\n\nA queen.\nThe taster.\nA ford.\nNine drowned men.\n"
)

STRENGTH = {
    "name": "Silver tongue",
    "pc_form": "with_love",
    "npc_form": "maneuvering",
    "option": "potent",
}

BEFORE: dict[str, str] = {
    "begun": "bare",
    "oracle": "begun",
    "deal": "oracle",
    "cast": "deal",
    "choose": "cast",
    "sheets": "choose",
    "interests": "sheets",
    "play": "interests",
    "dice": "play",
    "roll": "dice",
    "tie": "roll",
    "turn": "roll",
    "settle": "turn",
    "offer": "settle",
    "between": "turn",
    "answer": "roll",
    "crowd": "play",
    "closing": "play",
    "over": "closing",
    "coming_back": "over",
    "pick": "coming_back",
    "deal_three": "pick",
    "former": "coming_back",
    "back": "deal_three",
    "chosen": "back",
}
"""By the name of every place: the place before it, from which one tap or a few lead there."""


class Saga(Troupe):
    """The troupe's table, and everybody who could tap at it."""

    def gathers(self) -> Self:
        """Sit down at a table of In a Wicked Age at which no campaign has begun."""
        table = self.erin.opens_table("The Swan")
        done(self.erin.does("turn_table", rules="wicked_age"))
        self.tess, self.kim, self.gus = Person("Tess"), Person("Kim"), Person("Gus")
        for person in (*self.players, self.gus):
            person.joins(table)
        done(self.gus.does("leave_table"))
        self.tess.joins(table, role="screen")
        done(self.erin.does("set_door", door="ask"))
        self.kim.joins(table)
        done(self.erin.does("set_door", door="open"))
        for person in (self.erin, *self.players, self.tess, self.kim, self.gus):
            person.has_come()
        return self

    def goes_to(self, place: str) -> Self:
        """Go on from the place before this one."""
        getattr(self, f"_to_{place}")()
        return self

    # --- a first chapter -------------------------------------------------------------------------

    def _to_begun(self) -> None:
        self.do(self.erin, "begin_campaign", name="The Old War")
        self.do(self.erin, "begin_campaign", name="The Salt Road")
        self.do(self.erin, "add_member", name="Nell")
        self.do(self.erin, "mark_away", member=self.member("Nell").pk)
        self.do(self.amy, "write_oracle", text=OWN)

    def _to_oracle(self) -> None:
        self.do(self.amy, "open_chapter")

    def _to_deal(self) -> None:
        self._past_oracle()

    def _to_cast(self) -> None:
        self._past_deal()
        for text in LINES:
            self.do(self.amy, "add_cast", text=text, element=self.elements[0].pk)

    def _to_choose(self) -> None:
        self.do(self.amy, "step_on")
        priest = self.line("a priest").pk
        self.do(self.amy, "take_cast", line=priest)
        self.do(self.martha, "take_cast", line=priest)

    def _to_sheets(self) -> None:
        line = {text: self.line(text).pk for text in LINES}
        self.do(self.martha, "leave_cast", line=line["a priest"])
        self.do(self.martha, "take_cast", line=line["a spearwoman"])
        self.do(self.tom, "take_cast", line=line["the widow"])
        for name, text in zip(NPCS, LINES[3:], strict=True):
            self.do(self.erin, "make_npc", name=name, line=line[text])
        self.do(self.erin, "step_on")
        self.sheets()

    def sheets(self) -> None:
        """Write names onto the sheets, and a strength onto Tom's."""
        for person in self.players:
            name = NAMES[person.name]
            self.do(person, "write_sheet", character=self.pc(person).pk, name=name)
        self.do(self.tom, "new_strength", character=self.pc(self.tom).pk, **STRENGTH)

    def _to_interests(self) -> None:
        tongue = self.campaign.strengths.get().pk
        self.do(self.amy, "take_strength", character=self.pc(self.amy).pk, strength=tongue)
        self.do(self.erin, "step_on")
        self.interests()

    def interests(self) -> None:
        """Name what everybody wants: two for each PC, one for each NPC."""
        for part in self.chapter.parts.select_related("character"):
            one = part.character
            for text in ("To be rid of them", "To be feared")[: 2 if one.is_pc else 1]:
                self.do(self.erin, "name_interest", character=one.pk, text=text)

    def _to_play(self) -> None:
        self.do(self.erin, "begin_play")
        self.do(self.erin, "open_scene", where="The ford")
        self.do(self.erin, "open_scene", where="The camp")
        for name in ("Mekha", "Amek"):
            self.do(self.erin, "owe_name", character=self.named(name).pk)

    # --- dice ------------------------------------------------------------------------------------

    @property
    def fight(self) -> Brawl:
        """Return the newest sequence."""
        brawl = Brawl(self)
        newest = Sequence.objects.order_by("-pk").first()
        brawl.key = newest.pk if newest else 0
        return brawl

    def _to_dice(self) -> None:
        self.fight.begins("Mekha", "Tajie")

    def _to_roll(self) -> None:
        for name in ("Mekha", "Tajie"):
            self.fight.takes(name, "covertly", "directly")

    def _to_tie(self) -> None:
        self.fight.rolls("Mekha", 9, 3).rolls("Tajie", 9, 3)

    def _to_turn(self) -> None:
        self.fight.rolls("Mekha", 12, 3).rolls("Tajie", 5, 2)

    def _to_settle(self) -> None:
        self.fight.moves("Mekha", "Tajie", says="Cuts the rope").rolls("Tajie", 2, 1)

    def _to_offer(self) -> None:
        self.fight.offers("Tajie", "Mekha", "Tajie", forms=["with_love"], says="Let me go")

    def _to_between(self) -> None:
        self.fight.moves("Mekha", "Tajie").rolls("Tajie", 11, 2)

    def _to_answer(self) -> None:
        self.fight.rolls("Mekha", 5, 2).rolls("Tajie", 12, 3).moves("Tajie", "Mekha")

    def _to_crowd(self) -> None:
        """Tajie goes for Esan, and Mekha stands by."""
        fight = self.fight.begins("Tajie", "Mekha", "Esan")
        fight.takes("Mekha", "covertly", "directly").takes("Tajie", "covertly", "directly")
        fight.takes("Esan", "action")
        fight.rolls("Mekha", 5, 2).rolls("Tajie", 12, 3).rolls("Esan", 4, 2)
        fight.moves("Tajie", "Esan")

    # --- its end, and a second chapter -----------------------------------------------------------

    def _to_closing(self) -> None:
        self.do(self.erin, "propose_end")

    def _to_over(self) -> None:
        self.do(self.erin, "end_chapter")

    def _to_coming_back(self) -> None:
        self.do(self.erin, "mark_away", member=self.member("Nell").pk)
        self.do(self.amy, "open_chapter")

    def _to_pick(self) -> None:
        self.do(self.amy, "bring_back", owed=self.owed("Mekha"))
        self._past_oracle()

    def _to_deal_three(self) -> None:
        self._past_pick()

    def _to_former(self) -> None:
        """Mekha's player would rather not, so Amek is first; Mekha can still be chosen."""
        self.do(self.amy, "decline_return", owed=self.owed("Mekha"))
        self.do(self.tom, "bring_back", owed=self.owed("Amek"))
        self.at_step("choose")

    def _to_back(self) -> None:
        """Mekha is back, and what she has come back with is hers to choose."""
        self._past_deal()
        self._past_cast()
        for person, text in ((self.martha, "a priest"), (self.tom, "a spearwoman")):
            self.do(person, "take_cast", line=self.line(text).pk)
        self.do(self.erin, "step_on")

    def _to_chosen(self) -> None:
        fields = {
            "character": self.named("Mekha").pk,
            "choice": "grow",
            "which_form": "with_violence",
        }
        self.do(self.amy, "come_back", **fields)

    # --- what is spoken of -----------------------------------------------------------------------

    def owed(self, name: str) -> int:
        return self.campaign.owed.filter(struck="", character__name=name).first().pk

    @property
    def saw(self) -> int:
        """The question that the newest dice ask."""
        return self.fight.scene


def a_row_of_each(campaign: Campaign, game: Game) -> dict[str, int]:
    """Write a row of every kind into a campaign; return their keys by the fields that name them."""
    number = campaign.chapters.count() + 1
    chapter = Chapter.objects.create(campaign=campaign, number=number, step="over")
    one = Character.objects.create(campaign=campaign, number=77, name="Theirs", owner=None)
    Part.objects.create(chapter=chapter, character=one)
    strength = Strength.objects.create(
        campaign=campaign, number=77, name="Theirs", pc_form="covertly", npc_form="action",
        version={"options": ["potent"], "broad_form": "", "hits_pc": "", "hits_npc": ""},
    )  # fmt: skip
    rows = {
        "line": CastLine.objects.create(chapter=chapter, text="theirs"),
        "element": Element.objects.create(chapter=chapter, order=1, text="Theirs"),
        "interest": Interest.objects.create(chapter=chapter, character=one, text="Theirs"),
        "scene": Scene.objects.create(chapter=chapter, where="Theirs"),
        "owed": Owed.objects.create(campaign=campaign, order=77, character=one, chapter=chapter),
        "holding": Holding.objects.create(
            strength=strength, character=one, version=strength.version
        ),
        "sequence": Sequence.objects.create(
            chapter=chapter, number=1, game=game, act="Theirs", actor=one
        ),
        "member": Member.objects.create(campaign=campaign, number=77, name="Theirs"),
        "strength": strength,
        "chapter": chapter,
        "beside": chapter,
    }
    rows["offer"] = Offer.objects.create(
        sequence=rows["sequence"], by=one.ref, winner=one.ref, loser=one.ref
    )
    keys = {name: row.pk for name, row in rows.items()}
    people = ("character", "actor", "who", "to", "loser", "targets", "leave", "other")
    return {**keys, **dict.fromkeys(people, one.pk)}


def an_oracle_of(table: Table) -> int:
    return OwnOracle.objects.create(table=table, title="Theirs", entries=[]).pk


def paths(saga: Saga) -> list[str]:
    """Return the address of every page that campaigns have."""
    own = f"own-{saga.table.oracles.get().pk}"
    given = {"number": 1, "sequence": 1, "oracle": own, "kind": "text", "code": saga.table.code}
    found = []
    for pattern in urls.urlpatterns:
        wanted = {name: given[name] for name in pattern.pattern.regex.groupindex}
        found.append(reverse(str(pattern.name), kwargs=wanted))
    return found


all_rows = EveryRow("games", "campaigns", without=(House, Device))
"""Every row of every table, but for who has looked in."""


def grows(saga: Saga, chapters: int) -> None:
    """Let a campaign be old: so many chapters behind it, names on the list, people."""
    campaign = saga.campaign
    most = campaign.chapters.count()
    Chapter.objects.bulk_create(
        Chapter(campaign=campaign, number=1000 + n, step="over") for n in range(chapters)
    )
    Chapter.objects.filter(campaign=campaign, step="play").update(number=5000)
    Character.objects.bulk_create(
        Character(campaign=campaign, number=1000 + n, kind="npc", name=f"Late {n}")
        for n in range(chapters * 2)
    )
    pc = saga.named("Mekha")
    Owed.objects.bulk_create(
        Owed(campaign=campaign, order=1000 + n, character=pc) for n in range(chapters // 4)
    )
    assert campaign.chapters.count() == most + chapters, most
