"""Two open forms, and typed dice: what each service refuses by itself, whatever deed asks it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from games.errors import Forbidden, Malformed, MovedOn
from games.services.act import Tap
from games.services.dice import dice_for
from games.services.meanwhile import TOLD, counted, written
from games.text import mark_of


def test_two_who_write_the_same_are_both_taken():
    """Whoever comes second has lost nothing, and is told nothing."""
    assert written("notes", "Salt", "Salt", was=mark_of("")) == "Salt"
    assert counted("gold", 7, 7, was=5) == 7


def test_who_writes_alone_is_taken_and_a_form_that_changed_nothing_changes_nothing():
    assert written("notes", "Salt", "Sand.", was=mark_of("Sand.")) == "Salt"
    assert written("notes", "", "Sand.", was=mark_of("")) == "Sand."
    assert counted("gold", 7, 5, was=5) == 7
    assert counted("gold", 5, 9, was=5) == 9


def test_a_form_that_does_not_say_what_it_was_filled_in_with_always_writes():
    """A program's: it was given no form."""
    assert written("notes", "Salt", "Sand.", was="") == "Salt"
    assert counted("gold", 7, 5, was=None) == 7


def test_what_somebody_else_wrote_is_shown_and_a_long_text_only_in_part():
    for now, shown in (("Sand.", "“Sand”."), ("x" * TOLD, f"“{'x' * TOLD}”."),
                       ("x" * TOLD + "y", f"“{'x' * TOLD}…”.")):  # fmt: skip
        with pytest.raises(MovedOn) as told:
            written("notes", "Salt", now, was=mark_of(""))
        assert shown in str(told.value)
        assert told.value.field == "notes"
    with pytest.raises(MovedOn):
        counted("gold", 7, 6, was=5)


def change(dice: str, *, is_gm: bool = False, is_house: bool = False) -> Any:
    seat = None if is_house else SimpleNamespace(is_gm=is_gm)
    table = SimpleNamespace(settings=SimpleNamespace(dice=dice))
    return SimpleNamespace(seat=seat, table=table, play=SimpleNamespace(is_real=False))


@pytest.mark.parametrize("faces", [(1, 1), (6, 4)])
def test_the_lowest_and_the_highest_face_may_be_typed(faces: tuple[int, ...]):
    dice = dice_for(change("either"), Tap("t", faces=faces), [6, 4])
    assert (dice.roll(6), dice.roll(4)) == faces


@pytest.mark.parametrize("faces", [(0, 4), (7, 4), (6, 5), (6,), (6, 4, 1)])
def test_faces_that_no_such_dice_show_are_refused(faces: tuple[int, ...]):
    with pytest.raises(Malformed) as refused:
        dice_for(change("either"), Tap("t", faces=faces), [6, 4])
    assert refused.value.field == "dice"


def test_where_more_may_follow_more_may_be_typed_and_the_rest_is_the_servers():
    dice = dice_for(change("either"), Tap("t", faces=(6, 4, 3)), [6, 4], more=True)
    assert [dice.roll(6), dice.roll(4), dice.roll(3)] == [6, 4, 3]
    assert dice.roll(1) == 1
    again = dice_for(change("either"), Tap("t", faces=(6, 4, 3)), [6, 4], more=True)
    assert [again.roll(6), again.roll(4)] == [6, 4]
    with pytest.raises(Malformed):
        again.roll(2)


def test_at_a_table_of_real_dice_only_players_have_to_type():
    """The host rolls for a crowd of foes, and the house for whoever is away."""
    for who in (change("real", is_gm=True), change("real", is_house=True)):
        assert dice_for(who, Tap("t"), [1]).roll(1) == 1
        assert not who.play.is_real
    with pytest.raises(Forbidden):
        dice_for(change("real"), Tap("t"), [6])
    with pytest.raises(Forbidden):
        dice_for(change("server", is_gm=True), Tap("t", faces=(3,)), [6])
