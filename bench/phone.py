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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from bench import load
from bench.processes import LOAD_CORE, Load, Missing
from tests.chromium import FLAGS, where
from tests.phones.wire import Wire

GAMES = ("brave_or_knave", "knave_fight", "wicked_sequence")
LATENCY_MS, DOWN, UP, SLOWER = 150, 1_600_000 / 8, 750_000 / 8, 4
PUSHES, APART_SECONDS = 40, 0.4
VISITS = 3
TRACED = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"]
TASK, PONG_BYTES = "RunTask", 350
# What the main thread does for a frame after the script has changed the page.
FRAME = {"UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit"}


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
            seen = {game: _page_of(browser, game) for game in games}
            browser.close()
            return seen
    finally:
        os.sched_setaffinity(0, cores)


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
    context.add_cookies([{**one, "url": wire.address} for one in cookies])  # type: ignore[list-item]
    try:
        yield context
    finally:
        context.close()


def _slowed(page: Page) -> Page:
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    line = {"latency": LATENCY_MS, "downloadThroughput": DOWN, "uploadThroughput": UP}
    session.send("Network.emulateNetworkConditions", {"offline": False, **line})
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
    """Trace the page while its table is played; the 95th of a hundred pushes, and the median."""
    page = _slowed(context.new_page())
    page.goto(address)
    page.wait_for_load_state("networkidle")
    generator.order("connect 1")
    browser.start_tracing(page=page, categories=TRACED)
    generator.order(f"load light 1 120 {APART_SECONDS} {PUSHES}")
    traced = json.loads(browser.stop_tracing())
    alone, framed = pushes_in(traced["traceEvents"])
    if not alone:
        raise Missing("no push was seen in the trace")
    return {
        "push ms": _quantile(alone, 0.95),
        "push median ms": statistics.median(alone),
        "push with its frame ms": _quantile(framed, 0.95),
        "pushes": len(alone),
    }


def _quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def pushes_in(events: list[dict[str, Any]]) -> tuple[list[float], list[float]]:
    """Return for each push: the task that heard and drew it, and that with the frame after it.

    Milliseconds of the main thread's processor time, which Chromium's slowing lengthens as it does
    everything, and which other work on the machine does not. A pong is no push, and too short.
    """
    heard = [
        e
        for e in events
        if e["name"] == "WebSocketReceive" and e["args"]["data"]["dataLength"] > PONG_BYTES
    ]
    if not heard:
        return [], []
    heard.sort(key=lambda e: e["ts"])
    thread = (heard[0]["pid"], heard[0]["tid"])
    mine = [e for e in events if (e["pid"], e["tid"]) == thread and e["ph"] == "X"]
    tasks = {id(t): t for e in heard if (t := _around(mine, e)) is not None}
    starts = [t["ts"] for t in tasks.values()]
    alone, framed = [], []
    for task, end in zip(tasks.values(), [*starts[1:], float("inf")], strict=True):
        frame = [
            e for e in mine if e["name"] in FRAME and task["ts"] + task["dur"] <= e["ts"] < end
        ]
        alone.append(_ms(task))
        framed.append(_ms(task) + sum(map(_ms, frame)))
    return alone, framed


def _around(events: list[dict[str, Any]], inner: dict[str, Any]) -> dict[str, Any] | None:
    """Return the task in which something happened."""
    at = inner["ts"]
    return next(
        (e for e in events if e["name"] == TASK and e["ts"] <= at <= e["ts"] + e["dur"]), None
    )


def _ms(event: dict[str, Any]) -> float:
    return float(event.get("tdur", event["dur"])) / 1000


if __name__ == "__main__":
    chosen = tuple(sys.argv[1:]) or GAMES
    for name, figures in measure(chosen).items():
        print(name, ", ".join(f"{what} {value:,.1f}" for what, value in figures.items()))
