"""The cast where sockets are opened: what is done is committed, for those who read beside it."""

from __future__ import annotations

import pytest

from tests.conftest import Builder, Scenes
from tests.games.party import Clock, Dice, Party
from tests.standing import Standing


@pytest.fixture(scope="session")
def gathered_today(builds_once: Builder) -> Standing[Party]:
    return builds_once(lambda dice, clock: Party(dice, clock).gathers(), clock_runs=True)


@pytest.fixture
def running_party(gathered_today: Standing[Party], transactional_db: None, dice: Dice) -> Party:
    """The cast, with the clock running."""
    return gathered_today.put_down(dice, Clock())


def with_dora(party: Party) -> None:
    party.welcomes("Dora")


@pytest.fixture
def party_with_dora(scenes: Scenes, transactional_db: None, dice: Dice, clock: Clock) -> Party:
    """The cast, and Dora beside Ben: whatever one asks for, the other could have."""
    party = scenes(with_dora).put_down(dice, clock)
    party.ana.sees()  # the first page opens the house
    return party
