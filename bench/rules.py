"""How many actions a second each engine plays on one core, legal actions included.

`python -m bench.rules [--profile knave_fight]`: random games without a server. Whoever must act is
asked for what they may do, one of it is drawn by lot, filled in as somebody at the table would, and
applied. That is what python-chess is asked for beside it: its legal moves, one of them, the push.
It counts this process's time.
"""

from __future__ import annotations

import cProfile
import pstats
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from games.rules import brave_or_knave as bk
from games.rules import knave_fight as kf
from games.rules import wicked_sequence as ws
from games.rules.dice import SeededDice
from tests.rules import walking

SECONDS = 0.5
BOUT_SEATS = 6
LONGEST_FIGHT = 120

# Somebody would come or go by these: games of them are over before they begin.
AWAY = {bk.Leave, kf.Join, kf.End, ws.Join, ws.Leave, ws.Correct}

SETUPS: dict[Any, Any] = {
    bk: walking.table_of(BOUT_SEATS, variations=False),
    kf: walking.fight_of(4, 6),
    ws: walking.sequence_of(3, 2),
}


def game(rules: Any, lot: random.Random) -> int:
    """Play one game to its end, or until it has lasted long enough; return its actions."""
    dice = SeededDice(lot.randrange(10**9))
    state, played = rules.setup(SETUPS[rules], dice), 0
    while rules.outcome(state) is None and played < LONGEST_FIGHT * 4:
        seat, action = _drawn(rules, state, lot, played)
        state, _events = rules.apply(state, seat, action, dice)
        played += 1
    return played


def _drawn(rules: Any, state: Any, lot: random.Random, played: int) -> tuple[Any, Any]:
    """Draw one of the legal actions of somebody the table waits for."""
    must = rules.must(state)
    seat = lot.choice(must) if must else None
    legal = rules.legal_actions(state, seat)
    if not legal:
        seat, legal = None, rules.legal_actions(state, None)
    action = lot.choice(legal)
    while type(action) in AWAY and played < LONGEST_FIGHT * 3:
        action = lot.choice(legal)
    if rules is kf:
        if played >= LONGEST_FIGHT:
            return None, kf.End()
        return seat, walking.filled_in(state, action, lot, played)
    if rules is ws:
        return seat, walking.told(state, action, lot, played)
    if isinstance(action, bk.Shout):
        action = bk.Shout(action.call, lot.randrange(1000))
    return seat, action


def rate(play: Callable[[], int]) -> tuple[float, float]:
    """Return actions a second, and milliseconds a game."""
    play()
    actions = games = 0
    start = time.process_time()
    while (taken := time.process_time() - start) < SECONDS:
        actions += play()
        games += 1
    return actions / taken, 1000 * taken / games


def measure(lot: random.Random) -> dict[str, float]:
    """Return actions a second of the three engines, and milliseconds of a random bout."""
    found: dict[str, float] = {}
    for rules in (bk, kf, ws):
        found[rules.NAME], taken = rate(partial(game, rules, lot))
        if rules is bk:
            found["bout_ms"] = taken
    return found


def main() -> None:
    if "--profile" in sys.argv:
        rules = {r.NAME: r for r in SETUPS}[sys.argv[-1]]
        profile, lot = cProfile.Profile(), random.Random(11)
        profile.enable()
        for _game in range(60):
            game(rules, lot)
        profile.disable()
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
        return
    for name, figure in measure(random.Random(11)).items():
        print(f"{name:<20}{figure:12,.2f}")


if __name__ == "__main__":
    main()
