"""A table at which the next roll is covered, and what would give its number away."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from tests.conftest import Scenes
from tests.games.party import Clock, Dice, Party, done
from tests.games.worlds import everybody

# What is not theirs to do: the refusals must not depend on the number either.
NOT_THEIRS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("roll", {}),
    ("roll", {"dice": 6}),
    ("roll", {"dice": 14}),
    ("name", {"to": 0, "call": "brave"}),
    ("shout", {"call": "brave"}),
    ("shout", {"call": "heal"}),
    ("knock", {}),
    ("award", {"to": 1}),
    ("deal", {"fingers_0": 3}),
    ("shroud", {}),
    ("finger", {"which": "thumb"}),
    ("close", {}),
)
# The number that lies under the cup, where it is looked for.
CANARY = 14


def shrouded(party: Party) -> None:
    """Bring a table with Shrouds to where the next roll may be covered; Emil is out."""
    dora, emil = party.welcomes("Dora", "Emil")
    party.begins(17, 18, 19, 3, has_shroud="true", has_nine_sisters="true")
    party.rolls(party.ana, 9).challenges(emil, "knave", 1)  # Emil is out and sees everything
    party.dice.fall(8)
    done(party.ana.does("roll"))
    party.challenges(party.ben, "brave", 12)
    party.challenges(dora, "brave", 5)  # Dora fails and opens the next round
    party.clock.passes(2000)


@pytest.fixture
def party(
    scenes: Scenes,
    transactional_db: None,
    dice: Dice,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> Party:
    """The cast at a table with Shrouds, just before the roll that Ben called one for."""
    party = scenes(shrouded).put_down(dice, clock)
    # Only from here on: by its own token each phone was known while its seat was given out.
    monkeypatch.setattr("django.middleware.csrf.get_random_string", lambda n, *a, **k: "x" * n)
    monkeypatch.setattr("games.views.front.new_key", lambda: "k" * 22)
    monkeypatch.setattr("django.http.response.time", clock)  # when a cookie expires
    for person in everybody(party):
        person.client.get(f"/t/{person.code}/")  # the first page opens the house and gives cookies
    return party


@pytest.fixture(autouse=True)
def nothing_is_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are the same in both worlds, or they would drown what differs."""
    monkeypatch.setattr("games.views.front.suggest", lambda: "Quick Rook")


def written_ways(number: int) -> list[str]:
    """Return the ways in which a roll of this number could stand in something that is sent."""
    plain = [
        f'"face": {number}',
        f'"face":{number}',
        f'"hidden": {number}',
        f'"hidden":{number}',
        f'"dice": [{number}]',
        f'"faces": [{number}]',
        f'data-face="{number}"',
        f'"{number}"',
    ]
    return (
        plain
        + [p.replace('"', "&#34;") for p in plain]
        + [p.replace('"', "&quot;") for p in plain]
        + [base64.b64encode(p.encode()).decode().rstrip("=") for p in plain]
    )
