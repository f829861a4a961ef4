"""Advantage dice, bought and won, and the owe list: WA-47, WA-61 to WA-66, WA-76 to WA-81."""

from __future__ import annotations

import pytest

from games.rules import wicked_sequence as ws
from games.rules.wicked_sequence.events import Bought
from tests.rules.wicked_sequence.scenario import HAWK, Sequence, duel, sequence, sheet, three

AMEK_TWICE = [{"name": "amek", "player": "amy"}, {"name": "old-one", "player": "amy"}]


def advantage(played: Sequence) -> list[tuple[str, str]]:
    return [(one["holder"], one["over"]) for one in played.summary["advantage"]]


@pytest.mark.parametrize(("mekha", "first"), [([8, 1], "amek"), ([8, 4], "mekha")])
def test_wa47_of_equal_totals_the_next_die_decides_and_a_pip_is_none(mekha, first):
    """Amek's 5 and 3 with three pips are 8 and 3."""
    played = duel().moves("amek", "mekha").rolls(mekha=[5, 2]).does("next_round")
    played.rolls(amek=([5, 3], [3]), mekha=mekha)
    assert played.summary["order"][0] == first


def test_wa47_where_those_are_equal_too_the_one_after_decides():
    played = sequence(sheet("amek", strengths=[HAWK]), "mekha")
    played.rolls(amek=[9, 3, 1], mekha=[9, 3])
    assert (played.summary["phase"], played.summary["order"]) == ("turn", ["amek", "mekha"])


def test_wa61_a_second_win_over_the_same_one_gives_no_second_die():
    played = duel().moves("amek", "mekha").rolls(mekha=[5, 2]).does("next_round")
    played.rolls(amek=([9, 5], [1]), mekha=[4, 3]).moves("amek", "mekha").rolls(mekha=[6, 3])
    assert advantage(played) == [("amek", "mekha")]


def test_wa61_the_die_is_handed_over_when_the_other_wins_it():
    played = duel().moves("amek", "mekha").rolls(mekha=[5, 2]).does("next_round")
    played.rolls(amek=([5, 3], [1]), mekha=[4, 3]).moves("amek", "mekha").rolls(mekha=[8, 3])
    assert advantage(played) == [("mekha", "amek")]


def test_wa61_the_latest_comparison_of_a_round_decides():
    """Each answers the other once; the second answer takes what the first one won."""
    played = three(amek=[9, 3], mekha=[6, 3], esan=[5, 2]).moves("amek").rolls(mekha=[6, 1])
    played.moves("mekha", "amek").rolls(amek=[8, 4], esan=[6, 1]).moves("esan", "mekha")
    played.rolls(mekha=[7, 1])
    assert advantage(played) == [("amek", "mekha"), ("mekha", "esan")]
    played.does("next_round").rolls(amek=([9, 3], [1]), mekha=([6, 3], [1]), esan=[5, 2])
    played.moves("amek").rolls(mekha=([6, 1], [1])).moves("mekha", "amek")
    played.rolls(amek=([4, 3], [1]), esan=[6, 1]).moves("esan", "amek").rolls(amek=([6, 3], [1]))
    assert advantage(played) == [("mekha", "amek"), ("mekha", "esan"), ("amek", "esan")]


def test_wa62_dice_of_several_pairs_and_bought_ones_stack_whomever_she_faces():
    played = sequence("amek", "mekha", "esan", owe_list=AMEK_TWICE)
    played.rolls(amek=[9, 3], mekha=[6, 3], esan=[5, 2]).moves("amek", "mekha", "esan")
    played.rolls(mekha=[6, 3], esan=[6, 3]).does("next_round").does("buy", "amek", strike="amek")
    assert [label for label, _ in ws.dice_owed(played.state, "amek")] == [
        "with_violence",
        "directly",
        "advantage",
        "advantage",
        "bought",
    ]
    assert "WA-62" in played.refuses("roll", "amek", dice=[9, 3], pips=[1, 1])
    assert "WA-111" in played.refuses("roll", "amek", dice=[9, 3], pips=[1, 1, 7])
    played.rolls(amek=([9, 3], [6, 5, 4]), mekha=[1, 1], esan=[2, 1])
    assert played.summary["standing"]["total"] == 24


def test_wa63_a_won_die_comes_at_the_end_of_the_round():
    played = three(amek=[9, 3], mekha=[6, 3], esan=[5, 2]).moves("amek", "mekha")
    played.rolls(mekha=[6, 3])
    assert advantage(played) == []
    assert ws.view(played.state, None).participants[0].beaten == ("mekha",)
    played.rolls(esan=[5, 2]).moves("esan", "amek")
    assert ws.pips_owed(played.state, "amek") == 0
    played.rolls(amek=[5, 2])
    assert advantage(played) == [("amek", "mekha"), ("amek", "esan")]


def test_wa63_a_won_die_stays_when_the_one_it_was_won_from_is_out():
    played = three(amek=[9, 3], mekha=[6, 3], esan=[5, 2]).moves("amek", "mekha")
    played.rolls(mekha=[6, 3]).rolls(esan=[9, 5]).moves("esan", "mekha").rolls(mekha=[1, 1])
    played.settles("esan", "mekha")
    assert advantage(played) == [("amek", "mekha")]


def test_wa63_dice_of_a_holder_who_is_out_are_gone():
    played = three(amek=[9, 3], mekha=[6, 3], esan=[5, 2]).moves("amek", "mekha")
    played.rolls(mekha=[8, 3], esan=[5, 2]).moves("esan").does("next_round")
    assert advantage(played) == [("amek", "mekha")]
    played.rolls(amek=([4, 3], [1]), mekha=[10, 3], esan=[9, 2]).moves("mekha", "amek")
    played.rolls(amek=([1, 1], [1])).settles("mekha", "amek")
    assert advantage(played) == []


def test_wa63_a_die_won_in_the_round_in_which_its_winner_goes_out_is_gone_too():
    played = three(amek=[5, 3], mekha=[4, 3], esan=[3, 2]).moves("amek", "mekha")
    played.rolls(mekha=[4, 1], esan=[10, 6]).moves("esan", "amek").rolls(amek=[1, 1])
    played.settles("esan", "amek")
    assert (played.summary["phase"], advantage(played)) == ("between", [])


def test_wa65_of_two_owed_the_same_name_a_player_strikes_her_own():
    owe_list = [{"name": "amek", "player": "tom"}, {"name": "amek", "player": "amy"}]
    played = sequence("amek", "mekha", owe_list=owe_list).does("buy", "amek", strike="amek")
    assert [one.player for one in played.state.owe_list] == ["tom"]


def test_wa65_what_nobody_plays_strikes_nothing():
    played = sequence(sheet("amek", player=None), "mekha", owe_list=[{"name": "amek"}])
    assert "WA-65" in played.refuses("buy", "amek", strike="amek")


def test_wa65_a_bought_die_stays_and_is_not_lost():
    played = sequence("amek", "mekha", owe_list=AMEK_TWICE).does("buy", "amek", strike="old-one")
    assert played.moment.events == (Bought(by="amek", name="old-one"),)
    assert (played.summary["owe_list"], played.summary["bought"]) == (["amek"], {"amek": 1})
    played.rolls(amek=([5, 3], [1]), mekha=[4, 3]).moves("amek", "mekha").rolls(mekha=[9, 3])
    played.does("next_round")
    assert ws.dice_owed(played.state, "amek")[-1] == ("bought", 6)


def test_wa65_several_may_be_bought_one_strike_each():
    played = sequence("amek", "mekha", owe_list=AMEK_TWICE).does("buy", "amek", strike="amek")
    played.does("buy", "amek", strike="old-one")
    assert (played.summary["owe_list"], played.summary["bought"]) == ([], {"amek": 2})


def test_wa65_of_a_name_that_is_there_twice_the_highest_is_struck():
    owe_list = [AMEK_TWICE[0], AMEK_TWICE[1], AMEK_TWICE[0]]
    played = sequence("amek", "mekha", owe_list=owe_list).does("buy", "amek", strike="amek")
    assert played.summary["owe_list"] == ["old-one", "amek"]


@pytest.mark.parametrize(
    ("who", "strike"), [("mekha", "amek"), ("amek", "nobody"), ("esan", "amek")]
)
def test_wa65_players_strike_only_their_own_names_and_the_gm_none(who, strike):
    played = sequence("amek", "mekha", "esan", owe_list=AMEK_TWICE)
    assert "WA-65" in played.refuses("buy", who, strike=strike)


def test_wa65_an_owe_list_without_players_takes_them_from_the_participants():
    played = sequence("amek", "mekha", owe_list=[{"name": "amek"}, {"name": "old-one"}])
    assert "WA-65" in played.refuses("buy", "amek", strike="old-one")
    played.does("buy", "amek", strike="amek")


def test_wa65_a_die_is_bought_before_a_roll_of_ones_own():
    owe_list = [*AMEK_TWICE, {"name": "mekha", "player": "martha"}]
    played = sequence("amek", "mekha", owe_list=owe_list).rolls(amek=[9, 3])
    assert "WA-65" in played.refuses("buy", "amek", strike="amek")
    played.rolls(mekha=[5, 2])
    assert "WA-65" in played.refuses("buy", "amek", strike="amek")
    played.moves("amek", "mekha")
    assert "WA-65" in played.refuses("buy", "amek", strike="amek")
    played.does("buy", "mekha", strike="mekha").rolls(mekha=([8, 1], [6]))
    assert played.summary["last"]["result"] == "wins_advantage"
    played.does("buy", "amek", strike="amek").does("next_round")
    assert ws.pips_owed(played.state, "amek") == 1


def test_wa65_a_die_may_be_bought_while_forms_are_chosen():
    """The first roll is still to come, of one who has chosen and of one who has not."""
    played = sequence("amek", "mekha", owe_list=AMEK_TWICE, choose=False)
    played.does("buy", "amek", strike="amek")
    assert played.summary["phase"] == "choose"
    assert played.summary["must"] == ["amek", "mekha"]
    assert played.summary["bought"] == {"amek": 1}
    assert ws.pips_owed(played.state, "amek") == 1


def test_wa65_a_later_mover_buys_before_her_roll_and_not_after():
    played = sequence("amek", "mekha", owe_list=[{"name": "mekha", "player": "martha"}] * 2)
    played.rolls(amek=[9, 3], mekha=[5, 2]).moves("amek")
    played.does("correct", owe_list=[{"name": "mekha", "player": "martha"}, *AMEK_TWICE])
    assert "WA-65" in played.refuses("buy", "amek", strike="amek")
    played.does("buy", "mekha", strike="mekha")
    played.does("correct", owe_list=[{"name": "mekha", "player": "martha"}])
    played.rolls(mekha=([5, 2], [3]))
    assert "WA-65" in played.refuses("buy", "mekha", strike="mekha")


def test_wa65_whoever_is_named_buys_while_somebody_else_has_yet_to_answer():
    owe_list = [{"name": "tajie", "player": "tom"}]
    played = sequence("amek", "mekha", "tajie", owe_list=owe_list)
    played.rolls(amek=[9, 3], mekha=[6, 3], tajie=[5, 2]).moves("amek", "mekha", "tajie")
    played.does("buy", "tajie", strike="tajie")
    assert (played.summary["must"], played.summary["bought"]) == (["mekha"], {"tajie": 1})


def test_wa65_nothing_is_bought_for_a_ties_one_die():
    played = sequence("amek", "mekha", owe_list=AMEK_TWICE).rolls(amek=[6, 2], mekha=[6, 2])
    played.does("press", "amek")
    assert "WA-65" in played.refuses("buy", "amek", strike="amek")


def test_wa65_a_name_written_after_round_one_may_be_struck_in_round_two():
    played = duel().moves("amek", "mekha").rolls(mekha=[6, 2]).does("next_round")
    played.does("buy", "mekha", strike="mekha")
    assert (played.summary["owe_list"], played.summary["bought"]) == ([], {"mekha": 1})


def test_wa66_at_the_end_all_advantage_dice_are_gone():
    played = sequence("amek", "mekha", owe_list=AMEK_TWICE).does("buy", "amek", strike="amek")
    played.rolls(amek=([9, 3], [1]), mekha=[4, 3]).moves("amek", "mekha").rolls(mekha=[6, 3])
    played.does("end")
    assert (played.summary["advantage"], played.summary["bought"]) == ([], {})


def test_wa76_only_pcs_and_only_after_round_one():
    played = three(amek=[9, 3], mekha=[6, 3], esan=[5, 2]).moves("amek", "esan").rolls(esan=[6, 2])
    played.rolls(mekha=[5, 2]).moves("mekha")
    assert played.summary["owe_list"] == []
    played.does("next_round").rolls(amek=([9, 3], [1]), mekha=[6, 3], esan=[5, 2])
    played.moves("amek", "mekha").rolls(mekha=[6, 3], esan=[5, 2]).moves("esan")
    assert played.summary["owe_list"] == []
    assert played.state.met == (("amek", "esan"),)


def test_wa77_equal_dice_write_nobody_and_strength_dice_count():
    twin = sheet("amek", id="twin", player="tom")
    played = Sequence({"participants": [sheet("amek"), twin]})
    for one in ("amek", "twin"):
        played.does("choose", one, forms=["with_violence", "directly"])
    played.rolls(amek=[9, 3], twin=[6, 3]).moves("amek", "twin").rolls(twin=[6, 3])
    assert played.summary["owe_list"] == []
    armed = sheet("amek", id="twin", player="tom", strengths=[HAWK])
    played = Sequence({"participants": [sheet("amek"), armed]})
    played.does("choose", "amek", forms=["with_violence", "directly"])
    played.does("choose", "twin", forms=["with_violence", "directly"], strengths=["hawk"])
    played.rolls(amek=[9, 3], twin=[6, 3, 1]).moves("amek", "twin").rolls(twin=[6, 3, 1])
    assert played.summary["owe_list"] == ["amek"]


def test_wa77_the_dice_of_the_first_roll_are_compared_whatever_became_of_them():
    grown = {**sheet("mekha")["forms"], "for_myself": 12, "directly": 12}
    played = duel().moves("amek", "mekha").does("correct", forms={"mekha": grown})
    assert played.rolls(mekha=[6, 3]).summary["owe_list"] == ["mekha"]


def test_wa77_advantage_dice_do_not_count():
    played = sequence("amek", "mekha", owe_list=[{"name": "mekha", "player": "martha"}] * 2)
    played.does("buy", "mekha", strike="mekha").rolls(amek=[9, 3], mekha=([4, 3], [1]))
    played.moves("amek", "mekha").rolls(mekha=([6, 3], [1]))
    assert played.summary["owe_list"] == ["mekha", "mekha"]


def test_wa78_only_those_who_compared_dice_are_opponents():
    played = duel().moves("amek", "mekha").does("let_pass", "mekha")
    assert played.summary["owe_list"] == []


def test_wa78_an_opponent_who_is_out_counts_and_so_does_who_answered_ones_own_move():
    played = duel([9, 3], [10, 3]).moves("mekha", "amek").rolls(amek=[5, 1])
    played.settles("mekha", "amek")
    assert (played.summary["phase"], played.summary["owe_list"]) == ("over", ["mekha"])


def test_wa79_who_loses_absolutely_in_round_one_is_not_written():
    played = duel().moves("amek", "mekha").rolls(mekha=[2, 1]).settles("amek", "mekha")
    assert played.summary["owe_list"] == []


def test_wa80_several_names_go_in_turn_order_to_the_end():
    played = sequence("tajie", "mekha", "amek", owe_list=[{"name": "old-one", "player": "amy"}])
    played.rolls(tajie=[5, 2], mekha=[6, 3], amek=[9, 3]).moves("amek", "tajie", "mekha")
    played.rolls(mekha=[6, 3], tajie=[6, 3])
    assert played.summary["owe_list"] == ["old-one", "mekha", "tajie"]
