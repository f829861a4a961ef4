"""R13: whatever is done, what a viewer was sent adds up to what a page loaded now would show.

Hypothesis plays evenings at random, in each of the three games: people tap what there is, lines
break, phones sleep, whatever is kept in memory is dropped. After every step each viewer that is
awake holds what its socket brought, applied to what it had, against a drawing made anew from the
database (Zulip's check: old state and events equal new state).
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from functools import partial
from typing import Any
from uuid import UUID

from django.db import connection
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from games import actions, presence, snapshot
from games.errors import Refused
from games.live import drawing
from games.live.workers import worker_of
from games.models import Game, Table
from games.rules import brave_or_knave as bk
from games.rules.dice import SystemDice
from games.services.act import Actor, Tap, act
from games.stored import rules_of, state_of
from tests.chaos import jobs
from tests.chaos.rebuild_sizes import BEGINS_WITH
from tests.chaos.viewer import Viewer
from tests.drawn import html_of
from tests.standing import rows_written

SEEDS = st.integers(0, 2**32)
SETTLES_WITHIN, BROKEN_SETTLES_WITHIN = 120, 2
# As often as that it is drawn afresh while screens differ: the control's never come to agree.
LOOKS_AGAIN_AFTER = 0.05
TRIES = 8
PEOPLE = 3


class Difference(AssertionError):
    """What a viewer has is not what is there."""


class House:
    """One event loop with the server's own readers, workers and sockets in this process."""

    def __init__(self, rules: str, broken: str = "") -> None:
        self.rules, self.broken = rules, broken
        # The control never settles, and is tried again and again for its shortest tale.
        self.patience = BROKEN_SETTLES_WITHIN if broken else SETTLES_WITHIN
        self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)
        self.done: Counter[str] = Counter()
        self.luck = random.Random()
        SystemDice.roll = lambda _dice, sides: self.luck.randint(1, sides)  # type: ignore[method-assign]

    def waits(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    def reads(self, work: Any) -> Any:
        """Do work on the database in the thread that the server would do it in."""
        return self.waits(worker_of(0).read(work))


class Evening(RuleBasedStateMachine):
    """One table with its people; `viewers` are the pages that are open."""

    house: House

    def __init__(self) -> None:
        super().__init__()
        rules, trial = self.house.rules, self.house.rules != bk.NAME
        seeding = partial(jobs.seed, 1, PEOPLE, rules, trial=trial)
        self.at = self.house.reads(seeding)[0]
        self.steps = 0
        self.there = WhatIsThere(self.at["id"])
        self.viewers = [
            Viewer(self.at, page, seat)
            for page, seat in (("phone", 0), ("gm", 0), ("phone", 1), ("phone", 2), ("screen", 2))
        ]
        self.house.waits(self._all_look())

    async def _all_look(self) -> None:
        for viewer in self.viewers:
            await viewer.looks(self.house.broken)

    def teardown(self) -> None:
        self.house.waits(self._all_go())

    async def _all_go(self) -> None:
        for viewer in self.viewers:
            await viewer.goes()

    @initialize(seed=SEEDS)
    def throws(self, seed: int) -> None:
        self.house.luck.seed(seed)
        begins_with = self.house.done.total() + BEGINS_WITH
        while self.house.done.total() < begins_with:
            self._somebody_does(random.Random(self.house.luck.random()))
            self.house.waits(self._agree())

    # --- what may happen -------------------------------------------------------------------------

    @rule(seed=SEEDS, count=st.integers(1, 4))
    def people_do_something(self, seed: int, count: int) -> None:
        """Several who tap at once wait for no screen: what is pushed may overtake what is done."""
        luck = random.Random(seed)
        for _n in range(count):
            self._somebody_does(luck)
        self.house.waits(self._agree())

    def _somebody_does(self, luck: random.Random) -> None:
        """What is refused is tried another way."""
        for _try in range(TRIES):
            seat = luck.choice([0, 0, 1, 2])
            action = self.house.reads(partial(_choose, self.at["id"], self.house.rules, seat, luck))
            if self._acts(seat, action):
                self.house.done[str(type(action).__struct_config__.tag)] += 1
                break

    def _acts(self, seat: int, action: Any) -> bool:
        self.steps += 1
        held = self.at["seats"][seat]
        actor, tap = Actor(held["number"], UUID(held["device"])), Tap(f"m{self.steps}")
        try:
            self.house.waits(
                worker_of(self.at["id"]).write(partial(act, self.at["id"], actor, action, tap))
            )
        except Refused:
            return False
        return True

    @rule(which=st.integers(0, 4))
    def a_line_breaks(self, which: int) -> None:
        self.house.waits(self._breaks(self.viewers[which]))

    async def _breaks(self, viewer: Viewer) -> None:
        await viewer.goes()
        await viewer.looks(self.house.broken)
        await self._agree()

    @rule(which=st.integers(0, 4))
    def a_phone_falls_asleep(self, which: int) -> None:
        """It takes what is sent and acknowledges nothing."""
        self.viewers[which].is_asleep = True

    @rule()
    def everybody_wakes(self) -> None:
        self.house.waits(self._wake())

    async def _wake(self) -> None:
        for viewer in self.viewers:
            await viewer.wakes()
        await self._agree()

    @rule()
    def what_is_kept_is_dropped(self) -> None:
        """Whatever a process keeps between two drawings is a cache."""
        self.house.reads(drawing.drawing_cache.forget)

    # --- what must hold --------------------------------------------------------------------------

    async def _agree(self) -> None:
        """Wait until each screen is at the newest number; hold it to what is there.

        The house may act meanwhile (a shouting closes): then it is looked at again.
        """
        until = time.monotonic() + self.house.patience
        # What has been drawn is taken before it is held to anything: drawing afresh takes longest.
        await worker_of(0).read(lambda: None)
        while True:
            awake = [v for v in self.viewers if not v.is_asleep and v.is_open]
            await self._takes(awake)
            look = partial(self.there.drawn_for, awake)
            seq, tells_from, fresh = await worker_of(0).read(look)
            late = [v for v in awake if v.seq != seq]
            wrong = [(v, d) for v in awake if (d := _differs(v, fresh.get(v.who), tells_from))]
            if not late and not wrong:
                return
            if wrong:
                self.there.forget()
                await asyncio.sleep(LOOKS_AGAIN_AFTER)
            if time.monotonic() > until:
                told = [f"{v.page} {v.seat} at {v.seq} of {seq}: {d}" for v, d in wrong]
                raise Difference(told or [f"{v.page} {v.seat} stays at {v.seq}" for v in late])

    async def _takes(self, awake: list[Viewer]) -> None:
        await asyncio.sleep(0.002)
        for viewer in awake:
            await viewer.takes(self.house.broken)


class WhatIsThere:
    """The table as it is committed, drawn without anything that the house keeps.

    A drawing made for an earlier step does for this one where nothing was committed since and
    nobody came or went: drawing takes most of an evening's time. Whoever differs from it is held
    to another before that is called wrong.
    """

    def __init__(self, table_id: int) -> None:
        self._id = table_id
        self._as_of: Any = None
        self._drawn: dict[Any, Any] = {}
        self._now: Any = None

    def forget(self) -> None:
        self._as_of = None

    def drawn_for(self, viewers: list[Viewer]) -> tuple[int, int, dict[Any, Any]]:
        """Return the log's newest number, the oldest that is told aloud, and the drawings."""
        connections = presence.connections(self._id)
        as_of = _writes(), connections
        if self._as_of is None or None in as_of or self._as_of != as_of:
            self._now, self._drawn = snapshot.load(self._id), {}
        now, lacking = self._now, {v.who for v in viewers} - self._drawn.keys()
        self._drawn.update(dict.fromkeys(lacking))
        self._drawn.update(drawing.draw_all(now, lacking, connections, afresh=True))
        self._as_of = as_of
        return now.seq, now.events[0].seq if now.events else 0, self._drawn


def _writes() -> tuple[int, int] | None:
    """Return numbers that change with each row written by this connection, or by any other.

    None where the database does not say.
    """
    ours = rows_written()
    if ours is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA data_version")
        return ours, cursor.fetchone()[0]


def _differs(viewer: Viewer, fresh: Any, tells_from: int) -> list[str]:
    """Name the regions that are not as they would be drawn now, and what was told wrongly."""
    if fresh is None:
        return [] if not viewer.is_open else ["may not look"]
    now = html_of(fresh)
    wrong = [name for name, html in now.items() if viewer.regions.get(name) != html]
    newest = [t.seq for t in fresh.told if t.seq > viewer.began]
    held = [seq for seq in viewer.told if seq >= tells_from]
    if held != newest:
        wrong.append(f"told {held[-5:]} instead of {newest[-5:]}")
    if len(viewer.told) != len(set(viewer.told)):
        wrong.append("told twice")
    return wrong


# --- who does what -------------------------------------------------------------------------------


def _choose(table_id: int, rules: str, seat: int, luck: random.Random) -> Any:
    table = Table.objects.get(pk=table_id)
    if luck.random() < 0.15:
        return _of_the_table(table, luck)
    if rules == "knave":
        from tests.characters import wild as knave

        chooser = knave.Chooser(table, luck)
        kinds = [knave.THINGS, knave.PEOPLE, knave.REFEREE, knave.FIGHT]
        return luck.choice(luck.choice(kinds))(chooser)
    if rules == "wicked_age":
        from tests.campaigns.wild import Wild

        return Wild(table, luck).action()
    return _of_a_bout(table, seat, luck)


def _of_the_table(table: Table, luck: random.Random) -> Any:
    newest = table.seq - luck.randint(0, 6)
    return luck.choice(
        [
            actions.Undo(max(1, newest), sure=True),
            actions.Pause(),
            actions.Resume(),
            actions.Resume(),
            actions.RenameTable(f"The Swan {luck.randint(1, 9)}"),
            actions.ShowHand(luck.random() < 0.5),
            actions.AddContentLine(luck.choice(["line", "veil"]), "spiders"),
            actions.SetDoor(luck.choice(["open", "ask", "locked"])),
        ]
    )


def _of_a_bout(table: Table, seat: int, luck: random.Random) -> Any:
    game = table.games.filter(rules=bk.NAME).first()
    if game is None or game.status != Game.Status.PLAYING:
        return luck.choice(
            [
                actions.PickNumber(8 + 2 * seat + luck.randint(0, 1)),
                actions.PickNumber(8 + 2 * seat + luck.randint(0, 1)),
                actions.StartBout(),
                actions.Rematch(),
                actions.TakePart(luck.random() < 0.8),
                actions.ChooseFirst(None),
            ]
        )
    legal = rules_of(game).legal_actions(state_of(game), seat)
    going = [one for one in legal if not isinstance(one, bk.Leave)]
    return luck.choice(going) if going else actions.ShowHand(luck.random() < 0.5)


# --- from outside --------------------------------------------------------------------------------


def run(rules: str, examples: int, steps: int, broken: str = "") -> dict[str, Any]:
    """Play so many evenings of so many steps; with something `broken` this is the control."""
    house = Evening.house = House(rules, broken)
    began = time.process_time()
    try:
        run_state_machine_as_test(
            Evening,
            settings=settings(
                max_examples=examples,
                stateful_step_count=steps,
                deadline=None,
                database=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            ),
        )
        wrong = ""
    except Exception as error:
        # Hypothesis notes the steps, with which the evening can be played again.
        steps_taken = "\n".join(getattr(error, "__notes__", []))
        wrong = f"{type(error).__name__}: {error} {getattr(error, 'exceptions', '')}"[:2000]
        wrong += f"\n{steps_taken}"[:20_000]
    cpu = time.process_time() - began
    done = house.done.total()
    return {"wrong": wrong, "done": done, "kinds": len(house.done), "cpu": round(cpu, 1)}
