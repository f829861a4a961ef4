"""Two worlds that differ in what is hidden, one script, and every byte that anybody is given."""

from __future__ import annotations

import itertools
import random
import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, connections
from django.http import HttpResponse

from tests.games.party import Party, Person

WORLDS = (6, 14)

needs_a_file = pytest.mark.skipif(connection.vendor != "sqlite", reason="worlds are SQLite files")


class World:
    """Everything that anybody is given while a number lies hidden."""

    def __init__(self) -> None:
        self.given: dict[str, bytes] = {}

    def keep(self, name: str, answer: HttpResponse | str | bytes) -> None:
        if isinstance(answer, HttpResponse):
            headers = "\n".join(f"{k}: {v}" for k, v in sorted(answer.headers.items()))
            cookies = answer.cookies.output()
            answer = f"{answer.status_code}\n{headers}\n{cookies}\n\n".encode() + answer.content
        self.given[name] = answer.encode() if isinstance(answer, str) else answer

    def taps(self, who: Person, action: str, **fields: Any) -> None:
        """Let somebody tap, and keep what they are answered."""
        self.keep(f"{len(self.given)}: {who} {action} {fields}", who.does(action, **fields))


Pair = tuple[World, World]


def in_both_worlds(party: Party, script: Callable[[Party, int], World]) -> Pair:
    """Run a script from the very same rows, with another number under the hand."""
    path = connection.settings_dict["NAME"]
    kept = sqlite3.connect(":memory:")
    with sqlite3.connect(path) as source:
        source.backup(kept)
    at, jars = party.clock.ms, {p: dict(p.client.cookies) for p in everybody(party)}

    def begin_again() -> None:
        connections.close_all()
        with sqlite3.connect(path) as target:
            kept.backup(target)
        party.clock.ms = at
        for person, jar in jars.items():
            person.client.cookies.clear()
            person.client.cookies.update(jar)
            person._taps = itertools.count(1000)
        random.seed(1)

    worlds = []
    for hidden in WORLDS:
        begin_again()
        worlds.append(script(party, hidden))
    begin_again()
    return worlds[0], worlds[1]


def everybody(party: Party) -> list[Person]:
    return [*party.players, party.tess, party.cleo]


def differences(one: World, other: World) -> dict[str, str]:
    """Return what differs, by its name."""
    found = dict.fromkeys(one.given.keys() ^ other.given.keys(), "in one of them only")
    for name, mine in one.given.items():
        theirs = other.given.get(name, mine)
        if mine != theirs:
            at = next((i for i, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), -1)
            apart = slice(max(0, at - 40), at + 40)
            found[name] = f"{mine[apart]!r} or {theirs[apart]!r}"
    return found


def lasting_differences(compare: Callable[[], Pair]) -> tuple[Pair, dict[str, str]]:
    """Compare until no difference has been there every time; return the first pair too.

    A number that gets out gets out each time. That a busy machine made one push of two doesn't.
    """
    first = compare()
    found = differences(*first)
    for _again in range(2):
        if found:
            found = {name: found[name] for name in found.keys() & differences(*compare()).keys()}
    return first, found
