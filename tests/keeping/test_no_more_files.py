"""A process that may open nothing more: whoever has a line is told so in words, and it recovers."""

from __future__ import annotations

import http.client
import json
import os
import resource
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import pytest

from config.bounds import KEPT_FILES
from tests.keeping.conftest import Opened
from tests.keeping.machine import Machine
from tests.sizes import SERVERS

CANNOT_LOOK = {"en": "The house cannot look", "es": "La casa no puede"}
# A page whose template no process reads before somebody asks for it, or it has nothing to do.
NOT_YET_READ = "/rules/brave_or_knave/"


def asked(line: http.client.HTTPConnection, path: str, language: str = "en") -> tuple[int, str]:
    line.request("GET", path, headers={"Accept-Language": language, "Cookie": "sid=nobodysphone"})
    answer = line.getresponse()
    return answer.status, answer.read().decode()


@pytest.mark.parametrize("server", SERVERS)
def test_who_comes_to_a_house_that_may_open_no_more_files_is_told(folder: Path, server: str):
    """The words of trouble stood in a file that had not been read yet: so they were a 500.

    So was whatever came first to a process, for which Django itself has files to read.
    """
    machine = Machine(folder, TAPROOM_SERVER=server, TAPROOM_BACKUPS="0")
    try:
        machine.opens()
        with closing(http.client.HTTPConnection("127.0.0.1", machine.port, timeout=30)) as line:
            assert asked(line, "/healthz")[0] == 200  # which no part of Django answers
            with machine.without_files():
                for language, words in CANNOT_LOOK.items():
                    for path in ("/", NOT_YET_READ):  # whose session is in a file not yet open
                        status, page = asked(line, path, language)
                        assert status == 503, machine.log()[-3000:]
                        assert words in page
            assert asked(line, "/")[0] == 200
            assert asked(line, NOT_YET_READ)[0] == 200
        assert machine.get("/").status == 200
        assert "Traceback" not in machine.log()
    finally:
        machine.closes()


@contextmanager
def with_few_files(machine: Machine, lines: int) -> Iterator[None]:
    """Allow the house as many lines more as that, and what it keeps free for itself."""
    pid = machine.process.pid
    was = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    taken = max(map(int, os.listdir(f"/proc/{pid}/fd")))
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (taken + 1 + lines + KEPT_FILES, was[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_NOFILE, was)


def is_hung_up(machine: Machine) -> bool:
    """Tell whether a new line is closed before it has asked for anything."""
    try:
        with socket.create_connection(("127.0.0.1", machine.port), timeout=10) as line:
            line.settimeout(1.0)
            return line.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionResetError:
        return True


def test_who_comes_to_a_house_full_of_lines_is_turned_away_and_who_is_there_plays_on(
    opened: Opened,
):
    """Lines took the last file: newcomers hung on Daphne, the house could not keep what needs a
    file, and nobody was told why."""
    machine = opened.machine
    with closing(http.client.HTTPConnection("127.0.0.1", machine.port, timeout=30)) as line:
        assert asked(line, "/")[0] == 200
        with with_few_files(machine, 8), ExitStack() as crowd:
            for _one in range(60):
                with suppress(ConnectionResetError):  # hung up before this side knew of it
                    someone = socket.create_connection(("127.0.0.1", machine.port), timeout=10)
                    crowd.enter_context(closing(someone))
            assert is_hung_up(machine)
            status, told = asked(line, "/readyz")
            assert (status, json.loads(told)["database"]) == (200, "ok")
            assert asked(line, NOT_YET_READ)[0] == 200
        time.sleep(1)
        assert not is_hung_up(machine)
    assert machine.log().count("LimitNOFILE") == 1
