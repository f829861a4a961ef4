"""Races between processes (R3): eight rivals shout at one instant, and one is the challenger.

The quick number is 500: half on SQLite, where writers queue and sleep, half on PostgreSQL;
TAPROOM_SIZE=full asks for 10,000 on each, TAPROOM_RACES for another number.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.games import crowd
from tests.games.databases import file_database, postgres_database
from tests.sizes import size

SQLITE_RACES = int(os.environ.get("TAPROOM_RACES", size("250", "10000")))
POSTGRES_RACES = int(os.environ.get("TAPROOM_RACES", size("250", "10000")))


def everything_in_order(found: dict, races: int) -> None:
    assert found.pop("errors") == {}
    several = found.pop("several challengers")
    assert several == 0
    assert found == dict.fromkeys(
        ("races", "one challenger", "eight shouts", "the first was first", "no gap"), races
    )


def test_every_race_has_one_challenger_on_sqlite(db, tmp_path):
    found = crowd.run(file_database(tmp_path), "shout_races", races=SQLITE_RACES)
    everything_in_order(found, SQLITE_RACES)


def test_without_the_write_lock_the_races_on_sqlite_break(db, tmp_path):
    """The control: a transaction that reads before it locks."""
    found = crowd.run(file_database(tmp_path), "shout_races", races=10, without="lock")
    assert found["errors"] or found["eight shouts"] < 10


@pytest.mark.services
def test_every_race_has_one_challenger_on_postgresql(tmp_path):
    with postgres_database(tmp_path, is_migrated=True) as environment:
        found = crowd.run(environment, "shout_races", races=POSTGRES_RACES)
    everything_in_order(found, POSTGRES_RACES)


@pytest.mark.services
@pytest.mark.parametrize("without", ["lock", "lock and constraints"])
def test_without_the_row_lock_the_races_on_postgresql_break(tmp_path, without):
    """The controls: the log's numbering refuses what the lock let through; without both, shouts
    are lost and the log has two events of one number."""
    with postgres_database(tmp_path, is_migrated=True) as environment:
        found = crowd.run(environment, "shout_races", races=10, without=without)
    if without == "lock":
        assert found["errors"]["IntegrityError"] > 0
    else:
        assert found["eight shouts"] < 10
        assert found["no gap"] < 10


def openings(
    hand: int, barrier: Any, errors: Any, found: Any, *, forms: int, without: str = ""
) -> None:
    """Eight hands send the same form of one device at one instant."""
    from games.models import Device, Table
    from games.services.tables import open_table

    if hand == 0:
        Device.objects.create()
    if without and hand % crowd.THREADS == 0:
        crowd.take_out(without)
    barrier.wait(crowd.LONGEST_WAIT)
    device = Device.objects.get()
    opened = set()
    for form in range(forms):
        barrier.wait(crowd.LONGEST_WAIT)
        table, _seat = open_table(device, host_name="Bea", language="en", tap=f"open-{form}")
        opened.add(table.pk)
    crowd.count(errors, "opened", len(opened))
    barrier.wait(crowd.LONGEST_WAIT)
    if hand == 0:
        found.append({"tables": Table.objects.count()})


@pytest.mark.services
@pytest.mark.parametrize("without", ["", "lock"])
def test_a_form_that_is_sent_eight_times_at_once_opens_one_table(tmp_path, without):
    """R2: on SQLite a transaction locks all; here the device's row. The control: without that."""
    with postgres_database(tmp_path, is_migrated=True) as environment:
        found = crowd.run(environment, f"{__name__}:openings", forms=10, without=without)
    assert found.pop("errors") == {"opened": 10 * crowd.HANDS}
    assert (found == {"tables": 10}) == (not without)
