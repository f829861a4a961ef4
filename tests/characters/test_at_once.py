"""A sheet that two have open at once: what one has written since is not lost to the other.

The host and the player write on the same sheet, each on a page that is not redrawn. The controls
are forms that do not say what they were given.
"""

from __future__ import annotations

from typing import Any

import pytest

from characters.models import Character
from tests.characters.crew import last
from tests.games.party import Party, Person, done, refused
from tests.security.shown import Shown

ASH = {"gold": 20, "silver": 5, "copper": 3, "level": 1, "xp": 0, "max_hp": 6}


@pytest.fixture
def written(ash: Character) -> Character:
    Character.objects.filter(pk=ash.pk).update(notes="The first line.", gender="she", **ASH)
    ash.refresh_from_db()
    return ash


class Open:
    """A sheet's page that somebody has open: its forms as they were when it was drawn."""

    def __init__(self, who: Person, one: Character) -> None:
        self.who = who
        self.forms = Shown(who.sees(f"knave/{one.pk}/")).forms

    def saves(self, action: str, *, forgets: bool = False, **typed: Any) -> Any:
        """Send a form as it stands, but for what is typed; `forgets`: without what it was."""
        for form in self.forms:
            given = {f.name: f.value for f in form.fields if f.name not in ("seat", "tap")}
            if given.pop("action", "") == action:
                left_out = [name for name in given if forgets and name.startswith("was_")]
                kept = {name: v for name, v in given.items() if name not in left_out}
                return self.who.does(action, **{**kept, **typed})
        raise AssertionError(f"no form for {action}")


def test_the_host_corrects_a_name_and_loses_no_notes(party: Party, written: Character):
    hers, his = Open(party.ana, written), Open(party.ben, written)
    done(his.saves("edit_knave", notes="The first line.\r\nAnd a page more."))
    done(hers.saves("edit_knave", name="Asha"))
    written.refresh_from_db()
    assert written.notes == "The first line.\nAnd a page more."
    assert (written.name, written.gender) == ("Asha", "she")


def test_without_what_it_was_given_a_form_takes_the_notes_away(party: Party, written: Character):
    """The control."""
    hers, his = Open(party.ana, written), Open(party.ben, written)
    done(his.saves("edit_knave", notes="A page more."))
    done(hers.saves("edit_knave", forgets=True, name="Asha"))
    written.refresh_from_db()
    assert written.notes == "The first line."


def test_who_writes_over_what_another_has_written_is_told(party: Party, written: Character):
    hers, his = Open(party.ana, written), Open(party.ben, written)
    done(his.saves("edit_knave", notes="A rat took it."))
    words = refused(hers.saves("edit_knave", notes="A crow took it."), 409)
    assert "Somebody else has written here meanwhile: “A rat took it”." in words
    written.refresh_from_db()
    assert written.notes == "A rat took it."
    done(Open(party.ana, written).saves("edit_knave", notes=""))
    written.refresh_from_db()
    assert written.notes == ""


def test_kn4_coins_that_came_meanwhile_stay_in_the_purse(party: Party, written: Character):
    """Loot is shared while somebody writes down a copper piece."""
    his = Open(party.ben, written)
    Character.objects.filter(pk=written.pk).update(gold=50)
    done(his.saves("set_coins", copper=4))
    written.refresh_from_db()
    assert (written.gold, written.silver, written.copper) == (50, 5, 4)
    assert last(party, "coins_set").data["gold"] == 50


def test_kn4_an_amount_that_is_another_by_now_is_not_written_over(party: Party, written: Character):
    his = Open(party.ben, written)
    Character.objects.filter(pk=written.pk).update(gold=50)
    words = refused(his.saves("set_coins", gold=19), 409)
    assert "This is 50 now." in words
    written.refresh_from_db()
    assert written.gold == 50
    done(Open(party.ben, written).saves("set_coins", gold=19))
    written.refresh_from_db()
    assert written.gold == 19


def test_without_what_it_was_given_a_form_takes_the_coins_away(party: Party, written: Character):
    """The control."""
    his = Open(party.ben, written)
    Character.objects.filter(pk=written.pk).update(gold=50)
    done(his.saves("set_coins", forgets=True, copper=4))
    written.refresh_from_db()
    assert written.gold == 20


def test_kn22_a_correction_takes_no_experience_away_that_came_meanwhile(
    party: Party, written: Character
):
    hers = Open(party.ana, written)
    done(party.ana.does("award_xp", who=written.pk, amount=100))
    done(hers.saves("set_level", max_hp=8))
    written.refresh_from_db()
    assert (written.xp, written.max_hp, written.level) == (100, 8, 1)
    assert last(party, "level_set").data["xp"] == 100
