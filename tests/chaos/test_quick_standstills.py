"""R5: the host's laptop was shut for a while, and nobody has to do anything about it."""

from __future__ import annotations

import pytest

from tests.chaos import standstills
from tests.chaos.house import Zygote


@pytest.mark.parametrize(("way", "seconds", "closes"), [("post", 12, 4), ("socket", 2, 0)])
async def test_a_house_that_stood_still_goes_on_where_it_was(
    mother: Zygote, way: str, seconds: float, closes: int
):
    """R1, R2: whether phones gave their sockets up meanwhile, or only waited.

    The control is in it: nobody was answered while it stood.
    """
    found = await standstills.standstills(mother, lasting=[seconds], way=way)
    assert found["while_still"] == 0, found
    assert found["closes"] == closes, found
    assert standstills.is_met(found, within=10), found
