"""R5 for the house itself: `manage.py play` is killed and started again, cold, as a host would."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from typing import Any

from tests.chaos.cuts import in_short
from tests.chaos.house import ROOT, SECRET_KEY, House, Zygote
from tests.chaos.phone import PATIENCE, until
from tests.chaos.play import phones_at


class ColdHouse(House):
    """A server started by the very command that hosts use, with the real settings."""

    starts_within = 240.0  # the first time it compresses the static files

    def start(self, **_hooks: Any) -> None:
        kept = ("TAPROOM_", "DJANGO_")
        clean = {k: v for k, v in os.environ.items() if not k.startswith(kept)}
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "manage.py", "play", "--port", str(self.port)],
                cwd=ROOT,
                env={
                    **clean,
                    "TAPROOM_DATA": str(self.folder),
                    "TAPROOM_SECRET_KEY": SECRET_KEY,
                },
                stdout=log,
                stderr=log,
            )
        self.pid, self.process = process.pid, process

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None


async def restarts(mother: Zygote, *, times: int, watchers: int = 8) -> dict[str, Any]:
    """Kill and start it so often; measure from the kill until every screen shows what came next.

    The host taps while the house is closed: that tap is what all wait for.
    """
    house = ColdHouse(mother)
    waits: list[float] = []
    [table] = house.seed(1, watchers + 1)
    try:
        await house.opens()
        async with phones_at(house.port, [table]) as phones:
            await until(lambda: all(p.account.pushes for p in phones), PATIENCE)
            for n in range(times):
                before = max(p.seq for p in phones)
                await house.dies()
                died = time.monotonic()
                tap = phones[0].taps("pick_number", number=2 + n % 2)
                house.start()
                assert await tap.answer == 204
                await asyncio.gather(*(p.shows(before + 1, 240) for p in phones))
                waits.append(time.monotonic() - died)
    finally:
        house.process.kill()
        house.process.wait()
    return in_short(waits)
