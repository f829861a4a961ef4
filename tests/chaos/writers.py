"""R8: hundreds who write at once, and an hour of twenty tables: nobody hears of a lock."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import time
from collections import Counter
from contextlib import AsyncExitStack
from typing import Any

from tests.chaos.cuts import in_short
from tests.chaos.house import Zygote, house_of
from tests.chaos.phone import PATIENCE, Habits, Phone, until
from tests.chaos.play import Picker, at_work, phones_at

LOCKED = "locked"
HANDS = 8
# Between a person's taps in a soak, on average: eight phones at twenty tables are 32 a second.
EVERY = 5.0


async def at_once(mother: Zygote, *, writers: int, taps: int) -> dict[str, Any]:
    """Let so many people tap at one instant, each over a line of its own, several times."""
    with house_of(mother) as house:
        tables = house.seed(2, HANDS)
        await house.opens()
        only_taps = Habits(has_socket=False, post_timeout=PATIENCE)
        async with AsyncExitStack() as stack:
            phones = [
                await stack.enter_async_context(
                    Phone(house.port, tables[n % 2], n // 2 % HANDS, habits=only_taps)
                )
                for n in range(writers)
            ]
            for n, phone in enumerate(phones):
                phone.luck = random.Random(n)  # several share a seat, and no two a tap
            began = time.monotonic()
            for n in range(taps):
                await asyncio.gather(*(p.does("show_hand", letters=n % 2 == 0) for p in phones))
            seconds = time.monotonic() - began
        await house.dies()
        return {
            "writers": len(phones),
            "seconds": round(seconds, 1),
            **_heard(phones),
            "locked_in_log": house.log.read_text().count(LOCKED),
            "gaps": len(house.job("check", replays=False)["gaps"]),
        }


async def soak(mother: Zygote, *, minutes: float, tables: int, phones: int) -> dict[str, Any]:
    """Let tables play for so long, at people's pace; every phone with its socket."""
    with house_of(mother) as house:
        at = house.seed(tables, phones)
        await house.opens()
        before = house.rss_mb()
        async with phones_at(house.port, at) as everybody:
            async with at_work(*(_taps_now_and_then(phone) for phone in everybody)):
                await asyncio.sleep(minutes * 60)
            after = house.rss_mb()
        await house.dies()
        return {
            "minutes": minutes,
            "phones": len(everybody),
            **_heard(everybody),
            "rss_mb": [round(before), round(after)],
            "locked_in_log": house.log.read_text().count(LOCKED),
            "gaps": len(house.job("check", replays=False)["gaps"]),
        }


async def _taps_now_and_then(phone: Phone) -> None:
    picker = Picker(phone)
    while True:
        await asyncio.sleep(phone.luck.uniform(0, 2 * EVERY))
        await picker.taps().answer


def _heard(phones: list[Phone]) -> dict[str, Any]:
    statuses = Counter(s for p in phones for s in p.account.answers.values())
    notices = [text for p in phones for text in p.account.notices if LOCKED in text]
    return {
        "answers": statuses.total(),
        "refused": statuses.total() - statuses[204],
        "said_locked": len(notices) + sum(p.account.troubles for p in phones),
        "sent_again": sum(p.account.sends for p in phones) - statuses.total(),
        "ack": in_short([wait for p in phones for wait in p.account.waits]),
    }


def is_met(found: dict[str, Any], ack_p99: float | None = None) -> bool:
    quiet = not (found["said_locked"] or found["locked_in_log"] or found["refused"])
    is_quick = ack_p99 is None or found["ack"]["p99"] <= ack_p99
    return quiet and found["gaps"] == 0 and is_quick


async def with_a_held_lock(mother: Zygote) -> dict[str, Any]:
    """The control: the database is locked from outside, and the server does not wait."""
    with house_of(mother) as house:
        [table] = house.seed(1, 1)
        await house.opens(impatient=True)
        lock = sqlite3.connect(house.database or "", isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        try:
            async with Phone(house.port, table, 0, habits=Habits(has_socket=False)) as phone:
                tap = Picker(phone).taps()
                await until(lambda: tap.sent > 1 or tap.answer.done(), 30)
        finally:
            lock.rollback()
            lock.close()
        await house.dies()
        said = house.log.read_text().count(LOCKED)
        return {**_heard_of(phone), "locked_in_log": said, "gaps": 0}


async def while_another_writes(mother: Zygote, *, patience: float, waits: float) -> dict[str, Any]:
    """Hold the lock from outside until a tap's phone has heard of it, or has lost patience.

    The server waits for the lock for so long. Returns how often the phone was told of trouble by
    then, and what was answered and done once the lock was gone.
    """
    with house_of(mother) as house:
        [table] = house.seed(1, 1)
        await house.opens(waits=waits)
        lock = sqlite3.connect(house.database or "", isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        habits = Habits(has_socket=False, post_timeout=patience)
        async with Phone(house.port, table, 0, habits=habits) as phone:
            tap = Picker(phone).taps()
            try:
                # Its second try is refused at once, since the first has waited in vain.
                account = phone.account
                await until(
                    lambda: account.troubles or tap.sent > 1 or tap.answer.done(),
                    patience + PATIENCE,
                )
                told = account.troubles
            finally:
                lock.rollback()
                lock.close()
            status = await tap.answer
        await house.dies()
        done = house.taps()[table["id"], f"{phone.seat}:{tap.id}"]
        return {"told": told, "status": status, "done": done}


def _heard_of(phone: Phone) -> dict[str, Any]:
    phone.account.waits = phone.account.waits or [0.0]
    return _heard([phone])
