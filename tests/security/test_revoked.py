"""S6: who is turned out, hands the house over or gets up hears nothing more, at once.

On a real server, while the others play on: no event after the one that revoked.
"""

from __future__ import annotations

import asyncio
import re
import time
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.chaos.house import House, Zygote, house_of
from tests.chaos.phone import CSRF
from tests.chaos.web import Answer, Web
from tests.security.figures import measured
from tests.security.servers import forker
from tests.security.wire import Wire
from tests.sizes import SERVERS, size

ROUNDS = size(2, 60)
WITHIN = 2.0
TURNED_OUT = 4403
Table = dict[str, Any]


class AtTable:
    """A table of three at a real house: the host, who is turned out, and who plays on."""

    def __init__(self, house: House, table: Table) -> None:
        self.house, self.code = house, table["code"]
        self.seats = table["seats"]
        self.webs = [Web(house.port, {"sid": one["sid"], "csrf": CSRF}) for one in table["seats"]]

    async def does(self, place: int, action: str, **fields: Any) -> Answer:
        given = {"action": action, "seat": self.seats[place]["number"], "tap": f"t{time.time_ns()}"}
        path = f"/t/{self.code}/act/"
        return await self.webs[place].post(path, urlencode({**given, **fields}), within=30)

    async def looks(self, place: int, page: str = "phone") -> Wire:
        seat = self.seats[place]
        path = f"/ws/t/{self.code}/{page}/{seat['number']}/"
        wire = await Wire.opens(self.house.port, path, seat["sid"])
        assert wire.status == 101
        assert await wire.heard(lambda one: "regions" in one)
        return wire

    async def plays_on(self, stop: asyncio.Event) -> None:
        letters = False
        while not stop.is_set():
            letters = not letters
            await self.does(2, "show_hand", letters=str(letters).lower())
            await asyncio.sleep(0.02)

    def revoked_at(self, kind: str) -> int:
        asked = "SELECT max(e.seq) FROM games_event e JOIN games_table t ON t.id = e.table_id "
        ((seq,),) = self.house.rows(asked + "WHERE t.code = ? AND e.kind = ?", self.code, kind)
        return int(seq)


async def removed(table: AtTable) -> tuple[Wire, str, Any]:
    wire = await table.looks(1)
    number = table.seats[1]["number"]
    return wire, "seat_removed", lambda: table.does(0, "remove", who=number)


async def left(table: AtTable) -> tuple[Wire, str, Any]:
    return await table.looks(1), "seat_left", lambda: table.does(1, "leave_table")


async def demoted(table: AtTable) -> tuple[Wire, str, Any]:
    wire = await table.looks(0, "gm")
    number = table.seats[1]["number"]
    return wire, "host_handed", lambda: table.does(0, "hand_host", who=number)


async def moved(table: AtTable) -> tuple[Wire, str, Any]:
    """The seat goes to another phone by its pass."""
    wire = await table.looks(1)
    offer = await table.does(1, "offer_pass", who=table.seats[1]["number"])
    token = re.search(r"/seat/([-\w]+)/", offer.body)
    assert token
    other = Web(table.house.port, {"sid": "", "csrf": CSRF})
    return wire, "seat_passed", lambda: other.post(f"/seat/{token.group(1)}/", "", within=30)


WAYS = (removed, left, demoted, moved)


async def turned_out(house: House, table: Table, way: Any) -> tuple[float, list[str]]:
    """Turn somebody out while another plays on; return how long it took, and what was wrong."""
    here, stop = AtTable(house, table), asyncio.Event()
    wire, kind, revoke = await way(here)
    others = asyncio.create_task(here.plays_on(stop))
    await asyncio.sleep(0.1)
    answer = await revoke()
    began = time.monotonic()
    code = await wire.closes(2 * WITHIN)
    took = time.monotonic() - began
    await asyncio.sleep(0.2)
    stop.set()
    await others
    wire.cut()
    wrong = [] if answer.status in (204, 302) else [f"{kind}: {answer.status} {answer.body[:200]}"]
    wrong += [] if code == TURNED_OUT else [f"{kind}: closed with {code}"]
    revoked = here.revoked_at(kind)
    heard = max(one["seq"] for one in wire.messages if "regions" in one)
    told = [t["seq"] for one in wire.messages if "regions" in one for t in one["told"]]
    if heard > revoked or max(told, default=0) > revoked:
        wrong.append(f"{kind}: heard of {heard} after it was revoked at {revoked}")
    return took, wrong


@pytest.mark.parametrize("server", SERVERS)
async def test_who_is_turned_out_hears_nothing_more(mother: Zygote, server: str):
    longest, wrong, count = 0.0, [], 0
    with forker(server, mother) as zygote, house_of(zygote) as house:
        tables = house.seed(ROUNDS * len(WAYS), 3)
        await house.opens()
        for way in WAYS:
            for _n in range(ROUNDS):
                took, found = await turned_out(house, tables.pop(), way)
                longest, wrong, count = max(longest, took), wrong + found, count + 1
    assert wrong == []
    assert longest <= WITHIN
    measured("S6", "turned out", count)
    measured("S6", "longest, s", round(longest, 3))


async def test_one_that_is_not_turned_out_would_be_seen(
    mother: Zygote, monkeypatch: pytest.MonkeyPatch
):
    """The control: a change of the table that is no revocation leaves the socket open."""
    monkeypatch.setattr("tests.security.test_revoked.WITHIN", 0.5)

    async def renamed(table: AtTable) -> tuple[Wire, str, Any]:
        wire = await table.looks(1)
        return wire, "table_renamed", lambda: table.does(0, "rename_table", name="The Goose")

    with house_of(mother) as house:
        (table,) = house.seed(1, 3)
        await house.opens()
        took, wrong = await turned_out(house, table, renamed)
    assert took > WITHIN
    assert any("closed with None" in one for one in wrong)
    assert any("heard of" in one for one in wrong)


# --- S5, on the line itself ----------------------------------------------------------------------

FOREIGN = {
    "another site": "http://evil.example",
    "our name inside another": "http://127.0.0.1.evil.example",
    "another port": "http://127.0.0.1:1",
    "another scheme": "file://",
    "null": "null",
    "none": "",
}


@pytest.mark.parametrize("server", SERVERS)
async def test_a_socket_from_elsewhere_is_answered_403(mother: Zygote, server: str):
    """With a cookie that would open it: our own page's does, which is the control."""
    with forker(server, mother) as zygote, house_of(zygote) as house:
        (table,) = house.seed(1, 2)
        await house.opens()
        seat = table["seats"][0]
        path = f"/ws/t/{table['code']}/phone/{seat['number']}/"
        statuses = {}
        for case, origin in FOREIGN.items():
            wire = await Wire.opens(house.port, path, seat["sid"], origin=origin)
            statuses[case] = wire.status
            wire.cut()
        ours = await Wire.opens(house.port, path, seat["sid"])
        assert ours.status == 101
        assert await ours.heard(lambda one: "regions" in one)
        ours.cut()
    assert statuses == dict.fromkeys(FOREIGN, 403)
    measured("S5", f"cases on {server}", len(FOREIGN))
