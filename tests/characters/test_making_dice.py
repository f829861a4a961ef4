"""Making a knave with real dice (KN-1, KN-3, KN-6): typed for each part, as the table allows."""

from __future__ import annotations

import pytest

from characters.models import Character
from tests.characters.crew import last, new, plays_by, told
from tests.games.party import Party, done, refused, refused_at
from tests.security.shown import Shown


@pytest.mark.parametrize("faces", ["6 5 4 " * 6, "654654654654654654", "6,5,4;" * 6])
def test_kn1_real_dice_are_typed_and_the_log_says_so(party: Party, faces):
    draft = new(party)
    done(party.ben.does("type_abilities", character=draft.pk, faces=faces))
    draft.refresh_from_db()
    assert draft.strength == draft.charisma == 4
    event = last(party, "knave_rerolled")
    assert event.data["is_real"] is True
    assert event.play.is_real
    assert "real dice" in told(event)


@pytest.mark.parametrize(
    "faces", ["", "1 2 3", "7 " * 18, "0 " * 18, "1" * 17, "1" * 400, "six " * 18]
)
def test_dice_that_cannot_be_are_refused_with_the_field(party: Party, faces):
    draft = new(party)
    refused_at(party.ben.does("type_abilities", character=draft.pk, faces=faces), "faces")


def test_a_table_of_the_apps_dice_takes_none(party: Party):
    done(party.ana.does("configure", setting="dice", value="server"))
    draft = new(party)
    refused(party.ben.does("type_abilities", character=draft.pk, faces="6" * 18), 403)


def test_a_table_of_real_dice_takes_them_once_where_the_dice_stand(party: Party):
    done(party.ana.does("configure", setting="dice", value="real"))
    plays_by(party.table, may_reroll=False)
    draft = new(party)
    done(party.ben.does("type_abilities", character=draft.pk, faces="2" * 18))
    assert "At this table the dice stand as they fell" in refused(
        party.ben.does("type_abilities", character=draft.pk, faces="6" * 18), 409
    )


def test_the_d8_of_hit_points_may_be_a_real_one(party: Party):
    draft = new(party)
    refused(party.ben.does("reroll", character=draft.pk, part="hp", dice=9), 422)
    done(party.ben.does("reroll", character=draft.pk, part="hp", dice=8))
    draft.refresh_from_db()
    assert draft.max_hp == 8
    refused(party.ben.does("reroll", character=draft.pk, part="gear", dice=8), 422)
    for part in ("weapon", "traits", "all"):
        answer = party.ben.does("reroll", character=draft.pk, part=part, dice=8)
        assert "The app rolls this part" in refused(answer, 422)


def own_dice(party: Party) -> dict[str, int]:
    """Return the parts whose real dice Ben's sheet takes, each with how many they are."""
    found = {}
    for form in Shown(sheet_of(party)).forms:
        given = {f.name: f.value for f in form.fields}
        if given.get("action") == "reroll":
            found[given["part"]] = sum(f.name.startswith("dice-") for f in form.fields)
    return found


def sheet_of(party: Party) -> str:
    """Return the page of the knave that Ben is making."""
    return party.ben.sees(f"knave/{Character.objects.get(state='draft').pk}/")


@pytest.mark.parametrize(
    ("how", "faces", "parts"),
    [
        ({}, [4, 14, 18, 1, 2, 3], {"hp": 1, "gear": 6}),
        ({"spell": "instead_of_armor"}, [14, 18, 1, 2, 3], {"hp": 1, "gear": 5, "spell": 1}),
        ({"gear": "money", "spell": "extra"}, [6, 5, 4], {"hp": 1, "gear": 3, "spell": 1}),
    ],
)
def test_kn3_what_a_new_knave_is_rolled_with_may_be_real_dice(party: Party, how, faces, parts):
    """KN-6 as well: hit points, each starting table or the purse, and the spell of a book."""
    draft = new(party)
    plays_by(party.table, **how)
    assert own_dice(party) == parts
    dice = {f"dice-{n}": face for n, face in enumerate(faces)}
    refused(
        party.ben.does("reroll", character=draft.pk, part="gear", **{**dice, "dice-0": 21}), 422
    )
    done(party.ben.does("reroll", character=draft.pk, part="gear", **dice))
    draft.refresh_from_db()
    rolled = [roll["face"] for roll in draft.draft["gear"]] or draft.draft["purse"][0]
    assert rolled == faces
    assert last(party, "knave_rerolled").data["is_real"] is True
    if "spell" in parts:
        done(party.ben.does("reroll", character=draft.pk, part="spell", dice=77))
        draft.refresh_from_db()
        assert draft.draft["spell_book"] == 77


def test_kn7_where_the_dice_stand_real_ones_are_taken_as_often_as_they_are_offered(party: Party):
    """At a table of real dice each part once; at another not at all, and no form says otherwise."""
    plays_by(party.table, may_reroll=False)
    draft = new(party)
    assert own_dice(party) == {}
    assert "type_abilities" not in sheet_of(party)
    assert "At this table the dice stand as they fell" in refused(
        party.ben.does("reroll", character=draft.pk, part="hp", dice=8), 409
    )
    done(party.ana.does("configure", setting="dice", value="real"))
    assert own_dice(party) == {"hp": 1, "gear": 6}
    done(party.ben.does("reroll", character=draft.pk, part="hp", dice=8))
    refused(party.ben.does("reroll", character=draft.pk, part="hp", dice=8), 409)
    refused(party.ben.does("reroll", character=draft.pk, part="gear"), 409)
    assert own_dice(party) == {"gear": 6}
    assert "type_abilities" in sheet_of(party)
    done(party.ben.does("type_abilities", character=draft.pk, faces="2" * 18))
    assert "type_abilities" not in sheet_of(party)
