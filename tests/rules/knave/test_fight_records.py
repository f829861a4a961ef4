"""Records of a fight: the rules page's own, what is refused and at which line, and the way back."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import call_command

from games.management.commands.replay import Command
from games.rules import knave_fight as kf
from games.rules import records
from games.rules.knave_fight import (
    Armor,
    Cast,
    Edge,
    End,
    Engage,
    Flee,
    Guard,
    Join,
    Morale,
    Opponent,
    Rest,
    Save,
    Side,
    Weapon,
    Wear,
    Wield,
    refusals,
)
from tests.rules.knave.fights import BOW, STR, Fight, goblin, knave
from tests.rules.knave.first_lines import ASH, BEGINS, FIRST, GOBLIN, ONES
from tests.rules.recorded import end, error, lines

ATTACK = {
    "action": "attack",
    "by": "ash",
    "on": "goblin-1",
    "rolled_by": "attacker",
    "dice": [20, 4, 7],
}
MORALE = {"action": "morale", "of": "goblin-1", "dice": [4, 4]}
MISS = ATTACK | {"dice": [2]}
STUNT = {
    "action": "stunt",
    "by": "ash",
    "on": "goblin-1",
    "ability": "str",
    "against": "dex",
    "effect": "tripped",
    "dice": [3],
}
SAVE = {"action": "save", "by": "ash", "ability": "dex", "dice": [3]}
NIGHT = {"action": "rest", "kind": "night", "dice": {"goblin-1": 2, "ash": 5}}


def test_the_rules_pages_example_reads():
    assert json.loads(end(FIRST, BEGINS, ATTACK, MORALE).summary()) == {
        "round": 1,
        "first": "party",
        "last": {"total": 8, "target": 7, "success": False},
        "combatants": {
            "ash": {
                "hp": 5,
                "state": "up",
                "armor_defense": 13,
                "armor_quality": 3,
                "weapon_quality": 3,
            },
            "goblin-1": {
                "hp": -7,
                "state": "dead",
                "armor_defense": 12,
                "armor_quality": None,
                "weapon_quality": None,
            },
        },
    }


def test_replay_prints_the_last_line_the_rules_page_describes(tmp_path):
    path, out = tmp_path / "fight.jsonl", io.StringIO()
    path.write_bytes(b"\n".join(lines(FIRST, BEGINS, ATTACK)))
    call_command(Command(), str(path), stdout=out)
    assert out.getvalue() == (
        '{"round":1,"first":"party","last":{"total":22,"target":12,"success":true},'
        '"combatants":{"ash":{"hp":5,"state":"up","armor_defense":13,"armor_quality":3,'
        '"weapon_quality":3},"goblin-1":{"hp":-7,"state":"dead","armor_defense":12,'
        '"armor_quality":null,"weapon_quality":null}}}\n'
    )


def test_a_fight_before_its_first_roll_has_neither_round_nor_side_nor_roll():
    summary = json.loads(end(FIRST).summary())
    assert (summary["round"], summary["first"], summary["last"]) == (0, None, None)


def test_who_has_no_weapon_has_none_in_the_summary():
    unarmed = {name: value for name, value in ASH.items() if name != "weapon"}
    ash = json.loads(end(FIRST | {"party": [unarmed]}).summary())["combatants"]["ash"]
    assert ash["weapon_quality"] is None


def test_a_night_reads_its_dice_by_id_in_the_order_of_the_combatants():
    last = end(FIRST, {"action": "hurt", "on": "ash", "amount": 5}, NIGHT)
    assert last.play == (None, Rest(kind="night", who=("ash", "goblin-1")), (5, 2))
    assert [one.hp for one in last.state.fighters] == [5, 4]


def test_combatants_stand_in_the_summary_as_what_they_have_become():
    hurt = {"action": "hurt", "on": "ash", "amount": 5}
    summary = json.loads(end(FIRST, hurt, {"action": "flee", "of": "goblin-1"}).summary())
    states = [one["state"] for one in summary["combatants"].values()]
    assert states == ["unconscious", "fled"]


def test_a_broken_armor_and_weapon_have_no_quality_any_more():
    weak = ASH | {"armor": {"defense": 14, "quality": 1}}
    swing = {"action": "attack", "by": "goblin-1", "on": "ash", "rolled_by": "attacker"}
    foes_first = {"action": "initiative", "dice": [1]}
    last = end(FIRST | {"party": [weak]}, foes_first, swing | {"dice": [20, 1, 1]})
    ash = json.loads(last.summary())["combatants"]["ash"]
    assert (ash["armor_defense"], ash["armor_quality"]) == (12, None)


BAD_FIRST = {
    "not json": b"{",
    "no party": {key: FIRST[key] for key in ("game", "format", "foes")},
    "no foes": {key: FIRST[key] for key in ("game", "format", "party")},
    "an empty party": FIRST | {"party": []},
    "empty foes": FIRST | {"foes": []},
    "a field too many": FIRST | {"weather": "fog"},
    "another format": FIRST | {"format": 2},
    "the same id twice": FIRST | {"foes": [GOBLIN | {"id": "ash"}]},
    "no id": FIRST | {"party": [{k: v for k, v in ASH.items() if k != "id"}]},
    "no hit points": FIRST | {"party": [{k: v for k, v in ASH.items() if k != "hp"}]},
    "no bonus": FIRST | {"party": [{k: v for k, v in ASH.items() if k != "bonus"}]},
    "a combatant's unknown field": FIRST | {"party": [ASH | {"mood": "dim"}]},
    "a weapon's unknown field": FIRST | {"party": [ASH | {"weapon": {"die": 8, "x": 1}}]},
    "an armor's unknown field": FIRST | {"party": [ASH | {"armor": {"defense": 8, "x": 1}}]},
    "a seventh ability": FIRST | {"party": [ASH | {"bonus": ONES | {"luck": 1}}]},
    "a bonus in words": FIRST | {"party": [ASH | {"bonus": ONES | {"str": "2"}}]},
    "more hit points than the most": FIRST | {"party": [ASH | {"hp": 6}]},
    "a die without sides": FIRST | {"party": [ASH | {"weapon": {"die": 0}}]},
    "a bool for hit points": FIRST | {"party": [ASH | {"hp": True}]},
    "a negative quality": FIRST | {"party": [ASH | {"shield": {"quality": -1}}]},
}


@pytest.mark.parametrize("line", BAD_FIRST.values(), ids=BAD_FIRST)
def test_a_first_line_that_sets_up_no_fight_is_refused(line):
    assert error(line, BEGINS).line == 1


BAD_ACTION = {
    "not json": b'{"action": "end"',
    "not an object": [],
    "no action": {"by": "ash"},
    "an unknown action": {"action": "dance", "by": "ash"},
    "a field too many": ATTACK | {"mood": "dim"},
    "a seat": ATTACK | {"seat": 0},
    "no by": {k: v for k, v in ATTACK.items() if k != "by"},
    "no on": {k: v for k, v in ATTACK.items() if k != "on"},
    "no rolled_by": {k: v for k, v in ATTACK.items() if k != "rolled_by"},
    "an unknown roller": ATTACK | {"rolled_by": "referee"},
    "an unknown edge": ATTACK | {"edge": "luck"},
    "a stranger": ATTACK | {"by": "eve"},
    "a strange target": ATTACK | {"on": "eve"},
    "no dice": {k: v for k, v in ATTACK.items() if k != "dice"},
    "no die": ATTACK | {"dice": []},
    "a damage die missing": ATTACK | {"dice": [20, 4]},
    "a damage die too many": ATTACK | {"dice": [20, 4, 7, 1]},
    "damage without a hit": ATTACK | {"dice": [2, 4]},
    "no second d20 under advantage": MISS | {"edge": "advantage"},
    "two d20 without an edge": SAVE | {"dice": [3, 4]},
    "a 0": ATTACK | {"dice": [0]},
    "a 21": ATTACK | {"dice": [21]},
    "a damage face the die has not": ATTACK | {"dice": [20, 9, 1]},
    "a bool": ATTACK | {"dice": [True]},
    "a fraction": ATTACK | {"dice": [2.5]},
    "a die in words": ATTACK | {"dice": ["2"]},
    "a bare die": MISS | {"dice": 2},
    "dice by id": MISS | {"dice": {"ash": 2}},
    "a modifier too great": MISS | {"modifier": 21},
    "both with an edge": MISS | {"both": True, "edge": "advantage", "dice": [2, 3]},
    "an unknown ability": STUNT | {"ability": "luck"},
    "a stunt against nothing": {k: v for k, v in STUNT.items() if k != "against"},
    "a save against a stranger": SAVE | {"against": {"who": "eve", "ability": "int"}},
    "a save against a name alone": SAVE | {"against": "goblin-1"},
    "an opponent's unknown field": SAVE
    | {"against": {"who": "goblin-1", "ability": "int", "x": 1}},
    "one die for morale": MORALE | {"dice": [4]},
    "a 7 for morale": MORALE | {"dice": [7, 1]},
    "morale of who has none": MORALE | {"of": "ash"},
    "a d6's 7 for initiative": {"action": "initiative", "dice": [7]},
    "an unknown rest": {"action": "rest", "kind": "nap"},
    "a night without dice": {"action": "rest", "kind": "night"},
    "a night with a list": NIGHT | {"dice": [5]},
    "a night with who": NIGHT | {"who": ["ash"]},
    "a stranger's night": NIGHT | {"dice": {"ash": 5, "eve": 3}},
    "a d8's 9": NIGHT | {"dice": {"ash": 9}},
    "a haven with dice": {"action": "rest", "kind": "haven", "dice": {"ash": 3}},
    "dice for a hurt": {"action": "hurt", "on": "ash", "amount": 1, "dice": [1]},
    "a negative hurt": {"action": "hurt", "on": "ash", "amount": -1},
    "a hurt of nothing told": {"action": "hurt", "on": "ash"},
    "nothing to wield": {"action": "wield", "by": "ash"},
    "a join of the same": {"action": "join", "side": "foes", "combatant": GOBLIN},
    "a join of a seventh ability": {
        "action": "join",
        "side": "foes",
        "combatant": GOBLIN | {"id": "g", "bonus": {"luck": 1}},
    },
}


@pytest.mark.parametrize("line", BAD_ACTION.values(), ids=BAD_ACTION)
def test_a_line_that_is_no_legal_action_is_refused_with_its_number(line):
    assert error(FIRST, BEGINS, b"", line, MORALE).line == 4


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ([], refusals.RECORD_OBJECT),
        (MISS | {"dice": 2}, refusals.RECORD_DICE),
        (NIGHT | {"who": ["ash"]}, refusals.RECORD_WHO),
        ({"action": "flee", "of": "ash", "dice": [1]}, refusals.RECORD_NO_DICE),
    ],
)
def test_dice_that_do_not_go_with_an_action_are_refused_in_words(line, reason):
    assert reason.why in error(FIRST, BEGINS, line).why


def test_nothing_follows_the_end():
    assert error(FIRST, {"action": "end"}, BEGINS).line == 3


def test_the_dead_rest_not_in_a_record_either():
    assert "KN-21" in error(FIRST, BEGINS, ATTACK, NIGHT).why


def everything() -> Fight:
    """A fight with every kind of action in it."""
    extras = {"attacks": 2, "weapons": (Weapon(4, name="claw"), BOW), "leader": True, "group": "x"}
    chief = goblin("chief", name="Old Nettle", attack=3, hp=30, max_hp=30, **extras)
    table = Fight([knave(shield=Guard(1)), knave("bo", weapon=BOW)], [goblin(), chief])
    table.begins().attacks("ash", "goblin", 15, 2, modifier=-1, rolled_by="attacker")
    table.stunts("bo", "chief", 4, 9, edge=Edge.DISADVANTAGE, effect="Eyes full of sand")
    table.plays(Engage(by="chief", on="ash")).attacks("chief", "ash", 20, rolled_by="defender")
    table.attacks("chief", "bo", 12, 4, 3, with_=0, ideal=True).plays(kf.Disengage(by="ash"))
    table.plays(Save(by="goblin", ability=STR), 9)
    table.plays(Save(by="bo", ability=STR, against=Opponent(who="chief", ability=STR)), 11, seat=1)
    table.begins().attacks("ash", "chief", 3, both=True).stunts("ash", "chief", 18, both=True)
    table.plays(Cast(by="bo", spell="Sleep", on=("goblin",)), seat=1)
    table.plays(kf.Hurt(on="goblin", amount=2)).plays(Morale(of="chief"), 3, 3)
    table.plays(Join(side=Side.PARTY, combatant=knave("cy", hp=3)))
    table.plays(Wield(by="cy", weapon=None)).plays(Wield(by="ash", weapon=BOW))
    table.plays(Wear(by="cy", armor=Armor(14, 4))).plays(Flee(of="chief"))
    table.plays(kf.Turn(of="bo"))
    table.plays(kf.Heal(on="cy", amount=1)).plays(Rest(kind="night", who=("cy", "bo")), 2, 5)
    return table.plays(Rest(kind="haven")).plays(End())


def test_a_written_record_replays_to_the_same_state():
    table = everything()
    assert {type(action) for _, action, _ in table.moves} == set(kf.ACTIONS.values())
    written = records.write(kf.NAME, table.setup, table.moves)
    assert records.replay(written).state == table.state


def test_a_written_record_speaks_as_the_rules_page_does():
    table = everything()
    written = records.write(kf.NAME, table.setup, table.moves)
    told = [json.loads(line) for line in written.splitlines()]
    assert told[0]["foes"][0] == {
        "id": "goblin",
        "level": 1,
        "bonus": ONES,
        "hp": 4,
        "max_hp": 4,
        "armor": {"defense": 12},
        "weapon": {"die": 6},
        "morale": 7,
    }
    (late,) = [one["combatant"] for one in told if one.get("action") == "join"]
    assert late["level"] == 1
    assert {"action": "initiative", "dice": [6]} in told
    assert {"action": "morale", "of": "chief", "dice": [3, 3]} in told
    assert {"action": "rest", "kind": "night", "dice": {"cy": 2, "bo": 5}} in told
    assert {"action": "rest", "kind": "haven"} in told
    assert {"action": "wield", "by": "cy", "weapon": None} in told
    assert {"action": "turn", "of": "bo"} in told
    assert {
        "action": "attack",
        "by": "chief",
        "on": "bo",
        "rolled_by": "attacker",
        "ideal": True,
        "with": 0,
        "dice": [12, 4, 3],
    } in told
