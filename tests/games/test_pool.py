"""How a connection to PostgreSQL is taken from those that are shared (`config.postgresql.base`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import psycopg
import pytest
from django.db.backends.postgresql import base
from psycopg import OperationalError
from psycopg.errors import _WaitTimeout
from psycopg.pq import ConnStatus
from psycopg_pool import ConnectionPool

from config.postgresql.base import (
    KNOWN_GONE_S,
    MOST_DEAD,
    DatabaseWrapper,
    PatientConnection,
    Silent,
)


class Pool:
    """Connections by their number, of which a check finds out what has become of each."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, check: Callable[[int], None]) -> None:
        self.taken: list[int] = []
        self.back: list[int] = []
        monkeypatch.setattr(base.DatabaseWrapper, "get_new_connection", self._get)
        monkeypatch.setattr(ConnectionPool, "check_connection", staticmethod(check))
        monkeypatch.setattr(DatabaseWrapper, "pool", self)
        self._db = DatabaseWrapper.__new__(DatabaseWrapper)

    def _get(self, _parameters: dict[str, Any]) -> int:
        self.taken.append(len(self.taken))
        return self.taken[-1]

    def putconn(self, connection: int) -> None:
        self.back.append(connection)

    def asked(self) -> int:
        return int(self._db._living_connection({}))


def test_each_dead_connection_goes_back_before_the_next_is_taken(monkeypatch: pytest.MonkeyPatch):
    """R4: a pool counts what it gave: after a few restarts of the server it had none left."""

    def check(number: int) -> None:
        if number < 3:
            raise OperationalError("the connection is lost")

    pool = Pool(monkeypatch, check)
    assert pool.asked() == 3
    assert pool.back == [0, 1, 2]


def test_a_server_that_does_not_answer_is_waited_for_once(monkeypatch: pytest.MonkeyPatch):
    """R5: each further connection would be as silent, after as long a wait."""

    def check(_number: int) -> None:
        raise Silent("the database does not answer")

    pool = Pool(monkeypatch, check)
    with pytest.raises(Silent):
        pool.asked()
    assert pool.back == pool.taken == [0]


def test_connections_that_all_break_at_once_are_not_asked_for_without_end(
    monkeypatch: pytest.MonkeyPatch,
):
    def check(_number: int) -> None:
        raise OperationalError("the connection is lost")

    pool = Pool(monkeypatch, check)
    with pytest.raises(OperationalError, match="every connection"):
        pool.asked()
    assert len(pool.back) == MOST_DEAD


def test_after_one_wait_in_vain_nobody_waits_for_a_moment(monkeypatch: pytest.MonkeyPatch):
    """R5: a table's worker does one thing after the other: the tenth phone waited for a minute."""
    waits: list[str] = []

    def waits_in_vain(_db: DatabaseWrapper, _parameters: dict[str, Any]) -> None:
        waits.append("in vain")
        raise OperationalError("the database is away")

    monkeypatch.setattr(base.DatabaseWrapper, "get_new_connection", waits_in_vain)
    monkeypatch.setattr(DatabaseWrapper, "_gone_at", -KNOWN_GONE_S)
    db = DatabaseWrapper.__new__(DatabaseWrapper)
    for _phone in range(3):
        with pytest.raises(OperationalError):
            db.get_new_connection({})
    assert waits == ["in vain"]


def test_whoever_gave_up_waiting_hangs_up(monkeypatch: pytest.MonkeyPatch):
    """R2: the answer would come all the same, to whatever is asked next."""
    ended: list[str] = []

    class Line:
        status = ConnStatus.BAD  # for who frees it

        def finish(self) -> None:
            ended.append("hung up")

    def waits_in_vain(*_given: Any) -> None:
        raise _WaitTimeout

    monkeypatch.setattr(psycopg.Connection, "wait", waits_in_vain)
    monkeypatch.setattr(PatientConnection, "patience", 0.1)
    monkeypatch.setattr(DatabaseWrapper, "_gone_at", -KNOWN_GONE_S)
    connection = PatientConnection.__new__(PatientConnection)
    connection.pgconn = Line()  # type: ignore[assignment]
    with pytest.raises(Silent):
        connection.wait(iter(()))  # type: ignore[arg-type]
    assert ended == ["hung up"]


@pytest.mark.parametrize(("connection", "is_broken"), [(None, False), (object(), True)])
def test_what_takes_more_than_a_prepared_statement_goes_django_s_way(
    monkeypatch: pytest.MonkeyPatch, connection: object, is_broken: bool
):
    """R1: in a broken transaction it was done, answered and taken back; a pool's is opened late."""
    asked: list[str] = []

    class Cursor:
        def execute(self, query: str, _values: Sequence[Any]) -> None:
            asked.append(query)

    monkeypatch.setattr(base.DatabaseWrapper, "cursor", lambda _db: Cursor())
    db = DatabaseWrapper.__new__(DatabaseWrapper)
    db.connection, db.needs_rollback, db.force_debug_cursor = connection, is_broken, False
    assert isinstance(db.ask("SELECT 1"), Cursor)
    assert asked == ["SELECT 1"]
