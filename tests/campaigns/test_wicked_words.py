"""The log of In a Wicked Age speaks both languages: every kind of event, as it was logged once.

A new kind needs an example: `tests.campaigns.recorded` says how.
"""

from __future__ import annotations

import re
from html import escape

import pytest

from campaigns.sentences import ALL, KINDS
from tests.campaigns import recorded
from tests.campaigns.conftest import SagaAt
from tests.campaigns.reading import tess_of, told
from tests.campaigns.troupe import Troupe

LOGGED = recorded.read()
# A key of the program's, a placeholder, a value that nobody put into words.
RAW = re.compile(r"[a-z]_[a-z]|%\(|[{}\[\]]|\bNone\b|\bTrue\b|\bFalse\b|\bc\d+\b")


def test_every_kind_has_an_example_and_is_told_once():
    assert sum(map(len, ALL)) == len(KINDS) > 80
    assert set(LOGGED) == set(KINDS)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_an_event_is_told_in_both_languages_and_leaves_no_gap(kind: str):
    for data in LOGGED[kind]:
        english, spanish = told(kind, data, "en"), told(kind, data, "es")
        assert english
        assert spanish
        assert not RAW.search(english), english
        assert not RAW.search(spanish), spanish
        assert english != spanish


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_an_event_is_a_sentence_of_its_own(kind: str):
    for data in LOGGED[kind]:
        text = told(kind, data, "en")
        assert text[0] in "“‘" or text[0].isupper() or text[0].isdigit(), text
        assert "  " not in text
        # What somebody wrote, and what it came to, may stand behind the sentence.
        assert re.search(r"[.!?:”…)]$", text) or text.endswith(str(data.get("text"))), text


def test_second_thoughts_are_told(saga_at: SagaAt):
    saga = saga_at("choose")
    widow, priest = saga.line("the widow").pk, saga.line("a priest").pk
    saga.do(saga.tom, "drop_cast", line=widow)
    saga.do(saga.tom, "drop_cast", line=widow, on="false")
    assert "the widow" in saga.told("cast_restored")
    saga.do(saga.martha, "leave_cast", line=priest)
    assert saga.told("cast_not_wanted").startswith("Martha")
    for on in ("true", "false"):
        saga.do(saga.tom, "mark_left", member=saga.member("Tom").pk, on=on)
    assert "Tom" in saga.told("member_back")


def test_wa7_what_the_oracle_says_is_marked_as_the_language_that_it_speaks(troupe: Troupe):
    """WCAG 3.1.2: one table, two languages. A screen reader read English to Tom in Spanish, and a
    browser broke its words as Spanish ones."""
    troupe.at_step("cast")
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    said = escape(troupe.elements[0].text)
    troupe.do(troupe.tom, "speak", language="es")
    troupe.do(troupe.erin, "speak", language="es")
    assert f'<span lang="en">{said}</span>' in troupe.tom.sees()
    assert re.search(r'class="chip is-explicit"[^>]*><span lang="en">', troupe.tom.sees())
    assert f'class="element-text" lang="en">{said}</span>' in troupe.erin.sees("gm/")
    assert f"<p>{said}</p>" in tess_of(troupe).sees("screen/")
    assert f'<span lang="en">{said}</span>' in troupe.erin.sees("chapter/print/")
    assert f"<span>{said}</span>" in troupe.amy.sees()
