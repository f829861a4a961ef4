"""Knave's log speaks both languages: every kind of event, as evenings of Knave have logged it.

`events.json` holds such events by their kind. A new kind needs an example there.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from characters.sentences import ALL
from games.sentences import tell
from games.text import APART, TOGETHER, as_sentence, set_apart

ROOT = Path(__file__).parents[2]
LOGGED: dict[str, list[Any]] = json.loads(Path(__file__).with_name("events.json").read_text())
KINDS = sorted(kind for told in ALL for kind in told)


def test_every_kind_has_an_example_and_is_told_once():
    assert len(KINDS) == len(set(KINDS)) > 60
    assert set(LOGGED) == set(KINDS)


@pytest.mark.django_db  # a foe's name is looked up in the book
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


def said_in_play() -> Iterator[tuple[str, str]]:
    """Yield every text of the screens, and where it stands; the rule books are none of them."""
    for path in sorted(ROOT.glob("templates/**/*.jinja")):
        source = re.sub(r"{#.*?#}", "", path.read_text(), flags=re.DOTALL)
        for found in re.finditer(r"""_\(\s*(["'])(.*?)\1""", source):
            yield path.name, found[2]
    for path in sorted(ROOT.glob("*/screens/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_":
                yield path.name, ast.unparse(node.args[0])


def test_no_screen_speaks_in_the_rules_numbers():
    """KN-12 and its like are for the rule books: at the table nobody knows them by number."""
    texts = list(said_in_play())
    assert len(texts) > 1000
    assert [found for found in texts if re.search(r"\b(KN|WA|BK)-\d", found[1])] == []


def test_a_name_from_right_to_left_keeps_to_itself_in_a_sentence():
    """WCAG 1.3.2: what stands beside a Hebrew name stays where it was written."""
    told = {"name": "שלמה", "by": -5, "hp": 0, "max_hp": 5}
    with translation.override("en"):
        assert f"{APART}שלמה{TOGETHER}" in tell("hp_changed", told, [])
        assert APART not in tell("hp_changed", {**told, "name": "Íñigo"}, [])
    assert set_apart(set_apart("שלמה (3)")) == f"{APART}שלמה (3){TOGETHER}"
    assert as_sentence(set_apart("שלמה!")).endswith(f"!{TOGETHER}")


def test_knave_calls_its_referee_by_one_name():
    """The glossary's word: who reads "Referee's page" and "the GM" looks for two people."""
    texts = [
        found[2]
        for path in sorted(ROOT.glob("templates/characters/**/*.jinja"))
        for found in re.finditer(r"""_\(\s*(["'])(.*?)\1""", path.read_text())
    ]
    assert len(texts) > 300
    assert [text for text in texts if re.search(r"\bGM\b", text)] == []
