"""Creating characters: dice, swap, gear, money, rerolls, packing (KN-1 to KN-7)."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from games.rules.dice import RecordedDice, SeededDice, TypedDice
from games.rules.engine import IllegalAction
from games.rules.knave.abilities import Ability, Bonuses
from games.rules.knave.creation import (
    STARTING_ROLLS,
    AbilityRoll,
    Draft,
    GearRoll,
    Options,
    Purse,
    TraitRoll,
    create,
    dice_of,
    of_level,
    party,
    reroll,
    roll_abilities,
    swap,
    with_swap,
    with_trait,
    with_weapon,
)
from tests.rules.knave.drafts import TABLES, TRAITS, WEAPONS, draft, every_option

SOURCES = {"tables": TABLES, "trait_tables": TRAITS, "weapons": WEAPONS}

SCORES = (2, 2, 6, 4, 1, 3, 5, 5, 5, 6, 6, 6, 1, 1, 1, 3, 2, 2)
"""Eighteen d6: bonuses 2, 1, 5, 6, 1, 2."""


def typed(*faces: int) -> TypedDice:
    return TypedDice((*SCORES, *faces))


def test_case_1_the_lowest_of_3d6_is_the_bonus_and_ten_more_the_defense():
    roll = AbilityRoll((2, 2, 6))
    assert (roll.bonus, roll.defense) == (2, 12)


def test_kn1_the_six_abilities_are_rolled_in_order_and_every_die_is_kept():
    rolls = roll_abilities(TypedDice(SCORES))
    assert rolls[0] == AbilityRoll((2, 2, 6))
    assert [face for roll in rolls for face in roll.faces] == list(SCORES)
    assert [roll.bonus for roll in rolls] == [2, 1, 5, 6, 1, 2]


def test_kn2_a_swap_exchanges_two_scores_with_their_dice():
    rolls = roll_abilities(TypedDice(SCORES))
    swapped = swap(rolls, "str", Ability.INTELLIGENCE)
    assert [roll.bonus for roll in swapped] == [6, 1, 5, 2, 1, 2]
    assert swapped[3].faces == (2, 2, 6)
    assert swap(swapped, "int", "str") == rolls


@pytest.mark.parametrize(("pair", "rule"), [(("str", "str"), "KN-2"), (("str", "luck"), "KN-1")])
def test_kn2_a_swap_takes_two_different_abilities(pair, rule):
    with pytest.raises(IllegalAction, match=rule):
        swap(roll_abilities(TypedDice(SCORES)), *pair)


@given(st.lists(st.permutations([a.value for a in Ability]).map(lambda p: tuple(p[:2]))))
def test_kn2_whatever_was_tried_there_is_one_swap_at_most(pairs):
    rolled = tried = draft()
    for pair in pairs:
        tried = with_swap(tried, pair)
        assert tried.abilities == swap(rolled.abilities, *pair)
        assert tried.swapped == pair
    assert with_swap(tried, None) == rolled


def test_kn7_one_tap_creates_a_whole_character():
    dice = typed(6, 20, 14, 1, 20, 9, 3, 5, 11, 20)
    assert create(dice, TABLES, TRAITS, WEAPONS) == Draft(
        abilities=roll_abilities(TypedDice(SCORES)),
        swapped=None,
        hp=6,
        gear=(
            GearRoll("armor", 20, (("chain", 1),)),
            GearRoll("helmets-and-shields", 14, (("helmet", 1),)),
            GearRoll("dungeoneering-gear", 1, (("rope-50ft", 1),)),
            GearRoll("dungeoneering-gear", 20, (("torch", 5),)),
            GearRoll("general-gear-1", 9, (("net", 1),)),
            GearRoll("general-gear-2", 3, (("lens", 1),)),
        ),
        weapon="bow",
        purse=None,
        spell_book=None,
        traits=(TraitRoll("physique", 11), TraitRoll("alignment", 20)),
    )
    assert dice.unused == 0


def test_kn3_money_replaces_the_rolls_on_the_tables():
    made = create(typed(8, 3, 4, 5, 1, 1, 1), TABLES, TRAITS, WEAPONS, Options(gear="money"))
    assert made.purse == Purse((3, 4, 5), 240)
    assert made.gear == ()
    assert made.weapon == "dagger"


@pytest.mark.parametrize(
    ("spell", "has_book", "has_armor"),
    [("none", False, True), ("instead_of_armor", True, False), ("extra", True, True)],
)
def test_kn3_a_spell_book_replaces_armor_or_is_added(spell, has_book, has_armor):
    made = draft(spell=spell)
    assert (made.spell_book is not None) == has_book
    tables = [roll.table for roll in made.gear]
    assert tables == list(STARTING_ROLLS if has_armor else STARTING_ROLLS[1:])


def test_kn3_the_spell_is_rolled_with_a_d100():
    numbers = {draft(seed, spell="extra").spell_book for seed in range(300)}
    assert min(numbers) < 5
    assert max(numbers) > 95
    assert numbers <= set(range(1, 101))


def test_kn3_the_weapon_is_the_players_choice_and_takes_no_die_then():
    dice = RecordedDice(SeededDice(1))
    made = create(dice, TABLES, TRAITS, WEAPONS, weapon="crossbow")
    assert made.weapon == "crossbow"
    assert len(dice.faces) == 18 + 1 + 6 + 2
    assert with_weapon(made, "sling", WEAPONS).weapon == "sling"


def test_kn3_a_weapon_that_does_not_exist_is_refused():
    with pytest.raises(IllegalAction, match="KN-3"):
        create(SeededDice(1), TABLES, TRAITS, WEAPONS, weapon="bazooka")
    with pytest.raises(IllegalAction, match="KN-3"):
        with_weapon(draft(), "bazooka", WEAPONS)


def test_kn3_an_unchosen_weapon_is_as_likely_as_any_other():
    faces = range(1, len(WEAPONS) + 1)
    rolled = [reroll(draft(), "weapon", TypedDice([f]), **SOURCES).weapon for f in faces]
    assert rolled == list(WEAPONS)


@given(st.integers(0), every_option)
def test_kn6_and_kn7_every_created_character_is_within_the_rules(seed, options):
    made = create(SeededDice(seed), TABLES, TRAITS, WEAPONS, options)
    assert len(made.abilities) == 6
    assert all(1 <= roll.bonus <= 6 for roll in made.abilities)
    assert made.bonuses == Bonuses(*(min(roll.faces) for roll in made.abilities))
    assert 1 <= made.hp <= 8
    assert [trait.table for trait in made.traits] == list(TRAITS)
    assert (made.purse is None) == (options.gear == "tables")
    if made.purse:
        assert made.purse.copper == sum(made.purse.faces) * 20
        assert 60 <= made.purse.copper <= 360


@given(st.integers(0), every_option)
def test_a_draft_survives_being_stored(seed, options):
    made = create(SeededDice(seed), TABLES, TRAITS, WEAPONS, options)
    assert msgspec.json.decode(msgspec.json.encode(made), type=Draft) == made


@pytest.mark.parametrize(
    ("part", "faces", "changed"),
    [
        ("abilities", SCORES, {"abilities"}),
        ("hp", [8], {"hp"}),
        ("gear", [20] * 6, {"gear"}),
        ("spell", [77], {"spell_book"}),
        ("weapon", [6], {"weapon"}),
        ("traits", [19, 18], {"traits"}),
        ("trait:alignment", [18], {"traits"}),
    ],
)
def test_kn7_every_part_is_rolled_anew_by_itself(part, faces, changed):
    options = Options(spell="extra")
    before = replace(
        draft(spell="extra"), hp=1, spell_book=1, weapon="dagger",
        traits=(TraitRoll("physique", 1), TraitRoll("alignment", 1)),
    )  # fmt: skip
    dice = TypedDice(faces)
    after = reroll(before, part, dice, **SOURCES, options=options)
    differing = {
        name for name in Draft.__struct_fields__ if getattr(before, name) != getattr(after, name)
    }
    assert differing == changed
    assert dice.unused == 0


class SidesAsked:
    """Dice that note how many sides each had."""

    def __init__(self) -> None:
        self.sides: tuple[int, ...] = ()

    def roll(self, sides: int) -> int:
        self.sides += (sides,)
        return 1


@pytest.mark.parametrize(
    ("part", "gear", "sides"),
    [
        ("abilities", "tables", (6,) * 18),
        ("hp", "tables", (8,)),
        ("gear", "tables", (20,) * 6),
        ("gear", "money", (6, 6, 6)),
        ("spell", "tables", (100,)),
        ("trait", "tables", (20,)),
    ],
)
def test_kn7_who_has_real_dice_is_asked_for_the_very_dice_that_are_rolled(part, gear, sides):
    """KN-1, KN-3, KN-6, KN-25."""
    dice, options = SidesAsked(), Options(gear=gear, spell="extra")
    rolled = "trait:physique" if part == "trait" else part
    reroll(draft(spell="extra"), rolled, dice, **SOURCES, options=options)
    assert dice.sides == dice_of(part, options) == sides


def test_kn7_one_trait_leaves_the_others_alone():
    after = reroll(draft(), "trait:alignment", TypedDice([18]), **SOURCES)
    assert after.traits == (draft().traits[0], TraitRoll("alignment", 18))


def test_kn7_rolling_the_abilities_anew_takes_the_swap_back():
    swapped = with_swap(draft(), ("str", "int"))
    after = reroll(swapped, "abilities", TypedDice(SCORES), **SOURCES)
    assert (after.abilities, after.swapped) == (roll_abilities(TypedDice(SCORES)), None)


def test_kn7_all_of_it_can_be_rolled_anew():
    options = Options(gear="money", spell="extra")
    again = reroll(draft(), "all", SeededDice(9), **SOURCES, options=options)
    assert again == create(SeededDice(9), TABLES, TRAITS, WEAPONS, options)


def test_kn3_money_can_be_rolled_anew():
    options = Options(gear="money")
    after = reroll(draft(gear="money"), "gear", TypedDice([6, 6, 6]), **SOURCES, options=options)
    assert (after.purse, after.gear) == (Purse((6, 6, 6), 360), ())


@pytest.mark.parametrize(
    "part", ["", "luck", "trait:", "trait:luck", "trait", "hp:1", "spell", "gear:2", "ALL"]
)
def test_kn7_a_part_that_does_not_exist_is_refused(part):
    dice = RecordedDice(SeededDice(1))
    with pytest.raises(IllegalAction, match="no such part"):
        reroll(draft(), part, dice, **SOURCES)
    assert dice.faces == []


@pytest.mark.parametrize("part", ["abilities", "hp", "gear", "spell", "all"])
def test_kn7_a_table_may_let_the_dice_stand(part):
    strict = Options(spell="extra", may_reroll=False)
    with pytest.raises(IllegalAction, match="stand"):
        reroll(draft(spell="extra"), part, SeededDice(1), **SOURCES, options=strict)


@pytest.mark.parametrize("part", ["weapon", "traits", "trait:physique"])
def test_kn7_weapon_and_traits_are_the_players_even_where_the_dice_stand(part):
    strict = Options(may_reroll=False)
    after = [reroll(draft(), part, SeededDice(n), **SOURCES, options=strict) for n in range(9)]
    assert len(set(after)) > 1


@pytest.mark.parametrize("face", [1, 20])
def test_kn7_a_trait_may_be_chosen(face):
    assert with_trait(draft(), "physique", face).traits[0] == TraitRoll("physique", face)


@pytest.mark.parametrize(("table", "face"), [("physique", 0), ("physique", 21), ("luck", 3)])
def test_kn7_a_trait_that_does_not_exist_is_refused(table, face):
    with pytest.raises(IllegalAction, match="KN-7"):
        with_trait(draft(), table, face)


def test_kn23_a_character_of_a_level_in_one_go_grows_from_the_draft():
    veteran = of_level(draft(), 4, SeededDice(5))
    assert (veteran.level, veteran.xp) == (4, 3000)
    assert [len(step.faces) for step in veteran.steps] == [2, 3, 4]
    risen = sum(msgspec.structs.astuple(veteran.bonuses))
    assert risen == sum(msgspec.structs.astuple(draft().bonuses)) + 9
    assert veteran.max_hp >= draft().hp


def test_kn23_where_abilities_are_chosen_the_first_three_rise():
    made = replace(draft(), abilities=(AbilityRoll((1, 1, 1)),) * 6)
    veteran = of_level(made, 2, SeededDice(5), raises="chosen")
    assert veteran.bonuses == replace(made.bonuses, str=2, dex=2, con=2)


def test_kn7_a_party_is_rolled_at_once():
    made = party(4, SeededDice(2), TABLES, TRAITS, WEAPONS, options=Options(gear="money"))
    assert len(set(made)) == 4
    assert all(each.purse for each in made)


@pytest.mark.parametrize("size", [1, 30])
def test_kn7_a_party_may_be_one_alone_or_as_large_as_thirty(size):
    assert len(party(size, SeededDice(2), TABLES, TRAITS, WEAPONS)) == size


@pytest.mark.parametrize("size", [0, -1, 31, 10**9])
def test_kn7_a_party_has_a_sensible_size(size):
    with pytest.raises(IllegalAction, match="KN-7"):
        party(size, SeededDice(2), TABLES, TRAITS, WEAPONS)
