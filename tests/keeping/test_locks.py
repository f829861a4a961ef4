"""What the house has answered stays, whoever else opens its database meanwhile.

With a WAL the newest commits are in a file beside the database, which the last program to close
the database takes away. That we are still there, others know by a lock on the database; and a
process that opens and closes a file in any other way than through SQLite gives that lock up.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config.checks import journal_mode
from tests.chaos.house import ROOT
from tests.games.databases import file_database

pytestmark = pytest.mark.usefixtures("db")
needs_a_wal = pytest.mark.skipif(
    journal_mode() != "WAL", reason="SQLite here is too old for a WAL: no journal stands beside"
)

# Writes, does something with the files, lets somebody else in, writes again, and dies.
PLAYED = """
import os, subprocess, sys
import django
django.setup()
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from games.keeping import making, opening, sqlite
from games.models import Device

def taps():
    for _try in range(2):
        try:
            with transaction.atomic():
                return Device.objects.create()
        except DatabaseError as error:
            print("refused:", error)

if not connection.introspection.table_names():
    call_command("migrate", verbosity=0)
opening.stay_on_this_file()
for _n in range(3):
    taps()
file = sqlite.path_of_house()
exec(sys.argv[1])
for _n in range(4):
    taps()
sys.stdout.flush()
os._exit(9)  # as if it had been killed
"""
SOMEBODY_LOOKS = """
look = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT 1 FROM games_device')"
subprocess.run([sys.executable, "-S", "-c", look + ".connection.close()", str(file)], check=True)
"""


COUNT = """
import sqlite3, sys
found = sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM games_device")
print(found.fetchone()[0])
"""
OPENS_IT = "file.open('rb').close()"
NOBODY_LOOKS = """
from config.sqlite3 import base
base.DatabaseWrapper._is_without_journal = lambda self: False
"""

# A page's thread, which keeps its connection and reads by the short way.
SOMEBODY_READS = """
from concurrent.futures import ThreadPoolExecutor
from django.core.signals import request_started
thread = ThreadPoolExecutor(1)

def page():
    request_started.send(sender=None)
    return connection.ask("SELECT COUNT(*) FROM games_device").fetchone()[0]

def reads():
    try:
        print("read:", thread.submit(page).result())
    except DatabaseError as error:
        print("not read:", error)

reads()
"""
DELETED = "file.with_name(file.name + '-wal').unlink()"
CLOSED_LAST_BY_WHO_READS = "connection.close(); thread.submit(lambda: connection.close()).result()"


def played(folder: Path, *meanwhile: str) -> tuple[int, str]:
    """Return how many of seven answered writes are on disk, and what was said of them.

    The house is a copy of the tests' own: to migrate one takes longer than all that happens to it.
    """
    clean = {k: v for k, v in os.environ.items() if not k.startswith("TAPROOM_")}
    done = subprocess.run(
        [sys.executable, "-c", PLAYED, "\n".join(meanwhile)],
        cwd=ROOT,
        env={**clean, **file_database(folder), "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 9, done.stderr
    counting = [sys.executable, "-c", COUNT, str(folder / "taproom.sqlite3")]
    counted = subprocess.run(counting, capture_output=True, text=True, check=True)
    return int(counted.stdout), done.stdout


@needs_a_wal
def test_asking_whether_anybody_played_keeps_the_locks(tmp_path: Path):
    """The thread that makes backups asks every few minutes, in the server's own process."""
    asks = "making.has_changed(); making.mark()"
    assert played(tmp_path, asks, SOMEBODY_LOOKS) == (7, "")


@needs_a_wal
def test_a_file_opened_beside_sqlite_gives_them_up(tmp_path: Path):
    """The control: so the journal goes, and what is written into it from then on.

    It is noticed before the next commit, and what had been answered is brought home.
    """
    assert played(tmp_path, OPENS_IT, SOMEBODY_LOOKS) == (7, "")


@needs_a_wal
def test_with_nobody_looking_for_the_journal_four_answered_writes_are_nowhere(tmp_path: Path):
    """The control of that."""
    assert played(tmp_path, NOBODY_LOOKS, OPENS_IT, SOMEBODY_LOOKS) == (3, "")


@needs_a_wal
def test_a_journal_that_somebody_deletes_takes_nothing_along(tmp_path: Path):
    assert played(tmp_path, DELETED) == (7, "")


@needs_a_wal
def test_who_reads_goes_on_when_somebody_deleted_the_journal(tmp_path: Path):
    """R1 and recovery by itself: pages were refused until a restart, "file is not a database"."""
    on_disk, said = played(tmp_path, SOMEBODY_READS, DELETED, "taps()", "reads()", "reads()")
    assert said.splitlines()[-2:] == ["read: 4", "read: 4"]
    assert on_disk == 8


@needs_a_wal
def test_a_journal_that_is_deleted_again_and_again_takes_nothing_along(tmp_path: Path):
    """R1: the third had the number of the first, and was left as if it had been brought home."""
    on_disk, said = played(tmp_path, SOMEBODY_READS, *[DELETED, "taps(); reads(); taps()"] * 4)
    assert said.splitlines() == ["read: 3", *[f"read: {4 + 2 * n}" for n in range(4)]]
    assert on_disk == 15


@needs_a_wal
@pytest.mark.parametrize("who_finds_it", ["taps()", "reads()", "reads(); taps(); reads()"])
def test_who_closes_last_puts_no_old_page_over_new_ones(tmp_path: Path, who_finds_it: str):
    """R1: with its journal gone the page's thread spoilt the database when the house was closed."""
    begun, closed = f"{SOMEBODY_READS}{DELETED}", CLOSED_LAST_BY_WHO_READS
    on_disk, said = played(tmp_path, begun, who_finds_it, "taps(); taps()", closed)
    assert "not read" not in said
    assert on_disk == 9 + who_finds_it.count("taps")


@needs_a_wal
def test_a_page_is_made_of_the_database_that_is_there(tmp_path: Path):
    """Nor does a page's thread, which never begins anything, go on reading what was put away."""
    swapped = "subprocess.run(['cp', file, f'{file}2'], check=True); os.rename(f'{file}2', file)"
    is_there = "print(thread.submit(lambda: os.stat(file).st_ino == connection._file[1]).result())"
    on_disk, said = played(tmp_path, SOMEBODY_READS, swapped, "reads()", is_there)
    assert (on_disk, said.splitlines()[-1]) == (7, "True")


@needs_a_wal
def test_a_file_that_was_away_is_written_again_once_it_is_back(tmp_path: Path):
    """Meanwhile nobody is answered, and no empty house is made in its place."""
    away = (
        "there = file.with_name('there'); file.rename(there); taps(); file.exists() or print('-')"
    )
    on_disk, said = played(tmp_path, away, "there.rename(file)")
    assert "unable to open" in said
    assert said.endswith("-\n")
    assert on_disk == 7


@needs_a_wal
def test_a_copy_in_its_place_is_taken_without_a_restart(tmp_path: Path):
    """Somebody copied the file elsewhere and back: it has another number in the folder now."""
    copied = "subprocess.run(['cp', file, f'{file}2'], check=True); file.unlink()"
    on_disk, said = played(tmp_path, copied, "taps()", "os.rename(f'{file}2', file)")
    assert "unable to open" in said
    assert on_disk == 7


@needs_a_wal
@pytest.mark.parametrize(
    "reads",
    ["Device.objects.count()", "from games import snapshot; snapshot.writes_of_others()"],
)
def test_what_only_reads_reads_the_file_that_is_there(tmp_path: Path, reads: str):
    """A thread that never begins a transaction does not go on reading what was put away.

    Nor does a table's reader, whose questions go to the library: it asks first who has written.
    """
    swapped = "subprocess.run(['cp', file, f'{file}2'], check=True); os.rename(f'{file}2', file)"
    is_there = "from django.db import connection; "
    is_there += "print(os.stat(file).st_ino == connection._file[1])"
    assert played(tmp_path, swapped, reads, is_there) == (7, "True\n")


def test_a_file_that_could_only_be_read_for_a_while_is_written_again(tmp_path: Path):
    """Threat model, host failure: what is refused visibly is taken again, without a restart.

    SQLite opens such a file all the same, to read; whoever had opened it then refused taps for
    ever, whatever the owner did to the file.
    """
    only_read = (
        "address = connection.settings_dict['NAME']; connection.close(); "
        "connection.settings_dict['NAME'] = address.replace('mode=rw', 'mode=ro'); taps(); "
        "connection.settings_dict['NAME'] = address"
    )
    on_disk, said = played(tmp_path, only_read)
    assert said.count("attempt to write a readonly database") == 2
    assert on_disk == 7
