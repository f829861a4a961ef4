"""The cast and what they play with. Ana opened the table, Ben is seated, Cleo is a bystander
and a stranger to the table, Tess is the shared tablet."""

from __future__ import annotations

import atexit
import fcntl
import gc
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pytest
from asgiref.sync import SyncToAsync
from django.apps import apps
from django.core.cache import cache as kept_here
from django.db import connection, connections
from django.test import TransactionTestCase
from django.utils.timezone import now as real_now

from characters.services import kept_book
from games import presence, snapshot
from games.live import arrivals, workers
from tests import sizes
from tests.games.databases import RUN, copy_database, file_database, postgres_database
from tests.games.party import Clock, Dice, Party
from tests.looks import Looks
from tests.order import Order
from tests.standing import Standing

T = TypeVar("T")
Scenes = Callable[[Callable[[Party], None]], Standing[Party]]


class Builder(Protocol):
    def __call__(
        self, make: Callable[[Dice, Clock], T], *, clock_runs: bool = False
    ) -> Standing[T]: ...


# What these find wrong is told as where a test itself says `assert`. It is said here, since each
# worker imports the tests' modules before it comes to their folders (tests/order.py).
pytest.register_assert_rewrite(
    "tests.phones.keyboard", "tests.phones.layout", "tests.phones.tablet"
)

# Until everything is collected: next to nothing of what it makes is garbage.
gc.disable()


def pytest_configure(config: pytest.Config) -> None:
    sizes.load_profile()
    config.pluginmanager.register(Looks())
    if hasattr(config, "workerinput"):
        number = int(config.workerinput["workerid"].removeprefix("gw"))
        config.pluginmanager.register(Order(number, config.workerinput["workercount"]))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if sizes.IS_FULL:
        for item in items:
            item.add_marker(pytest.mark.timeout(0))


def pytest_collection_finish() -> None:
    """Exempt what was imported from garbage collection: it stays to the end.

    With thousands of tests collected, searching it again and again took a tenth of all the time;
    looking through what tests leave behind as often as Python does by itself, a fifteenth. To look
    for the little garbage among it took half a second more of each worker.
    """
    gc.freeze()
    gc.set_threshold(50_000, 50, 50)
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show why a test had to be run again: one that passes then is still a thing to explain."""
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.section(f"run again: {report.nodeid}")
        terminalreporter.line(report.longreprtext)


def _told_dice(patch: pytest.MonkeyPatch) -> Dice:
    told = Dice()
    patch.setattr("games.rules.dice.SystemDice.roll", lambda _dice, sides: told.roll(sides))
    return told


def _stopped_clock(patch: pytest.MonkeyPatch) -> Clock:
    stopped = Clock()
    patch.setattr("games.services.change.time", stopped)
    patch.setattr("games.live.fair.time", stopped)
    patch.setattr("django.utils.timezone.now", stopped.now)
    for model in apps.get_app_config("games").get_models():
        for field in model._meta.concrete_fields:
            if field.default is real_now:
                patch.setattr(field, "_get_default", stopped.now)
    return stopped


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Begin with what `publishes_migrated` has put there, and only look whether it is migrated."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def publishes_migrated(django_db_modify_db_settings: None) -> Callable[[], None]:
    """Copy the SQLite database that another worker of this run has migrated.

    Returns what hands on ours. Until it is called the other workers wait: to migrate one takes four
    seconds of a processor.
    """
    if connection.vendor != "sqlite":
        return lambda: None
    folder = Path(tempfile.gettempdir(), f"taproom-test-{RUN}")
    folder.mkdir(exist_ok=True)
    shared, own = folder / "migrated.sqlite3", Path(connection.creation._get_test_db_name())
    lock = (folder / "lock").open("w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    is_first = not shared.exists()
    if not is_first:
        copy_database(shared, own)

    def publish() -> None:
        with lock:
            if is_first:
                atexit.register(shutil.rmtree, folder, ignore_errors=True)
                copy_database(own, shared)

    return publish


@pytest.fixture(scope="session")
def django_db_setup(
    publishes_migrated: Callable[[], None], django_db_setup: None, django_db_blocker: Any
) -> Iterator[None]:
    """Let a test that commits leave the database as it was, by copying its pages back.

    Django would empty every table and have the book loaded again, which takes half a second and
    gives it other keys: whatever is built once would then be built again for every later test.
    """
    if connection.vendor != "sqlite":
        yield
        # Asynchronous code asks the database in this thread. Nothing else closes its connection,
        # and a database with a connection to it can't be dropped.
        SyncToAsync.single_thread_executor.submit(connections.close_all).result()
        return
    with django_db_blocker.unblock():
        connection.close()
    publishes_migrated()
    path, kept = connection.settings_dict["NAME"], sqlite3.connect(":memory:")
    with closing(sqlite3.connect(path)) as source:
        source.backup(kept)

    def put_back(_case: TransactionTestCase) -> None:
        connections.close_all()
        with closing(sqlite3.connect(path)) as target:
            target.execute("PRAGMA synchronous = OFF")
            kept.backup(target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", put_back)
        yield


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> Dice:
    """The server's dice, falling as the test says: ``dice.fall(7, 12)``. None left is a fault."""
    return _told_dice(monkeypatch)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The server's clock, standing still until the test moves it: ``clock.passes(seconds=8)``."""
    return _stopped_clock(monkeypatch)


@pytest.fixture(scope="session")
def builds_once(django_db_setup: None, django_db_blocker: Any) -> Builder:
    """Build something once, by dice and a clock of its own; tests then put its rows down again.

    Where the clock runs on it is of this hour, as it is for a test that stops none.
    """

    def build(make: Callable[[Dice, Clock], T], *, clock_runs: bool = False) -> Standing[T]:
        with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
            clock = Clock() if clock_runs else _stopped_clock(patch)
            return Standing(make, _told_dice(patch), clock)

    return build


@pytest.fixture(scope="session")
def gathered(builds_once: Builder) -> Standing[Party]:
    return builds_once(lambda dice, clock: Party(dice, clock).gathers())


@pytest.fixture(scope="session")
def scenes(builds_once: Builder, gathered: Standing[Party]) -> Scenes:
    """Bring the table to a scene, once for all tests that begin there."""

    @cache
    def standing(scene: Callable[[Party], None]) -> Standing[Party]:
        def build(dice: Dice, clock: Clock) -> Party:
            party = gathered.put_down(dice, clock)
            scene(party)
            return party

        return builds_once(build)

    return standing


@pytest.fixture
def party(gathered: Standing[Party], db: None, dice: Dice, clock: Clock) -> Party:
    """Ana's table with Ben seated and Tess flat in its middle; Cleo has only heard of it."""
    return gathered.put_down(dice, clock)


@pytest.fixture(autouse=True)
def nobody_works_on() -> Iterator[None]:
    """End the workers' threads after a test: each keeps a connection to that test's database."""
    yield
    workers.close_all()


@pytest.fixture(autouse=True)
def nobody_is_connected() -> None:
    """Forget what another test's house has left in the process: who is there, and what is kept."""
    presence._here.clear()
    presence._gone.clear()
    presence._elsewhere.clear()
    presence._asked.clear()
    arrivals._left.clear()
    kept_book.forget()
    snapshot.epoch.cache_clear()  # tests live through many houses
    kept_here.clear()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.services)])
def environment(
    request: pytest.FixtureRequest, db: None, tmp_path: Path
) -> Iterator[dict[str, str]]:
    """A database of its own, of each kind that a house can have: for `tests.games.crowd`."""
    if request.param == "sqlite":
        yield file_database(tmp_path)
    else:
        with postgres_database(tmp_path, is_migrated=True) as wanted:
            yield wanted
