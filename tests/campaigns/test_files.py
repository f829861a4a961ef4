"""A campaign leaves as a file and comes in at another table: the same, or refused in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse

from campaigns.deeds import campaign as campaign_deeds
from campaigns.models import Campaign, Moment, Sequence
from campaigns.services import file_format as ff
from campaigns.services.file_read import read_file
from campaigns.services.file_write import file_of
from campaigns.services.sequence_record import full_record
from games.bouts import state_of
from games.models import Table
from games.rules import records
from tests.campaigns import yearbook
from tests.campaigns.brawl import Brawl, brawl_of, duel
from tests.campaigns.conftest import SagaAt
from tests.campaigns.saga import BEFORE, all_rows
from tests.campaigns.troupe import Troupe, fresh
from tests.games.party import Clock, Dice, Person, done, notice
from tests.sizes import size

FILES = Path(__file__).parent / "files"
Plain = dict[str, Any]


def brings(person: Person, data: bytes, **more: str) -> HttpResponse:
    """Send a campaign's file by the form of the records page."""
    sent = SimpleUploadedFile("campaign.json", data)
    address = f"/t/{person.code}/campaign/bring/"
    return person.client.post(address, {"file": sent, "tap": "bring-1", **more})


def brought(person: Person, data: bytes) -> Campaign:
    """Bring a campaign in, and insist that it came."""
    answer = brings(person, data)
    assert answer.status_code == 302, notice(answer)
    return person.table.campaigns.get(is_in_front=True)


def another(dice: Dice, clock: Clock) -> Troupe:
    """Gather the same people at another table, with other phones."""
    return Troupe(dice, clock).gathers()


def plain_of(data: bytes) -> Plain:
    whole: Plain = json.loads(data)
    del whole["written_at"]
    return whole


def sealed(campaign: Plain, **head: Any) -> bytes:
    """Return a file made by hand, with the checksum that it must have."""
    whole = {
        "what": ff.WHAT,
        "format": ff.FORMAT,
        "written_at": "2026-01-01T00:00:00+00:00",
        "checksum": ff.checksum_of(campaign),
        "campaign": campaign,
    }
    return json.dumps({**whole, **head}).encode()


_year = cache(yearbook.year)


def year(chapters: int = 2) -> Plain:
    plain: Plain = msgspec.to_builtins(_year(chapters, moments=40))
    return plain


# --- the same elsewhere --------------------------------------------------------------------------
def test_years_come_out_as_they_went_in(troupe: Troupe, dice: Dice, clock: Clock):
    """Export, wipe, import, compare: equal but for the time of writing."""
    campaign = yearbook.brought_in(troupe.table, yearbook.year(6))
    before = file_of(campaign)
    Table.objects.all().delete()
    there = another(dice, clock)
    assert plain_of(file_of(brought(there.erin, before))) == plain_of(before)


@pytest.mark.parametrize("place", [place for place in BEFORE if place != "begun"])
def test_a_campaign_goes_on_elsewhere_from_every_place(
    saga_at: SagaAt, dice: Dice, clock: Clock, place: str
):
    """What everybody sees there is what they saw here, but for keys."""
    saga = saga_at(place)
    before = file_of(saga.campaign, with_lines=True)
    there = another(dice, clock)
    done(there.erin.does("turn_table", rules="wicked_age"))
    made = brought(there.erin, before)
    assert plain_of(file_of(made, with_lines=True)) == plain_of(before)
    for person, page in ((there.erin, "gm/"), (there.erin, ""), (there.amy, "")):
        assert person.sees(page)
    every = ("", "people/", "owed/", "book/", "search/?q=mekha", "markdown/")
    for page in size(every[list(BEFORE).index(place) % 3 :: 3], every):
        answer = there.amy.client.get(f"/t/{there.table.code}/campaign/{page}")
        assert answer.status_code == 200, page


def test_a_fight_goes_on_where_it_stopped(troupe: Troupe, dice: Dice, clock: Clock):
    """The record goes on as well, and replays to the state there, with an undo in between."""
    brawl = duel(brawl_of(troupe)).rolls("Amek", 5, 6).rolls("Mekha", 6, 9)
    brawl.moves("Mekha", "Amek", says="Twists his wrist")
    there = another(dice, clock)
    brought(there.erin, file_of(troupe.campaign))
    goes_on = Brawl(there)
    goes_on.key = Sequence.objects.latest("pk").pk
    assert goes_on.state == brawl.state
    assert full_record(goes_on.row) == full_record(brawl.row)
    for one in (brawl, goes_on):
        one.rolls("Amek", 2, 9).goes_on("Amek")
        one.rolls("Amek", 3, 3).rolls("Mekha", 1, 9, 1)
    assert full_record(goes_on.row) == full_record(brawl.row)
    assert records.replay(full_record(goes_on.row)).state == goes_on.state == brawl.state
    there.undoes("dice_fell")
    assert records.replay(full_record(goes_on.row)).state == goes_on.state != brawl.state
    goes_on.rolls("Mekha", 1, 9, 1)
    brought(troupe.erin, file_of(there.campaign))
    again = Sequence.objects.select_related("game").latest("pk")
    assert records.replay(full_record(again)).state == state_of(again.game) == brawl.state


def test_what_a_fight_costs_is_paid_elsewhere(troupe: Troupe, dice: Dice, clock: Clock):
    """A name owed and a name struck after an import are the imported campaign's."""
    brawl = duel(brawl_of(troupe))
    troupe.owes("Tajie", "Amek")
    there = another(dice, clock)
    brought(there.erin, file_of(troupe.campaign))
    goes_on = Brawl(there)
    goes_on.key = Sequence.objects.latest("pk").pk
    assert goes_on.owed() == brawl.owed() == ["Tajie", "Amek"]
    top = there.campaign.owed.get(character__name="Amek")
    goes_on.turn("Amek", "buy_die", owed=top.pk).rolls("Amek", 5, 6, 1).rolls("Mekha", 6, 9)
    goes_on.moves("Mekha", "Amek").rolls("Amek", 2, 9, 1)
    assert goes_on.owed() == ["Tajie", "Mekha"]
    assert brawl.owed() == ["Tajie", "Amek"]
    assert fresh(top).struck_sequence == goes_on.row


def test_an_imported_campaign_is_undone_step_by_step(troupe: Troupe, dice: Dice, clock: Clock):
    brawl_of(troupe)
    there = another(dice, clock)
    made = brought(there.erin, file_of(troupe.campaign))
    there.do(there.erin, "rename_campaign", name="Elsewhere")
    there.do(
        there.erin, "correct_die", character=there.named("Amek").pk, form="directly", current=4
    )
    there.undoes("die_corrected")
    there.undoes("campaign_renamed")
    assert plain_of(file_of(fresh(made))) == plain_of(file_of(troupe.campaign))


# --- people --------------------------------------------------------------------------------------
def test_members_are_linked_by_their_names(troupe: Troupe, dice: Dice, clock: Clock):
    """Whose name nobody here bears is there without a seat, and can be claimed."""
    there = Troupe(dice, clock)
    there.martha.name, there.tom.name = "MARTHA", "Tomás"
    there.gathers()
    brought(there.erin, file_of(yearbook.brought_in(troupe.table, yearbook.year(2))))
    seats = {one.name: one.seat and one.seat.name for one in there.campaign.members.all()}
    assert seats == {"Erin": "Erin", "Amy": "Amy", "Martha": "MARTHA", "Tom": None}
    there.do(there.tom, "claim_member", member=there.member("Tom").pk)
    assert there.member("Tom").seat == there.tom.row


def test_the_gm_is_who_hosts_this_table(troupe: Troupe, dice: Dice, clock: Clock):
    there = Troupe(dice, clock)
    there.erin.name, there.amy.name = "Amy", "Erin"
    there.gathers()
    brought(there.erin, file_of(yearbook.brought_in(troupe.table, yearbook.year(2))))
    assert [one.name for one in there.campaign.members.filter(is_gm=True)] == ["Amy"]


def test_only_the_gm_brings_campaigns_in(troupe: Troupe):
    data = sealed(year())
    tess, cleo = Person("Tess"), Person("Cleo")
    tess.joins(troupe.table, role="screen")
    cleo.code = troupe.table.code
    before = all_rows()
    for person, status in ((troupe.amy, 403), (tess, 403), (cleo, 404)):
        assert brings(person, data).status_code == status
    assert all_rows() == before


# --- beside what is there ------------------------------------------------------------------------
def test_the_campaign_in_front_waits_in_the_middle_of_its_chapter(troupe: Troupe):
    """Also while dice are on the table: they lie there when it is put in front again."""
    brawl = duel(brawl_of(troupe))
    former = troupe.campaign
    brought(troupe.erin, sealed(year()))
    assert not fresh(former).is_in_front
    brawl.refuses("Amek", "roll_forms", status=404, sequence=brawl.key, by=troupe.erin, who=1)
    troupe.do(troupe.erin, "front_campaign", campaign=former.pk)
    brawl.rolls("Amek", 5, 6)


def test_an_import_is_put_aside_by_an_undo_not_taken_back(troupe: Troupe):
    former = troupe.campaign
    made = brought(troupe.erin, sealed(year()))
    troupe.undoes("campaign_imported")
    assert troupe.campaign == former
    assert fresh(made).chapters.count() == 2
    troupe.do(troupe.erin, "front_campaign", campaign=made.pk)


def test_what_was_begun_before_an_import_can_still_be_undone(troupe: Troupe):
    """Only one campaign can be in front: the import is put aside with it."""
    first = troupe.campaign
    troupe.do(troupe.erin, "begin_campaign", name="The Second")
    made = brought(troupe.erin, sealed(year()))
    troupe.undoes("campaign_begun")
    assert troupe.campaign == first
    assert not fresh(made).is_in_front


def test_the_same_file_sent_twice_with_one_tap_comes_in_once(troupe: Troupe):
    data = sealed(year())
    for _time in range(2):
        assert brings(troupe.erin, data).status_code == 302
    assert troupe.table.campaigns.count() == 2


def test_a_table_keeps_so_many_campaigns(troupe: Troupe, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("campaigns.deeds.files.MOST_CAMPAIGNS", 1)
    assert campaign_deeds.MOST_CAMPAIGNS > 1
    answer = brings(troupe.erin, sealed(year()))
    assert answer.status_code == 409
    assert "as many campaigns" in notice(answer)


def test_a_tables_own_oracle_comes_along_once(saga_at: SagaAt, dice: Dice, clock: Clock):
    saga = saga_at("oracle")
    oracle = saga.table.oracles.get()
    saga.do(saga.amy, "choose_oracle", oracle=f"own-{oracle.pk}")
    data = file_of(saga.campaign)
    there = another(dice, clock)
    for time in range(2):
        assert brings(there.erin, data, tap=f"bring-{time}").status_code == 302
    row = there.table.oracles.get()
    assert (row.title, row.blurb, row.entries) == (oracle.title, oracle.blurb, oracle.entries)
    assert there.chapter.oracle == f"own-{row.pk}"
    there.dice.fall(1, 1, 1, 1)
    there.do(there.amy, "deal_cards")


def test_an_oracle_that_was_put_away_has_no_name_in_the_file(saga_at: SagaAt):
    saga = saga_at("play")
    saga.campaign.chapters.update(oracle="own-4711")
    assert read_file(file_of(saga.campaign)).chapters[0].oracle == ""


def test_what_stays_out_of_play_comes_along_when_it_is_asked_for(
    troupe: Troupe, dice: Dice, clock: Clock
):
    """The lines are the table's and nobody's (decision 14), so they go only where they are sent."""
    for text, kind in (("Spiders", "line"), ("Wounds", "veil")):
        troupe.table.content_lines.create(text=text, kind=kind)
    there = another(dice, clock)
    there.table.content_lines.create(text="spiders")
    brought(there.erin, file_of(troupe.campaign))
    assert there.table.content_lines.count() == 1
    answer = troupe.amy.client.get(f"/t/{troupe.table.code}/campaign/file/?lines=1")
    assert brings(there.erin, answer.content, tap="bring-2").status_code == 302
    kept = {(one.text, one.kind) for one in there.table.content_lines.all()}
    assert kept == {("spiders", "line"), ("Wounds", "veil")}


def test_nothing_of_this_server_is_in_a_file(saga_at: SagaAt):
    """No code, no device, no tap, no table's name: what is not the campaign's stays here."""
    saga = saga_at("settle")
    text = file_of(saga.campaign).decode()
    devices = [str(seat.device_id) for seat in saga.table.seats.exclude(device=None)]
    for secret in (saga.table.code, saga.table.name, str(saga.table.key), "Kim", "tap-", *devices):
        assert secret not in text


# --- formats -------------------------------------------------------------------------------------
@pytest.mark.parametrize("path", sorted(FILES.glob("*.json")), ids=lambda path: path.stem)
def test_files_of_every_format_come_in(troupe: Troupe, path: Path):
    """They stay as they were written; a format that has none here fails."""
    made = brought(troupe.erin, path.read_bytes())
    assert made.chapters.count() == 2
    assert made.owed.count() == 4
    assert Moment.objects.filter(chapter__campaign=made).count() == 80
    running = Sequence.objects.get(chapter__campaign=made, is_over=False)
    assert records.replay(full_record(running)).state == state_of(running.game)


def test_there_is_a_file_of_every_format():
    formats = {json.loads(path.read_text())["format"] for path in FILES.glob("*.json")}
    assert formats == set(range(1, ff.FORMAT + 1))


# --- what is refused -----------------------------------------------------------------------------
def test_a_file_that_is_none_is_refused_in_words(troupe: Troupe):
    good = sealed(year())
    damaged = good.replace(b"The Salt Road", b"The Malt Road", 1)
    cut, foreign = good[: len(good) // 2], good.replace(b"taproom campaign", b"somebody's list")
    deep = b'{"what": "taproom campaign", "format": 1, "campaign": ' + b"[" * 50_000
    newer = sealed(year(), format=ff.FORMAT + 1)
    before = all_rows()
    for data, says in (
        (b"", "no campaign's file"),
        (b"\x89PNG\r\n\x1a\n", "no campaign's file"),
        (b"[]", "no campaign's file"),
        (b'"\xff\xfe"', "no campaign's file"),
        (good.replace(b"The Salt Road", b"\\ud800 Salt Road"), "no campaign's file"),
        (foreign, "no campaign's file"),
        (sealed(year(), format=0), "no campaign's file"),
        (sealed(year(), format=-1), "no campaign's file"),
        (cut, "no campaign's file"),
        (deep, "no campaign's file"),
        (damaged, "damaged"),
        (sealed(year(), checksum=""), "damaged"),
        (sealed(year(), extra=1), "damaged"),
        (newer, "newer Taproom"),
    ):
        answer = brings(troupe.erin, data)
        assert answer.status_code == 422, (data[:60], answer.status_code)
        assert says in unescape(notice(answer)), data[:60]
    assert all_rows() == before


def test_no_file_and_a_huge_one_are_refused_in_words(
    troupe: Troupe, monkeypatch: pytest.MonkeyPatch
):
    answer = troupe.erin.client.post(f"/t/{troupe.table.code}/campaign/bring/", {"tap": "x"})
    assert (answer.status_code, "Choose" in notice(answer)) == (422, True)
    for place in ("campaigns.views.records.LARGEST", "campaigns.services.file_read.LARGEST"):
        monkeypatch.setattr(place, 1000)
        answer = brings(troupe.erin, sealed(year()))
        assert (answer.status_code, "too large" in notice(answer)) == (422, True)


Spoil = Callable[[Plain], Any]


def _moment(kind: str, **data: Any) -> Plain:
    return {"kind": kind, "data": data, "at": "2026-01-01T00:00:00+00:00", "sequence": None}


def _running(plain: Plain) -> Plain:
    found: Plain = plain["chapters"][1]["sequences"][4]
    return found


def _state(plain: Plain, **changed: Any) -> None:
    game = _running(plain)["game"]
    game["state"] = json.dumps({**json.loads(game["state"]), **changed})


SPOILT: dict[str, Spoil] = {
    # too long, or nothing where something has to be
    "a name too long": lambda p: p.update(name="x" * 61),
    "no name": lambda p: p.update(name=""),
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
    "settings nobody knows": lambda p: p.update(settings={"mending_is_free": "perhaps"}),
    "a number below 1": lambda p: p["members"][0].update(number=0),
    "a number too large": lambda p: p["characters"][0].update(number=10**12),
    "a number past all": lambda p: p["owed"][0].update(order=10**30),
    "an order below 0": lambda p: p["chapters"][0]["elements"][0].update(order=-1),
    "no time": lambda p: p.update(began_at="yesterday"),
    "a time without a zone": lambda p: p.update(began_at="2026-01-01T00:00:00"),
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
    "a fight in no scene": lambda p: _running(p).update(scene=77),
    "a fight of nobody": lambda p: _running(p).update(actor=9999),
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
    "no state": lambda p: _running(p)["game"].update(state="{}"),
    "no set-up": lambda p: _running(p)["game"].update(setup=""),
    "a state that the record does not lead to": lambda p: _state(p, round=3),
    "a phase that is none": lambda p: _state(p, phase="dessert"),
    "a record that is none": lambda p: _running(p)["game"].update(record="{}\n"),
    "no record": lambda p: _running(p)["game"].update(record=""),
    "a fight over and not over": lambda p: _running(p).update(is_over=True),
    "a fight under way in a chapter that is over": lambda p: p["chapters"][1].update(step="over"),
    "a fight of strangers": lambda p: p["chapters"][1].update(parts=[]),
    "agreed by nobody here": lambda p: _running(p).update(agreed=["c99"]),
    "an offer by nobody here": lambda p: _running(p).update(
        offers=[{"by": "c99", "winner": "c1", "loser": "c2"}]
    ),
}


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
