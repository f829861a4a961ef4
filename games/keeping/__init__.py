"""Keeping the house: backups, restoring them, and proving that they would come back.

The apps above put in here what `games` cannot know: how a game of theirs is
played again from its log, and what they export to be read without us.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from games.models import Game
from games.rules import RULES
from games.stored import play_again, plays_that_count


class KeepingError(Exception):
    """A backup that could not be made, read or put back; says in words what and what now."""


@dataclass(frozen=True)
class Export:
    """What an app writes to be read without us.

    `write` yields names, each with what makes its bytes; `read` raises on what it can't take back.
    """

    write: Callable[[], Iterator[tuple[str, Callable[[], bytes]]]]
    read: Callable[[bytes], Any]


EXPORTS: list[Export] = []


def _from_its_plays(game: Game) -> Any:
    return play_again(game, plays_that_count(game))


REPLAYS: dict[str, Callable[[Game], Any]] = dict.fromkeys(RULES, _from_its_plays)
"""By the rules' name: play a game again from what is kept of it; return the state it ends in.

An app puts in its own where the plays of its log are not all that a game was played by.
"""
