"""R9: on a bad line taps still happen once, and nothing is missed or told twice.

The controls are those of R2 and R4, and `test_proxy.py`, which shows that the line is bad.
"""

from __future__ import annotations

from tests.chaos import badline
from tests.chaos.house import Zygote


async def test_a_bad_line_loses_nothing_and_doubles_nothing(mother: Zygote):
    found = await badline.on_a_bad_line(mother, taps=12, cut=4, weather=badline.SMOKE, at_once=True)
    assert badline.is_met(found), found
