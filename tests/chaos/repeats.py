"""R2: the same tap one to five times, in any order, over lines that break: it happens once."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import Any
from urllib.parse import urlencode

from tests.chaos.house import Zygote, house_of
from tests.chaos.phone import CSRF
from tests.chaos.proxy import Proxy, Weather, Wire
from tests.chaos.web import Web
from tests.games import crowd

MOST_SENDS = 5
SENDERS = 6
# Of the lines that are opened, so many break before the answer has come through.
BREAKS = 0.3
# Full sizes take a minute or two; on a machine with other work ten times that.
PATIENCE_S = 3600
# An answer's head is longer than this.
FIRST_BYTES = 60


def in_crowds(environment: dict[str, str], *, taps: int) -> dict[str, Any]:
    """Send taps from several processes by the one way in, without a network; see `crowd`."""
    found = crowd.run(environment, "repeated_taps", within=PATIENCE_S, taps=taps)
    locked = found["errors"].pop("refused for a lock", 0)
    return {
        "taps": taps,
        "sends": found["sent"],
        "locked": locked,
        "happened": found["plays"],
        "gaps": found["tables with gaps"],
        "errors": dict(found["errors"] - type(found["errors"])(repeats=found["sent"] - taps)),
    }


async def over_lines(
    mother: Zygote,
    *,
    taps: int,
    weather: Weather | None = None,
    fresh_ids: bool = False,
) -> dict[str, Any]:
    """Post each tap one to five times over lines of which some break in the middle.

    Each tap is sent until it was answered at least once. With `fresh_ids` every
    send has an id of its own: the control.
    """
    luck = random.Random(2)
    with house_of(mother) as house:
        [table] = house.seed(1, 2)
        await house.opens()
        async with Proxy(house.port, weather or Weather(), on_connect=_breaks(luck)) as proxy:
            posts = Posts(proxy.port, table, luck, fresh_ids=fresh_ids)
            waiting = [n for n in range(taps) for _again in range(luck.randint(1, MOST_SENDS))]
            luck.shuffle(waiting)
            await asyncio.gather(*(posts.sends(waiting) for _sender in range(SENDERS)))
            proxy.on_connect = None
            left = [n for n in range(taps) if n not in posts.answered]
            await asyncio.gather(*(posts.sends(left) for _sender in range(SENDERS)))
        await house.dies()
        happened = [count for (_table, tap), count in house.taps().items() if ":r" in tap]
        whole = house.job("check", replays=False)
        return {
            "taps": taps,
            "sends": posts.sent,
            "broken": posts.broken,
            "happened": sum(happened),
            "gaps": len(whole["gaps"]),
            "errors": {str(status): n for status, n in posts.refused.items()},
        }


def _breaks(luck: random.Random) -> Any:
    def script(wire: Wire) -> None:
        if luck.random() < BREAKS:
            if luck.random() < 0.5:
                wire.cut_down_after = luck.randint(0, FIRST_BYTES)
            else:
                wire.cut_up_after = luck.randint(0, 900)

    return script


class Posts:
    """What was sent and answered."""

    def __init__(self, port: int, table: Any, luck: random.Random, *, fresh_ids: bool) -> None:
        self.port, self.table, self.luck, self.fresh_ids = port, table, luck, fresh_ids
        self.answered: set[int] = set()
        self.refused: dict[int, int] = {}
        self.sent = self.broken = 0

    async def sends(self, waiting: list[int]) -> None:
        while waiting:
            number = waiting.pop()
            with contextlib.suppress(OSError):
                await self.send(number)
                continue
            self.broken += 1

    async def send(self, number: int) -> None:
        self.sent += 1
        seat = self.table["seats"][number % 2]
        tap = f"r{number}-{self.sent}" if self.fresh_ids else f"r{number}"
        fields = {"action": "show_hand", "seat": seat["number"], "tap": tap, "letters": "true"}
        web = Web(self.port, {"sid": seat["sid"], "csrf": CSRF})
        path = f"/t/{self.table['code']}/act/"
        try:
            answer = await web.post(path, urlencode(fields), within=30)
        finally:
            web.hangs_up()
        self.answered.add(number)
        if answer.status != 204:
            self.refused[answer.status] = self.refused.get(answer.status, 0) + 1


def is_met(found: dict[str, Any]) -> bool:
    return (found["happened"], found["gaps"], found["errors"]) == (found["taps"], 0, {})
