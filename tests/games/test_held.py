"""Which tables somebody else is known to hold: one tap waits for such a row, the others do not."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError

from games.services import locking

HELD, GONE = "55P03", "57P01"


class Rows:
    """Stands in for the database: what it was asked for, and how a row is withheld."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.waited: list[tuple[int, bool]] = []
        self.withheld: dict[int, str] = {}
        self.now = 1000.0
        monkeypatch.setattr(locking, "_held", {})
        monkeypatch.setattr(locking, "rows", self)
        monkeypatch.setattr(locking, "time", self)

    def monotonic(self) -> float:
        return self.now

    def first(self, _model: Any, *, lock: bool, waits: bool, id: int) -> str:
        assert lock
        self.waited.append((id, waits))
        if id in self.withheld:
            cause = Exception("of the driver's")
            cause.sqlstate = self.withheld[id]  # type: ignore[attr-defined]
            raise OperationalError("not to be had") from cause
        return f"table {id}"

    def asks(self, table: int) -> bool:
        """Ask for a table; tell whether it was waited for."""
        try:
            assert locking.locked(table) == f"table {table}"
        except OperationalError:
            assert table in self.withheld
        return self.waited[-1][1]


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Rows:
    return Rows(monkeypatch)


def test_the_first_waits_and_who_comes_then_is_told_at_once(house: Rows):
    """R8: a frozen process holds one row; the worker's other tables must not wait for it."""
    house.withheld = {1: HELD}
    assert [house.asks(1), house.asks(1), house.asks(2), house.asks(1)] == [
        True,
        False,
        True,
        False,
    ]


def test_it_is_waited_for_again_after_a_while_however_often_phones_came(house: Rows):
    house.withheld = {1: HELD}
    assert house.asks(1)
    for _each in range(4):
        house.now += locking.KNOWN_HELD_S / 5
        assert not house.asks(1)
    house.now += locking.KNOWN_HELD_S / 5
    assert house.asks(1)
    assert not house.asks(1)


def test_a_row_that_is_free_again_is_waited_for_like_any(house: Rows):
    house.withheld = {1: HELD}
    house.asks(1)
    house.withheld = {}
    assert not house.asks(1)
    assert house.asks(1)
    assert not locking._held, "and nothing of it is kept"


def test_a_database_that_is_away_holds_no_row(house: Rows):
    house.withheld = {1: GONE}
    assert house.asks(1)
    assert house.asks(1)
    assert not locking._is_held(OperationalError("of SQLite's: no cause at all"))


def test_the_instant_at_which_the_machine_started_is_no_exception(house: Rows):
    """Its clock begins at 0 there: nobody has waited yet."""
    house.now = 0.0
    assert house.asks(1)
