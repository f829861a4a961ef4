"""R7: Redis dies while two processes serve one table (PostgreSQL and Redis, both real)."""

from __future__ import annotations

import shutil

import pytest
from redis.asyncio import from_url

from games import health
from tests.chaos import wakeups
from tests.games.databases import missing

pytestmark = pytest.mark.services


@pytest.fixture(autouse=True)
def redis_is_there() -> None:
    if shutil.which("redis-server") is None:
        missing("redis-server", "PATH", FileNotFoundError("a Redis of our own is killed here"))


async def test_redis_dies_and_nothing_is_missed():
    found = await wakeups.redis_dies(kills=1, tells_every=3)
    assert wakeups.is_met(found, slack=10), str(found)


async def test_without_the_readers_own_look_a_lost_wake_up_stays_lost():
    """The control."""
    found = await wakeups.redis_dies(kills=1, no_looks=True)
    assert found["stayed_behind"] == 1, found


async def test_a_redis_that_takes_no_news_counts_as_gone(settings, monkeypatch):
    """docs/hosting.md: `/readyz` says how Redis is. A user who may tell nothing was "ok"."""
    redis = wakeups.Redis()
    redis.starts()
    settings.REDIS = redis.address
    settings.CHANNEL_LAYERS = {"default": {"CONFIG": {"prefix": "house"}}}
    monkeypatch.setattr(health, "get_channel_layer", object)
    try:
        async with from_url(redis.address) as line:
            while await health._layer() != "ok":
                pass
            for rule, told in (("resetchannels", "gone"), ("&house*", "ok"), ("-publish", "gone")):
                await line.execute_command("ACL", "SETUSER", "default", rule)
                assert await health._layer() == told, rule
    finally:
        redis.dies()
