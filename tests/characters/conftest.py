"""A knave each for Ben and Ana; and a company with all that Knave knows, for what needs it all."""

from __future__ import annotations

import pytest

from characters.models import Character
from tests.characters.arena import Arena
from tests.characters.company import Company
from tests.characters.crew import knave
from tests.conftest import Builder
from tests.games.party import Clock, Dice, Party
from tests.standing import Standing


@pytest.fixture(scope="session")
def assembled(builds_once: Builder) -> Standing[Company]:
    return builds_once(lambda dice, clock: Company(Party(dice, clock).gathers()))


@pytest.fixture
def company(assembled: Standing[Company], db: None, dice: Dice, clock: Clock) -> Company:
    """Everybody and everything at a Knave table: see `tests.characters.company`."""
    return assembled.put_down(dice, clock)


@pytest.fixture
def ash(party: Party) -> Character:
    """Ben's knave: 4 of 6 hit points, every bonus 1, eleven slots, empty hands."""
    return knave(party.table, party.ben)


@pytest.fixture
def moth(party: Party) -> Character:
    """Ana's knave."""
    return knave(party.table, party.ana, "Moth")


@pytest.fixture
def arena(party: Party) -> Arena:
    """Ana's table, where Ben plays Ash and goblins wait: see `tests.characters.arena`."""
    return Arena(party)
