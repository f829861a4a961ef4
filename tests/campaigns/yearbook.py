"""Campaigns of any age, without anybody having to play them: as values of the file's format.

``year(100)`` is a hundred chapters of the same make, the last one under way, with the worked
duel fought five times in each; ``brought_in(table, year(3))`` puts it on a table, and
``logged(campaign)`` gives the table the log that such years leave.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from django.db import transaction

from campaigns.models import Campaign, Character, Moment
from campaigns.services import file_format as ff
from campaigns.services.file_import import bring_in
from campaigns.services.file_rows import Rows
from campaigns.services.sequence_log import Teller
from games.models import Event, Play, Table
from games.rules import records
from games.stored import encode

DUEL = Path(__file__).parent.parent / "playthroughs" / "wicked_sequence-duel.jsonl"
BEGAN = datetime(2020, 3, 1, 19, tzinfo=UTC)
PLAYERS = ("Amy", "Martha", "Tom")
FIGHTS, NPCS, STANDING = 5, 2, 6
PCS = ("Amek", "Mekha", "Tajie", "Íñigo Peñón", "Óskar", "Ruth “Rue” O'Dell")
WANTS = ("To be feared in Tuar", "To keep the well", "To be rid of them all")
SAID = "¡El pozo, año %s!"
ELEMENTS = (
    "A well that gives salt water, and its keeper.",
    "The burning of the reed ships at Ennu.",
    "A spearwoman, 100% sure of her cause.",
    "Two widows who share one garden.",
)


def year(chapters: int = 3, *, moments: int = 200, is_over: bool = False) -> ff.CampaignValue:
    """Return a campaign of so many chapters with so many moments each."""
    members = [ff.MemberValue(number=1, name="Erin", is_gm=True)]
    members += [ff.MemberValue(number=n, name=name) for n, name in enumerate(PLAYERS, 2)]
    return ff.CampaignValue(
        name="The Salt Road",
        began_at=BEGAN.isoformat(),
        members=members,
        characters=[_pc(n, name) for n, name in enumerate(PCS, 1)]
        + [_npc(number) for n in range(1, chapters + 1) for number in npcs_of(n)],
        strengths=[_strength(n) for n in range(1, max(chapters, len(PCS)) + 1)],
        holdings=[
            ff.HoldingValue(strength=n, character=n, version=POTENT) for n in range(1, len(PCS) + 1)
        ],
        chapters=[_chapter(n, moments) for n in range(1, chapters)]
        + [_chapter(chapters, moments, is_over=is_over)],
        owed=list(_owed(chapters)),
    )


def brought_in(table: Table, value: ff.CampaignValue) -> Campaign:
    """Put a campaign in front at a table."""
    table.campaigns.filter(is_in_front=True).update(is_in_front=False)
    with transaction.atomic():
        made = bring_in(table, Rows(value))
    Campaign.objects.filter(pk=made.pk).update(is_in_front=True)
    return Campaign.objects.get(pk=made.pk)


def logged(campaign: Campaign) -> None:
    """Give the table a play and an event for each moment, as if it had all been played here."""
    table = campaign.table
    moments = list(Moment.objects.filter(chapter__campaign=campaign).order_by("pk"))
    first = table.seq + 1
    plays = Play.objects.bulk_create(
        [
            Play(table=table, tap=f"year-{seq}", action={"action": "make_move"}, seq=seq)
            for seq in range(first, first + len(moments))
        ]
    )
    Event.objects.bulk_create(
        [
            Event(table=table, seq=play.seq, play=play, kind=one.kind, data=one.data)
            for play, one in zip(plays, moments, strict=True)
        ]
    )
    Table.objects.filter(pk=table.pk).update(seq=first + len(moments) - 1)


# --- people --------------------------------------------------------------------------------------
POTENT = {"options": ["potent"], "broad_form": "", "hits_pc": "", "hits_npc": ""}
PC_DICE = {"covertly": 8, "directly": 10, "for_myself": 4, "for_others": 6, "with_love": 6,
           "with_violence": 12}  # fmt: skip
NPC_DICE = {"action": [12, 8], "maneuvering": [10, 6], "self_protection": [6, 4]}


def forms(dice: dict[str, Any], **now: Any) -> dict[str, Any]:
    """Return dice as a sheet has them, some of them worn."""
    return {form: {"base": die, "current": now.get(form, die)} for form, die in dice.items()}


def pcs_of(chapter: int) -> list[int]:
    """Return the numbers of a chapter's three PCs: the years pass them round."""
    return [(chapter + step) % len(PCS) + 1 for step in range(3)]


def npcs_of(chapter: int) -> list[int]:
    """Return the numbers of a chapter's NPCs, who are new each time."""
    first = len(PCS) + (chapter - 1) * NPCS + 1
    return list(range(first, first + NPCS))


def name_of(number: int) -> str:
    return PCS[number - 1] if number <= len(PCS) else f"Esan {number}"


def _pc(number: int, name: str) -> ff.CharacterValue:
    return ff.CharacterValue(
        number=number,
        kind="pc",
        name=name,
        description="One of the reed people.",
        forms=forms(PC_DICE, directly=8),
        owner=(number - 1) % len(PLAYERS) + 2,
    )


def _npc(number: int) -> ff.CharacterValue:
    return ff.CharacterValue(number=number, kind="npc", name=name_of(number), forms=forms(NPC_DICE))


def _strength(number: int) -> ff.StrengthValue:
    return ff.StrengthValue(
        number=number,
        name=f"Hawk's eyes {number}",
        description="She sees what nobody sees.",
        pc_form="covertly",
        npc_form="maneuvering",
        version=POTENT,
    )


# --- chapters ------------------------------------------------------------------------------------
def _chapter(number: int, moments: int, *, is_over: bool = True) -> ff.ChapterValue:
    began = BEGAN + timedelta(weeks=number)
    sequences = [_sequence(number, n, began) for n in range(1, FIGHTS + 1)]
    if not is_over:
        sequences[-1] = _sequence(number, FIGHTS, began, is_over=False)
    return ff.ChapterValue(
        number=number,
        step="over" if is_over else "play",
        began_at=began.isoformat(),
        ended_at=(began + timedelta(hours=4)).isoformat() if is_over else None,
        title=f"The well at Tuar {number}",
        oracle="bronze_and_dust",
        oracle_title="Bronze and Dust",
        chooser=2,
        placement="before" if number > 1 and number % 3 == 0 else "unknown",
        beside=number - 1 if number > 1 and number % 3 == 0 else None,
        when_and_where="the year of the flood",
        story_order=number - 1.5 if number % 3 == 0 else number,
        end_note="The sun went down on it." if is_over else "",
        gm_name="Erin",
        elements=[
            ff.ElementValue(order=n, card=f"{n + 1}H", text=text, implied=["a keeper"])
            for n, text in enumerate(ELEMENTS, 1)
        ],
        cast=_cast(number),
        parts=list(_parts(number, is_over=is_over)),
        interests=_interests(number),
        scenes=[
            ff.SceneValue(where=f"At the well, {n}", who=pcs_of(number)[:2], is_over=True)
            for n in range(1, 5)
        ],
        sequences=sequences,
        moments=list(_moments(number, moments, began)),
    )


def _interests(number: int) -> list[ff.InterestValue]:
    """Two for each PC, and one for each NPC."""
    pcs = pcs_of(number)
    return [
        ff.InterestValue(
            character=one,
            text=WANTS[place % len(WANTS)] + (", for good" if place in range(3, 6) else ""),
            targets=[pcs[(place + 1) % 3]],
            state=("achieved", "lost", "open", "moot")[place % 4],
        )
        for place, one in enumerate([*pcs, *pcs, *npcs_of(number)])
    ]


def _cast(number: int) -> list[ff.CastValue]:
    taken = zip(("the keeper", "a widow", "a soldier"), pcs_of(number), (2, 3, 4), strict=True)
    lines = [
        ff.CastValue(text=text, elements=[1], state="chosen", taken_by=player, character=one)
        for text, one, player in taken
    ]
    lines += [
        ff.CastValue(text=f"a captain {one}", state="npc", how="implied", character=one)
        for one in npcs_of(number)
    ]
    return [*lines, ff.CastValue(text="the other widow", state="dropped", same_as=1)]


def _parts(number: int, *, is_over: bool) -> Iterator[ff.PartValue]:
    for place, one in enumerate(pcs_of(number)):
        held = {"number": one, "name": f"Hawk's eyes {one}", "options": ["potent"], "die": 10}
        sheet = {"forms": forms(PC_DICE), "strengths": [held], "state": "active"}
        yield ff.PartValue(
            character=one,
            member=place + 2,
            is_returning=number > 2,
            come_back="mend" if number > 2 else "",
            is_ready=True,
            before=sheet,
            after={**sheet, "forms": forms(PC_DICE, directly=8)} if is_over else {},
            epilogue="She went up the river again." if is_over and place == 0 else "",
        )
    for one in npcs_of(number):
        yield ff.PartValue(character=one, is_ready=True)


# --- fights --------------------------------------------------------------------------------------
@cache
def duel(lines: int = 0) -> tuple[str, str, str, tuple[tuple[str, dict[str, Any]], ...]]:
    """Return the worked duel: set-up, state and record, and what is told of it.

    Whoever fights is called `c1` and `c2`, Amek and Mekha; `lines` is where it stops.
    """
    text = DUEL.read_text()
    for ref, name in (("c1", "Amek"), ("c2", "Mekha")):
        text = text.replace(f'"id": "{name}"', f'"id": "{ref}", "name": "~{name}"', 1)
        text = text.replace(f'"{name}"', f'"{ref}"')
    read = text.splitlines(keepends=True)[: lines or None]
    game = list(records.read([line.encode() for line in read]))
    people: Any = {"c1": Character(name="Amek"), "c2": Character(name="Mekha")}
    change: Any = SimpleNamespace(play=SimpleNamespace(is_real=False))
    teller = Teller(change, change, people)
    happened: list[Any] = [event for moment in game for event in moment.events]
    told = tuple(teller._told(event) for event in happened)
    return encode(game[0].table), encode(game[-1].state), "".join(read), told


def _renamed(text: str, number: int) -> str:
    one, other = pcs_of(number)[:2]
    for name, new in (("c1", f"c~{one}"), ("c2", f"c~{other}"), ("amy", "m2"), ("martha", "m3"),
                      ("~Amek", name_of(one)), ("~Mekha", name_of(other))):  # fmt: skip
        text = text.replace(f'"{name}"', f'"{new}"')
    return text.replace("c~", "c")


def _sequence(
    chapter: int, number: int, began: datetime, *, is_over: bool = True
) -> ff.SequenceValue:
    setup, state, record, _told = duel() if is_over else duel(6)
    return ff.SequenceValue(
        number=number,
        act=f"Pulls him out of the boat by his hair, {number}",
        actor=pcs_of(chapter)[0],
        scene=number % 4,
        began_at=began.isoformat(),
        is_over=is_over,
        game=ff.GameValue(
            status="over" if is_over else "playing",
            setup=_renamed(setup, chapter),
            state=_renamed(state, chapter),
            record=_renamed(record, chapter),
            winners=[name_of(pcs_of(chapter)[0])] if is_over else [],
            started_at=began.isoformat(),
        ),
    )


def _moments(chapter: int, count: int, began: datetime) -> Iterator[ff.MomentValue]:
    told = [("play_begun", {"number": chapter, "title": f"The well at Tuar {chapter}"}, None)]
    for number in range(1, FIGHTS + 1):
        told.append(
            ("scene_opened", {"where": f"At the well, {number}", "names": [], "what": ""}, None)
        )
        told += [(kind, data, number) for kind, data in duel()[3]]
        told.append(("move_made", {"name": "Tajie", "says": SAID % chapter, "others": []}, number))
    for place in range(count):
        kind, data, sequence = told[place % len(told)]
        at = (began + timedelta(minutes=place)).isoformat()
        yield ff.MomentValue(kind=kind, data=data, at=at, sequence=sequence)


def _owed(chapters: int) -> Iterator[ff.OwedValue]:
    """Two names a chapter: one struck for a die, one for the next chapter; the last ones stand."""
    count = 2 * chapters
    for order in range(1, count + 1):
        born = (order + 1) // 2
        is_standing = order > count - STANDING or born == chapters
        for_die = {"struck": "die", "struck_sequence": (born + 1, 1), "struck_round": 2}
        struck = for_die if order % 2 else {"struck": "chapter", "struck_chapter": born + 1}
        yield ff.OwedValue(
            order=order,
            character=pcs_of(born)[order % 2],
            chapter=born,
            sequence=(born, 1),
            **({} if is_standing else struck),
        )
