"""Whoever is called by words out of an element, "el capitán", stands in Spanish as in Spanish."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation
from markupsafe import Markup

from campaigns.models import Character, Member
from campaigns.screens.fights import now_text
from campaigns.screens.turns import answer_line
from campaigns.services.naming import said_of
from config.jinja import words
from games.grammar import drawn_together
from games.rules import wicked_sequence as ws
from tests.campaigns.brawl import Brawl
from tests.campaigns.reading import told

CAPTAIN = "el capitán"
HARM = {"how": "exhausted", "lost": [], "consequential": []}


@pytest.mark.parametrize(
    ("text", "name", "is_so"),
    [
        ("Sarela agota a el capitán.", CAPTAIN, "Sarela agota al capitán."),
        ("A el capitán no le queda nada.", CAPTAIN, "Al capitán no le queda nada."),
        ("Trata de el capitán y Pesi.", ["Pesi", CAPTAIN], "Trata del capitán y Pesi."),
        ("De el capitán, nada.", {"name": CAPTAIN}, "Del capitán, nada."),
        ("Lleva a El Zurdo.", "El Zurdo", "Lleva a El Zurdo."),
        ("Habla para el capitán.", CAPTAIN, "Habla para el capitán."),
        ("Kadag dice: «a el no le digas nada».", "Kadag", "Kadag dice: «a el no le digas nada»."),
        ("Es de ella.", "ella", "Es de ella."),
    ],
)
def test_spanish_makes_one_word_of_a_preposition_and_the_article(text: str, name: Any, is_so: str):
    with translation.override("es"):
        assert drawn_together(text, name) == is_so
    with translation.override("en"):
        assert drawn_together(text, name) == text


def test_the_log_names_whoever_has_no_name_of_their_own_as_a_sentence_does():
    beaten = {**HARM, "name": CAPTAIN, "winner": "Sarela"}
    assert told("harm_settled", beaten, "es") == "Sarela agota al capitán."
    assert told("harm_settled", {**HARM, "name": "Sarela", "winner": CAPTAIN}, "es") == (
        "El capitán agota a Sarela."
    )
    won = {**HARM, "name": "Sarela", "winner": "the captain"}
    assert told("harm_settled", won, "en") == "The captain leaves Sarela exhausted."
    named = {"name": "Pesi", "by": "Inés", "text": "El pozo", "targets": ["Neruna", CAPTAIN]}
    assert told("interest_named", named, "es").endswith("Trata de Neruna y el capitán.")
    named["targets"] = [CAPTAIN, "Neruna"]
    assert told("interest_named", named, "es").endswith("Trata del capitán y Neruna.")


@pytest.mark.parametrize(
    ("language", "name", "begins"),
    [
        ("en", "her brother", "Her brother"),
        ("en", "whoever paid her", "Whoever paid her"),
        ("en", "nine soldiers", "Nine soldiers"),
        ("es", "su hermano", "Su hermano"),
        ("es", "quien creció en la cuna ajena", "Quien creció en la cuna ajena"),
        ("es", "dos herederos", "Dos herederos"),
        ("en", "mourners", "Mourners"),
        ("es", "ladrones", "Ladrones"),
        ("en", "what lives in the cistern", "What lives in the cistern"),
        ("es", "lo que vive en la cisterna", "Lo que vive en la cisterna"),
        ("es", "uno de los nueve", "Uno de los nueve"),
        ("en", "bell hooks", "bell hooks"),
    ],
)
def test_a_sentence_begins_with_a_capital_whatever_words_of_an_element_name_somebody(
    language: str, name: str, begins: str
):
    """Only those with an article before them began so, and the house offers these too."""
    said = told("harm_settled", {**HARM, "name": "Sarela", "winner": name}, language)
    assert said.startswith(begins)
    standing = ws.Standing("npc", 11, (11, 2), ())
    with translation.override(language):
        assert answer_line(standing, {"npc": name}).startswith(begins)
        assert words("%(name)s offers", name=name).startswith(begins)
        assert name in words("the same person as %(name)s", name=name)


def test_what_is_agreed_names_them_so_as_well():
    agreed = {
        "name": CAPTAIN,
        "winner": CAPTAIN,
        "lost": [],
        "consequential": [],
        "terms": [{"hit": 8}, {"says": "Se ríe a el gusto"}],
    }
    said = told("terms_settled", agreed, "es")
    assert said.startswith("Acuerdo del capitán con el capitán: ")
    assert "al d8 del capitán" in said
    assert "«Se ríe a el gusto»" in said


def test_a_template_names_them_so_and_escapes_what_they_are_called():
    with translation.override("es"):
        assert words("What became of %(name)s", name=CAPTAIN) == "Qué ha sido del capitán"
        said = words("What became of %(name)s", name="el <i>")
    assert isinstance(said, Markup)
    assert "&lt;i&gt;" in said
    with translation.override("es"):
        assert isinstance(words("To %(name)s", name=CAPTAIN), Markup)
        assert words("To %(name)s", name=CAPTAIN) == "Al capitán"


def test_what_is_asked_in_a_fight_names_them_so(brawl: Brawl):
    brawl.begins("Amek", "Mekha").takes("Amek", "with_violence", "directly")
    brawl.takes("Mekha", "directly", "for_myself").rolls("Amek", 6, 5).rolls("Mekha", 6, 9)
    view = ws.view(brawl.state, None)
    names = {one.id: CAPTAIN for one in view.participants}
    with translation.override("es"):
        assert now_text(view, names).startswith("Turno del capitán: ")


def test_refusals_name_them_so():
    captain = Character(kind="npc", name=CAPTAIN)
    with translation.override("es"):
        text = "Los dados de %(name)s ya se han usado: corrígelos uno a uno."
        assert said_of(captain, text).startswith("Los dados del capitán ya ")
        nobody = Character(owner=Member(name="Inés"))
        assert said_of(nobody, text).startswith("Los dados del personaje de Inés ya ")
        assert said_of(captain, "%(name)s ha muerto.") == "El capitán ha muerto."


def test_a_sentence_that_quotes_is_quoted_with_inner_marks():
    """What is taken back is quoted, and has quotes of its own: “… ‘…’ …”, and «… “…” …»."""
    taken = {"kind": "cast_taken", "data": {"by": "Inés", "text": "el capitán"}}
    undone = {"by": "Lucía", "what": taken, "count": 1}
    assert told("undone", undone, "es") == (
        "Lucía deshace la última jugada: «Inés elige “el capitán”.»"
    )
    assert told("undone", undone, "en") == (
        "Lucía takes the last move back: “Inés chooses ‘el capitán’.”"
    )
