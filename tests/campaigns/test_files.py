"""A campaign leaves as a file and comes in at another table: the same, beside what is there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.models import Campaign, Moment, Sequence
from campaigns.services import file_format as ff
from campaigns.services import file_read
from campaigns.services.file_read import read_file
from campaigns.services.file_write import file_of
from campaigns.services.sequence_record import full_record
from campaigns.views import records as records_pages
from games.models import Table
from games.rules import records
from games.stored import state_of
from tests.campaigns import yearbook
from tests.campaigns.brawl import Brawl, brawl_of, duel
from tests.campaigns.conftest import SagaAt
from tests.campaigns.parcel import Plain, brings, sealed, year
from tests.campaigns.saga import BEFORE, all_rows
from tests.campaigns.troupe import Troupe
from tests.games.party import Clock, Dice, Person, done, fresh, notice
from tests.sizes import size

FILES = Path(__file__).parent / "files"


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


# --- the same elsewhere --------------------------------------------------------------------------
def test_years_come_out_as_they_went_in(troupe: Troupe, dice: Dice, clock: Clock):
    """Export, wipe, import, compare: equal but for the time of writing."""
    campaign = yearbook.brought_in(troupe.table, yearbook.year(6))
    before = file_of(campaign)
    Table.objects.all().delete()
    there = another(dice, clock)
    assert plain_of(file_of(brought(there.erin, before))) == plain_of(before)


def test_a_file_that_an_editor_has_saved_anew_is_the_same_campaign():
    """As records, house rules and oracles are: Windows' shell begins each text with a mark."""
    ours = sealed(year())
    anew = json.dumps(json.loads(ours), indent=2, ensure_ascii=False).replace("\n", "\r\n")
    assert read_file(anew.encode("utf-8-sig")) == read_file(ours)


def test_what_comes_in_as_a_large_file_leaves_as_one_that_comes_in(
    troupe: Troupe, monkeypatch: pytest.MonkeyPatch
):
    """hosting.md: every campaign is a file that the records page takes back."""
    campaign = yearbook.brought_in(troupe.table, yearbook.year(2))
    readable = file_of(campaign)
    value = read_file(readable)
    monkeypatch.setattr(file_read, "LARGEST", len(readable) - 1)
    assert read_file(file_of(campaign)) == value


def test_a_file_that_no_table_takes_back_is_not_given_without_a_word(
    troupe: Troupe, monkeypatch: pytest.MonkeyPatch
):
    """hosting.md: whoever takes a file away knows whether it comes in again; a backup reads it."""
    yearbook.brought_in(troupe.table, yearbook.year(2))
    address = f"/t/{troupe.table.code}/campaign/file/"
    monkeypatch.setattr(file_read, "LARGEST", 1000)
    told = troupe.amy.client.get(f"{address}?lines=1")
    assert "Content-Disposition" not in told.headers
    assert "no table takes in one" in told.content.decode()
    assert 'href="?lines=1&amp;anyway=1"' in told.content.decode()
    given = troupe.amy.client.get(f"{address}?anyway=1")
    assert "attachment" in given.headers["Content-Disposition"]
    assert read_file(given.content).name == "The Salt Road"


def test_writing_a_file_asks_no_more_often_of_an_old_campaign(troupe: Troupe):
    """A file is asked for at the table: years of fights are not asked for one by one."""
    asked = []
    for chapters in (2, 6):
        campaign = yearbook.brought_in(troupe.table, yearbook.year(chapters, moments=10))
        with CaptureQueriesContext(connection) as queries:
            file_of(campaign)
        asked.append(len(queries))
    assert asked[0] == asked[1]


def test_a_file_is_read_before_the_table_waits_for_it(
    troupe: Troupe, monkeypatch: pytest.MonkeyPatch
):
    """Decision 15: on SQLite every other table waits as well, for as long as the write goes on."""
    happened: list[str] = []

    def noted(name: str, do: Any) -> Any:
        def noting(*given: Any) -> Any:
            happened.append(name)
            return do(*given)

        return noting

    monkeypatch.setattr(ff, "checksum_of", noted("read", ff.checksum_of))
    monkeypatch.setattr(records_pages, "act", noted("act", records_pages.act))
    data = sealed(year())
    happened.clear()
    brought(troupe.erin, data)
    assert happened == ["read", "act"]


def test_bringing_in_writes_many_rows_at_a_time(troupe: Troupe):
    """Decision 15: a chapter more is a few rows more, and not a few statements."""
    inserts = []
    for chapters in (2, 10):
        data = sealed(year(chapters))
        with CaptureQueriesContext(connection) as queries:
            answer = brings(troupe.erin, data, tap=f"bring-{chapters}")
        assert answer.status_code == 302, notice(answer)
        inserts.append(sum(one["sql"].startswith("INSERT") for one in queries))
    assert inserts[1] - inserts[0] < 20, inserts


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
        there.erin,
        "correct_die",
        character=there.named("Amek").pk,
        which_form="directly",
        current=4,
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


def test_another_file_sent_by_the_form_of_the_first_comes_in_too(troupe: Troupe):
    """R2: whoever went back to the form and chose another was told that it had come."""
    assert brings(troupe.erin, sealed(year())).status_code == 302
    assert brings(troupe.erin, sealed({**year(), "name": "The Other Road"})).status_code == 302
    assert troupe.table.campaigns.get(is_in_front=True).name == "The Other Road"
    assert troupe.table.campaigns.count() == 3


def test_a_table_keeps_so_many_campaigns(troupe: Troupe, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("campaigns.deeds.campaign.MOST_CAMPAIGNS", 1)
    answer = brings(troupe.erin, sealed(year()))
    assert answer.status_code == 409
    assert "as many campaigns" in notice(answer)
    assert troupe.table.campaigns.count() == 1


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


def test_a_setting_that_is_none_stays_here_with_a_campaign_that_has_one(
    troupe: Troupe, dice: Dice, clock: Clock
):
    """Files brought it in, and nobody was told; no house takes it by now."""
    campaign = yearbook.brought_in(troupe.table, yearbook.year(1))
    campaign.preferences = {"mending_is_free": True, "colour": 1}
    campaign.save()
    there = brought(another(dice, clock).erin, file_of(campaign))
    assert (fresh(campaign).settings, there.settings) == (campaign.settings, campaign.settings)
    assert there.preferences == {"mending_is_free": True}


def test_an_oracle_that_was_put_away_has_no_name_in_the_file(saga_at: SagaAt):
    saga = saga_at("play")
    saga.campaign.chapters.update(oracle="own-4711")
    assert read_file(file_of(saga.campaign)).chapters[0].oracle == ""


def test_what_stays_out_of_play_comes_along_when_it_is_asked_for(
    troupe: Troupe, dice: Dice, clock: Clock
):
    """The lines are the table's and nobody's (decision 14), so they go only where they are sent.

    Of the same words what asks for more stands, as where two at one table ask for them (WA-4).
    """
    for text, kind in (("Spiders", "line"), ("Wounds", "veil")):
        troupe.table.content_lines.create(text=text, kind=kind)
    there = another(dice, clock)
    there.table.content_lines.create(text="spiders", kind="veil")
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
