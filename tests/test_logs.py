"""What the log is spared, and what it is not."""

from __future__ import annotations

import io
import logging

import pytest

from config.logs import Terse


@pytest.mark.parametrize(
    ("name", "is_short"), [("channels_redis.pubsub", True), ("games.wake", False)]
)
def test_a_layer_that_is_away_leaves_a_line_at_a_time_and_a_fault_of_ours_all(
    name: str, is_short: bool
):
    """docs/hosting.md: the log has a line for each. A Redis that is away is tried each second."""
    out, log = io.StringIO(), logging.getLogger(name)
    handler = logging.StreamHandler(out)
    handler.addFilter(Terse())
    log.addHandler(handler)
    try:
        try:
            raise ConnectionError("111 refused")
        except ConnectionError:
            log.exception("Unexpected exception in %s", "receive task")
    finally:
        log.removeHandler(handler)
    said = out.getvalue().strip().splitlines()
    assert (len(said) == 1) == is_short
    assert said[0].startswith("Unexpected exception in receive task")
    assert "111 refused" in said[-1]
