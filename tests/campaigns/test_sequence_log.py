"""What a sequence leaves in the log and the chronicle, and how it is taken back (WA-111)."""

from __future__ import annotations

import pytest

from campaigns.models import Moment, Sequence
from tests.campaigns.brawl import Brawl, duel, four
from tests.games.party import done, notice, refused

pytestmark = pytest.mark.django_db


def test_an_undo_sets_dice_sheets_and_owe_list_back(brawl: Brawl):
    four(brawl)
    brawl.rolls("Mekha", 6, 1).rolls("Tajie", 7, 7).rolls("Amek", 10, 1).rolls("Esan", 10, 4)
    before = (brawl.dice("Amek"), brawl.game.state, brawl.scene)
    brawl.moves("Esan", "Amek").rolls("Amek", 4, 2).settles("Esan", "Amek", "injured")
    brawl.rolls("Tajie", 9, 6).moves("Tajie", "Mekha").rolls("Mekha", 10, 4)
    assert (brawl.phase, brawl.owed()) == ("between", ["Mekha"])
    move = brawl.troupe.events("move_made")[0]
    done(brawl.troupe.erin.does("undo", event=move.seq, sure="true"))
    assert (brawl.dice("Amek"), brawl.game.state, brawl.scene) == before
    assert (brawl.owed(), brawl.moments()[-1]) == ([], "turns_ordered")
    assert brawl.is_replayed()
    brawl.moves("Esan", "Amek").rolls("Amek", 9, 6)
    assert brawl.is_replayed()


def test_a_beginning_undone_leaves_the_log_and_takes_all_that_came_of_it(brawl: Brawl):
    duel(brawl).rolls("Amek", 6, 2).rolls("Mekha", 2, 6)
    brawl.turn("Mekha", "back_away").turn("Amek", "back_away")
    begun = brawl.troupe.last("sequence_begun")
    Brawl(brawl.troupe).begins("Amek", "Tajie")
    logged = brawl.troupe.table.seq
    erin = brawl.troupe.erin
    assert "hang on it" in refused(erin.does("undo", event=begun.seq), 409)
    done(erin.does("undo", event=begun.seq, sure="true"))
    assert not Sequence.objects.exists()
    assert not Moment.objects.exists()
    assert brawl.troupe.table.events.count() == logged + 1
    Brawl(brawl.troupe).begins("Amek", "Tajie")


def test_what_happened_is_told_with_names(brawl: Brawl):
    troupe = brawl.troupe
    duel(brawl)
    assert troupe.told("sequence_begun") == (
        "Amek: Pulls Mekha out by his hair. In the way: Mekha."
    )
    assert troupe.told("forms_taken") == "Mekha takes up d8, d10: directly and for myself."
    brawl.rolls("Amek", 5, 6).rolls("Mekha", 6, 9)
    assert troupe.told("turns_ordered") == "In this order: Mekha and Amek."
    brawl.moves("Mekha", "Amek", says="Tears loose").rolls("Amek", 2, 9)
    assert troupe.told("move_made") == "Mekha moves against Amek. “Tears loose”"
    assert troupe.told("answer_met") == ("9 against 9: Mekha has the advantage over Amek.")
    assert troupe.told("name_owed") == "We owe Mekha: written at the end of the list."
    assert troupe.told("round_closed") == "Round 1 is over. Advantage: Mekha over Amek."
    brawl.goes_on("Amek").rolls("Amek", 3, 3).rolls("Mekha", 1, 9, 1)
    assert troupe.told("dice_fell") == ("Mekha rolls 9, 1 with pips 1, 10 in all. (real dice)")
    told = set(brawl.moments())
    assert {"sequence_begun", "dice_fell", "answer_met", "name_owed", "round_closed"} <= told


def test_a_receipt_says_what_was_done_and_not_all_that_came_of_it(brawl: Brawl):
    """UX: it lies over the dice that it is about; an answer that ends a round is five sentences."""
    brawl.begins("Amek", "Esan").takes("Amek", "directly", "covertly").takes("Esan", "action")
    brawl.rolls("Amek", 9, 8).rolls("Esan", 2, 1).moves("Amek", "Esan")
    about = {"sequence": brawl.key, "who": brawl.id("Esan"), "saw": brawl.scene, "dice": (7, 6)}
    told = notice(brawl.troupe.erin.does("roll_forms", receipt="1", **about))
    assert told.startswith("Esan answers with 7, 6.")
    assert told.endswith("Undo")
    assert len(told) < 140
    assert "Round 1 is over" not in told
    assert "Round 1 is over" in brawl.troupe.told("round_closed")
