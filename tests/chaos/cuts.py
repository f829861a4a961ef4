"""R4 and R5: lines that break at any byte, phones that sleep, networks that come back.

Nothing is missed, nothing is told twice, the order holds; and once the network is there again
the screen is right soon.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

from tests.chaos.house import House, Zygote, house_of
from tests.chaos.phone import PATIENCE, Habits, Phone, until, until_true
from tests.chaos.play import Picker, at_work, phones_at
from tests.chaos.proxy import Proxy, Weather, Wire
from tests.chaos.web import Web

LONGEST = 2.0
# The first push of a gathering is some 20 KB, a later one 4 KB: a cut after so many falls into one.
IN_A_FRAME = 30_000
FIRST_PUSH = 18_000
HANDSHAKE = 300
A_BREATH = 0.08
A_MOMENT = 0.5
RIGHT_WITHIN = 12.0
# As in `games.snapshot`: who was away for more than this is told the newest.
NEWEST_EVENTS = 60


async def cuts(
    mother: Zygote,
    *,
    cuts: int,
    watchers: int = 4,
    longest: float = LONGEST,
    weather: Weather | None = None,
    hooks: dict[str, Any] | None = None,
    goes_on: float = 0.3,
    settles_within: float = 40,
    way: str = "post",
    **habits: Any,
) -> dict[str, Any]:
    """Break watchers' lines so often while the host goes on; hold what they were told to the log.

    With `hooks` that wake nobody, or `habits` of a phone that forgets what it
    was told, this is a control.
    """
    luck = random.Random(cuts)
    with house_of(mother) as house:
        [table] = house.seed(1, watchers + 1)
        await house.opens(**(hooks or {}))
        async with (
            Proxy(house.port, weather or Weather()) as proxy,
            Phone(house.port, table, 0, habits=Habits(way=way)) as host,
            phones_at(proxy.port, [_without_host(table)], lambda _n: Habits(**habits)) as phones,
        ):
            await until(lambda: all(p.account.pushes for p in phones), PATIENCE)
            async with at_work(Picker(host).goes_on(A_BREATH)):
                kinds = await Scissors(proxy, luck, longest).cut(cuts)
                await asyncio.sleep(goes_on)
            await until(lambda: not host.unsent, 30)
            settled = await settles(house, phones, table["id"], settles_within)
            found = await account_of(house, phones, table, RIGHT_WITHIN if settled else 0)
    return {**_counted(kinds, phones), "settled": settled, **found}


def _counted(kinds: Counter[str], phones: Iterable[Phone]) -> dict[str, Any]:
    """Say how often lines were cut, in which ways, and with which codes they closed."""
    closes = Counter(code for phone in phones for code in phone.account.closes)
    return {"cuts": kinds.total(), "kinds": dict(kinds), "closes": dict(closes)}


async def overclaiming(mother: Zygote) -> dict[str, Any]:
    """Let the host play while the lines are down, and phones then claim to have seen it: a control.

    What they claim is set here, since whether a phone hears how far the table
    is before it is told would be a race.
    """
    with house_of(mother) as house:
        [table] = house.seed(1, 3)
        await house.opens()
        async with (
            Proxy(house.port) as proxy,
            Phone(house.port, table, 0, habits=Habits(has_socket=False)) as host,
            phones_at(proxy.port, [_without_host(table)]) as phones,
        ):
            await until(lambda: all(p.account.pushes for p in phones), PATIENCE)
            proxy.refuses = True
            proxy.cut()
            for number in (2, 3, 2):
                assert await host.does("pick_number", number=number) == 204
            head = house.head(table["id"])
            for phone in phones:
                phone.claims = head
            # A try that began before the claim is refused by then.
            await asyncio.sleep(A_MOMENT)
            proxy.refuses = False
            settled = await settles(house, phones, table["id"])
            return {"settled": settled, **await account_of(house, phones, table)}


def _without_host(table: dict[str, Any]) -> dict[str, Any]:
    return {**table, "seats": table["seats"][1:]}


async def settles(house: House, phones: Iterable[Phone], table: int, within: float = 40) -> bool:
    """Wait until every phone was told the newest number, and tell whether it came to that."""
    head = house.head(table)

    async def is_there() -> bool:
        return all(p.seq >= head for p in phones)

    return await until_true(is_there, within)


class Scissors:
    """Breaks lines in every way there is, one after the other."""

    def __init__(self, proxy: Proxy, luck: random.Random, longest: float) -> None:
        self.proxy, self.luck, self.longest = proxy, luck, longest
        self._later: set[asyncio.Task[None]] = set()

    async def cut(self, count: int) -> Counter[str]:
        kinds: Counter[str] = Counter()
        while kinds.total() < count:
            whole = [w for w in self.proxy.wires if not self._is_spoilt(w)]
            if not whole:
                await asyncio.sleep(0.02)
                continue
            kind = self.luck.choice(["at once", "mid-frame", "mid-frame", "asleep", "half-open"])
            if self.luck.random() < 0.05:
                kind = "network down"
            kinds[kind] += 1
            await self._break(kind, self.luck.choice(whole))
            await asyncio.sleep(self.luck.random() * 0.15)
        await asyncio.gather(*self._later)
        return kinds

    def _is_spoilt(self, wire: Wire) -> bool:
        """Tell whether a line is about to break, or has carried too little yet to be worth it."""
        enough = FIRST_PUSH if wire.number % 3 else HANDSHAKE
        ready = wire.server is not None and wire.bytes_down > enough
        return wire.is_held or wire.is_half_open or wire.cut_down_after is not None or not ready

    async def _break(self, kind: str, wire: Wire) -> None:
        match kind:
            case "at once":
                wire.cut()
            case "mid-frame":
                wire.cut_down_after = self.luck.randint(1, IN_A_FRAME)
            case "half-open":
                wire.lose_phone()
            case "asleep":
                wire.is_held = True
                self._soon(self._wakes(wire))
            case _:
                self.proxy.is_down = True
                self.proxy.cut()
                await asyncio.sleep(self.luck.random() * self.longest)
                self.proxy.is_down = False

    async def _wakes(self, wire: Wire) -> None:
        await asyncio.sleep(self.luck.random() * self.longest)
        wire.cut()

    def _soon(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._later.add(task)
        task.add_done_callback(self._later.discard)


async def account_of(
    house: House, phones: Collection[Phone], table: dict[str, Any], within: float = RIGHT_WITHIN
) -> dict[str, Any]:
    """Hold what each phone was told to the log, and its screen to a page loaded now.

    A screen has so many seconds to become what that page is.

    `missed` counts what a phone was never told though it was among the newest
    when it was told the next; `beyond` what by then was older than those.
    """
    events = house.public_events(table["id"], table["seq"])
    found = Counter(events=len(events), missed=0, doubled=0, disorder=0, beyond=0)
    for phone in phones:
        told = phone.account.told
        found["doubled"] += len(told) - len(set(told))
        found["disorder"] += sum(b <= a for a, b in itertools.pairwise(told))
        for seq in set(events) - set(told):
            found[_why_missing(seq, events, phone)] += 1
    wrong = await asyncio.gather(*(_wrong_on(phone, house, within) for phone in phones))
    return {**found, "wrong_regions": [one for those in wrong for one in those]}


async def _wrong_on(phone: Phone, house: House, within: float) -> list[str]:
    """Return what a screen shows otherwise than a page loaded now, given time to catch up."""
    # Not over the bad line: what the page would be is the question, not how it gets there.
    phone.pages = Web(house.port, phone.cookies)

    async def is_right() -> bool:
        return not await phone.differs()

    return [] if await until_true(is_right, within, every=A_MOMENT) else list(await phone.differs())


def _why_missing(seq: int, events: list[int], phone: Phone) -> str:
    """Say whether an event was too old to be told when its phone was told the next."""
    push = next((p for p in phone.account.pushes if p.seq >= seq), None)
    if push is None:
        return "missed"
    newest = [e for e in events if e <= push.seq][-NEWEST_EVENTS:]
    return "missed" if seq in newest else "beyond"


def is_met(found: dict[str, Any]) -> bool:
    bad = found["missed"] or found["doubled"] or found["disorder"] or found["wrong_regions"]
    return found["settled"] and not bad


async def long_sleeps(
    mother: Zygote, *, phones: int, seconds: float, events: int
) -> dict[str, Any]:
    """Let phones sleep this long while so many events happen; half of them lose their socket."""
    with house_of(mother) as house:
        tables = house.seed(-(-phones // 4), 5)
        await house.opens()
        found: Counter[str] = Counter()
        wrong: list[str] = []
        async with (
            Proxy(house.port) as proxy,
            phones_at(house.port, tables, lambda _n: Habits(has_socket=False), seats=1) as hosts,
            phones_at(proxy.port, [_without_host(t) for t in tables]) as sleepers,
        ):
            await until(lambda: all(p.account.pushes for p in sleepers), PATIENCE)
            proxy.hold()
            proxy.is_down = True
            for wire in list(proxy.wires)[::2]:
                wire.cut()
            began = time.monotonic()
            for n in range(events):
                for host in hosts:
                    assert await host.does("pick_number", number=2 + n % 2) == 204
                await asyncio.sleep(max(0, began + (n + 1) * seconds / events - time.monotonic()))
            proxy.is_down = False
            proxy.let_go()
            settled = True
            for table in tables:
                at = [p for p in sleepers if p.table == table["id"]]
                settled &= await settles(house, at, table["id"])
                one = await account_of(house, at, table)
                wrong += one.pop("wrong_regions")
                found.update(one)
        return {"phones": len(sleepers), "settled": settled, **found, "wrong_regions": wrong}


# --- R5 -------------------------------------------------------------------------------------------

OUTAGES = ("refused", "silent", "held", "server gone")


async def returns(
    mother: Zygote,
    *,
    outages: int,
    watchers: int = 8,
    seconds: tuple[float, float] = (0.5, 4.0),
    kinds: tuple[str, ...] = OUTAGES,
    tells: bool = True,
    **habits: Any,
) -> dict[str, Any]:
    """Take the network away so often; measure how long after its return each screen is right.

    With `tells` the phones' system says that the network is back, as it does
    when it was the phone that lost it; without, they find out by themselves.
    `early` counts screens that were right without a network, as none can be.
    """
    luck, early = random.Random(outages), 0
    waits: dict[str, list[float]] = {kind: [] for kind in kinds}
    with house_of(mother) as house:
        [table] = house.seed(1, watchers + 1)
        await house.opens()
        async with (
            Proxy(house.port) as proxy,
            Phone(house.port, table, 0, habits=Habits(has_socket=False)) as host,
            phones_at(proxy.port, [_without_host(table)], lambda _n: Habits(**habits)) as phones,
        ):
            for n in range(outages):
                await settles(house, phones, table["id"], 60)
                kind = kinds[n % len(kinds)]
                _take_away(proxy, kind)
                assert await host.does("pick_number", number=2 + n % 2) == 204
                await asyncio.sleep(luck.uniform(*seconds))
                early += sum(p.seq >= house.head(table["id"]) for p in phones)
                waits[kind] += await _comes_back(house, proxy, phones, table, tells=tells)
    in_all = in_short([w for some in waits.values() for w in some])
    return {"waits": waits, "early": early, **in_all}


def _take_away(proxy: Proxy, kind: str) -> None:
    match kind:
        case "refused":  # the access point is off: everything breaks at once
            proxy.refuses = True
            proxy.cut()
        case "silent":  # out of reach: the old line is dead, a new one gets no answer
            proxy.is_down = True
            proxy.cut()
        case "held":  # out of reach for a while: the old line lives when it is back
            proxy.is_down = True
            proxy.hold()
        case _:  # the router forgot the line: the phone still takes it for open
            proxy.is_down = True
            for wire in list(proxy.wires):
                wire.lose_server()


async def _comes_back(
    house: House, proxy: Proxy, phones: list[Phone], table: dict[str, Any], *, tells: bool
) -> list[float]:
    head = house.head(table["id"])
    proxy.refuses = proxy.is_down = False
    proxy.let_go()
    if tells:
        for phone in phones:
            await phone.wakes()
    return list(await asyncio.gather(*(p.shows(head, 60) for p in phones)))


def in_short(waits: list[float]) -> dict[str, Any]:
    """Return the middle, the ninety-ninth of a hundred and the longest, in seconds."""
    ordered = sorted(waits)
    return {
        "count": len(ordered),
        "p50": round(ordered[len(ordered) // 2], 3),
        "p99": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))], 3),
        "max": round(ordered[-1], 3),
    }
