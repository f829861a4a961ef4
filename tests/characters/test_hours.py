"""Turns, lights, nights and havens, wages that come due."""

from __future__ import annotations

import pytest

from characters.models import Article, Call, Character, Item
from characters.models import Party as PartyRow
from tests.characters.arena import Arena, holds, knave, rations
from tests.characters.crew import told
from tests.games.party import Party, done, fresh, refused
from tests.set_back import kept_rows


def light(character: Character, **more) -> Item:
    figures = {"kind": "light", "burns_turns": 6, "is_lit": True, **more}
    return holds(character, "torch", **figures)


def hireling(employer: Character, **more) -> Character:
    figures = {"hp": 1, "max_hp": 4, "state": "up", "name": "Carl", "wage": 6, **more}
    return Character.objects.create(
        table=employer.table, kind="hireling", employer=employer, constitution=0, **figures
    )


# --- turns and light -----------------------------------------------------------------------------
def test_turns_pass_and_lights_burn_down(arena: Arena):
    torch = light(arena.ash, turns_left=5)
    done(arena.ana.does("pass_turns", turns=4))
    assert (arena.party.day, arena.party.turn) == (1, 52)
    assert fresh(torch).turns_left == 1
    assert told(arena.last("turns_passed")) == "4 turns pass: 08:40 on day 1."


def test_time_passes_at_a_table_that_has_no_party_yet(party: Party):
    done(party.ana.does("pass_turns", turns=4))
    begun = PartyRow.objects.get(table=party.table)
    assert (begun.day, begun.turn) == (1, 52)


def test_a_light_that_has_not_burnt_yet_burns_from_its_whole_time(arena: Arena):
    torch = light(arena.ash)
    done(arena.ana.does("pass_turns", turns=2))
    assert fresh(torch).turns_left == 4


def test_a_light_put_out_does_not_burn(arena: Arena):
    torch = light(arena.ash, turns_left=5, is_lit=False)
    done(arena.ana.does("pass_turns", turns=20))
    assert fresh(torch).turns_left == 5


def test_a_torch_burnt_out_is_gone_and_its_bearer_is_told(arena: Arena):
    torch = light(arena.ash, turns_left=3)
    done(arena.ana.does("pass_turns", turns=3))
    assert not Item.objects.filter(pk=torch.pk).exists()
    assert told(arena.last("light_burnt_out")) == "Ash's light burns out: torch."


def test_one_of_a_bundle_burns_out(arena: Arena):
    torches = light(arena.ash, turns_left=3, count=4, bundle=5)
    done(arena.ana.does("pass_turns", turns=9))
    left = fresh(torches)
    assert (left.count, left.is_lit, left.turns_left) == (3, False, None)


def test_a_lantern_stays_when_its_oil_is_burnt(arena: Arena):
    lantern = Article.objects.create(key="test-lamp", name="Lamp", kind="light", burns_turns=24)
    Article.objects.create(key="test-oil", name="Oil", kind="fuel", feeds="test-lamp")
    lamp = light(arena.ash, article=lantern, turns_left=1)
    done(arena.ana.does("pass_turns", turns=1))
    assert (fresh(lamp).is_lit, fresh(lamp).turns_left) == (False, None)


def test_a_light_that_never_burns_down_goes_on(arena: Arena):
    stone = light(arena.ash, burns_turns=None)
    done(arena.ana.does("pass_turns", turns=144))
    assert fresh(stone).is_lit


def test_turned_back_only_the_clock_moves(arena: Arena):
    torch, carl = light(arena.ash, turns_left=5), hireling(arena.ash)
    done(arena.ana.does("pass_turns", turns=100))
    assert (arena.party.day, arena.party.turn) == (2, 4)
    done(arena.ana.does("pass_turns", turns=-100))
    assert (arena.party.day, arena.party.turn) == (1, 48)
    assert not Item.objects.filter(pk=torch.pk).exists()
    assert fresh(carl).days_owed == 1
    done(arena.ana.does("pass_turns", turns=-144))
    assert (arena.party.day, arena.party.turn) == (1, 0)


def test_only_the_host_moves_the_clock_and_by_no_more_than_a_day(arena: Arena):
    refused(arena.ben.does("pass_turns", turns=1), 403)
    for turns in (0, 145, -145, 10**30, "soon"):
        refused(arena.ana.does("pass_turns", turns=turns), 422)


def test_undo_of_passing_turns_brings_the_light_back(arena: Arena):
    light(arena.ash, turns_left=3)
    light(arena.ash, turns_left=3, count=2)
    hireling(arena.ash)
    before = kept_rows()
    done(arena.ana.does("pass_turns", turns=100))
    arena.undoes("turns_passed")
    assert kept_rows() == before


def test_kn25_midnight_alone_refreshes_no_spell_book(arena: Arena):
    book = holds(arena.ash, "book", kind="spell_book", cast_on=1)
    done(arena.ana.does("pass_turns", turns=120))
    assert fresh(book).cast_on == arena.party.day == 2
    done(arena.ana.does("make_camp", kind="night"))
    assert fresh(book).cast_on is None


@pytest.mark.parametrize("kind", ["night", "haven"])
def test_kn25_a_book_that_lies_on_the_ground_through_a_rest_is_refreshed(arena: Arena, kind: str):
    """Whoever took it up in the morning was told that it works once a day, until they had slept."""
    book = holds(arena.ash, "book", kind="spell_book")
    done(arena.ben.does("cast_spell", item=book.pk))
    done(arena.ben.does("drop_item", item=book.pk))
    done(arena.ana.does("make_camp", kind=kind))
    done(arena.ben.does("claim_item", item=book.pk, character=arena.ash.pk))
    done(arena.ben.does("cast_spell", item=book.pk))


# --- a night -------------------------------------------------------------------------------------
def test_kn21_a_night_asks_every_living_knave_and_the_morning_comes(arena: Arena):
    [cy] = arena.cast.welcomes("Cy")
    moth = knave(cy, "Moth", hp=1)
    Character.objects.create(table=arena.table, state="dead", name="Late", hp=-1, seat=cy.row)
    done(arena.ana.does("pass_turns", turns=60))
    done(arena.ana.does("make_camp", kind="night"))
    assert (arena.party.day, arena.party.turn) == (2, 48)
    call = Call.objects.get()
    assert call.kind == "night"
    assert {a.character for a in call.answers.all()} == {arena.ash, moth}
    assert "day 2 begins" in told(arena.last("night_rest"))


def sleeps(arena: Arena, face: int | None, **typed) -> None:
    if face is not None:
        arena.dice.fall(face)
    call = Call.objects.get(is_open=True)
    done(arena.ben.does("roll_save", character=arena.ash.pk, call=call.pk, **typed))


def test_kn21_a_night_heals_a_d8_and_constitution_and_costs_a_ration(arena: Arena):
    Character.objects.update(hp=1, max_hp=20, constitution=2)
    food = rations(arena.ash, 2)
    done(arena.ana.does("make_camp", kind="night"))
    sleeps(arena, 5)
    assert fresh(arena.ash).hp == 8
    assert fresh(food).count == 1
    answer = Call.objects.get().answers.get()
    assert (answer.total, answer.faces, answer.is_success) == (7, [5], True)
    assert told(arena.last("night_rested")) == "Ash eats, sleeps, rolls 5 and regains 7 hit points."


def test_who_lacked_nothing_regains_nothing(arena: Arena):
    """It said "regains 0 hit points"."""
    rations(arena.ash)
    Character.objects.update(hp=4, max_hp=4)
    done(arena.ana.does("make_camp", kind="night"))
    sleeps(arena, 5)
    assert told(arena.last("night_rested")) == "Ash eats, sleeps, rolls 5 and regains nothing."


def test_kn21_never_above_the_maximum_and_the_last_ration_is_gone(arena: Arena):
    Character.objects.update(hp=4)
    food = rations(arena.ash)
    done(arena.ana.does("make_camp", kind="night"))
    sleeps(arena, None, dice="8")
    assert fresh(arena.ash).hp == 5
    assert not Item.objects.filter(pk=food.pk).exists()
    assert arena.last("night_rested").data["is_real"] is True


def test_kn21_an_unconscious_sleeper_wakes(arena: Arena):
    Character.objects.update(hp=0, state="unconscious")
    rations(arena.ash)
    done(arena.ana.does("make_camp", kind="night"))
    sleeps(arena, 1)
    assert (fresh(arena.ash).hp, fresh(arena.ash).state) == (2, "up")


def test_kn21_without_a_meal_nothing_heals(arena: Arena):
    Character.objects.update(hp=1)
    done(arena.ana.does("turn_table", rules="knave"))
    holds(arena.ash, "rations", kind="ration", is_home=True)
    done(arena.ana.does("make_camp", kind="night"))
    asked = arena.ben.sees()
    assert "No ration is left" in asked, "it is said while a friend may still give one"
    assert "Roll the d8" not in asked
    rations(arena.ash)
    assert "Roll the d8" in arena.ben.sees()
    Item.objects.filter(is_home=False, kind="ration").delete()
    sleeps(arena, None)
    assert fresh(arena.ash).hp == 1
    assert Call.objects.get().answers.get().total == 0
    assert "without a meal" in told(arena.last("slept_hungry"))


def test_kn21_with_real_dice_the_hungry_have_no_die_to_roll(arena: Arena):
    Character.objects.update(hp=1)
    done(arena.ana.does("turn_table", rules="knave"))
    done(arena.ana.does("configure", setting="dice", value="real"))
    done(arena.ana.does("make_camp", kind="night"))
    call, page = Call.objects.get(), arena.ben.sees()
    assert "Sleep hungry" in page
    assert f'id="ask-{call.pk}-{arena.ash.pk}-face-8"' not in page
    done(arena.ben.does("roll_save", character=arena.ash.pk, call=call.pk))
    assert (fresh(arena.ash).hp, call.answers.get().total) == (1, 0)


def test_a_night_is_slept_once(arena: Arena):
    rations(arena.ash, 3)
    done(arena.ana.does("make_camp", kind="night"))
    sleeps(arena, 1)
    call = Call.objects.get()
    answer = arena.ben.does("roll_save", character=arena.ash.pk, call=call.pk)
    assert "already" in refused(answer, 409)


def test_a_typed_d8_shows_one_to_eight(arena: Arena):
    rations(arena.ash)
    done(arena.ana.does("make_camp", kind="night"))
    call = Call.objects.get()
    for faces in ({"dice": "9"}, {"dice": "0"}, {"dice-0": "3", "dice-1": "3"}):
        refused(arena.ben.does("roll_save", character=arena.ash.pk, call=call.pk, **faces), 422)
    assert Item.objects.filter(kind="ration").exists()


def test_the_house_rolls_the_night_of_those_who_are_missing(arena: Arena):
    Character.objects.update(hp=1, max_hp=9)
    rations(arena.ash)
    done(arena.ana.does("make_camp", kind="night"))
    arena.dice.fall(4)
    done(arena.ana.does("roll_missing", call=Call.objects.get().pk))
    assert fresh(arena.ash).hp == 6


def test_who_died_since_is_not_listed_among_those_who_have_not_rolled(arena: Arena):
    """What said that one still had to roll stood above two who had not."""
    [cy] = arena.cast.welcomes("Cy")
    moth = knave(cy, "Moth", hp=1)
    done(arena.ana.does("make_camp", kind="night"))
    done(arena.ana.does("turn_table", rules="knave"))
    assert arena.ana.sees("gm/").count("has not rolled") == 2
    done(arena.ana.does("hurt_many", amount=9, who=moth.pk))
    shown = arena.ana.sees("gm/")
    assert "1 still has to roll" in shown
    assert shown.count("has not rolled") == 1


def test_the_next_camp_closes_the_last_ones_call(arena: Arena):
    done(arena.ana.does("make_camp", kind="night"))
    done(arena.ana.does("make_camp", kind="night"))
    assert [c.is_open for c in Call.objects.order_by("pk")] == [False, True]


def test_with_real_dice_a_hireling_s_night_is_asked_of_the_employer(arena: Arena):
    """KN-21: the app rolls no d8 there; the employer's ration feeds both (KN-24)."""
    done(arena.ana.does("turn_table", rules="knave"))
    done(arena.ana.does("configure", setting="dice", value="real"))
    carl = hireling(arena.ash)
    rations(arena.ash, 2)
    done(arena.ana.does("make_camp", kind="night"))
    assert (fresh(carl).hp, fresh(carl).days_owed) == (1, 1)
    assert carl.name in told(arena.last("night_rest")), "who is asked to roll is named"
    call = Call.objects.get()
    page = arena.ben.sees()
    assert f'id="ask-{call.pk}-{carl.pk}-face-8"' in page
    assert "No ration is left" not in page
    for one in (carl, arena.ash):
        done(arena.ben.does("roll_save", character=one.pk, call=call.pk, dice="2"))
    assert (fresh(carl).hp, arena.last("night_rested").data["is_real"]) == (3, True)
    assert not Item.objects.filter(kind="ration").exists()


def test_hirelings_sleep_too_and_their_employer_feeds_them(arena: Arena):
    """Without taking the last ration from who owns it and has yet to sleep (KN-21)."""
    carl = hireling(arena.ash)
    own = rations(arena.ash, 2)
    arena.dice.fall(2)
    done(arena.ana.does("make_camp", kind="night"))
    assert (fresh(carl).hp, fresh(carl).days_owed, fresh(own).count) == (3, 1, 1)
    assert arena.cast.last_play.faces == [2]
    done(arena.ana.does("make_camp", kind="night"))
    assert (fresh(carl).hp, fresh(carl).days_owed, fresh(own).count) == (3, 2, 1)
    assert arena.last("slept_hungry").data["name"] == "Carl"


def test_lights_are_put_out_for_the_night(arena: Arena):
    torch = light(arena.ash, turns_left=4)
    done(arena.ana.does("make_camp", kind="night"))
    assert (fresh(torch).is_lit, fresh(torch).turns_left) == (False, 4)


# --- a haven -------------------------------------------------------------------------------------
def test_kn21_a_haven_makes_everybody_whole_without_dice_or_food(arena: Arena):
    carl = hireling(arena.ash)
    book = holds(arena.ash, "book", kind="spell_book", cast_on=1)
    Character.objects.filter(pk=arena.ash.pk).update(hp=0, state="unconscious")
    done(arena.ana.does("make_camp", kind="haven"))
    assert (fresh(arena.ash).hp, fresh(arena.ash).state) == (5, "up")
    assert (fresh(carl).hp, fresh(carl).days_owed) == (4, 1)
    assert fresh(book).cast_on is None
    assert not Call.objects.exists()
    assert "safe haven" in told(arena.last("haven_rest"))


def test_kn21_a_haven_makes_a_knave_whole_whom_nobody_plays(arena: Arena):
    """It stayed at one hit point until its player was back; who lacks nothing is not spoken of."""
    moth = knave(arena.ben, "Moth", hp=0)
    vela = knave(arena.ben, "Vela")
    Character.objects.filter(pk__in=[moth.pk, vela.pk]).update(seat=None)
    Character.objects.filter(pk=moth.pk).update(state="unconscious")
    done(arena.ana.does("make_camp", kind="haven"))
    assert (fresh(moth).hp, fresh(moth).state) == (5, "up")
    assert told(arena.last("haven_rest")) == "A safe haven makes Ash and Moth whole. Day 2 begins."


def test_kn21_the_log_names_the_hirelings_whom_a_haven_makes_whole(arena: Arena):
    """They were healed, and neither the log nor their own record had a word of it."""
    carl = hireling(arena.ash)
    hireling(arena.ash, name="Dirk", is_hidden=True)
    done(arena.ana.does("make_camp", kind="haven"))
    event = arena.last("haven_rest")
    assert told(event) == "A safe haven makes Ash and Carl whole. Day 2 begins."
    assert event.to is None
    assert carl.mentions.filter(event=event).exists()


def test_nobody_camps_in_a_fight_or_without_a_party(arena: Arena):
    arena.begins(face=None)
    assert "fight" in refused(arena.ana.does("make_camp", kind="haven"), 409)
    done(arena.ana.does("end_fight"))
    Character.objects.update(state="dead", hp=-1)
    assert "There is no living knave at this table yet" in refused(
        arena.ana.does("make_camp", kind="night"), 409
    )
    refused(arena.ben.does("make_camp", kind="night"), 403)
    refused(arena.ana.does("make_camp", kind="inn"), 422)


@pytest.mark.parametrize("kind", ["night", "haven"])
def test_undo_of_a_camp_sets_everything_back(arena: Arena, kind: str):
    hireling(arena.ash)
    rations(arena.ash)
    light(arena.ash, turns_left=4)
    holds(arena.ash, "book", kind="spell_book", cast_on=1)
    Character.objects.filter(pk=arena.ash.pk).update(hp=0, state="unconscious")
    before = kept_rows()
    if kind == "night":
        arena.dice.fall(2)
    done(arena.ana.does("make_camp", kind=kind))
    assert kept_rows() != before
    arena.undoes(f"{kind}_rest")
    assert kept_rows() == before
