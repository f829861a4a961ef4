"""Action sequences at the table, as those play them who have dice in them (WA-39 to WA-66).

The dice are those of the rules text's worked fights.
"""

from __future__ import annotations

import pytest

from campaigns.models import Character, Owed, Scene, Sequence
from campaigns.screens.newest import ended_text
from games.snapshot import load
from tests.campaigns.brawl import Brawl, brawl_of, duel, four
from tests.campaigns.troupe import Troupe, fresh
from tests.games.party import done

pytestmark = pytest.mark.django_db


@pytest.fixture
def brawl(troupe: Troupe) -> Brawl:
    return brawl_of(troupe)


# --- the worked fights ---------------------------------------------------------------------------


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


# --- who, when, and why not ----------------------------------------------------------------------


def test_wa40_a_player_moves_her_own_and_the_gm_everybody(brawl: Brawl):
    tom, amy, erin = brawl.troupe.tom, brawl.troupe.amy, brawl.troupe.erin
    assert "somebody else" in brawl.refuses(
        "Mekha", "start_sequence", 403, by=tom, act="Runs", actor=brawl.id("Mekha"),
        who=brawl.ids(["Amek"]),
    )  # fmt: skip
    duel(brawl)
    assert "somebody else" in brawl.refuses("Amek", "roll_forms", 403, by=amy)
    brawl.turn("Amek", "roll_forms", by=erin, dice=[5, 6])
    assert "Only who has dice" in brawl.refuses("Amek", "next_round", 403, by=brawl.troupe.martha)


def test_wa41_who_can_have_dice(brawl: Brawl):
    troupe = brawl.troupe
    alone = {"act": "Runs", "actor": brawl.id("Amek")}
    assert "two to eight" in brawl.refuses(
        "Amek", "start_sequence", 422, **alone, who=[brawl.id("Amek")]
    )
    assert "in a line" in brawl.refuses(
        "Amek", "start_sequence", 422, **{**alone, "act": " "}, who=[brawl.id("Mekha")]
    )
    Character.objects.filter(pk=brawl.id("Mekha")).update(state="out")
    words = brawl.refuses("Amek", "start_sequence", **alone, who=[brawl.id("Mekha")])
    assert words == "Mekha is out for the rest of this chapter."
    assert brawl.refuses("Amek", "start_sequence", 404, **alone, who=[99999])
    Character.objects.filter(pk=brawl.id("Mekha")).update(state="captive")
    duel(brawl)
    words = brawl.refuses("Esan", "start_sequence", act="Runs", actor=brawl.id("Esan"),
                            who=[brawl.id("Mekha")])  # fmt: skip
    assert words == "Mekha has dice in another sequence: that one first."
    assert troupe.chapter.sequences.count() == 1


def test_wa69_two_dice_at_0_take_no_part_whenever_they_got_there(brawl: Brawl):
    forms = {form: {"base": 6, "current": 0} for form in ("covertly", "directly")}
    forms |= {"with_love": {"base": 12, "current": 12}}
    Character.objects.filter(pk=brawl.id("Mekha")).update(forms=forms)
    given = {"act": "Runs", "actor": brawl.id("Amek"), "who": [brawl.id("Mekha")]}
    assert "Mekha is out" in brawl.refuses("Amek", "start_sequence", **given)


def test_wa26_beyond_human_reach_are_only_holders(brawl: Brawl):
    start = {"act": "Climbs to heaven", "actor": brawl.id("Amek"), "needs_far_reach": "true"}
    words = brawl.refuses("Amek", "start_sequence", **start, who=[brawl.id("Esan")])
    assert "beyond Amek" in words
    brawl.troupe.strength(brawl.one("Amek"), "A ladder of smoke", options=["far_reaching"])
    brawl.begins("Amek", "Esan", needs_far_reach="true")
    assert brawl.row.needs_far_reach


def test_wa42_to_44_what_can_be_taken_up(brawl: Brawl):
    held = brawl.troupe.strength(brawl.one("Amek"), "Hawk", options=["potent"])
    brawl.begins("Amek", "Esan")
    assert "two different forms" in brawl.refuses("Amek", "take_dice", forms=["directly"])
    assert "one form" in brawl.refuses("Esan", "take_dice", forms=["action", "maneuvering"])
    assert "acting in its form" in brawl.refuses(
        "Amek", "take_dice", forms=["directly", "for_others"], strengths=[held.pk]
    )
    assert brawl.refuses("Amek", "take_dice", 404, forms=["directly", "covertly"], strengths=[999])
    brawl.takes("Amek", "directly", "covertly", strengths=[held.pk]).takes("Esan", "action")
    assert brawl.troupe.events("forms_taken")[0].data["dice"] == [10, 8, 10]
    assert "kept" in brawl.refuses("Amek", "take_dice", forms=["directly", "for_others"])
    brawl.rolls("Amek", 4, 3, 9)
    assert brawl.troupe.told("dice_fell") == "Amek rolls 9, 4, 3. (real dice)"


def test_wa44_a_form_at_0_gives_no_die(brawl: Brawl):
    one = brawl.one("Amek")
    one.forms["directly"]["current"] = 0
    Character.objects.filter(pk=one.pk).update(forms=one.forms)
    worn = brawl.one("Esan")
    worn.forms["action"]["current"] = [0, 4]
    Character.objects.filter(pk=worn.pk).update(forms=worn.forms)
    brawl.begins("Amek", "Esan").takes("Amek", "directly", "for_myself").takes("Esan", "action")
    brawl.rolls("Amek", 3).rolls("Esan", 2)
    assert brawl.names(brawl.state.order) == ["Amek", "Esan"]


def test_wa57_and_wa111_out_of_turn_and_wrong_dice(brawl: Brawl):
    duel(brawl).rolls("Amek", 5, 6)
    assert "stands" in brawl.refuses("Amek", "roll_forms", dice=[1, 1])
    assert "2 dice" in brawl.refuses("Mekha", "roll_forms", 422, dice=[1])
    assert "d8 shows" in brawl.refuses("Mekha", "roll_forms", 422, dice=[9, 1])
    brawl.rolls("Mekha", 6, 9)
    assert "somebody else" in brawl.refuses("Amek", "make_move", to=[brawl.id("Mekha")])
    brawl.moves("Mekha", "Amek")
    assert "does not have to answer" in brawl.refuses("Mekha", "roll_forms", dice=[1, 1])
    assert brawl.refuses("Amek", "buy_die", 404, owed=4711)


def test_wa65_only_ones_own_names_are_struck_and_only_before_a_roll(brawl: Brawl):
    mine, theirs, again = brawl.troupe.owes("Amek", "Mekha", "Amek")
    duel(brawl)
    assert "their own characters" in brawl.refuses("Amek", "buy_die", owed=theirs.pk)
    brawl.turn("Amek", "buy_die", owed=again.pk)
    assert brawl.owed() == ["Amek", "Mekha"]
    assert [one.name for one in brawl.state.owe_list] == [brawl.ref("Amek"), brawl.ref("Mekha")]
    brawl.rolls("Amek", 5, 6, 3).rolls("Mekha", 1, 2)
    assert "before a roll" in brawl.refuses("Amek", "buy_die", owed=mine.pk)
    assert brawl.state.of(brawl.ref("Amek")).bought == 1
    assert brawl.is_replayed()


def test_wa65_the_gm_buys_nothing(brawl: Brawl):
    owed = brawl.troupe.owes("Amek")[0]
    brawl.begins("Esan", "Amek").takes("Esan", "action").takes("Amek", "directly", "covertly")
    assert "only players" in brawl.refuses("Esan", "buy_die", owed=owed.pk).lower()


def with_mekha_lent(brawl: Brawl, to: str) -> dict[str, int]:
    """Begin a sequence against Amek with Mekha lent to somebody; return what names her in it."""
    mekha = Character.objects.filter(pk=brawl.id("Mekha"))
    mekha.update(lent_to=brawl.troupe.member(to))
    brawl.begins("Amek", "Mekha").takes("Amek", "directly", "covertly")
    return {"sequence": brawl.key, "who": brawl.id("Mekha")}


def test_wa65_who_plays_one_that_is_lent_strikes_names_of_their_own(brawl: Brawl):
    theirs, mine = brawl.troupe.owes("Mekha", "Tajie")
    by, about = brawl.troupe.martha, with_mekha_lent(brawl, "Martha")
    brawl.does("Mekha", "take_dice", by=by, forms=["directly", "covertly"], **about)
    assert "their own characters" in brawl.refuses("Mekha", "buy_die", by=by, owed=theirs.pk)
    brawl.does("Mekha", "buy_die", by=by, owed=mine.pk, **about)
    assert brawl.owed() == ["Mekha"]
    assert brawl.is_replayed()


def test_wa65_nothing_is_bought_for_one_that_is_lent_to_the_gm(brawl: Brawl):
    owed = brawl.troupe.owes("Mekha")[0]
    by, about = brawl.troupe.erin, with_mekha_lent(brawl, "Erin")
    brawl.does("Mekha", "take_dice", by=by, forms=["directly", "covertly"], **about)
    assert brawl.refuses("Mekha", "buy_die", by=by, owed=owed.pk)


def test_whoever_answers_what_is_no_longer_asked_is_told_so(brawl: Brawl):
    duel(brawl)
    asked = brawl.scene
    brawl.rolls("Amek", 5, 6)
    assert brawl.scene == asked  # one more of several who roll the same round
    brawl.turn("Mekha", "roll_forms", saw=asked, dice=[6, 9])
    assert brawl.scene != asked
    assert "Too late" in brawl.refuses("Mekha", "make_move", saw=asked, to=[brawl.id("Amek")])
    brawl.moves("Mekha", "Amek")
    tap = {"sequence": brawl.key, "who": brawl.id("Amek"), "saw": brawl.scene, "dice": [2, 9]}
    tom = brawl.troupe.tom
    done(tom.does("roll_forms", tap="twice", **tap))
    done(tom.does("roll_forms", tap="twice", **tap))
    assert len(brawl.troupe.events("dice_fell")) == 3


# --- several at once, and around them ------------------------------------------------------------


def test_two_sequences_share_one_owe_list(brawl: Brawl):
    owed = brawl.troupe.owes("Mekha")[0]
    other = Brawl(brawl.troupe)
    duel(brawl)
    other.begins("Tajie", "Esan").takes("Tajie", "for_myself", "covertly").takes("Esan", "action")
    brawl.turn("Mekha", "buy_die", owed=owed.pk).rolls("Amek", 5, 6).rolls("Mekha", 6, 9, 1)
    other.rolls("Tajie", 9, 5).rolls("Esan", 8, 7).moves("Tajie", "Esan").rolls("Esan", 10, 2)
    assert brawl.refuses("Mekha", "buy_die", 404, owed=owed.pk)
    brawl.moves("Mekha", "Amek").rolls("Amek", 2, 9)
    assert (brawl.owed(), other.phase) == (["Mekha"], "between")
    other.goes_on("Tajie")
    assert [one.name for one in other.state.owe_list] == [other.ref("Mekha")]
    assert brawl.is_replayed()
    assert other.is_replayed()


def test_wa111_a_die_the_gm_sets_right_is_rolled_from_now_on(brawl: Brawl):
    duel(brawl).rolls("Amek", 5, 6)
    one = brawl.one("Mekha")
    one.forms = {**one.forms, "directly": {"base": 8, "current": 4}}
    Character.objects.filter(pk=one.pk).update(forms=one.forms)
    brawl.rolls("Mekha", 4, 9)
    brawl.moves("Mekha", "Amek").rolls("Amek", 1, 2)
    brawl.settles("Mekha", "Amek", "injured")
    assert brawl.state.of(brawl.ref("Mekha")).forms["directly"] == (4,)
    assert brawl.dice("Mekha")["directly"] == 4
    assert brawl.is_replayed()


def test_wa38_dice_are_held_between_rounds(brawl: Brawl):
    erin = brawl.troupe.erin
    key = duel(brawl).key
    brawl.does("Amek", "hold_sequence", by=erin, sequence=key)
    assert "held" in brawl.refuses("Amek", "roll_forms")
    assert brawl.troupe.told("sequence_held") == ("Those dice wait: Pulls Mekha out by his hair.")
    brawl.does("Amek", "hold_sequence", by=erin, sequence=key, on="false").rolls("Amek", 5, 6)
    assert "between rounds" in brawl.refuses("Amek", "hold_sequence", by=erin, sequence=key)
    assert brawl.refuses("Amek", "hold_sequence", 403, sequence=key)


def test_wa108_somebody_comes_in_between_rounds(brawl: Brawl):
    erin = brawl.troupe.erin
    duel(brawl).rolls("Amek", 5, 6).rolls("Mekha", 6, 9).moves("Mekha", "Amek")
    brawl.rolls("Amek", 2, 9)
    brawl.turn("Tajie", "join_sequence", by=erin).goes_on("Amek")
    assert brawl.phase == "choose"
    brawl.takes("Tajie", "for_myself", "covertly")
    brawl.rolls("Tajie", 12, 1).rolls("Amek", 5, 6).rolls("Mekha", 6, 9, 1)
    assert brawl.names(brawl.state.order) == ["Tajie", "Mekha", "Amek"]
    assert brawl.is_replayed()


def test_wa108_somebody_goes_between_rounds_without_a_settlement(brawl: Brawl):
    erin = brawl.troupe.erin
    brawl.begins("Amek", "Mekha", "Tajie")
    for name in ("Amek", "Mekha", "Tajie"):
        brawl.takes(name, "directly", "covertly")
    brawl.rolls("Amek", 9, 6).rolls("Mekha", 7, 3).rolls("Tajie", 2, 1)
    assert "between rounds" in brawl.refuses("Mekha", "leave_sequence", by=erin)
    brawl.moves("Amek", "Mekha").rolls("Mekha", 8, 1).rolls("Tajie", 2, 1).moves("Tajie")
    assert brawl.names(one.over for one in brawl.state.won) == ["Mekha"]
    brawl.refuses("Mekha", "leave_sequence", 403)
    brawl.turn("Mekha", "leave_sequence", by=erin)
    assert brawl.troupe.told("sequence_left") == "Mekha goes away."
    assert brawl.names(brawl.state.inside) == ["Amek", "Tajie"]
    assert brawl.is_replayed()
    brawl.turn("Tajie", "leave_sequence", by=erin)
    assert brawl.row.is_over


def test_wa60_it_ends_when_all_who_are_left_agree(brawl: Brawl):
    duel(brawl).rolls("Amek", 5, 6).rolls("Mekha", 6, 9).moves("Mekha", "Amek")
    assert "between rounds" in brawl.refuses("Amek", "agree_to_end")
    brawl.rolls("Amek", 2, 9).turn("Amek", "agree_to_end")
    assert brawl.row.agreed == [brawl.ref("Amek")]
    brawl.turn("Amek", "agree_to_end", on="false").turn("Mekha", "agree_to_end")
    assert not brawl.row.is_over
    brawl.turn("Amek", "agree_to_end")
    assert brawl.row.is_over
    assert brawl.is_replayed()
    assert "over" in brawl.refuses("Amek", "roll_forms")


def test_what_a_fight_came_to_stands_until_something_else_begins(brawl: Brawl):
    """On the phones it is above everything, so it goes when the chapter's end begins."""
    table, erin = brawl.troupe.table.pk, brawl.troupe.erin
    duel(brawl).rolls("Amek", 2, 2).rolls("Mekha", 6, 9).moves("Mekha", "Amek").rolls("Amek", 1, 2)
    brawl.settles("Mekha", "Amek", "exhausted")
    assert "Mekha leaves Amek exhausted" in ended_text(load(table))
    brawl.troupe.do(erin, "propose_end")
    assert ended_text(load(table)) == ""
    brawl.troupe.do(erin, "step_back")
    assert ended_text(load(table)) == ""


def test_a_sequence_called_off_leaves_the_table_and_changes_nothing(brawl: Brawl):
    four(brawl)
    brawl.rolls("Mekha", 6, 1).rolls("Tajie", 7, 7).rolls("Amek", 10, 1).rolls("Esan", 10, 4)
    brawl.moves("Esan", "Amek", "Tajie").rolls("Amek", 4, 2).settles("Esan", "Amek", "injured")
    brawl.does("Esan", "call_off_sequence", sequence=brawl.key)
    assert (brawl.row.is_over, brawl.game.status) == (True, "ended")
    assert brawl.dice("Amek")["covertly"] == 6
    Brawl(brawl.troupe).begins("Amek", "Tajie")


def test_a_sequence_belongs_to_the_scene_that_plays(brawl: Brawl):
    scene = Scene.objects.create(chapter=brawl.troupe.chapter, where="The camp", is_current=True)
    brawl.begins("Amek", "Mekha")
    assert (brawl.row.scene, brawl.row.number) == (scene, 1)
    assert Sequence.objects.count() == 1
