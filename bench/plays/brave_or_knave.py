"""Whole bouts of Brave or Knave, one after the other: six players, a die whose faces are known.

The faces are typed, as at a table with real dice, so that a bout can be written down beforehand.
Everybody shouts for a number, or the roller knocks three times and names somebody. Two shouts in
the same millisecond would be one breath and ask the roller, so they come a little apart.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from games.rules import brave_or_knave as bk
from games.stored import state_of

if TYPE_CHECKING:
    from bench.tables import Taps

NUMBERS = (17, 18, 3, 14, 6, 9)
APART_MS = 3
# The house gives up a finger for whoever waits twelve seconds.
AT_ONCE = -1
SHOUTED = 0.7
LONGEST = 2000
KNOCKS = 3


class Bouts:
    """A bout from the rematch to the last finger, drawn by lot from what the rules allow."""

    rules = bk.NAME

    def gather(self, taps: Taps) -> None:
        taps.tap(0, "configure", settles=False, setting="unison_ms", value="0")
        for phone, number in enumerate(NUMBERS):
            taps.tap(phone, "pick_number", settles=False, number=number)

    def cycle(self, taps: Taps) -> None:
        lot = random.Random(7)
        taps.tap(0, "choose_first", who=taps.here.seats[0].number)
        taps.tap(0, "start_bout")
        for _turn in range(LONGEST):
            game = taps.here.table.games.first()
            assert game
            state = state_of(game)
            if state.phase is bk.Phase.OVER:
                break
            self._turn(taps, state, lot)
        taps.tap(0, "rematch")

    def _turn(self, taps: Taps, state: bk.State, lot: random.Random) -> None:
        owing = next((s for s in state.seats if state.owed(s)), None)
        if owing is not None:
            picked = next(f for f in bk.Digit if f not in state.given[owing])
            taps.tap(owing, "finger", pause_ms=AT_ONCE, which=picked.value)
        elif state.phase is bk.Phase.SHOUT:
            self._shouting(taps, state, lot)
        elif state.phase is bk.Phase.NAME:
            assert state.namer is not None
            legal = bk.legal_actions(state, state.namer)
            named = lot.choice([action for action in legal if isinstance(action, bk.Name)])
            who = (
                {"to": named.to}
                if named.call is None
                else {"to": named.to, "call": named.call.value}
            )
            taps.tap(state.namer, "name", **who)
        else:
            taps.tap(bk.must(state)[0], "roll", dice=lot.randint(1, bk.DIE))

    def _shouting(self, taps: Taps, state: bk.State, lot: random.Random) -> None:
        if lot.random() > SHOUTED:
            for _knock in range(KNOCKS):
                taps.tap(state.roller, "knock")
            return
        shouters = list(state.living(but=state.roller))
        lot.shuffle(shouters)
        for at, shouter in enumerate(shouters):
            call = lot.choice(("brave", "knave"))
            is_last = at == len(shouters) - 1
            taps.tap(shouter, "shout", call=call, pause_ms=APART_MS if at else 0, settles=is_last)


PLAY = Bouts()
