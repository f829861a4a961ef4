"""`python -m tests.keeping.write_release`: make a house of this release for `releases/`.

It is named by the newest migrations and stays there for good. The first ones were written in the
same way, with the code of their release.
"""

from __future__ import annotations

import lzma
import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

RELEASES = Path(__file__).parent / "releases"


def main() -> None:
    """Migrate an empty file, play in it, and pack it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection
    from django.test.utils import setup_test_environment

    from games.keeping import release

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "house.sqlite3"
        settings.DATABASES["default"]["NAME"] = str(file)
        setup_test_environment()
        call_command("migrate", verbosity=0)
        _play()
        connection.close()
        packed = RELEASES / f"{release.name_of(release.known())}.sqlite3.xz"
        # A house of any SQLite: with a WAL beside it, it would be two files.
        with closing(sqlite3.connect(file)) as house:
            house.execute("PRAGMA journal_mode=DELETE")
        packed.write_bytes(lzma.compress(file.read_bytes(), preset=9))
    print(packed)


def _play() -> None:
    import pytest

    from tests import conftest
    from tests.keeping.lived_in import live

    with pytest.MonkeyPatch.context() as patch:
        live(conftest._told_dice(patch), conftest._stopped_clock(patch))


if __name__ == "__main__":
    main()
