"""A house whose log nobody takes: a terminal after Ctrl+S, or a pipe whose reader stands still."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.keeping.machine import Machine, Phone
from tests.sizes import SERVERS

CLOSES_WITHIN = 5
AT_ONCE_S = 5.0


@pytest.mark.parametrize("server", SERVERS)
def test_a_log_that_nobody_takes_keeps_nobody_waiting(folder: Path, server: str):
    """The first refused tap waited for its line to be written, all later taps for that one."""
    read, write = os.pipe()
    machine = Machine(folder, to=write, TAPROOM_SERVER=server)
    try:
        phone = Phone(machine.opens())
        fill(write)
        begun = time.monotonic()
        for number in (2, 3):
            assert phone.taps("notmynumber", 99).status == 422, "refused, and a line of the log"
            assert phone.taps(f"t4pped{number}", number).status == 204
        assert machine.get("/nowhere").status == 404
        assert time.monotonic() - begun < AT_ONCE_S
        said = emptied(read)
        assert machine.get("/nowhere-else").status == 404
        time.sleep(0.5)
        said += emptied(read)
        assert said.count("Unprocessable Entity") == 2, "all is there when somebody takes it"
        assert said.index("/nowhere") < said.index("/nowhere-else")
        fill(write)
        machine.process.terminate()
        machine.process.wait(CLOSES_WITHIN)
    finally:
        machine.closes()
        os.close(read)
        os.close(write)


def fill(pipe: int) -> None:
    """Leave no room in a pipe; it is shared, so it is only for a moment one that waits for none."""
    os.set_blocking(pipe, False)
    with suppress(BlockingIOError):
        while True:
            os.write(pipe, b".")
    os.set_blocking(pipe, True)


def emptied(pipe: int) -> str:
    os.set_blocking(pipe, False)
    said = b""
    with suppress(BlockingIOError):
        while True:
            said += os.read(pipe, 1 << 16)
            time.sleep(0.05)
    return said.decode()
