"""Who has gone costs nobody time, and a table that nobody else can come to says so.

Anybody who has the code can sit down and get up again, as often as a program likes; and at a table
of years people do.
"""

from __future__ import annotations

from typing import Any

import pytest

from games import snapshot
from games.actions import MOST_NUMBER
from games.clock import due_moves_at
from games.deeds.people import MOST_SEATS
from games.models import Seat, rows
from tests.games.party import Clock, Party, done, notice, refused

MANY = 300


def go(party: Party, count: int) -> None:
    """Let so many have sat down at this table and got up again."""
    last = party.table.seats.order_by("-number")[0].number
    gone = {"table": party.table, "role": "player", "standing": Seat.Standing.GONE}
    Seat.objects.bulk_create(
        Seat(number=last + n, place=last + n, name=f"Gone {n}", **gone) for n in range(1, count + 1)
    )


@pytest.fixture
def seats_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return how many seats each question to the database has brought."""
    found: list[int] = []
    answered = rows.answered

    def counts(db: Any, key: Any, shape: Any, *more: Any) -> list[Any]:
        told = answered(db, key, shape, *more)
        found.extend([len(told)] if shape.model is Seat else [])
        return told

    monkeypatch.setattr(rows, "answered", counts)
    return found


def test_nobody_waits_for_those_who_have_gone(party: Party, clock: Clock, seats_read: list[int]):
    """Each page, each request for news and each shout read all who ever sat at the table."""
    go(party, MANY)
    party.begins().rolls(party.ana, 7)
    clock.passes(2000)
    done(party.ben.does("shout", call="brave"))
    for path in ("", "gm/", "screen/", f"news/phone/{party.ana.seat}/?seq=0"):
        assert party.ana.client.get(f"/t/{party.table.code}/{path}").status_code == 200
    assert snapshot.load(party.table.pk).seats
    assert seats_read
    assert max(seats_read) <= MOST_SEATS


def test_what_falls_due_is_found_among_those_who_play(party: Party, seats_read: list[int]):
    go(party, MANY)
    party.begins()
    assert due_moves_at(party.table.pk) == []
    assert max(seats_read) <= MOST_SEATS


def test_who_got_up_in_a_bout_has_their_part_in_it(party: Party):
    """Their seat is read with the bout, though nobody sits there."""
    party.welcomes("Dora")
    party.begins()
    done(party.ben.does("leave_table"))
    now = snapshot.load(party.table.pk)
    assert party.ben.name in now.names
    assert party.ben.seat not in {seat.number for seat in now.seats}
    assert [entrant.seat.name for entrant in now.entrants] == ["Ana", "Ben", "Dora"]
    assert due_moves_at(party.table.pk) == []


def test_a_table_that_has_no_more_numbers_says_so(party: Party):
    """Whoever sat down there could do nothing; PostgreSQL's column holds no higher number."""
    Seat.objects.filter(pk=party.ben.row.pk).update(number=MOST_NUMBER)
    answer = party.cleo.joins(party.table)
    assert answer.status_code == 409
    assert "Open another table" in notice(answer)
    refused(party.ana.does("add_player", name="Dora"), 409)
    assert not Seat.objects.filter(number__gt=MOST_NUMBER).exists()
