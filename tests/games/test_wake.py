"""What other processes are told, while the layer between them does not take it (R7)."""

from __future__ import annotations

import asyncio
import os
import runpy
import time
from unittest.mock import Mock
from urllib.parse import urlencode

import django
from channels.layers import channel_layers
from django.conf import settings

from config import loop
from games import others, wake
from tests.asked import posted
from tests.games.party import FORM, Party, done


async def test_what_a_layer_that_stands_still_has_not_taken_is_one_wake_up_a_table(monkeypatch):
    """Memory flat (R7): one for each tap was kept, 1.5 GB an hour where fifty tables play."""
    sent: list[tuple[int, int, int]] = []
    touched: list[list[str]] = []
    goes_on = asyncio.Event()

    def committed(table: int, seq: int) -> Mock:
        tables = frozenset({"games_play", "games_seat" if seq == 7 else "games_game"})
        return Mock(table=Mock(pk=table), first_seq=seq, seq=seq, touched=tables)

    class Layer:
        async def group_send(self, group: str, message: dict) -> None:
            sent.append((message["table"], message["first"], message["seq"]))
            touched.append(message["touched"])
            await goes_on.wait()

    monkeypatch.setattr(others, "get_channel_layer", Layer)
    monkeypatch.setattr(wake, "wakers", [])
    loop.note_serving_loop(asyncio.get_running_loop())
    tasks = len(asyncio.all_tasks())
    for seq in range(1, 200):
        for table in (1, 2):
            wake.announce(committed(table, seq))
        await asyncio.sleep(0)
    assert len(asyncio.all_tasks()) <= tasks + 2
    goes_on.set()
    while len(sent) < 4:
        await asyncio.sleep(0.01)
    wake.announce(committed(1, 200))
    await asyncio.sleep(0.05)
    assert sorted(sent) == [(1, 1, 1), (1, 2, 199), (1, 200, 200), (2, 1, 1), (2, 2, 199)]
    assert max(touched, key=len) == ["games_game", "games_play", "games_seat"]


def test_a_process_without_a_socket_does_not_wait_for_a_layer_that_stands_still(
    running_party: Party, monkeypatch
):
    """R7: each tap by request took five seconds, and so did those of other tables behind it."""

    class Layer:
        async def group_send(self, group: str, message: dict) -> None:
            await asyncio.sleep(3)

    monkeypatch.setattr(others, "get_channel_layer", Layer)
    monkeypatch.setattr(loop, "_serving", [])
    ben = running_party.ben
    tap = urlencode({"action": "pick_number", "number": 7, "seat": ben.seat, "tap": "a"})
    cookie = f"sid={ben.client.cookies['sid'].value}"
    begun = time.monotonic()
    answer = posted(f"/t/{ben.code}/act/", FORM, tap.encode(), cookie.encode())
    assert (answer["status"], running_party.entrant(ben).number) == (302, 7)
    assert time.monotonic() - begun < 2


def test_a_process_that_ends_says_in_one_line_whom_it_could_not_wake(monkeypatch, caplog):
    """A restart under load left a traceback: a tap was committed after the loop had stopped."""

    def begins_no_loop(*_what: object) -> None:
        raise RuntimeError("cannot schedule new futures after interpreter shutdown")

    monkeypatch.setattr(others, "get_channel_layer", Mock())
    monkeypatch.setattr(wake, "async_to_sync", lambda _work: begins_no_loop)
    monkeypatch.setattr(wake, "wakers", [])
    monkeypatch.setattr(loop, "_serving", [])
    wake.announce(Mock(table=Mock(pk=1), first_seq=1, seq=2, touched=frozenset()))
    [said] = caplog.records
    assert "not woken for table 1" in said.getMessage()
    assert not said.exc_info


def test_the_layer_is_made_before_threads_ask_for_it(monkeypatch):
    """R7: a tap and a socket that came first in one moment had each made one; the process then
    heard no other for as long as it ran."""
    monkeypatch.setattr(django, "setup", lambda **_how: None)
    monkeypatch.setattr(channel_layers, "backends", {})
    runpy.run_path(str(settings.BASE_DIR / "config" / "asgi.py"))
    assert list(channel_layers.backends) == ["default"]


def test_who_was_committed_is_told_so_though_nobody_could_be_woken(
    running_party: Party, monkeypatch, caplog
):
    """R1: a wake-up that fails is healed by the readers' own look; the tap is on the disk."""

    def breaks(table_id: int, told: object) -> None:
        raise RuntimeError("its loop has closed")

    monkeypatch.setattr(wake, "wakers", [breaks])
    done(running_party.ana.does("pick_number", number=7))
    assert "its loop has closed" in caplog.text
    assert running_party.entrant(running_party.ana).number == 7


def test_containers_of_one_name_are_not_taken_for_each_other(monkeypatch):
    """R7: each process there is number 1, and took what the others said for its own words."""
    monkeypatch.setattr(os, "getpid", lambda: 1)
    names = [runpy.run_path(others.__file__)["this_process"]() for _process in range(2)]
    assert len(set(names)) == 2
    assert others.this_process() == others.this_process()


def test_wake_ups_that_merge_say_what_both_have_said():
    """R7: two threads may have committed, and the later one be the first to say so."""
    first = others.Heard(3, 4, frozenset({"games_table"}))
    later = others.Heard(5, 7, frozenset({"games_seat"}))
    both = others.Heard(3, 7, frozenset({"games_table", "games_seat"}))
    assert first.and_then(later) == later.and_then(first) == both
