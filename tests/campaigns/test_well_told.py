"""What the log of a campaign says is good Spanish, and good English, of everybody."""

from __future__ import annotations

import pytest
from django.utils import translation

from campaigns.words import NAMELESS
from games.sentences import tell

UNNAMED = {"name": "", "by": "Tom", "text": "Burn it", "strength": "Bow", "option": "potent"}


@pytest.mark.parametrize(
    ("kind", "more", "said"),
    [
        ("strength_taken", {}, "El personaje de Tom toma una fuerza: Bow."),
        ("strength_put_back", {}, "Al final el personaje de Tom prescinde de la fuerza Bow."),
        ("strength_crossed_out", {}, "Quien dirige tacha una fuerza del personaje de Tom: Bow."),
        ("interest_marked", {"state": "moot"}, "Al personaje de Tom ya no le importa: «Burn it»."),
    ],
)
def test_who_has_no_name_yet_stands_in_a_spanish_sentence_as_words_do(
    kind: str, more: dict[str, str], said: str
):
    with translation.override("es"):
        assert tell(kind, {**UNNAMED, **more}, []) == said


def test_who_has_no_name_yet_is_called_so_wherever_an_event_names_her():
    tom = {NAMELESS: "Tom"}
    with translation.override("es"):
        told = tell("scene_opened", {"where": "", "what": "", "names": ["Mekha", tom]}, [])
        assert "Mekha y el personaje de Tom" in told
        back = tell("pc_came_back", {"name": tom, "by": "Tom", "how": ""}, [])
        assert back.startswith("El personaje de Tom")


def test_a_name_is_never_drawn_together_with_what_stands_before_it():
    told = {**UNNAMED, "name": "El Cid", "state": "moot"}
    with translation.override("es"):
        assert tell("interest_marked", told, []).startswith("A El Cid ya no le importa")


@pytest.mark.parametrize(
    ("lost", "english", "spanish"),
    [
        (["Bow"], "it has gone", "ha pasado a otro personaje: Bow."),
        (["Bow", "Ring"], "they have gone to others", "han pasado a otros personajes: Bow y Ring."),
    ],
)
def test_strengths_that_went_elsewhere_are_counted(lost: list[str], english: str, spanish: str):
    told = {"name": "Mekha", "by": "Amy", "state": "active", "lost": lost}
    assert english in tell("character_marked", told, [])
    with translation.override("es"):
        assert spanish in tell("character_marked", told, [])


def test_a_form_in_a_sentence_is_marked_as_a_word_of_its_own():
    told = {"name": "Mekha", "by": "Amy", "form": "with_love", "die": 8}
    assert tell("form_grown", told, []) == "Mekha comes back stronger: “with love” is d8 now."


def test_several_gms_of_a_file_are_listed_as_people_do():
    told = {"name": "X", "chapters": 1, "gms": ["Ana", "Iris"], "gm": "Ben"}
    assert "the GM is Ana and Iris:" in tell("campaign_imported", told, [])
