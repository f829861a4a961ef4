"""Making a knave at the table (KN-1 to KN-7): one tap, everything rerolled or set, then taken."""

from __future__ import annotations

import pytest
from markupsafe import escape

from characters.models import Article, Character, Spell, TableRow
from characters.screens.things import spell_words
from characters.services import making
from characters.services.names import NAMES, random_name
from tests.characters.crew import (
    A_KNAVE,
    ABILITIES,
    BOW,
    GEAR,
    HP,
    SWORD,
    TRAITS,
    kept,
    knave,
    last,
    made,
    new,
    plays_by,
    takes_back,
    things_of,
    told,
)
from tests.games.party import Party, Person, done, refused

# --- one tap ---------------------------------------------------------------------------------


def test_kn1_one_tap_rolls_a_whole_knave_and_the_lowest_die_is_the_bonus(party: Party):
    draft = new(party)
    assert draft.state == "draft"
    assert (draft.strength, draft.dexterity, draft.constitution) == (4, 1, 2)
    assert (draft.intelligence, draft.wisdom, draft.charisma) == (4, 3, 1)
    assert (draft.hp, draft.max_hp, draft.level) == (HP, HP, 1)
    assert set(draft.traits) == set(making.traits.KEYS)
    assert draft.traits["alignment"]["es"]
    assert draft.name


def test_kn1_every_die_is_in_the_log(party: Party):
    new(party)
    rolled = last(party, "knave_rolled")
    assert [f for three in rolled.data["abilities"] for f in three] == ABILITIES
    assert rolled.play.faces == A_KNAVE
    assert [face for _table, face in rolled.data["gear"]] == GEAR


def test_kn3_the_kit_is_rations_a_weapon_and_what_the_tables_gave(party: Party):
    ash = made(party)
    assert ash.state == "up"
    kit = things_of(ash)
    assert kit["travel-rations"] == 2
    assert kit["sword"] == kit["gambeson"] == kit["helmet"] == kit["crowbar"] == 1
    worn = {i.article.key for i in ash.items.filter(is_equipped=True)}
    assert worn == {"sword", "gambeson", "helmet"}
    assert last(party, "knave_made").data["player"] == "Ben"


def test_kn3_a_bow_comes_with_twenty_arrows(party: Party):
    faces = [*ABILITIES, HP, *GEAR, BOW, *TRAITS]
    assert things_of(made(party, faces=faces))["arrows"] == 20


def test_kn3_gear_for_money_is_a_purse_of_3d6_times_20(party: Party):
    plays_by(party.table, gear="money")
    ash = made(party, faces=[*ABILITIES, HP, 1, 2, 3, SWORD, *TRAITS])
    assert ash.copper == 120
    assert set(things_of(ash)) == {"travel-rations", "sword"}


@pytest.mark.parametrize(
    ("is_open", "words"),
    [(True, "the shop opens once this is your knave"), (False, "as soon as the referee opens")],
)
def test_kn3_who_buys_the_gear_is_told_when(party: Party, is_open: bool, words: str):
    """A shop that is closed opens for no new knave, and whoever had just died was told that."""
    done(party.ana.does("turn_table", rules="knave"))
    plays_by(party.table, gear="money", shop_open=is_open)
    new(party, faces=[*ABILITIES, HP, 1, 2, 3, SWORD, *TRAITS])
    assert words in party.ben.sees()


@pytest.mark.parametrize(("option", "armor"), [("instead_of_armor", False), ("extra", True)])
def test_kn3_a_spell_book_instead_of_armor_or_beside_it(party: Party, option, armor):
    plays_by(party.table, spell=option)
    gear = GEAR if armor else GEAR[1:]
    ash = made(party, faces=[*ABILITIES, HP, *gear, 42, SWORD, *TRAITS])
    book = ash.items.get(kind="spell_book")
    assert book.spell.number == 42
    assert ("gambeson" in things_of(ash)) is armor


@pytest.mark.parametrize(("face", "given"), [(42, 43), (100, 1)])
def test_kn3_a_hidden_spell_gives_the_next_one(party: Party, face: int, given: int):
    Spell.objects.filter(number=face).update(is_hidden=True)
    plays_by(party.table, spell="extra")
    ash = made(party, faces=[*ABILITIES, HP, *GEAR, face, SWORD, *TRAITS])
    assert ash.items.get(kind="spell_book").spell.number == given


def test_kn3_the_knave_in_the_making_is_shown_the_spell_that_it_will_have(party: Party):
    Spell.objects.filter(number=42).update(is_hidden=True)
    plays_by(party.table, spell="extra")
    done(party.ana.does("turn_table", rules="knave"))
    new(party, faces=[*ABILITIES, HP, *GEAR, 42, SWORD, *TRAITS])
    shown = party.ben.sees()
    assert Spell.objects.get(number=43).name in shown
    assert Spell.objects.get(number=42).name not in shown


def test_kn25_what_its_spell_does_is_read_before_a_knave_is_taken(party: Party):
    """Whoever would have another one by the dice had its name alone to go by."""
    plays_by(party.table, spell="extra")
    done(party.ana.does("turn_table", rules="knave"))
    new(party, faces=[*ABILITIES, HP, *GEAR, 42, SWORD, *TRAITS])
    words = spell_words(Spell.objects.get(number=42))
    assert f'<p class="quiet-text">{escape(words)}</p>' in party.ben.sees()


def test_kn4_what_does_not_fit_is_left_at_home(party: Party):
    low = [1, 6, 6] * 6  # Constitution 11
    # Chain (3 slots), shield and helmet (2), a halberd (3), two rations: one slot is left for four.
    faces = [*low, HP, 20, 20, 6, 7, 1, 1, 13, *TRAITS]
    ash = made(party, faces=faces)
    left = ash.items.filter(is_home=True)
    assert left.exists()
    assert making.goods.numbers_of(ash)["slots_used"].value <= 11


def test_kn7_a_name_may_come_along_and_one_is_found_for_who_gives_none(party: Party):
    draft = new(party)
    done(party.ben.does("confirm_knave", character=draft.pk, name="  ليلى الأندلسية\u202e "))
    draft.refresh_from_db()
    assert draft.name == "ليلى الأندلسية"
    assert made(party, party.ana).name in NAMES.split()


def test_names_enough_for_a_long_campaign():
    assert len(set(NAMES.split())) >= 60
    assert random_name(NAMES.split()) not in NAMES.split()


# --- before it is taken ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "faces", "field", "value"),
    [
        ("hp", [2], "hp", 2),
        ("abilities", [5] * 18, "strength", 5),
        ("abilities", [5] * 18, "charisma", 5),
    ],
)
def test_kn7_a_part_is_rolled_again(party: Party, part, faces, field, value):
    draft = new(party)
    party.dice.fall(*faces)
    done(party.ben.does("reroll", character=draft.pk, part=part))
    draft.refresh_from_db()
    assert getattr(draft, field) == value
    assert last(party, "knave_rerolled").play.faces == faces


def test_kn7_one_trait_is_rolled_again_and_the_others_stay(party: Party):
    draft = new(party)
    party.dice.fall(20)
    done(party.ben.does("reroll", character=draft.pk, part="trait", key="physique"))
    after = Character.objects.get(pk=draft.pk)
    assert after.traits.pop("physique")["en"] == "Wiry"
    draft.traits.pop("physique")
    assert after.traits == draft.traits


def test_kn7_a_trait_is_chosen_in_either_language_or_written(party: Party):
    draft = new(party)
    done(party.ben.does("set_trait", character=draft.pk, trait="physique", text="musculoso"))
    done(party.ben.does("set_trait", character=draft.pk, trait="face", text="like a full moon"))
    done(party.ben.does("set_trait", character=draft.pk, trait="skin"))
    draft.refresh_from_db()
    assert draft.traits["physique"] == {"en": "Brawny", "es": "Musculoso"}
    assert draft.traits["face"] == {"en": "like a full moon"}
    assert "skin" not in draft.traits


def test_kn7_a_written_trait_stays_when_another_part_is_rolled_again(party: Party):
    draft = new(party)
    done(party.ben.does("set_trait", character=draft.pk, trait="face", text="like a full moon"))
    party.dice.fall(2)
    done(party.ben.does("reroll", character=draft.pk, part="hp"))
    draft.refresh_from_db()
    assert draft.traits["face"] == {"en": "like a full moon"}
    party.dice.fall(2)
    done(party.ben.does("reroll", character=draft.pk, part="trait", key="face"))
    draft.refresh_from_db()
    assert draft.traits["face"]["en"] == "Blunt"


def test_kn3_the_weapon_is_the_players_choice(party: Party):
    draft = new(party)
    done(party.ben.does("choose_weapon", character=draft.pk, weapon="halberd"))
    refused(party.ben.does("choose_weapon", character=draft.pk, weapon="torch"), 422)
    done(party.ben.does("confirm_knave", character=draft.pk))
    assert "halberd" in things_of(draft)


def test_kn2_two_abilities_are_swapped_once(party: Party):
    draft = new(party)
    done(party.ben.does("swap_abilities", character=draft.pk, first="str", second="cha"))
    draft.refresh_from_db()
    assert (draft.strength, draft.charisma) == (1, 4)
    assert "Two abilities may be swapped once" in refused(
        party.ben.does("swap_abilities", character=draft.pk, first="dex", second="wis"), 409
    )
    draft.refresh_from_db()
    assert (draft.dexterity, draft.wisdom) == (1, 3)


def test_kn2_a_swap_takes_two_different_abilities(party: Party):
    draft = new(party)
    assert "A swap takes two different abilities" in refused(
        party.ben.does("swap_abilities", character=draft.pk, first="str", second="str"), 422
    )


def test_kn7_where_the_dice_stand_only_choices_are_open(party: Party):
    plays_by(party.table, may_reroll=False)
    draft = new(party)
    for part in ("abilities", "hp", "gear", "all"):
        assert "At this table the dice stand as they fell" in refused(
            party.ben.does("reroll", character=draft.pk, part=part), 409
        )
    refused(party.ben.does("discard_knave", character=draft.pk), 409)
    refused(party.ben.does("type_abilities", character=draft.pk, faces="6" * 18), 409)
    done(party.ben.does("choose_weapon", character=draft.pk, weapon="dagger"))
    done(party.ben.does("set_trait", character=draft.pk, trait="vice", text="Greedy"))
    done(party.ben.does("swap_abilities", character=draft.pk, first="str", second="cha"))
    done(party.ben.does("confirm_knave", character=draft.pk, name="Moth"))
    done(party.ana.does("discard_knave", character=new(party, party.ana).pk))


# --- refusals, undo, words -------------------------------------------------------------------


def test_nothing_breaks_when_the_host_has_hidden_half_the_book(party: Party):
    TableRow.objects.filter(table="dungeoneering-gear").update(is_hidden=True)
    TableRow.objects.filter(table="physique").update(is_hidden=True)
    Article.objects.filter(key__in=["gambeson", "arrows", "travel-rations"]).update(is_hidden=True)
    ash = made(party, faces=[*ABILITIES, HP, *GEAR, BOW, *TRAITS])
    assert not {"gambeson", "arrows", "travel-rations"} & set(things_of(ash))
    assert "physique" not in ash.traits


def test_without_a_weapon_in_the_book_the_app_says_so(party: Party):
    Article.objects.filter(kind="weapon").update(is_hidden=True)
    assert "weapons" in refused(party.ben.does("new_knave"), 409)


def pitch() -> None:
    """Write a row of the host's own over the book's for a 2."""
    TableRow.objects.create(
        key="own",
        name="Pitch",
        table="general-gear-2",
        low=2,
        high=2,
        is_own=True,
        items=[["torch", 3]],
    )


def test_a_row_of_the_hosts_own_goes_before_the_one_it_overlaps(party: Party):
    pitch()
    assert things_of(made(party))["torch"] == 3


def test_kn3_what_the_dice_said_is_told_by_the_row_that_gave_something(party: Party):
    """The draft named the book's row beside what the host's own had given, and so did a roll."""
    pitch()
    done(party.ana.does("turn_table", rules="knave"))
    new(party)
    assert "General gear 2 2: Pitch" in party.ben.sees()
    party.dice.fall(2)
    done(party.ana.does("roll_table", table="general-gear-2"))
    assert last(party, "table_rolled").data["result"]["en"] == "Pitch"


def cases(party: Party) -> dict[str, tuple[Person, dict[str, object], list[int]]]:
    """Every deed of making, ready to be done by somebody: fields and dice."""
    draft = new(party)
    free = knave(party.table, None, "Moth")
    (dora,) = party.welcomes("Dora")
    key = {"character": draft.pk}
    return {
        "reroll": (party.ben, {**key, "part": "all"}, [*ABILITIES, 3, *A_KNAVE[19:]]),
        "type_abilities": (party.ben, {**key, "faces": "3" * 18}, []),
        "choose_weapon": (party.ben, {**key, "weapon": "axe"}, []),
        "set_trait": (party.ben, {**key, "trait": "vice", "text": "proud"}, []),
        "swap_abilities": (party.ben, {**key, "first": "str", "second": "cha"}, []),
        "confirm_knave": (party.ben, {**key, "name": "Vela"}, []),
        "discard_knave": (party.ben, key, []),
        "add_party": (party.ana, {"count": 1}, A_KNAVE),
        "claim_knave": (dora, {"character": free.pk}, []),
        "hand_knave": (party.ana, {"character": free.pk, "seat_to": dora.seat}, []),
        "new_knave": (dora, {}, A_KNAVE),
    }


@pytest.mark.parametrize(
    "action",
    [
        "reroll",
        "type_abilities",
        "choose_weapon",
        "set_trait",
        "swap_abilities",
        "confirm_knave",
        "discard_knave",
        "add_party",
        "claim_knave",
        "hand_knave",
        "new_knave",
    ],
)
def test_an_undo_sets_every_row_back_and_the_deed_has_words(party: Party, action):
    who, fields, faces = cases(party)[action]
    before = kept()
    party.dice.fall(*faces)
    done(who.does(action, **fields))
    assert kept() != before
    event = party.events()[-1]
    assert told(event)
    assert told(event, "es")
    takes_back(party, event)
    assert kept() == before


def test_kn16_a_death_taken_back_leaves_one_knave_to_its_player(party: Party, ash: Character):
    """The one who lives goes on: the next one waits, half made, until somebody needs it."""
    done(party.ana.does("turn_table", rules="knave"))
    hurt = {"character": ash.pk, "by": -9}
    done(party.ben.does("change_hp", **hurt))
    draft = new(party)
    takes_back(party, last(party, "hp_changed"))
    assert "Ash, who is alive" in refused(party.ben.does("confirm_knave", character=draft.pk), 409)
    page = party.ben.sees()
    assert "waits in case you need a new knave" in page
    assert 'id="confirm"' not in page
    done(party.ben.does("change_hp", **hurt))
    assert 'id="confirm"' in party.ben.sees()
    done(party.ben.does("confirm_knave", character=draft.pk))
