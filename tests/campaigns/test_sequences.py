"""Action sequences as they are played: worked fights, ties, moves (WA-27, WA-39 to WA-64, WA-107).

The dice are those of the rules text's worked fights.
"""

from __future__ import annotations

import pytest

from campaigns.models import Owed
from campaigns.screens.newest import ended_text
from games.snapshot import load
from tests.campaigns.brawl import Brawl, duel, four, won
from tests.games.party import done, fresh

pytestmark = pytest.mark.django_db


def test_the_first_duel_is_decided_in_the_third_round(brawl: Brawl):
    duel(brawl).rolls("Amek", 5, 6).rolls("Mekha", 6, 9)
    assert brawl.names(brawl.state.order) == ["Mekha", "Amek"]
    brawl.moves("Mekha", "Amek", says="Tears loose").rolls("Amek", 2, 9)
    assert brawl.last() == ("Mekha", "Amek", "loses_advantage")
    # WA-76: d10+d8 against d12+d10, still in, at the end of round 1
    assert (brawl.phase, brawl.owed(), brawl.advantage()) == (
        "between", ["Mekha"], [("Mekha", "Amek")]
    )  # fmt: skip
    row = Owed.objects.get()
    assert (row.order, row.chapter, row.sequence) == (1, brawl.troupe.chapter, brawl.row)

    brawl.goes_on("Amek").rolls("Amek", 3, 3).rolls("Mekha", 1, 9, 1)
    brawl.moves("Mekha", "Amek").rolls("Amek", 9, 7).goes_on("Mekha")
    brawl.rolls("Amek", 10, 3).rolls("Mekha", 1, 7, 3)
    brawl.moves("Amek", "Mekha", says="Chops him in the back").rolls("Mekha", 2, 1, 5)
    assert brawl.last() == ("Amek", "Mekha", "loses_absolutely")
    assert brawl.phase == "settle"
    brawl.settles("Amek", "Mekha", "exhausted")
    assert (brawl.dice("Mekha")["directly"], brawl.dice("Mekha")["with_violence"]) == (6, 0)
    assert brawl.one("Mekha").forms["directly"]["base"] == 8  # WA-17
    assert (brawl.row.is_over, brawl.game.status, brawl.game.winners) == (True, "over", ["Amek"])
    assert brawl.owed() == ["Mekha"]
    assert brawl.is_replayed()


def test_the_four_way_fight(brawl: Brawl):
    four(brawl)
    brawl.rolls("Mekha", 6, 1).rolls("Tajie", 7, 7).rolls("Amek", 10, 1).rolls("Esan", 10, 4)
    assert brawl.names(brawl.state.order) == ["Esan", "Amek", "Tajie", "Mekha"]
    brawl.moves("Esan", "Amek", "Tajie", says="Catches Mekha's eye").rolls("Amek", 4, 2)
    assert brawl.last() == ("Esan", "Amek", "loses_absolutely")
    brawl.settles("Esan", "Amek", "injured")
    assert (brawl.dice("Amek")["covertly"], brawl.dice("Amek")["for_others"]) == (6, 4)
    brawl.rolls("Tajie", 9, 6)
    # WA-58: Amek and Tajie have lost their moves; Mekha rerolls on her turn (WA-54)
    brawl.rolls("Mekha", 6, 3).moves("Mekha", "Tajie").rolls("Tajie", 10, 4)
    assert brawl.owed() == ["Mekha"]
    assert brawl.advantage() == [("Esan", "Tajie"), ("Tajie", "Mekha")]

    brawl.goes_on("Tajie").rolls("Mekha", 11, 5).rolls("Tajie", 9, 8, 1).rolls("Esan", 5, 1, 4)
    brawl.moves("Mekha", "Tajie").rolls("Tajie", 11, 7, 4)
    brawl.rolls("Esan", 9, 6, 5).moves("Esan", "Tajie").rolls("Tajie", 7, 1, 6)
    assert brawl.last() == ("Esan", "Tajie", "loses_advantage")
    assert brawl.advantage() == [("Esan", "Tajie"), ("Tajie", "Mekha")]

    brawl.goes_on("Esan").rolls("Mekha", 12, 3).rolls("Tajie", 7, 4, 5).rolls("Esan", 9, 5, 2)
    brawl.moves("Tajie", "Mekha", "Esan")
    owed = Owed.objects.get()
    brawl.turn("Mekha", "buy_die", owed=owed.pk).rolls("Mekha", 4, 2, 2)
    owed = fresh(owed)
    assert (owed.struck, owed.struck_sequence, owed.struck_round) == ("die", brawl.row, 3)
    assert brawl.last() == ("Tajie", "Mekha", "loses_absolutely")
    brawl.settles("Tajie", "Mekha", "exhausted")
    brawl.rolls("Esan", 9, 3, 1)
    offer = brawl.offers("Tajie", "Esan", "Esan", forms=["maneuvering"], says="Amek is told")
    done(brawl.troupe.erin.does("take_offer", offer=offer.pk))
    assert brawl.dice("Esan")["maneuvering"] == [8, 6]
    assert (brawl.owed(), brawl.game.winners) == ([], ["Tajie"])
    # WA-65: screens that told of the name tell that it was struck again.
    told = ended_text(load(brawl.troupe.table.pk))
    assert told.index("We owe Mekha") < told.index("Mekha is struck from the owe list")
    assert brawl.is_replayed()
    assert brawl.lines()[0]["participants"][3]["id"] == brawl.ref("Esan")


def test_a_tie_is_fought_out_with_the_lower_die(brawl: Brawl):
    duel(brawl).rolls("Amek", 6, 2).rolls("Mekha", 2, 6)
    assert brawl.phase == "tie"
    brawl.turn("Amek", "press_on").rolls("Amek", 8).rolls("Mekha", 7)
    assert brawl.names(brawl.state.order) == ["Amek", "Mekha"]
    brawl.moves("Amek", "Mekha").rolls("Mekha", 7, 9)
    assert brawl.last() == ("Amek", "Mekha", "wins_advantage")


def test_wa52_a_tie_backed_away_from_costs_nothing(brawl: Brawl):
    duel(brawl).rolls("Amek", 6, 2).rolls("Mekha", 2, 6)
    brawl.turn("Mekha", "back_away").turn("Amek", "back_away")
    assert (brawl.row.is_over, brawl.owed()) == (True, [])
    assert brawl.troupe.told("backed_away") == (
        "Amek and Mekha back away from each other, unharmed."
    )


def test_wa53_the_server_draws_lots_at_once(brawl: Brawl):
    four(brawl).rolls("Mekha", 5, 3).rolls("Tajie", 9, 7).rolls("Amek", 5, 3)
    brawl.troupe.dice.fall(2, 1)
    brawl.rolls("Esan", 8, 2)
    assert brawl.phase == "turn"
    assert brawl.names(brawl.state.order) == ["Tajie", "Esan", "Amek", "Mekha"]
    assert brawl.troupe.told("lots_decided") == "Lots decide who is first: Amek and Mekha."
    assert brawl.is_replayed()


def test_wa53_lots_that_fell_are_not_drawn_again_by_whoever_backed_away(brawl: Brawl):
    """As a roll once shown (WA-111): only the GM takes back what chance has decided."""
    troupe = brawl.troupe
    for name in ("Guard", "Porter"):
        troupe.do(troupe.erin, "make_npc", name=name, best="action")
    brawl.begins("Mekha", "Tajie", "Amek", "Guard", "Porter")
    brawl.takes("Mekha", "with_love", "covertly").takes("Tajie", "for_myself", "covertly")
    brawl.takes("Amek", "directly", "for_others").takes("Guard", "action").takes("Porter", "action")
    brawl.rolls("Mekha", 9, 3).rolls("Tajie", 9, 3).rolls("Amek", 8, 2)
    brawl.rolls("Guard", 7, 2).rolls("Porter", 7, 2).turn("Mekha", "back_away")
    before = brawl.state
    troupe.dice.fall(2, 1)
    brawl.turn("Tajie", "back_away")
    assert brawl.names(brawl.state.order) == ["Amek", "Porter", "Guard"]
    person, event = brawl.player("Tajie"), troupe.last("lots_decided").seq
    assert 'id="undo"' not in person.sees()
    troupe.refusal(person, "undo", 403, event=event)
    assert brawl.is_replayed()
    troupe.undoes("lots_decided")
    assert brawl.state == before


def test_wa56_passing_and_stepping_in(brawl: Brawl):
    four(brawl)
    brawl.rolls("Mekha", 6, 1).rolls("Tajie", 7, 7).rolls("Amek", 10, 1).rolls("Esan", 10, 4)
    brawl.moves("Esan", "Mekha").turn("Amek", "step_in")
    assert brawl.names(brawl.state.to_answer) == ["Amek", "Mekha"]
    brawl.turn("Amek", "let_pass").turn("Mekha", "let_pass")
    assert brawl.names([brawl.state.mover]) == ["Tajie"]
    brawl.rolls("Tajie", 3, 1).moves("Tajie")
    assert brawl.phase == "between"
    assert brawl.troupe.told("move_made") == "Tajie moves, and nobody has to answer."


def test_wa56_a_later_turn_that_threatens_nobody_takes_no_dice(brawl: Brawl):
    duel(brawl).rolls("Amek", 9, 3).rolls("Mekha", 6, 3).moves("Amek")
    button = f'id="move-{brawl.key}-{brawl.id("Mekha")}-nobody"'
    done(brawl.troupe.erin.does("turn_table", rules="wicked_age"))
    assert button in brawl.player("Mekha").sees()
    assert "a new roll" in brawl.refuses("Mekha", "make_move", to=[brawl.id("Amek")])
    brawl.moves("Mekha")
    assert brawl.phase == "between"
    assert brawl.is_replayed()


def test_wa27_who_uses_a_strength_is_reminded_to_show_it(brawl: Brawl):
    brawl.troupe.do(brawl.troupe.erin, "turn_table", rules="wicked_age")
    held = brawl.troupe.strength(brawl.one("Amek"))
    brawl.begins("Amek", "Mekha").takes("Amek", "covertly", "directly", strengths=[held.pk])
    brawl.takes("Mekha", "directly", "for_myself")
    reminder = "Show it in what happens: Hawk&#39;s eyes."
    assert reminder in brawl.player("Amek").sees()
    assert reminder not in brawl.player("Mekha").sees()


def test_wa107_a_part_of_a_group_that_acts_on_its_own_has_whole_dice_of_its_own(brawl: Brawl):
    won(brawl, loser="Esan").settles("Amek", "Esan")
    brawl.troupe.do(brawl.troupe.erin, "make_npc", name="Half of them", best="action")
    brawl.begins("Amek", "Esan", "Half of them").takes("Amek", "with_violence", "directly")
    brawl.takes("Esan", "action").takes("Half of them", "action")
    dice = [brawl.dice(name)["action"] for name in ("Esan", "Half of them")]
    assert dice == [[10, 6], [12, 8]]
    brawl.rolls("Amek", 9, 3).rolls("Esan", 10, 6).rolls("Half of them", 12, 8)
    assert brawl.names(brawl.state.order) == ["Half of them", "Esan", "Amek"]
