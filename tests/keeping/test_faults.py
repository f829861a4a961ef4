"""A disk that is full or only read, a database that is gone: play goes on where it can.

Where it can't, that is said in words; nothing acknowledged is lost, nothing half-done is kept,
the same tap sent again happens once, and the house recovers by itself.
"""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing

import pytest

from games.health import FRESH_S
from tests.keeping.conftest import brought_here
from tests.keeping.impatient_settings import OFTEN_S
from tests.keeping.machine import Machine, Phone, small_disk
from tests.sizes import size

CANNOT_WRITE = "The house cannot write anything down just now."
SENDS_AGAIN = "this phone sends it again by itself"
CANNOT_LOOK = "The house cannot look anything up just now."
_taps = (f"tap-{n}" for n in itertools.count(1))
_numbers = itertools.cycle((7, 8, 9, 10, 11))


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Machine]:
    """One house for all; its folder is a disk of its own, where this process may make one."""
    folder = tmp_path_factory.mktemp("machine") / "data"
    with small_disk(folder) as is_small:
        brought_here(folder)
        settings = size("tests.keeping.impatient_settings", "config.settings")
        one = Machine(folder, TAPROOM_BACKUPS="0", DJANGO_SETTINGS_MODULE=settings)
        one.fresh_s = size(OFTEN_S, FRESH_S)
        one.is_small = is_small  # type: ignore[attr-defined]
        try:
            yield one.opens()
        finally:
            one.closes()


@pytest.fixture(scope="module")
def ana(machine: Machine) -> Phone:
    return Phone(machine)


def happened(machine: Machine, tap: str) -> int:
    """Count how often a tap is in the log, as it is on the disk."""
    with closing(sqlite3.connect(machine.file)) as db:
        query = "SELECT COUNT(*) FROM games_play WHERE tap LIKE '%:' || ?"
        return int(db.execute(query, (tap,)).fetchone()[0])


def broken(machine: Machine, fault: str) -> AbstractContextManager[None]:
    if fault == "without_room" and not machine.is_small:  # type: ignore[attr-defined]
        # Nobody but root makes a disk: then every file's growth is refused instead.
        fault = "full"
    return getattr(machine, fault)()  # type: ignore[no-any-return]


def test_play_goes_on_where_it_can_and_recovers_by_itself(machine: Machine, ana: Phone):
    """One house on one machine, to which everything happens, one thing after the other."""
    faults = ("without_room", "full", "read_only", "without_its_file", "with_another_house")
    for fault in faults:
        _breaks_and_is_mended(machine, ana, fault)
    _strangers_are_told_in_their_language(machine)
    _programs_are_told_in_their_form(machine, ana)
    _health_tells_nothing_of_the_house(machine)
    _the_file_is_sound(machine)


def _breaks_and_is_mended(machine: Machine, ana: Phone, fault: str) -> None:
    before, refused = next(_taps), next(_taps)
    assert ana.taps(before, next(_numbers)).status == 204
    number = next(_numbers)
    with broken(machine, fault):
        answer = ana.taps(refused, number)
        # Files that were open before stay writable where only modes changed: that is no lie.
        is_written = fault == "read_only" and answer.status == 204
        if not is_written:
            assert answer.status == 503, (fault, answer, machine.log()[-1500:])
            assert CANNOT_WRITE in answer.words
            assert SENDS_AGAIN in answer.words
            assert int(answer.headers["Retry-After"]) > 0
        page = ana.sees(ana.path)
        if fault in ("without_its_file", "with_another_house"):
            # A connection that was open may still read.
            assert page.status == 200 or (page.status == 503 and CANNOT_LOOK in page.words)
        else:
            assert page.status == 200, f"{fault}: what is there can be read"
        assert ana.is_answered(), "the socket stays up"
        assert machine.get("/healthz").status == 200
        assert not machine.readiness()["ready"], fault
    assert happened(machine, before) == 1
    assert happened(machine, refused) == is_written, f"{fault}: what was said is not so"
    assert ana.taps(refused, number).status == 204, (fault, machine.log()[-1500:])
    assert ana.taps(refused, number).status == 204
    assert happened(machine, refused) == 1
    if not is_written:  # or it was told while the socket was tried
        ana.hears(lambda said: any(f"number {number}" in t["text"] for t in said.get("told", ())))
    well = {"ready": True, "database": "ok", "layer": "not needed"}
    looks = (machine.readiness() for _time in range(5))
    assert well in looks, (fault, machine.log()[-1500:])
    assert "Traceback" not in machine.log(), "one line a tap is enough when a disk is full"


def _strangers_are_told_in_their_language(machine: Machine) -> None:
    """Somebody without a seat, in Spanish, who sends a form that is no tap: told on a page."""
    luz = Phone(machine, language="es")
    with machine.without_its_file():
        home = luz.posts("/start/", host_name="Luz", table_name="El Cisne")
    assert home.status == 503
    assert "La casa no puede" in home.words
    assert "<html" in home.words


def _programs_are_told_in_their_form(machine: Machine, ana: Phone) -> None:
    code = ana.path.strip("/").split("/")[1]
    with machine.without_its_file():
        answer = ana.sees(f"/api/tables/{code}/")
    assert answer.status == 200 or (answer.status == 503 and '"error"' in answer.words)


def _health_tells_nothing_of_the_house(machine: Machine) -> None:
    """No path, no address, no name, whatever is broken; and no Host has to be known."""
    assert machine.get("/healthz").words == '{"alive":true}'
    with machine.without_its_file():
        told = machine.readiness()
    assert told == {"ready": False, "database": "gone", "layer": "not needed"}
    assert machine.readiness()["ready"]


def _the_file_is_sound(machine: Machine) -> None:
    with closing(sqlite3.connect(machine.file)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        gaps = "SELECT COUNT(*) FROM games_table t WHERE seq <> "
        gaps += "(SELECT COUNT(*) FROM games_event e WHERE e.table_id = t.id)"
        assert db.execute(gaps).fetchone() == (0,)
        assert db.execute("SELECT COUNT(*) FROM games_event").fetchone()[0] > 8
