"""Texts that people send take as long as they are, whatever they are made of."""

from __future__ import annotations

from time import thread_time
from unicodedata import normalize

import pytest

from games.rules.wicked_age.oracle_files import LONG_BLURB, LineError, parse_text
from games.rules.words import composed


@pytest.mark.parametrize(
    "text",
    [
        "Town\na" + "\u0301" * 30_000 + "\u0316" * 30_000,
        "Town\na" + "\u0f73\u0344\u0316" * 20_000,
        "Town\n" + "# a\n" * 10_000,
        "x" * 50_000 + "\n#" * 10_000,
    ],
    ids=["marks", "marks that come apart", "lines about it", "lines below a long title"],
)
def test_no_text_takes_longer_than_it_is_long(text: str):
    """S1: whoever sent such a one had the house stand still, for seconds or for minutes."""
    begun = thread_time()
    assert isinstance(parse_text(text), tuple)
    assert thread_time() - begun < 1.5


def test_a_line_about_an_oracle_that_is_too_long_is_told_once():
    read = parse_text("\n".join(["Town", f"# {'x' * 300}", "# more", "# and more", *"abcd"]))
    assert read == (LineError(3, LONG_BLURB),)


def test_marks_beyond_any_language_are_kept_and_all_else_is_composed():
    accents, marks = "e\u0301" * 500, "\u0316" * 100
    assert composed(accents) == "é" * 500
    assert composed(f"{accents}{marks}") == normalize("NFC", f"{accents}{marks}")
