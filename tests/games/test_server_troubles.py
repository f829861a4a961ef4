"""PostgreSQL that stands still or was restarted, as a process of ours meets it by its settings."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from config.postgresql.base import PatientConnection
from tests.games.databases import postgres_database, runs

pytestmark = pytest.mark.services

Process = subprocess.Popen[str]

WAITS = """
import time
from django.db import OperationalError, transaction
from games.trouble import in_trouble
from games.models import House
begun = time.monotonic()
try:
    with transaction.atomic():
        House.objects.select_for_update().get(pk=1)
except OperationalError as error:
    print("refused" if in_trouble(error) else error, round(time.monotonic() - begun))
"""
COMES_AGAIN = """
import time
from django.db import OperationalError, transaction
from django.utils import timezone
from games.models import Table
from games.services.locking import locked
Table.objects.create(pk=1, name="held", door_closes_at=timezone.now())
print("made", flush=True)
input()
for _phone in range(8):
    begun = time.monotonic()
    try:
        with transaction.atomic():
            locked(1)
    except OperationalError:
        print("refused", round(time.monotonic() - begun, 1), flush=True)
input()
with transaction.atomic():
    print(locked(1).name, flush=True)
"""
COMES_WHILE_HELD = """
import time
from django.db import OperationalError, transaction
from django.utils import timezone
from games.models import Table
from games.services import locking
locking.KNOWN_HELD_S = 1.5
Table.objects.create(pk=1, name="held", door_closes_at=timezone.now())
print("made", flush=True)
while input():
    begun = time.monotonic()
    try:
        with transaction.atomic():
            locking.locked(1)
        print("free", flush=True)
    except OperationalError:
        print("waited" if time.monotonic() - begun > 1 else "at-once", flush=True)
"""
COMES_BACK = """
from threading import Barrier, Thread
from django.db import connection
from games.models import House
together = Barrier(8)
def is_shown():
    House.current_epoch()
    together.wait()
    connection.close()  # to the pool, as after each page
pages = [Thread(target=is_shown) for _n in range(8)]
for page in pages:
    page.start()
for page in pages:
    page.join()
print("shown", flush=True)
input()
House.current_epoch()
print("read", flush=True)
"""
WRITES = """
from django.db import connection, transaction
from games.trouble import in_trouble
from games.models import House
while (way := input()) != "end":
    try:
        with transaction.atomic():
            if way == "ask":
                connection.ask("INSERT INTO games_house (id, epoch) VALUES (-1, '')")
            else:
                House.objects.create(pk=-1, epoch="")
            transaction.set_rollback(True)
        print("done", flush=True)
    except Exception as error:
        print("refused" if in_trouble(error) else error, flush=True)
    if way == "page":
        connection.close()  # to the pool
"""
SHARES = """
import asyncio, time
from django.db import connection
from games.live import workers
from games.models import House
connection.settings_dict["OPTIONS"]["pool"]["max_size"] = 2
def read(table):
    return workers.worker_of(table).read(House.current_epoch)
async def others(are_busy):
    await asyncio.gather(read(0), read(1))
    await asyncio.sleep(0 if are_busy else 0.3)
    begun = time.monotonic()
    asked = asyncio.gather(read(2), read(3), return_exceptions=True)
    while are_busy and not asked.done():
        await asyncio.gather(read(0), read(1))
    found = {type(one).__name__ for one in await asked}
    print(*found, time.monotonic() - begun < 4, flush=True)
asyncio.run(others(are_busy=True))
asyncio.run(others(are_busy=False))
"""
TAKES_TURNS = """
from django.db import connection, transaction
from django.utils import timezone
from games.models import Table
from games.services.locking import locked
Table.objects.create(pk=1, name="before", door_closes_at=timezone.now())
print("made", flush=True)
input()
with transaction.atomic():
    print(locked(1).name, flush=True)
for said in ("synchronous_commit", "statement_timeout"):
    with connection.cursor() as asks:
        asks.execute(f"SHOW {said}")
        print(asks.fetchone()[0], flush=True)
"""
STANDS_STILL = """
import time
from django.db import OperationalError, connection
from games.trouble import in_trouble
from games.management import serving
serving.LOCK_SECONDS = 1
serving._wait_less_than_phones()
def asks(what):
    begun = time.monotonic()
    try:
        with connection.cursor() as cursor:
            cursor.execute(what)
        said = "answered"
    except OperationalError as error:
        said = "refused" if in_trouble(error) else repr(error)
    connection.close()  # to the pool
    print(said, time.monotonic() - begun < 0.5, time.monotonic() - begun < 3, flush=True)
asks("SELECT 1")
asks("SELECT pg_sleep(60)")
asks("SELECT 1")
time.sleep(1.1)
asks("SELECT 1")
"""
LOSES_ITS_RIGHTS = """
from django.db import DatabaseError, connection, transaction
from games.trouble import in_trouble
from games.models import House
for first in ("SET LOCAL ROLE pg_monitor", "SET LOCAL search_path TO nowhere", "SELECT nothing"):
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(first)
            House.objects.create(pk=-1, epoch="")
    except DatabaseError as error:
        print("refused" if in_trouble(error) else type(error).__name__)
"""
ASKS = """
from django.db import connection
asked = connection.get_connection_params()
print(asked["sslmode"], asked["options"])
"""


def test_a_row_that_somebody_holds_for_ever_keeps_nobody_longer_than_a_phone_waits(tmp_path: Path):
    """A process that stands still in the middle of an action would keep all others' workers."""
    with (
        postgres_database(tmp_path, is_migrated=True) as environment,
        psycopg.connect(environment["TAPROOM_DATABASE"]) as holder,
    ):
        holder.execute("INSERT INTO games_house (id, epoch) VALUES (1, 'one')")
        holder.commit()
        holder.execute("SELECT 1 FROM games_house FOR UPDATE")
        said, _errors = runs(WAITS, environment).communicate(timeout=60)
    assert said.split()[0] == "refused"
    assert 2 <= int(said.split()[1]) <= 5, "phones give a tap up after eight seconds"


@contextmanager
def held(tmp_path: Path, code: str) -> Iterator[tuple[Process, psycopg.Connection, str]]:
    """A process of ours, told to come to a table whose row somebody holds, and who that is."""
    with (
        postgres_database(tmp_path, is_migrated=True) as environment,
        psycopg.connect(environment["TAPROOM_DATABASE"]) as holder,
    ):
        child = runs(code, environment)
        assert child.stdout
        assert child.stdout.readline() == "made\n"
        holder.execute("SELECT 1 FROM games_table FOR UPDATE")
        yield child, holder, environment["TAPROOM_DATABASE"]


def test_of_the_phones_at_a_table_that_somebody_holds_only_one_waits(tmp_path: Path):
    """Each waited three seconds, one after the other, and their worker's other tables with them:
    with seven phones that come again and again no socket of anybody's opened within ten seconds."""
    with held(tmp_path, COMES_AGAIN) as (child, holder, _address):
        assert child.stdin
        assert child.stdout
        child.stdin.write("\n")
        child.stdin.flush()
        said = [child.stdout.readline().split() for _phone in range(8)]
        assert [word for word, _seconds in said] == ["refused"] * 8
        assert sum(float(seconds) for _word, seconds in said) <= 5
        holder.rollback()
        rest, _errors = child.communicate("\n", timeout=60)
    assert rest == "held\n", "what is free again is found free"


def test_phones_that_were_told_at_once_do_not_put_off_the_next_look(tmp_path: Path):
    """Each refusal prolonged what was known: with phones that come again nobody looked any more."""
    with held(tmp_path, COMES_WHILE_HELD) as (child, _holder, _address):
        assert taps(child) == "waited"
        said = []
        while "waited" not in said and len(said) < 15:
            said.append(taps(child))
            time.sleep(0.2)
        assert said[0] == "at-once", "the control: what is held is known"
        assert "waited" in said, "after a while somebody looks again"
        child.communicate("\n", timeout=60)


def test_a_server_that_went_away_is_not_taken_for_a_row_that_is_held(tmp_path: Path):
    """The table's next taps were refused as soon as they met, though nobody held it for long."""
    with held(tmp_path, COMES_WHILE_HELD) as (child, _holder, address):
        assert child.stdout
        asks(child, "tap")
        for_those_who_wait(child, address, "pg_terminate_backend(pid)")
        assert child.stdout.readline() == "at-once\n"
        assert taps(child) == "waited", "nothing is known of the row yet"
        child.communicate("\n", timeout=60)


def asks(child: subprocess.Popen[str], way: str = "") -> None:
    assert child.stdin
    child.stdin.write(f"{way}\n")
    child.stdin.flush()


def for_those_who_wait(child: subprocess.Popen[str], address: str, does: str) -> None:
    """Do something for each connection that waits for a row, once there is one."""
    waiting = (
        f"SELECT {does} FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    with psycopg.connect(address, autocommit=True) as server:
        while not server.execute(waiting).fetchall():
            assert child.poll() is None
            time.sleep(0.01)


def taps(child: subprocess.Popen[str], way: str = "tap") -> str:
    """Let it ask for its table, or write, once more, and return how that went."""
    assert child.stdout
    asks(child, way)
    return child.stdout.readline().strip()


def test_after_a_restart_of_the_server_the_next_page_is_answered(tmp_path: Path):
    """R5: what lies in the pool is dead then, all of it. Whoever came next was told that the house
    cannot look; and where there were several, each was tried a while later than the one before."""
    with postgres_database(tmp_path, is_migrated=True) as environment:
        child = runs(COMES_BACK, environment)
        assert child.stdout
        assert child.stdout.readline() == "shown\n"
        with psycopg.connect(environment["TAPROOM_DATABASE"], autocommit=True) as server:
            server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        said, _errors = child.communicate("\n", timeout=60)
    assert said == "read\n"


@pytest.mark.parametrize("way", ["ask", "page"])
def test_a_server_that_only_reads_for_a_while_is_written_to_afterwards(tmp_path: Path, way: str):
    """R5: after a failover what was connected to the former first server refused taps for ever."""
    with postgres_database(tmp_path, is_migrated=True) as environment:
        address = environment["TAPROOM_DATABASE"]
        setting = f'"{address.rsplit("/", 1)[1]}" SET default_transaction_read_only'
        with psycopg.connect(address, autocommit=True) as server:
            server.execute(f"ALTER DATABASE {setting} TO on")
            child = runs(WRITES, environment)
            refused = taps(child, way)
            server.execute("SET default_transaction_read_only TO off")
            server.execute(f"ALTER DATABASE {setting} TO off")
        # What was refused has been hung up; there may have been more of them, ten at most.
        then = [taps(child, way) for _n in range(11)]
        child.communicate("end\n", timeout=60)
    assert refused == "refused"
    assert then[-1] == "done"


def test_what_an_administrator_has_set_for_other_programs_is_not_the_house_s(tmp_path: Path):
    """By another isolation whoever waited for a table that had moved was refused, in a healthy
    house and all the time; by another style of dates each page was 500; what was acknowledged was
    lost with a PostgreSQL that was killed, where commits were not waited for; and where statements
    were given less time than a tap takes, all of them were refused, by the processes that had
    connected meanwhile also after that was taken back."""
    set_for_all = {
        "default_transaction_isolation": "repeatable read",
        "datestyle": "German",
        "synchronous_commit": "off",
        "statement_timeout": "9s",
    }
    with postgres_database(tmp_path, is_migrated=True) as environment:
        address = environment["TAPROOM_DATABASE"]
        with psycopg.connect(address, autocommit=True) as server:
            for name, value in set_for_all.items():
                database = address.rsplit("/", 1)[1]
                server.execute(f"ALTER DATABASE \"{database}\" SET {name} = '{value}'")
        child = runs(TAKES_TURNS, environment)
        assert child.stdout
        assert child.stdout.readline() == "made\n"
        with psycopg.connect(address) as other:
            other.execute("UPDATE games_table SET name = 'moved on'")
            asks(child)
            for_those_who_wait(child, address, "1")
        said, _errors = child.communicate(timeout=60)
    assert said.splitlines() == ["moved on", "on", "0"]


def test_a_server_that_stands_still_is_given_up_before_a_phone_gives_us_up(tmp_path: Path):
    """docs/hosting.md: where the database does not answer, people are told so. One that was frozen
    for half a minute takes what it is sent, so no timeout of the line's ended a wait: no tap was
    refused, no page was answered, for as long as that lasted."""
    with postgres_database(tmp_path, is_migrated=True) as environment:
        said, _errors = runs(STANDS_STILL, environment).communicate(timeout=60)
    before, waits, knows, again = said.splitlines()
    assert before == "answered True True"
    assert waits == "refused False True", "after the second that people wait here"
    assert knows == "refused True True", "and at once where somebody has just waited in vain"
    assert again == "answered True True"


def test_a_user_who_lost_its_rights_is_trouble_and_not_a_fault_of_ours(tmp_path: Path):
    """Each tap was answered 500, so that phones dropped it, with a traceback: two thousand lines a
    second. So it was by a server without our tables, as an empty copy that took over."""
    with postgres_database(tmp_path, is_migrated=True) as environment:
        said, _errors = runs(LOSES_ITS_RIGHTS, environment).communicate(timeout=60)
    no_rights, no_tables, our_mistake = said.splitlines()
    assert (no_rights, no_tables) == ("refused", "refused")
    assert our_mistake == "ProgrammingError", "the control"


def test_a_command_may_wait_for_as_long_as_the_database_takes():
    """A backup, or a migration, of a house of years is one statement of minutes."""
    assert PatientConnection.patience is None


def test_what_the_address_asks_of_the_line_is_kept(tmp_path: Path):
    """A line that was asked to be encrypted is."""
    address = "postgres://u:p@nowhere.example/taproom?sslmode=verify-full"
    environment = {"TAPROOM_DATA": str(tmp_path), "TAPROOM_DATABASE": address}
    said, _errors = runs(ASKS, environment).communicate(timeout=60)
    assert said.startswith("verify-full ")
    assert "lock_timeout" in said
    held = "a process that froze in the middle of an action held its row for as long as it stood"
    assert "idle_in_transaction_session_timeout" in said, held


def test_workers_share_the_connections_that_there_are(tmp_path: Path):
    """Each kept its own for ever: where PostgreSQL gave no more, pages and tables were refused."""
    with postgres_database(tmp_path, is_migrated=True) as environment:
        said, _errors = runs(SHARES, environment).communicate(timeout=60)
    assert said.splitlines() == ["str True"] * 2, (
        "of busy ones and of idle ones, before five seconds"
    )
