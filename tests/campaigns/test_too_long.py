"""What is too long for its field is refused in words that stand there; none of it is cut off."""

from __future__ import annotations

import random

import pytest

from tests.campaigns.conftest import SagaAt
from tests.campaigns.saga import Saga
from tests.games.party import Person, dice_fall_by
from tests.security.overlong import overlong


def pages(saga: Saga) -> list[tuple[Person, str]]:
    """Whatever anybody types at: of characters' own pages the first one's."""
    mine = saga.chapter.parts.filter(member=saga.member(saga.players[0]))
    first = [(saga.players[0], f"character/{one.character.number}/") for one in mine]
    return [(saga.erin, "gm/"), *((who, "") for who in saga.players), *first]


@pytest.mark.parametrize(("place", "fields"), [("cast", 5), ("sheets", 10), ("play", 10)])
def test_a_field_takes_more_than_is_allowed_and_the_house_says_how_much(
    saga_at: SagaAt, place: str, fields: int, monkeypatch: pytest.MonkeyPatch
):
    """A paste that a browser cuts off is lost, and nobody is told: a whole story, here."""
    saga = saga_at(place)
    dice_fall_by(random.Random(place), monkeypatch)  # a sheet's page suggests names
    tried = [one for who, page in pages(saga) for one in overlong(who, page)]
    assert len(tried) > fields
    assert [one for one in tried if not one.is_well] == []
