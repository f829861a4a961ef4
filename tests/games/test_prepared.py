"""What every tap asks is prepared by PostgreSQL, as a process of ours does it by its settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.databases import postgres_database, runs

pytestmark = pytest.mark.services

TAPS = """
import uuid
from django.db import connection, transaction
from games import actions
from games.models import Device
from games.services.act import Actor, Tap, act
from games.services.tables import open_table
device = Device.objects.create()
with transaction.atomic():
    table, host = open_table(
        device, host_name="Ana", language="en", table_name="T", rules="brave_or_knave"
    )
for name in ("Bea", "Cid", "Dee", "Eve"):
    asked = (table.pk, Actor(host.number, device.pk), actions.AddPlayer(name=name))
    tap = Tap(uuid.uuid4().hex)
    act(*asked, tap)
    assert act(*asked, tap).is_repeat
with connection.cursor() as cursor:
    cursor.execute("SELECT statement FROM pg_prepared_statements")
    print(sum("games_play" in statement for (statement,) in cursor.fetchall()))
"""
WRITES = """
from django.db import transaction
from django.utils import timezone
from games.models import Event, Play, Table, rows
table = Table.objects.create(name="t", door_closes_at=timezone.now())
play = Play.objects.create(table=table, tap="a", action={}, seq=1)
with transaction.atomic():
    given = {"table": table, "play": play, "kind": "Said"}
    events = [rows.new(Event, seq=n, data={"n": n}, **given) for n in range(120)]
    rows.insert(*events)
print(all(Event.objects.get(pk=e.pk).data == {"n": e.seq} for e in events))
"""
CHANGES = """
import os
import psycopg
from django.db import NotSupportedError
from django.utils import timezone
from games.models import Table, rows
Table.objects.create(pk=1, name="t", door_closes_at=timezone.now())
for _tap in range(4):
    rows.first(Table, id=1)
with psycopg.connect(os.environ["TAPROOM_DATABASE"], autocommit=True) as other:
    other.execute("ALTER TABLE games_table ALTER COLUMN name TYPE text")
try:
    print(rows.first(Table, id=1).name)
except NotSupportedError:
    print("refused")
print(rows.first(Table, id=1).name)
"""


def test_what_a_tap_asks_is_prepared_unless_the_host_says_no(tmp_path: Path):
    """PostgreSQL reads and plans it once for a connection; an old PgBouncer can't have that."""
    with postgres_database(tmp_path, is_migrated=True) as environment:
        prepared, errors = runs(TAPS, environment).communicate(timeout=60)
        assert int(prepared) >= 2, errors
        never, errors = runs(TAPS, {**environment, "TAPROOM_PREPARED": "0"}).communicate(timeout=60)
        assert int(never) == 0, errors


def test_rows_that_are_written_together_get_each_its_own_key(tmp_path: Path):
    """The events of one play are one statement, which answers with their keys in their order."""
    with postgres_database(tmp_path, is_migrated=True) as environment:
        said, errors = runs(WRITES, environment).communicate(timeout=60)
    assert said == "True\n", errors


def test_a_migration_under_a_running_house_costs_one_tap_at_most(tmp_path: Path):
    """A statement whose answer has changed was refused for as long as its connection lived."""
    with postgres_database(tmp_path, is_migrated=True) as environment:
        said, errors = runs(CHANGES, environment).communicate(timeout=60)
    assert said.split() == ["refused", "t"], errors
