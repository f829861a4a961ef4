"""A process that has imported everything, and does one task after the other.

It stays for as long as the tests run: all that it is asked for begins with the same imports, which
take longer than most of the tasks.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any


class Leader:
    """One such process, as the test that asks it sees it."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._folder = TemporaryDirectory(prefix="taproom-")
        context = multiprocessing.get_context("spawn")
        self._line, theirs = context.Pipe()
        with _environment({**environment, "TAPROOM_DATA": self._folder.name}):
            self._process = context.Process(target=_leads, args=(theirs,))
            self._process.start()
        theirs.close()
        atexit.register(self.ends)

    def does(self, database: str, task: str, *given: Any, within: float) -> Any:
        """Return what a task, as "module:function", returns at this database; raise what it raised.

        TimeoutError when nothing has come back, and RuntimeError when the process has died: who
        asks next has another one.
        """
        try:
            self._line.send((database, task, given))
            is_told = self._line.poll(within)
            told, error = self._line.recv() if is_told else (None, TimeoutError("nobody came back"))
        except (EOFError, OSError):
            is_told, told, error = False, None, RuntimeError("the leader died")
        if not is_told:
            self.ends()
        if error is not None:
            raise error
        return told

    @property
    def is_there(self) -> bool:
        return not self._line.closed and self._process.is_alive()

    def ends(self) -> None:
        atexit.unregister(self.ends)
        self._line.close()
        self._process.join(5)
        self._process.kill()
        self._process.join()
        self._folder.cleanup()


_leaders: dict[str, Leader] = {}


def leader_of(environment: dict[str, str]) -> Leader:
    server = environment.get("TAPROOM_DATABASE", "").rpartition("/")[0]
    if server not in _leaders or not _leaders[server].is_there:
        _leaders[server] = Leader(environment)
    return _leaders[server]


def database_of(environment: dict[str, str]) -> str:
    """Return the name of the database that an environment means, as Django's settings have it."""
    if address := environment.get("TAPROOM_DATABASE"):
        return address.rpartition("/")[2]
    return str(Path(environment["TAPROOM_DATA"]) / "taproom.sqlite3")


@contextmanager
def _environment(wanted: dict[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    for name in [n for n in os.environ if n.startswith("TAPROOM_")]:
        del os.environ[name]
    os.environ.update(wanted, DJANGO_SETTINGS_MODULE="config.settings")
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _leads(line: Any) -> None:
    import django

    django.setup()
    import_module("config.urls")
    from django.db import connections

    with suppress(EOFError):  # nobody asks any more
        while True:
            database, task, given = line.recv()
            connections.settings["default"]["NAME"] = database
            try:
                line.send((pkgutil.resolve_name(task)(*given), None))
            except Exception as error:
                line.send((None, error))
