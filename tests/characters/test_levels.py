"""Levels (KN-22, KN-23): the dice of hit points, and what rises, by choice or by the dice."""

from __future__ import annotations

import re

import pytest

from characters.models import Call, Character
from tests.characters.crew import fights, last, plays_by, told
from tests.games.party import Party, done, refused


def test_kn23_a_level_rolls_as_many_d8_and_raises_three(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(xp=1050)
    party.dice.fall(3, 5)
    done(party.ben.does("level_up", character=ash.pk, abilities="str con cha"))
    ash.refresh_from_db()
    assert (ash.level, ash.max_hp, ash.hp, ash.xp) == (2, 8, 4, 1050)
    assert (ash.strength, ash.constitution, ash.charisma, ash.wisdom) == (2, 2, 2, 1)
    event = last(party, "level_reached")
    assert (event.data["faces"], event.data["total"]) == ([3, 5], 8)
    assert told(event).endswith("Strength, Constitution and Charisma rise.")


def test_kn21_what_was_healed_above_a_maximum_that_is_taken_back_goes_with_it(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(xp=1050)
    party.dice.fall(3, 5)
    done(party.ben.does("level_up", character=ash.pk, abilities="str con cha"))
    done(party.ben.does("change_hp", character=ash.pk, by=4))
    healed = last(party, "hp_changed").seq
    done(party.ana.does("undo", event=last(party, "level_reached").seq))
    ash.refresh_from_db()
    assert (ash.level, ash.hp, ash.max_hp) == (1, 6, 6)
    done(party.ana.does("undo", event=healed))
    ash.refresh_from_db()
    assert (ash.hp, ash.max_hp) == (4, 6)


@pytest.mark.parametrize(("faces", "most"), [([2, 3], 7), ([3, 3], 6)])
def test_kn23_less_than_before_is_one_more_and_equal_stays(party: Party, ash, faces, most):
    Character.objects.filter(pk=ash.pk).update(xp=1000)
    party.dice.fall(*faces)
    done(party.ben.does("level_up", character=ash.pk, abilities="str con cha"))
    ash.refresh_from_db()
    assert ash.max_hp == most
    # Who sees the dice beside it can follow the sum.
    why = "2d8 came to only 5, so 7 hit points" if most == 7 else "6 hit points from 2d8."
    assert why in told(last(party, "level_reached"))


@pytest.mark.parametrize("abilities", ["", "str con", "str str con", "str dex con cha"])
def test_kn23_three_different_abilities_rise(party: Party, ash, abilities):
    Character.objects.filter(pk=ash.pk).update(xp=1000)
    party.dice.fall(3, 3)
    answer = party.ben.does("level_up", character=ash.pk, abilities=abilities)
    assert answer.status_code in (409, 422)
    # The words stand at the abilities, and say what to do.
    assert 'data-field="abilities"' in answer.content.decode()
    if len(abilities.split()) != 3:
        assert "Choose 3 abilities that rise." in answer.content.decode()
    ash.refresh_from_db()
    assert ash.level == 1


def test_kn23_an_ability_at_its_top_is_refused_with_the_reason(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(xp=1000, strength=10)
    party.dice.fall(3, 3)
    answer = party.ben.does("level_up", character=ash.pk, abilities="str con cha")
    assert "20/+10" in refused(answer, 409)


def test_kn22_a_level_needs_its_experience(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(xp=999)
    assert "Ash needs more experience first" in refused(
        party.ben.does("level_up", character=ash.pk, abilities="str con cha"), 409
    )


def test_kn23_a_form_takes_the_level_it_was_filled_in_for_and_no_other(party: Party, ash):
    """With two levels due, two quick taps took both, the second with the first one's choice."""
    done(party.ana.does("turn_table", rules="knave"))
    Character.objects.filter(pk=ash.pk).update(xp=2000)
    for page in ("", f"knave/{ash.pk}/"):
        form = re.search(r"<form[^>]*level-form.*?</form>", party.ben.sees(page), re.DOTALL)
        assert form
        (level,) = re.findall(r'name="level" value="(\d+)"', form[0])
        assert level == "2"
    up = {"character": ash.pk, "abilities": "str con cha"}
    party.dice.fall(3, 5)
    done(party.ben.does("level_up", **up, level=2))
    assert "level 2 already" in refused(party.ben.does("level_up", **up, level=2), 409)
    party.dice.fall(3, 5, 4)
    done(party.ben.does("level_up", **up, level=3))
    ash.refresh_from_db()
    assert (ash.level, ash.strength) == (3, 3)


def test_kn23_real_d8s_are_typed(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(xp=1000)
    up = {"character": ash.pk, "abilities": "str con cha"}
    refused(party.ben.does("level_up", **up, dice="9 1"), 422)
    refused(party.ben.does("level_up", **up, dice="8"), 422)
    done(party.ben.does("level_up", **up, **{"dice-0": 8, "dice-1": 7}))
    ash.refresh_from_db()
    assert ash.max_hp == 15
    assert last(party, "level_reached").data["is_real"]


def test_kn23_the_apps_button_leaves_alone_what_was_chosen_beside_it(party: Party, ash):
    """KN-23: it stands in one form with the rows of real dice, of which some may be chosen."""
    done(party.ana.does("turn_table", rules="knave"))
    Character.objects.filter(pk=ash.pk).update(xp=1000)
    button = re.search(
        r'<button id="level-2-roll"[^>]*name="(\w+)" value="(\w+)"', party.ben.sees()
    )
    assert button
    party.dice.fall(3, 5)
    up = {"abilities": "str con cha", "dice-0": 8, button[1]: button[2]}
    done(party.ben.does("level_up", character=ash.pk, **up))
    assert last(party, "level_reached").data["faces"] == [3, 5]


def test_kn23_by_the_option_the_dice_choose_and_those_at_the_top_are_passed_over(party, ash):
    plays_by(party.table, raising="dice")
    Character.objects.filter(pk=ash.pk).update(xp=1000, strength=10)
    # Two d8; then wis 20 (no), int 3, dex 11 (no: not less), con 10, cha 1: three have risen.
    party.dice.fall(4, 4, 20, 3, 11, 10, 1)
    done(party.ben.does("level_up", character=ash.pk, abilities="wis int dex con cha"))
    ash.refresh_from_db()
    assert (ash.intelligence, ash.constitution, ash.charisma) == (2, 2, 2)
    assert (ash.strength, ash.wisdom, ash.dexterity) == (10, 1, 1)
    assert last(party, "level_reached").data["tried"][0] == ["wis", 20, False]


def test_kn23_an_order_of_all_six_passes_over_those_at_the_top(party: Party, ash):
    plays_by(party.table, raising="dice")
    Character.objects.filter(pk=ash.pk).update(xp=1000, strength=10)
    party.dice.fall(4, 4, 1, 1, 1)
    done(party.ben.does("level_up", character=ash.pk, abilities="str cha wis int dex con"))
    ash.refresh_from_db()
    assert (ash.strength, ash.charisma, ash.wisdom, ash.intelligence) == (10, 2, 2, 2)


@pytest.mark.parametrize("page", ["", "knave/{}/"])
def test_kn23_with_real_dice_the_dice_choose_too(party: Party, ash, page):
    """KN-23: where the app may roll nothing for a player, each d8 and each d20 has its place."""
    done(party.ana.does("turn_table", rules="knave"))
    plays_by(party.table, raising="dice")
    done(party.ana.does("configure", setting="dice", value="real"))
    Character.objects.filter(pk=ash.pk).update(xp=1000, strength=10)
    seen = party.ben.sees(page.format(ash.pk))
    assert 'id="level-2-roll"' not in seen
    # Two d8, and a d20 for each of the five that are not at their top.
    assert set(re.findall(r'id="level-2-d(\d)-8"', seen)) == set("0123456")
    assert set(re.findall(r'id="level-2-d(\d)-20"', seen)) == set("23456")
    faces = {f"dice-{n}": face for n, face in enumerate((4, 4, 20, 3, 10, 15, 12))}
    party.dice.fall(1)  # two have risen by what was typed: the house goes round again
    done(party.ben.does("level_up", character=ash.pk, abilities="wis int dex con cha", **faces))
    ash.refresh_from_db()
    assert (ash.wisdom, ash.intelligence, ash.dexterity) == (2, 2, 2)
    assert (ash.constitution, ash.charisma) == (1, 1)
    assert last(party, "level_reached").data["is_real"]


def test_kn23_what_the_referee_asks_for_comes_before_a_level_that_waits(party: Party, ash):
    """Two buttons were alike on the phone: the die that everybody waits for, and the level."""
    done(party.ana.does("turn_table", rules="knave"))
    Character.objects.filter(pk=ash.pk).update(xp=1000)
    done(party.ana.does("ask_saves", ability="wis"))
    page = party.ben.sees()
    assert re.search(r'<button id="ask-[^"]*" class="button primary big', page)
    assert '<summary class="button big"><span class="sheet-opener">Level 2' in page
    done(party.ana.does("close_call", call=Call.objects.get().pk))
    assert (
        '<summary class="button primary big"><span class="sheet-opener">Level 2' in party.ben.sees()
    )


def test_kn23_nothing_chosen_for_one_level_is_chosen_for_the_next(party: Party, ash):
    """Two may be due at once: the second form is another one, by all its ids."""
    done(party.ana.does("turn_table", rules="knave"))
    Character.objects.filter(pk=ash.pk).update(xp=2000)
    seen = [
        ids_of_the_level(party.ben.sees()),
        ids_of_the_level(party.ben.sees(f"knave/{ash.pk}/")),
    ]
    party.dice.fall(3, 5)
    done(party.ben.does("level_up", character=ash.pk, abilities="str con cha"))
    for page, before in zip(("", f"knave/{ash.pk}/"), seen, strict=True):
        after = ids_of_the_level(party.ben.sees(page))
        assert len(after) > len(before) > 6 + 16
        assert not after & before


def test_kn23_a_level_that_was_taken_is_one_that_the_referee_can_correct(party: Party, ash):
    """The form of corrections sends the level along, and refused all above 30."""
    Character.objects.filter(pk=ash.pk).update(xp=30_000, level=30, max_hp=100)
    party.dice.fall(*[4] * 31)
    done(party.ben.does("level_up", character=ash.pk, abilities="str con cha"))
    was = {"was_level": 31, "was_xp": 30_000, "was_max_hp": 124}
    done(party.ana.does("set_level", character=ash.pk, level=31, xp=30_500, max_hp=120, **was))
    ash.refresh_from_db()
    assert (ash.level, ash.xp, ash.max_hp) == (31, 30_500, 120)


def test_kn23_nobody_is_offered_a_level_above_the_highest(party: Party, ash):
    """The card stayed for good, with 101 rows of dice, and each try was refused."""
    done(party.ana.does("turn_table", rules="knave"))
    Character.objects.filter(pk=ash.pk).update(xp=150_000, level=99)
    assert "level-100-roll" in party.ben.sees()
    Character.objects.filter(pk=ash.pk).update(level=100)
    for page in ("", f"knave/{ash.pk}/"):
        assert "level-form" not in party.ben.sees(page)
    up = {"character": ash.pk, "abilities": "str con cha"}
    assert "from 1 to 100" in refused(party.ben.does("level_up", **up), 409)
    assert "no level above 100" in refused(party.ana.does("award_level", who=ash.pk), 409)
    ash.refresh_from_db()
    assert (ash.level, ash.xp) == (100, 150_000)


def test_kn23_somebody_of_the_highest_level_fights_like_others(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(level=100)
    fights(party)
    party.dice.fall(6)
    done(party.ana.does("fight-initiative"))
    done(party.ana.does("change_hp", character=ash.pk, by=-1))


def ids_of_the_level(html: str) -> set[str]:
    form = re.search(r"<form[^>]*level-form.*?</form>", html, re.S)
    assert form
    return set(re.findall(r' id="([^"]+)"', form[0]))
