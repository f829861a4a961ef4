"""Combinations of settings that lose data or open a door: Taproom refuses to start with them."""

from __future__ import annotations

import sqlite3

from django.core.exceptions import ImproperlyConfigured

# A WAL reset can corrupt the file in every SQLite from 3.7.0 until this one.
WAL_IS_SAFE_FROM = (3, 51, 3)


def journal_mode(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> str:
    """Return the SQLite journal that survives power loss with this version of the library.

    Not DELETE: the deletion itself is not waited for, and after a power loss
    the journal may be back and undo the last commit. A cut to nothing is.
    """
    return "WAL" if version >= WAL_IS_SAFE_FROM else "TRUNCATE"


def refuse_unsafe(
    *,
    debug: bool,
    public: bool,
    processes: int,
    has_shared_layer: bool,
    is_sqlite: bool,
    journal: str,
    key_is_weak: bool,
    sqlite_version: tuple[int, ...] = sqlite3.sqlite_version_info,
) -> None:
    """Stop the start-up when settings do not go together.

    Raises ImproperlyConfigured, naming the settings and what to do.
    """
    if debug and public:
        raise ImproperlyConfigured(
            "TAPROOM_DEBUG shows secrets to strangers: unset it, or unset TAPROOM_ORIGIN."
        )
    if public and key_is_weak:
        raise ImproperlyConfigured(
            "TAPROOM_SECRET_KEY is too short for a public host: use 50 random characters."
        )
    if processes > 1 and not has_shared_layer:
        raise ImproperlyConfigured(
            "Several processes need TAPROOM_REDIS: in-memory wake-ups reach one process only."
        )
    if processes > 1 and is_sqlite:
        raise ImproperlyConfigured(
            "Several processes need PostgreSQL: set TAPROOM_DATABASE to a postgres:// address."
        )
    if is_sqlite and journal == "WAL" and sqlite_version < WAL_IS_SAFE_FROM:
        raise ImproperlyConfigured(
            "This SQLite can corrupt a WAL journal: unset TAPROOM_SQLITE_JOURNAL or use 3.51.3."
        )
