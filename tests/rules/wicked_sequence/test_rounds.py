"""Rolling, ranking, moving and answering: WA-46 to WA-60, WA-108 to WA-111."""

from __future__ import annotations

import pytest

from games.rules import wicked_sequence as ws
from games.rules.dice import SeededDice
from games.rules.wicked_sequence.events import MoveLost, RoundBegun, TiedAtTop
from tests.rules.wicked_sequence.scenario import HAWK, Sequence, duel, sequence, sheet, three


def test_wa46_with_three_dice_the_others_are_compared_in_descending_order():
    hunter = sheet("amek", strengths=[HAWK])
    played = sequence(hunter, "mekha").rolls(amek=[2, 9, 7], mekha=[9, 7])
    assert played.summary["standing"] == {"by": "amek", "total": 9, "dice": [9, 7, 2]}


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        ([10, 6], "wins_absolutely"),
        ([10, 1], "wins_absolutely"),
        ([9, 8], "wins_advantage"),
        ([5, 4], "wins_advantage"),
        ([5, 3], "wins_advantage"),
        ([5, 2], "loses_advantage"),
        ([4, 4], "loses_advantage"),
        ([3, 2], "loses_advantage"),
        ([2, 1], "loses_absolutely"),
    ],
)
def test_wa49_an_answer_doubles_matches_misses_or_halves(answer, result):
    """The standing roll is 5 and 3; an identical roll wins."""
    played = duel(amek=[5, 3], mekha=[4, 4]).moves("amek", "mekha").rolls(mekha=answer)
    assert played.summary["last"]["result"] == result


def test_wa48_half_is_an_absolute_loss_and_counts_pips_on_both_sides():
    played = duel().moves("amek", "mekha").rolls(mekha=[5, 2]).does("next_round")
    played.rolls(amek=([7, 1], [5]), mekha=[8, 1]).moves("amek", "mekha").rolls(mekha=[6, 5])
    assert played.summary["last"]["result"] == "loses_absolutely"


def test_wa50_round_three_has_no_middle_results_and_no_fourth_round():
    played = _third_round().moves("amek", "mekha").rolls(mekha=[9, 5])
    assert played.summary["last"]["result"] == "wins_absolutely"
    played.settles("mekha", "amek")
    assert played.summary["phase"] == "over"
    assert "WA-60" in played.refuses("next_round")
    less = _third_round().moves("amek", "mekha").rolls(mekha=[9, 4])
    assert less.summary["last"]["result"] == "loses_absolutely"


def test_wa50_round_three_without_absolute_results_is_the_end():
    played = _third_round().moves("amek").rolls(mekha=[5, 4]).moves("mekha")
    assert played.summary["phase"] == "over"
    assert played.summary["in"] == ["amek", "mekha"]


def test_wa51_everybody_rolls_once_and_the_highest_stands():
    played = sequence("amek", "mekha").rolls(amek=[5, 4])
    assert "WA-111" in played.refuses("roll", "amek", dice=[9, 9])
    played.rolls(mekha=[9, 2])
    assert played.summary["order"] == ["mekha", "amek"]
    assert played.state.of("amek").throw.lies is False
    assert played.state.of("mekha").throw.lies is True


def test_wa52_both_back_away_and_it_is_over_without_consequences():
    played = duel([6, 2], [6, 2]).does("back_away", "amek")
    assert played.summary["must"] == ["mekha"]
    assert "WA-52" in played.refuses("back_away", "amek")
    played.does("back_away", "mekha")
    assert played.summary["phase"] == "over"
    assert (played.summary["in"], played.summary["owe_list"]) == ([], [])


def test_wa52_one_press_binds_her_who_would_have_backed_away():
    played = duel([6, 2], [6, 2]).does("back_away", "amek").does("press", "mekha")
    assert played.summary["must"] == ["amek", "mekha"]
    seen = ws.view(played.state, None)
    assert (seen.is_pressed, seen.backing) == (True, ())
    for late in ("back_away", "press"):
        assert "WA-52" in played.refuses(late, "amek")
        assert "WA-52" in played.refuses(late, "mekha")


def test_wa52_who_would_back_away_may_still_press():
    played = duel([6, 2], [6, 2])
    assert played.moment.events[-1] == TiedAtTop(tied=("amek", "mekha"))
    played.does("back_away", "amek").does("press", "amek")
    assert played.summary["must"] == ["amek", "mekha"]


def test_wa52_only_the_tied_choose_and_roll_again_and_only_after_a_press():
    played = three(amek=[9, 2], mekha=[9, 2], esan=[8, 3])
    assert "WA-52" in played.refuses("press", "esan")
    assert [die for _, die in ws.dice_owed(played.state, "esan")] == [10, 6]
    assert "WA-52" in played.refuses("roll", "amek", dice=[3])
    played.does("press", "amek")
    assert "WA-52" in played.refuses("roll", "esan", dice=[3])
    assert "WA-52" in played.refuses("roll", "amek", dice=[9, 3])
    assert "WA-52" in played.refuses("roll", "amek", dice=[3], pips=[2])
    assert "WA-111" in played.refuses("roll", "amek", dice=[11])


def test_wa52_the_rest_goes_on_and_is_ranked_anew_when_all_tied_back_away():
    played = sequence("amek", "mekha", "tajie", "esan")
    played.rolls(amek=[9, 2], mekha=[9, 2], tajie=[5, 3], esan=[8, 3])
    played.does("back_away", "mekha").does("back_away", "amek")
    assert played.summary["order"] == ["esan", "tajie"]
    assert played.summary["standing"] == {"by": "esan", "total": 8, "dice": [8, 3]}


def test_wa60_whoever_is_left_alone_when_all_tied_back_away_has_nobody_to_fight():
    played = three(amek=[9, 2], mekha=[9, 2], esan=[8, 3])
    played.does("back_away", "mekha").does("back_away", "amek")
    assert (played.summary["phase"], played.summary["in"]) == ("over", ["esan"])


def test_wa52_a_new_tie_after_rolling_again_is_fought_out_again():
    played = duel([6, 2], [6, 2]).does("press", "amek").rolls(amek=[4], mekha=[4])
    assert played.summary["phase"] == "tie"
    assert played.summary["must"] == ["amek", "mekha"]
    played.does("press", "mekha").rolls(amek=[10], mekha=[5])
    assert played.summary["order"] == ["amek", "mekha"]


def test_wa52_those_who_roll_again_can_fall_below_a_third():
    played = three(amek=[9, 5], mekha=[9, 5], esan=[9, 3]).does("press", "amek")
    played.rolls(amek=[2], mekha=[1])
    assert played.summary["order"] == ["esan", "amek", "mekha"]


def test_wa52_pips_stay_in_a_tie_with_advantage():
    played = duel().moves("amek", "mekha").rolls(mekha=[5, 2]).does("next_round")
    played.rolls(amek=([5, 2], [3]), mekha=[8, 2]).does("press", "mekha")
    assert ws.dice_owed(played.state, "amek") == (("directly", 10),)
    played.rolls(amek=[4], mekha=[3])
    assert played.summary["standing"] == {"by": "amek", "total": 8, "dice": [5, 4]}


def test_wa52_of_two_equal_lowest_dice_the_smaller_rolls_else_the_later_taken():
    played = duel([4, 4], [4, 4]).does("press", "amek")
    assert ws.dice_owed(played.state, "amek") == (("directly", 10),)
    assert ws.dice_owed(played.state, "mekha") == (("directly", 8),)
    twins = ws.Throw((ws.Die("a", 6, 3), ws.Die("b", 6, 3), ws.Die("c", 8, 5)))
    assert twins.lowest == 1


def test_wa53_lots_order_those_tied_below_the_top_the_highest_first():
    cast = ["amek", "mekha", "esan", sheet("esan", id="a"), sheet("esan", id="b")]
    played = Sequence(
        {"participants": [sheet(one) if isinstance(one, str) else one for one in cast]}
    )
    for one in ("amek", "mekha"):
        played.does("choose", one, forms=["directly", "for_myself"])
    for one in ("esan", "a", "b"):
        played.does("choose", one, forms=["maneuvering"])
    played.rolls(amek=[9, 3], mekha=[6, 3], esan=[5, 2], a=[6, 3], b=[5, 2])
    assert (played.summary["phase"], played.summary["must"]) == ("lots", [])
    assert played.summary["standing"]["by"] == "amek"
    assert "WA-53" in played.refuses("lots", order=["esan", "b"])
    assert "WA-53" in played.refuses("lots", order=["a", "a"])
    assert "WA-53" in played.refuses("lots", order=["a"])
    played.does("lots", order=["a", "mekha"])
    assert played.summary["phase"] == "lots"
    drawn = ws.draw_lots(played.state, SeededDice(1))
    assert sorted(drawn.order) == ["b", "esan"]
    played.does("lots", order=["b", "esan"])
    assert played.summary["order"] == ["amek", "a", "mekha", "b", "esan"]
    assert "WA-53" in played.refuses("lots", order=["b", "esan"])


def test_wa54_the_first_moves_with_the_standing_roll_and_later_ones_roll_first():
    played = three(amek=[9, 3], mekha=[6, 3], esan=[5, 2])
    assert "WA-54" in played.refuses("roll", "amek", dice=[9, 9])
    assert "WA-54" in played.refuses("move", "mekha", to=["amek"])
    played.moves("amek")
    assert played.summary["standing"] is None
    assert "WA-54" in played.refuses("move", "mekha", to=["amek"])
    assert "WA-54" in played.refuses("roll", "esan", dice=[5, 5])
    played.rolls(mekha=[7, 1])
    assert played.summary["standing"] == {"by": "mekha", "total": 7, "dice": [7, 1]}
    assert "WA-111" in played.refuses("roll", "mekha", dice=[9, 9])


@pytest.mark.parametrize(
    ("to", "rule"), [(["amek"], "WA-54"), (["mekha", "mekha"], "WA-54"), (["nobody"], "WA-40")]
)
def test_wa54_a_move_names_others_of_the_sequence_once(to, rule):
    assert rule in duel().refuses("move", "amek", to=to)


def test_wa56_a_move_that_names_nobody_happens_without_dice():
    played = duel().moves("amek")
    assert (played.summary["phase"], played.summary["must"]) == ("turn", ["mekha"])
    assert "WA-56" in played.refuses("interfere", "mekha")


def test_wa56_a_later_move_that_names_nobody_needs_no_roll_either():
    played = three(amek=[9, 3], mekha=[6, 3], esan=[5, 2]).moves("amek").moves("mekha")
    assert played.summary["must"] == ["esan"]
    assert "WA-54" in played.refuses("move", "esan", to=["mekha"])
    played.rolls(esan=[5, 5]).moves("esan")
    assert played.summary["phase"] == "between"


def test_wa56_letting_it_pass_costs_the_move_and_changes_no_advantage():
    played = duel().moves("amek", "mekha").does("let_pass", "mekha")
    assert played.summary["phase"] == "between"
    assert (played.summary["advantage"], played.summary["last"]) == ([], None)


def test_wa56_somebody_not_named_may_interfere_in_turn_order():
    played = sequence("amek", "mekha", "tajie", "esan")
    played.rolls(amek=[9, 3], mekha=[6, 3], tajie=[5, 3], esan=[4, 2]).moves("amek", "tajie")
    assert "WA-56" in played.refuses("interfere", "tajie")
    assert "WA-56" in played.refuses("interfere", "amek")
    played.does("interfere", "esan").does("interfere", "mekha")
    assert played.state.to_answer == ("mekha", "tajie", "esan")
    played.rolls(mekha=[5, 4], tajie=[5, 4])
    for answered in ("mekha", "tajie"):
        assert "WA-56" in played.refuses("interfere", answered)


def test_wa57_those_named_answer_in_turn_order():
    played = three(amek=[9, 3], mekha=[6, 3], esan=[5, 2]).moves("amek", "esan", "mekha")
    assert played.summary["must"] == ["mekha"]
    assert "turn" in played.refuses("move", "amek", to=["esan"])
    assert "WA-57" in played.refuses("roll", "esan", dice=[5, 5])
    assert "WA-57" in played.refuses("let_pass", "esan")
    assert "WA-57" in played.refuses("roll", "amek", dice=[5, 5])


def test_wa57_a_move_is_answered_by_those_alone_whom_it_names():
    """Neither by whom an earlier move has named, nor by whom that one no longer heard (WA-59)."""
    played = sequence("amek", "mekha", "tajie", "esan")
    played.rolls(amek=[5, 3], mekha=[4, 3], tajie=[4, 2], esan=[3, 2])
    played.moves("amek", "mekha", "tajie").rolls(mekha=[10, 3]).settles("mekha", "amek")
    played.rolls(tajie=[4, 2]).moves("tajie", "esan")
    assert (played.state.named, played.state.to_answer) == (("esan",), ("esan",))
    played.does("interfere", "mekha")
    assert played.state.to_answer == ("mekha", "esan")


def test_wa57_somebody_answers_several_times_a_round_also_after_her_turn():
    played = three(amek=[9, 3], mekha=[6, 3], esan=[5, 2]).moves("amek")
    played.rolls(mekha=[6, 1]).moves("mekha", "amek").rolls(amek=[5, 4])
    assert played.state.of("amek").turn is ws.Turn.MOVED
    assert not [told for told in played.moment.events if isinstance(told, MoveLost)]
    played.rolls(esan=[6, 1]).moves("esan", "amek", "mekha").rolls(amek=[5, 1], mekha=[5, 1])
    assert played.summary["phase"] == "between"


def test_wa58_who_answers_before_her_turn_has_lost_her_move():
    played = three(amek=[9, 3], mekha=[6, 3], esan=[5, 2]).moves("amek", "mekha")
    played.rolls(mekha=[8, 3])
    assert MoveLost(who="mekha") in played.moment.events
    assert played.summary["must"] == ["esan"]
    assert played.state.of("mekha").turn is ws.Turn.LOST


def test_wa59_a_mover_who_loses_absolutely_is_answered_by_nobody_else():
    played = three(amek=[5, 3], mekha=[4, 3], esan=[3, 2]).moves("amek", "mekha", "esan")
    played.rolls(mekha=[10, 3])
    assert (played.summary["phase"], played.summary["in"]) == ("settle", ["mekha", "esan"])
    played.settles("mekha", "amek")
    assert played.summary["must"] == ["esan"]
    assert played.state.of("esan").turn is ws.Turn.WAITING
    assert "WA-60" in played.rolls(esan=[5, 2]).refuses("move", "esan", to=["amek"])


def test_wa60_an_absolute_result_is_settled_before_anything_else():
    played = three(amek=[9, 3], mekha=[6, 3], esan=[5, 2]).moves("amek", "mekha", "esan")
    played.rolls(mekha=[4, 3])
    assert played.summary["must"] == ["amek"]
    assert "WA-60" in played.refuses("roll", "esan", dice=[5, 5])
    assert "WA-60" in played.refuses("next_round")
    played.settles("amek", "mekha")
    assert "WA-60" in played.refuses("interfere", "mekha")
    assert played.summary["must"] == ["esan"]


def test_wa60_all_who_are_left_may_end_it_between_rounds_only():
    played = duel().moves("amek", "mekha")
    assert "WA-74" in played.refuses("end")
    played.rolls(mekha=[5, 2]).does("end", by=None)
    assert (played.summary["phase"], played.summary["in"]) == ("over", ["amek", "mekha"])
    assert played.summary["advantage"] == []


def test_wa108_somebody_joins_at_the_start_of_round_two_and_chooses():
    played = duel().moves("amek", "mekha")
    assert "WA-108" in played.refuses("join", participant=sheet("esan"))
    played.rolls(mekha=[5, 2])
    assert "WA-41" in played.refuses("join", participant=sheet("amek"))
    played.does("join", participant=sheet("tajie"))
    assert played.summary["in"] == ["amek", "mekha", "tajie"]
    early = ["for_myself", "with_violence"]
    assert "WA-43" in played.refuses("choose", "tajie", forms=early)
    played.does("next_round")
    assert (played.summary["phase"], played.summary["must"]) == ("choose", ["tajie"])
    played.does("choose", "tajie", forms=["for_myself", "with_violence"])
    played.rolls(amek=([9, 3], [1]), mekha=[5, 3], tajie=[4, 3]).moves("amek", "tajie", "mekha")
    played.rolls(mekha=[8, 3], tajie=[9, 4])
    assert played.summary["phase"] == "between"
    assert played.summary["owe_list"] == ["mekha"]


def test_wa108_who_joined_and_left_before_she_chose_is_not_waited_for():
    played = duel().moves("amek", "mekha").rolls(mekha=[5, 2])
    played.does("join", participant=sheet("tajie")).does("join", participant=sheet("esan"))
    played.does("leave", "tajie").does("next_round")
    assert (played.summary["phase"], played.summary["must"]) == ("choose", ["esan"])
    played.does("choose", "esan", forms=["maneuvering"])
    assert played.summary["must"] == ["amek", "mekha", "esan"]
    assert played.moment.events[-1] == RoundBegun(round=2)
    assert ws.dice_owed(played.state, "tajie") == ()


def test_wa41_nobody_joins_eight_who_are_in():
    """Seven and whoever joins them are as many as may take part."""
    bands = [sheet("esan", id=f"band-{n}") for n in range(7)]
    played = sequence(*bands, choose=False)
    for one in bands:
        played.does("choose", one["id"], forms=["maneuvering"])
    played.rolls(**{one["id"]: [9 - n, 1] for n, one in enumerate(bands)}).moves("band-0")
    for one in bands[1:]:
        played.moves(one["id"])
    played.does("join", participant=sheet("amek"))
    assert "WA-41" in played.refuses("join", participant=sheet("mekha"))


def test_what_two_or_the_table_do_may_say_at_whose_word():
    """WA-40: whoever is named there takes part; what is the winner's choice only she may say."""
    played = duel().moves("amek", "mekha").rolls(mekha=[6, 2])
    for action in ("end", "next_round"):
        assert "WA-40" in played.refuses(action, "nobody")
    assert "WA-40" in played.refuses("correct", "nobody", owe_list=[])
    played.does("correct", "mekha", owe_list=[]).does("join", "amek", participant=sheet("esan"))
    played.does("agree", "amek", winner="mekha", loser="amek", terms=[{"form": "directly"}])
    played.does("next_round", "mekha").does("choose", "esan", forms=["maneuvering"])
    played.rolls(amek=([9, 3], [1]), mekha=[6, 3], esan=[6, 3]).does(
        "lots", "amek", order=["esan", "mekha"]
    )
    played.moves("amek", "mekha").rolls(mekha=[2, 1])
    assert "WA-67" in played.refuses(
        "settle", "mekha", winner="amek", loser="mekha", **{"as": "injured"}
    )
    played.does("settle", "amek", winner="amek", loser="mekha", **{"as": "injured"})
    played.moves("esan").does("end", "esan")
    assert played.summary["phase"] == "over"


def test_wa108_leaving_needs_the_consent_of_who_holds_an_advantage():
    played = duel().moves("amek", "mekha").rolls(mekha=[5, 2])
    assert "WA-108" in played.refuses("leave", "mekha")
    assert "WA-40" in played.refuses("leave", "mekha", consent=["amek", "nobody"])
    played.does("leave", "mekha", consent=["amek"])
    assert (played.summary["phase"], played.summary["in"]) == ("over", ["amek"])


def test_wa110_no_dice_are_handed_to_anybody():
    assert "WA-110" in duel().refuses("move", "amek", to=[], dice=[6])
    assert "WA-110" in duel().refuses("move", "amek", to=[], pips=[6])


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"dice": [13, 1]}, "WA-111"),
        ({"dice": [1, 11]}, "WA-111"),
        ({"dice": [0, 1]}, "WA-111"),
        ({"dice": [5]}, "WA-42"),
        ({"dice": [5, 5, 5]}, "WA-42"),
        ({"dice": [5, 5], "pips": [3]}, "WA-62"),
        ({}, "WA-111"),
        ({"dice": 5}, "WA-111"),
        ({"dice": [5, 5], "pips": 3}, "WA-111"),
        ({"dice": [5.5, 5]}, "int"),
        ({"dice": ["5", 5]}, "int"),
    ],
)
def test_wa111_typed_dice_are_checked(fields, rule):
    assert rule in sequence("amek", "mekha").refuses("roll", "amek", **fields)


def _third_round() -> Sequence:
    """Amek has the standing roll of 9 and 5 in round 3."""
    played = duel()
    for _ in range(2):
        played.moves("amek").rolls(mekha=[4, 3]).moves("mekha").does("next_round")
        played.rolls(amek=[9, 5], mekha=[4, 3])
    return played
