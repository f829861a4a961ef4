"""What phones needed for a moment, when they came in, is not kept for ever."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from games.live import consumer, trimming
from tests.games.party import Party
from tests.games.sockets import looks

# Above half a kilobyte Python leaves it to the C library.
PIECE, PIECES, KEPT_OF = 1000, 60_000, 100


def resident_mb() -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) / 1024


@pytest.mark.skipif(trimming._c_function() is None, reason="NOT THE GNU C LIBRARY: nothing to ask")
def test_what_is_free_between_other_pieces_goes_back_to_the_system():
    those = [bytes(PIECE) for _ in range(PIECES)]
    survivors = those[::KEPT_OF]
    del those
    before = resident_mb()
    trimming.trim()
    assert before - resident_mb() > PIECE * PIECES / 2**20 / 2
    assert len(survivors) == PIECES / KEPT_OF


async def test_many_that_come_at_once_are_one_reason(monkeypatch: pytest.MonkeyPatch):
    trims: list[int] = []
    monkeypatch.setattr(trimming, "REST_SECONDS", 0.05)
    monkeypatch.setattr(trimming, "trim", lambda: trims.append(1))
    for _phone in range(20):
        trimming.trim_soon()
    await asyncio.sleep(0.2)
    assert trims == [1]
    trimming.trim_soon()
    await asyncio.sleep(0.2)
    assert trims == [1, 1]


@pytest.mark.django_db(transaction=True)
async def test_a_phone_that_comes_in_and_one_that_goes_are_reasons(
    running_party: Party, monkeypatch: pytest.MonkeyPatch
):
    reasons: list[str] = []
    monkeypatch.setattr(consumer, "trim_soon", lambda: reasons.append("phone"))
    async with looks(running_party.ben) as ben:
        await ben.settles()
        assert reasons == ["phone"]
    assert reasons == ["phone"] * 2


def test_a_system_that_can_not_is_left_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(trimming, "_c_function", lambda: None)
    trimming.trim()
