"""One process that forks servers, for all quick tests of a worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.chaos.house import Zygote
from tests.games.databases import copy_own_database


@pytest.fixture(scope="session")
def forks_servers(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: Any
) -> Iterator[Zygote]:
    folder = tmp_path_factory.mktemp("chaos")
    template: Path | None = None
    if connection.vendor == "sqlite":
        template = folder / "template.sqlite3"
        copy_own_database(template)
    one = Zygote(folder, template)
    yield one
    one.close()


@pytest.fixture
def mother(forks_servers: Zygote, db: None) -> Zygote:
    """Its houses begin with a copy of the tests' own database, which `db` has made."""
    return forks_servers
