"""Houses to keep: files of their own, copied from one that people have played in."""

from __future__ import annotations

import json
import lzma
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from pytest_django.plugin import DjangoDbBlocker

from config.command_line import CommandLine
from games.keeping import archive, lock, making, rows
from games.keeping.stand_in import file_standing_in, standing_in
from tests.games.databases import copy_own_database
from tests.keeping.altering import altered, manifest_with
from tests.keeping.cluster import Cluster, cluster
from tests.keeping.machine import Machine
from tests.sizes import IS_FULL, SERVERS
from tests.starting import starts

in_full = pytest.mark.skipif(not IS_FULL, reason="in full size only: make keeping")
RELEASES = Path(__file__).parent / "releases"


def unpacked(release: str, to: Path) -> Path:
    """Write the database of a release to a file."""
    with lzma.open(RELEASES / f"{release}.sqlite3.xz") as packed, to.open("wb") as file:
        shutil.copyfileobj(packed, file)
    return to


def brought_here(folder: Path) -> None:
    """Have a house begin with the tests' own database: to migrate one takes three seconds.

    Who calls it needs `django_db_setup`.
    """
    if connection.vendor == "sqlite":
        copy_own_database(folder / "taproom.sqlite3")


@pytest.fixture
def folder(tmp_path: Path, django_db_setup: None) -> Path:
    """The folder of a house in which nobody has been."""
    folder = tmp_path / "house"
    folder.mkdir()
    brought_here(folder)
    return folder


def says(words: str) -> None:
    """Give a command as the command line does; it must refuse, and end with status 1."""
    name = words.split(maxsplit=1)[0]
    with pytest.raises(SystemExit, match="1"):
        CommandLine().fetch_command(name).run_from_argv(["manage.py", *words.split()])


def let_go() -> None:
    """Close the houses that this process has opened, as its end would."""
    while lock._held:
        lock._held.pop().close()


class Lived:
    """A data folder with a house in it, whose database stands in for the tests' own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "taproom.sqlite3"
        self.backups = folder / "backups"
        self.key = folder / "secret_key"

    def rows(self, query: str, *values: Any) -> list[Any]:
        with closing(sqlite3.connect(self.file)) as db:
            return db.execute(query, values).fetchall()

    def forgets_a_migration(self) -> None:
        """Be of an earlier release, for whoever asks what there is to migrate."""
        ours = "FROM django_migrations WHERE app = 'campaigns'"
        self.writes(f"DELETE {ours} AND name = (SELECT MAX(name) {ours})")

    def writes(self, query: str, *values: Any) -> None:
        with closing(sqlite3.connect(self.file)) as db, db:
            db.execute(query, values)

    def spoils(self, table: str) -> None:
        """Write over the first page of a table, as a disk might that is about to break."""
        page = self.rows(f"SELECT rootpage FROM sqlite_master WHERE name = '{table}'")[0][0]
        with self.file.open("r+b") as file:
            file.seek((page - 1) * 4096 + 8)
            file.write(b"\xff" * 600)


def counted(path: Path) -> dict[str, int]:
    """Return how many rows a backup has, but for what a restore writes itself."""
    with archive.opened(path) as (_whole, manifest):
        own = ("django_migrations", "games_house")
        return {t: n for t, n in manifest.rows.items() if t not in own}


def analyzed(path: Path) -> Path:
    """Say of a laptop's backup that it has what ANALYZE leaves: a table of no PostgreSQL."""
    return altered(path, manifest_with(rows={**counted(path), "sqlite_stat1": 100}))


def kind_of(path: Path) -> str:
    """Return how a backup has its database: a name of `archive.MEMBERS`."""
    with archive.opened(path) as (_whole, manifest):
        return manifest.kind


def everything(file: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of every table of a database file, JSON by what it says."""
    with closing(sqlite3.connect(file)) as db:
        names = [r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: sorted((said(r) for r in db.execute(f'SELECT * FROM "{name}"')), key=repr)
            for name in names
        }


def said(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row in which JSON is written in one way: with how many spaces does not matter."""
    return tuple(
        json.dumps(json.loads(value))
        if isinstance(value, str) and value[:1] in ("{", "[")
        else value
        for value in row
    )


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Path:
    """A house at which all three games are under way, brought to this release once."""
    newest = max(path.name.split(".")[0] for path in RELEASES.iterdir())
    file = unpacked(newest, tmp_path_factory.mktemp("played") / "house.sqlite3")
    with django_db_blocker.unblock(), file_standing_in(file, writes=True):
        call_command("migrate", verbosity=0, interactive=False)
    return file


Opens = Callable[[Path], AbstractContextManager[Lived]]


@pytest.fixture
def opens(settings: Any, django_db_blocker: DjangoDbBlocker) -> Opens:
    """Make a folder the house's own: ``with opens(folder) as house``."""

    @contextmanager
    def open_(folder: Path) -> Iterator[Lived]:
        folder.mkdir(exist_ok=True)
        house = Lived(folder)
        settings.DATA_DIR, settings.BACKUP_DIR = folder, house.backups
        if not house.key.exists():
            house.key.write_text(f"key of {folder.name}")
        options = {"timeout": 20, "transaction_mode": "IMMEDIATE"}
        engine = "django.db.backends.sqlite3"
        with (
            django_db_blocker.unblock(),
            standing_in(ENGINE=engine, NAME=str(house.file), OPTIONS=options),
        ):
            yield house

    return open_


@pytest.fixture
def house(played: Path, tmp_path: Path, opens: Opens) -> Iterator[Lived]:
    """The house that was played in, in a folder of its own."""
    folder = tmp_path / "house"
    folder.mkdir()
    shutil.copy(played, folder / "taproom.sqlite3")
    with opens(folder) as lived:
        yield lived


@pytest.fixture
def packed(house: Lived) -> Path:
    """A backup of the house that was played in, made on SQLite."""
    return making.make()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder in which no house is yet."""
    return tmp_path / "elsewhere"


class Opened(NamedTuple):
    """A house that is open, with the threads that it had when it opened."""

    machine: Machine
    server: str
    threads: set[str]


@pytest.fixture(scope="session", params=SERVERS)
def opened(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,
) -> Iterator[Opened]:
    """A real house, for tests that leave it as they have found it: to open one takes seconds."""
    folder = tmp_path_factory.mktemp("opened") / "house"
    folder.mkdir()
    brought_here(folder)
    machine = Machine(folder, TAPROOM_SERVER=request.param, TAPROOM_BACKUPS="0")
    try:
        yield Opened(machine, request.param, threads_of(machine.opens()))
    finally:
        machine.closes()


def threads_of(machine: Machine) -> set[str]:
    return set(os.listdir(f"/proc/{machine.process.pid}/task"))


@pytest.fixture(scope="session")
def server() -> Iterator[Cluster]:
    with cluster() as one:
        yield one


@pytest.fixture
def served(settings: Any, tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[Path]:
    """The data folder of a house on a server."""
    folder = tmp_path / "served"
    folder.mkdir()
    settings.DATA_DIR, settings.BACKUP_DIR = folder, folder / "backups"
    with django_db_blocker.unblock():
        yield folder


@pytest.fixture
def on_server(server: Cluster, served: Path) -> Iterator[Path]:
    """An empty database of the server stands in; yields its data folder."""
    with standing_on(server, server.new_database()):
        yield served


class Moved(NamedTuple):
    """A laptop's house on the server: its database, its data folder, and what was said of it."""

    name: str
    folder: Path
    said: subprocess.CompletedProcess[str]


@pytest.fixture(scope="session")
def moved_before() -> list[Moved]:
    """The house that was moved already."""
    return []


@pytest.fixture
def moved(
    packed: Path,
    server: Cluster,
    moved_before: list[Moved],
    tmp_path_factory: pytest.TempPathFactory,
) -> Moved:
    """The house that was played in, brought to the server by the command line: once for all tests.

    To migrate a database there and fill it takes five seconds, to copy one a tenth of that. It is
    done by a user who owns that database, and is nobody to the server beside that.
    """
    if not moved_before:
        with psycopg.connect(server.address, autocommit=True) as line:
            line.execute("CREATE ROLE host LOGIN")
        name, folder = server.new_database("OWNER host"), tmp_path_factory.mktemp("moved")
        address = f"postgres://host@127.0.0.1:{server.port}/{name}"
        done = starts(folder, "restore", str(analyzed(packed)), TAPROOM_DATABASE=address)
        moved_before.append(Moved(name, folder, done))
    return moved_before[0]


@pytest.fixture
def on_moved(moved: Moved, server: Cluster, served: Path) -> Iterator[Path]:
    """A copy of the house that was brought to the server stands in; yields its data folder."""
    assert moved.said.returncode == 0, moved.said.stderr
    shutil.copy(moved.folder / archive.KEY, served)
    with standing_on(server, server.new_database(f"TEMPLATE {moved.name}")):
        yield served


@contextmanager
def standing_on(server: Cluster, name: str) -> Iterator[None]:
    """Let a database of the server stand in."""
    where = urlsplit(server.address)
    with standing_in(
        ENGINE="django.db.backends.postgresql", NAME=name, USER="postgres", PASSWORD="",
        HOST=where.hostname, PORT=str(where.port), OPTIONS={},
    ):  # fmt: skip
        yield


@contextmanager
def another_line(user: str = "") -> Iterator[None]:
    """Let this thread be somebody else at the same server, by a connection of their own."""
    here = connection.settings_dict
    place = {k: here[k] for k in ("ENGINE", "NAME", "USER", "HOST", "PORT")}
    with standing_in(**(place | {"USER": user} if user else place)):
        yield


@pytest.fixture(scope="session")
def empty_houses() -> Iterator[dict[tuple[Any, ...], sqlite3.Connection]]:
    """By their migrations: databases that have been migrated, and nothing is in them."""
    made: dict[tuple[Any, ...], sqlite3.Connection] = {}
    yield made
    for one in made.values():
        one.close()


@pytest.fixture
def migrated_once(
    empty_houses: dict[tuple[Any, ...], sqlite3.Connection], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let rows come into a copy of the first database that was migrated for them.

    To migrate one takes a second, and most of these tests never come to a row that is right.
    """

    class Once(MigrationExecutor):
        def migrate(self, targets: Any, *how: Any, **more: Any) -> Any:
            key = tuple(targets)
            if key in empty_houses:
                connection.ensure_connection()
                return empty_houses[key].backup(connection.connection)
            done = super().migrate(targets, *how, **more)
            empty_houses[key] = sqlite3.connect(":memory:")
            connection.connection.backup(empty_houses[key])
            return done

    monkeypatch.setattr(rows, "MigrationExecutor", Once)


@pytest.fixture(autouse=True)
def nothing_of_a_house_stays() -> Iterator[None]:
    """Whatever stood in is gone again after the test, and no folder is held any more."""
    before = connection.settings_dict["NAME"]
    yield
    let_go()
    assert connection.settings_dict["NAME"] == before
