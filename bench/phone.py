"""The pages on a cheap phone with a slow line: bytes, first paint, and what a push costs it.

Chromium with its own emulation (1.6 Mbit/s down, 150 ms, processor slowed four times) opens the
page of a player whose table is being played by the load generator, and traces the main thread.
Bytes are counted on the wire by a relay, headers and the service worker's files included.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from bench import load
from bench.processes import GAMES, LOAD_CORE, SERVER_CORE, Load, Missing, family
from tests.chromium import FLAGS, where
from tests.phones.wire import Wire

LATENCY_MS, DOWN, UP, SLOWER = 150, 1_600_000 / 8, 750_000 / 8, 4
PUSHES, APART_SECONDS = 40, 0.4
VISITS = 5
# Drawn before anything is measured: a browser that was just started looks for its fonts with its
# first page, and a phone's has long done so.
WARMED_BY = "data:text/html,<p>Taproom<p><b>Taproom</b>"
# Not what is off by default: with it each frame counts the nodes of the whole page for the trace.
TRACED = ["toplevel", "devtools.timeline"]
# What stands in a task beside its work and its promises is the inspector's: bench/README.md.
TASK = "ThreadControllerImpl::RunTask"
WORK = {TASK, "BlinkScheduler_PerformMicrotaskCheckpoint"}
FRAME_ENDS = "Layerize"  # what follows in its task is the commit
# A page answers a push with {"ack":12345}, a pong with a longer {"echo":1234567890}.
ACK_BYTES = 16


def measure(games: tuple[str, ...] = GAMES) -> dict[str, dict[str, float]]:
    """Return the figures of each game's phone page. Raises Missing without a Chromium."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores & {LOAD_CORE} or cores)
    try:
        with sync_playwright() as playwright:
            try:
                browser = playwright.chromium.launch(executable_path=where(), args=FLAGS)
            except Error as error:
                raise Missing(f"no Chromium: {str(error)[:200]}") from error
            _warm(browser)
            seen = {game: _page_of(browser, game) for game in games}
            browser.close()
            return seen
    finally:
        os.sched_setaffinity(0, cores)


def _warm(browser: Browser) -> None:
    with browser.new_context() as context:
        context.new_page().goto(WARMED_BY)


def _page_of(browser: Browser, game: str) -> dict[str, float]:
    options = load.arguments().parse_args(["--game", game, "--reuse"])
    with load.ours(game, options, 1) as (started, data):
        wire = Wire(started.port)
        code, cookies = _player(data / "plan")
        address = f"{wire.address}/t/{code}/"
        try:
            found = _visits(browser, wire, address, cookies)
            with (
                Load(started.port, "-f", str(data / "plan")) as generator,
                _phone(browser, wire, cookies) as context,
            ):
                found |= _pushes(browser, context, generator, address)
        finally:
            wire.close()
    return found


def _player(plan: Path) -> tuple[str, list[dict[str, str]]]:
    """Return the first table's code and the cookies of the first player who has a phone."""
    lines = [line.split() for line in plan.read_text().splitlines()]
    code = next(words[1] for words in lines if words[0] == "table")
    joined = next(words[3] for words in lines if words[:2] == ["phone", "phone"])
    pairs = (pair.split("=", 1) for pair in joined.split(";|"))
    return code, [{"name": name, "value": value} for name, value in pairs]


@contextmanager
def _phone(browser: Browser, wire: Wire, cookies: list[dict[str, str]]) -> Iterator[BrowserContext]:
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True
    )
    context.add_cookies(
        [{"name": one["name"], "value": one["value"], "url": wire.address} for one in cookies]
    )
    try:
        yield context
    finally:
        context.close()


def _slowed(page: Page) -> Page:
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    line = {"latency": LATENCY_MS, "downloadThroughput": DOWN, "uploadThroughput": UP}
    session.send("Network.emulateNetworkConditions", {"offline": False, **line})
    return _with_slow_processor(page)


def _with_slow_processor(page: Page) -> Page:
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return page


def _visits(
    browser: Browser, wire: Wire, address: str, cookies: list[dict[str, str]]
) -> dict[str, float]:
    """Open the page with nothing cached, then again; medians of some phones."""
    first, later, paints = [], [], []
    for _visit in range(VISITS):
        with _phone(browser, wire, cookies) as context:
            page = _slowed(context.new_page())
            wire.down = 0
            page.goto(address)
            page.evaluate("navigator.serviceWorker.ready.then(() => true)")
            page.wait_for_load_state("networkidle")
            first.append(wire.down)
            paints.append(page.evaluate(FIRST_PAINT))
            wire.down = 0
            page.goto(address)
            page.wait_for_load_state("networkidle")
            later.append(wire.down)
    return {
        "first bytes": statistics.median(first),
        "later bytes": statistics.median(later),
        "first paint ms": statistics.median(paints),
    }


FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


def _pushes(
    browser: Browser, context: BrowserContext, generator: Load, address: str
) -> dict[str, float]:
    """Trace the page while its table is played; the median of its pushes and the 95th of 100."""
    # The line is not slowed here: the browser would copy every message for whoever slows it.
    page = _with_slow_processor(context.new_page())
    page.goto(address)
    page.wait_for_load_state("networkidle")
    generator.order("connect 1")
    with _core_of_its_own():
        browser.start_tracing(page=page, categories=TRACED)
        generator.order(f"load light 1 120 {APART_SECONDS} {PUSHES}")
    traced = json.loads(browser.stop_tracing())
    seen = pushes_in(traced["traceEvents"])
    if not seen:
        raise Missing("no push was seen in the trace")
    whole = [one.messages + one.frame for one in seen]
    return {
        "push ms": _quantile(whole, 0.95),
        "push median ms": statistics.median(whole),
        "of it messages": statistics.median(one.messages for one in seen),
        "frame": statistics.median(one.frame for one in seen),
        "pushes": len(seen),
    }


@contextmanager
def _core_of_its_own() -> Iterator[None]:
    """Leave the page's main thread its core, and move what shares it to the server's.

    Chromium slows a thread by the clock: whatever else runs on its core for a moment is taken for
    its own, and made up for three times. A phone draws, decodes and loads on other cores as well.
    """
    moved = []
    for pid in family(os.getpid()):
        with suppress(OSError):  # it has ended
            is_page = b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes()
            for task in map(int, os.listdir(f"/proc/{pid}/task")):
                if os.sched_getaffinity(task) == {LOAD_CORE} and not (is_page and task == pid):
                    moved.append(task)
    try:
        _tie(moved, SERVER_CORE)
        yield
    finally:
        _tie(moved, LOAD_CORE)


def _tie(tasks: list[int], core: int) -> None:
    for task in tasks:
        with suppress(OSError):  # it has ended
            os.sched_setaffinity(task, {core})


def _quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


@dataclass
class Push:
    """What one push cost the main thread, in milliseconds: its messages, then all to its frame."""

    messages: float
    frame: float


def pushes_in(events: list[dict[str, Any]]) -> list[Push]:
    """Return what each push cost: every task from its message to the end of its first frame.

    Processor time of the page's main thread, which Chromium's slowing lengthens as it does
    everything, and which other work on the machine does not. Whole tasks count, with what the
    browser does in them beside script, style, layout and paint; only those of another push's
    messages that come before the frame do not. A push in chunks is one push.
    """
    sent = [e for e in events if e["name"] == "WebSocketSend"]
    if not sent:
        return []
    thread = (sent[0]["pid"], sent[0]["tid"])
    mine = [e for e in events if (e["pid"], e["tid"]) == thread]
    starts = sorted(_at(e) for e in mine if e["name"] == TASK and e["ph"] == "X")

    def tasks(of: list[dict[str, Any]]) -> list[int]:
        return sorted({bisect_right(starts, _at(e)) - 1 for e in of} - {-1})

    works = [0.0] * (len(starts) + 1)  # the last is of a task that began before the trace
    for e in mine:
        if e["name"] in WORK and e["ph"] == "X":
            works[bisect_right(starts, _at(e)) - 1] += _ms(e)
    heard = _by_push(
        tasks([e for e in mine if e["name"] == "WebSocketReceive"]),
        set(tasks(sent)),
        set(tasks([e for e in sent if _length(e) <= ACK_BYTES])),
    )
    messages = {task for one in heard for task in one}
    ends = tasks([e for e in mine if e["name"] == FRAME_ENDS])
    found = []
    for own in heard:
        end = next((end for end in ends if end > own[-1]), None)
        if end is not None:
            after = {*range(own[-1] + 1, end + 1)} - messages
            found.append(Push(sum(works[i] for i in own), sum(works[i] for i in after)))
    return found


def _by_push(heard: list[int], answered: set[int], acked: set[int]) -> list[list[int]]:
    """Return the tasks in which each push was heard: one, or one for each of its pieces.

    Whatever is whole is answered, by an ack or an echo; a piece before the last is not.
    """
    pushes: list[list[int]] = []
    pieces: list[int] = []
    for task in heard:
        pieces.append(task)
        if task in acked:
            pushes.append(pieces)
        if task in answered:
            pieces = []
    return pushes


def _at(event: dict[str, Any]) -> int:
    return int(event["ts"])


def _length(event: dict[str, Any]) -> int:
    return int(event["args"]["data"]["dataLength"])


def _ms(event: dict[str, Any]) -> float:
    return float(event.get("tdur", event["dur"])) / 1000


if __name__ == "__main__":
    chosen = tuple(sys.argv[1:]) or GAMES
    for name, figures in measure(chosen).items():
        print(name, ", ".join(f"{what} {value:,.1f}" for what, value in figures.items()))
