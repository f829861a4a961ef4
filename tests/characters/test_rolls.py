"""Loose dice, tables, and secrets that are shown later."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from characters.models import Spell, TableRow
from characters.services.dice_text import read_dice, roll_terms
from games.days import day
from games.errors import Malformed
from games.rules.dice import SeededDice
from tests.characters.arena import Arena, seen_by_all
from tests.characters.crew import told
from tests.games.party import Clock, done, refused


# --- loose dice ----------------------------------------------------------------------------------
def test_dice_are_rolled_from_left_to_right_and_added_up(arena: Arena):
    arena.dice.fall(3, 4, 2)
    done(arena.ben.does("roll_dice", dice="2d6 + 1d4 - 1", reason="How deep?"))
    event = arena.last("dice_rolled")
    assert (event.data["faces"], event.data["total"]) == ([3, 4, 2], 8)
    assert told(event) == "How deep? Ben rolls 2d6+1d4-1: 8 (3, 4, 2)."
    assert arena.cast.last_play.faces == [3, 4, 2]


NO_DICE = """
    2 d 0d6 d1 d1001 101d6 51d6+50d4 2x6 2d6+ 2d6++1 1.5d6 d6;drop ２d6 d99999 2d6kh1 - %
"""


@pytest.mark.parametrize("text", ["", "9" * 40, *NO_DICE.split()])
def test_what_is_no_dice_is_refused(arena: Arena, text: str):
    refused(arena.ben.does("roll_dice", dice=text), 422)
    assert not arena.events("dice_rolled")


@given(
    st.lists(
        st.tuples(st.sampled_from("+-"), st.integers(1, 20), st.integers(2, 1000)),
        min_size=1,
        max_size=5,
    ),
    st.integers(0),
)
def test_every_sum_of_dice_is_read_and_stays_within_what_it_can_show(terms, seed):
    text = "".join(f"{sign}{count}d{sides}" for sign, count, sides in terms)
    faces, total = roll_terms(SeededDice(seed), read_dice(text))
    assert len(faces) == sum(count for _sign, count, _sides in terms)
    most = sum(count * sides if sign == "+" else -count for sign, count, sides in terms)
    least = sum(count if sign == "+" else -count * sides for sign, count, sides in terms)
    assert least <= total <= most


@given(st.text(max_size=40))
def test_no_text_breaks_the_reading_of_dice(text):
    try:
        terms = read_dice(text)
    except Malformed:
        return
    assert 1 <= sum(t.number for t in terms if t.sides) <= 100


def test_percent_dice_and_capitals_are_read():
    assert [t.sides for t in read_dice("D% + 3D6")] == [100, 6]


def test_the_host_rolls_behind_the_screen_and_a_player_does_not(arena: Arena):
    refused(arena.ben.does("roll_dice", dice="d20", is_secret="true"), 403)
    arena.dice.fall(17)
    done(arena.ana.does("roll_dice", dice="d20", reason="wandering", is_secret="true"))
    assert arena.last("dice_rolled").to == arena.ana.row
    assert "wandering" not in seen_by_all(arena.table)


# --- tables --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("faces", "result"),
    [
        ((1, 1), "hostile"),
        ((2, 3), "unfriendly"),
        ((3, 3), "unsure"),
        ((5, 6), "talkative"),
        ((6, 6), "helpful"),
    ],
)
def test_kn11_a_reaction_is_read_off_two_dice_by_the_host_alone(arena: Arena, faces, result):
    arena.dice.fall(*faces)
    done(arena.ana.does("roll_table", table="reaction"))
    event = arena.last("table_rolled")
    assert (event.data["result"], event.to) == (result, arena.ana.row)
    assert told(event) == f"Reaction: {sum(faces)}, {result}."


def test_a_table_of_the_book_is_rolled_on(arena: Arena):
    TableRow.objects.all().delete()
    for low, high, name in ((1, 3, "lean"), (4, 20, "tall")):
        TableRow.objects.create(
            key=f"p-{low}", table="physique", low=low, high=high, name=name, name_es="alto"
        )
    arena.dice.fall(4)
    done(arena.ana.does("roll_table", table="physique", is_secret="false"))
    event = arena.last("table_rolled")
    assert (event.to, event.data["result"]) == (None, {"en": "tall", "es": "alto"})
    assert told(event) == "Physique, 4: tall."


def test_the_faces_of_hidden_rows_are_rolled_again_with_the_same_die(arena: Arena):
    TableRow.objects.all().delete()
    for number in range(1, 5):
        TableRow.objects.create(
            key=f"p-{number}",
            table="physique",
            low=number,
            high=number,
            name=str(number),
            is_hidden=number in (2, 4),
        )
    arena.dice.fall(4, 2, 3)
    done(arena.ana.does("roll_table", table="physique"))
    assert arena.last("table_rolled").data["faces"] == [3]
    assert arena.cast.last_play.faces == [4, 2, 3]
    said = "Nothing was found on that table. Roll again."
    assert refused(arena.ana.does("roll_table", table="physique", dice="2"), 409) == said


def test_a_spell_is_rolled_by_its_number(arena: Arena):
    Spell.objects.all().delete()
    Spell.objects.create(key="s-1", number=1, name="Fog", name_es="Niebla", effect="Fog.")
    Spell.objects.create(key="s-2", number=2, name="Sleep", name_es="Sueño", effect="Sleep.")
    arena.dice.fall(2)
    done(arena.ana.does("roll_table", table="spell"))
    assert arena.last("table_rolled").data["result"] == {"en": "Sleep", "es": "Sueño"}


def test_a_name_comes_without_dice(arena: Arena):
    done(arena.ana.does("roll_table", table="name"))
    assert told(arena.last("table_rolled")).startswith("A name: ")


def test_no_such_table(arena: Arena):
    refused(arena.ana.does("roll_table", table="weather"), 422)
    refused(arena.ana.does("roll_table", table="x" * 41), 422)
    refused(arena.ben.does("roll_table", table="reaction"), 403)


# --- secrets -------------------------------------------------------------------------------------
def test_a_secret_roll_is_shown_to_all_once(arena: Arena):
    arena.dice.fall(17)
    done(arena.ana.does("roll_dice", dice="d20", is_secret="true"))
    secret = arena.last("dice_rolled")
    refused(arena.ben.does("show_roll", event=secret.seq), 403)
    done(arena.ana.does("show_roll", event=secret.seq))
    shown = arena.table.events.get(kind="dice_rolled", to=None)
    assert shown.data == {**secret.data, "shows": secret.seq}
    assert told(shown) == "Ana rolls d20: 17 (17)."
    assert "seen" in refused(arena.ana.does("show_roll", event=secret.seq), 409)


def test_a_roll_that_all_have_seen_is_not_offered_to_be_shown_again(arena: Arena):
    """The button stayed for the whole evening, and each further tap on it was refused."""
    done(arena.ana.does("turn_table", rules="knave"))
    arena.dice.fall(17, 3)
    for _roll in range(2):
        done(arena.ana.does("roll_dice", dice="d20", is_secret="true"))
    first, second = (f'id="show-roll-{e.seq}"' for e in arena.events("dice_rolled"))

    def offered() -> list[bool]:
        page = arena.ana.sees("gm/")
        return [first in page, second in page]

    assert offered() == [True, True]
    done(arena.ana.does("show_roll", event=arena.events("dice_rolled")[0].seq))
    assert offered() == [False, True]


@pytest.mark.parametrize("is_secret", ["true", "false"])
def test_the_receipt_of_a_secret_roll_is_read_aloud_as_no_log_tells_it(
    arena: Arena, is_secret: str
):
    """Of what everybody is told a screen reader hears by the log, and would hear it twice."""
    arena.dice.fall(17)
    receipt = arena.ana.does("roll_dice", dice="d20", is_secret=is_secret, receipt="1")
    assert receipt.status_code == 200
    shown = receipt.content.decode()
    assert "Ana rolls d20: 17 (17)." in shown
    assert (" data-unheard>" in shown) == (is_secret == "true")
    assert ("Ana rolls d20: 17 (17)." in arena.ben.sees()) == (is_secret == "false")


def test_a_secret_roll_of_another_evening_says_of_which(arena: Arena, clock: Clock):
    """It had its hour alone: a host could not tell it from tonight's."""
    done(arena.ana.does("turn_table", rules="knave"))
    arena.dice.fall(17)
    done(arena.ana.does("roll_dice", dice="d20", is_secret="true"))
    rolled = r'class="secret-text">[^<]*d20[^<]*<time>(.*?)</time>'
    then = clock.now()
    (tonight,) = re.findall(rolled, arena.ana.sees("gm/"))
    assert re.fullmatch(r"\d\d:\d\d", tonight)
    clock.passes(seconds=21 * 24 * 3600)
    assert re.findall(rolled, arena.ana.sees("gm/")) == [f"{day(then)}, {tonight}"]


def test_only_a_secret_roll_can_be_shown(arena: Arena):
    arena.dice.fall(17)
    done(arena.ana.does("roll_dice", dice="d20"))
    public = arena.last("dice_rolled")
    arena.prepares(name="Ambush")
    hidden = arena.last("encounter_prepared")
    for seq in (public.seq, hidden.seq, 10**9):
        refused(arena.ana.does("show_roll", event=seq), 404)
    assert "Ambush" not in seen_by_all(arena.table)
