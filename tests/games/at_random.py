"""Bouts of Brave or Knave, played to their end as phones would, in whatever order they come."""

from __future__ import annotations

import random

from games import clock as house
from games.errors import Refused
from games.rules import brave_or_knave as bk
from games.rules.dice import SeededDice
from games.rules.engine import Action
from games.services.act import Actor, Tap, act
from games.services.change import now_ms
from tests.games.party import Party

HOUSE_RULE = {
    "name": "The Cat",
    "cry": "Meow!",
    "number": 10,
    "on": "both",
    "effects": [{"kind": "reverse"}, {"kind": "lose", "target": "picked", "amount": 1}],
}


def moves(party: Party) -> list[tuple[int, Action]]:
    """Return what the rules allow just now, by who may do it; nobody leaves."""
    state = party.state
    return [
        (seat, action)
        for seat in range(len(state.names))
        for action in bk.legal_actions(state, seat)
        if not isinstance(action, bk.Leave)
    ]


def tap_of(party: Party, turn: int, action: Action, falls: SeededDice) -> Tap:
    """Return the tap of a move; a real die that lies under the hand is read (BK-23)."""
    is_read = isinstance(action, bk.Roll) and party.state.cupped
    faces = (falls.roll(bk.DIE),) if is_read else ()
    return Tap(f"walk-{turn}", pressed_ms=now_ms(), faces=faces)


def plays_at_random(party: Party, seed: int, *, undoes: bool, leaves: bool) -> None:
    """Play a bout to its end as phones would, in whatever order they come."""
    rng = random.Random(seed)
    falls = SeededDice(seed)
    party.dice.roll = falls.roll
    seats = [e.seat for e in party.game.entrants.select_related("seat")]
    host = party.ana
    for turn in range(600):
        if party.game.status == "over":
            return
        party.clock.passes(rng.choice((30, 200, 900)))
        if undoes and rng.random() < 0.04:
            done_before = [e.seq for e in party.events() if e.kind[0].isupper()]
            if done_before:
                host.does("undo", event=rng.choice(done_before[-6:]))
                continue
        if leaves and turn == 12:
            last = party.others[-1]
            last.does("leave_table")
            continue
        choices = moves(party)
        is_race = party.phase == "shout" and bool(party.state.shouts)
        if is_race and (not choices or rng.random() < 0.5):
            party.clock.ms = max(party.clock.ms, party.game.closes_ms or 0)
            house.play_due(party.table.pk)
            continue
        index, action = rng.choice(choices)
        actor = Actor(seats[index].number, is_house=True)
        try:
            act(party.table.pk, actor, action, tap_of(party, turn, action, falls))
        except Refused:
            continue
