"""What a socket would push, by request: to who may look, from few rows, and nothing twice."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext

from config.logs import WHAT_IS_AWAY
from games import presence
from games.live import stops
from games.models import Seat
from games.snapshot import epoch
from tests.asked import asked_for
from tests.games.party import Party, Person, done

# The session, the table, its seats.
FEW = 3


def asks(who: Person, seq: Any = "", page: str = "phone", **more: Any) -> HttpResponse:
    given = {"seq": seq, "epoch": epoch(), **more}
    return who.client.get(f"/t/{who.code}/news/{page}/{who.seat}/", given)


def test_it_is_empty_while_the_table_has_not_moved(party: Party):
    seq = party.table.seq
    asks(party.ben, seq)  # the first asks more: which house this is
    with CaptureQueriesContext(connection) as asked:
        answer = asks(party.ben, seq)
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["Cache-Control"] == "no-store"
    assert len(asked) <= FEW, asked.captured_queries


def test_it_is_what_the_socket_would_push(party: Party):
    seq = party.table.seq
    done(party.ana.does("pick_number", number=13))
    push = asks(party.ben, seq).json()
    assert (push["seq"], push["epoch"]) == (party.table.seq, epoch())
    assert 'id="numbers"' in push["regions"]["numbers"]
    assert [told["kind"] for told in push["told"]] == ["number_picked"]
    assert set(push["common"]) == {"paused", "content-lines"}


def test_each_page_has_its_own(party: Party):
    assert "gm-seats" in asks(party.ana, page="gm").json()["regions"]
    assert "table-ring" in asks(party.ana, page="screen").json()["regions"]


@pytest.mark.parametrize(
    ("asked", "back"),
    [({"epoch": "another"}, ""), ({"seq": 10**9}, "-back"), ({"seq": "9" * 5000}, "")],
)
def test_a_page_of_another_house_is_told_of_this_one(party: Party, asked: Any, back: str):
    """It loads itself anew, as with a socket."""
    told = asks(party.ben, **{"seq": party.table.seq, **asked}).json()
    assert told["epoch"] == epoch() + back


def test_nobody_else_learns_anything(party: Party):
    """Not whether there is such a table either: they would try codes here."""
    seats = {"ben": party.ben.seat, "nobody": 99}
    for who in (Person("Fay"), party.cleo):
        for code in (party.ben.code, "NOSUCH"):
            for seat in seats.values():
                answer = who.client.get(f"/t/{code}/news/phone/{seat}/")
                assert (answer.status_code, answer.content) == (403, b"")
    for page in ("gm", "nothing"):
        assert asks(party.ben, page=page).status_code == 403


def test_who_waits_at_the_door_is_told_nothing(party: Party):
    """Nor how lively it is behind it."""
    seat = Seat.objects.filter(table=party.table, number=party.ben.seat)
    seat.update(standing=Seat.Standing.KNOCKING)
    answer = asks(party.ben, 0)
    assert (answer.status_code, "Beat" in answer.headers) == (204, False)
    done(party.ana.does("remove", who=party.ben.seat))
    assert asks(party.ben, 0).status_code == 403


def test_only_ones_own_token_of_the_last_minutes_stops_play(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """G6: noise stops nothing, nor what another page was given."""
    begun: list[int] = []
    monkeypatch.setattr(stops, "serving_loop", lambda: Loop(begun))
    party.welcomes("Dora")

    def gives(who: Person, beat: str = "") -> str:
        address = f"/t/{who.code}/news/phone/{who.seat}/?seq={party.table.seq}&epoch={epoch()}"
        answer = who.client.get(address, headers={"Beat": beat})
        assert answer.status_code == 204
        return str(answer.headers["Beat"])

    minutes, began = [0], time.time()
    monkeypatch.setattr(stops.time, "time", lambda: began + minutes[0] * stops.TOKEN_SECONDS)
    own, others = gives(party.ben), gives(party.others[0])
    for beat in ("", "0" * 32, others, own[:31], f"{own}0", "\xe9" * 32):
        gives(party.ben, beat)
    assert not begun
    for passed, times in ((0, 1), (1, 2), (2, 2)):
        minutes[0] = passed
        gives(party.ben, own)
        assert begun == [party.table.pk] * times


class Loop:
    """A server's loop that notes at which table a stop is waited for."""

    def __init__(self, begun: list[int]) -> None:
        self.begun = begun

    def call_soon_threadsafe(self, _call: Any, _loop: Any, table_id: int, context: Any) -> None:
        self.begun.append(table_id)


def test_who_asks_is_shown_as_here(party: Party):
    """As a page without scripts is; with no socket they were away for all the others."""
    ring = f'id="ring-seat-{party.ben.seat}"[^>]*is-away'
    presence.drop(party.table.pk, party.ben.seat)
    assert re.search(ring, asks(party.ana).json()["regions"]["ring"])
    asks(party.ben, party.table.seq)
    assert not re.search(ring, asks(party.ana).json()["regions"]["ring"])


HANDSHAKE = ((b"sec-websocket-key", b"x3JJHMbDL1EzLkh9GBhXDw=="), (b"sec-websocket-version", b"13"))


@pytest.mark.django_db
def test_a_socket_that_comes_as_a_plain_request_tells_the_host_what_to_mend(caplog):
    """Each was "Not Found", every two seconds from every phone, which told nobody anything."""
    path = "/ws/t/ABCDEF/phone/1/"
    assert asked_for(path)["status"] == 404
    caplog.clear()
    for _try in range(3):
        assert asked_for(path, *HANDSHAKE)["status"] == 400
    [one, *_same] = {(r.name, r.getMessage()) for r in caplog.records}
    assert not _same
    assert one[0].startswith(WHAT_IS_AWAY), "once a minute is enough"
    assert "Upgrade and Connection" in one[1]


def test_the_host_is_told_of_a_page_that_gets_no_socket_through(party: Party, caplog):
    """Once it asks again: the first may be of a line that is just coming back."""
    asks(party.ben)
    assert not caplog.records
    asks(party.ben)
    [said] = caplog.records
    assert "WebSockets" in said.getMessage()
    assert said.name.startswith(WHAT_IS_AWAY)
    caplog.clear()
    presence.put(party.table.pk, party.ben.seat, 40)
    asks(party.ben)
    assert not caplog.records, "nobody knows yet that its line is dead"
    presence.drop(party.table.pk, party.ben.seat)
    asks(party.ben)
    assert not caplog.records
