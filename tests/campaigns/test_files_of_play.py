"""What our own tables write comes in again, whatever has been played, corrected and taken back.

A file is held against the rules (`test_spoilt_files`); this is the other side: nothing that people
can do at a table makes a file that is refused. TAPROOM_DEEDS and TAPROOM_SEED as in the undo
machine.
"""

from __future__ import annotations

import random

import pytest

from games.models import Table
from tests.campaigns.carried import comes_in, comes_in_again, table_elsewhere
from tests.campaigns.conftest import SagaAt
from tests.campaigns.saga import Saga
from tests.campaigns.walk import DEEDS, PLACES, SEED, Walk
from tests.chaos import jobs
from tests.games.party import dice_fall_by, done
from tests.set_back import rows


def somebody_leaves(saga: Saga, luck: random.Random) -> None:
    """Let a player get up, in the middle of whatever is under way."""
    person = luck.choice(saga.players)
    if saga.table.seats.filter(name=person.name, standing="seated").exists():
        done(person.does("leave_table"))


def walks_with_files(saga: Saga, luck: random.Random, there: Table) -> None:
    walk = Walk(saga, luck)
    for deed in range(DEEDS):
        walk.does()
        if luck.random() < 0.25:
            walk.last_ones_go(luck.randint(1, 3))
        if luck.random() < 0.1:
            walk.something_earlier_goes()
        if luck.random() < 0.05:
            somebody_leaves(saga, luck)
            walk.done, walk.rows = [], rows()
        if deed % 2:
            for campaign in saga.table.campaigns.all():
                comes_in_again(campaign, there)
    walk.something_earlier_goes()
    for campaign in saga.table.campaigns.all():
        comes_in_again(campaign, there)


@pytest.mark.parametrize("place", PLACES)
def test_whatever_is_played_leaves_as_a_file_that_comes_in(
    saga_at: SagaAt, place: str, monkeypatch: pytest.MonkeyPatch
):
    saga, luck = saga_at(place), random.Random(f"files {SEED} {place}")
    dice_fall_by(luck, monkeypatch)
    walks_with_files(saga, luck, table_elsewhere())


def test_a_fight_that_came_in_a_file_is_played_again_with_what_the_file_brought(saga_at: SagaAt):
    """R1, S1: the check of a house that was tried took each such fight for a wrong one."""
    campaign = saga_at("settle").table.campaigns.first()
    assert campaign
    comes_in(campaign, table_elsewhere())
    found = jobs.check()
    assert (found["games"], found["replayed_wrong"]) == (2, [])
