"""The cast where sockets are opened: what is done is committed, for those who read beside it."""

from __future__ import annotations

import pytest

from tests.conftest import Scenes
from tests.games.party import Clock, Dice, Party


@pytest.fixture
def running_party(transactional_db: None, dice: Dice) -> Party:
    """The cast, with the clock running."""
    return Party(dice, Clock()).gathers()


def with_dora(party: Party) -> None:
    party.welcomes("Dora")


@pytest.fixture
def party_with_dora(scenes: Scenes, transactional_db: None, dice: Dice, clock: Clock) -> Party:
    """The cast, and Dora beside Ben: whatever one asks for, the other could have."""
    party = scenes(with_dora).put_down(dice, clock)
    party.ana.sees()  # the first page opens the house
    return party
