"""What a sequence leaves in the log and the chronicle, and how it is taken back (WA-111)."""

from __future__ import annotations

import pytest
from django.utils import translation

from campaigns.models import Moment, Sequence
from campaigns.screens.cards import FightCard
from campaigns.screens.chapter import board_of
from games import sentences, snapshot
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


def seen(brawl: Brawl) -> FightCard:
    """Return a fight as every screen shows it."""
    now = snapshot.load(brawl.troupe.table.pk, "wicked_age")
    erin = brawl.troupe.table.seats.get(number=brawl.troupe.erin.seat)
    (fight,) = board_of(now, erin).fights
    return fight


def test_wa111_an_answer_that_was_taken_back_is_not_shown_as_the_last(brawl: Brawl):
    """Every screen went on saying who had the advantage by a roll that was no more."""
    duel(brawl).rolls("Amek", 9, 3).rolls("Mekha", 5, 2)
    brawl.moves("Amek", "Mekha").rolls("Mekha", 6, 2)
    assert "Amek has the advantage" in seen(brawl).last
    brawl.troupe.undoes("answer_met")
    assert (brawl.phase, seen(brawl).last) == ("answer", "")


def test_wa51_what_an_answer_came_to_is_not_shown_in_the_next_round(brawl: Brawl):
    """Before anybody had answered, screens told again how the round before had ended, and showed
    the dice of whoever answered last in it, which she had picked up."""
    duel(brawl).rolls("Amek", 9, 3).rolls("Mekha", 5, 2)
    brawl.moves("Amek", "Mekha").rolls("Mekha", 6, 2)
    assert "Amek has the advantage" in seen(brawl).last
    brawl.goes_on("Amek")
    assert seen(brawl).last == ""
    brawl.rolls("Amek", 9, 3, 1).rolls("Mekha", 5, 2)
    lying = [fighter.name for fighter in seen(brawl).fighters if fighter.roll]
    assert (brawl.phase, seen(brawl).last, lying) == ("turn", "", ["Amek"])


def test_wa111_a_move_is_shown_with_its_own_words_once_a_later_one_is_taken_back(brawl: Brawl):
    """The words of Amek's move stood beside Mekha's, which waited for an answer again."""
    four(brawl)
    brawl.rolls("Mekha", 12, 6).rolls("Tajie", 10, 5).rolls("Amek", 8, 4).rolls("Esan", 7, 3)
    brawl.moves("Mekha", "Tajie", says="Comes by the smoke").rolls("Tajie", 11, 2)
    answered = brawl.troupe.last("answer_met").seq
    brawl.rolls("Amek", 7, 3).moves("Amek", "Esan", says="Burns the tents")
    brawl.troupe.do(brawl.troupe.erin, "undo", event=answered, sure="true")
    assert seen(brawl).move == "“Comes by the smoke” Mekha moves; to answer: Tajie."


def test_a_sentence_that_ends_in_what_was_typed_has_one_full_stop(brawl: Brawl):
    troupe = brawl.troupe
    brawl.begins("Amek", "Mekha", act="Takes it by force.")
    troupe.do(troupe.erin, "call_off_sequence", sequence=brawl.key)
    told = "The GM takes those dice off the table: Takes it by force."
    assert troupe.told("sequence_called_off") == told
    troupe.do(troupe.erin, "open_scene", where="The ford.")
    assert troupe.told("scene_opened") == "A scene: The ford."


def test_wa24_two_strengths_strike_home(brawl: Brawl):
    told = {"winner": "Amek", "name": "Esan", "how": "injured", "lost": []}
    told["consequential"] = ["Curse", "Venom"]
    text = sentences.tell("harm_settled", told, [])
    assert text == "Amek leaves Esan injured. Curse and Venom strike home."
    with translation.override("es"):
        assert sentences.tell("harm_settled", told, []).endswith("Dejan huella: Curse y Venom.")


def test_wa60_who_has_gone_is_not_said_to_stop(brawl: Brawl):
    """Mekha could stop, and went: the others read that she could stop here to the round's end."""
    four(brawl)
    brawl.rolls("Mekha", 12, 6).rolls("Tajie", 10, 5).rolls("Amek", 8, 4).rolls("Esan", 7, 3)
    brawl.moves("Mekha")
    for name in ("Tajie", "Amek", "Esan"):
        brawl.rolls(name, 6, 3).moves(name)
    brawl.turn("Mekha", "agree_to_end")
    assert "Mekha could stop here." in seen(brawl).now
    brawl.does("Esan", "leave_sequence", sequence=brawl.key, who=brawl.id("Mekha"))
    assert brawl.phase == "between"
    assert "could stop here" not in seen(brawl).now
