"""How a bout goes, rule by rule, with the rulings where the rulebook is silent."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from games.rules import brave_or_knave as bk
from games.rules.brave_or_knave import (
    Award,
    Digit,
    Effect,
    Finger,
    HouseRule,
    Knock,
    Leave,
    Phase,
    Setup,
    Shout,
)
from games.rules.brave_or_knave.events import (
    Bounced,
    Challenged,
    DieTaken,
    FingerGiven,
    FingersLost,
    Knocked,
    NeedsName,
    Out,
    Shouted,
    ShoutingOpened,
    Unison,
    Won,
)
from games.rules.dice import TypedDice
from games.rules.engine import IllegalAction, Outcome
from tests.rules.scenario import BRAVE, KNAVE, bout, four


def sit(names: int | tuple[str, ...], numbers: tuple[int, ...] | None = None, **more):
    if isinstance(names, int):
        names = tuple(f"Guild {i}" for i in range(names))
    numbers = tuple(range(2, 2 + len(names))) if numbers is None else numbers
    return bk.setup(Setup(names, numbers, **({"first": 0} | more)), TypedDice(()))


@pytest.mark.parametrize("seats", [0, 1, 19])
def test_bk1_a_game_needs_2_to_18_players(seats):
    with pytest.raises(IllegalAction, match="BK-1"):
        sit(seats)


@pytest.mark.parametrize("seats", [2, 18])
def test_bk1_2_and_18_players_may_play(seats):
    assert sit(seats).fingers == (5,) * seats


@pytest.mark.parametrize("names", [("Moth", " mOTH "), ("Straße", "STRASSE"), ("Moth", "  ")])
def test_bk2_guild_names_are_unique_whatever_their_case_or_space(names):
    with pytest.raises(IllegalAction, match="BK-2"):
        sit(names)


@pytest.mark.parametrize("numbers", [(7, 7), (1, 7), (7, 20), (7,), (7, 8, 9)])
def test_bk3_everybody_has_a_number_of_their_own_from_2_to_19(numbers):
    with pytest.raises(IllegalAction, match="BK-3"):
        sit(("Moth", "Ash"), numbers)


def test_bk6_the_table_picks_who_begins_or_the_die_does():
    table = Setup(("Moth", "Ash", "Vane"), (7, 8, 9))
    assert bk.setup(table, TypedDice([3])).roller == 2
    assert sit(3, first=1).roller == 1
    for nobody in (-1, 3):
        with pytest.raises(IllegalAction, match="BK-6"):
            sit(3, first=nobody)


def test_bk6_a_bout_remembers_its_setup_and_whom_the_die_chose():
    cat = HouseRule("The Cat", "Meow!", 10, "both", (Effect("reverse"),))
    table = Setup(("Moth", "Ash"), (7, 8), None, True, True, 250, (cat,))
    state = bk.setup(table, TypedDice([2]))
    assert Setup(*[getattr(state, name) for name in Setup.__struct_fields__]) == replace(
        table, first=1
    )


def test_bk7_an_opening_roll_stands_and_opens_the_shouting():
    table = four().rolls("Moth", 7)
    assert table.happened(ShoutingOpened) == [ShoutingOpened(0, 7)]
    assert table.must == ["Ash", "Vane", "Rook"]


def test_bk8_the_first_to_shout_is_the_challenger_under_that_call():
    table = four().rolls("Moth", 7)
    table.shouts("Vane", BRAVE, 900)
    assert table.log == (Shouted(2, BRAVE, 900, False),)
    table.shouts("Ash", KNAVE, 400).closes()
    assert table.log == (Challenged(1, KNAVE, 7, "shout"),)
    assert table.must == ["Ash"]


def test_bk9_shouts_inside_the_window_are_one_breath_and_the_roller_picks():
    table = four().rolls("Moth", 7)
    table.shouts("Ash", KNAVE, 400).shouts("Vane", BRAVE, 520).shouts("Rook", BRAVE, 521).closes()
    assert table.log == (Unison((1, 2)),)
    assert (table.phase, table.must) == (Phase.AWARD, ["Moth"])
    table.plays("Moth", Award(2))
    assert table.log == (Challenged(2, BRAVE, 7, "award"),)


def test_bk9_the_window_is_the_tables_to_set():
    table = four(unison_ms=0).rolls("Moth", 7)
    table.shouts("Ash", KNAVE, 400).shouts("Vane", BRAVE, 401).closes()
    assert table.challenger == "Ash"


def test_bk9_the_roller_may_judge_that_a_shout_outside_the_window_was_first():
    table = four().rolls("Moth", 7)
    table.shouts("Ash", KNAVE, 400).shouts("Vane", BRAVE, 400).shouts("Rook", BRAVE, 900).closes()
    assert table.plays("Moth", Award(3)).challenger == "Rook"


def test_bk10_the_roller_may_overrule_until_the_challenger_has_rolled():
    table = four().rolls("Moth", 7).shouts("Ash", KNAVE, 400).shouts("Vane", BRAVE, 900).closes()
    table.plays("Moth", Award(2))
    assert table.log == (Challenged(2, BRAVE, 7, "overruled"),)
    table.plays("Moth", Award(1))
    assert (table.challenger, table.state.call) == ("Ash", KNAVE)


def test_bk10_a_late_shout_counts_only_if_the_roller_honours_it():
    table = four().stands("Moth", 7, "Ash", BRAVE).shouts("Rook", KNAVE, 550)
    assert table.log == (Shouted(3, KNAVE, 550, True),)
    assert table.challenger == "Ash"
    late = bk.view(table.state, None).shouts[-1]
    assert (late.late, late.unison) == (True, False)
    table.plays("Moth", Award(3))
    assert (table.challenger, table.state.call) == ("Rook", KNAVE)


def test_bk10_after_a_bounce_there_is_nothing_to_overrule():
    table = four().rolls("Moth", 7).shouts("Ash", KNAVE, 400).shouts("Vane", BRAVE, 900).closes()
    table.rolls("Ash", 7)
    assert table.refuses("Ash", Award(2)) == "BK-10"
    assert table.refuses("Rook", Shout(BRAVE)) == "BK-8"


def test_bk10_everybody_sees_the_order_and_the_breath():
    table = four().rolls("Moth", 7).shouts("Rook", BRAVE, 700)
    assert not bk.view(table.state, 0).shouts[0].unison
    table.shouts("Vane", BRAVE, 500).shouts("Ash", KNAVE, 400)
    seen = bk.view(table.state, 0).shouts
    assert [(shout.seat, shout.unison) for shout in seen] == [(1, True), (2, True), (3, False)]


def test_bk11_after_three_knocks_the_roller_names_another_player():
    table = four().rolls("Moth", 7).plays("Moth", Knock())
    assert table.log == (Knocked(1),)
    table.knocks(2)
    assert table.log == (Knocked(3), NeedsName(0))
    assert bk.view(table.state, None).knocks == 3
    assert (table.phase, table.must) == (Phase.NAME, ["Moth"])
    table.names("Moth", "Vane", KNAVE)
    assert table.log == (Challenged(2, KNAVE, 7, "named"),)
    assert table.refuses("Moth", Award(1)) == "BK-10"
    assert table.refuses("Rook", Shout(BRAVE)) == "BK-8"


def test_bk11_a_shout_between_knocks_still_counts():
    table = four().rolls("Moth", 7).knocks(2).shouts("Ash", BRAVE).closes()
    assert table.must == ["Ash"]


def test_bk14_the_last_finger_lost_passes_the_die_clockwise():
    table = four().with_fingers(Ash=1).stands("Moth", 7, "Ash", BRAVE).rolls("Ash", 5)
    assert table.happened(Out) == [Out(1, "fingers")]
    assert table.opens("Vane")


def test_bk14_passing_the_die_skips_who_is_out():
    table = four().with_fingers(Vane=1, Rook=0).stands("Moth", 7, "Vane", BRAVE).rolls("Vane", 5)
    assert table.opens("Moth")


def test_bk15_a_bounce_that_succeeds_makes_its_roller_the_new_roller():
    table = four().stands("Moth", 7, "Ash", BRAVE).rolls("Ash", 7).rolls("Moth", 12)
    assert (table.phase, table.roller, table.state.standing) == (Phase.SHOUT, "Moth", 12)
    assert table.fingers("Moth", "Ash") == [5, 5]


def test_bk15_grave_and_stave_hold_on_a_bounce():
    tied = four().stands("Moth", 7, "Ash", BRAVE).rolls("Ash", 7)
    assert tied.rolls("Moth", 20).fingers("Moth", "Ash", "Vane", "Rook") == [5, 4, 4, 4]
    tied = four().stands("Moth", 7, "Ash", BRAVE).rolls("Ash", 7)
    assert tied.rolls("Moth", 1).opens("Ash")


def controlled_by_the_dead():
    """Ash, out by it, rolled Rook's 16; Rook names Vane."""
    table = four(rook=16).with_fingers(Ash=1)
    table.stands("Moth", 9, "Ash", KNAVE).rolls("Ash", 16)
    return table.names("Rook", "Vane", KNAVE)


def test_bk15_a_bounce_from_whom_is_out_goes_to_the_owner_in_control():
    table = controlled_by_the_dead().rolls("Vane", 16)
    assert table.happened(Bounced) == [Bounced(2, 3, 16, KNAVE)]
    assert table.must == ["Rook"]
    assert table.rolls("Rook", 16).must == ["Vane"]


def test_bk15_a_tie_nobody_else_can_take_is_rolled_again():
    table = four(rook=16).with_fingers(Ash=1)
    table.stands("Moth", 9, "Ash", KNAVE).rolls("Ash", 16).names("Rook", "Rook", KNAVE)
    assert table.rolls("Rook", 16).must == ["Rook"]
    assert table.roller == "Rook"
    table = controlled_by_the_dead().plays("Rook", Leave()).rolls("Vane", 16)
    assert (table.must, table.roller) == (["Vane"], "Vane")


def test_bk15_a_tie_by_who_had_rolled_the_number_comes_back_to_them():
    table = four(rook=16).rolls("Moth", 16).names("Rook", "Moth", BRAVE).rolls("Moth", 16)
    assert (table.must, table.roller) == (["Moth"], "Moth")


def test_bk16_grave_holds_for_opening_rolls_and_any_hand():
    table = four().rolls("Moth", 1)
    assert table.happened(Out) == [Out(0, "grave")]
    assert table.opens("Ash")


def test_bk18_the_owner_may_name_anyone_alive_the_owner_too():
    table = four(rook=13).with_fingers(Vane=0).rolls("Moth", 13)
    named = {action.to for action in bk.legal_actions(table.state, 3) if hasattr(action, "to")}
    assert named == {0, 1, 3}


def test_bk18_a_bounce_does_not_hand_over_control():
    table = four(rook=13).rolls("Moth", 13).names("Rook", "Ash", BRAVE).rolls("Ash", 13)
    assert (table.phase, table.must) == (Phase.CHALLENGE, ["Moth"])


def test_bk18_a_number_that_puts_its_own_owner_out_is_ordinary():
    table = bout(Moth=17, Ash=16, Vane=19).with_fingers(Ash=1)
    table.stands("Moth", 9, "Ash", KNAVE).rolls("Ash", 16)
    assert table.opens("Vane")


def test_bk19_the_mirror_of_severns_noose_is_met_only_by_20():
    table = four(rook=2).rolls("Moth", 19)
    table.names("Vane", "Ash", BRAVE).rolls("Ash", 20)
    assert table.opens("Ash")
    assert table.fingers("Ash", "Vane") == [5, 4]


def test_bk20_a_player_picks_which_finger_went_and_the_little_one_goes_by_itself():
    table = four().stands("Moth", 7, "Ash", BRAVE).rolls("Ash", 5)
    assert bk.view(table.state, None).owed == (0, 1, 0, 0)
    assert bk.view(table.state, None).hands[1] == tuple(Digit)[1:]
    table.plays("Ash", Finger(Digit.THUMB))
    assert table.log == (FingerGiven(1, Digit.THUMB),)
    assert bk.view(table.state, None).hands[1] == tuple(Digit)[:4]
    assert table.fingers("Ash") == [4]
    assert table.refuses("Ash", Finger(Digit.RING)) == "BK-20"


def test_bk21_who_is_out_can_do_nothing():
    table = four().rolls("Moth", 1)
    assert bk.legal_actions(table.state, 0) == []
    assert bk.view(table.state, None).owed == (0, 0, 0, 0)
    assert table.rolls("Ash", 7).must == ["Vane", "Rook"]


def test_bk22_the_last_player_with_a_finger_wins():
    table = bout(Moth=17, Ash=18).with_fingers(Ash=1).stands("Moth", 7, "Ash", BRAVE)
    assert bk.outcome(table.state) is None
    table.rolls("Ash", 5)
    assert table.log[-3:] == (FingersLost(1, 1, 0), Out(1, "fingers"), Won((0,)))
    assert bk.outcome(table.state) == Outcome((0,))
    assert table.must == []


def test_a_leaver_the_round_does_not_need_goes_without_stopping_it():
    table = four().rolls("Moth", 7).shouts("Ash", BRAVE).shouts("Vane", KNAVE)
    table.plays("Ash", Leave())
    assert table.log == (Out(1, "left"),)
    assert table.closes().must == ["Vane"]


@pytest.mark.parametrize(
    ("leaver", "opener"), [("Moth", "Ash"), ("Ash", "Vane")], ids=["roller", "challenger"]
)
def test_a_leaver_the_round_needs_ends_it(leaver, opener):
    table = four().stands("Moth", 7, "Ash", BRAVE).plays(leaver, Leave())
    assert table.happened(DieTaken)
    assert table.opens(opener)


def test_when_all_who_shouted_in_one_breath_leave_the_shouting_goes_on():
    table = four().rolls("Moth", 7).shouts("Ash", BRAVE).shouts("Vane", KNAVE).closes()
    table.plays("Ash", Leave())
    assert (table.phase, table.must) == (Phase.AWARD, ["Moth"])
    table.plays("Vane", Leave())
    assert (table.phase, table.must) == (Phase.SHOUT, ["Rook"])


def test_bk18_an_owner_in_control_who_leaves_ends_the_round():
    assert four(rook=16).rolls("Moth", 16).plays("Rook", Leave()).opens("Moth")


def test_bk22_leaving_the_last_one_behind_lets_them_win():
    table = bout(Moth=17, Ash=18).plays("Moth", Leave())
    assert (table.winners, table.phase, table.must) == (["Ash"], Phase.OVER, [])
