"""The same tap one to five times, in any order, from several processes (R2): it happens once.

The quick number is 960 taps, beside 40 over real lines (`tests/chaos/test_quick_repeats.py`);
TAPROOM_SIZE=full asks for 50,000, TAPROOM_TAPS for another number.
"""

from __future__ import annotations

import os

from tests.games import crowd
from tests.games.databases import file_database
from tests.sizes import size

TAPS = int(os.environ.get("TAPROOM_TAPS", size("960", "50000")))


def test_a_tap_happens_once_however_often_it_arrives(db, tmp_path):
    found = crowd.run(file_database(tmp_path), "repeated_taps", taps=TAPS)
    found["errors"].pop("refused for a lock", None)
    assert found["sent"] > 2 * TAPS
    assert found["errors"] == {"repeats": found["sent"] - TAPS}
    assert found["plays"] == found["events"] == TAPS
    assert found["tables with gaps"] == 0


def test_without_the_check_it_happens_again(db, tmp_path):
    """The control: duplicates appear as soon as taps are not told apart."""
    found = crowd.run(file_database(tmp_path), "repeated_taps", taps=40, without="tap check")
    assert found["plays"] == found["events"] == found["sent"] > 40
