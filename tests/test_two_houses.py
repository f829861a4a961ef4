"""Two houses on one Redis: it tells what is said at one of its numbers at all of them."""

from __future__ import annotations

from pathlib import Path

from tests.starting import with_settings

SHOWN = "print(s.CHANNEL_LAYERS['default']['CONFIG'])"
REDIS = "redis://127.0.0.1:6379/0"


def layer_of(tmp_path: Path, key: str, **more: str) -> str:
    """Return how a process with this key talks to others."""
    given = {"TAPROOM_REDIS": REDIS, "TAPROOM_SECRET_KEY": key * 60, **more}
    return with_settings(tmp_path, SHOWN, **given)


def test_a_house_hears_its_own_processes_and_no_other_house(tmp_path: Path):
    """Their tables have the same numbers: who sat at one's was shown as here at the other's."""
    mine = layer_of(tmp_path, "k")
    assert "prefix" in mine
    assert layer_of(tmp_path, "k") == mine
    assert layer_of(tmp_path, "l") != mine
    assert "k" * 60 not in mine
    copied = layer_of(tmp_path, "k", TAPROOM_REDIS_PREFIX="copy")
    assert copied != mine
