"""Names that are scripts: five hundred, and how to write them over all that people have typed."""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from django.conf import settings

from tests.chaos.house import House

RUNS = "window.pwned=1"
VECTORS = (
    "<script>{run}</script>", "<ScRiPt>{run}</sCrIpT>", "<script src=//x.invalid/{n}></script>",
    "<img src=x{n} onerror={run}>", "<img/src=x{n}/onerror={run}>", "<svg onload={run}>",
    "<svg><script>{run}</script></svg>", "<svg><animate onbegin={run} attributeName=x dur=1s>",
    "<body onload={run}>", "<iframe srcdoc='<script>parent.pwned=1</script>'>",
    "<iframe src='javascript:parent.pwned=1'>", "<object data='javascript:{run}'>",
    "<embed src='javascript:{run}'>", "<a href='javascript:{run}'>{n}</a>",
    "<form action='javascript:{run}'><button>{n}", "<input autofocus onfocus={run}>",
    "<details open ontoggle={run}>", "<video><source onerror={run}>", "<audio src=x onerror={run}>",
    "<marquee onstart={run}>", "<style>@import'//x.invalid/{n}';</style>",
    "<link rel=stylesheet href=//x.invalid/{n}>", "<base href=//x.invalid/{n}/>",
    "<meta http-equiv=refresh content='0;url=javascript:{run}'>", "<p style='background:red'>{n}",
    "<math href='javascript:{run}'>{n}", "<template><script>{run}</script></template>",
    "<div hx-get=/ hx-trigger=load hx-on::load={run}>", "<div hx-on:click={run} data-hx-on=x>",
    "<noscript><p title='</noscript><img src=x onerror={run}>'>",
    "<textarea></textarea><script>{run}",
    "\" onmouseover={run} x=\"", "' onmouseover={run} x='", "\"><script>{run}</script>",
    "'><img src=x{n} onerror={run}>", "\" autofocus onfocus={run} x=\"", "` onload={run} `",
    "--><script>{run}</script>", "]]><script>{run}</script>", "</script><script>{run}</script>",
    "</title><script>{run}</script>", "</textarea><script>{run}</script>", "</style><script>{run}",
    "{{{{7*7}}}}<script>{run}</script>", "${{{run}}}", "{{% raw %}}<script>{run}</script>",
    "javascript:{run}//{n}", "data:text/html,<script>{run}</script>",
    "&lt;script&gt;{run}&lt;/script&gt;",
    "&#60;script&#62;{run}&#60;/script&#62;", "%3Cscript%3E{run}%3C/script%3E",
    "\\u003cscript\\u003e{run}\\u003c/script\\u003e", "<<script>{run}//<</script>",
    "<script\t>{run}</script>",
    "<img src=x{n}\tonerror={run}>", "<x onclick={run} tabindex=1 autofocus onfocus={run}>{n}",
    "<dialog open onclose={run}>{n}", "<select autofocus onfocus={run}>", "<isindex onfocus={run}>",
    "<button popovertarget=x onbeforetoggle={run}>{n}", "<div slot=x is=y onscrollend={run}>{n}",
)  # fmt: skip
WRAPS = ("{}", "Ann {}", "{} Ann", "{}\u200d", "<b>{}", "'{}", '"{}', "{0}{0}", "<!--{}")

# The columns in which people's own words stand, by their names.
TYPED = {
    "name", "guild_name", "text", "notes", "title", "blurb", "description", "effects", "note",
    "oracle_title", "when_and_where", "end_note", "told", "gm_name", "came_back_as", "epilogue",
    "where", "what", "act", "reason",
}  # fmt: skip


def payloads(count: int) -> list[str]:
    """Return so many different ones."""
    made = (
        wrap.format(vector.format(run=RUNS, n=n))
        for n, (wrap, vector) in enumerate(itertools.product(WRAPS, VECTORS))
    )
    return list(itertools.islice(made, count))


def _is_ours(table: str) -> bool:
    return table.split("_", maxsplit=1)[0] in settings.OUR_APPS


class Infection:
    """Puts a payload in the place of each text that somebody typed, wherever it stands again."""

    def __init__(self, house: House, supply: Iterator[str]) -> None:
        self.house, self.supply = house, supply
        self.instead: dict[str, str] = {}
        assert house.database
        with closing(sqlite3.connect(house.database)) as database:
            names = [n for (n,) in database.execute("SELECT name FROM sqlite_master")]
            self.columns = {
                name: [row[1] for row in database.execute(f'PRAGMA table_info("{name}")')]
                for name in names
            }

    def learn(self, rows: dict[str, set[tuple[Any, ...]]]) -> None:
        """Choose the payloads, before any row is written: names stand in other tables' rows."""
        for table, found in rows.items():
            for row in sorted(found, key=str):
                for column, value in zip(self.columns.get(table, ()), row, strict=False):
                    if self._is_typed(table, column, value) and value not in self.instead:
                        self.instead[value] = next(self.supply)

    def _is_typed(self, table: str, column: str, value: Any) -> bool:
        return _is_ours(table) and column in TYPED and isinstance(value, str) and value != ""

    def __call__(self, table: str, rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        if not _is_ours(table):
            return rows
        return [tuple(self._changed(value) for value in row) for row in rows]

    def _changed(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        if value in self.instead:
            return self.instead[value]
        if value[:1] in ("{", "["):
            try:
                return json.dumps(self._within(json.loads(value)))
            except ValueError:
                return value
        return value

    def _within(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: self._within(one) for name, one in value.items()}
        if isinstance(value, list):
            return [self._within(one) for one in value]
        return self.instead.get(value, value) if isinstance(value, str) else value
