"""A foe's damage of several dice at the table: 2d4, 4d8, d6+2 (KN-15, KN-19)."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation

from characters.models import Encounter, Monster
from characters.rulebook.refereeing import refereeing
from characters.screens.sheets import dice_words
from characters.services.combatants import of_monster
from games import stored
from games.models import Game
from games.rules import knave_fight as kf
from games.rules import records
from games.rules.knave.damage import parse_damage
from tests.characters.arena import Arena, seen_by_all
from tests.characters.crew import told
from tests.games.party import Party, done, refused

CLUB = {"name": "club", "name_es": "porra", "count": 1, "damage": "2d4", "die": 8}
BITE = {"name": "bite", "name_es": "mordisco", "count": 1, "damage": "4d8", "die": 20}


@pytest.fixture
def arena(party: Party) -> Arena:
    """Ash of 40 hit points, and goblins with a club of 2d4; the host's page is Knave's."""
    arena = Arena(party, hp=40, max_hp=40)
    arms(arena, CLUB)
    done(arena.ana.does("turn_table", rules="knave"))
    return arena


def arms(arena: Arena, *attacks: object) -> None:
    arena.monster.attacks = list(attacks)
    arena.monster.save()


def hp(arena: Arena) -> int:
    return type(arena.ash).objects.get(pk=arena.ash.pk).hp


BLOW = {"by": "cave-goblin-1", "rolled_by": "attacker"}


# --- a foe at the table --------------------------------------------------------------------------
def test_kn15_the_host_runs_a_foe_of_2d4_with_the_servers_dice(arena: Arena):
    arena.begins(face=1)
    page = arena.ana.sees("gm/")
    assert "club +1 2d4" in page
    assert 'id="strike-cave-goblin-1-' in page
    arena.goblin_strikes(15, 3, 4)
    event = arena.last("Attacked").data
    assert (event["die"], event["damage_faces"], event["damage"]) == (4, [3, 4], 7)
    assert hp(arena) == 33
    assert "Goblin 1 rolls 16 and hits Ash for 7." in arena.ana.sees("gm/")


def test_kn15_the_host_runs_a_foe_of_2d4_with_typed_dice(arena: Arena):
    """As many damage faces are taken as are rolled; what nobody typed the house rolls."""
    done(arena.ana.does("configure", setting="dice", value="real"))
    arena.begins(face=None)
    done(arena.ana.does("fight-initiative", dice="1"))
    done(arena.ana.does("fight-attack", on=arena.id, dice="15 3 4", **BLOW))
    event = arena.last("Attacked").data
    assert (event["damage_faces"], event["damage"], event["is_real"]) == ([3, 4], 7, True)
    assert hp(arena) == 33
    done(arena.ana.does("fight-initiative", dice="1"))
    faces = {"dice-0": "20", "dice-1": "1", "dice-2": "2", "dice-3": "4"}
    done(arena.ana.does("fight-attack", on=arena.id, **faces, **BLOW))
    assert arena.last("Attacked").data["damage_faces"] == [1, 2, 4]  # KN-19: one die more
    done(arena.ana.does("fight-initiative", dice="1"))
    arena.dice.fall(4)
    done(arena.ana.does("fight-attack", on=arena.id, dice="15 1", **BLOW))
    assert arena.last("Attacked").data["damage_faces"] == [1, 4]
    assert hp(arena) == 40 - 7 - 7 - 5
    assert records.replay(stored.record_of(arena.game)).state == arena.state


def test_with_real_dice_every_die_of_a_blow_has_its_place_on_the_page(arena: Arena):
    """KN-15: 2d4, and one d4 more each for an ideal weapon and a critical; a sword's d8 as well."""
    done(arena.ana.does("configure", setting="dice", value="real"))
    arena.begins(face=None)
    done(arena.ana.does("fight-initiative", dice="1"))
    page = arena.ana.sees("gm/")
    for form in ("blow", "two"):
        assert rows_of(page, f"{form}-1-0") == [(n, 4) for n in (2, 3, 4, 5)]
    faces = {"dice-0": "15", "dice-2": "3", "dice-3": "4"}
    done(arena.ana.does("fight-attack", on=arena.id, **faces, **BLOW))
    assert arena.last("Attacked").data["damage_faces"] == [3, 4]
    assert rows_of(arena.ana.sees("gm/"), "two-1-0") == [], "the next blow is chosen anew"
    done(arena.ana.does("fight-initiative", dice="6"))
    prefix = f"attack-typed-{arena.id}-{arena.game.scene}"
    d20s = [(0, 20), (1, 20)]
    assert rows_of(arena.ben.sees(), prefix) == [*d20s, *((n, 8) for n in (2, 3, 4))]
    blow = {"by": arena.id, "on": "cave-goblin-1", "rolled_by": "attacker"}
    two = {"dice-0": "3", "dice-1": "14", "edge": "advantage", "dice-2": "2"}
    done(arena.ben.does("fight-attack", **blow, **two))
    event = arena.last("Attacked").data
    assert (event["faces"], event["damage_faces"]) == ([3, 14], [2])


def test_damage_that_was_chosen_beside_the_apps_button_is_left_alone(arena: Arena):
    """KN-14: without a d20 nothing was typed, and the face of a d4 is not taken for one."""
    arena.begins(face=1)
    arena.dice.fall(15, 3, 4)
    chosen = {"dice-2": "1", "rolls": "app"}
    done(arena.ana.does("fight-attack", on=arena.id, **chosen, **BLOW))
    event = arena.last("Attacked").data
    assert (event["faces"], event["damage_faces"]) == ([15], [3, 4])


def test_kn10_a_tapped_face_is_the_one_d20_whatever_rows_for_two_of_them_say(arena: Arena):
    arena.begins(face=1)
    rows = {"dice-0": "3", "dice-1": "2", "dice-2": "4", "dice-3": "1"}
    face = {"dice-alone": "15"}
    done(arena.ana.does("fight-attack", on=arena.id, **face, **rows, **BLOW))
    event = arena.last("Attacked").data
    assert (event["faces"], event["damage_faces"]) == ([15], [4, 1])


@pytest.mark.parametrize(
    ("rolls", "edge", "faces"),
    [
        ("app", None, [2]),
        ("advantage", "advantage", [2, 3]),
        ("disadvantage", "disadvantage", [2, 3]),
    ],
)
def test_kn10_the_apps_buttons_roll_whatever_faces_were_chosen_beside_them(
    arena: Arena, rolls: str, edge: str | None, faces: list[int]
):
    arena.begins(face=1)
    page = arena.ana.sees("gm/")
    assert f'name="rolls" value="{rolls}"' in page
    arena.dice.fall(*faces)
    rows = {"dice-0": "3", "dice-1": "14"}
    done(arena.ana.does("fight-attack", on=arena.id, rolls=rolls, **rows, **BLOW))
    event = arena.last("Attacked").data
    assert (event["faces"], event["edge"]) == (faces, edge)


def test_a_foe_tries_a_stunt_with_real_dice(arena: Arena):
    """KN-17: where the app rolls nothing, the host's page takes the d20s of a foe's stunt."""
    done(arena.ana.does("configure", setting="dice", value="real"))
    arena.begins(face=None)
    done(arena.ana.does("fight-initiative", dice="1"))
    page = arena.ana.sees("gm/")
    assert 'id="stunt-face-20" class="button face-key" name="dice-alone"' in page
    assert rows_of(page, "stunt-die") == [(0, 20), (1, 20)]
    assert 'id="stunt-plain"' not in page


def rows_of(page: str, prefix: str) -> list[tuple[int, int]]:
    """List the rows of faces of a form: which die each is, and the highest face to choose."""
    found = re.findall(rf'id="{prefix}-d?(\d+)-(\d+)" name="dice-\1"', page)
    return [(int(n), max(int(f) for m, f in found if m == n)) for n in sorted(dict(found))]


def test_a_typed_face_that_one_of_the_dice_has_not_is_refused_and_nothing_is_lost(arena: Arena):
    arena.begins(face=1)
    for dice in ("15 5", "15 4 5", "15 4 0"):
        answer = arena.ana.does("fight-attack", on=arena.id, dice=dice, **BLOW)
        assert refused(answer, 422) == "A d4 shows 1 to 4."
    assert (hp(arena), arena.events("Attacked")) == (40, [])


def test_kn15_kn19_an_ideal_weapon_and_a_critical_add_a_die_each_and_the_plus_once(arena: Arena):
    arms(arena, {"name": "maul", "count": 1, "damage": "2d6+3"})
    arena.begins(face=1)
    assert "maul +1 2d6+3" in arena.ana.sees("gm/")
    arena.dice.fall(20, 1, 2, 3, 4)
    done(arena.ana.does("fight-attack", on=arena.id, ideal="true", **BLOW))
    event = arena.last("Attacked").data
    assert (event["damage_faces"], event["plus"], event["damage"]) == ([1, 2, 3, 4], 3, 13)
    assert hp(arena) == 27


def test_kn14_a_defender_rolls_the_d20_and_the_foes_dice_follow(arena: Arena):
    done(arena.ana.does("configure_knave", setting="players_roll_all", value="true"))
    arena.begins(face=1)
    arena.dice.fall(9, 4, 4)
    blow = {"by": "cave-goblin-1", "on": arena.id, "rolled_by": "defender"}
    done(arena.ben.does("fight-attack", **blow))
    assert hp(arena) == 32


def test_undoing_a_blow_of_several_dice_sets_back_what_it_cost(arena: Arena):
    arena.begins(face=1)
    arena.goblin_strikes(20, 4, 4, 4)
    assert hp(arena) == 28
    arena.undoes("Attacked")
    assert hp(arena) == 40
    assert not arena.of("cave-goblin-1").attacked


def test_only_the_host_reads_how_many_dice_a_foe_rolls(arena: Arena):
    arms(arena, {**CLUB, "damage": "3d7+5"}, {**BITE, "damage": "2d9-4"})
    arena.begins(face=1)
    arena.goblin_strikes(2)
    host = arena.ana.sees("gm/")
    assert "3d7+5" in host
    assert "2d9−4" in host
    for page in (arena.ben.sees(), arena.cast.tess.sees("screen/")):
        # Not as a part of a longer word: a region's mark may hold it by chance.
        assert not re.search(r"\b(3d7|2d9)\b", page)
    assert "'plus': 0" in seen_by_all(arena.table)
    assert "'plus': 5" not in seen_by_all(arena.table)


def test_the_record_of_such_a_fight_replays_to_the_same_end(arena: Arena):
    arms(arena, {**CLUB, "damage": "2d4+1"})
    arena.begins(face=1)
    arena.goblin_strikes(15, 1, 4)
    done(arena.ana.does("end_fight"))
    text = stored.record_of(arena.game)
    weapon = json.loads(text.splitlines()[0])["foes"][0]["weapon"]
    assert weapon == {"die": 4, "name": "club", "dice": 2, "plus": 1}
    assert records.replay(text).state == arena.state


# --- where foes come from ------------------------------------------------------------------------
def test_the_books_dragon_bites_for_4d8_and_claws_for_d8(arena: Arena):
    dragon = Monster.objects.get(key="dragon")
    done(arena.ana.does("add_foes", encounter=0, monster=dragon.pk))
    pit = Encounter.objects.latest("pk")
    assert pit.foes[0]["weapon"] == {"die": 8, "name": "claw"}
    assert pit.foes[0]["weapons"] == [{"die": 8, "name": "bite", "dice": 4}]
    done(arena.ana.does("start_fight", encounter=pit.pk))
    arena.rolls_initiative(1)
    page = arena.ana.sees("gm/")
    assert "claw d8 ×2 at" in page, "claw, claw, bite: three attacks, two of them claws"
    assert "bite 4d8 at" in page
    assert "<span>1 · claw d8 ×2</span>" in page  # where a blow has more to it, or its d20 is typed
    assert "claw +10 d8 ×2" in page
    assert "×2" not in arena.ben.sees()
    arena.dice.fall(15, 1, 2, 3, 4)
    done(arena.ana.does("fight-attack", **{**BLOW, "by": "dragon-1", "with": 0}, on=arena.id))
    assert hp(arena) == 30


def test_kn15_what_the_book_prints_is_what_its_foes_roll(arena: Arena):
    """Conversion: damage is unchanged. A fixed sum is a die with one face; "none" is no attack."""
    several = 0
    for monster in Monster.objects.exclude(key=arena.monster.key):
        foe, *_ = of_monster(arena.table, monster, 1, set())
        printed = [parse_damage(a["damage"]) for a in monster.attacks]
        rolled = [(w.dice, w.die, w.plus) for w in (foe.weapon, *foe.weapons) if w]
        due = [d if d.dice else (1, 1, d.most - 1) for d in printed if d.most]
        assert rolled == due, monster.key
        several += sum(dice > 1 for dice, _die, _plus in rolled)
    assert several == 7


def test_a_stat_line_keeps_its_dice_and_the_host_is_told_of_what_only_comes_near(arena: Arena):
    pit = arena.prepares()
    line = "Worm: AC 6, HD 15, #AT 1 bite/1 sting, D 4d8/d6+2, ML 10"
    done(arena.ana.does("add_stat_line", encounter=pit.pk, text=line))
    pit.refresh_from_db()
    worm = pit.foes[-1]
    assert worm["weapon"] == {"die": 8, "name": "bite", "dice": 4}
    assert worm["weapons"] == [{"die": 6, "name": "sting", "plus": 2}]
    said = told(arena.last("stat_line_read"))
    assert "nearest die" not in said
    done(arena.ana.does("add_stat_line", encounter=pit.pk, text="Swarm: HD 2, D 30d6"))
    said = told(arena.last("stat_line_read"))
    assert "A hit for 30d6 rolls the nearest die, a d20." in said
    pit.refresh_from_db()
    assert pit.foes[-1]["weapon"] == {"die": 20}


# --- a house from before -------------------------------------------------------------------------
def test_a_fight_and_an_encounter_from_before_go_on_with_the_one_die_they_have(arena: Arena):
    """What was put together with the nearest die is not changed under anybody's hands."""
    pit = arena.prepares()
    pit.foes[0]["weapon"] = {"die": 20, "name": "bite"}
    pit.save()
    done(arena.ana.does("start_fight", encounter=pit.pk))
    arena.rolls_initiative(1)
    before = Game.objects.get(pk=arena.game.pk).state
    assert '"dice"' not in json.dumps(before)
    assert "bite +1 d20" in arena.ana.sees("gm/")
    arena.goblin_strikes(15, 17)
    assert (hp(arena), arena.last("Attacked").data["damage_faces"]) == (23, [17])
    after = json.dumps(Game.objects.get(pk=arena.game.pk).state)
    assert '"dice"' not in after
    assert '"plus"' not in after
    assert records.replay(stored.record_of(arena.game)).state == arena.state


@pytest.mark.parametrize(
    ("row", "weapon"),
    [
        ({"name": "bite", "count": 1, "damage": "4d8", "die": 20}, kf.Weapon(8, dice=4)),
        ({"name": "bite", "count": 1, "damage": "d6-1"}, kf.Weapon(6, plus=-1)),
        ({"name": "bite", "count": 1, "damage": "7", "die": 8}, kf.Weapon(1, plus=6)),
        ({"name": "bite", "count": 1, "die": 20}, kf.Weapon(20)),
        ({"name": "bite", "count": 1, "damage": "much", "die": 6}, kf.Weapon(6)),
        ({"name": "bite", "count": 1, "damage": ["2d4"], "die": 6}, kf.Weapon(6)),
        ({"name": "bite", "count": 1, "damage": "99d9999", "die": 20}, kf.Weapon(20)),
        ({"name": "bite", "count": 1, "damage": None}, None),
        ({"name": "bite", "count": 1, "damage": "none", "die": None}, None),
        ({"name": "bite", "count": 1, "damage": "d4-4", "die": None}, None),
    ],
    ids=str,
)
def test_a_row_of_the_book_is_rolled_as_its_damage_says_or_by_its_die(arena: Arena, row, weapon):
    arms(arena, row)
    arena.begins(face=None)
    found = arena.of("cave-goblin-1").weapon
    assert (found and (found.dice, found.die, found.plus)) == (
        weapon and (weapon.dice, weapon.die, weapon.plus)
    )


# --- the admin, and words ------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("2d4+1", ""),
        ("20d100-99", ""),
        ("7", ""),
        ("none", ""),
        ("21d4", "21d4: a hit rolls up to 20 dice of 2 to 100 sides, and adds up to 99."),
        ("d4+100", "d4+100: a hit rolls up to 20 dice"),
        ("d101", "d101: a hit rolls up to 20 dice"),
        ("2d1", "2d1: a hit rolls up to 20 dice"),
        ("2x4", "An attack is"),
    ],
)
def test_the_admin_takes_damage_that_a_hit_can_roll_and_says_what_is_wrong_with_other(
    arena: Arena, damage: str, why: str
):
    User.objects.create_superuser("host", password="a long one")
    client = Client()
    assert client.login(username="host", password="a long one")
    attacks = json.dumps([{"name": "club", "count": 1, "damage": damage}])
    given = {"name": "Goblin", "level": 1, "hp": 4, "armor_defense": 12, "attack_bonus": 1}
    path = f"/admin/characters/monster/{arena.monster.pk}/change/"
    answer = client.post(path, {**given, "morale": 7, "attacks": attacks})
    arena.monster.refresh_from_db()
    assert answer.status_code == (200 if why else 302)
    if why:
        assert why in str(answer.context["errors"])
        assert arena.monster.attacks == [CLUB]
    else:
        assert arena.monster.attacks[0]["damage"] == damage


@pytest.mark.parametrize(
    ("weapon", "words"),
    [
        (kf.Weapon(8), "d8"),
        (kf.Weapon(4, dice=2), "2d4"),
        (kf.Weapon(6, plus=2), "d6+2"),
        (kf.Weapon(6, dice=3, plus=-1), "3d6−1"),
        (kf.Weapon(1), "1"),
        (kf.Weapon(1, plus=6), "7"),
    ],
)
def test_dice_are_written_as_books_write_them(weapon: kf.Weapon, words: str):
    assert dice_words(weapon) == words


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "the plus counts once"), ("es", "lo que se suma cuenta una sola vez")],
)
def test_the_rule_book_says_in_both_languages_what_a_critical_adds(db, language: str, text: str):
    with translation.override(language):
        rulings = [ruling for section in refereeing() for ruling in section.rulings]
    assert any(text in ruling for ruling in rulings)
