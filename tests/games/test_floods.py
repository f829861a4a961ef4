"""Whoever says more than any phone does: for how long they are heard no more, and who feels it."""

from __future__ import annotations

import asyncio
from urllib.parse import urlencode

import pytest

from games.live import arrivals, consumer
from tests.games.party import Party, Person
from tests.games.sockets import LONGEST_WAIT, Line, knocks_at, looks

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def party(running_party: Party) -> Party:
    return running_party


async def test_a_tap_that_comes_along_with_an_acknowledgement_counts(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """docs/security.md: each tap brings a push to acknowledge, and so the next one cost nothing."""
    monkeypatch.setattr(consumer, "MOST_TOKENS", 3.0)
    monkeypatch.setattr(consumer, "TOKENS_A_SECOND", 0.0)
    form = {"action": "pick_number", "seat": party.ben.seat, "saw": 0}
    async with looks(party.ben) as ben:
        await ben.settles()
        for number in range(2, 5):
            taps = urlencode({**form, "number": number, "tap": str(number)})
            await ben.says(ack=0, do=taps, n=number)
            heard = [await ben.hears(), await ben.hears()]
            assert sorted("regions" in one for one in heard) == [False, True]
        await ben.says(ack=0, do=taps, n=4)
        assert await ben.closes() == consumer.TOO_FAST


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


async def test_a_cookie_that_is_none_of_ours_is_not_kept_to_be_counted(party: Party):
    """Anybody can bring 4,096 of 60,000 letters each: the house kept all of them, for good."""
    stranger = Person("Mallory")
    stranger.code, stranger.client.cookies["sid"] = party.ben.code, "x" * 10_000
    socket = knocks_at(stranger, seat=1)
    assert (await socket.connect(timeout=LONGEST_WAIT))[0]
    assert await Line(socket).closes() == consumer.TURNED_OUT
    assert not [known for known in arrivals._left if len(known) > 100]
