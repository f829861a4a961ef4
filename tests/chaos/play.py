"""People at their phones: what they tap while everything goes wrong."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from tests.chaos.phone import Habits, Phone, ended

FORM = re.compile(r"<form\b.*?</form>", re.DOTALL)
HIDDEN = re.compile(r'<input type="hidden" name="([\w-]+)" value="([^"]*)">')
MOVES = {"roll", "shout", "knock", "name", "finger", "award"}
# What a person needs between two taps.
A_WHILE = 0.05


@asynccontextmanager
async def phones_at(
    port: int,
    tables: list[dict[str, Any]],
    habits: Callable[[int], Habits] = lambda seat: Habits(),
    seats: int | None = None,
) -> AsyncIterator[list[Phone]]:
    """A phone for each seat, put away in the end."""
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(Phone(port, table, seat, habits=habits(seat)))
            for table in tables
            for seat in range(seats or len(table["seats"]))
        ]


class Picker:
    """Takes one of two numbers in turn, at a gathering: each time the log has a line more."""

    def __init__(self, phone: Phone) -> None:
        self.phone, self.count = phone, 0

    def taps(self) -> Any:
        self.count += 1
        number = 2 * self.phone.seat + self.count % 2
        return self.phone.taps("pick_number", number=number)

    async def goes_on(self, pause: float = 0.0) -> None:
        """Tap and wait for the answer, again and again, until it is put away."""
        while True:
            await self.taps().answer
            await asyncio.sleep(pause)


def buttons(phone: Phone) -> list[dict[str, str]]:
    """Return the forms on a phone's screen, as what their hidden fields say."""
    shown = "".join(phone.regions.values())
    return [
        {name: html.unescape(value) for name, value in HIDDEN.findall(form)}
        for form in FORM.findall(shown)
    ]


class Player:
    """Plays a bout by tapping what the screen offers; the host begins the next one."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone

    async def goes_on(self, pause: float = A_WHILE) -> None:
        quiet = 0
        while True:
            found = [b for b in buttons(self.phone) if b.get("action") in MOVES]
            if found and not self.phone.unsent:
                await self._taps(self.phone.luck.choice(found))
                quiet = 0
            else:
                quiet += 1
            if quiet > 20 and self.phone.seat == 1:
                # Nobody has a move: the bout is over, or its clock is about to act.
                for action in ("rematch", "start_bout"):
                    await self.phone.does(action)
                quiet = 0
            await asyncio.sleep(pause)

    async def _taps(self, fields: dict[str, str]) -> None:
        given = {k: v for k, v in fields.items() if k not in ("tap", "seat", "action", "note")}
        given.pop("csrfmiddlewaretoken", None)
        if "pressed" in given:
            given |= self.phone.pressed()
        await self.phone.does(fields["action"], **given)


@asynccontextmanager
async def at_work(*works: Any) -> AsyncIterator[None]:
    """Let these go on meanwhile; a fault in one is a fault of the test."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield
        for task in tasks:
            if task.done():
                task.result()
    finally:
        await ended(tasks)
