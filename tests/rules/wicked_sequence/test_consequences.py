"""What an absolute result or an agreement costs: WA-24, WA-67 to WA-75, WA-108, WA-109."""

from __future__ import annotations

import pytest

from games.rules import wicked_sequence as ws
from games.rules.engine import Outcome
from games.rules.wicked_sequence import refusals
from games.rules.wicked_sequence.events import DieLost
from tests.rules.wicked_sequence.scenario import SHEETS, Sequence, duel, sequence, sheet, three

CURSE = {
    "name": "curse",
    "die": 8,
    "forms": ["directly"],
    "npc_form": "maneuvering",
    "consequential": {"pc_form": "with_love", "npc_form": "maneuvering"},
}


INJURED = {"as": "injured"}


def beaten(loser: str = "mekha", winner: str | dict = "amek", **worn: int) -> Sequence:
    """Amek, or somebody in her place, has just beaten the loser absolutely in round 1."""
    forms = sheet(loser)["forms"] | worn
    played = sequence(winner, sheet(loser, forms=forms))
    extra = [1] * (len(ws.dice_owed(played.state, "amek")) - 2)
    played.rolls(amek=[9, 3, *extra], **{loser: [4, 3]}).moves("amek", loser)
    return played.rolls(**{loser: [2, 1]})


def after(played: Sequence, who: str) -> dict:
    return played.summary["forms"][who]


@pytest.mark.parametrize(
    ("loser", "how", "lost"),
    [
        ("mekha", "exhausted", {"directly": 6, "with_violence": 4}),
        ("mekha", "injured", {"covertly": 4, "for_others": 0}),
        ("esan", "exhausted", {"action": [10, 6]}),
        ("esan", "injured", {"maneuvering": [8, 4]}),
    ],
)
def test_wa67_the_default_costs_one_size_of_each(loser, how, lost):
    played = beaten(loser).settles("amek", loser, how)
    assert after(played, loser) == sheet(loser)["forms"] | lost
    told = played.moment.events[0]
    assert (told.winner, told.loser, told.as_, told.terms) == ("amek", loser, how, ())
    assert [one.form for one in told.lost] == list(lost)


def test_wa67_the_default_is_the_winners_choice():
    state = beaten().state
    action = ws.Settle(winner="amek", loser="mekha", as_="injured")
    assert ws.must(state) == (0,)
    assert ws.fault(state, 0, action) is None
    assert ws.fault(state, 1, action) == refusals.WINNERS_CHOICE
    unknown = ws.Settle(winner="amek", loser="nobody", as_="injured")
    assert ws.fault(state, None, unknown) == refusals.STRANGER
    assert "WA-67" in beaten().refuses("settle", "mekha", winner="amek", loser="mekha", **INJURED)
    assert "WA-73" in beaten().refuses("settle", winner="mekha", loser="amek", **INJURED)
    assert "WA-67" in duel().refuses("settle", winner="amek", loser="mekha", **INJURED)
    assert "$.as" in beaten().refuses("settle", winner="amek", loser="mekha", **{"as": "dead"})


def test_wa68_a_die_at_0_loses_nothing_more():
    played = beaten(with_violence=0).settles("amek", "mekha")
    assert after(played, "mekha")["with_violence"] == 0
    assert played.summary["out"] == []


def test_wa69_two_form_dice_at_0_are_out_of_the_chapter():
    played = beaten(directly=4, with_violence=4).settles("amek", "mekha")
    assert played.summary["out"] == ["mekha"]


def test_wa69_an_npc_is_out_with_any_two_of_six():
    worn = {"action": [12, 0], "maneuvering": [10, 4], "self_protection": [6, 4]}
    played = beaten("esan", **worn).settles("amek", "esan", "injured")
    assert played.summary["out"] == ["esan"]
    assert after(played, "esan")["maneuvering"] == [8, 0]


def test_wa70_an_agreement_takes_dice_strengths_states_and_words():
    loser = sheet("mekha", strengths=[{**CURSE, "consequential": None}])
    played = sequence("amek", loser, choose=False)
    for one in ("amek", "mekha"):
        played.does("choose", one, forms=["with_violence", "directly"])
    played.rolls(amek=[9, 3], mekha=[4, 3]).moves("amek", "mekha").rolls(mekha=[2, 1])
    terms = [{"form": "with_love"}, {"form": "with_love"}, {"strength": "curse"}]
    played.agrees("amek", "mekha", *terms, {"state": "captive"}, {"says": "kneels"})
    mekha = played.state.of("mekha")
    assert (mekha.forms["with_love"], mekha.strengths, mekha.condition) == ((8,), (), "captive")
    told = played.moment.events[0]
    assert (told.as_, len(told.terms), told.lost) == (None, 5, (DieLost("with_love", (12,), (8,)),))
    assert played.summary["out"] == []


@pytest.mark.parametrize("state", ["dead", "absent"])
def test_wa70_dead_or_absent_is_out_of_the_chapter(state):
    assert beaten().agrees("amek", "mekha", {"state": state}).summary["out"] == ["mekha"]


@pytest.mark.parametrize(
    ("term", "rule"),
    [
        ({}, "WA-72"),
        ({"form": "action"}, "WA-70"),
        ({"form": "sneakily"}, "WA-70"),
        ({"strength": "curse"}, "WA-70"),
        ({"state": "promised"}, "state"),
        ({"owe_list": "amek"}, "owe_list"),
    ],
)
def test_wa72_what_cannot_be_given_is_refused(term, rule):
    played = beaten()
    assert rule in played.refuses("agree", winner="amek", loser="mekha", terms=[term])


def test_wa72_a_loser_comes_to_be_one_thing_and_not_two():
    """Of two states the last was kept: of one dead and captive it said that she lives."""
    given = {"winner": "amek", "loser": "mekha"}
    dead, captive = {"state": "dead"}, {"state": "captive"}
    assert "WA-72" in beaten().refuses("agree", **given, terms=[dead, captive])
    assert beaten().agrees("amek", "mekha", dead, dead).summary["out"] == ["mekha"]


def test_wa73_each_loser_is_settled_with_her_own_winner_at_once():
    played = three(amek=[9, 3], mekha=[6, 3], esan=[5, 2]).moves("amek", "mekha", "esan")
    played.rolls(mekha=[2, 1])
    assert "WA-73" in played.refuses("settle", winner="amek", loser="esan", **INJURED)
    assert "WA-73" in played.refuses("settle", winner="esan", loser="mekha", **INJURED)
    played.settles("amek", "mekha").rolls(esan=[2, 1]).settles("amek", "esan")
    assert (played.summary["phase"], played.summary["in"]) == ("over", ["amek"])


def test_wa74_between_rounds_an_agreement_of_two_ends_a_fight_of_two():
    played = duel().moves("amek", "mekha").rolls(mekha=[6, 3])
    assert "WA-74" in played.refuses("agree", winner="amek", loser="amek", terms=[])
    played.agrees("mekha", "amek", {"form": "directly"}, leave=["mekha"])
    assert (played.summary["phase"], played.summary["in"]) == ("over", ["amek"])
    assert after(played, "amek")["directly"] == 8


@pytest.mark.parametrize("leave", [[], ["mekha", "amek"]], ids=["nobody", "both"])
def test_wa74_it_ends_whoever_of_the_two_leaves(leave):
    played = duel().moves("amek", "mekha").rolls(mekha=[6, 3])
    played.agrees("mekha", "amek", {"says": "enough"}, leave=leave)
    left = [one for one in ("amek", "mekha") if one not in leave]
    assert (played.summary["phase"], played.summary["in"]) == ("over", left)


def test_wa74_in_a_larger_fight_only_who_leaves_is_out_and_the_rest_rolls_on():
    played = _between_three()
    assert "WA-74" in played.refuses("agree", winner="amek", loser="mekha", leave=["esan"])
    played.agrees("amek", "mekha", {"says": "gives up the child"}, leave=["mekha"])
    assert (played.summary["phase"], played.summary["in"]) == ("between", ["amek", "esan"])
    played.does("next_round").rolls(amek=([9, 3], [1]), esan=[5, 2])
    assert played.summary["order"] == ["amek", "esan"]


def test_wa74_who_stays_goes_on_with_the_dice_she_has_left():
    played = _between_three().agrees("amek", "mekha", {"form": "for_myself"})
    assert ws.preview(played.state.of("mekha"), ["for_myself", "directly"]) == (8, 8)
    assert [die for _, die in ws.dice_owed(played.state, "mekha")] == [8, 8]


def test_wa74_who_gave_a_strength_away_rolls_without_it_from_then_on():
    played = sequence(CURSED, "mekha", "esan").rolls(amek=[9, 3, 1], mekha=[6, 3], esan=[5, 2])
    played.moves("amek", "mekha").rolls(mekha=[9, 4], esan=[5, 2]).moves("esan")
    played.agrees("mekha", "amek", {"strength": "curse"}).does("next_round")
    assert [die for _, die in ws.dice_owed(played.state, "amek")] == [12, 10]


def test_wa74_dead_by_agreement_leaves_as_well():
    played = _between_three().agrees("amek", "mekha", {"state": "dead"})
    assert (played.summary["in"], played.summary["out"]) == (["amek", "esan"], ["mekha"])


def test_wa74_only_those_still_in_agree_and_only_between_rounds_or_after_a_win():
    assert "WA-74" in duel().refuses("agree", winner="amek", loser="mekha", terms=[])
    played = _between_three().agrees("amek", "mekha", leave=["mekha"])
    assert "WA-60" in played.refuses("agree", winner="amek", loser="mekha", terms=[])
    assert "WA-40" in played.refuses("agree", winner="amek", loser="nobody", terms=[])
    assert "WA-40" in played.refuses("agree", winner="nobody", loser="amek", terms=[])
    assert "WA-74" in beaten().refuses("agree", winner="amek", loser="mekha", leave=["amek"])


def _between_three() -> Sequence:
    played = three(amek=[9, 3], mekha=[6, 3], esan=[5, 2]).moves("amek", "mekha")
    return played.rolls(mekha=[6, 3], esan=[5, 2]).moves("esan")


CURSED = sheet("amek", strengths=[CURSE])


def test_wa24_a_consequential_strength_takes_a_die_beside_the_default():
    played = beaten(winner=CURSED)
    assert played.state.settlement.hits == (ws.Hit("curse", "with_love"),)
    played.settles("amek", "mekha", "injured")
    lost = {"covertly": 4, "for_others": 0, "with_love": 10}
    assert after(played, "mekha") == sheet("mekha")["forms"] | lost


def test_wa57_what_is_agreed_on_after_a_win_keeps_the_next_from_no_answer():
    played = sequence("amek", "mekha", "esan").rolls(amek=[9, 3], mekha=[4, 3], esan=[3, 2])
    played.moves("amek", "mekha", "esan").rolls(mekha=[2, 1])
    played.agrees("amek", "mekha", {"says": "yields"})
    assert (played.summary["phase"], played.summary["must"]) == ("answer", ["esan"])


def test_wa24_and_beside_what_is_negotiated_after_the_win():
    played = beaten(winner=CURSED).agrees("amek", "mekha", {"says": "kneels"})
    assert after(played, "mekha") == sheet("mekha")["forms"] | {"with_love": 10}


def test_wa24_the_winner_may_waive_it():
    played = beaten(winner=CURSED).settles("amek", "mekha", "injured", waive=True)
    assert after(played, "mekha")["with_love"] == 12
    assert "WA-24" in beaten().refuses(
        "settle", winner="amek", loser="mekha", waive=True, **INJURED
    )


@pytest.mark.parametrize(
    ("how", "npc_dice", "left"),
    [
        ("exhausted", None, [8, 6]),
        ("exhausted", [10], [8, 6]),
        ("exhausted", [6], [10, 4]),
        ("injured", None, [6, 4]),
        ("injured", [10], [6, 4]),
        ("injured", [6], [8, 0]),
        ("injured", [8], [6, 4]),
    ],
)
def test_wa24_of_an_npcs_pair_the_gm_says_which_die_or_else_the_larger_one(how, npc_dice, left):
    said = {} if npc_dice is None else {"npc_dice": npc_dice}
    played = beaten("esan", CURSED).settles("amek", "esan", how, **said)
    assert after(played, "esan")["maneuvering"] == left


@pytest.mark.parametrize("npc_dice", [[12], [10, 10], [5]])
def test_wa24_a_die_that_is_not_there_cannot_be_chosen(npc_dice):
    played = beaten("esan", CURSED)
    settle = {"winner": "amek", "loser": "esan", "as": "exhausted", "npc_dice": npc_dice}
    assert "WA-24" in played.refuses("settle", **settle)
    assert "WA-24" in beaten(winner=CURSED).refuses("settle", **settle | {"loser": "mekha"})
    agree = {"winner": "amek", "loser": "esan", "npc_dice": npc_dice}
    assert "WA-24" in played.refuses("agree", terms=[{"says": "yields"}], **agree)


def test_wa24_an_agreement_says_which_die_of_an_npc_as_well():
    terms = [{"form": "maneuvering"}, {"form": "action"}]
    played = beaten("esan").agrees("amek", "esan", *terms, npc_dice=[6, 8])
    assert after(played, "esan") == sheet("esan")["forms"] | {
        "maneuvering": [10, 4],
        "action": [12, 6],
    }


def test_wa24_a_settlement_between_rounds_does_not_trigger_it():
    played = sequence(CURSED, "mekha").rolls(amek=[9, 3, 1], mekha=[4, 3])
    played.moves("amek", "mekha").rolls(mekha=[6, 3]).agrees("amek", "mekha", {"says": "yields"})
    assert after(played, "mekha")["with_love"] == 12


def test_wa24_nor_does_a_strength_that_was_not_rolled():
    played = sequence(CURSED, "mekha", choose=False)
    for one in ("amek", "mekha"):
        played.does("choose", one, forms=["with_violence", "directly"])
    played.rolls(amek=[9, 3], mekha=[4, 3]).moves("amek", "mekha").rolls(mekha=[2, 1])
    assert played.state.settlement.hits == ()


def test_wa69_two_zeros_by_an_agreement_between_rounds_are_out_of_sequence_and_chapter():
    worn = sheet("esan", forms={**SHEETS["esan"]["forms"], "maneuvering": [4, 0]})
    played = sequence("amek", "mekha", worn).rolls(amek=[9, 3], mekha=[6, 3], esan=[3])
    played.moves("amek", "mekha").rolls(mekha=[6, 3], esan=[3]).moves("esan")
    played.agrees("amek", "esan", {"form": "maneuvering"})
    assert (played.summary["in"], played.summary["out"]) == (["amek", "mekha"], ["esan"])


@pytest.mark.parametrize("turns_on_amek", [False, True])
def test_wa109_whose_only_opponent_is_out_may_pass_or_turn_on_a_former_ally(turns_on_amek: bool):
    """Amek and Esan stood against Mekha, who is out."""
    played = three(amek=[9, 3], esan=[6, 3], mekha=[4, 3]).moves("amek", "mekha")
    played.rolls(mekha=[2, 1]).settles("amek", "mekha")
    if turns_on_amek:
        played.rolls(esan=[6, 3]).moves("esan", "amek").rolls(amek=[6, 3])
        assert played.summary["last"]["mover"] == "esan"
    else:
        played.moves("esan")
    played.does("end")
    assert (played.summary["phase"], played.summary["in"]) == ("over", ["amek", "esan"])


def test_wa75_a_loser_is_out_of_the_sequence_and_not_of_the_chapter():
    played = beaten().settles("amek", "mekha")
    assert (played.summary["in"], played.summary["out"]) == (["amek"], [])
    assert ws.dice_owed(played.state, "mekha") == ()
    assert played.state.of("mekha").status is ws.Status.LOST
    assert ws.outcome(played.state) == Outcome((0,))


@pytest.mark.parametrize(
    ("npc_dice", "action", "own"),
    [(None, [10, 8], [4, 4]), ([12, 4], [10, 8], [6, 0]), ([8, 6], [12, 6], [4, 4])],
)
def test_wa24_each_of_two_strengths_takes_the_die_that_the_gm_says_of_it(npc_dice, action, own):
    """WA-28: they are used together, and each names a form of an NPC's of its own."""
    hits = {"pc_form": "with_love", "npc_form": "action"}
    ghost = {**CURSE, "name": "ghost", "consequential": {**hits, "npc_form": "self_protection"}}
    both = sheet("amek", strengths=[{**CURSE, "consequential": hits}, ghost])
    said = {} if npc_dice is None else {"npc_dice": npc_dice}
    played = beaten("esan", both).settles("amek", "esan", "injured", **said)
    assert after(played, "esan") == {
        "action": action,
        "maneuvering": [8, 4],
        "self_protection": own,
    }


def test_wa24_the_same_one_of_two_equal_dice_is_named_by_what_the_first_strength_left_of_it():
    """Beside the default, which makes both smaller: not the other die as it has become by that."""
    hits = {"pc_form": "with_love", "npc_form": "action"}
    twice = [{**CURSE, "name": name, "consequential": hits} for name in ("curse", "ghost")]
    both = sheet("amek", strengths=twice)
    played = beaten("esan", both, action=[8, 8]).settles("amek", "esan", npc_dice=[8, 6])
    assert after(played, "esan")["action"] == [6, 0]


def test_wa72_a_captive_who_loses_later_is_one_still():
    played = _between_three().agrees("amek", "mekha", {"state": "captive"}).does("next_round")
    played.rolls(amek=([9, 3], [1]), mekha=[4, 3], esan=[5, 2]).moves("amek", "mekha")
    played.rolls(mekha=[2, 1]).settles("amek", "mekha")
    assert played.state.of("mekha").condition == "captive"


def test_wa70_of_two_equal_dice_the_one_that_has_lost_nothing_is_meant():
    """Two terms off one form name the same size: each die loses one, and not one of them both."""
    terms = [{"form": "action"}, {"form": "action"}]
    played = beaten("esan", action=[8, 8]).agrees("amek", "esan", *terms, npc_dice=[8, 8])
    assert after(played, "esan")["action"] == [6, 6]


def test_wa74_what_is_settled_keeps_nobody_from_an_agreement_between_rounds():
    played = three(amek=[9, 3], mekha=[6, 3], esan=[5, 2]).moves("amek", "esan")
    played.rolls(esan=[1, 1]).settles("amek", "esan")
    played.moves("mekha").agrees("amek", "mekha", {"says": "go"}, leave=["mekha"])
    assert played.summary["phase"] == "over"
