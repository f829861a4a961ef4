"""Campaigns' files changed at random in every field, so that much of each still fits together."""

from __future__ import annotations

import copy
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from games.rules import records
from games.rules import wicked_sequence as ws
from games.stored import encode
from tests.campaigns.parcel import Plain

Way = tuple[Any, ...]
NUMBERS = (-1, 0, 1, 2, 3, 4, 6, 7, 12, 77, 30_000, 10**9, 10**30)
WORDS = ("", "x", "x" * 61, "x" * 241, "c1", "c99", "m1", "own-1", "2026-01-01T00:00:00+00:00",
         "%s %(name)s {0}", "<script>alert(1)</script>", "\u202eתו", "\U0001f600", "AS", "0",
         "-1", "__proto__", "\t\n", "２", "½")  # fmt: skip
ODD = (None, True, False, [], {}, 0.5, 1e308, [[]], {"x": 1})
# Texts that hold values of their own.
WITHIN = ("setup", "state")


class Spoiler:
    """Changes a campaign as plain values; the same luck changes it the same way."""

    def __init__(self, plain: Plain, luck: random.Random) -> None:
        self.plain, self.luck = copy.deepcopy(plain), luck
        self.done: list[str] = []

    def spoil(self, times: int) -> Plain:
        for _time in range(times):
            self.luck.choice((self._field, self._field, self._field, self._fight))()
        return self.plain

    def _field(self) -> None:
        """Change a field: each kind of field is as likely, however often it is there."""
        by_kind: dict[Way, list[Way]] = defaultdict(list)
        for way in ways(self.plain):
            by_kind[tuple("*" if isinstance(step, int) else step for step in way)].append(way)
        kind = self.luck.choice(list(by_kind))
        way = self.luck.choice(by_kind[kind])
        holder = at(self.plain, way[:-1])
        others = [at(self.plain, other) for other in by_kind[kind]]
        new = self._instead(way[-1], holder[way[-1]], others)
        self.done.append(
            f"{'.'.join(map(str, way))}: {str(holder[way[-1]])[:60]} -> {str(new)[:60]}"
        )
        holder[way[-1]] = new

    def _instead(self, name: Any, now: Any, others: list[Any]) -> Any:
        luck = self.luck
        if luck.random() < 0.35:
            return copy.deepcopy(luck.choice(others))
        if luck.random() < 0.1:
            return copy.deepcopy(luck.choice(ODD))
        match now:
            case bool():
                return not now
            case int() | float():
                return luck.choice([*NUMBERS, now + 1, now - 1])
            case str() if name in WITHIN and now[:1] == "{" and luck.random() < 0.8:
                inner = Spoiler({"inner": json.loads(now)}, luck)
                inner._field()
                return json.dumps(inner.plain["inner"])
            case str():
                return luck.choice([*WORDS, now[:-1], now + now, now.upper()])
            case list():
                return self._list(now, others)
            case dict():
                return {k: v for k, v in now.items() if luck.random() < 0.7}
        return luck.choice([*NUMBERS, *WORDS])

    def _list(self, now: list[Any], others: list[Any]) -> list[Any]:
        luck = self.luck
        pool = [item for other in others if isinstance(other, list) for item in other]
        ways_on = [now[::-1], now[1:], now[:-1], [], now + now[:1], luck.sample(now, len(now))]
        if pool:
            ways_on += [[*now, copy.deepcopy(luck.choice(pool))]] * 3
        return luck.choice(ways_on)

    def _fight(self) -> None:
        """Change a fight's record, and let all that the file says of it follow where it replays."""
        try:
            fights = [
                s for c in self.plain["chapters"] for s in c["sequences"] if s["game"]["record"]
            ]
        except (TypeError, KeyError):
            return  # what was changed before has left none of this
        if not fights:
            return
        game = self.luck.choice(fights)["game"]
        lines = [json.loads(line) for line in game["record"].splitlines()]
        inner = Spoiler({"lines": lines}, self.luck)
        inner._field()
        self.done.append(f"record: {inner.done}")
        game["record"] = "".join(
            json.dumps(line) + "\n" for line in inner.plain["lines"] or [] if isinstance(line, dict)
        )
        try:
            end = records.replay(game["record"])
        except records.RecordError:
            return
        if end.rules.NAME != ws.NAME:
            return
        game["setup"], game["state"] = encode(end.table), encode(end.state)
        is_over = end.state.phase is ws.Phase.OVER
        game["status"] = "over" if is_over else "playing"
        game["winners"] = [end.state.of(w).name for w in end.state.inside] if is_over else []
        for one in fights:
            if one["game"] is game:
                one["is_over"] = is_over


def ways(value: Any, way: Way = ()) -> Iterator[Way]:
    """Yield the way to everything that stands in a value."""
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for step, one in items:
        yield (*way, step)
        yield from ways(one, (*way, step))


def at(value: Any, way: Way) -> Any:
    for step in way:
        value = value[step]
    return value
