"""Reactions, tables, and morale outside a fight, with the host's own dice."""

from __future__ import annotations

import pytest

from characters.models import Spell, TableRow
from tests.characters.company import Company
from tests.games.party import done, refused
from tests.security.shown import Form, Shown

MISSING = "A die is missing: choose the face of each one that you rolled."
TOO_FEW = "This roll needs 2 dice."
TWO = {("dice-0", str(n)) for n in range(1, 7)} | {("dice-1", str(n)) for n in range(1, 7)}


def forms_of(company: Company, action: str, **fields: str) -> list[Form]:
    """Return the host's forms for an action that send these values, or let them be chosen."""
    found = []
    for form in Shown(company.ana.sees("gm/")).forms:
        sent = {(f.name, f.value) for f in form.fields} | set(form.buttons)
        if {("action", action), *fields.items()} <= sent:
            found.append(form)
    return found


def typed(forms: list[Form]) -> list[Form]:
    return [f for f in forms if {(one.name, one.value) for one in f.fields} >= TWO]


def plays_with(company: Company, dice: str) -> None:
    done(company.ana.does("configure", setting="dice", value=dice))


@pytest.mark.parametrize(
    ("played", "taps", "rows"), [("either", 3, 1), ("server", 3, 0), ("real", 0, 1)]
)
def test_kn11_a_reaction_is_rolled_with_the_dice_the_table_plays_with(
    company: Company, played: str, taps: int, rows: int
):
    """In secret, openly, and among the tables; real ones were taken, and had no place on a page."""
    plays_with(company, played)
    forms = forms_of(company, "roll_table", table="reaction")
    assert len(typed(forms)) == rows
    assert len([f for f in forms if ("table", "reaction") in f.buttons or f.is_plain]) == taps


def test_a_roll_of_one_die_says_so_to_whoever_types_two(company: Company):
    asked = {"table": "spell", "is_secret": "false", "typed": "dice"}
    two = {"dice-0": "5", "dice-1": "6"}
    said = "This roll needs 1 die."
    assert refused(company.ana.does("roll_table", **asked, **two), 422) == said


@pytest.mark.parametrize("is_secret", ["true", "false"])
def test_kn11_a_typed_reaction_is_told_as_one_that_the_app_rolled(company: Company, is_secret: str):
    [form] = typed(forms_of(company, "roll_table", table="reaction", is_secret=is_secret))
    assert form.buttons == [("typed", "dice")]
    asked = {"table": "reaction", "is_secret": is_secret, "typed": "dice"}
    for faces, why in (({}, MISSING), ({"dice-1": "5"}, MISSING), ({"dice-0": "5"}, TOO_FEW)):
        assert refused(company.ana.does("roll_table", **asked, **faces), 422) == why
    done(company.ana.does("roll_table", **asked, **{"dice-0": "5", "dice-1": "6"}))
    event = company.table.events.filter(kind="table_rolled").latest("seq")
    assert (event.data["faces"], event.data["result"]) == ([5, 6], "talkative")
    assert (event.data["is_real"], event.to_id is not None) == (True, is_secret == "true")


@pytest.mark.parametrize(
    ("played", "taps", "rows"), [("either", 1, 1), ("server", 1, 0), ("real", 0, 1)]
)
def test_a_table_of_the_book_is_rolled_on_with_the_dice_the_table_plays_with(
    company: Company, played: str, taps: int, rows: int
):
    """A trait (KN-7), gear (KN-3), a spell (KN-25): real ones had no place on a page."""
    plays_with(company, played)
    for table in ("physique", "general-gear-2", "spell"):
        forms = forms_of(company, "roll_table", table=table)
        assert len([f for f in forms if ("table", table) in f.buttons]) == taps
        assert len([f for f in forms if takes_a_die(f)]) == rows
    assert ("table", "name") in [b for f in forms_of(company, "roll_table") for b in f.buttons]


def takes_a_die(form: Form) -> bool:
    return ("dice", "20") in form.buttons or any(f.name == "dice-0" for f in form.fields)


def test_a_typed_face_falls_on_its_row_and_may_be_shown_to_the_table(company: Company):
    done(company.ana.does("roll_table", table="virtue", is_secret="true", dice="20"))
    event = company.table.events.filter(kind="table_rolled").latest("seq")
    row = TableRow.objects.get(table="virtue", low=20)
    assert (event.data["faces"], event.data["result"]["en"]) == ([20], row.name)
    assert (event.data["is_real"], event.to_id is not None) == (True, True)
    spell = {"table": "spell", "typed": "dice"}
    assert refused(company.ana.does("roll_table", **spell), 422) == MISSING
    done(company.ana.does("roll_table", **spell, **{"dice-0": "100"}))
    event = company.table.events.filter(kind="table_rolled").latest("seq")
    assert event.data["result"]["en"] == Spell.objects.get(number=100).name


@pytest.mark.parametrize(
    ("played", "taps", "rows"), [("either", 2, 1), ("server", 2, 0), ("real", 0, 1)]
)
def test_kn20_morale_outside_a_fight_is_rolled_with_the_dice_the_table_plays_with(
    company: Company, played: str, taps: int, rows: int
):
    plays_with(company, played)
    for one in (company.tib, company.warden):
        forms = forms_of(company, "roll_morale", character=str(one.pk), moment="danger")
        assert len(typed(forms)) == rows
        assert len([f for f in forms if f.is_plain]) == taps / 2


def test_kn20_a_typed_morale_is_of_whom_the_host_chose_and_for_what(company: Company):
    """Nobody without a rating is to be chosen, and nobody who is dead."""
    done(company.ana.does("change_hp", character=company.warden.pk, by=-99))
    [form] = typed(forms_of(company, "roll_morale"))
    rated = {f.value for f in form.fields if f.name == "character"}
    assert rated == {str(company.tib.pk), str(company.shade.pk)}
    asked = {"character": company.tib.pk, "moment": "unpaid", "typed": "dice"}
    assert refused(company.ana.does("roll_morale", **asked, **{"dice-1": "6"}), 422) == MISSING
    done(company.ana.does("roll_morale", **asked, **{"dice-0": "6", "dice-1": "6"}))
    event = company.table.events.filter(kind="morale_rolled").latest("seq")
    assert (event.data["faces"], event.data["success"]) == ([6, 6], False)
    assert (event.data["moment"], event.data["is_real"]) == ("unpaid", True)
