"""A fight at the table: the round, blows, melee, flight (KN-12 to KN-20)."""

from __future__ import annotations

import re

from characters.models import Character, Item
from games.rules import knave_fight as kf
from tests.characters.arena import (
    BOW,
    Arena,
    holds,
    knave,
)
from tests.characters.crew import told
from tests.games.party import done, fresh, refused
from tests.security.shown import Shown


# --- the round -----------------------------------------------------------------------------------
def test_kn12_a_low_initiative_lets_the_foes_act_first(arena: Arena):
    arena.begins(face=3)
    assert arena.state.first is kf.Side.FOES
    assert arena.last("RoundBegun").data == {"round": 1, "first": "foes", "face": 3}
    assert told(arena.last("RoundBegun")) == ("Round 1: a 3, and the foes act first.")


def test_kn12_nobody_strikes_before_initiative(arena: Arena):
    arena.begins(face=None)
    answer = arena.ben.does("fight-attack", by=arena.id, on="cave-goblin-1", rolled_by="attacker")
    assert "initiative" in refused(answer, 409)


def test_kn12_once_the_second_side_has_begun_the_first_is_too_late(arena: Arena):
    arena.begins(face=6)
    arena.goblin_strikes(2)
    answer = arena.ben.does("fight-attack", by=arena.id, on="cave-goblin-1", rolled_by="attacker")
    assert "other side" in refused(answer, 409)


def test_only_the_host_rolls_initiative_and_a_typed_face_counts(arena: Arena):
    arena.begins(face=None)
    refused(arena.ben.does("fight-initiative"), 403)
    refused(arena.ana.does("fight-initiative", dice="7"), 422)
    done(arena.ana.does("fight-initiative", dice="2"))
    assert arena.state.first is kf.Side.FOES
    assert arena.last("RoundBegun").data["is_real"] is True


def test_two_who_tap_in_one_turn_both_count_and_a_tap_from_the_last_round_does_not(arena: Arena):
    [cy] = arena.cast.welcomes("Cy")
    moth = knave(cy, "Moth")
    holds(moth, "sword", **{"kind": "weapon", "die": 6})
    arena.begins(2, face=6)
    saw = arena.game.scene
    arena.dice.fall(2, 3)
    strike = {"rolled_by": "attacker", "on": "cave-goblin-1"}
    done(arena.ben.does("fight-attack", by=arena.id, saw=saw, **strike))
    done(cy.does("fight-attack", by=f"k{moth.pk}", saw=saw, **strike))
    arena.rolls_initiative(6)
    answer = arena.ben.does("fight-attack", by=arena.id, saw=saw, **strike)
    assert "moved on" in refused(answer, 409)
    assert not arena.of(arena.id).attacked


def test_a_tap_from_a_page_of_the_fight_strikes_nobody_while_another_game_is_in_front(arena: Arena):
    """A phone that slept sends it minutes later, when everybody looks at the other game."""
    arena.begins(face=6)
    asked = {"by": arena.id, "on": "cave-goblin-1", "rolled_by": "attacker", "front": "knave"}
    arena.dice.fall(2)
    assert arena.table.rules == "brave_or_knave"
    answer = arena.ben.does("fight-attack", saw=arena.game.scene, **asked)
    assert "moved on" in refused(answer, 409)
    done(arena.ben.does("change_hp", character=arena.ash.pk, by=-1, front="knave"))
    done(arena.ana.does("turn_table", rules="knave"))
    done(arena.ben.does("fight-attack", saw=arena.game.scene, **asked))


def test_the_same_tap_twice_strikes_once(arena: Arena):
    arena.begins(face=6)
    for _again in range(2):
        arena.dice.fall(2)
        asked = {"by": arena.id, "on": "cave-goblin-1", "rolled_by": "attacker"}
        done(arena.ben.does("fight-attack", tap="once", **asked))
    assert len(arena.events("Attacked")) == 1


# --- attacks -------------------------------------------------------------------------------------
def test_kn14_an_attack_needs_more_than_the_defense(arena: Arena):
    arena.begins(2, face=6)
    arena.ash_strikes(10)  # 10 + 2 is 12: only equal
    assert arena.last("Attacked").data["hit"] is False
    arena.rolls_initiative(6)
    arena.ash_strikes(11, 3)
    event = arena.last("Attacked").data
    assert (event["hit"], event["total"], event["target"], event["damage"]) == (True, 13, 12, 3)
    assert arena.of("cave-goblin-1").hp == 1


def test_the_log_names_who_struck_and_with_what_in_both_languages(arena: Arena):
    arena.begins(face=6)
    arena.ash_strikes(15, 3)
    event = arena.last("Attacked")
    assert event.data["by_name"] == "Ash"
    assert event.data["on_name"] == "Goblin 1"
    assert event.data["weapon"] == {"en": "sword"}
    assert "Ash rolls 17 and hits Goblin 1 for 3." in told(event)
    assert list(arena.ash.mentions.values_list("event_id", flat=True)).count(event.pk) == 1


def test_a_player_strikes_only_for_their_own(arena: Arena):
    [cy] = arena.cast.welcomes("Cy")
    arena.begins(face=6)
    for by in (arena.id, "cave-goblin-1", "k999999999999999999999999", "k٣", "?"):
        answer = cy.does("fight-attack", by=by, on="cave-goblin-1", rolled_by="attacker")
        assert "own character" in refused(answer, 403)
    assert not arena.events("Attacked")


def test_a_player_strikes_for_their_hireling(arena: Arena):
    carl = Character.objects.create(
        table=arena.table,
        kind="hireling",
        state="up",
        name="Carl",
        employer=arena.ash,
        hp=2,
        max_hp=2,
        natural_defense=13,
        natural_attack=1,
        natural_die=6,
        morale=6,
    )
    arena.begins(face=6)
    fighter = arena.of(f"k{carl.pk}")
    assert (fighter.armor_defense, fighter.attack, fighter.weapon.die) == (13, 1, 6)
    arena.dice.fall(12, 2)
    done(arena.ben.does("fight-attack", by=f"k{carl.pk}", on="cave-goblin-1", rolled_by="attacker"))
    assert arena.of("cave-goblin-1").hp == 2


def test_the_host_strikes_for_everybody(arena: Arena):
    arena.begins(face=1)
    arena.goblin_strikes(15, 2)
    assert fresh(arena.ash).hp == 3
    arena.dice.fall(2)
    asked = {"by": arena.id, "on": "cave-goblin-1", "rolled_by": "attacker"}
    done(arena.ana.does("fight-attack", **asked))


def test_kn14_where_the_players_roll_all_the_defender_rolls(arena: Arena):
    arena.begins(face=1)
    blow = {"by": "cave-goblin-1", "on": arena.id, "rolled_by": "defender"}
    assert "referee rolls" in refused(arena.ben.does("fight-attack", **blow), 403)
    done(arena.ana.does("configure_knave", setting="players_roll_all", value="true"))
    [cy] = arena.cast.welcomes("Cy")
    refused(cy.does("fight-attack", **blow), 403)
    arena.dice.fall(9, 3)  # 9 + 2 is 11, not more than 11: the goblin hits
    done(arena.ben.does("fight-attack", **blow))
    assert fresh(arena.ash).hp == 2


def test_kn14_whoever_may_defend_waits_for_the_referees_word(arena: Arena):
    """No phone says that its knave is struck at before anybody has chosen whom a foe strikes."""
    done(arena.ana.does("turn_table", rules="knave"))
    arena.begins(face=1)
    hint = "say whom a foe strikes at"
    assert hint not in arena.ana.sees("gm/")
    done(arena.ana.does("configure_knave", setting="players_roll_all", value="true"))
    assert hint in arena.ana.sees("gm/")
    assert "When the referee says they strike at Ash" in arena.ben.sees()


def test_kn14_who_turned_a_blow_aside_reads_of_a_success(arena: Arena):
    """The card of a roll is about whoever rolled: KN-19's natural 20 of a defender is no fumble."""
    done(arena.ana.does("turn_table", rules="knave"))
    done(arena.ana.does("configure_knave", setting="players_roll_all", value="true"))
    arena.begins(face=1)
    blow = {"by": "cave-goblin-1", "on": arena.id, "rolled_by": "defender"}
    arena.dice.fall(20)
    done(arena.ben.does("fight-attack", **blow))
    page = arena.ben.sees()
    assert 'class="my-roll is-success"' in page
    assert "A fumble by Goblin 1!" in page
    assert ">miss<" not in page


def test_kn16_kn19_a_roll_tells_what_came_of_it(arena: Arena):
    """Who reads of a blow reads in the same place whose armor it cost, and whose life."""
    done(arena.ana.does("turn_table", rules="knave"))
    arena.begins(face=1)
    arena.goblin_strikes(20, 6, 6)
    for page in (arena.ben.sees(), arena.cast.tess.sees("screen/")):
        after = re.search(r'class="roll-after">([^<]*)<', page)
        assert after
        assert "is damaged" in after[1]
        assert "Ash is dead" in after[1]


def test_kn10_an_edge_rolls_two_dice(arena: Arena):
    arena.begins(face=6)
    arena.ash_strikes(3, 14, 1, edge="advantage")
    assert arena.last("Attacked").data["counted"] == 14


def test_kn15_the_further_weapons_of_a_monster_are_chosen_by_number(arena: Arena):
    arena.monster.attacks = [
        {"name": "bite", "name_es": "mordisco", "count": 1, "damage": "d4", "die": 4},
        {"name": "claw", "name_es": "zarpa", "count": 2, "damage": "d10", "die": 10},
        {"name": "feelers", "name_es": "antenas", "count": 1, "damage": "none", "die": None},
        "nonsense",
    ]
    arena.monster.save()
    arena.begins(face=1)
    goblin = arena.of("cave-goblin-1")
    assert (goblin.attacks, goblin.weapon.name, len(goblin.weapons)) == (3, "bite", 1)
    arena.dice.fall(15, 10)
    asked = {"by": "cave-goblin-1", "on": arena.id, "rolled_by": "attacker", "with": 0}
    done(arena.ana.does("fight-attack", **asked))
    assert arena.last("Attacked").data["weapon"] == "claw"


def test_kn14_who_defends_says_which_of_a_foes_attacks_it_is(arena: Arena):
    arena.monster.attacks = [
        {"name": "bite", "name_es": "mordisco", "count": 1, "damage": "d4", "die": 4},
        {"name": "claw", "name_es": "zarpa", "count": 2, "damage": "d10", "die": 10},
    ]
    arena.monster.save()
    done(arena.ana.does("turn_table", rules="knave"))
    done(arena.ana.does("configure_knave", setting="players_roll_all", value="true"))
    arena.begins(face=1)
    page = arena.ben.sees()
    attacks = [[(f.name, f.value) for f in form.fields] for form in Shown(page).forms]
    defences = [fields for fields in attacks if ("rolled_by", "defender") in fields]
    assert len(defences) == 2, "one by the app's dice, one by real ones"
    for fields in defences:
        assert [value for name, value in fields if name == "with"] == ["", "0"]
    assert 'dir="auto">claw<' in page
    assert "d10" not in re.search(r"With which of its attacks(.*?)</fieldset>", page, re.S)[1]
    blow = {"by": "cave-goblin-1", "on": arena.id, "rolled_by": "defender"}
    for which, name, face in (("0", "claw", 1), ("", "bite", 1)):
        arena.dice.fall(2, face)
        done(arena.ben.does("fight-attack", **blow, **{"with": which}))
        assert arena.last("Attacked").data["weapon"] == name


def test_typed_dice_are_taken_and_the_server_rolls_what_was_not_typed(arena: Arena):
    arena.begins(2, face=6)
    arena.ash_strikes(4, dice="15")  # typed d20; the server rolls the damage
    assert arena.last("Attacked").data["is_real"] is True
    assert arena.last("Attacked").data["damage_faces"] == [4]
    arena.rolls_initiative(6)
    asked = {"by": arena.id, "on": "cave-goblin-2", "rolled_by": "attacker"}
    refused(arena.ben.does("fight-attack", dice="21", **asked), 422)
    refused(arena.ben.does("fight-attack", **{"dice-0": "15", "dice-1": "9"}, **asked), 422)
    done(arena.ben.does("fight-attack", **{"dice-0": "15", "dice-1": "8"}, **asked))
    assert arena.of("cave-goblin-2").status is kf.Status.DEAD


def test_where_the_app_rolls_typed_dice_are_refused(arena: Arena):
    done(arena.ana.does("configure", setting="dice", value="server"))
    arena.begins(face=6)
    answer = arena.ben.does(
        "fight-attack", by=arena.id, on="cave-goblin-1", rolled_by="attacker", dice="15"
    )
    refused(answer, 403)


def test_a_pause_stops_the_fight(arena: Arena):
    arena.begins(face=6)
    done(arena.ana.does("pause"))
    answer = arena.ben.does("fight-attack", by=arena.id, on="cave-goblin-1", rolled_by="attacker")
    assert "paused" in refused(answer, 409)


def test_kn17_a_stunt_is_an_opposed_save(arena: Arena):
    arena.begins(face=6)
    arena.dice.fall(10)
    done(
        arena.ben.does(
            "fight-stunt",
            by=arena.id,
            on="cave-goblin-1",
            ability="str",
            against="dex",
            effect="into the well",
        )
    )
    event = arena.last("Stunted")
    assert [event.data[name] for name in ("total", "target", "success")] == [12, 11, True]
    assert "it works! Into the well." in told(event)


# --- melee ---------------------------------------------------------------------------------------
def test_kn14_a_melee_blow_steps_into_melee_and_then_nobody_shoots(arena: Arena):
    arena.begins(face=6)
    arena.ash_strikes(2)
    assert arena.state.engaged == ((arena.id, "cave-goblin-1"),)
    bow = holds(arena.ash, "bow", **{**BOW, "is_equipped": False})
    Item.objects.filter(pk=arena.sword.pk).update(is_equipped=False)
    Item.objects.filter(pk=bow.pk).update(is_equipped=True)
    arena.rolls_initiative(6)
    shot = {"by": arena.id, "on": "cave-goblin-1", "rolled_by": "attacker"}
    assert "melee" in refused(arena.ben.does("fight-attack", **shot), 409)
    done(arena.ben.does("fight-disengage", by=arena.id))
    arena.dice.fall(15, 2)
    done(arena.ben.does("fight-attack", **shot))
    assert arena.state.engaged == ()


def test_who_is_in_melee_may_be_said_without_a_blow(arena: Arena):
    arena.begins(face=6)
    done(arena.ben.does("fight-engage", by=arena.id, on="cave-goblin-1"))
    assert arena.state.is_engaged(arena.id)
    assert arena.last("Engaged").data["on_name"] == "Goblin 1"
    refused(arena.ben.does("fight-engage", by="cave-goblin-1", on=arena.id), 403)


# --- fleeing, morale, the end --------------------------------------------------------------------
def test_kn20_the_host_alone_is_told_whose_morale_is_due(arena: Arena):
    arena.begins(2, face=6)
    arena.ash_strikes(15, 8)
    due = arena.last("MoraleDue")
    assert due.to == arena.ana.row
    assert due.data["of_names"] == ["Goblin 2"]
    refused(arena.ben.does("fight-morale", of="cave-goblin-2"), 403)
    arena.dice.fall(4, 4)
    done(arena.ana.does("fight-morale", of="cave-goblin-2"))
    assert arena.of("cave-goblin-2").status is kf.Status.FLED
    assert arena.last("MoraleRolled").data["holds"] is False


def test_kn20_a_player_who_asks_for_a_receipt_is_told_nothing_of_whose_morale_is_due(arena: Arena):
    """S2: no page of theirs asks for one, but anybody may write a form."""
    arena.begins(2, face=6)
    arena.dice.fall(15, 8)
    strike = {"by": arena.id, "on": "cave-goblin-1", "rolled_by": "attacker"}
    receipt = arena.ben.does("fight-attack", **strike, receipt="1")
    assert receipt.status_code == 200
    assert arena.last("MoraleDue").to == arena.ana.row
    shown = receipt.content.decode()
    assert "Goblin 1" in shown
    assert "Goblin 2" not in shown


def test_a_player_may_flee_with_their_own(arena: Arena):
    arena.begins(face=6)
    refused(arena.ben.does("fight-flee", of="cave-goblin-1"), 403)
    done(arena.ben.does("fight-flee", of=arena.id))
    assert arena.of(arena.id).status is kf.Status.FLED
    done(arena.ana.does("hurt_many", amount=2))  # out of the fight, the sheet alone is hurt
    assert (fresh(arena.ash).hp, arena.of(arena.id).hp) == (3, 5)


def test_who_has_fled_is_offered_nothing_more_by_the_hosts_page(arena: Arena):
    """On the sheet they are well: the page went on to offer strikes, and to flee once more."""
    done(arena.ana.does("turn_table", rules="knave"))
    arena.begins(face=6)
    buttons = (f'id="strike-{arena.id}-cave-goblin-1"', f'id="flee-{arena.id}"')
    page = arena.ana.sees("gm/")
    assert all(button in page for button in (*buttons, f'id="blow-on-{arena.id}"'))
    done(arena.ben.does("fight-flee", of=arena.id))
    page = arena.ana.sees("gm/")
    assert not any(button in page for button in (*buttons, f'id="blow-on-{arena.id}"'))
    assert '<b class="flag is-warn">fled</b>' in page


def test_the_host_strikes_for_nobody_whose_turn_is_over(arena: Arena):
    """KN-12: once a character has acted, or the other side has begun."""
    done(arena.ana.does("turn_table", rules="knave"))
    button = f'id="strike-{arena.id}-cave-goblin-1"'
    arena.begins(face=6)
    arena.ash_strikes(2)
    assert button not in arena.ana.sees("gm/")
    arena.rolls_initiative(6)
    assert button in arena.ana.sees("gm/")
    arena.goblin_strikes(2)
    assert button not in arena.ana.sees("gm/")


def test_without_a_fight_there_is_nothing_to_strike(arena: Arena):
    answer = arena.ben.does("fight-attack", by=arena.id, on="cave-goblin-1", rolled_by="attacker")
    assert "no fight" in refused(answer, 409)


def test_kn18_after_the_attack_the_phone_offers_the_stunt_against_the_same_foe(arena: Arena):
    done(arena.ana.does("turn_table", rules="knave"))
    arena.begins(count=2, face=6)
    arena.ash_strikes(2, both="true")
    page = arena.ben.sees()
    assert re.search(rf'id="stunt-{arena.id}-\d+-on-cave-goblin-1"', page)
    assert not re.search(rf'id="stunt-{arena.id}-\d+-on-cave-goblin-2"', page)
    assert not re.search(rf'id="stunt-{arena.id}-\d+-both"', page)
    assert '<input type="hidden" name="both" value="true">' in page
    stunt = {"by": arena.id, "ability": "str", "against": "dex", "both": "true"}
    arena.dice.fall(18)
    done(arena.ben.does("fight-stunt", **stunt, on="cave-goblin-1"))
    assert arena.last("Stunted").data["success"] is True
