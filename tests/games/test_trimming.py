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
LARGE = 12_000_000


def resident_mb() -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) / 1024


needs_gnu = pytest.mark.skipif(
    trimming._c_function("malloc_trim") is None, reason="NOT THE GNU C LIBRARY: nothing to ask"
)


@needs_gnu
def test_what_is_free_between_other_pieces_goes_back_to_the_system():
    those = [bytes(PIECE) for _ in range(PIECES)]
    survivors = those[::KEPT_OF]
    del those
    before = resident_mb()
    trimming.trim()
    assert before - resident_mb() > PIECE * PIECES / 2**20 / 2
    assert len(survivors) == PIECES / KEPT_OF


@needs_gnu
def test_what_is_large_goes_back_as_soon_as_it_is_free():
    """Eight files of 24 MB each left 300 MB that nobody used."""
    trimming.give_back_large()
    before = resident_mb()
    first = b"x" * (2 * LARGE)  # from then on such a size counts as one of the small
    del first
    second = b"x" * LARGE
    del second
    assert resident_mb() - before < LARGE / 2**20 / 2


def test_what_is_small_is_not_asked_for_with_each_push(monkeypatch: pytest.MonkeyPatch):
    """Told one bound, the C library stops finding out the other, and begins with 128 KB."""
    told: dict[int, int] = {}
    monkeypatch.setattr(trimming, "_c_function", lambda _name: told.__setitem__)
    trimming.give_back_large()
    assert told[trimming.HOW_MUCH_STAYS] == 2 * told[trimming.FROM_HOW_MANY]


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
    monkeypatch.setattr(trimming, "_c_function", lambda _name: None)
    trimming.trim()
    trimming.give_back_large()
