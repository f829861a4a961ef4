"""R10: phones whose clocks are a day off, and a server whose clock is stepped by two hours.

Shouts are judged in the order of the presses, the shouting closes in its time, a lock for a false
start does not outlast it, and nothing that had ended lives again.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.chaos import hooks
from tests.chaos.house import House, Zygote, house_of
from tests.chaos.phone import PATIENCE, Habits, Phone, until
from tests.chaos.play import buttons, phones_at

DAY, STEP = 24 * 3600.0, 2 * 3600.0
# Between two presses: more than two that count as one breath.
APART = 0.3
# The shouting is bounded by this, however slow the lines are; and the house's own work.
CLOSES_WITHIN = 5.0
# Two of those press. More sit there, since a one rolled before that puts its roller out (BK-16).
PLAYERS, PRESSES = 7, 2


@asynccontextmanager
async def _bout(mother: Zygote, wrong: float) -> AsyncIterator[tuple[House, Any, list[Phone]]]:
    with house_of(mother) as house:
        clock = house.folder / "clock"
        hooks.set_clock(clock, 0)
        [table] = house.seed(1, PLAYERS, plays=True)
        await house.opens(clock=str(clock))
        signs = {seat: wrong * (-1) ** seat for seat in range(PLAYERS)}
        async with phones_at(house.port, [table], lambda n: Habits(clock=signs[n])) as phones:
            await until(lambda: all(p.account.pushes and p._note for p in phones), PATIENCE)
            yield house, table, phones


async def _number_stands(phones: list[Phone]) -> None:
    """Roll until a number stands that may be shouted at; the roller is whoever has the die."""
    last = time.monotonic() + PATIENCE
    while time.monotonic() < last:
        if len(_shouters(phones)) >= PRESSES:
            return
        for phone in phones:
            for button in buttons(phone):
                if button.get("action") in ("roll", "name", "finger"):
                    with contextlib.suppress(KeyError):
                        await _press(phone, button)
                    break
        await asyncio.sleep(0.05)
    raise AssertionError("no number stood")


def _shouters(phones: list[Phone]) -> list[Phone]:
    return [p for p in phones if any(b.get("action") == "shout" for b in buttons(p))]


async def _press(phone: Phone, button: dict[str, str], **pressed: Any) -> int:
    left_out = ("tap", "seat", "action", "note", "pressed", "csrfmiddlewaretoken")
    given = {k: v for k, v in button.items() if k not in left_out}
    return await phone.does(button["action"], **given, **pressed)


async def shouts(mother: Zygote, *, phone_off: float, step: float) -> dict[str, Any]:
    """Let everybody shout one after the other; the clock steps when the number has fallen.

    Returns in what order they pressed, who was made the challenger, and how many
    seconds it took the shouting to close.
    """
    async with _bout(mother, phone_off) as (house, _table, phones):
        await _number_stands(phones)
        hooks.set_clock(house.folder / "clock", step)
        shouting = _shouters(phones)
        last = house.rows("SELECT max(seq) FROM games_event")[0][0]
        for phone in shouting:
            button = next(b for b in buttons(phone) if b.get("action") == "shout")
            pressed = phone.pressed()
            await _press(phone, button, **pressed)
            await asyncio.sleep(APART if phone is shouting[0] else 0)
            if phone is shouting[1]:
                break
        began = time.monotonic()
        challenger = await _challenger(house, last)
        closed = time.monotonic() - began
        await house.dies()
        whole = house.job("check", replays=True)
        return {
            "pressed": [p.seat for p in shouting[:PRESSES]],
            "challenger": challenger,
            "closed_within": round(closed, 2) if challenger is not None else None,
            "gaps": len(whole["gaps"]),
            "replayed_wrong": len(whole["replayed_wrong"]),
        }


async def _challenger(house: House, after: int) -> int | None:
    """Wait for the shouting to close; return the challenger's seat, or None if it stays open."""
    until_then = time.monotonic() + CLOSES_WITHIN
    while time.monotonic() < until_then:
        found = house.rows(
            "SELECT json_extract(data, '$.seat') FROM games_event "
            "WHERE kind = 'Challenged' AND seq > ?",
            after,
        )
        if found:
            return int(found[0][0]) + 1
        await asyncio.sleep(0.02)
    return None


def is_met(found: dict[str, Any]) -> bool:
    order = found["challenger"] == found["pressed"][0]
    return order and not (found["gaps"] or found["replayed_wrong"])


async def the_dead_stay_dead(mother: Zygote, *, step: float) -> dict[str, Any]:
    """Remove a seat, then step the clock: its phone is turned out and may do nothing."""
    with house_of(mother) as house:
        clock = house.folder / "clock"
        hooks.set_clock(clock, 0)
        [table] = house.seed(1, 3)
        await house.opens(clock=str(clock))
        async with phones_at(house.port, [table]) as [host, _ben, gone]:
            await until(lambda: host.account.pushes and gone.account.pushes, PATIENCE)
            assert await host.does("remove", who=gone.seat) == 204
            await until(lambda: gone.is_out, 20)
            hooks.set_clock(clock, step)
            other = Habits(has_socket=False)
            async with Phone(house.port, table, 2, habits=other) as again:
                status = await again.does("pick_number", number=6)
            async with Phone(house.port, table, 2) as back:
                with contextlib.suppress(AssertionError):
                    await until(lambda: back.is_out, 10)
                seen = len(back.account.pushes)
            works = await host.does("pick_number", number=2)
        return {"status": status, "is_turned_out": back.is_out, "seen": seen, "others": works}


def stays_dead(found: dict[str, Any]) -> bool:
    turned = found["is_turned_out"] and found["seen"] == 0
    return turned and found["status"] >= 400 and found["others"] == 204
