"""Tables of all three games to attack, and servers: as the other tests set them up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from tests.campaigns.conftest import places, saga_at, troupe
from tests.chaos.house import Zygote
from tests.characters.conftest import assembled, company
from tests.games.databases import copy_own_database

__all__ = ["assembled", "company", "places", "saga_at", "troupe"]


@pytest.fixture(scope="session")
def forks_servers(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: Any
) -> Iterator[Zygote]:
    """One process for all servers here, phones' and browsers': see `tests.chaos.conftest`."""
    folder = tmp_path_factory.mktemp("security")
    template: Path | None = None
    if connection.vendor == "sqlite":
        template = folder / "template.sqlite3"
        copy_own_database(template)
    environment = {
        "DJANGO_SETTINGS_MODULE": "tests.security.browser_settings",
        "TAPROOM_SECRET_KEY": settings.SECRET_KEY,  # sessions of the tests' own people hold
    }
    one = Zygote(folder, template, **environment)
    yield one
    one.close()


@pytest.fixture
def mother(forks_servers: Zygote, db: None) -> Zygote:
    """Its houses begin with a copy of the tests' own database, which `db` has made."""
    return forks_servers
