"""A number below zero has the minus of print for the eye, and a word for the ear."""

from __future__ import annotations

import json
import re

import pytest

from tests.characters.arena import Arena, knave
from tests.games.party import Party, done

SHOWN = '<span aria-hidden="true">−3</span><span class="visually-hidden">minus 3</span>'


@pytest.fixture
def arena(party: Party) -> Arena:
    done(party.ana.does("turn_table", rules="knave"))
    return Arena(party)


def test_kn16_hit_points_below_zero_have_a_minus_sign(arena: Arena):
    """The referee's fight, the sheet, its print: nowhere a hyphen before a number."""
    arena.begins(2, face=6)
    done(arena.ana.does("fight-hurt", on="cave-goblin-1", amount=7))
    done(arena.ana.does("fight-hurt", on=arena.id, amount=8))
    table = f"/t/{arena.table.code}/"
    sheet = f"{table}knave/{arena.ash.pk}/"
    for who, path in (
        (arena.ana, f"{table}gm/"),
        (arena.ben, sheet),
        (arena.ben, f"{sheet}print/"),
    ):
        page = who.client.get(path).content.decode()
        assert SHOWN in page, path
        words = re.sub(r"<[^>]*>", "|", page)
        assert not re.search(r"\|\s*-\d", words), path


def test_it_is_said_in_the_language_of_who_reads(arena: Arena):
    done(arena.ana.does("speak", language="es"))
    arena.begins(face=6)
    done(arena.ana.does("fight-hurt", on="cave-goblin-1", amount=7))
    page = arena.ana.client.get(f"/t/{arena.table.code}/gm/").content.decode()
    assert SHOWN.replace("minus", "menos") in page


def test_what_programs_and_fields_read_keeps_the_hyphen(arena: Arena):
    """The API's numbers are numbers, and a button's value is what a form can read."""
    knave(arena.ben, "Moth")
    arena.begins(face=6)
    done(arena.ana.does("fight-hurt", on="cave-goblin-1", amount=7))
    told = arena.ana.client.get(f"/api/tables/{arena.table.code}/").json()["gm"]["fight"]
    assert told["foes"][0]["hp"] == -3
    assert "−" not in json.dumps(told, ensure_ascii=False)
    page = arena.ana.client.get(f"/t/{arena.table.code}/gm/").content.decode()
    assert not re.search(r'value="[^"]*−', page)


def test_kn10_a_roll_below_zero_has_it_too(arena: Arena):
    arena.begins(face=6)
    arena.ash_strikes(1, modifier=-20)  # 1 + 2 - 20
    page = arena.cast.tess.client.get(f"/t/{arena.table.code}/screen/").content.decode()
    assert '<p class="roll-total">−17</p>' in page
    assert "Ash rolls −17" in page


def test_loose_dice_that_come_to_less_than_nothing_have_it_too(arena: Arena):
    arena.dice.fall(1)
    done(arena.ana.does("roll_dice", dice="d4-6"))
    page = arena.cast.tess.client.get(f"/t/{arena.table.code}/screen/").content.decode()
    assert "Ana rolls d4-6: −5 (1)." in page


def test_a_field_that_takes_no_minus_says_so_where_one_was_typed(arena: Arena):
    """Of -2 it was told “A whole number”, which it is."""
    page = arena.ben.client.get(f"/t/{arena.table.code}/knave/{arena.ash.pk}/").content.decode()
    said = re.findall(r'pattern="\[0-9\]\*" title="([^"]*)"', page)
    assert set(said) == {"A whole number, none below zero."}
