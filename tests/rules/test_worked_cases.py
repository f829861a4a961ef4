"""The worked cases of the rules page, one test each, under their numbers."""

from __future__ import annotations

from games.rules import brave_or_knave as bk
from games.rules.brave_or_knave import Blind, Deal, Phase, Shroud
from games.rules.brave_or_knave.events import (
    Challenged,
    Dealt,
    DieTaken,
    Failed,
    FingersLost,
    Grave,
    HealFailed,
    Rolled,
    ShoutingOpened,
    Stave,
    Succeeded,
    TookControl,
    WagerOff,
)
from tests.rules.scenario import BRAVE, HEAL, KNAVE, Bout, bout, four


def test_case_1_a_challenger_who_succeeds_is_safe_and_the_number_stands():
    table = four().stands("Moth", 7, "Ash", BRAVE).rolls("Ash", 12)
    safe = (Rolled(1, 12, "challenge"), Succeeded(1, 12, 7, BRAVE), ShoutingOpened(1, 12))
    assert table.log == safe
    assert table.fingers("Ash") == [5]
    assert (table.phase, table.roller, table.state.standing) == (Phase.SHOUT, "Ash", 12)
    assert table.must == ["Moth", "Vane", "Rook"]


def test_case_2_a_challenger_who_fails_loses_a_finger_and_opens():
    table = four().stands("Moth", 7, "Ash", BRAVE).rolls("Ash", 12)
    table.shouts("Vane", KNAVE).closes().rolls("Vane", 14)
    assert table.log[:2] == (Rolled(2, 14, "challenge"), Failed(2, 14, 12, KNAVE))
    assert table.fingers("Vane") == [4]
    assert table.opens("Vane")


def bounced() -> Bout:
    return four().stands("Moth", 7, "Ash", BRAVE).rolls("Ash", 7)


def test_case_3_a_tie_bounces_to_the_previous_roller_under_the_same_call():
    table = bounced()
    assert (table.phase, table.challenger, table.roller) == (Phase.CHALLENGE, "Moth", "Ash")
    assert (table.state.call, table.state.standing) == (BRAVE, 7)
    assert table.must == ["Moth"]


def test_case_4_a_bounce_that_fails_costs_its_roller_a_finger():
    table = bounced().rolls("Moth", 5)
    assert table.log[0] == Rolled(0, 5, "bounce")
    assert table.fingers("Moth", "Ash") == [4, 5]
    assert table.opens("Moth")


def test_case_5_a_bounce_that_ties_goes_back():
    table = bounced().rolls("Moth", 7)
    assert table.must == ["Ash"]
    assert (table.state.call, table.state.standing) == (BRAVE, 7)


def test_case_6_stave_costs_everybody_else_a_finger_and_the_roller_opens_again():
    table = four().rolls("Moth", 20)
    lost = [FingersLost(seat, 1, 4) for seat in (1, 2, 3)]
    assert table.log == (Rolled(0, 20, "opening"), Stave(0), *lost, DieTaken(0))
    assert table.fingers("Moth", "Ash", "Vane", "Rook") == [5, 4, 4, 4]
    assert table.opens("Moth")


def test_case_7_a_challenger_who_rolls_20_is_safe_even_under_knave():
    table = four().stands("Moth", 9, "Ash", KNAVE).rolls("Ash", 20)
    assert table.fingers("Moth", "Ash", "Vane", "Rook") == [4, 5, 4, 4]
    assert table.opens("Ash")


def test_case_8_a_challenger_who_rolls_1_is_out_and_the_next_clockwise_opens():
    table = four().stands("Moth", 9, "Ash", KNAVE).rolls("Ash", 1)
    assert table.fingers("Ash") == [0]
    assert table.opens("Vane")


def test_case_9_an_opened_personal_number_gives_its_owner_control():
    table = four(rook=13).rolls("Moth", 13)
    assert (table.phase, table.must, table.roller) == (Phase.NAME, ["Rook"], "Moth")
    table.names("Rook", "Vane", KNAVE)
    assert table.log == (Challenged(2, KNAVE, 13, "control"),)
    assert (table.state.namer, table.state.naming_why, table.state.setter) == (None, None, 3)
    table.rolls("Vane", 15)
    assert table.fingers("Vane") == [4]
    assert table.opens("Vane")


def test_case_10_a_success_on_a_personal_number_is_safe_and_then_its_owner_has_control():
    table = four(rook=16).stands("Moth", 9, "Ash", BRAVE).rolls("Ash", 16)
    assert table.fingers("Ash") == [5]
    assert (table.phase, table.must, table.state.standing) == (Phase.NAME, ["Rook"], 16)
    assert table.roller == "Ash"


def test_case_11_a_failure_on_a_personal_number_costs_a_finger_but_not_the_round():
    table = four(rook=16).stands("Moth", 9, "Ash", KNAVE).rolls("Ash", 16)
    assert table.fingers("Ash") == [4]
    assert (table.phase, table.must) == (Phase.NAME, ["Rook"])
    table.names("Rook", "Moth", BRAVE)
    assert (table.challenger, table.state.standing) == ("Moth", 16)


def test_case_12_the_owner_has_control_even_if_the_number_put_its_roller_out():
    table = four(rook=16).with_fingers(Ash=1)
    table.stands("Moth", 9, "Ash", KNAVE).rolls("Ash", 16)
    assert table.fingers("Ash") == [0]
    assert (table.phase, table.must) == (Phase.NAME, ["Rook"])


def test_case_13_the_number_of_a_player_who_is_out_is_ordinary():
    table = four(rook=16).with_fingers(Rook=0).rolls("Moth", 16)
    assert (table.phase, table.must) == (Phase.SHOUT, ["Ash", "Vane"])
    assert not table.happened(TookControl)


def test_case_14_severns_noose_is_met_only_by_grave():
    table = four(rook=2).rolls("Moth", 2).names("Rook", "Ash", KNAVE).rolls("Ash", 1)
    assert table.happened(Grave)
    assert table.fingers("Ash") == [0]
    assert table.opens("Vane")


def test_case_15_stave_that_leaves_one_player_wins():
    table = bout(Moth=17, Ash=18, first="Ash").with_fingers(Moth=1).rolls("Ash", 20)
    assert (table.phase, table.winners) == (Phase.OVER, ["Ash"])


def test_case_16_who_wins_a_shroud_deals_three_fingers_and_is_the_roller():
    table = four(shroud=True).plays("Vane", Shroud()).rolls("Moth", 6)
    table.plays("Vane", Blind(BRAVE)).rolls("Vane", 11)
    assert (table.phase, table.must, table.state.deal_amount) == (Phase.DEAL, ["Vane"], 3)
    seen = bk.view(table.state, None)
    assert (seen.caller, seen.blind_call, seen.wager, seen.challenger) == (None, None, False, None)
    table.plays("Vane", Deal((1, 2, 0, 0)))
    dealt = (Dealt(2, (1, 2, 0, 0)), FingersLost(0, 1, 4), FingersLost(1, 2, 3))
    assert table.log == (*dealt, ShoutingOpened(2, 11))
    assert table.fingers("Moth", "Ash", "Vane", "Rook") == [4, 3, 5, 5]
    assert (table.phase, table.roller, table.state.standing) == (Phase.SHOUT, "Vane", 11)


def test_case_17_stave_under_a_shroud_acts_as_usual_and_the_wager_is_off():
    table = four(shroud=True).plays("Vane", Shroud()).rolls("Moth", 20)
    table.plays("Vane", Blind(BRAVE))
    assert table.happened(WagerOff) == [WagerOff(2, 20)]
    assert table.fingers("Moth", "Ash", "Vane", "Rook") == [5, 4, 4, 4]
    assert table.opens("Moth")


def test_case_18_a_healer_under_9_has_a_whole_hand_and_is_the_roller():
    table = four(nine_sisters=True).with_fingers(Ash=1)
    table.stands("Moth", 9, "Ash", HEAL).rolls("Ash", 4)
    assert table.fingers("Ash") == [5]
    assert (table.phase, table.roller, table.state.standing) == (Phase.SHOUT, "Ash", 4)


def test_case_19_a_healer_who_rolls_20_falls_and_costs_everybody_else_a_finger():
    table = four(nine_sisters=True).stands("Moth", 9, "Ash", HEAL).rolls("Ash", 20)
    assert table.happened(HealFailed) == [HealFailed(1)]
    assert table.fingers("Moth", "Ash", "Vane", "Rook") == [4, 0, 4, 4]
    assert table.opens("Vane")
