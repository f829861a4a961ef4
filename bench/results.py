"""Everything one run has found, as tables, ratios and goals."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from bench.load import Figures
from bench.processes import GAMES
from bench.ratios import Ratio, less, more

RIVAL = "boardgame.io"
STOCK = "stock Django"
# The phone: bytes over the wire, and milliseconds.
FIRST_BYTES, LATER_BYTES, PAINT_MS, PUSH_MS = 120_000, 15_000, 1000, 16
SLEEPING_KB, BOUT_MS = 30, 2


@dataclass
class Results:
    """What was measured; what could not be is in `missing`, in words."""

    rivals: dict[str, list[Figures]] = field(default_factory=dict)
    own: list[Figures] = field(default_factory=list)
    memory: dict[str, dict[str, float]] = field(default_factory=dict)
    back: dict[str, dict[str, float]] = field(default_factory=dict)
    rules: dict[str, float | None] = field(default_factory=dict)
    phone: dict[str, dict[str, float]] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)

    def anchor(self, figures: Figures) -> None:
        print(_row(figures), flush=True)
        self.rivals.setdefault(figures.name, []).append(figures)

    def ours(self, figures: Figures) -> None:
        print(_row(figures), flush=True)
        self.own.append(figures)

    def miss(self, what: str) -> None:
        """Say loudly that something was not measured, now and once more at the end."""
        print(f"NOT MEASURED: {what}", flush=True)
        self.missing.append(what)

    @property
    def broken(self) -> list[str]:
        """Name the runs of ours in which a table broke, or an action or a phone was lost."""
        return [
            f.name
            for f in self.own
            for seen in (f.one, f.many)
            if seen and (seen["broken"] or seen["lost"])
        ] + [house for house, seen in self.back.items() if seen["lost"]]

    def rival(self, name: str, part: str, key: str) -> float | None:
        """Return the mean over an anchor's runs, or None when it was not measured."""
        seen = [figure(f, part, key) for f in self.rivals.get(name, ())]
        known = [s for s in seen if s is not None]
        return statistics.mean(known) if known else None

    def ratios(self) -> list[Ratio]:
        """Return every ratio that this run's figures allow."""
        found: list[Ratio] = []
        for f in self.own:
            for part, words in (("one", "1 table"), ("many", "50 tables")):
                for key in ("p50", "p99"):
                    theirs, stock = (self.rival(one, part, key) for one in (RIVAL, STOCK))
                    found += less(f"{words} {key} ({f.name})", figure(f, part, key), theirs, stock)
            theirs, stock = (self.rival(one, "saturation", "") for one in (RIVAL, STOCK))
            found += more(f"saturation ({f.name})", f.saturation, theirs, stock)
        chess = self.rules.get("python-chess")
        for engine in GAMES:
            found += more(f"{engine} against python-chess", self.rules.get(engine), chess)
        return found


def figure(figures: Figures, part: str, key: str) -> float | None:
    """Return one figure; None when it was not taken, or so much was lost that it has no end."""
    if part == "saturation":
        return figures.saturation
    value = getattr(figures, part).get(key)
    return None if value is None or value < 0 else float(value)


def _ms(seen: dict[str, Any]) -> str:
    return f"{seen['p50']:.2f} / {seen['p99']:.1f}" if seen else "-"


def _row(f: Figures) -> str:
    cells = [f.name, _ms(f.one), _ms(f.many)]
    cells.append("-" if f.saturation is None else f"{f.saturation:,.0f}")
    cells.append(f"{f.closed['per_s']:,.0f}" if f.closed else "-")
    seen = f.at_saturation or f.closed
    cells.append(f"{seen['server_cpu_ms']:.2f}" if seen else "-")
    cells.append(f"{seen['client_cpu']:.0%}" if seen else "-")
    pages = f.many.get("pages", {})
    cells.append(", ".join(f"{k} {v['plain']:,.0f}→{v['wire']:,.0f}" for k, v in pages.items()))
    return "| " + " | ".join(cells) + " |"


def told(found: Results) -> str:
    """Write the tables."""
    head = (
        "\n| one core for the server, 7 sockets a table | 1 table p50 / p99 ms"
        " | 50 tables p50 / p99 ms | saturation/s | closed loop/s | server CPU-ms an action"
        " | load generator's core |"
        " bytes a push, plain→wire |\n|---|---|---|---|---|---|---|---|"
    )
    lines = [head] if found.rivals or found.own else []
    lines += [_row(f) for runs in found.rivals.values() for f in runs]
    lines += [_row(f) for f in found.own]
    for server, held in found.memory.items():
        sizes = ", ".join(f"{mb:.0f} MB with {n}" for n, mb in held.items() if n[0].isdigit())
        lines.append(f"\nmemory, {server}: {sizes} sockets; {held['KB a phone']:.1f} KB a phone")
    for house, seen in found.back.items():
        words = ", ".join(f"{name} {value:,.2f}" for name, value in seen.items())
        lines.append(f"\nthe house is back, {house}: {words}")
    if found.rules:
        lines.append("\nengines, one core, random play with legal actions:")
        lines += [
            f"  {name:<28}{'not measured' if value is None else f'{value:,.2f}'}"
            for name, value in found.rules.items()
        ]
    for page, seen in found.phone.items():
        lines.append(f"\nphone, {page}: " + ", ".join(f"{k} {v:,.1f}" for k, v in seen.items()))
    lines += [f"\nNOT MEASURED: {what}" for what in found.missing]
    lines += [f"BROKE OR LOST: {name}" for name in found.broken]
    return "\n".join(lines)


def ratios_told(found: Results) -> str:
    """Write goals and ratios."""
    lines = ["\ngoals:", *(_goal(*goal) for goal in goals(found)), "\nratios, more is better:"]
    lines += [f"  {one.name:<62}{one.value:8.2f}" for one in found.ratios()]
    return "\n".join(lines)


def _goal(name: str, value: float | None, bound: float, is_most: bool) -> str:
    if value is None:
        return f"  not measured  {name}"
    is_met = value <= bound if is_most else value >= bound
    mark = "met" if is_met else "NOT MET"
    return f"  {mark:<13} {name}: {value:,.2f} (at {'most' if is_most else 'least'} {bound:,.2f})"


def goals(found: Results) -> Iterable[tuple[str, float | None, float, bool]]:
    """Yield every goal: its words, our figure, the bound, and whether the bound is from above."""
    values = {one.name: one.value for one in found.ratios()}
    for f in found.own:
        ratio = values.get(f"50 tables p99 ({f.name})")
        yield f"p99 at 50 tables, boardgame.io's to ours, {f.name}", ratio, 1.0, False
        ratio = values.get(f"saturation ({f.name})")
        yield f"saturation to boardgame.io's, {f.name}", ratio, 0.7, False
        yield f"the moonshot, {f.name}", ratio, 1.0, False
    for server, held in found.memory.items():
        yield f"KB a sleeping phone, {server}", held.get("KB a phone"), SLEEPING_KB, True
    for engine in GAMES:
        ratio = values.get(f"{engine} against python-chess")
        yield f"actions a second to python-chess's, {engine}", ratio, 1.0, False
    yield "ms for a random bout of Brave or Knave", found.rules.get("bout_ms"), BOUT_MS, True
    for page, seen in found.phone.items():
        yield f"bytes of a first visit, {page}", seen.get("first bytes"), FIRST_BYTES, True
        yield f"ms to first paint, {page}", seen.get("first paint ms"), PAINT_MS, True
        yield f"bytes of a later visit, {page}", seen.get("later bytes"), LATER_BYTES, True
        yield f"ms for a push, {page}", seen.get("push ms"), PUSH_MS, True
