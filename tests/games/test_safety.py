"""The stop (G6), and whoever asks for it or for a content line (G7): nobody can tell who it was.

Two worlds again, as in worlds.py: in one Ben asks, in the other Dora. Every row of the
database, every push to every socket and every line of the server's log must be the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.db import connection

from config.loop import note_serving_loop
from games import clock as table_clock
from games.deeds import safety
from games.live import consumer, stops, workers
from games.live.viewers import Viewer
from tests.games.party import Party, Person, done, notice, refused
from tests.games.sockets import Line, looks
from tests.games.worlds import World, in_both_worlds, lasting_differences, needs_a_file

pytestmark = pytest.mark.django_db(transaction=True)

BEAT = 0.1
IN_THE_HOUSE = stops.BEAT_SECONDS
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def party(party_with_dora: Party) -> Party:
    return party_with_dora


@pytest.fixture(autouse=True)
def quick_beats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stops, "BEAT_SECONDS", BEAT)


async def is_paused(party: Party) -> bool:
    return await sync_to_async(lambda: party.table.paused_at is not None)()


async def waits(beats: float = 2.5) -> None:
    """Let the longest wait for a pause go by."""
    await asyncio.sleep(stops.BEAT_SECONDS * beats)
    while stops._tasks:
        await asyncio.sleep(0.02)


async def asks(line: Line) -> None:
    """Say the token that this phone was given."""
    await line.says(beat=(await line.pings(1.0))["beat"])


def noise() -> str:
    return secrets.token_hex(16)


async def asks_for_news(who: Person, beat: str) -> str:
    """Say a beat where no socket comes through; return the token that comes with the answer."""
    address = f"/t/{who.code}/news/phone/{who.seat}/?seq={2**50}"
    answer = await sync_to_async(lambda: who.client.get(address, headers={"Beat": beat}))()
    assert answer.status_code == 200
    return answer.headers["Beat"]


# --- nobody can tell who -------------------------------------------------------------------------


def all_rows() -> dict[str, list[str]]:
    """Return every row of every table of the database."""
    with connection.cursor() as cursor:
        tables = [*connection.introspection.table_names(cursor), "sqlite_sequence"]
        found = {}
        for table in sorted(tables):
            cursor.execute(f'select * from "{table}"')
            found[table] = sorted(map(repr, cursor.fetchall()))
    return found


def world_of(
    party: Party, caplog: pytest.LogCaptureFixture, ask: Callable[[dict[str, Any]], Awaitable[None]]
) -> World:
    """Open everybody's page, let somebody ask, and keep all that anybody is given."""
    world = World()
    caplog.clear()
    pages = [(p, "phone") for p in party.players] + [(party.tess, "screen"), (party.ana, "gm")]

    async def live() -> None:
        async with contextlib.AsyncExitStack() as stack:
            lines = {}
            for person, page in pages:
                line = await stack.enter_async_context(looks(person, page))
                lines[f"{person}'s {page}"] = line
            await asyncio.gather(*(line.settles() for line in lines.values()))
            # Who came in is shown to those who were quicker: that is not about who asks.
            for line in lines.values():
                line.frames.clear()
            await ask(lines)
            await waits()
            await asyncio.gather(*(line.settles() for line in lines.values()))
            for name, line in lines.items():
                pushes = [f for f in line.frames if '"pong"' not in f]
                world.keep(f"pushes to {name}", "\n".join(pushes))

    async_to_sync(live)()
    for table, rows in all_rows().items():
        world.keep(f"rows of {table}", "\n".join(rows))
    said = [re.sub(r"[0-9.]+", "#", f"{r.name} {r.getMessage()}") for r in caplog.records]
    world.keep("the server's log", "\n".join(said))
    return world


@pytest.fixture
def nothing_is_by_chance(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(safety.secrets, "token_hex", lambda count: "0" * 2 * count)
    # The tokens must differ, or the control below would find nothing.
    numbers = iter(range(10_000))
    monkeypatch.setattr(stops, "new_token", lambda: f"{next(numbers):032x}")
    caplog.set_level(logging.DEBUG)


async def asked_by(who: Person, what: str, party: Party, lines: dict[str, Line]) -> None:
    if what == "stop":
        await asks(lines[f"{who}'s phone"])
    elif what == "stop by request":
        note_serving_loop(asyncio.get_running_loop())
        for one in party.players:
            token = await asks_for_news(one, noise())
            await asks_for_news(one, token if one is who else noise())
    else:
        await sync_to_async(lambda: done(who.does("add_content_line", text="Spiders")))()


@needs_a_file
@pytest.mark.usefixtures("nothing_is_by_chance")
@pytest.mark.parametrize("what", ["stop", "stop by request", "line"])
@pytest.mark.parametrize("leaks", [False, True])
def test_what_one_asks_for_is_as_if_another_had(
    party: Party, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch,
    what: str, leaks: bool,
):  # fmt: skip
    """No row, no push and no line of the server's log differs between Ben's and Dora's.

    The control: with a debug line that names the phone, or with the seat in the play, they do.
    """
    real, really_by_request = stops.hear, stops.hear_by_request

    def script(party: Party, world: int) -> World:
        who = party.ben if world == 6 else party.others[0]

        def hear(table: int, beat: str, token: str) -> None:
            if beat == token:
                logging.getLogger("games.live").debug("%s asks", who)
            real(table, beat, token)

        def hear_by_request(table: int, viewer: Viewer, beat: str) -> None:
            if beat == stops.token_by_request(table, viewer):
                logging.getLogger("games.live").debug("%s asks", who)
            really_by_request(table, viewer, beat)

        if leaks:
            monkeypatch.setattr(stops, "hear", hear)
            monkeypatch.setattr(stops, "hear_by_request", hear_by_request)
            monkeypatch.setattr(safety, "unsign", lambda change: None)
        return world_of(party, caplog, lambda lines: asked_by(who, what, party, lines))

    for seated in (party.ben, party.others[0]):
        seated.sees()  # as every browser that sits down does: a session's first use is written down
    (one, _other), found = lasting_differences(lambda: in_both_worlds(party, script))
    assert bool(found) == leaks
    said = "content_line_added" if what == "line" else "paused"
    assert f'"kind":"{said}"'.encode() in one.given["pushes to Tess's screen"]


async def test_a_beat_is_of_one_size_and_never_answered(party: Party):
    """Whatever it holds: noise and token look alike from outside, and so does what follows."""
    async with looks(party.ben) as ben:
        await ben.settles()
        token = (await ben.pings(1.0))["beat"]
        assert re.fullmatch(r"[0-9a-f]{32}", token)
        assert len(json.dumps({"beat": token})) == len(json.dumps({"beat": noise()}))
        for beat in (noise(), token):
            await ben.says(beat=beat)
            assert await ben.socket.receive_nothing(BEAT / 2)


@pytest.mark.parametrize("beat", ["", "0" * 31, "0" * 33, "G" * 32, "é" * 32, 7])
async def test_what_is_no_beat_is_no_message(party: Party, beat: Any):
    async with looks(party.ben) as ben:
        await ben.settles()
        await ben.says(beat=beat)
        assert await ben.hears() == {"error": "bad_message"}


async def test_the_log_and_the_api_tell_a_stop_as_they_tell_the_hosts_pause(party: Party):
    await sync_to_async(lambda: done(party.ana.does("pause")))()
    await sync_to_async(lambda: done(party.ana.does("resume")))()
    await sync_to_async(safety.stop)(await pk(party))
    events = await sync_to_async(
        lambda: [(e.kind, e.data, e.to_id) for e in party.events("paused")]
    )()
    assert events == [("paused", {}, None)] * 2
    play = await sync_to_async(lambda: party.last_play)()
    assert (play.seat_id, play.timing, play.ledger) == (None, None, None)


async def pk(party: Party) -> int:
    return await sync_to_async(lambda: party.table.pk)()


# --- the pause comes, and when -------------------------------------------------------------------


async def test_the_pause_comes_one_to_two_beats_later(party: Party, monkeypatch):
    """Meanwhile every phone that is awake has beaten: any of them may have been it."""
    monkeypatch.setattr(stops, "BEAT_SECONDS", 0.4)
    async with looks(party.ben) as ben, looks(party.ana) as ana:
        await ben.settles()
        await ana.settles()
        await asks(ben)
        at = asyncio.get_running_loop().time()
        push = await ana.takes()
        waited = asyncio.get_running_loop().time() - at
    assert [t["kind"] for t in push["told"]] == ["paused"]
    assert 0.4 <= waited < 1.5
    # Of any length between: one that is always as long would tell whose beat it was.
    lengths = [stops._wait_seconds() for _n in range(200)]
    assert 0.4 <= min(lengths) < 0.5
    assert 0.7 < max(lengths) <= 0.8


def test_a_page_beats_as_often_as_the_house_waits_for():
    """Or a pause could come before every phone has beaten, and tell who asked for it."""
    script = (ROOT / "static/stop.js").read_text()
    assert f"const BEAT_MS = {IN_THE_HOUSE * 1000:.0f};" in script


async def test_who_goes_at_once_stops_play_all_the_same(party: Party):
    """The wait is the table's: also when the last phone has gone."""
    async with looks(party.ben) as ben:
        await asks(ben)
    assert not await is_paused(party)
    await waits()
    assert await is_paused(party)


async def test_several_stops_are_one(party: Party):
    async with looks(party.ben) as ben, looks(party.ana) as ana:
        for _n in range(3):
            await asks(ben)
            await asks(ana)
        await waits()
        await asks(ben)  # paused already: nothing more
        await waits()
    assert len(await sync_to_async(party.events)("paused")) == 1
    assert (asyncio.get_running_loop(), await pk(party)) not in stops._waiting


async def test_a_stop_that_is_waited_for_is_not_waited_for_again(monkeypatch):
    """A phone asks with every beat: whoever went on at once would be paused once more."""
    begun: list[int] = []
    monkeypatch.setattr(stops, "_begin", lambda _loop, table_id: begun.append(table_id))
    monkeypatch.setattr(stops, "_wait_seconds", lambda: 0.0)
    monkeypatch.setattr(stops, "_waiting", set())
    for table_id in (1, 1, 2):
        stops._wait(asyncio.get_running_loop(), table_id)
    await asyncio.sleep(0.01)
    assert begun == [1, 2]


async def test_a_stop_that_failed_can_be_asked_for_again(party: Party, monkeypatch):
    """The phone says it with every beat until it sees the pause."""
    monkeypatch.setattr(safety, "stop", lambda table: 1 / 0)
    async with looks(party.ben) as ben:
        await asks(ben)
        await waits()
        monkeypatch.undo()
        monkeypatch.setattr(stops, "BEAT_SECONDS", BEAT)
        await asks(ben)
        await waits()
    assert await is_paused(party)


async def test_noise_and_the_token_of_another_socket_stop_nothing(party: Party):
    async with looks(party.ben) as ben:
        old = (await ben.pings(1.0))["beat"]
    async with looks(party.ben) as ben, looks(party.ana) as ana:
        hers = (await ana.pings(1.0))["beat"]
        for beat in (hers, old, noise(), "0" * 32):
            await ben.says(beat=beat)
        await waits()
    assert not await is_paused(party)


async def test_who_waits_at_the_door_stops_nothing_and_is_shown_no_line(party: Party):
    await sync_to_async(lambda: done(party.ben.does("add_content_line", text="Spiders")))()
    await sync_to_async(lambda: done(party.ana.does("set_door", door="ask")))()
    await sync_to_async(lambda: party.cleo.joins(party.table))()
    async with looks(party.cleo) as cleo:
        assert (await cleo.takes())["common"] == {}
        await cleo.says(beat=noise())
        assert (await cleo.pings(1.0))["beat"] == ""
        await waits()
    assert not await is_paused(party)


async def test_beats_count_towards_the_flood(party: Party):
    async with looks(party.ben) as ben:
        for _message in range(60):
            await ben.says(beat=noise())
        assert await ben.closes() == consumer.TOO_FAST


async def test_a_beat_asks_the_database_nothing(party: Party, monkeypatch):
    """Every phone beats all the time: it must cost next to nothing."""
    async with looks(party.ben) as ben:
        await ben.settles()
        hops: list[Any] = []
        monkeypatch.setattr(workers.Worker, "write", hops.append)
        monkeypatch.setattr(workers.Worker, "read", hops.append)
        monkeypatch.setattr(workers.Worker, "draw", hops.append)
        for _n in range(10):
            await ben.says(beat=noise())
        assert await ben.is_quiet()
    assert not hops


def test_a_stop_while_all_shout_is_a_pause_like_any(party: Party):
    """BK-9: nothing of the race is lost, and no clock runs on."""
    party.begins().rolls(party.ana, 7)
    party.shouts(party.ben, "brave", after_ms=300)
    before = party.game
    safety.stop(party.table.pk)
    party.clock.passes(seconds=20)
    table_clock.play_due(party.table.pk)
    assert "paused" in refused(party.others[0].does("shout", call="knave"), 409)
    done(party.ana.does("resume"))
    after = party.game
    assert after.scene_ms - before.scene_ms == after.closes_ms - before.closes_ms == 20_000
    party.closes()
    assert party.awaited == ["Ben"]


# --- on the page ---------------------------------------------------------------------------------


def test_the_stop_is_on_every_phones_page_and_not_on_the_tablet(party: Party):
    for page in (party.ben.sees(), party.ana.sees(), party.ana.sees("gm/")):
        assert 'id="stop-now"' in page
        assert "Nobody is told who." in page
    assert 'id="stop-now"' not in party.tess.sees("screen/")
    done(party.ana.does("set_door", door="ask"))
    party.cleo.joins(party.table)
    assert 'id="stop-now"' not in party.cleo.sees()


def test_a_page_that_is_loaded_in_a_pause_shows_the_pause(party: Party):
    assert "We pause." not in party.ben.sees()
    safety.stop(party.table.pk)
    assert "We pause." in party.ben.sees()
    assert "We pause." in party.tess.sees("screen/")
    assert notice(party.ana.does("resume")) == ""
    assert "We pause." not in party.ben.sees()
