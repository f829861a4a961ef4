"""A campaign's file that is whole and breaks a rule is refused, and told where and which.

`test_spoilt_files` has what is damaged. What people and GMs could have done by the rules comes in:
`test_files_of_play`.
"""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.campaigns.conftest import SagaAt
from tests.campaigns.parcel import Plain, brings, running, sealed, year
from tests.campaigns.saga import all_rows
from tests.games.party import done, notice

KNAVES = Path(__file__).parent.parent / "playthroughs" / "knave_fight-ambush.jsonl"
Spoil = Callable[[Plain], Any]


def _part(plain: Plain, place: int = 0, chapter: int = 0) -> Plain:
    found: Plain = plain["chapters"][chapter]["parts"][place]
    return found


def _held(plain: Plain) -> Plain:
    found: Plain = plain["holdings"][0]
    return found


def _over(plain: Plain) -> Plain:
    found: Plain = plain["chapters"][0]["sequences"][0]["game"]
    return found


# By the rules, with what is said of each: where in the file, and why.
AGAINST_THE_RULES: dict[str, tuple[Spoil, tuple[str, ...]]] = {
    # sheets (WA-13, WA-15, WA-17, WA-68)
    "a PC of five forms": (
        lambda p: p["characters"][0]["forms"].pop("covertly"),
        ("the character Amek", "six forms"),
    ),
    "an NPC of two forms": (
        lambda p: p["characters"][6]["forms"].pop("action"),
        ("the character Esan 7", "three forms"),
    ),
    "a form made with no die": (
        lambda p: p["characters"][0]["forms"]["covertly"].update(base=0, current=0),
        ("the character Amek", "at least d4"),
    ),
    "a die larger than it was made": (
        lambda p: p["characters"][0]["forms"]["covertly"].update(current=12),
        ("the character Amek", "larger than it was made"),
    ),
    "a pair larger than it was made": (
        lambda p: p["characters"][6]["forms"]["action"].update(current=[12, 10]),
        ("the character Esan 7", "larger than it was made"),
    ),
    "such a sheet in the archive": (
        lambda p: _part(p)["after"]["forms"].pop("covertly"),
        ("chapter 1", "the part of Mekha", "six forms"),
    ),
    # whose (WA-11, WA-12)
    "a PC without an owner": (
        lambda p: p["characters"][0].update(owner=None),
        ("the character Amek", "belongs to a player"),
    ),
    "an NPC with one": (
        lambda p: p["characters"][6].update(owner=2),
        ("the character Esan 7", "belong to no player"),
    ),
    "a PC lent to her owner": (
        lambda p: p["characters"][0].update(lent_to=2),
        ("the character Amek", "lent to somebody else"),
    ),
    "a PC played by nobody": (
        lambda p: _part(p).update(member=None),
        ("chapter 1", "the part of Mekha", "played by somebody"),
    ),
    "an NPC played by a player": (
        lambda p: _part(p, -1).update(member=2),
        ("chapter 1", "the part of Esan 8", "by the GM"),
    ),
    "two characters of one player": (
        lambda p: _part(p, 1, chapter=1).update(member=2),
        ("chapter 2", "one character in a chapter"),
    ),
    # strengths (WA-19 to 25, WA-29, WA-102, WA-103)
    "a new strength of two options": (
        lambda p: p["strengths"][0]["version"].update(options=["potent", "far_reaching"]),
        ("the strength Hawk's eyes 1", "exactly one option"),
    ),
    "doubly potent and not potent": (
        lambda p: _held(p)["version"].update(options=["doubly_potent"]),
        ("the strengths of Amek", "potent before it is doubly potent"),
    ),
    "an option taken twice": (
        lambda p: _held(p)["version"].update(options=["potent", "potent"]),
        ("the strengths of Amek", "every option is taken once"),
    ),
    "five options": (
        lambda p: _held(p)["version"].update(
            options=["potent", "doubly_potent", "far_reaching", "unique", "broad"],
            broad_form="directly",
        ),
        ("the strengths of Amek", "four options"),
    ),
    "another option than it was written with": (
        lambda p: _held(p)["version"].update(options=["far_reaching"]),
        ("the strengths of Amek", "keeps what the strength began with"),
    ),
    "the same strength twice": (
        lambda p: p["holdings"].append(p["holdings"][0]),
        ("the strengths of Amek", "the same strength twice"),
    ),
    "an NPC's copy that grew": (
        lambda p: p["holdings"].append(
            {"strength": 1, "character": 7, "version": {"options": ["potent", "far_reaching"]}}
        ),
        ("the strengths of Esan 7", "does not grow"),
    ),
    "an NPC of two strengths": (
        lambda p: p["holdings"].extend(
            {"strength": n, "character": 7, "version": p["strengths"][0]["version"]} for n in (1, 2)
        ),
        ("the strengths of Esan 7", "one particular strength"),
    ),
    "a unique strength of two": (
        lambda p: p["holdings"].append(
            {"strength": 1, "character": 2, "version": {"options": ["potent", "unique"]}}
        ),
        ("the strength Hawk's eyes 1", "unique"),
    ),
    "a strength of another die": (
        lambda p: _part(p)["after"]["strengths"][0].update(die=12),
        ("chapter 1", "the part of Mekha", "what its options say"),
    ),
    # the owe list (WA-76, WA-81)
    "an NPC who is owed": (
        lambda p: p["owed"][0].update(character=7),
        ("the owe list", "place 1", "never owed a chapter"),
    ),
    "two names at one place": (
        lambda p: p["owed"].append(p["owed"][0]),
        ("the owe list", "same place"),
    ),
    "a name that stands and was struck": (
        lambda p: p["owed"][0].update(struck_chapter=2),
        ("the owe list", "place 1", "for one chapter"),
    ),
    "a name struck for no die": (
        lambda p: p["owed"][0].update(struck="die"),
        ("the owe list", "place 1", "for one die"),
    ),
    "a name struck before it was written": (
        lambda p: p["owed"][2].update(struck="die", struck_sequence=[1, 1], struck_round=2),
        ("the owe list", "place 3", "before it is struck"),
    ),
    "a name written in another chapter's fight": (
        lambda p: p["owed"][2].update(sequence=[1, 1]),
        ("damaged", "the owe list, place 3"),
    ),
    "a name struck in a fourth round": (
        lambda p: p["owed"][0].update(struck="die", struck_sequence=[1, 1], struck_round=4),
        ("the owe list", "place 1", "fourth round"),
    ),
    # chapters (WA-82, WA-84, WA-85)
    "an earlier chapter under way": (
        lambda p: [one.update(step=step) for one, step in
                   zip(p["chapters"], ("closing", "over"), strict=True)],
        ("chapter 1", "only the last chapter"),
    ),
    "a chapter under way in a campaign that is over": (
        lambda p: p.update(closed_at="2026-01-01T00:00:00+00:00"),
        ("chapter 2", "campaign that is over"),
    ),
    "one come back who is not here": (
        lambda p: p["chapters"][1].update(returning=1),
        ("chapter 2", "the part of Amek", "who comes back"),
    ),
    "a choice of one who did not come back": (
        lambda p: _part(p).update(come_back="grow"),
        ("chapter 1", "the part of Mekha", "who comes back has a choice"),
    ),
    # the story sheet (WA-7, WA-9, WA-10, WA-11)
    "one card dealt twice": (
        lambda p: p["chapters"][0]["elements"][1].update(card="2H"),
        ("chapter 1", "its elements", "no card is dealt twice"),
    ),
    "a card that is none": (
        lambda p: p["chapters"][0]["elements"][1].update(card="1Z"),
        ("chapter 1", "its elements", "“1Z” names no card"),
    ),
    "seven elements": (
        lambda p: p["chapters"][0]["elements"].extend(
            {"order": n, "text": "One more"} for n in (5, 6, 7)
        ),
        ("chapter 1", "its elements", "there are four elements"),
    ),
    "two elements at one place": (
        lambda p: p["chapters"][0]["elements"][1].update(order=1),
        ("chapter 1", "its elements", "same place"),
    ),
    "two picked elements": (
        lambda p: [one.update(is_picked=True) for one in p["chapters"][0]["elements"][:2]],
        ("chapter 1", "its elements", "picks one"),
    ),
    "one player and two lines": (
        lambda p: p["chapters"][1]["cast"][1].update(taken_by=2),
        ("chapter 2", "the character list", "chooses one character"),
    ),
    "chosen by nobody": (
        lambda p: p["chapters"][1]["cast"][0].update(taken_by=None),
        ("chapter 2", "“the keeper”", "chosen by somebody"),
    ),
    "wanted twice by one": (
        lambda p: p["chapters"][1]["cast"][0].update(wanted_by=[3, 3]),
        ("chapter 2", "“the keeper”", "wants a character twice"),
    ),
    "a line the same as itself": (
        lambda p: p["chapters"][1]["cast"][0].update(same_as=0),
        ("chapter 2", "“the keeper”", "stands for nobody else"),
    ),
    "two lines the same as each other": (
        lambda p: p["chapters"][1]["cast"][1].update(same_as=5),
        ("chapter 2", "“a widow”", "stands for nobody else"),
    ),
    "a line of one who is not here": (
        lambda p: p["chapters"][1]["cast"][0].update(character=1),
        ("chapter 2", "“the keeper”", "not in the chapter"),
    ),
    # interests (WA-31, WA-32, WA-35)
    "an interest of one who is not here": (
        lambda p: p["chapters"][1]["interests"][0].update(character=1),
        ("chapter 2", "the interests of Amek", "not in the chapter"),
    ),
    "an interest in one who is not here": (
        lambda p: p["chapters"][1]["interests"][0].update(targets=[1]),
        ("chapter 2", "the interests of Tajie", "not in the chapter"),
    ),
    "an interest in oneself": (
        lambda p: p["chapters"][1]["interests"][0].update(targets=[3]),
        ("chapter 2", "the interests of Tajie", "tagged with others"),
    ),
    "the same interest twice": (
        lambda p: p["chapters"][1]["interests"].append(p["chapters"][1]["interests"][0]),
        ("chapter 2", "the interests of Tajie", "twice"),
    ),
    "four interests": (
        lambda p: p["chapters"][1]["interests"].extend(
            {"character": 3, "text": text} for text in ("More", "And more")
        ),
        ("chapter 2", "the interests of Tajie", "more than three"),
    ),
    # scenes (WA-38)
    "twice in one scene": (
        lambda p: p["chapters"][0]["scenes"][0].update(who=[2, 2]),
        ("chapter 1", "“At the well, 1”", "in a scene twice"),
    ),
    "two scenes playing": (
        lambda p: [one.update(is_current=True, is_over=False) for one in
                   p["chapters"][1]["scenes"][:2]],
        ("chapter 2", "its scenes", "one scene"),
    ),
    "a scene over and playing": (
        lambda p: p["chapters"][1]["scenes"][0].update(is_current=True, is_over=True),
        ("chapter 2", "“At the well, 1”", "is not playing"),
    ),
    # fights that are over are played again too
    "another end than was rolled": (
        lambda p: _over(p).update(state=_over(p)["state"].replace('"exhausted"', '"injured"')
                                  .replace('"sides":10', '"sides":12')),
        ("chapter 1", "fight 1", "does not lead to"),
    ),
    "a record that stops short": (
        lambda p: _over(p).update(record=_over(p)["record"].rsplit("\n", 2)[0] + "\n"),
        ("chapter 1", "fight 1", "does not lead to"),
    ),
    "a roll that no die has": (
        lambda p: _over(p).update(record=_over(p)["record"].replace('"dice": [5, 6]',
                                                                    '"dice": [5, 60]')),
        ("chapter 1", "fight 1", "line 4 of its record"),
    ),
    "a record of another game": (
        lambda p: _over(p).update(record=KNAVES.read_text()),
        ("chapter 1", "fight 1", "does not lead to"),
    ),
    "somebody else who stayed": (
        lambda p: _over(p).update(winners=["Nobody"]),
        ("chapter 1", "fight 1", "does not lead to"),
    ),
    "called off and played out": (
        lambda p: _over(p).update(status="ended"),
        ("chapter 1", "fight 1", "does not lead to"),
    ),
    "an offer while dice are rolled": (
        lambda p: running(p).update(offers=[{"by": "c3", "winner": "c3", "loser": "c4"}]),
        ("chapter 2", "fight 5", "an offer", "agreements are made after"),
    ),
    "a place declined by nobody": (
        lambda p: p["chapters"][1].update(declined=[9]),
        ("chapter 2", "the owe list", "can decline it"),
    ),
    "in two fights at once": (
        lambda p: p["chapters"][1]["sequences"].append({**running(p), "number": 6}),
        ("chapter 2", "fight 6", "in two fights"),
    ),
    "dice in a chapter that closes": (
        lambda p: p["chapters"][1].update(step="closing"),
        ("chapter 2", "fight 5", "only while a chapter plays"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", AGAINST_THE_RULES)
def test_what_the_rules_do_not_allow_is_named_with_its_place(saga_at: SagaAt, how: str):
    """One sentence says where in the file, and which rule; nothing is written."""
    erin, plain = saga_at("begun").erin, year()
    spoil, says = AGAINST_THE_RULES[how]
    spoil(plain)
    before = all_rows()
    answer = brings(erin, sealed(plain))
    assert answer.status_code == 422, how
    words = unescape(notice(answer))
    assert [part for part in says if part not in words] == [], words
    assert all_rows() == before


def test_what_is_wrong_is_said_in_spanish_too(saga_at: SagaAt):
    erin, plain = saga_at("begun").erin, year()
    done(erin.does("speak", language="es"))
    plain["chapters"][1]["interests"][0].update(character=1)
    words = unescape(notice(brings(erin, sealed(plain))))
    assert "capítulo 2, los intereses de Amek" in words
    assert "las reglas no permiten" in words
