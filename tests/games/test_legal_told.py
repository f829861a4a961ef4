"""docs/programs.md: whatever `legal` holds can be sent as it is, all bout long."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from games import clock as house
from games.errors import Refused
from games.live import drawing
from games.services.act import ACTIONS, Actor, Tap, act
from tests.games.party import Party, Person, dice_fall_by
from tests.games.tried import taken_back
from tests.sizes import size

SEEDS = range(size(2, 20))
MOVES = size(25, 120)
Move = dict[str, Any]


def offered(party: Party) -> Iterator[tuple[Person, Move]]:
    for who in party.players:
        told = who.client.get(f"/api/tables/{who.code}/").json()
        yield from ((who, move) for move in told["legal"])


def sends(party: Party, who: Person, move: Move, tap: str) -> None:
    """Send a move as it stands there, with the face of a real die where one is to be read."""
    needs_face = move["action"] == "roll" and not move["cupped"] and is_by_hand(party)
    action = msgspec.convert(move, ACTIONS[move["action"]])
    faces = (10,) if needs_face else ()
    act(party.table.pk, Actor(who.seat, who.device.pk), action, Tap(tap, faces=faces))


def is_by_hand(party: Party) -> bool:
    return party.state.cupped or party.table.settings.dice == "real"


@pytest.mark.parametrize("dice", ["either", "server", "real"])
@pytest.mark.parametrize("seed", SEEDS)
def test_no_move_that_a_program_is_told_of_is_refused(
    party: Party, seed: int, dice: str, monkeypatch: pytest.MonkeyPatch
):
    luck, refused = random.Random(f"legal {seed} {dice}"), []
    party.welcomes("Dora", "Emil")
    party.begins(17, 18, 4, 9, has_shroud="true", has_nine_sisters="true", dice=dice)
    dice_fall_by(luck, monkeypatch)
    for number in range(MOVES):
        moves = list(offered(party))
        for who, move in moves:
            try:
                with taken_back():
                    sends(party, who, move, "try")
            except Refused as why:
                refused.append((who.name, move, why.message))
        drawing.drawing_cache.forget()  # what was tried was never
        played = [(who, move) for who, move in moves if move["action"] != "leave"]
        if party.game.status != "playing":
            break
        if played and luck.random() < 0.8:
            sends(party, *luck.choice(played), f"move-{number}")
        else:
            party.clock.ms = max(party.clock.ms, party.game.closes_ms or 0)
            house.play_due(party.table.pk)
    assert refused == []
    assert number > 5
