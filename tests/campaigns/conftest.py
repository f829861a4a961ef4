"""The troupe: Erin is the GM; Amy, Martha and Tom play. `saga_at` has them at every place."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from tests.campaigns import yearbook
from tests.campaigns.brawl import Brawl, brawl_of
from tests.campaigns.recorded import recording
from tests.campaigns.saga import BEFORE, Saga
from tests.campaigns.troupe import Troupe
from tests.conftest import Builder
from tests.games.party import Clock, Dice
from tests.standing import Standing

SagaAt = Callable[[str], Saga]
Places = Callable[[str], Standing[Saga]]
TroupeWhere = Callable[[Callable[[Troupe], Any]], Troupe]
Later = Callable[[Callable[[Troupe], Any]], Standing[Troupe]]


@pytest.fixture(scope="session", autouse=True)
def events_recorded() -> Iterator[None]:
    """Keep an example of everything that was logged, where TAPROOM_RECORD_EVENTS asks for it."""
    if not os.environ.get("TAPROOM_RECORD_EVENTS"):
        yield
        return
    with recording():
        yield


@pytest.fixture(scope="session")
def gathered_troupe(builds_once: Builder) -> Standing[Troupe]:
    return builds_once(lambda dice, clock: Troupe(dice, clock).gathers())


@pytest.fixture(scope="session")
def first_steps(
    builds_once: Builder, gathered_troupe: Standing[Troupe]
) -> Callable[[str], Standing[Troupe]]:
    """Bring the troupe's first chapter to a step, once for each."""

    @cache
    def standing(step: str) -> Standing[Troupe]:
        with gathered_troupe.taken_up():
            return builds_once(lambda *by: gathered_troupe.put_down(*by).at_step(step))

    return standing


@pytest.fixture(scope="session")
def later(builds_once: Builder, gathered_troupe: Standing[Troupe]) -> Later:
    """Bring the troupe to where a file's tests begin, once: what is done there is given."""

    @cache
    def standing(goes_there: Callable[[Troupe], Any]) -> Standing[Troupe]:
        def build(dice: Dice, clock: Clock) -> Troupe:
            troupe = gathered_troupe.put_down(dice, clock)
            goes_there(troupe)
            return troupe

        with gathered_troupe.taken_up():
            return builds_once(build)

    return standing


@pytest.fixture
def troupe_where(later: Later, db: None, dice: Dice, clock: Clock) -> TroupeWhere:
    """Put the troupe down where something has been done: `troupe_where(they_have_played)`."""
    return lambda goes_there: later(goes_there).put_down(dice, clock)


def three_years(troupe: Troupe) -> None:
    yearbook.brought_in(troupe.table, yearbook.year(3, moments=80))


@pytest.fixture
def years(troupe_where: TroupeWhere) -> Troupe:
    """The troupe's table with a campaign of three chapters, the last one under way."""
    return troupe_where(three_years)


@pytest.fixture
def troupe(
    gathered_troupe: Standing[Troupe],
    first_steps: Callable[[str], Standing[Troupe]],
    db: None,
    dice: Dice,
    clock: Clock,
) -> Troupe:
    """Erin's table with three players and a campaign that has just begun."""
    troupe = gathered_troupe.put_down(dice, clock)

    def steps_to(step: str) -> Troupe | None:
        return gathered_troupe.is_followed_by(first_steps(step), dice, clock)

    troupe.may_skip(steps_to)
    return troupe


@pytest.fixture
def brawl(troupe: Troupe) -> Brawl:
    """A chapter in play, with the sheets of the worked fights: see `tests.campaigns.brawl`."""
    return brawl_of(troupe)


@pytest.fixture(scope="session")
def places(builds_once: Builder) -> Places:
    """Build a place once, from the place before it."""
    built: dict[str, Standing[Saga]] = {}

    def standing(place: str) -> Standing[Saga]:
        if place not in built:
            before = standing(BEFORE[place]) if place in BEFORE else None

            def build(dice: Dice, clock: Clock) -> Saga:
                if before is None:
                    return Saga(dice, clock).gathers()
                return before.put_down(dice, clock).goes_to(place)

            built[place] = builds_once(build)
        return built[place]

    return standing


@pytest.fixture
def saga_at(places: Places, db: None, dice: Dice, clock: Clock) -> SagaAt:
    """Put the table down at one place; a test can only be at one."""
    return lambda place: places(place).put_down(dice, clock)
