"""R1: kill -9 under load. What was acknowledged is in the log, once, and the log is whole."""

from __future__ import annotations

import asyncio
import random
import re
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.chaos.house import House, Zygote, house_of
from tests.chaos.phone import PATIENCE, Habits, Phone, until
from tests.chaos.play import Picker, Player, at_work, phones_at

GATHERINGS, GATHERED = 3, 4
PLAYERS = 3
# A life ends by a kill at any instant, or by its own hand between commit and answer, or wake-up.
ENDS = ("", "die_before_ack", "", "die_before_wake")


def _habits(way: str, **more: Any) -> Habits:
    return Habits(
        way=way, retry_first=0.05, retry=0.05, backoff_first=0.05, backoff_most=0.2, **more
    )


async def kills(
    mother: Zygote, *, kills: int, acks: int, way: str = "post", ack_first: float = 0.0
) -> dict[str, Any]:
    """Kill a server so often while people tap, until so many acks were given in all.

    Returns how many were given, lost and doubled, and what the check of the log says.
    With `ack_first` the server answers before it writes: the control.
    """
    luck = random.Random(kills)
    with house_of(mother) as house:
        tables = house.seed(GATHERINGS, GATHERED)
        [bout] = house.seed(1, PLAYERS, plays=True)
        lives = Lives(house, luck, ack_first, acks, kills)
        await lives.opens("")
        only_taps = _habits(way, has_socket=way == "socket")
        async with (
            phones_at(house.port, tables, lambda _n: only_taps) as gathered,
            phones_at(house.port, [bout], lambda _n: _habits(way)) as players,
        ):
            lives.phones = gathered + players
            works = [Picker(p).goes_on() for p in gathered] + [Player(p).goes_on() for p in players]
            async with at_work(*works):
                for n in range(kills):
                    await lives.ends()
                    await lives.opens(ENDS[n % len(ENDS)] if n + 1 < kills else "")
                await asyncio.sleep(0.3)
            await until(lambda: not any(p.unsent for p in lives.phones), PATIENCE)
            lives.counts()
        await house.dies()
        return {**lives.found(), **house.job("check"), "kills": kills}


class Lives:
    """One server after another on the same database, and the account of what each promised."""

    def __init__(
        self, house: House, luck: random.Random, ack_first: float, acks: int, lives: int
    ) -> None:
        self.house, self.luck, self.ack_first = house, luck, ack_first
        self.wanted, self.left = acks, lives
        self.phones: list[Phone] = []
        self.lost: set[str] = set()
        self.unanswered = self.refused = 0
        self.own_hand = 0
        self._hook = ""
        self._checked: set[tuple[int, str]] = set()

    async def opens(self, hook: str) -> None:
        self._hook = hook
        hooks: dict[str, Any] = {hook: self.luck.randint(1, self.acks_a_life)} if hook else {}
        if self.ack_first:
            hooks["ack_first"] = self.ack_first
        await self.house.opens(**hooks)

    @property
    def acks(self) -> int:
        """How many taps were acknowledged; those of the life under way that were refused count."""
        return sum(len(p.account.answers) for p in self.phones) - self.refused

    @property
    def acks_a_life(self) -> int:
        """What each life that is left has to give; those that end by their own hand give less."""
        return max(1, -(-(self.wanted - self.acks) // max(1, self.left)))

    async def ends(self) -> None:
        """Wait for so many answers, then kill; or until it has killed itself."""
        goal, last = self.acks + self.acks_a_life, time.monotonic() + 120
        self.left -= 1
        while self.house.is_alive and self.acks < goal:
            assert time.monotonic() < last, self._says()
            await asyncio.sleep(0.002)
        self.own_hand += not self.house.is_alive
        await asyncio.sleep(self.luck.random() * 0.01)
        await self.house.dies()
        await asyncio.sleep(0.02)  # what was sent before the end arrives
        self.counts()

    def _says(self) -> str:
        """Say how things stand when nobody is answered any more."""
        waiting = [(p.table, p.seat, p.unsent, p._outbox[0].sent) for p in self.phones if p.unsent]
        log = self.house.log.read_text(errors="replace")[-3000:]
        return f"nobody is answered any more; hook {self._hook!r}, waiting {waiting}\n{log}"

    def counts(self) -> None:
        """Hold what the phones were promised against what is on disk."""
        happened, self.refused = self.house.taps(), 0
        for phone in self.phones:
            self.refused += sum(status != 204 for status in phone.account.answers.values())
            for tap, status in phone.account.answers.items():
                name = (phone.table, f"{phone.seat}:{tap}")
                if status == 204 and name not in self._checked:
                    if name in happened:
                        self._checked.add(name)
                    else:
                        self.lost.add(name[1])
            for waiting in phone._outbox[:1]:
                self.unanswered += (phone.table, f"{phone.seat}:{waiting.id}") in happened

    def found(self) -> dict[str, Any]:
        happened = self.house.taps()
        return {
            "acks": len(self._checked) + len(self.lost),
            "lost": len(self.lost),
            "doubled": sum(count > 1 for count in happened.values()),
            "committed_unanswered": self.unanswered,
            "by_its_own_hand": self.own_hand,
        }


def is_met(found: dict[str, Any]) -> bool:
    whole = not (found["gaps"] or found["replayed_wrong"]) and found["integrity"] == "ok"
    return whole and found["lost"] == found["doubled"] == 0


# --- power loss: kill -9 cannot see a commit that is only in the system's cache ------------------

SYNC = re.compile(r"^(?:\d+ +)?(\d+\.\d+) (?:fsync|fdatasync)\(\d+<([^>]*)>")


async def syncs(mother: Zygote, *, taps: int) -> dict[str, Any]:
    """Watch the server's calls: between each tap and its answer the database file is synced.

    Returns how many taps were answered, how many syncs there were, and how many
    answers came without one. Needs strace.
    """
    with house_of(mother) as house:
        [table] = house.seed(1, 2)
        await house.opens()
        trace = Path(tempfile.mkdtemp(dir=mother.folder)) / "trace"
        watch = await asyncio.create_subprocess_exec(
            *("strace", "-f", "-ttt", "-y", "-e", "trace=fsync,fdatasync"),
            *("-o", str(trace), "-p", str(house.pid)),
            stderr=asyncio.subprocess.PIPE,
        )
        assert watch.stderr
        assert b"attached" in await asyncio.wait_for(watch.stderr.readline(), 20)
        spans = []
        async with phones_at(house.port, [table], lambda _n: _habits("post")) as [phone, _other]:
            picker = Picker(phone)
            for _n in range(taps):
                began = time.time()
                assert await picker.taps().answer == 204
                spans.append((began, time.time()))
        watch.terminate()
        await watch.wait()
        await house.dies()
        found = [m for line in trace.read_text().splitlines() if (m := SYNC.match(line))]
        at = [float(m[1]) for m in found if "taproom.sqlite3" in m[2]]
        without = sum(not any(a <= one <= b for one in at) for a, b in spans)
        return {"taps": taps, "syncs": len(at), "answers_without_sync": without}


def has_strace() -> bool:
    return shutil.which("strace") is not None
