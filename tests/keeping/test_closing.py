"""A real house closes when it is told to, whoever is in the middle of something."""

from __future__ import annotations

import resource
import socket
import subprocess
import time
from pathlib import Path

import pytest

from tests.keeping.machine import Machine
from tests.sizes import SERVERS

FEW = 256
CLOSES_WITHIN = 10  # what takes longer is killed by containers, in the middle of whatever it does


@pytest.mark.parametrize("server", SERVERS)
def test_half_a_request_keeps_no_house_open(folder: Path, server: str):
    """One who begins to send and never goes on held uvicorn for as long as they liked."""
    was = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (FEW, was[1]))
    try:
        machine = Machine(folder, TAPROOM_SERVER=server)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, was)
    try:
        machine.opens()
        lines = resource.prlimit(machine.process.pid, resource.RLIMIT_NOFILE)
        assert lines[0] == lines[1] > FEW, "sockets that say nothing would shut everybody else out"
        with socket.create_connection(("127.0.0.1", machine.port)) as half:
            half.sendall(b"POST /join/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\ncode")
            time.sleep(0.3)
            machine.process.terminate()
            try:
                machine.process.wait(CLOSES_WITHIN)
            except subprocess.TimeoutExpired:
                pytest.fail("the house did not close")
        assert "Traceback" not in machine.log()
    finally:
        machine.closes()
