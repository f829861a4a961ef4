"""The Witchrest Shroud (BK-23) and the Nine Sisters (BK-24)."""

from __future__ import annotations

import random

import msgspec
import pytest

from games.rules import brave_or_knave as bk
from games.rules.brave_or_knave import Award, Blind, Deal, Leave, Phase, Roll, Shroud
from games.rules.brave_or_knave.events import (
    Bounced,
    CalledBlind,
    Challenged,
    CupRolled,
    FingersLost,
    Healed,
    HealFailed,
    HouseRuleActed,
    Out,
    Revealed,
    Rolled,
    ShroudCalled,
    TookControl,
    WagerOff,
    WagerWon,
    Won,
)
from tests.rules.scenario import BRAVE, HEAL, KNAVE, Bout, bout, four, house_rule


def shrouded(face: int, call=BRAVE, **told) -> Bout:
    """Vane calls for a Shroud on Moth's roll, and chooses blind."""
    table = four(shroud=True, **told).plays("Vane", Shroud()).rolls("Moth", face)
    return table.plays("Vane", Blind(call))


def test_bk23_the_number_under_the_hand_is_nowhere_before_the_reveal():
    table = four(shroud=True).plays("Vane", Shroud())
    assert table.log == (ShroudCalled(2),)
    table.rolls("Moth", 6)
    assert table.log == (CupRolled(0),)
    assert (table.phase, table.must, table.state.standing) == (Phase.BLIND, ["Vane"], None)
    for seat in (None, 0, 1, 2, 3):
        changed = bk.scramble(table.state, seat, random.Random(1))
        assert changed.hidden != table.state.hidden
        assert bk.view(changed, seat) == bk.view(table.state, seat)
        assert bk.legal_actions(changed, seat) == bk.legal_actions(table.state, seat)
    assert bk.summary(changed) == bk.summary(table.state)


def test_bk23_no_field_of_a_view_is_called_hidden():
    assert "hidden" not in msgspec.structs.asdict(bk.view(four().state, 0))


def test_bk23_the_caller_chooses_blind_and_rolls_after_the_reveal():
    table = shrouded(6)
    shown = Challenged(2, BRAVE, 6, "shroud")
    assert table.log == (CalledBlind(2, BRAVE), Revealed(0, 6), shown)
    assert (table.must, table.roller, table.state.wager) == (["Vane"], "Moth", True)


def test_bk23_a_failure_costs_the_caller_three_fingers_and_they_open():
    table = shrouded(6).rolls("Vane", 4)
    assert table.happened(FingersLost) == [FingersLost(2, 3, 2)]
    assert table.opens("Vane")


def test_bk23_a_failure_may_cost_the_last_finger():
    table = four(shroud=True).with_fingers(Vane=2).plays("Vane", Shroud()).rolls("Moth", 6)
    table.plays("Vane", Blind(KNAVE)).rolls("Vane", 9)
    assert table.happened(Out) == [Out(2, "fingers")]
    assert table.opens("Rook")


def test_bk23_a_failure_on_a_personal_number_gives_its_owner_control():
    table = shrouded(16).rolls("Vane", 3)
    assert table.fingers("Vane") == [2]
    assert (table.phase, table.must) == (Phase.NAME, ["Rook"])


def test_bk23_a_success_is_dealt_out_before_a_personal_number_acts():
    table = shrouded(6).rolls("Vane", 18)
    assert table.happened(WagerWon) == [WagerWon(2, 3)]
    assert not table.happened(TookControl)
    table.plays("Vane", Deal((3, 0, 0, 0)))
    assert table.happened(TookControl) == [TookControl(1, 18, 2)]
    assert (table.phase, table.must) == (Phase.NAME, ["Ash"])


def test_bk23_an_owner_the_deal_put_out_takes_no_control():
    table = four(shroud=True).with_fingers(Ash=2).plays("Vane", Shroud()).rolls("Moth", 6)
    table.plays("Vane", Blind(BRAVE)).rolls("Vane", 18).plays("Vane", Deal((1, 2, 0, 0)))
    assert (table.phase, table.must) == (Phase.SHOUT, ["Moth", "Rook"])


def test_bk23_nobody_is_dealt_more_than_they_have():
    table = four(shroud=True).with_fingers(Moth=1, Ash=1, Rook=0)
    table.plays("Vane", Shroud()).rolls("Moth", 6).plays("Vane", Blind(BRAVE)).rolls("Vane", 11)
    assert table.state.deal_amount == 2
    assert bk.legal_actions(table.state, 2) == [Deal((1, 1, 0, 0)), Leave()]
    assert table.plays("Vane", Deal((1, 1, 0, 0))).winners == ["Vane"]


def test_bk23_the_deal_shrinks_when_somebody_leaves_meanwhile():
    table = bout(Moth=17, Ash=18, Vane=19, shroud=True).with_fingers(Moth=5, Ash=2)
    table.plays("Vane", Shroud()).rolls("Moth", 6).plays("Vane", Blind(BRAVE)).rolls("Vane", 11)
    assert table.plays("Moth", Leave()).state.deal_amount == 2


def test_bk23_the_deal_stays_at_three_when_those_left_have_more():
    table = shrouded(6).rolls("Vane", 11).plays("Rook", Leave())
    assert table.state.deal_amount == 3
    assert table.plays("Vane", Deal((2, 1, 0, 0))).fingers("Moth", "Ash") == [3, 4]


def test_bk23_every_split_of_three_is_legal():
    table = shrouded(6).rolls("Vane", 11)
    splits = [act.fingers for act in bk.legal_actions(table.state, 2) if isinstance(act, Deal)]
    assert len(splits) == len(set(splits)) == 10
    assert all(sum(split) == 3 and split[2] == 0 for split in splits)


def test_bk23_a_revealed_1_is_grave_for_the_roller():
    table = shrouded(1)
    assert table.happened(WagerOff) == [WagerOff(2, 1)]
    assert table.fingers("Moth") == [0]
    assert table.opens("Ash")


def test_bk23_a_revealed_personal_number_gives_control_and_no_wager():
    table = shrouded(18)
    assert table.happened(WagerOff) == [WagerOff(2, 18)]
    assert (table.phase, table.must) == (Phase.NAME, ["Ash"])
    seen = bk.view(table.state, None)
    assert (seen.caller, seen.blind_call, seen.wager) == (None, None, False)
    table.names("Ash", "Vane", BRAVE).rolls("Vane", 10)
    assert table.fingers("Vane") == [4]


def test_bk23_a_revealed_house_number_acts_and_the_wager_is_off():
    table = shrouded(6, house_rules=(house_rule(6),))
    assert table.happened(WagerOff)
    assert table.happened(HouseRuleActed)
    assert table.phase is Phase.SHOUT


@pytest.mark.parametrize(("face", "left"), [(1, [5, 5, 0, 5]), (20, [4, 4, 5, 4])])
def test_bk23_the_callers_1_or_20_replaces_the_wager(face, left):
    table = shrouded(6).rolls("Vane", face)
    assert table.fingers("Moth", "Ash", "Vane", "Rook") == left
    assert table.happened(WagerOff) == [WagerOff(2, face)]
    assert table.phase is Phase.OPEN


def test_bk23_after_a_tie_the_wager_waits_for_the_caller():
    table = shrouded(6).rolls("Vane", 6)
    assert (table.must, table.state.wager) == (["Moth"], True)
    table.rolls("Moth", 6).rolls("Vane", 5)
    assert table.fingers("Moth", "Vane") == [5, 2]


@pytest.mark.parametrize(("face", "phase", "left"), [(9, Phase.SHOUT, 5), (4, Phase.OPEN, 4)])
def test_bk23_a_tie_the_roller_settles_ends_the_wager(face, phase, left):
    table = shrouded(6).rolls("Vane", 6).rolls("Moth", face)
    assert table.happened(WagerOff) == [WagerOff(2, face)]
    assert (table.phase, table.fingers("Moth", "Vane")) == (phase, [left, 5])


def test_bk23_a_real_die_lies_unread_until_the_blind_call_is_made():
    table = four(shroud=True).plays("Vane", Shroud()).plays("Moth", Roll(cupped=True))
    assert (table.phase, table.state.cupped, table.state.hidden) == (Phase.BLIND, True, None)
    table.plays("Vane", Blind(KNAVE))
    assert (table.phase, table.must) == (Phase.OPEN, ["Moth"])
    assert table.refuses("Ash", Shroud()) == "BK-23"
    assert table.refuses("Moth", Roll(cupped=True)) == "BK-23"
    table.rolls("Moth", 6)
    assert table.log == (Revealed(0, 6), Challenged(2, KNAVE, 6, "shroud"))
    assert not bk.view(table.state, None).cupped
    assert table.rolls("Vane", 2).phase is Phase.DEAL


def test_bk23_a_shroud_without_its_caller_is_off():
    table = four(shroud=True).plays("Vane", Shroud()).plays("Vane", Leave()).rolls("Moth", 6)
    assert table.happened(Rolled) == [Rolled(0, 6, "opening")]
    assert table.phase is Phase.SHOUT


def test_bk23_somebody_elses_leaving_leaves_the_shroud_as_it_is():
    table = four(shroud=True).plays("Vane", Shroud()).plays("Rook", Leave()).rolls("Moth", 6)
    assert (table.log, table.must) == ((CupRolled(0),), ["Vane"])


def test_bk23_a_caller_who_leaves_a_die_under_the_hand_ends_the_round():
    table = four(shroud=True).plays("Vane", Shroud()).rolls("Moth", 6).plays("Vane", Leave())
    assert table.opens("Rook")
    assert table.state.hidden is None
    assert not [event for event in table.story if getattr(event, "face", None) == 6]


def test_bk23_a_caller_who_leaves_a_real_die_under_the_hand_ends_the_round():
    table = four(shroud=True).plays("Vane", Shroud()).plays("Moth", Roll(cupped=True))
    table.plays("Vane", Blind(KNAVE)).plays("Vane", Leave())
    assert table.opens("Rook")
    assert not table.state.cupped


def test_bk23_a_caller_who_leaves_after_a_tie_ends_the_round():
    assert shrouded(6).rolls("Vane", 6).plays("Vane", Leave()).opens("Rook")


def healing(face: int, **left: int) -> Bout:
    table = four(nine_sisters=True).with_fingers(**left)
    return table.stands("Moth", 9, "Ash", HEAL).rolls("Ash", face)


def test_bk24_heal_races_with_the_other_calls():
    table = four(nine_sisters=True).rolls("Moth", 9)
    table.shouts("Ash", BRAVE, 300).shouts("Vane", HEAL, 350).closes()
    assert not bk.view(table.state, 3).heal_open
    table.plays("Moth", Award(2))
    assert (table.challenger, table.state.call) == ("Vane", HEAL)


def test_bk24_over_9_the_healer_loses_everything():
    table = healing(10, Ash=5)
    assert table.happened(HealFailed)
    assert table.happened(Out) == [Out(1, "heal")]
    assert table.opens("Vane")


def test_bk24_a_9_is_rolled_again():
    table = healing(9)
    assert table.happened(Bounced) == [Bounced(1, 1, 9, HEAL)]
    assert (table.must, table.roller) == (["Ash"], "Moth")
    assert table.rolls("Ash", 3).roller == "Ash"


def test_bk24_a_1_is_grave_as_usual():
    assert healing(1).happened(Out) == [Out(1, "grave")]


def test_bk24_a_personal_number_acts_after_the_heal():
    table = healing(3, Ash=2)
    assert table.happened(Healed)
    assert table.fingers("Ash") == [5]
    assert (table.phase, table.must) == (Phase.NAME, ["Rook"])


def test_bk24_a_personal_number_acts_even_if_the_healer_fell():
    table = healing(17)
    assert table.fingers("Ash") == [0]
    assert (table.phase, table.must) == (Phase.NAME, ["Moth"])


def test_bk24_a_20_that_leaves_nobody_lets_the_last_share_the_win():
    table = healing(20, Moth=1, Ash=3, Vane=1, Rook=0)
    assert table.log[-1] == Won((0, 1, 2))
    assert table.winners == ["Moth", "Ash", "Vane"]
    assert table.fingers("Moth", "Ash", "Vane", "Rook") == [0, 0, 0, 0]


def test_bk24_a_20_that_leaves_one_lets_that_one_win():
    assert healing(20, Moth=1, Vane=2, Rook=0).winners == ["Vane"]


def test_bk24_heal_is_only_for_a_9_that_stands_open_to_shouts():
    table = four(nine_sisters=True)
    assert not bk.view(table.rolls("Moth", 8).state, 1).heal_open
    table = four(nine_sisters=True).rolls("Moth", 9)
    assert bk.view(table.state, 1).heal_open
    assert not bk.view(four().rolls("Moth", 9).state, 1).heal_open


def test_bk24_a_living_owner_of_the_9_comes_first():
    table = four(rook=9, nine_sisters=True).rolls("Moth", 9)
    assert (table.phase, table.must) == (Phase.NAME, ["Rook"])
    assert not bk.view(table.names("Rook", "Ash", BRAVE).state, 1).heal_open
    gone = four(rook=9, nine_sisters=True).with_fingers(Rook=0).rolls("Moth", 9)
    assert bk.view(gone.state, 1).heal_open


def test_bk24_a_late_heal_counts_if_the_roller_honours_it():
    table = four(nine_sisters=True).stands("Moth", 9, "Ash", BRAVE).shouts("Vane", HEAL, 900)
    assert table.plays("Moth", Award(2)).state.call is HEAL
