"""Recorded games end as they always did, so that a changed rule shows as a readable diff.

Beside each `tests/playthroughs/<name>.jsonl` stands `<name>.end.json`, the line
that `manage.py replay` prints for it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from games.rules import RULES, records

RECORDS = sorted((Path(__file__).parents[1] / "playthroughs").glob("*.jsonl"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_game_ends_as_it_did(path):
    end = path.with_suffix(".end.json").read_text(encoding="utf-8")
    assert records.replay(path.read_text(encoding="utf-8")).summary() == end.strip()


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_game_is_written_back_as_it_was_read(path):
    text = path.read_text(encoding="utf-8")
    moments = list(records.read(text.encode().splitlines()))
    plays = [moment.play for moment in moments if moment.play is not None]
    assert records.write(moments[0].rules.NAME, moments[0].table, plays) == text


def test_every_game_has_a_recorded_one():
    played = {
        next(records.read([path.read_bytes().splitlines()[0]])).rules.NAME for path in RECORDS
    }
    assert played == set(RULES)
