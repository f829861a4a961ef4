"""A PostgreSQL server that is killed under a house: said in words, and play goes on after it."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from games.live.workers import UNUSED_S
from tests.keeping.cluster import Cluster
from tests.keeping.conftest import in_full
from tests.keeping.machine import Machine, Phone

pytestmark = pytest.mark.services


@in_full
def test_a_server_that_is_killed_is_told_of_in_words_and_play_goes_on_after(
    server: Cluster, tmp_path: Path
):
    """The same house goes on when the server is there again, and after a death nobody saw."""
    folder = tmp_path / "machine"
    folder.mkdir()
    machine = Machine(folder, TAPROOM_DATABASE=server.address, TAPROOM_BACKUPS="0")
    try:
        ana = Phone(machine.opens())
        assert ana.taps("before", 7).status == 204
        server.is_killed()
        try:
            _everybody_is_told(machine, ana)
        finally:
            server.starts()
        until = time.monotonic() + 20
        while ana.taps("meanwhile", 8).status != 204:
            assert time.monotonic() < until, machine.log()[-1500:]
            time.sleep(0.3)
        ana.hears(lambda said: any("number 8" in t["text"] for t in said.get("told", ())))
        with psycopg.connect(server.address) as line:
            query = "SELECT count(*) FROM games_play WHERE tap LIKE %s"
            for tap in ("%:before", "%:meanwhile"):
                assert line.execute(query, (tap,)).fetchone() == (1,)
        assert machine.readiness()["ready"]
        # A restart that nobody noticed, since nobody played meanwhile.
        server.is_killed()
        server.starts()
        time.sleep(UNUSED_S)
        assert ana.taps("after", 9).status == 204, machine.log()[-1500:]
    finally:
        machine.closes()


def _everybody_is_told(machine: Machine, ana: Phone) -> None:
    begun = time.monotonic()
    answer = ana.taps("meanwhile", 8)
    took = time.monotonic() - begun
    assert answer.status == 503, machine.log()[-1500:]
    assert "this phone sends it again by itself" in answer.words
    assert took < 8, "a phone waits eight seconds for an answer"
    with ThreadPoolExecutor(12) as crowd:
        begun = time.monotonic()
        heard = crowd.map(lambda n: ana.taps(f"crowd-{n}", 8).status, range(12))
        assert set(heard) == {503}
    assert time.monotonic() - begun < 8, "the last of many waits for all before it"
    assert ana.is_answered(), "the socket stays up"
    assert machine.get("/healthz").status == 200
    assert machine.readiness()["database"] in ("gone", "does not answer")
