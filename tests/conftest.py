"""The cast and what they play with. Ana opened the table, Ben is seated, Cleo is a bystander
and a stranger to the table, Tess is the shared tablet."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.core.cache import cache
from django.utils.timezone import now as real_now

from games import presence
from tests.games.party import Clock, Dice, Party


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> Dice:
    """The server's dice, falling as the test says: ``dice.fall(7, 12)``. None left is a fault."""
    told = Dice()
    monkeypatch.setattr("games.rules.dice.SystemDice.roll", lambda _dice, sides: told.roll(sides))
    return told


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The server's clock, standing still until the test moves it: ``clock.passes(seconds=8)``."""
    stopped = Clock()
    monkeypatch.setattr("games.services.change.time", stopped)
    monkeypatch.setattr("games.live.fair.time", stopped)
    monkeypatch.setattr("django.utils.timezone.now", stopped.now)
    for model in apps.get_app_config("games").get_models():
        for field in model._meta.concrete_fields:
            if field.default is real_now:
                monkeypatch.setattr(field, "_get_default", stopped.now)
    return stopped


@pytest.fixture
def party(db: None, dice: Dice, clock: Clock) -> Party:
    """Ana's table with Ben seated and Tess flat in its middle; Cleo has only heard of it."""
    return Party(dice, clock).gathers()


@pytest.fixture(autouse=True)
def nobody_is_connected() -> None:
    """Presence is the process's own: what one test left would change the next."""
    presence._here.clear()
    presence._elsewhere.clear()
    cache.clear()
