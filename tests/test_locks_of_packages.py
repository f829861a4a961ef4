"""What is locked is all that is needed, on every Python and system that `make play` takes.

A lock is written by one Python. pip refuses it (`--require-hashes`) where another one needs
something more: Debian 12's own 3.11.2 did, for redis, and nothing of the house could be set up.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.markers import Environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CONFIG = Path(__file__).resolve().parent.parent / "config"
PINNED = re.compile(r"^([\w.-]+)(?:\[([\w,-]+)\])?==", re.M)
PYTHONS = ("3.11.0", "3.11.2", "3.11.9", "3.12.3", "3.13.5", "3.14.0")
SYSTEMS = (("linux", "Linux", "x86_64"), ("linux", "Linux", "aarch64"),
           ("darwin", "Darwin", "arm64"))  # fmt: skip


def locked(name: str) -> dict[str, list[str]]:
    """Return what a lock has, each with the extras that it is locked with."""
    found = PINNED.findall((CONFIG / name).read_text())
    return {canonicalize_name(one): [x for x in extras.split(",") if x] for one, extras in found}


def machine(python: str, system: tuple[str, str, str]) -> Environment:
    platform, name, processor = system
    return {
        "python_full_version": python, "python_version": python.rpartition(".")[0],
        "implementation_version": python, "sys_platform": platform, "os_name": "posix",
        "platform_system": name, "platform_machine": processor,
    }  # type: ignore[return-value]  # fmt: skip


@cache
def needs_of(name: str) -> list[Requirement]:
    """Return what a package asks for; nothing where it is for another system, and not here."""
    try:
        return [*map(Requirement, distribution(name).requires or [])]
    except PackageNotFoundError:
        return []


def lacking(have: dict[str, list[str]], python: str, system: tuple[str, str, str]) -> set[str]:
    """Return who needs what that is not locked, as far as it is installed here to be asked."""
    there, found = machine(python, system), set()
    for name, extras in have.items():
        for need in needs_of(name):
            marker = need.marker
            if (
                marker is None or any(marker.evaluate({**there, "extra": x}) for x in ["", *extras])
            ) and canonicalize_name(need.name) not in have:
                found.add(f"{name}: {need}")
    return found


@pytest.mark.parametrize("system", SYSTEMS, ids="-".join)
@pytest.mark.parametrize("python", PYTHONS)
def test_every_python_and_system_finds_all_that_it_needs_locked(
    python: str, system: tuple[str, str, str]
):
    play = locked("requirements.lock")
    assert lacking(play, python, system) == set()
    assert lacking(play | locked("requirements-dev.lock"), python, system) == set()


def test_what_an_older_python_alone_needs_would_be_missed():
    """The control: without it the lock is refused by Debian 12's Python."""
    have = locked("requirements.lock")
    del have["async-timeout"]
    (told,) = lacking(have, "3.11.2", SYSTEMS[0])
    assert told.startswith("redis: async-timeout")
    assert lacking(have, "3.11.9", SYSTEMS[0]) == set()
