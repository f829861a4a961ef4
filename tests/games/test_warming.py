"""What may wait is done while nobody asks for anything, and nobody waits for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest
from django.template import engines

from games.live import workers
from games.live.warming import warm_up
from games.screens.kept import stencil_of
from games.screens.pruned import pieces_of
from games.stage import STAGES


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "IDLE_SECONDS", 0.01)
    monkeypatch.setattr(workers, "STEP_SECONDS", 0.001)


def idle(steps: Iterator[None]) -> workers.Worker:
    return workers.Worker("a worker of a test", commits_together=True, when_idle=steps)


@pytest.mark.usefixtures("at_once")
def test_an_idle_worker_takes_the_steps_one_by_one_and_then_sleeps():
    taken, done = [], threading.Event()

    def steps() -> Iterator[None]:
        for number in range(5):
            taken.append(number)
            yield
        done.set()

    worker = idle(steps())
    assert done.wait(10)
    worker.close()
    assert taken == [0, 1, 2, 3, 4]


@pytest.mark.usefixtures("at_once")
async def test_work_that_comes_is_done_between_two_steps():
    order, asked, done = [], threading.Event(), threading.Event()
    loop, tasks = asyncio.get_running_loop(), []

    def ask() -> None:
        tasks.append(loop.create_task(worker.read(lambda: order.append("work"))))
        loop.call_soon(asked.set)

    def steps() -> Iterator[None]:
        order.append("first step")
        loop.call_soon_threadsafe(ask)
        asked.wait(10)
        yield
        order.append("second step")
        done.set()

    worker = idle(steps())
    assert await asyncio.to_thread(done.wait, 10)
    await tasks[0]
    worker.close()
    assert order == ["first step", "work", "second step"]


@pytest.mark.usefixtures("at_once")
async def test_a_step_that_fails_does_not_end_the_worker(caplog: pytest.LogCaptureFixture):
    tried = threading.Event()

    def steps() -> Iterator[None]:
        tried.set()
        raise RuntimeError("no such template")
        yield

    worker = idle(steps())
    assert tried.wait(10)
    assert await worker.read(lambda: "done") == "done"
    worker.close()
    assert "idle moments failed" in caplog.text


def test_every_template_is_made_ready():
    """Nothing is left to be compiled or read when the first phone looks at any of the games."""
    env = engines["jinja2"].env
    assert sum(1 for _step in warm_up()) == len(env.list_templates(extensions=["jinja"])) > 100
    before, pieces = stencil_of.cache_info().misses, pieces_of.cache_info().misses
    for stage in STAGES.values():
        for page in stage.pages.values():
            for region in page.values():
                stencil_of(env, region.template)
                if region.has_pieces and pieces_of(env, region.template) is not None:
                    stencil_of(env, region.template, with_pieces=False)
    assert stencil_of.cache_info().misses == before
    assert pieces_of.cache_info().misses == pieces
