"""R7: Redis dies while two processes serve one table (PostgreSQL and Redis, both real)."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import Iterator

import pytest
from channels_redis.pubsub import RedisPubSubChannelLayer
from redis.asyncio import from_url
from redis.exceptions import RedisError

from games import health
from games.live import listener
from tests.chaos import wakeups
from tests.chaos.phone import until_true
from tests.chaos.proxy import Proxy
from tests.games.databases import missing

pytestmark = pytest.mark.services


@pytest.fixture(scope="module", autouse=True)
def redis_is_there() -> None:
    if shutil.which("redis-server") is None:
        missing("redis-server", "PATH", FileNotFoundError("a Redis of our own is killed here"))


@pytest.fixture(scope="module")
def pair(redis_is_there: None) -> Iterator[wakeups.Pair]:
    with wakeups.pair() as one:
        yield one


async def test_redis_dies_and_nothing_is_missed(pair: wakeups.Pair):
    found = await wakeups.redis_dies(pair, kills=1, tells_every=3)
    assert wakeups.is_met(found, slack=10), str(found)


async def test_without_the_readers_own_look_a_lost_wake_up_stays_lost(pair: wakeups.Pair):
    """The control."""
    found = await wakeups.redis_dies(pair, kills=1, no_looks=True)
    assert found["stayed_behind"] == 1, found


async def test_a_redis_that_takes_no_news_counts_as_gone(settings, monkeypatch):
    """docs/hosting.md: `/readyz` says how Redis is. A user who may tell nothing was "ok"."""
    redis = wakeups.Redis()
    redis.starts()
    settings.REDIS = redis.address
    settings.CHANNEL_LAYERS = {"default": {"CONFIG": {"prefix": "house"}}}
    monkeypatch.setattr(health, "layer_to_others", object)
    try:
        async with from_url(redis.address) as line:
            while await health._layer() != "ok":
                pass
            for rule, told in (("resetchannels", "gone"), ("&house*", "ok"), ("-publish", "gone")):
                await line.execute_command("ACL", "SETUSER", "default", rule)
                assert await health._layer() == told, rule
    finally:
        redis.dies()


@pytest.mark.parametrize("is_away", [False, True])
async def test_a_line_that_the_network_forgot_is_given_up_for_a_new_one(monkeypatch, is_away):
    """R7: nobody said that the line was dead, and we only listen on it: what was done at other
    processes came five seconds late, by the looks, for as long as this process ran."""
    heard: list[int] = []
    monkeypatch.setattr(listener, "wakers", [lambda table, _news: heard.append(table)])
    monkeypatch.setattr(listener, "COMES_BACK_S", 0.2)
    redis = wakeups.Redis()
    redis.starts()
    try:
        async with Proxy(redis.port) as line:
            ours = RedisPubSubChannelLayer(hosts=[f"redis://127.0.0.1:{line.port}/0"])
            theirs = RedisPubSubChannelLayer(hosts=[redis.address])
            monkeypatch.setattr(listener, "layer_to_others", lambda: ours)
            assert await until_true(lambda: _is_told(theirs, 2))
            for table in (1, 2):
                await listener.follow(table)
            assert await until_true(lambda: _is_heard(theirs, heard))
            line.hold()
            heard.clear()
            assert not await until_true(lambda: _is_heard(theirs, heard), 1), "the control"
            await _looks(1)
            line.refuses = is_away  # for the moment in which the line is given up
            await _looks(1)
            line.refuses = False
            await _looks(1)
            await _looks(1)
            assert await until_true(lambda: _is_heard(theirs, heard), 10)
            for layer in (ours, theirs):
                await layer.flush()
    finally:
        listener._ears.pop(asyncio.get_running_loop()).task.cancel()
        redis.dies()


async def _is_heard(layer: RedisPubSubChannelLayer, heard: list[int]) -> bool:
    """Tell of both tables, and whether news of both have come."""
    for table in (1, 2):
        await _is_told(layer, table)
    return {1, 2} <= set(heard)


async def _looks(table: int) -> None:
    """Ask anew, as a reader does that was behind; it does not mind a layer that does not answer."""
    with contextlib.suppress(Exception):
        await listener.follow(table, anew=True)
    await asyncio.sleep(0.3)


async def _is_told(layer: RedisPubSubChannelLayer, table: int) -> bool:
    news = {"type": "table.wake", "table": table, "from": "another", "first": 1, "seq": 1}
    try:
        await layer.group_send(f"table.{table}", news | {"touched": []})
    except RedisError:  # it is not up yet
        return False
    return True
