"""Opening a table, the log it keeps, and how it plays."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.db.models.signals import post_init
from django.utils.html import strip_tags

from games.models import Seat, Table
from games.models.table import CODE_SYMBOLS
from games.sentences import tell
from games.settings import TableSettings
from games.views.front import MY_TABLES
from tests.games.party import Party, Person, done, everything_kept, refused, seqs


def test_who_opens_a_table_is_its_host(party: Party):
    assert party.ana.row.role == Seat.Role.GM
    assert party.ben.row.role == Seat.Role.PLAYER
    assert party.tess.row.role == Seat.Role.SCREEN


def test_a_code_is_six_symbols_that_one_can_read_aloud(db):
    code = Person("Ana").opens_table().code
    assert len(code) == 6
    assert set(code) <= set(CODE_SYMBOLS)
    assert not set(CODE_SYMBOLS) & set("01ILO")


def test_the_key_in_the_qr_code_carries_128_bits(db):
    keys = {Person("Ana").opens_table().key for _ in range(3)}
    assert len(keys) == 3
    assert all(len(k) >= 22 for k in keys)  # base64: six bits a sign


def test_a_phone_without_a_name_is_given_one(db):
    ana = Person("Ana")
    answer = ana.client.post("/start/", {"host_name": "", "table_name": ""})
    assert answer.status_code == 302
    assert Seat.objects.get().name


def test_a_try_with_the_regulars_begins_at_once(db):
    ana = Person("Ana")
    answer = ana.client.post("/try/")
    assert answer.status_code == 302
    table = Table.objects.get()
    assert table.is_trial
    assert table.seats.exclude(regular="").count() == 3
    assert table.games.get().status == "playing"
    ana.code = table.code
    assert "/t/" in ana.sees()


def test_the_log_is_numbered_without_gaps_from_one(party: Party):
    party.begins().rolls(party.ana, 7).challenges(party.ben, "brave", 12)
    assert seqs(party.events()) == list(range(1, party.table.seq + 1))


def test_the_log_only_grows(party: Party):
    party.begins()
    before = [(e.seq, e.kind, e.data) for e in party.events()]
    party.rolls(party.ana, 7).challenges(party.ben, "brave", 12)
    done(party.ana.does("undo", event=party.events("Succeeded")[0].seq))
    after = [(e.seq, e.kind, e.data) for e in party.events()]
    assert after[: len(before)] == before
    assert len(after) > len(before)


def test_the_same_tap_twice_happens_once(party: Party):
    done(party.ben.does("pick_number", number=7, tap="one-press"))
    kept = everything_kept()
    done(party.ben.does("pick_number", number=7, tap="one-press"))
    assert everything_kept() == kept


def test_two_phones_may_use_one_tap_id(party: Party):
    done(party.ana.does("pick_number", number=7, tap="same"))
    done(party.ben.does("pick_number", number=8, tap="same"))
    assert party.entrant(party.ben).number == 8


def test_a_tap_for_a_scene_that_has_gone_is_refused(party: Party):
    party.begins()
    seen = party.ana.scene
    party.rolls(party.ana, 7).shouts(party.ben, "brave").closes().rolls(party.ben, 12)
    message = refused(party.ben.does("roll", saw=seen), 409)
    assert "moved on" in message


def test_a_refused_tap_changes_nothing(party: Party):
    party.begins()
    kept = everything_kept()
    refused(party.ben.does("roll"), 409)
    refused(party.ben.does("start_bout"), 409)
    assert everything_kept() == kept


@pytest.mark.parametrize(
    ("setting", "value", "kept"),
    [
        ("dice", "real", "real"),
        ("shouting", "mouth", "mouth"),
        ("knock_pace_ms", "1500", 1500),
        ("unison_ms", "250", 250),
        ("shows_odds", "true", True),
        ("has_shroud", "true", True),
        ("has_nine_sisters", "false", False),
    ],
)
def test_the_host_sets_how_the_table_plays(party: Party, setting, value, kept):
    done(party.ana.does("configure", setting=setting, value=value))
    assert getattr(party.table.settings, setting) == kept


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("dice", "loaded"),
        ("knock_pace_ms", "7"),
        ("unison_ms", "501"),
        ("unison_ms", "soon"),
        ("shows_odds", "perhaps"),
    ],
)
def test_a_setting_that_is_no_choice_is_refused(party: Party, setting, value):
    refused(party.ana.does("configure", setting=setting, value=value), 422)


def test_the_log_says_what_a_setting_is_now_in_the_words_of_its_chip(party: Party):
    """Others at the table heard that something had changed, and not to what."""
    chip = re.compile(
        r'name="setting" value="(\w+)".*?name="value" value="(\w+)".*?<button.*?>(.*?)</button>',
        re.S,
    )
    chips = chip.findall(party.ana.sees("gm/"))
    assert {setting for setting, _value, _word in chips} == set(TableSettings.__struct_fields__)
    for setting, value, _word in chips:  # so that each of them changes something afterwards
        done(party.ana.does("configure", setting=setting, value=value))
    for setting, value, word in chips:
        done(party.ana.does("configure", setting=setting, value=value))
        event = party.events("configured")[-1]
        assert f"now “{unescape(strip_tags(word)).strip()}”." in tell(event.kind, event.data, ())


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("pick_number", {"number": 7}),
        ("name_guild", {"name": "Moth"}),
        ("rename_table", {"name": "The Owl"}),
        ("choose_first", {"who": 1}),
        ("set_door", {"door": "ask"}),
        ("configure", {"setting": "has_shroud", "value": "true"}),
    ],
)
def test_what_is_so_already_is_told_once(party: Party, action: str, fields: dict[str, object]):
    """Whoever presses a chip or a number twice was told of, and read aloud, twice."""
    done(party.ana.does(action, **fields))
    before = party.table.seq
    done(party.ana.does(action, **fields))
    assert party.table.seq == before


def test_variations_are_chosen_before_a_bout(party: Party):
    party.begins()
    for setting, value in [("has_shroud", "true"), ("unison_ms", "10")]:
        refused(party.ana.does("configure", setting=setting, value=value), 409)
    done(party.ana.does("configure", setting="dice", value="server"))


def test_a_paused_table_plays_no_move_but_lets_people_in(party: Party):
    party.begins()
    done(party.ana.does("pause"))
    refused(party.ana.does("roll"), 409)
    refused(party.ana.does("pause"), 409)
    assert Person("Dora").joins(party.table).status_code == 302
    done(party.ana.does("resume"))
    party.rolls(party.ana, 7)
    refused(party.ana.does("resume"), 409)


def test_from_the_rules_there_is_a_way_back_to_the_seat(party: Party):
    """An installed app has no button of the browser's to go back with."""
    address = re.search(r'id="to-rules" href="([^"]+)"', party.ben.sees())
    assert address
    way_back = f'href="/t/{party.table.code}/"'
    assert way_back in party.ben.client.get(address[1]).content.decode()
    strangers = party.cleo.client.get(address[1]).content.decode()
    assert way_back not in strangers
    assert party.table.name not in strangers


def test_the_host_names_the_table(party: Party):
    done(party.ana.does("rename_table", name="  The   Black Swan "))
    assert party.table.name == "The Black Swan"


def test_who_asks_for_the_shared_screen_is_offered_that_first(db):
    """A tablet at /screen/ is no player's: its first button must not take a chair."""
    ana, tess = Person("Ana"), Person("Tess")
    code = ana.opens_table().code
    asked = tess.client.get(f"/t/{code}/screen/", follow=True).content.decode()
    assert asked.index('id="as-screen" class="button primary') < asked.index('id="sit"')
    page = tess.client.get(f"/t/{code}/join/", follow=True).content.decode()
    assert page.index('id="sit" class="button primary') < page.index('id="as-screen"')


def test_the_front_page_reads_only_the_tables_that_it_lists(db):
    """A laptop of years has seats at thousands of tables: with two thousand, this page took the
    house 87 ms, and 6 with a dozen."""
    ana, read = Person("Ana"), []

    def notes(instance: Seat | Table, **_more: object) -> None:
        read.append(instance)

    codes = [ana.opens_table(f"Evening {number}").code for number in range(2 * MY_TABLES)]
    for model in (Seat, Table):
        post_init.connect(notes, model)
    try:
        page = ana.client.get("/").content.decode()
    finally:
        for model in (Seat, Table):
            post_init.disconnect(notes, model)
    listed = [code for code in codes if f"/t/{code}/" in page]
    assert listed == codes[-MY_TABLES:]
    assert len(read) == 2 * MY_TABLES, "a seat at each, and its table"
