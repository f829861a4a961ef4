"""Whoever says more than any phone does: for how long they are heard no more, and who feels it."""

from __future__ import annotations

import asyncio

import pytest

from games.live import arrivals, consumer
from tests.games.party import Party
from tests.games.sockets import LONGEST_WAIT, Line, knocks_at, looks

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def party(running_party: Party) -> Party:
    return running_party


async def test_whoever_was_closed_for_a_flood_rests_before_the_next_socket(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """Each socket may begin with forty messages at once: who came again had hundreds a second."""
    monkeypatch.setattr(arrivals, "FLOOD_SECONDS", 1.0)
    async with looks(party.ben) as ben:
        for _message in range(60):
            await ben.says(ack=0)
        assert await ben.closes() == consumer.TOO_FAST
    async with looks(party.ana) as ana:
        assert await ana.takes()
    again = knocks_at(party.ben)
    assert (await again.connect(timeout=LONGEST_WAIT))[0]
    assert await Line(again).closes() == consumer.TOO_FAST
    await asyncio.sleep(1.5)
    async with looks(party.ben) as ben:
        assert await ben.takes()
