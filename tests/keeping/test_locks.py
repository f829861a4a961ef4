"""What the house has answered stays, whoever else opens its database meanwhile.

With a WAL the newest commits are in a file beside the database, which the last program to close
the database takes away. That we are still there, others know by a lock on the database; and a
process that opens and closes a file in any other way than through SQLite gives that lock up.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config.checks import journal_mode
from tests.chaos.house import ROOT
from tests.games.databases import file_database

pytestmark = pytest.mark.usefixtures("db")
needs_a_wal = pytest.mark.skipif(
    journal_mode() != "WAL", reason="SQLite here is too old for a WAL: no journal stands beside"
)

# Reads folders and what is done there, and lets a child of its own do it, which has all imported.
# None has opened a file before: each is at its house as a process of its own is.
FORKS = """
import json, os, sys, traceback
from pathlib import Path
import django
django.setup()
from django.conf import settings
from django.db import connections
import games.live.readers
import games.keeping.making, games.keeping.opening

for line in sys.stdin:
    folder, played, meanwhile, count = json.loads(line)
    child = os.fork()
    if child:
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    for descriptor, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(f"{folder}/{name}", os.O_CREAT | os.O_WRONLY, 0o600), descriptor)
    try:
        settings.DATA_DIR, settings.BACKUP_DIR = Path(folder), Path(folder, "backups")
        connections.settings["default"]["NAME"] = f"{folder}/taproom.sqlite3"
        exec(played, {"MEANWHILE": meanwhile, "COUNT": count})
    except BaseException:
        traceback.print_exc()
    os._exit(1)
"""
# Writes, does something with the files, lets somebody else in, writes again, and dies.
PLAYED = """
import os, subprocess, sys
from contextlib import suppress
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
exec(MEANWHILE)
for _n in range(4):
    taps()
sys.stdout.flush()
os._exit(9)  # as if it had been killed
"""
SOMEBODY_LOOKS = """
look = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT 1 FROM games_device')"
subprocess.run([sys.executable, "-S", "-c", look + ".connection.close()", str(file)], check=True)
"""
# Where SQLite's own source has the lock of whoever uses the index ("UNIX_SHM_DMS").
CUTS_THE_INDEX_SHORT = """
cuts = "import sys; from fcntl import *; lockf(open(sys.argv[1], 'a'), LOCK_EX | LOCK_NB, 1, 128)"
cut = subprocess.run([sys.executable, "-S", "-c", cuts, f"{file}-shm"], capture_output=True)
print("locked" if b"BlockingIOError" in cut.stderr else "cut short")
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


Played = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[str]]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("TAPROOM_")}
    ours = {"TAPROOM_DATA": str(tmp_path_factory.mktemp("forks"))}
    process = subprocess.Popen(
        [sys.executable, "-c", FORKS],
        cwd=ROOT,
        env={**clean, **ours, "DJANGO_SETTINGS_MODULE": "config.settings"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        yield process


@pytest.fixture
def played(forks: subprocess.Popen[str], tmp_path: Path) -> Played:
    """Return how many of seven answered writes are on disk, and what was said of them.

    The house is a copy of the tests' own: to migrate one takes longer than all that happens to it.
    """

    def play(*meanwhile: str) -> tuple[int, str]:
        assert forks.stdin
        assert forks.stdout
        folder = Path(file_database(tmp_path)["TAPROOM_DATA"])
        sent = [str(folder), PLAYED, "\n".join(meanwhile), COUNT]
        forks.stdin.write(json.dumps(sent) + "\n")
        forks.stdin.flush()
        assert forks.stdout.readline() == "9\n", (folder / "err").read_text()
        counting = [sys.executable, "-S", "-c", COUNT, str(folder / "taproom.sqlite3")]
        counted = subprocess.run(counting, capture_output=True, text=True, check=True)
        return int(counted.stdout), (folder / "out").read_text()

    return play


@needs_a_wal
def test_asking_whether_anybody_played_keeps_the_locks(played: Played):
    """The thread that makes backups asks every few minutes, in the server's own process."""
    asks = "making.has_changed(); making.mark()"
    assert played(asks, SOMEBODY_LOOKS) == (7, "")


@needs_a_wal
def test_a_file_opened_beside_sqlite_gives_them_up(played: Played):
    """The control: so the journal goes, and what is written into it from then on.

    It is noticed before the next commit, and what had been answered is brought home.
    """
    assert played(OPENS_IT, SOMEBODY_LOOKS) == (7, "")


@needs_a_wal
def test_with_nobody_looking_for_the_journal_four_answered_writes_are_nowhere(played: Played):
    """The control of that."""
    assert played(NOBODY_LOOKS, OPENS_IT, SOMEBODY_LOOKS) == (3, "")


@needs_a_wal
def test_a_journal_that_somebody_deletes_takes_nothing_along(played: Played):
    assert played(DELETED) == (7, "")


@needs_a_wal
def test_who_reads_goes_on_when_somebody_deleted_the_journal(played: Played):
    """R1 and recovery by itself: pages were refused until a restart, "file is not a database"."""
    on_disk, said = played(SOMEBODY_READS, DELETED, "taps()", "reads()", "reads()")
    assert said.splitlines()[-2:] == ["read: 4", "read: 4"]
    assert on_disk == 8


@needs_a_wal
def test_a_journal_that_is_deleted_again_and_again_takes_nothing_along(played: Played):
    """R1: the third had the number of the first, and was left as if it had been brought home."""
    on_disk, said = played(SOMEBODY_READS, *[DELETED, "taps(); reads(); taps()"] * 4)
    assert said.splitlines() == ["read: 3", *[f"read: {4 + 2 * n}" for n in range(4)]]
    assert on_disk == 15


@needs_a_wal
@pytest.mark.parametrize("who_finds_it", ["taps()", "reads()", "reads(); taps(); reads()"])
def test_who_closes_last_puts_no_old_page_over_new_ones(played: Played, who_finds_it: str):
    """R1: with its journal gone the page's thread spoilt the database when the house was closed."""
    begun, closed = f"{SOMEBODY_READS}{DELETED}", CLOSED_LAST_BY_WHO_READS
    on_disk, said = played(begun, who_finds_it, "taps(); taps()", closed)
    assert "not read" not in said
    assert on_disk == 9 + who_finds_it.count("taps")


@needs_a_wal
def test_a_page_is_made_of_the_database_that_is_there(played: Played):
    """Nor does a page's thread, which never begins anything, go on reading what was put away."""
    swapped = "subprocess.run(['cp', file, f'{file}2'], check=True); os.rename(f'{file}2', file)"
    is_there = "print(thread.submit(lambda: os.stat(file).st_ino == connection._file[1]).result())"
    on_disk, said = played(SOMEBODY_READS, swapped, "reads()", is_there)
    assert (on_disk, said.splitlines()[-1]) == (7, "True")


@needs_a_wal
def test_a_file_that_was_away_is_written_again_once_it_is_back(played: Played):
    """Meanwhile nobody is answered, and no empty house is made in its place."""
    away = (
        "there = file.with_name('there'); file.rename(there); taps(); file.exists() or print('-')"
    )
    on_disk, said = played(away, "there.rename(file)")
    assert "unable to open" in said
    assert said.endswith("-\n")
    assert on_disk == 7


@needs_a_wal
def test_a_file_that_is_back_is_shared_with_other_programs_as_before(played: Played):
    """R1: with an index of its own another program, or a backup, would write over our commits."""
    away = "there = file.with_name('there'); file.rename(there); taps(); there.rename(file); taps()"
    index = "print(file.with_name(file.name + '-shm').exists())"
    on_disk, said = played(SOMEBODY_READS, away, index)
    assert said.splitlines()[-1] == "True"
    assert on_disk == 8


@needs_a_wal
def test_a_copy_in_its_place_has_locks_of_its_own(played: Played):
    """R1: they went with the other file's, and a backup cut short the index of both (SIGBUS)."""
    swapped = "subprocess.run(['cp', file, f'{file}2'], check=True); os.rename(f'{file}2', file)"
    on_disk, said = played(SOMEBODY_READS, swapped, "taps(); reads()", CUTS_THE_INDEX_SHORT)
    assert said.splitlines()[-2:] == ["read: 4", "locked"]
    assert on_disk == 8


@needs_a_wal
@pytest.mark.parametrize("by", ["cp", "mv"])
def test_a_file_that_was_emptied_is_back_with_all_that_was_answered(played: Played, by: str):
    """R1: who opened the empty one took its journal away, and what was in that was gone."""
    emptied = "subprocess.run(['cp', file, f'{file}2'], check=True); os.truncate(file, 0); taps()"
    comes = "thread.submit(lambda: connection.close()).result(); reads()"
    back = f"subprocess.run(['{by}', f'{{file}}2', file], check=True)"
    on_disk, said = played(SOMEBODY_READS, "taps()", emptied, comes, back, "taps(); reads()")
    assert "it is empty" in said
    assert (on_disk, said.splitlines()[-1]) == (9, "read: 5")


@needs_a_wal
def test_what_was_read_in_an_emptied_file_is_not_believed_when_it_is_back(played: Played):
    """Recovery by itself: whoever had looked at a page of it went on with that, until a restart."""
    emptied = "subprocess.run(['cp', file, f'{file}2'], check=True); os.truncate(file, 0)"
    query = "connection.ask('SELECT * FROM django_migrations').fetchall()"
    looks = f"with suppress(DatabaseError): print(len({query}) > 9)"
    back = "subprocess.run(['cp', f'{file}2', file], check=True)"
    on_disk, said = played("taps()", emptied, looks, back, "taps()", looks)
    assert (on_disk, said) == (9, "True\n")


@needs_a_wal
def test_a_copy_in_its_place_is_taken_without_a_restart(played: Played):
    """Somebody copied the file elsewhere and back: it has another number in the folder now."""
    copied = "subprocess.run(['cp', file, f'{file}2'], check=True); file.unlink()"
    on_disk, said = played(copied, "taps()", "os.rename(f'{file}2', file)")
    assert "unable to open" in said
    assert on_disk == 7


@needs_a_wal
@pytest.mark.parametrize("who_finds_it", ["taps()", "reads()"])
def test_a_file_put_in_its_place_is_not_given_its_journal(played: Played, who_finds_it: str):
    """R1: an older copy was spoilt by the journal of the house that was put aside.

    The newest answers were then neither in the one nor in the other.
    """
    copied = "subprocess.run(['cp', file, f'{file}2'], check=True)"
    moved_on = "connection.cursor().execute('PRAGMA wal_checkpoint'); taps()"
    swapped = "there = file.with_name('there'); file.rename(there); os.rename(f'{file}2', file)"
    aside = "subprocess.run([sys.executable, '-S', '-c', COUNT, there], check=True)"
    on_disk, said = played(SOMEBODY_READS, copied, moved_on, swapped, who_finds_it, aside)
    assert "4" in said.splitlines()
    assert on_disk == 4 + who_finds_it.count("taps")


@needs_a_wal
@pytest.mark.parametrize(
    ("begun", "who_finds_it"), [("", ""), ("", "taps()"), (SOMEBODY_READS, "reads()")]
)
def test_the_house_that_is_back_is_not_given_the_journal_of_a_copy(
    played: Played, begun: str, who_finds_it: str
):
    """R1: what was done at the copy meanwhile was written over it, page by page.

    The copy is gone with what was done there: somebody deleted it, seen or unseen by the house.
    """
    copied = "connection.cursor().execute('PRAGMA wal_checkpoint'); "
    copied += "subprocess.run(['cp', file, f'{file}2'], check=True)"
    swapped = "there = file.with_name('there'); file.rename(there); os.rename(f'{file}2', file)"
    at_both = [copied, "taps(); taps()", swapped, *["taps()"] * 5, "file.unlink()"]
    back = (who_finds_it, "there.rename(file)", begun and "reads()")
    on_disk, _said = played(begun, *at_both, *back)
    assert on_disk == 3 + 2 + 4


@needs_a_wal
@pytest.mark.parametrize("at_the_copy", ["taps()", "reads()"])
def test_a_copy_that_was_looked_at_takes_nothing_along(played: Played, at_the_copy: str):
    """R1: the house's journal waited beside where it had been, and went to the copy; or both files
    had one journal, of which the copy's thread then wrote what was the house's into the copy."""
    copied = "subprocess.run(['cp', file, f'{file}2'], check=True); taps()"
    away = "there = file.with_name('there'); file.rename(there); taps(); "
    away += "os.rename(f'{file}2', file)"
    back = "file.rename(f'{file}3'); there.rename(file); taps(); reads()"
    on_disk, said = played(SOMEBODY_READS, copied, away, at_the_copy, back)
    assert said.splitlines()[-1] == "read: 5"
    assert on_disk == 3 + 1 + 1 + 4


@needs_a_wal
def test_who_opens_a_copy_first_leaves_the_journal_to_who_has_the_house_open(played: Played):
    """R1: a thread without a connection opened the copy with the journal of the house, for all."""
    copied = "connection.cursor().execute('PRAGMA wal_checkpoint'); "
    copied += "subprocess.run(['cp', file, f'{file}2'], check=True)"
    swapped = "there = file.with_name('there'); file.rename(there); os.rename(f'{file}2', file)"
    aside = "subprocess.run([sys.executable, '-S', '-c', COUNT, there], check=True)"
    first = [copied, "taps()", swapped, SOMEBODY_READS]
    on_disk, said = played(*first, "taps()", "reads()", "sys.stdout.flush()", aside)
    moved = "not read: unable to open database file: it was moved"
    assert said.splitlines() == [moved, "read: 4", "4"]
    assert on_disk == 3 + 1 + 4


@needs_a_wal
@pytest.mark.parametrize(("lacks", "is_there"), [("listdir", 8), ("remove", 5)])
def test_who_cannot_take_the_journal_along_plays_on(played: Played, lacks: str, is_there: int):
    """Threat model, host failure: no list of open files, or a folder that can only be read.

    Without the list the journal stays, and is the copy's, as it is where the file was deleted.
    """
    fails = "def fails(path):\n    raise PermissionError(path)\n\n"
    copied = "subprocess.run(['cp', file, f'{file}2'], check=True)"
    swapped = "file.rename(file.with_name('there')); os.rename(f'{file}2', file); taps()"
    assert played(copied, fails, f"os.{lacks} = fails", swapped) == (is_there, "")


@needs_a_wal
@pytest.mark.parametrize(
    "reads",
    ["Device.objects.count()", "from games import snapshot; snapshot.writes_of_others()"],
)
def test_what_only_reads_reads_the_file_that_is_there(played: Played, reads: str):
    """A thread that never begins a transaction does not go on reading what was put away.

    Nor does a table's reader, whose questions go to the library: it asks first who has written.
    """
    swapped = "subprocess.run(['cp', file, f'{file}2'], check=True); os.rename(f'{file}2', file)"
    is_there = "from django.db import connection; "
    is_there += "print(os.stat(file).st_ino == connection._file[1])"
    assert played(swapped, reads, is_there) == (7, "True\n")


def test_a_file_that_could_only_be_read_for_a_while_is_written_again(played: Played):
    """Threat model, host failure: what is refused visibly is taken again, without a restart.

    SQLite opens such a file all the same, to read; whoever had opened it then refused taps for
    ever, whatever the owner did to the file.
    """
    only_read = (
        "address = connection.settings_dict['NAME']; connection.close(); "
        "connection.settings_dict['NAME'] = address.replace('mode=rw', 'mode=ro'); taps(); "
        "connection.settings_dict['NAME'] = address"
    )
    on_disk, said = played(only_read)
    assert said.count("attempt to write a readonly database") == 2
    assert on_disk == 7
