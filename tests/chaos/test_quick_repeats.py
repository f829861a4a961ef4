"""R2 over real lines that break; `tests/games/test_taps.py` has the others of the quick size."""

from __future__ import annotations

from tests.chaos import repeats
from tests.chaos.house import Zygote


async def test_a_tap_happens_once_however_often_it_is_sent(mother: Zygote):
    found = await repeats.over_lines(mother, taps=40)
    assert found["sends"] > 80, found
    assert found["broken"] > 8, found
    assert repeats.is_met(found), found


async def test_with_a_new_id_for_each_send_it_happens_again(mother: Zygote):
    """The control: a client without ids for its taps."""
    found = await repeats.over_lines(mother, taps=6, fresh_ids=True)
    assert found["happened"] > found["taps"]
    assert not repeats.is_met(found)
