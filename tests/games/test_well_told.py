"""What the log says reads well whatever was typed: its sentences end once."""

from __future__ import annotations

import pytest
from django.utils import translation

from games.grammar import quoted_again, stopped_once
from games.said import speaking
from games.sentences import tell
from games.text import set_apart


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("A scene: The ford..", "A scene: The ford."),
        ("Those dice wait: Who goes there?.", "Those dice wait: Who goes there?"),
        ("She wants: “To burn it.”. It is about Ash.", "She wants: “To burn it”. It is about Ash."),
        ("She wants: “Why?”. It is about Ash.", "She wants: “Why?”. It is about Ash."),
        ("A scene: The ford... No. 3.", "A scene: The ford... No. 3."),
        ("Those dice wait: Well....", "Those dice wait: Well..."),
        ("Moth opens with 8. (a real die)", "Moth opens with 8. (a real die)"),
    ],
)
def test_a_sentence_ends_once_where_what_was_typed_had_an_end_of_its_own(said: str, read: str):
    assert stopped_once(said) == read


def test_a_sentence_ends_once_behind_words_from_right_to_left():
    told = {"name": "x", "where": "عند البئر."}
    assert tell("scene_closed", told, []) == f"The scene is over: {set_apart(told['where'])}"


def test_a_shared_screen_that_does_something_has_its_article():
    told = {"name": "Moth", "teller": "Shared screen", "teller_role": "screen"}
    assert tell("heard_by", told, []) == "The shared screen heard Moth first."
    assert tell("heard_by", {**told, "teller": "Bar"}, []) == "Bar heard Moth first."
    player = {**told, "teller_role": "player"}
    assert tell("heard_by", player, []) == "Shared screen heard Moth first."
    with translation.override("es"):
        assert tell("heard_by", told, []) == "La pantalla compartida oyó primero a Moth."


@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_what_is_quoted_in_a_quotation_has_marks_of_its_own(language: str):
    """Also in a language that nobody has thought of when the marks were written down."""
    with speaking(language):
        assert quoted_again("She says “no”") == "She says ‘no’"


@pytest.mark.parametrize(("left", "said"), [(1, "1 finger"), (5, "5 fingers")])
def test_fingers_that_come_back_are_counted(left: int, said: str):
    """Two of them and five are not said alike in every language."""
    told = {"seat": 0, "gained": 1, "left": left}
    assert tell("FingersRegained", told, ["Ben"]) == f"Ben has {said} again."


@pytest.mark.parametrize(("count", "said"), [(1, "the last move"), (3, "the last 3 moves")])
def test_taking_back_what_the_log_is_silent_about_leaves_no_empty_quotes(count: int, said: str):
    what = {"kind": "item_moved", "data": {"name": "Ash"}}
    told = {"by": "Ben", "by_role": "player", "what": what, "count": count}
    assert tell("undone", told, []) == f"Ben takes {said} back."
    with translation.override("es"):
        assert "«" not in tell("undone", told, [])
