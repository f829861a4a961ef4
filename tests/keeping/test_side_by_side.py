"""docs/hosting.md: processes are restarted one by one. Until then those of an older release serve
from a database that the newer one has migrated, and write rows of which they know a part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from games.keeping import release
from games.keeping.stand_in import standing_in
from tests.keeping.conftest import unpacked
from tests.keeping.every_release import ALL, PRESENT

# The first release that several processes could serve. Where an older one's column is dropped or
# may no longer be empty, this becomes the first release that does without, and docs/hosting.md says
# from which one on a house can be updated so.
SINCE = "games-0004-characters-0001-campaigns-0003"
BESIDE = [name for name in ALL if name >= SINCE]
Columns = dict[tuple[str, str], Any]


def state_of(name: str) -> ProjectState:
    """Return the models of a release, by its name in `releases/`."""
    loader = MigrationLoader(None, ignore_no_migrations=True)
    heads = [
        key
        for app, number in re.findall(r"([a-z]+)-(\d{4})", name)
        for key in loader.disk_migrations
        if key[0] == app and key[1].startswith(number)
    ]
    return loader.project_state(heads)


def columns_of(state: ProjectState) -> Columns:
    """Return the fields that are columns, by table and column."""
    return {
        (model._meta.db_table, field.column): field
        for model in state.apps.get_models()
        for field in model._meta.concrete_fields
    }


def broken_for(older: ProjectState, newer: ProjectState) -> Iterator[str]:
    """Tell what an older release's statements would find missing, or leave out."""
    before, after = columns_of(older), columns_of(newer)
    tables = {table for table, _column in before}
    for (table, column), field in after.items():
        was = before.get((table, column))
        if table not in tables or field.null:
            continue
        if was is None and not field.has_db_default():
            yield f"{table}.{column} is new and has no default in the database: give it db_default"
        if was is not None and was.null:
            yield f"{table}.{column} was left empty"
    for table, column in before.keys() - after.keys():
        yield f"{table}.{column} is gone"


@pytest.mark.parametrize("older", BESIDE)
def test_an_older_release_can_write_beside_this_one(older: str):
    """It answered 500 to whoever rolled a knave or hired somebody."""
    assert list(broken_for(state_of(older), state_of(PRESENT))) == []


@pytest.mark.skipif("connection.vendor == 'sqlite'", reason="its house has one process")
@pytest.mark.django_db
def test_the_database_itself_fills_in_what_an_older_release_leaves_out():
    before = columns_of(state_of(SINCE))
    tables = {table for table, _column in before}
    new = [
        (table, column)
        for (table, column), field in columns_of(state_of(PRESENT)).items()
        if table in tables and (table, column) not in before and not field.null
    ]
    assert ("characters_character", "natural_is_ranged") in new
    with connection.cursor() as cursor:
        for table, column in new:
            described = connection.introspection.get_table_description(cursor, table)
            (default,) = [one.default for one in described if one.name == column]
            assert default is not None, (table, column)


def test_sqlite_does_not_write_a_table_anew_for_a_default(tmp_path: Path, django_db_blocker: Any):
    """The sheets' has every portrait in it: 80 MB of them were copied, and their space was lost."""
    house = unpacked("games-0006-characters-0002-campaigns-0003", tmp_path / "house.sqlite3")
    asked = "SELECT rootpage, sql FROM sqlite_master WHERE name = 'characters_character'"
    with django_db_blocker.unblock(), standing_in(ENGINE="config.sqlite3", NAME=str(house)):
        cursor = connection.cursor()
        before = cursor.execute(asked).fetchall()
        call_command("migrate", verbosity=0, interactive=False)
        assert not release.pending()
        assert cursor.execute(asked).fetchall() == before


def added(field: models.Field[Any, Any]) -> migrations.AddField:
    return migrations.AddField("seat", "hat", field)


CHANGES = {
    "new": (added(models.BooleanField(default=False)), "games_seat.hat is new"),
    "gone": (migrations.RemoveField("seat", "name"), "games_seat.name is gone"),
    "renamed": (migrations.RenameField("seat", "name", "called"), "games_seat.name is gone"),
    "filled": (migrations.AlterField("game", "closes_ms", models.IntegerField()), "left empty"),
    "dropped": (migrations.DeleteModel("JoinAttempt"), "games_joinattempt.address is gone"),
    "empty": (added(models.BooleanField(null=True)), ""),
    "default": (added(models.BooleanField(db_default=False)), ""),
    "table": (migrations.CreateModel("Hat", [("id", models.AutoField(primary_key=True))]), ""),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_would_break_it_is_seen(change: str):
    """The control: each way to break an older release, and what is harmless."""
    operation, found = CHANGES[change]
    now = state_of(PRESENT)
    later = now.clone()
    operation.state_forwards("games", later)
    broken = "\n".join(broken_for(now, later))
    assert found in broken
    assert bool(broken) == bool(found)
