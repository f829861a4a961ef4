"""A file that is none, too large, damaged or made by hand against the rules is refused in words.

What was refused changed nothing: all rows are compared.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from campaigns.services import file_format as ff
from campaigns.services.file_write import file_of
from games.text import FLAGS, UNSEEN, clean_prose
from tests.campaigns.conftest import SagaAt
from tests.campaigns.parcel import Plain, brings, running, sealed, year
from tests.campaigns.saga import all_rows
from tests.campaigns.troupe import Troupe
from tests.games.party import notice


def test_a_file_that_is_none_is_refused_in_words(troupe: Troupe):
    good = sealed(year())
    damaged = good.replace(b"The Salt Road", b"The Malt Road", 1)
    cut, foreign = good[: len(good) // 2], good.replace(b"taproom campaign", b"somebody's list")
    deep = b'{"what": "taproom campaign", "format": 1, "campaign": ' + b"[" * 50_000
    newer = sealed(year(), format=ff.FORMAT + 1)
    # The checksum is of what counts in the end: it fits with either.
    twice = good.replace(b'"name": "The Salt Road"', b'"name": "?", "name": "The Salt Road"', 1)
    assert good != twice
    before = all_rows()
    for data, says in (
        (b"", "That file is empty"),
        (BOM_UTF8 + b"\r\n", "That file is empty"),
        (b"\x89PNG\r\n\x1a\n", "not a campaign's file"),
        (b"[]", "not a campaign's file"),
        (b'"\xff\xfe"', "not a campaign's file"),
        (good.replace(b"The Salt Road", b"\\ud800 Salt Road"), "cut off or damaged"),
        (foreign, "not a campaign's file"),
        (sealed(year(), format=0), "not a campaign's file"),
        (sealed(year(), format=-1), "not a campaign's file"),
        (cut, "cut off or damaged"),
        (good[:-1], "cut off or damaged"),
        (good[:40], "cut off or damaged"),
        (BOM_UTF8 + cut, "cut off or damaged"),
        (deep, "cut off or damaged"),
        (damaged, "damaged"),
        (twice, "damaged"),
        (sealed(year(), checksum=""), "damaged"),
        (sealed(year(), extra=1), "damaged"),
        (newer, "newer Taproom"),
    ):
        answer = brings(troupe.erin, data)
        assert answer.status_code == 422, (data[:60], answer.status_code)
        assert says in unescape(notice(answer)), data[:60]
    assert all_rows() == before


def test_a_field_that_is_missing_too_many_or_told_twice_is_named(troupe: Troupe):
    """Decision 15: it says where. Whoever wrote a file by hand read that something was missing."""
    good = sealed(year())
    nameless, ownerless, more, inside, setting = year(), year(), year(), year(), year()
    del nameless["name"], ownerless["members"][1]["name"]
    more["colour"] = 1
    inside["chapters"][0]["colour \u05d0" + "x" * 100] = 1
    setting["settings"] = {"mending_is_free": True, "colour": 1}
    twice = good.replace(b'"name": "The Salt Road"', b'"name": "?", "name": "The Salt Road"', 1)
    for data, where in (
        (sealed(nameless), "(`$.name`)"),
        (sealed(ownerless), "(`$.members[1].name`)"),
        (sealed(more), "(`$.colour`)"),
        (sealed(inside), "(`$.chapters[0].\u2068colour \u05d0" + "x" * 52 + "…\u2069`)"),
        (sealed(setting), "(`$.settings.colour`)"),
        (sealed(year(), extra=1), "(`$.extra`)"),
        (twice, "(`name`)"),
    ):
        assert f"damaged {where}:" in unescape(notice(brings(troupe.erin, data))), where


def test_no_file_and_a_huge_one_are_refused_in_words(
    troupe: Troupe, monkeypatch: pytest.MonkeyPatch
):
    answer = troupe.erin.client.post(f"/t/{troupe.table.code}/campaign/bring/", {"tap": "x"})
    assert (answer.status_code, "Choose" in notice(answer)) == (422, True)
    # On a phone without a script it is a page, whose first words are words.
    assert 'class="die-face">422' not in answer.content.decode()
    # And the page of the refusal leads back to where another file can be chosen.
    assert f'href="/t/{troupe.table.code}/campaign/"' in answer.content.decode()
    monkeypatch.setattr("campaigns.services.file_read.LARGEST", 1000)
    answer = brings(troupe.erin, sealed(year()))
    assert (answer.status_code, "too large" in notice(answer)) == (422, True)


@pytest.mark.parametrize("is_escaped", [True, False])
def test_a_file_brings_in_no_letter_that_nobody_could_type(troupe: Troupe, is_escaped: bool):
    """Threat model: control and bidi characters are stripped, from a stranger's file as when typed.

    They turned the direction of every page that named the campaign.
    """
    plain = year()
    plain["name"] = "The \u202eSalt\u2066\x07\x00 Road"
    plain["members"][1]["name"] += "\u200f"
    plain["chapters"][0]["end_note"] = f"One line,\nand \u061canother\u200b {FLAGS[2]}."
    data = json.dumps(json.loads(sealed(plain)), ensure_ascii=is_escaped)
    answer = brings(troupe.erin, data.encode())
    assert answer.status_code == 302, notice(answer)
    campaign = troupe.table.campaigns.get(is_in_front=True)
    assert campaign.name == "The Salt Road"
    assert campaign.chapters.get(number=1).end_note == f"One line,\nand another {FLAGS[2]}."
    assert not UNSEEN.search(file_of(campaign).decode().replace(FLAGS[2], ""))


def test_nothing_that_may_be_typed_counts_as_unseen():
    """So a campaign comes in as it left (docs/decisions/0015)."""
    typed = "".join(clean_prose(chr(c), longest=9, field="") for c in range(0x110000))
    assert not UNSEEN.search(typed)


Spoil = Callable[[Plain], Any]


def _moment(kind: str, **data: Any) -> Plain:
    return {"kind": kind, "data": data, "at": "2026-01-01T00:00:00+00:00", "sequence": None}


def _state(plain: Plain, **changed: Any) -> None:
    game = running(plain)["game"]
    game["state"] = json.dumps({**json.loads(game["state"]), **changed})


SPOILT: dict[str, Spoil] = {
    # too long, or nothing where something has to be
    "a name too long": lambda p: p.update(name="x" * 61),
    "no name": lambda p: p.update(name=""),
    "a member with a name of spaces": lambda p: p["members"][0].update(name=" \t"),
    "a chapter past all time": lambda p: p["chapters"][0].update(story_order=1e30),
    "a member without a name": lambda p: p["members"][0].update(name=""),
    "a description too long": lambda p: p["characters"][0].update(description="x" * 4001),
    "a chronicle too long": lambda p: p["chapters"][0].update(told="x" * 60_001),
    "words said too long": lambda p: p["chapters"][0]["moments"].append(
        _moment("move_made", name="A", others=[], says="x" * 241)
    ),
    "a moment too long": lambda p: p["chapters"][0]["moments"].append(
        _moment("scene_opened", where="x" * 30_000, names=[], what="")
    ),
    # of another type than it has to be
    "a list for a name": lambda p: p.update(name=["The Salt Road"]),
    "no list of chapters": lambda p: p.update(chapters={}),
    "a field too many": lambda p: p.update(seat=1),
    "a field too few": lambda p: p["members"][0].pop("name"),
    "a choice nobody knows": lambda p: p.update(settings={"mending_is_free": "perhaps"}),
    "a number below 1": lambda p: p["members"][0].update(number=0),
    "a number too large": lambda p: p["characters"][0].update(number=10**12),
    "a number past all": lambda p: p["owed"][0].update(order=10**30),
    "an order below 0": lambda p: p["chapters"][0]["elements"][0].update(order=-1),
    "no time": lambda p: p.update(began_at="yesterday"),
    "a time without a zone": lambda p: p.update(began_at="2026-01-01T00:00:00"),
    "a moment at no time": lambda p: p["chapters"][0]["moments"][3].update(at="long ago"),
    "a moment without a zone": lambda p: p["chapters"][0]["moments"][3].update(
        at="2026-01-01T00:00:00"
    ),
    "a time before time": lambda p: p["chapters"][0].update(began_at="0001-01-01T00:00:00+14:00"),
    # of a kind that there is not
    "a step that is none": lambda p: p["chapters"][0].update(step="dessert"),
    "a kind that is none": lambda p: p["characters"][0].update(kind="dog"),
    "a state that is none": lambda p: p["characters"][0].update(state="bored"),
    "a way to strike that is none": lambda p: p["owed"][0].update(struck="ink"),
    "an interest of no state": lambda p: p["chapters"][0]["interests"][0].update(state="won"),
    "a line of no kind": lambda p: p.update(content_lines=[{"text": "Spiders", "kind": "web"}]),
    "a moment of no kind": lambda p: p["chapters"][0]["moments"].append(_moment("pie_eaten")),
    "a moment with no fields": lambda p: p["chapters"][0]["moments"].append(_moment("dice_fell")),
    "a moment with odd fields": lambda p: p["chapters"][0]["moments"].append(
        _moment("harm_settled", name=1, winner=2, lost=3, consequential=4, how="bored")
    ),
    # pointing to nothing
    "an owner who is nobody": lambda p: p["characters"][0].update(owner=99),
    "a holder who is nobody": lambda p: p["holdings"][0].update(character=9999),
    "a strength that is none": lambda p: p["holdings"][0].update(strength=9999),
    "a chooser who is nobody": lambda p: p["chapters"][0].update(chooser=99),
    "a chapter beside nothing": lambda p: p["chapters"][0].update(beside=77),
    "a part of nobody": lambda p: p["chapters"][0]["parts"][0].update(character=9999),
    "a line like no other": lambda p: p["chapters"][0]["cast"][0].update(same_as=77),
    "a line from no element": lambda p: p["chapters"][0]["cast"][0].update(elements=[77]),
    "a line wanted by nobody": lambda p: p["chapters"][0]["cast"][0].update(wanted_by=[77]),
    "an interest in nobody": lambda p: p["chapters"][0]["interests"][0].update(targets=[9999]),
    "a scene with nobody": lambda p: p["chapters"][0]["scenes"][0].update(who=[9999]),
    "a fight in no scene": lambda p: running(p).update(scene=77),
    "a fight of nobody": lambda p: running(p).update(actor=9999),
    "a moment of no fight": lambda p: p["chapters"][0]["moments"][3].update(sequence=77),
    "a name owed in no fight": lambda p: p["owed"][0].update(sequence=[1, 77]),
    "a name struck in no chapter": lambda p: p["owed"][0].update(struck_chapter=77),
    "an oracle that is not along": lambda p: p["chapters"][1].update(oracle="own-3"),
    "an oracle that nobody has": lambda p: p["chapters"][1].update(oracle="the_pie_list"),
    # twice
    "two members of one number": lambda p: p["members"].append(p["members"][0]),
    "two chapters of one number": lambda p: p["chapters"].append(p["chapters"][0]),
    "two parts of one": lambda p: p["chapters"][0]["parts"].append(p["chapters"][0]["parts"][0]),
    "two fights of one number": lambda p: p["chapters"][0]["sequences"].append(
        p["chapters"][0]["sequences"][0]
    ),
    "two chapters under way": lambda p: p["chapters"][0].update(step="play"),
    # dice that are none
    "a form that is none": lambda p: p["characters"][0]["forms"].update(
        sideways={"base": 8, "current": 8}
    ),
    "a die that is none": lambda p: p["characters"][0]["forms"]["covertly"].update(current=7),
    "a pair for a player's character": lambda p: p["characters"][0]["forms"]["covertly"].update(
        base=[8, 6]
    ),
    "one die for an NPC": lambda p: p["characters"][6]["forms"]["action"].update(current=8),
    "a form of an NPC": lambda p: p["characters"][0]["forms"].update(
        action={"base": 8, "current": 8}
    ),
    "a sheet without dice": lambda p: p["chapters"][0]["parts"][0].update(after={"forms": 3}),
    "a sheet of no state": lambda p: p["chapters"][0]["parts"][0]["after"].update(state="bored"),
    "a choice of nothing": lambda p: p["chapters"][0]["parts"][0].update(
        come_back="more",
        before={**p["chapters"][0]["parts"][0]["before"], "choice": {"strength": 1}},
    ),
    "a strength of no form": lambda p: p["strengths"][0].update(pc_form="sideways"),
    "an option that is none": lambda p: p["holdings"][0]["version"].update(options=["tasty"]),
    "broad in no form": lambda p: p["strengths"][0]["version"].update(options=["broad"]),
    "an oracle without entries": lambda p: p.update(
        oracles=[{"number": 1, "title": "Ours", "blurb": "", "entries": []}]
    ),
    # dice on the table that nobody rolled
    "no state": lambda p: running(p)["game"].update(state="{}"),
    "no set-up": lambda p: running(p)["game"].update(setup=""),
    "a state that the record does not lead to": lambda p: _state(p, round=3),
    "a phase that is none": lambda p: _state(p, phase="dessert"),
    "a record that is none": lambda p: running(p)["game"].update(record="{}\n"),
    "no record": lambda p: running(p)["game"].update(record=""),
    "a fight over and not over": lambda p: running(p).update(is_over=True),
    "a fight under way in a chapter that is over": lambda p: p["chapters"][1].update(step="over"),
    "a fight of strangers": lambda p: p["chapters"][1].update(parts=[]),
    "agreed by nobody here": lambda p: running(p).update(agreed=["c99"]),
    "an offer by nobody here": lambda p: running(p).update(
        offers=[{"by": "c99", "winner": "c1", "loser": "c2"}]
    ),
    "an offer to oneself": lambda p: _offers(p, loser=_fighters(p)[0]),
    "an offer in no state": lambda p: _offers(p, state="maybe"),
    "a term that says nothing": lambda p: _offers(p, {}),
    "a die of nothing": lambda p: _offers(p, {"die": 8}),
    "an offered die that is none": lambda p: _offers(p, {"form": "covertly", "die": "x"}),
    "a die below nothing": lambda p: _offers(p, {"form": "covertly", "die": -3}),
    "an offered form that is none": lambda p: _offers(p, {"form": "sideways"}),
    "two in one term": lambda p: _offers(p, {"form": "covertly", "state": "dead"}),
    "a hit off a player's character": lambda p: _offers(p, {"hit": 8}),
    "a hit that gives besides": lambda p: _offers(p, {"hit": 8, "form": "covertly"}),
    "words without a word": lambda p: _offers(p, {"says": ""}),
}


def _offers(plain: Plain, *terms: dict[str, Any], **other: str) -> None:
    """Lay an offer on the table of the fight that is under way; `other` is what is odd about it."""
    one, two = _fighters(plain)[:2]
    offer = {"by": one, "winner": one, "loser": two, "terms": list(terms), "state": "refused"}
    running(plain).update(offers=[offer | other])


def _fighters(plain: Plain) -> list[str]:
    state = json.loads(running(plain)["game"]["state"])
    return [member["id"] for member in state["participants"]]


def test_an_offer_as_it_is_made_comes_in(saga_at: SagaAt):
    """What the ones above are held against (WA-70, WA-72)."""
    erin, plain = saga_at("begun").erin, year()
    terms = [{"form": "covertly", "die": 8}, {"state": "captive"}, {"waive": True}, {"says": "Go"}]
    _offers(plain, *terms)
    assert brings(erin, sealed(plain)).status_code == 302


@pytest.mark.parametrize("how", SPOILT)
def test_a_file_made_by_hand_is_held_against_the_rules(saga_at: SagaAt, how: str):
    """Its checksum is right: what is wrong is what it says."""
    erin, plain = saga_at("begun").erin, year()
    SPOILT[how](plain)
    before = all_rows()
    answer = brings(erin, sealed(plain))
    assert answer.status_code == 422, how
    assert "file" in notice(answer)
    assert all_rows() == before
