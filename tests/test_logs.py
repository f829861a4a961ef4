"""What the log is spared, and what it is not."""

from __future__ import annotations

import io
import logging

import pytest
from redis.exceptions import NoPermissionError

from config.logs import LONGEST_LINE, SELDOM_SECONDS, Seldom, Terse, error_in_words


@pytest.mark.parametrize(
    ("name", "is_short"), [("channels_redis.pubsub", True), ("games.wake", False)]
)
def test_a_layer_that_is_away_leaves_a_line_at_a_time_and_a_fault_of_ours_all(
    name: str, is_short: bool
):
    """docs/hosting.md: the log has a line for each. A Redis that is away is tried each second."""
    out, log = io.StringIO(), logging.getLogger(name)
    handler = logging.StreamHandler(out)
    handler.addFilter(Terse())
    log.addHandler(handler)
    try:
        try:
            raise NoPermissionError("111 refused")
        except NoPermissionError:
            log.exception("Unexpected exception in %s", "receive task")
    finally:
        log.removeHandler(handler)
    said = out.getvalue().strip().splitlines()
    assert (len(said) == 1) == is_short
    assert said[0].startswith("Unexpected exception in receive task")
    assert "111 refused" in said[-1]


def told(seldom: Seldom, name: str, tap: int) -> str:
    record = logging.LogRecord(name, logging.WARNING, __file__, 1, "Tap %s", (tap,), None)
    return record.getMessage() if seldom.filter(record) else ""


def test_an_absent_layer_is_told_once_a_minute_and_how_often_it_was_missed(
    monkeypatch: pytest.MonkeyPatch,
):
    """A Redis with another password left a line for each tap, for as long as people played."""
    seldom, now = Seldom(), 1000.0
    monkeypatch.setattr("config.logs.time.monotonic", lambda: now)
    assert [told(seldom, "games.wake", tap) for tap in range(3)] == ["Tap 0", "", ""]
    assert [told(seldom, "games.live.alarm", tap) for tap in range(3)] == ["Tap 0", "", ""]
    assert [told(seldom, "games.clock", tap) for tap in range(2)] == ["Tap 0", "Tap 1"]
    now += SELDOM_SECONDS
    assert told(seldom, "games.wake", 3) == "Tap 3 (2 more before it)"
    now += SELDOM_SECONDS
    assert told(seldom, "games.wake", 4) == "Tap 4"


def test_a_fault_of_ours_in_what_the_layer_brings_is_told_each_time():
    seldom = Seldom()
    fault = (ValueError, ValueError("no news"), None)
    for _ in range(2):
        record = logging.LogRecord("games.live.listener", 40, __file__, 1, "Not taken", (), fault)
        assert seldom.filter(record)


def lines_of(name: str, text: str, **more: object) -> list[str]:
    record = logging.LogRecord(name, logging.WARNING, __file__, 1, text, (), None)
    vars(record).update(more)
    return record.getMessage().splitlines() if Terse().filter(record) else []


def test_an_error_of_postgresql_is_one_line():
    """It was two or three, and one more that said no more than those."""
    refused = 'connection to server at "db" failed: Connection refused\n\tIs the server running?'
    assert lines_of("psycopg.pool", refused) == [
        'connection to server at "db" failed: Connection refused Is the server running?'
    ]
    assert lines_of("psycopg.pool", "reconnection attempt in pool 'pool-1' failed") == []
    assert lines_of("django.request", "Service Unavailable: /", status_code=503) == []
    assert lines_of("django.request", "Not Found: /x", status_code=404) == ["Not Found: /x"]


def test_what_redis_says_is_told_in_its_words():
    """Its errors show themselves as "auth:NoPermissionError": nobody knows what to mend by that."""
    refused = NoPermissionError("No permissions to access a channel")
    assert error_in_words(refused) == "NoPermissionError: No permissions to access a channel"
    assert error_in_words(TimeoutError()) == "TimeoutError"


def test_whoever_is_known_by_no_such_name_is_told_our_own_setting():
    """docs/hosting.md has a TAPROOM_HOSTS; Django's word for it is in no page for hosts."""
    text = "Invalid HTTP_HOST header: 'bar.example'. You may need to add 'bar.example' to %s."
    name = "django.security.DisallowedHost"
    record = logging.LogRecord(name, logging.ERROR, __file__, 1, text, ("ALLOWED_HOSTS",), None)
    assert Terse().filter(record)
    assert record.getMessage().endswith("add 'bar.example' to TAPROOM_HOSTS.")


def test_a_pass_and_a_key_are_no_words_for_a_log():
    """A form whose token was too old left the address of its pass there, which still led to a seat;
    and a laptop's log is on its screen."""
    told = "Forbidden (CSRF token missing.): /seat/Zq8d-_x1/"
    assert lines_of("django.security.csrf", told) == ["Forbidden (CSRF token missing.): /seat/…/"]
    assert lines_of("django.request", "Not Found: /j/Zq8d-_x1/") == ["Not Found: /j/…/"]
    trouble = "GET /j/Zq8d-_x1/: the database cannot be used"
    assert lines_of("games.middleware", trouble) == ["GET /j/…/: the database cannot be used"]


def test_nobody_writes_a_log_at_length_or_to_a_terminal():
    """Each address that is not here left a line, which had up to 60,000 letters; and where the
    house is in trouble those that move a terminal's cursor."""
    (line,) = lines_of("django.request", "Not Found: /" + "x" * 60_000)
    assert line.startswith("Not Found: /xxx")
    assert line.endswith("x…")
    assert len(line) == LONGEST_LINE
    (line,) = lines_of("games.middleware", "GET /\x1b[2J\x9b2J\u202e: no more memory")
    assert line == "GET /?[2J?2J?: no more memory"
    name, text = "django.security.DisallowedHost", "Invalid HTTP_HOST header: %s"
    record = logging.LogRecord(name, logging.ERROR, __file__, 1, text, ("x" * 60_000,), None)
    assert Terse().filter(record)
    assert len(record.getMessage()) == LONGEST_LINE


def test_what_backups_say_is_told_at_length():
    """R11: which of them went for lack of room. Fifty names are longer than a stranger's line."""
    names = ", ".join(f"taproom-2026-11-29T10-{minute}.backup" for minute in range(10, 60))
    assert lines_of("games.keeping.opening", f"These went:\n{names}") == [f"These went: {names}"]
