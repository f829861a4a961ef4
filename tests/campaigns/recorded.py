"""Examples of every kind of event that a campaign's log can hold, in `events.json` beside this.

They are gathered anew, from all that these tests do, by

    TAPROOM_RECORD_EVENTS=1 pytest tests/campaigns
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.utils import translation

from campaigns.sentences import KINDS
from games.sentences import tell
from games.services.change import Change

FILE = Path(__file__).with_name("events.json")
MOST = 12
"""So many examples of a kind are kept: one for each way in which it is said."""

Told = dict[str, list[dict[str, Any]]]


def read() -> Told:
    """Return the examples by their kind."""
    told: Told = json.loads(FILE.read_text())
    return told


@contextmanager
def recording() -> Iterator[None]:
    """Note what is logged meanwhile, and write the examples at the end."""
    told: Told = {}
    seen: set[tuple[str, str]] = set()
    log = Change.log

    def noted(self: Change, kind: str, /, **data: Any) -> Any:
        event = log(self, kind, **data)
        if kind in KINDS:
            _note(told, seen, kind, json.loads(json.dumps(event.data)))
        return event

    Change.log = noted  # type: ignore[method-assign]
    try:
        yield
    finally:
        Change.log = log  # type: ignore[method-assign]
        text = json.dumps(told, indent=0, sort_keys=True, ensure_ascii=False)
        FILE.write_text(f"{text}\n")


def _note(told: Told, seen: set[tuple[str, str]], kind: str, data: dict[str, Any]) -> None:
    with translation.override("en"):
        way = (kind, _without_words_of(data, tell(kind, data, [])))
    examples = told.setdefault(kind, [])
    if way not in seen and len(examples) < MOST and len(json.dumps(data)) < 1500:
        seen.add(way)
        examples.append(data)


def _without_words_of(data: Any, sentence: str) -> str:
    """Return how something is said: without the names in it, and without numbers."""
    words = sorted(_texts(data), key=len, reverse=True)
    for word in words:
        sentence = sentence.replace(word, "…")
    return re.sub(r"(…(, | and )?)+|\d+", "…", sentence)


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str) and data:
        yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from _texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from _texts(value)
