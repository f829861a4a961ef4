"""Refuses to start with settings that nobody can mean, or that would lose data or open a door."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Final
from urllib.parse import urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from config.addresses import as_sockets_say
from config.data_folder import is_text
from config.time_zone import names_a_zone

# A WAL reset can corrupt the file in every SQLite from 3.7.0 until this one.
WAL_IS_SAFE_FROM = (3, 51, 3)


def _is_address(value: str) -> bool:
    """Tell whether this is an IP address, or empty. No pattern says that 10.0.0.300 is none."""
    try:
        as_sockets_say(value)
    except (OSError, ValueError):
        return False
    return True


REDIS: Final = r"(rediss?://(?=.)[^/?#\s]*(/[0-9]*/?)?(\?\S*)?|unix://.+)?"


def _is_redis(value: str) -> bool:
    """Tell whether this is empty or an address that Redis's library accepts; nothing is connected.

    An option after `?` that the library does not know would make every connection fail, and so the
    wake-ups of other processes for good.
    """
    if not value or not _has_shape(value, REDIS):
        return not value
    from redis.asyncio import ConnectionPool, RedisError  # half a second, where it is not needed

    try:
        ConnectionPool.from_url(value).make_connection()
    except (RedisError, TypeError, ValueError):
        return False
    return True


DATABASE: Final = r"(postgres(ql)?://[^/?#\s]*/[^/?#\s]+.*|sqlite:///(?!:memory:).*[^/])?"


def _is_database(value: str) -> bool:
    """Tell whether this is empty, a file of SQLite's, or an address PostgreSQL's library takes.

    An option after `?` that the library does not know would make every connection fail.
    """
    if not _has_shape(value, DATABASE):
        return False
    if not value.startswith("postgres"):
        return True
    from psycopg import ProgrammingError  # a tenth of a second, where it is not needed
    from psycopg.conninfo import make_conninfo

    options = dj_database_url.parse(value).get("OPTIONS", {})
    try:
        make_conninfo(**options)
    except (ProgrammingError, TypeError):
        return False
    return not any(isinstance(option, list) for option in options.values())


WHOLE: Final = (r"[0-9]{1,9}", "a whole number")
COUNT: Final = (r"0*[1-9][0-9]{0,8}", "a whole number of at least 1")
SWITCH: Final = (r"[01]?", "0 or 1")
NAME: Final = r"(\[[0-9a-f:.]+\]|[a-z0-9._-]{1,253})"
USUAL_PORT: Final = {"http": 80, "https": 443}
ORIGIN: Final = (
    rf"(https?://{NAME}(:[0-9]+)?/?)?",
    "http:// or https:// and a name, without a path",
)


def _is_origin(value: str) -> bool:
    """Tell whether this is an origin exactly as browsers send it, or empty.

    Browsers leave out the usual port, and leading zeros of any other. Sockets open only where the
    `Origin` is the same text.
    """
    if not value or not _has_shape(value, ORIGIN[0]):
        return not value
    parts = urlsplit(value)
    port = "" if parts.port in (None, USUAL_PORT[parts.scheme]) else f":{parts.port}"
    name = parts.hostname or ""
    if ":" in name:
        name = f"[{as_sockets_say(name)}]" if _is_address(name) else ""
    return value.rstrip("/") == f"{parts.scheme}://{name}{port}"


def _is_folder(value: str) -> bool:
    is_plain = not value.startswith(("~", "$", '"', "'")) and not value.isspace()
    return is_plain and is_text(value)


FOLDER: Final = (
    _is_folder,
    "a folder's path in UTF-8, without what only a shell reads before it (~, $, quotes)",
)
SHAPES: Final[Mapping[str, tuple[str | Callable[[str], bool], str]]] = {
    "TAPROOM_BACKUPS": SWITCH,
    "TAPROOM_BACKUP_DIR": FOLDER,
    # Python sleeps for no longer than a few centuries.
    "TAPROOM_BACKUP_SECONDS": (
        r"(?=.*[1-9])[0-9]{1,9}(\.[0-9]{1,9})?",
        "a number of seconds above 0, with nine digits at most",
    ),
    "TAPROOM_DATA": FOLDER,
    "TAPROOM_DATABASE": (
        _is_database,
        "a postgres:// address that ends with the database's name, and after ? has only what "
        "PostgreSQL's library knows, once each (in a password %23 is #, %2F is /, %3F is ?)",
    ),
    "TAPROOM_DEBUG": SWITCH,
    "TAPROOM_HOSTS": (
        rf"(?i)(\s*(\*|{NAME})?\s*(,|$))*",
        "names with commas between them, without http:// and without a port",
    ),
    "TAPROOM_LAN_ORIGIN": (f"(?i){ORIGIN[0]}", ORIGIN[1]),
    "TAPROOM_ORIGIN": (
        _is_origin,
        f"{ORIGIN[1]}, as browsers send it: in small letters, and without the usual port",
    ),
    "TAPROOM_PREPARED": SWITCH,
    "TAPROOM_PROCESSES": COUNT,
    "TAPROOM_PROXY": (_is_address, "one IP address"),
    "TAPROOM_REDIS": (
        _is_redis,
        "a redis:// address that ends with the database's number, if it has one, and after ? has "
        "only what Redis's library knows (in a password %23 is #, %2F is /, %3F is ?)",
    ),
    "TAPROOM_SECRET_KEY": (is_text, "letters, in UTF-8"),
    "TAPROOM_SERVER": (r"daphne|uvicorn", "daphne or uvicorn"),
    "TAPROOM_SHOUT_DELAY_MAX_MS": WHOLE,
    "TAPROOM_SQLITE_JOURNAL": (r"WAL|TRUNCATE", "WAL or TRUNCATE, in capitals"),
    "TAPROOM_WORKERS": COUNT,
    "TZ": (names_a_zone, "the name of a time zone that this machine knows, like Europe/Madrid"),
}
"""What each must look like, as a pattern or a question, and in words.

It may be empty where that says the same as unset.
"""
NAMES: Final = {*SHAPES, "TAPROOM_REDIS_PREFIX"}
"""Every setting there is. `deploy/` and the tests have variables of their own that begin alike."""


def refuse_misread(environment: Mapping[str, str]) -> None:
    """Stop the start-up at a value that would be misread, or a name that is a setting's misspelt.

    Raises ImproperlyConfigured with the name, and what the value must be or the name was meant to
    be. The value is not repeated: it may be a password.
    """
    for name, (shape, words) in SHAPES.items():
        value = environment.get(name)
        if value is not None and not _has_shape(value, shape):
            raise ImproperlyConfigured(f"{name} must be {words}. Mend it, or unset it.")
    for name in environment:
        if name.startswith("TAPROOM_") and name not in NAMES and (meant := _meant_by(name)):
            raise ImproperlyConfigured(f"There is no {name}: {meant}? Mend it, or unset it.")


def _meant_by(name: str) -> str | None:
    """Return the setting that a name is a slip of the pen away from, if there is one."""
    rests = {known.removeprefix("TAPROOM_"): known for known in NAMES}
    close = get_close_matches(name.removeprefix("TAPROOM_"), rests, n=1, cutoff=0.8)
    return rests[close[0]] if close else None


def _has_shape(value: str, shape: str | Callable[[str], bool]) -> bool:
    if callable(shape):
        return shape(value)
    try:
        # Without a host there is no port; a port that is no number only raises when asked for.
        _ = urlsplit(value).port
    except ValueError:
        return False
    return re.fullmatch(shape, value) is not None


def journal_mode(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> str:
    """Return the SQLite journal mode that survives power loss with this version of the library.

    Not DELETE: the deletion is not waited for, so after a power loss the journal may be back and
    undo the last commit. Cutting it to nothing (TRUNCATE) is waited for.
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
