"""Which release a database is of, as its migrations tell: older, the same, or newer than we are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext as _

from games.keeping import KeepingError

Migration = tuple[str, str]
MOST_NAMED = 5  # migrations in one message


def applied() -> list[Migration]:
    """Return the migrations that the database has seen, sorted; none for an empty one.

    Raises KeepingError where its list of them has something else in it than names.
    """
    try:
        seen = sorted(MigrationRecorder(connection).applied_migrations())
        strays = [one for one in seen if not all(isinstance(name, str) for name in one)]
    except (TypeError, ValueError) as error:
        raise _spoilt(error) from error
    if strays:
        raise _spoilt(strays[:MOST_NAMED])
    return seen


def _spoilt(why: object) -> KeepingError:
    return KeepingError(_("The list of migrations is spoilt: %(why)s.") % {"why": why})


def pending() -> int:
    """Count the migrations that this code has and the database has not seen."""
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def refuse_newer(seen: Iterable[Migration]) -> None:
    """Raise KeepingError when migrations are not known here: a newer Taproom has made them."""
    ours = set(known())
    new = [f"{app}.{name}" for app, name in seen if (app, name) not in ours]
    if new:
        text = _(
            "This was written by a newer Taproom (%(migrations)s). Nothing was changed: bring this "
            "installation up to date first."
        )
        raise KeepingError(text % {"migrations": ", ".join(new[:MOST_NAMED])})


def before_migrating(**_given: Any) -> None:
    """Raise KeepingError before what a newer Taproom has made is migrated.

    Django would find nothing to do, and then our book would be put over the newer one's.
    """
    refuse_newer(applied())


def known() -> list[Migration]:
    """Return every migration that this code has."""
    return sorted(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)


def heads(migrations: Iterable[Migration]) -> list[Migration]:
    """Return the last migration of each app, as a target to migrate to."""
    graph, seen = MigrationLoader(None, ignore_no_migrations=True).graph, set(migrations)
    followed = {
        parent.key
        for key in seen
        for parent in graph.node_map[key].parents
        if parent.key[0] == key[0]
    }
    return sorted(seen - followed)


def name_of(migrations: Iterable[Migration]) -> str:
    """Name a release by the newest migrations of ours: `games-0002-characters-0001`."""
    newest: dict[str, str] = {}
    for app, name in sorted(migrations):
        newest[app] = name[:4]
    ours = [app for app in settings.OUR_APPS if app in newest]
    return "-".join(f"{app}-{newest[app]}" for app in ours) or "nothing"
