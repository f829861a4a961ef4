"""Lists of names stand as people look them up: no accent and no capital sends one to the end."""

from __future__ import annotations

from games.text import in_order
from tests.games.party import Party, done


def test_accents_and_capitals_are_no_letters_of_their_own_and_enye_is() -> None:
    """Style, Spanish is no second choice: Ábel stood after Zoe, and every ñ after z."""
    names = ["Zoe", "ñu", "Ábel", "nube", "oso", "éter", "adela"]
    assert sorted(names, key=in_order) == ["Ábel", "adela", "éter", "nube", "ñu", "oso", "Zoe"]


def test_content_lines_stand_in_the_order_of_their_words(party: Party) -> None:
    """They are in order of their words, so that none tells when it was written."""
    for text in ("Zombies", "árboles", "bichos"):
        done(party.ben.does("add_content_line", text=text, kind="line"))
    page = party.ben.sees()
    assert page.index("árboles") < page.index("bichos") < page.index("Zombies")
