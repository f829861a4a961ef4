"""Keeps the log short, and nobody waiting for it.

Anybody can send requests that are refused, each with a traceback. And a terminal that was stopped
(Ctrl+S), or a pipe that nobody reads, takes no more: whoever writes to it stands still, and soon so
does everybody who logs.
"""

from __future__ import annotations

import atexit
import logging
import os
import re
import sys
import time
from contextlib import suppress
from http import HTTPStatus
from queue import Full, Queue
from threading import Event, Thread
from typing import Any

# So many wait for whoever takes them; more are counted and left out.
MOST_WAITING = 1000
# When the house closes those that still wait are given so long.
LAST_SECONDS = 1.0
# Loggers that would tell with each tap, or each try, that Redis or PostgreSQL is away, that no more
# lines can be open or that no socket comes through; and how often that is told. All of the live
# table: a list of its modules would lack one as soon as work moves from one to another.
WHAT_IS_AWAY = (
    "channels_redis",
    "config.bounds",
    "games.wake",
    "games.live.",
    "psycopg.pool",
)
SELDOM_SECONDS = 60.0
# Of a line that a request has caused: its address may have 60,000 letters. What backups say of
# themselves are no stranger's words, and name each that went.
LONGEST_LINE = 300
AT_LENGTH = "games.keeping."
# What follows in an address is a secret, and may still lead to a seat.
SECRET = re.compile(r"(/(?:seat|j)/)[^/\s]+")


def error_in_words(error: BaseException | None) -> str:
    """Return an error's kind and what it says; Redis's, shown by `repr`, leave that out."""
    return f"{type(error).__name__}: {error}".removesuffix(": ")


class Terse(logging.Filter):
    """Leaves one line of a refused request or of what is away; faults of ours stay whole."""

    def filter(self, record: logging.LogRecord) -> bool:
        if _is_told_already(record):
            return False
        if record.name.startswith("channels_redis") and record.exc_info:
            record.msg = f"{record.getMessage()}: {error_in_words(record.exc_info[1])}"
            record.args = ()
            record.exc_info, record.exc_text = None, None
        is_refused = record.name == "django.request" and record.levelno < logging.ERROR
        is_no_text = str(record.msg).startswith("Invalid UTF-8")
        if is_refused or is_no_text or record.name.startswith("django.security."):
            record.exc_info, record.exc_text = None, None
        if record.name == "django.security.DisallowedHost":  # in the word of our own settings
            told = record.getMessage().replace("ALLOWED_HOSTS", "TAPROOM_HOSTS")
            record.msg, record.args = shortened(told), ()
        if record.levelno == logging.WARNING and not record.exc_info:
            longest = None if record.name.startswith(AT_LENGTH) else LONGEST_LINE
            record.msg, record.args = shortened(record.getMessage(), longest), ()
        return True


def shortened(told: str, longest: int | None = LONGEST_LINE) -> str:
    """Return one line, without what a log should not know or a terminal would obey."""
    line = SECRET.sub(r"\1…", " ".join(told.split()))  # PostgreSQL's own words come in several
    cut = line if longest is None or len(line) <= longest else f"{line[: longest - 1]}…"
    return "".join(letter if letter.isprintable() else "?" for letter in cut)


def _is_told_already(record: logging.LogRecord) -> bool:
    """Tell whether a line says no more than the one before it.

    The house says itself why it answered 503, and the pool why it could not connect.
    """
    if record.name == "django.request":
        return getattr(record, "status_code", 0) == HTTPStatus.SERVICE_UNAVAILABLE
    return record.name == "psycopg.pool" and str(record.msg).startswith("reconnection attempt")


class Seldom(logging.Filter):
    """Leaves one line a minute of each thing that fails for as long as another server is away.

    Faults of ours stay: what is away leaves no traceback, once `Terse` has seen it.
    """

    def __init__(self) -> None:
        super().__init__()
        # By where in the source it is told: when it was last, and how often since.
        self._told: dict[tuple[str, int], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if not record.name.startswith(WHAT_IS_AWAY) or record.exc_info:
            return True
        now, where = time.monotonic(), (record.name, record.lineno)
        at, left_out = self._told.get(where, (-SELDOM_SECONDS, 0))
        if now - at < SELDOM_SECONDS:
            self._told[where] = at, left_out + 1
            return False
        self._told[where] = now, 0
        if left_out:
            record.msg, record.args = f"{record.getMessage()} ({left_out} more before it)", ()
        return True


class Aside:
    """A stream that a thread of its own writes on, so that nobody else waits for its reader.

    It writes by the system's own call: what Python writes through has a lock that would be held for
    as long, and without which Python cannot end.
    """

    def __init__(self, stream: Any) -> None:
        self._stream, self._lost = stream, 0
        self._waiting: Queue[bytes | Event] = Queue(MOST_WAITING)
        Thread(target=self._run, name="log", daemon=True).start()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        try:
            encoded = text.encode(self._stream.encoding or "utf-8", "backslashreplace")
            self._waiting.put_nowait(encoded)
        except Full:
            self._lost += 1
        return len(text)

    def flush(self) -> None:
        """Wait for nothing: what was written is on its way."""

    def finish(self) -> None:
        """Wait a moment until all is written."""
        written = Event()
        with suppress(Full):
            self._waiting.put_nowait(written)
            written.wait(LAST_SECONDS)

    def _run(self) -> None:
        out = self._stream.fileno()
        while True:
            one = self._waiting.get()
            if isinstance(one, Event):
                one.set()
                continue
            if self._lost:
                lost, self._lost = self._lost, 0
                one = f"Here {lost} lines are missing: nobody took the log.\n".encode() + one
            with suppress(OSError):  # the reader has gone, or the disk is full
                while one:
                    one = one[os.write(out, one) :]


def wait_for_no_reader() -> None:
    """Write errors and the log aside from now on, where they go to a terminal, a pipe or a file."""
    was = sys.stderr
    try:
        was.flush()
        was.fileno()
    except (AttributeError, OSError, ValueError):  # closed, or no stream of the system's
        return
    sys.stderr = Aside(was)
    for handler in logging.getLogger().handlers:
        if isinstance(handler, logging.StreamHandler) and handler.stream is was:
            handler.setStream(sys.stderr)
    atexit.register(sys.stderr.finish)
