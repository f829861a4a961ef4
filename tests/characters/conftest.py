"""A company that has everything Knave knows, for the tests that need it all."""

from __future__ import annotations

import pytest

from tests.characters.company import Company
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
