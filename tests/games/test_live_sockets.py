"""A page's socket: what a phone may say on it, who may look by it, and when it is closed."""

from __future__ import annotations

import asyncio
import re
from typing import Any
from urllib.parse import quote

import pytest
from asgiref.sync import sync_to_async

from games import page_mark, presence, snapshot
from games.live import arrivals, consumer, fair, listener, readers, table_reader
from games.live.neighbours import Neighbours
from games.screens.pages import PAGES
from tests.games.party import Party, Person, cut_the_log, offers_pass
from tests.games.sockets import LONGEST_WAIT, Line, does, is_turned_away, knocks_at, looks

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def party(running_party: Party) -> Party:
    return running_party


# --- what a phone may say ------------------------------------------------------------------------

BAD = [
    " ", "x", "[]", "null", "1", '"ack"', "{", '{"ack": "7"}', '{"ack": {}}', '{"fly": 1}',
    '{"type": "table.wake"}', '{"ack": 1, "action": "roll"}', "[" * 1500, '{"ack": 1e999}',
    "x" * 5000, "\u202e\u0000", "\ud800", '{"ping": "now"}', '{"echo": 0.5}',
    '{"ack": 1' + " " * consumer.LONGEST_MESSAGE + "}",
]  # fmt: skip


async def test_what_is_no_message_is_answered_and_changes_nothing(party: Party):
    async with looks(party.ben) as ben:
        await ben.settles()
        for text in BAD:
            await ben.socket.send_to(text_data=text)
            assert await ben.hears() == {"error": "bad_message"}, text[:40]
        await ben.socket.send_to(bytes_data=b"\x00\xff")
        assert await ben.hears() == {"error": "bad_message"}
        await does(party.ana, "pick_number", number=9)
        assert await ben.takes()


async def test_a_flood_is_closed(party: Party):
    async with looks(party.ben) as ben:
        for _message in range(60):
            await ben.says(ack=0)
        assert await ben.closes() == 4429


async def test_what_a_phone_is_asked_for_is_no_flood(party: Party, monkeypatch: pytest.MonkeyPatch):
    """Each push has to be acknowledged, however many come; and what was not used comes back."""
    monkeypatch.setattr(consumer, "MOST_TOKENS", 3.0)
    monkeypatch.setattr(consumer, "TOKENS_A_SECOND", 0.0)
    async with looks(party.ben) as ben:
        await ben.settles()
        for number in range(2, 7):
            await does(party.ana, "pick_number", number=number)
            await ben.takes()
        for rate, pings in ((0.0, 3), (1e6, 1), (0.0, 2)):
            monkeypatch.setattr(consumer, "TOKENS_A_SECOND", rate)
            for _ping in range(pings):
                assert await ben.pings(1.0)
        await ben.says(ping=1.0)
        assert await ben.closes() == consumer.TOO_FAST
        assert await ben.socket.receive_nothing(0.05)


async def test_what_a_page_was_served_with_is_pushed_once_it_is_another(party: Party):
    """Also where it becomes again what it was."""
    page = await sync_to_async(party.ben.sees)()
    [have], [seq] = (re.findall(f'data-{what}="([^"]*)"', page) for what in ("have", "seq"))
    async with looks(party.ben, seq=f"{seq}&have={quote(have)}") as ben:
        assert not (await ben.takes())["regions"]
        for called in ("The Heron", "The Swan"):
            await does(party.ana, "rename_table", name=called)
            assert called in (await ben.takes())["regions"]["top"]


async def test_a_heartbeat_carries_the_newest_number_and_a_clock(party: Party):
    async with looks(party.ben) as ben:
        push = (await ben.settles())[-1]
        pong = await ben.pings(12.5)
    assert (pong["pong"], pong["seq"], pong["epoch"]) == (12.5, push["seq"], push["epoch"])
    assert pong["now"] > 1_700_000_000_000


async def test_a_page_of_an_earlier_release_hears_so_first_of_all(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R4: its scripts and forms are that one's; drawn into by ours it stayed so for good."""
    was = await sync_to_async(snapshot.epoch)()
    monkeypatch.setattr(snapshot, "mark_of_pages", lambda: "another")
    snapshot.epoch.cache_clear()
    # Nothing is drawn yet.
    monkeypatch.setattr(table_reader.TableReader, "news", lambda *_args, **_how: None)
    async with looks(party.ben) as ben:
        assert (await ben.pings(12.5))["epoch"] not in ("", was)
    page = await sync_to_async(party.ben.sees)()
    assert f'data-epoch="{snapshot.epoch()}"' in page


async def test_a_page_that_knows_later_numbers_than_there_are_is_loaded_anew(party: Party):
    """R4: an older copy of the database was put back, by hand: its epoch is that of the newer one.

    The page's log told of what never was, and what happened under the same numbers it never told.
    """
    async with looks(party.ben) as ben:
        head = (await ben.settles())[-1]["seq"]
    epoch = await sync_to_async(snapshot.epoch)()
    for seq, is_ours in ((head, True), (head + 1, False)):
        async with looks(party.ben, seq=str(seq)) as ben:
            pushed, pong = (await ben.settles())[-1], await ben.pings(1.0)
        assert (pushed["epoch"] == epoch, pong["epoch"] == epoch) == (is_ours, is_ours)


async def test_pages_ask_again_when_the_log_has_become_shorter(party: Party):
    """R4: the same, under the hands of people whose pages are open."""
    async with looks(party.ben) as ben:
        head = (await ben.settles())[-1]["seq"]
        await sync_to_async(cut_the_log)(party.ben.code, head - 1)
        readers.draw_all_again()
        assert await ben.closes() == 1013


def test_a_release_is_known_by_what_its_pages_are_made_of(settings, tmp_path):
    settings.BASE_DIR = tmp_path
    (tmp_path / "static").mkdir()
    (tmp_path / "templates" / "games").mkdir(parents=True)
    marks = set()
    for name in ("static/page.js", "static/table.css", "templates/games/phone.jinja"):
        (tmp_path / name).write_text("something else")
        marks.add(page_mark.mark_of_pages.__wrapped__())
    assert len(marks) == 3
    assert page_mark.mark_of_pages.__wrapped__() in marks


async def test_the_server_measures_the_line_itself_and_signs_it(party: Party):
    device = str(await sync_to_async(lambda: party.ben.device.pk)())
    async with looks(party.ben) as ben:
        await ben.settles()
        await ben.says(echo=(await ben.pings(1.0))["mark"])
        pushed = await ben.settles()
        assert not any("stage" in push["regions"] for push in pushed), "nothing was lost"
        pong = await ben.pings(2.0)
    assert 0 <= pong["delay"] < 1000
    assert fair.read_note(device, pong["note"]) == pong["delay"]


async def test_nobody_makes_their_own_line_longer(party: Party):
    async with looks(party.ben) as ben:
        await ben.settles()
        mark = (await ben.pings(1.0))["mark"]
        for forged in (mark - 400_000, 0, mark + 1, -(2**40)):
            await ben.says(echo=forged)
        assert "note" not in await ben.pings(2.0)


async def test_the_quickest_trip_counts_and_each_mark_once(party: Party):
    async with looks(party.ben) as ben:
        await ben.settles()
        mark = (await ben.pings(1.0))["mark"]
        await ben.says(echo=mark)
        measured = await ben.pings(2.0)
        await asyncio.sleep(0.1)
        for slower in (measured["mark"], *[mark] * 8):
            await ben.says(echo=slower)
        assert (await ben.pings(3.0))["delay"] <= measured["delay"]
        [table_id] = readers._readers
        assert presence.connections(table_id)[party.ben.seat].delay_ms <= measured["delay"]


# --- who may look --------------------------------------------------------------------------------


async def test_every_socket_is_for_whom_its_page_is_for(party: Party):
    """S3 for sockets: page by role, and nobody looks by another's seat."""
    fay = Person("Fay")
    await sync_to_async(fay.opens_table)("The Goose")
    code = party.ana.code
    fay.code = code
    seats = {p.name: p.seat for p in (party.ana, party.ben, party.tess)}
    may = {
        ("Ana", "phone", "Ana"), ("Ana", "screen", "Ana"), ("Ana", "gm", "Ana"),
        ("Ben", "phone", "Ben"), ("Ben", "screen", "Ben"), ("Tess", "screen", "Tess"),
    }  # fmt: skip
    found = set()
    for who in (party.ana, party.ben, party.tess, party.cleo, fay):
        for page in (*PAGES, "admin"):
            for whose, seat in seats.items():
                if not await is_turned_away(who, page, seat=seat):
                    found.add((who.name, page, whose))
    assert found == may


async def test_a_table_or_seat_that_is_not_there_opens_no_socket(party: Party):
    assert await is_turned_away(party.ben, seat=99)
    party.ben.code = "ZZZZZZ"
    assert await is_turned_away(party.ben)


async def test_a_removed_seat_is_closed_and_told_nothing_more(party: Party):
    async with looks(party.ben) as ben:
        await ben.settles()
        await does(party.ana, "remove", who=party.ben.seat)
        output = await ben.socket.receive_output(5)
        assert (output["type"], output.get("code")) == ("websocket.close", 4403)
    assert await is_turned_away(party.ben)


async def test_who_hands_the_host_over_loses_the_hosts_page(party: Party):
    async with looks(party.ana, "gm") as panel:
        await panel.settles()
        await does(party.ana, "hand_host", who=party.ben.seat)
        assert await panel.closes() == 4403


async def test_a_seat_that_moved_to_another_phone_is_closed_on_the_old_one(party: Party):
    token = await sync_to_async(offers_pass)(party.ben, party.ben)
    async with looks(party.ben) as ben:
        await ben.settles()
        await sync_to_async(Person("New").client.post)(f"/seat/{token}/")
        assert await ben.closes() == 4403


async def test_one_phone_that_asks_without_end_is_told_to_wait_before_anything_is_looked_up(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R5: at 400 sockets a second of one seat, other tables' taps waited for seconds."""
    monkeypatch.setattr(arrivals, "MOST_ASKED", 3.0)
    monkeypatch.setattr(arrivals, "ASKED_A_SECOND", 2.0)
    looked_up: list[object] = []
    asked = consumer.who_connects
    monkeypatch.setattr(
        consumer, "who_connects", lambda *who: (looked_up.append(who), asked(*who))[1]
    )
    for _time in range(3):
        async with looks(party.ben):
            pass
    for _time in range(3):
        socket = knocks_at(party.ben)
        assert (await socket.connect(timeout=5))[0]
        assert await Line(socket).closes() == consumer.TOO_FAST
    assert len(looked_up) == 3
    async with looks(party.ana) as ana:
        assert (await ana.takes())["regions"], "another phone does not feel it"
    await asyncio.sleep(0.6)
    async with looks(party.ben) as ben:
        assert (await ben.takes())["regions"], "and this one comes back later"


def test_phones_that_have_rested_are_forgotten(monkeypatch: pytest.MonkeyPatch):
    """R4: cookies that somebody makes up take no memory for good."""
    monkeypatch.setattr(arrivals, "ASKED_A_SECOND", 1e9)
    for n in range(3 * arrivals.MOST_KNOWN):
        assert arrivals.may_ask(f"made up {n}")
    assert len(arrivals._left) <= arrivals.MOST_KNOWN


async def test_a_seat_has_four_sockets_at_most_and_the_newest_are_open(party: Party):
    """R5: whose line broke four times without a word comes in all the same."""
    sockets = [knocks_at(party.ben) for _n in range(consumer.SOCKETS_A_SEAT + 1)]
    for socket in sockets:
        assert (await socket.connect(timeout=5))[0]
        assert (await Line(socket).takes())["regions"]
    assert await Line(sockets[0]).closes() == consumer.TOO_MANY_SOCKETS
    [open_ones] = consumer._open_sockets.values()
    assert len(open_ones) == consumer.SOCKETS_A_SEAT
    await sockets[1].disconnect()
    assert len(open_ones) == consumer.SOCKETS_A_SEAT - 1
    for socket in (later := [knocks_at(party.ben), knocks_at(party.ben)]):
        assert (await socket.connect(timeout=5))[0]
        assert (await Line(socket).takes())["regions"]
    closed = await Line(sockets[2]).closes()
    assert closed == consumer.TOO_MANY_SOCKETS, "one that went takes no other out of the count"
    for socket in (*sockets, *later):
        await socket.disconnect()
    assert not consumer._open_sockets


async def test_presence_is_shown_and_never_stored(party: Party):
    before = await sync_to_async(lambda: party.table.seq)()
    async with looks(party.ana) as ana:
        await ana.settles()
        async with looks(party.ben) as ben:
            await ben.settles()
            assert await ana.settles()  # Ben has come
        assert await ana.settles()  # and has gone
    assert await sync_to_async(lambda: party.table.seq)() == before


async def test_phones_of_a_process_that_was_killed_are_shown_as_gone(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """R5: its word for them ends without another; until the next tap they were shown as here."""
    monkeypatch.setattr(presence, "HEARSAY_SECONDS", 0.4)
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", 0.05)
    async with looks(party.ana) as ana:
        await ana.settles()
        news = {"table": await sync_to_async(lambda: party.table.pk)(), "from": "another"}
        await listener._hear_presence(news | {"lines": {str(party.ben.seat): 40}})
        assert "people" in (await ana.takes())["regions"]
        assert "people" in (await ana.takes())["regions"]
    assert not presence._elsewhere, "nobody here is told any more whether it holds"


async def test_whoever_is_made_host_is_shown_the_way_to_the_hosts_page(party: Party):
    async with looks(party.ben) as ben:
        await ben.settles()
        await does(party.ana, "hand_host", who=party.ben.seat)
        assert "to-gm" in (await ben.takes())["regions"]["links"]


async def test_a_line_that_becomes_slow_is_shown_to_the_others(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", 60.0)  # at once, not with the next look
    async with looks(party.ana) as ana, looks(party.ben) as ben:
        await ana.settles()
        await ben.settles()
        reader = readers._readers[(await sync_to_async(lambda: party.table)()).pk]
        [his] = [s.viewer for s in reader.sockets if s.viewer.seat == party.ben.seat]
        reader.note_presence(his, 900)
        assert "people" in (await ana.takes())["regions"]
        reader.note_presence(his, 950)
        assert not reader.is_busy


async def test_the_last_to_go_closes_the_reader(party: Party):
    async with looks(party.ben) as ben:
        await ben.settles()
        [reader] = readers._readers.values()
    assert not readers._readers
    assert not consumer._open_sockets
    await asyncio.sleep(0)
    assert reader._looks
    assert reader._looks.cancelled()


async def test_whoever_is_given_up_while_they_come_in_is_gone(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """The server cancels what a lost line has begun and not ended in ten seconds, as where a crowd
    flaps: its table was read and drawn for that phone for ever, and so was never let go (R6).
    """

    async def never(_others: Neighbours) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(Neighbours, "follow", never)
    socket = knocks_at(party.ben)
    assert (await socket.connect(timeout=LONGEST_WAIT))[0]
    while not any(reader.sockets for reader in readers._readers.values()):
        await asyncio.sleep(0.01)
    socket.future.cancel()
    await asyncio.wait({socket.future})
    assert not readers._readers
    assert not consumer._open_sockets


# --- who is here, told to other processes --------------------------------------------------------


@pytest.mark.parametrize(("lost", "told"), [(0, 1), (2, 2)])
async def test_what_a_broken_layer_did_not_carry_is_told_at_the_next_looks(
    party: Party, monkeypatch: pytest.MonkeyPatch, lost: int, told: int
):
    """R7: else others would show who came or went up to 20 seconds late, without need.

    Twice, and asking for theirs: the layer may be back for this process a little before others.
    """
    sent: list[dict[str, Any]] = []

    class Layer:
        async def group_send(self, group: str, message: dict[str, Any]) -> None:
            sent.append(message)
            if len(sent) <= lost:
                raise ConnectionError("Redis has gone")

    monkeypatch.setattr(listener, "layer_to_others", Layer)
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", 0.05)
    async with looks(party.ben) as ben:
        await ben.settles()
        await asyncio.sleep(0.4)
        assert len(sent) == lost + told
        assert all(news["asks"] and news["lines"] for news in sent[-told:])
        monkeypatch.undo()
