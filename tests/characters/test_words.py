"""Knave's log speaks both languages: every kind of event, as evenings of Knave have logged it.

`events.json` holds such events by their kind. A new kind needs an example there.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from characters.sentences import ALL
from games.sentences import tell

LOGGED: dict[str, list[Any]] = json.loads(Path(__file__).with_name("events.json").read_text())
KINDS = sorted(kind for told in ALL for kind in told)


def test_every_kind_has_an_example_and_is_told_once():
    assert len(KINDS) == len(set(KINDS)) > 60
    assert set(LOGGED) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_an_event_is_told_in_both_languages_and_leaves_no_gap(kind: str):
    for data in LOGGED[kind]:
        with translation.override("en"):
            english = tell(kind, data, [])
        with translation.override("es"):
            spanish = tell(kind, data, [])
        assert bool(english) == bool(spanish)
        assert "%(" not in english + spanish
        if english:
            assert english != spanish, english
