"""A fight at the table: moves, the sheets that follow it, its record, its undo, its secrets."""

from __future__ import annotations

import json

import pytest
from django.db import transaction

from characters.models import Character, Item, Pile
from characters.sentences import fight as told
from characters.services import fighting
from games import bouts
from games.actions import Resume
from games.models import Game
from games.rules import knave_fight as kf
from games.rules import records
from games.services.change import changing
from tests.characters.arena import (
    BOW,
    GAMBESON,
    SHIELD,
    Arena,
    holds,
    kept_rows,
    knave,
    seen_by_all,
)
from tests.games.party import Party, done, refused


@pytest.fixture
def arena(party: Party) -> Arena:
    return Arena(party)


def fresh(row):
    return type(row).objects.get(pk=row.pk)


# --- the round -----------------------------------------------------------------------------------
def test_kn12_a_low_initiative_lets_the_foes_act_first(arena: Arena):
    arena.begins(face=3)
    assert arena.state.first is kf.Side.FOES
    assert arena.last("RoundBegun").data == {"round": 1, "first": "foes", "face": 3}
    assert told.TELLINGS["RoundBegun"](arena.last("RoundBegun").data, []) == (
        "Round 1: a 3, and the foes act first."
    )


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
    assert "Ash rolls 17 and hits Goblin 1 for 3." in told.TELLINGS["Attacked"](event.data, [])
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
    assert "host rolls" in refused(arena.ben.does("fight-attack", **blow), 403)
    done(arena.ana.does("configure_knave", setting="players_roll_all", value="true"))
    [cy] = arena.cast.welcomes("Cy")
    refused(cy.does("fight-attack", **blow), 403)
    arena.dice.fall(9, 3)  # 9 + 2 is 11, not more than 11: the goblin hits
    done(arena.ben.does("fight-attack", **blow))
    assert fresh(arena.ash).hp == 2


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
    event = arena.last("Stunted").data
    assert (event["total"], event["target"], event["success"]) == (12, 11, True)
    assert "it works! into the well" in told.TELLINGS["Stunted"](event, [])


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


# --- the sheets follow ---------------------------------------------------------------------------
def test_kn16_a_sheet_falls_unconscious_at_nothing_and_wakes_when_healed(arena: Arena):
    arena.begins(face=1)
    arena.goblin_strikes(15, 5)
    assert (fresh(arena.ash).hp, fresh(arena.ash).state) == (0, "unconscious")
    assert [e.kind for e in arena.table.events.order_by("-seq")[:2]] == ["knave_fell", "Damaged"]
    assert "unconscious" in refused(
        arena.ben.does("fight-attack", by=arena.id, on="cave-goblin-1", rolled_by="attacker"), 409
    )
    done(arena.ana.does("fight-heal", on=arena.id, amount=2))
    assert (fresh(arena.ash).hp, fresh(arena.ash).state) == (2, "up")


def test_kn16_a_dead_knave_gets_a_grave_and_leaves_its_kit(arena: Arena):
    arena.begins(face=1)
    arena.goblin_strikes(15, 6)
    ash = fresh(arena.ash)
    assert (ash.hp, ash.state, ash.death, ash.died_on) == (-1, "dead", "Goblin 1", 1)
    pile = Pile.objects.get(of=ash)
    assert {i.name for i in pile.items.all()} == {"sword", "gambeson"}
    died = arena.last("knave_died").data
    assert told.TELLINGS["knave_died"](died, []) == "Ash is dead: Goblin 1."
    assert not arena.events("Died")  # the sheet's own event tells it, once


def test_kn19_a_critical_wears_the_armor_and_adds_a_die(arena: Arena):
    arena.begins(face=1)
    arena.goblin_strikes(20, 1, 1)
    assert fresh(arena.gambeson).quality == 2
    assert fresh(arena.ash).hp == 3
    worn = arena.last("ArmorWorn").data
    assert worn["item"] == {"en": "gambeson"}


def test_kn19_armor_of_the_last_quality_is_destroyed_and_defense_falls(arena: Arena):
    Item.objects.filter(pk=arena.gambeson.pk).update(quality=1)
    arena.begins(face=1)
    arena.goblin_strikes(20, 1, 1)
    assert not Item.objects.filter(pk=arena.gambeson.pk).exists()
    assert arena.of(arena.id).armor_defense == 11
    assert "destroyed" in told.TELLINGS["ArmorBroken"](arena.last("ArmorBroken").data, [])


def test_kn19_without_armor_the_shield_wears(arena: Arena):
    arena.gambeson.delete()
    shield = holds(arena.ash, "shield", **SHIELD)
    arena.begins(face=1)
    arena.goblin_strikes(20, 1, 1)
    assert not Item.objects.filter(pk=shield.pk).exists()


def test_kn19_a_fumble_wears_one_weapon_of_several(arena: Arena):
    Item.objects.filter(pk=arena.sword.pk).update(count=3, quality=1)
    arena.begins(face=6)
    arena.ash_strikes(1)
    left = Item.objects.get(name="sword")
    assert (left.count, left.quality, left.is_equipped) == (2, 1, False)
    assert arena.of(arena.id).weapon is None


def test_monsters_without_gear_lose_nothing_by_a_critical(arena: Arena):
    arena.begins(face=6)
    arena.ash_strikes(20, 1, 1)
    assert not arena.events("ArmorWorn")


def test_the_fight_catches_up_with_what_was_done_to_a_sheet(arena: Arena):
    arena.begins(face=6)
    Item.objects.filter(pk=arena.sword.pk).update(die=10)
    Item.objects.filter(pk=arena.gambeson.pk).update(is_equipped=False)
    Character.objects.filter(pk=arena.ash.pk).update(hp=3)
    arena.ash_strikes(15, 10)
    ash = arena.of(arena.id)
    assert (ash.weapon.die, ash.armor_defense, ash.hp) == (10, 11, 3)
    assert not arena.events("Wielded")
    assert [m["action"]["action"] for m in arena.cast.last_play.action["moves"]] == [
        "hurt",
        "wear",
        "wield",
        "engage",
        "attack",
    ]
    assert records.replay(bouts.record_of(arena.game)).state == arena.state


def test_hit_points_changed_on_the_sheet_go_through_the_fight(arena: Arena):
    arena.begins(face=6)
    done(arena.ana.does("hurt_many", amount=5, cause="The ceiling comes down."))
    assert arena.of(arena.id).status is kf.Status.UNCONSCIOUS
    assert fresh(arena.ash).state == "unconscious"
    done(arena.ana.does("heal_many", amount=9))
    assert arena.of(arena.id).hp == fresh(arena.ash).hp == 5
    assert not arena.events("Damaged")  # told once, by the deed
    done(arena.ana.does("hurt_many", amount=6, cause="The floor gives way."))
    assert fresh(arena.ash).death == "The floor gives way."
    assert arena.of(arena.id).status is kf.Status.DEAD


def test_who_comes_late_joins_the_fight_at_the_end_of_the_party(arena: Arena):
    [cy] = arena.cast.welcomes("Cy")
    arena.begins(face=6)
    moth = knave(cy, "Moth")
    play_for(arena, lambda change: fighting.join_late(change, moth))
    assert [f.name for f in arena.state.party] == ["Ash", "Moth"]
    assert arena.last("Joined").data["who_name"] == "Moth"
    play_for(arena, lambda change: fighting.join_late(change, moth))
    assert len(arena.state.party) == 2


def play_for(arena: Arena, deed) -> None:
    """Do something inside a play of the host's, as a deed of another module would."""
    with transaction.atomic():
        tap = f"other-{arena.table.seq}"
        with changing(arena.table, arena.ana.row, Resume(), tap) as change:
            deed(change)


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


def test_a_player_may_flee_with_their_own(arena: Arena):
    arena.begins(face=6)
    refused(arena.ben.does("fight-flee", of="cave-goblin-1"), 403)
    done(arena.ben.does("fight-flee", of=arena.id))
    assert arena.of(arena.id).status is kf.Status.FLED
    done(arena.ana.does("hurt_many", amount=2))  # out of the fight, the sheet alone is hurt
    assert (fresh(arena.ash).hp, arena.of(arena.id).hp) == (3, 5)


def test_without_a_fight_there_is_nothing_to_strike(arena: Arena):
    answer = arena.ben.does("fight-attack", by=arena.id, on="cave-goblin-1", rolled_by="attacker")
    assert "no fight" in refused(answer, 409)


@pytest.mark.parametrize(
    "nonsense",
    [
        {"modifier": "21"},
        {"modifier": "9" * 30},
        {"edge": "both"},
        {"rolled_by": "me"},
        {"on": ""},
        {"with": "-1"},
        {"with": "x"},
    ],
)
def test_a_malformed_blow_is_refused(arena: Arena, nonsense: dict[str, str]):
    arena.begins(face=6)
    asked = {"by": arena.id, "on": "cave-goblin-1", "rolled_by": "attacker", **nonsense}
    refused(arena.ben.does("fight-attack", **asked), 422)


def test_a_blow_with_a_weapon_nobody_has_is_refused(arena: Arena):
    arena.begins(face=6)
    asked = {"by": arena.id, "on": "cave-goblin-1", "rolled_by": "attacker", "with": 3}
    refused(arena.ben.does("fight-attack", **asked), 409)
    refused(arena.ben.does("fight-attack", **{**asked, "on": "nobody"}), 409)


# --- the record ----------------------------------------------------------------------------------
def a_whole_fight(arena: Arena) -> None:
    """Fight to the end, with an undo in the middle, and close the fight."""
    arena.begins(2, face=2)
    arena.goblin_strikes(20, 1, 1)
    arena.ash_strikes(1)
    arena.undoes("Attacked")
    arena.ash_strikes(15, 8)
    arena.dice.fall(2, 3)
    done(arena.ana.does("fight-morale", of="cave-goblin-2"))
    arena.rolls_initiative(6)
    arena.ash_strikes(20, 2, 2, on="cave-goblin-2")
    done(arena.ana.does("end_fight"))


def test_a_fight_goes_to_the_records_and_replays_to_the_same_end(arena: Arena):
    a_whole_fight(arena)
    assert arena.game.status == Game.Status.OVER
    assert arena.game.winners == ["Ash"]
    assert arena.last("Ended").data["is_won"] is True
    answer = arena.ana.client.get(f"/t/{arena.table.code}/records/{arena.game.pk}/")
    assert answer.status_code == 200
    end = records.replay(answer.content.decode())
    assert end.state == arena.state
    lines = [json.loads(line) for line in answer.content.decode().splitlines()]
    assert [line.get("action") for line in lines[1:]] == [
        "initiative",
        "engage",
        "attack",
        "attack",
        "morale",
        "initiative",
        "engage",
        "attack",
        "end",
    ]


def test_play_again_reaches_the_state_that_is_kept(arena: Arena):
    a_whole_fight(arena)
    game = arena.game
    assert bouts.play_again(game, bouts.plays_that_count(game)) == arena.state


# --- undo ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("faces", [(15, 6), (20, 2, 3), (15, 2), (15, 5), (1,)])
def test_undoing_a_blow_sets_back_state_sheet_gear_pile_and_grave(arena: Arena, faces):
    holds(arena.ash, "shield", **SHIELD)
    Item.objects.filter(pk=arena.gambeson.pk).update(quality=1)
    arena.begins(2, face=1)
    before = kept_rows()
    arena.goblin_strikes(*faces)
    assert kept_rows() != before
    arena.undoes("Attacked")
    assert kept_rows() == before


def test_undoing_a_blow_takes_back_what_came_of_it_too(arena: Arena):
    arena.begins(2, face=6)
    before = kept_rows()
    arena.ash_strikes(15, 8)
    first = arena.last("Attacked")
    arena.goblin_strikes(15, 6, by="cave-goblin-2")
    arena.dice.fall(2, 3)
    done(arena.ana.does("fight-morale", of="cave-goblin-2"))
    done(arena.ana.does("undo", event=first.seq))
    assert kept_rows() == before


def test_undoing_the_beginning_leaves_the_log_whole(arena: Arena):
    encounter = arena.prepares()
    before = kept_rows()
    done(arena.ana.does("start_fight", encounter=encounter.pk))
    arena.rolls_initiative(6)
    arena.ash_strikes(15, 8)
    seq, game = arena.table.seq, arena.game
    done(arena.ana.does("undo", event=arena.last("fight_begun").seq))
    assert (fresh(game).status, fresh(game).setup, fresh(game).state) == ("ended", "", "")
    left = kept_rows()
    left["Game"] = [row for row in left["Game"] if row["id"] != game.pk]
    assert left == before
    assert [e.seq for e in arena.table.events.order_by("seq")] == list(range(1, seq + 2))
    done(arena.ana.does("start_fight", encounter=encounter.pk))
    assert arena.game.pk != game.pk


def test_undoing_the_end_of_a_fight_takes_back_the_next_one(arena: Arena):
    arena.begins(face=6)
    arena.ash_strikes(15, 8)
    done(arena.ana.does("end_fight"))
    first = arena.game
    ended = arena.last("Ended")
    arena.begins(face=6)
    done(arena.ana.does("undo", event=ended.seq))
    assert fresh(first).status == Game.Status.PLAYING
    assert arena.table.games.filter(rules=kf.NAME, status="playing").count() == 1
    done(arena.ana.does("fight-initiative", dice="4", saw=fresh(first).scene))


def test_a_player_does_not_take_back_a_die(arena: Arena):
    arena.begins(face=6)
    arena.ash_strikes(15, 3)
    refused(arena.ben.does("undo", event=arena.last("Attacked").seq), 403)


# --- secrets -------------------------------------------------------------------------------------
def test_no_public_event_tells_a_foes_hit_points_or_morale(arena: Arena):
    arena.monster.hp, arena.monster.morale = 937, 11
    arena.monster.save()
    arena.begins(2, face=6)
    arena.ash_strikes(15, 8)
    arena.goblin_strikes(15, 1)
    arena.dice.fall(1, 3)
    done(arena.ana.does("fight-morale", of="cave-goblin-1"))
    done(arena.ana.does("fight-hurt", on="cave-goblin-1", amount=2))
    done(arena.ana.does("fight-heal", on="cave-goblin-1", amount=1))
    done(arena.ana.does("add_foes", encounter=arena.game.encounter.pk, monster=arena.monster.pk))
    seen = seen_by_all(arena.table)
    for secret in ("937", "929", "927", "928", "11}", "'morale'"):
        assert secret not in seen


def test_where_foes_are_not_shown_the_log_hides_what_was_rolled_against(arena: Arena):
    done(arena.ana.does("configure_knave", setting="foes_shown", value="false"))
    arena.begins(2, face=6)
    arena.ash_strikes(15, 1)
    assert arena.last("Attacked").data["target"] is None
    assert "needed" not in told.TELLINGS["Attacked"](arena.last("Attacked").data, [])
    arena.goblin_strikes(15, 1)
    assert arena.last("Attacked").data["target"] == 12  # Ash's own armor is no secret


def test_every_event_of_a_fight_has_words_or_needs_none(arena: Arena):
    [cy] = arena.cast.welcomes("Cy")
    moth = knave(cy, "Moth")
    holds(moth, "gambeson", **{**GAMBESON, "quality": 1})
    a_whole_fight(arena)
    for event in arena.table.events.exclude(game=None).filter(game__rules=kf.NAME):
        text = told.TELLINGS[event.kind](event.data, [])
        assert "%(" not in text
        assert text or event.data.get("by")
