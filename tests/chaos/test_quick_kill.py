"""R1: what was acknowledged survives kill -9, at whatever instant it falls."""

from __future__ import annotations

from tests.chaos import kill
from tests.chaos.house import Zygote
from tests.games.databases import missing
from tests.sizes import size

KILLS, ACKS = size(20, 100), size(40, 2000)


async def test_acknowledged_taps_survive_kills_under_load(mother: Zygote):
    found = await kill.kills(mother, kills=KILLS, acks=ACKS)
    assert found["acks"] >= ACKS / 2, found
    assert found["by_its_own_hand"], "no server died between a commit and its answer"
    assert kill.is_met(found), found


async def test_an_answer_before_the_commit_would_be_lost(mother: Zygote):
    """The control: a server that answers first and writes a moment later."""
    found = await kill.kills(mother, kills=2, acks=12, ack_first=0.3)
    assert found["lost"] > 0
    assert not kill.is_met(found)


async def test_every_answer_follows_a_sync_of_the_database_file(mother: Zygote):
    """Power loss: kill -9 can't see a commit that is only in the system's cache."""
    if not kill.has_strace():
        missing("strace", "this machine", RuntimeError("apt-get install strace"))
    found = await kill.syncs(mother, taps=10)
    assert found["answers_without_sync"] == 0, found
    assert found["syncs"] >= found["taps"]
