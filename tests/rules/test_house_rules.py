"""House rules (BK-25): what may be written, and what each effect does."""

from __future__ import annotations

import msgspec
import pytest

from games.rules import brave_or_knave as bk
from games.rules.brave_or_knave import Effect, HouseRule, Leave, Name, Phase, refusals
from games.rules.brave_or_knave.events import (
    Challenged,
    DieTaken,
    FingersLost,
    FingersRegained,
    HouseRuleActed,
    PickAsked,
    Reversed,
)
from games.rules.engine import IllegalAction
from tests.rules.scenario import BRAVE, HEAL, KNAVE, four, house, house_rule

ILLEGAL = {
    "GRAVE keeps the 1": (refusals.RULE_GRAVE, house_rule(1)),
    "STAVE keeps the 20": (refusals.RULE_STAVE, house_rule(20)),
    "there is no 21": (refusals.RULE_RANGE, house_rule(21)),
    "there is no 0": (refusals.RULE_RANGE, house_rule(0)),
    "somebody's personal number": (refusals.RULE_OWNED, house_rule(17)),
    "the same number twice": (
        refusals.RULE_CLASH,
        house_rule(10, on="both"),
        house_rule(10, on="opening"),
    ),
    "no name": (refusals.RULE_NAME, HouseRule(" ", "Meow!", 10, "both", (Effect("reverse"),))),
    "no effect": (refusals.RULE_EMPTY, HouseRule("The Cat", "Meow!", 10, "both", ())),
    "no such occasion": (refusals.RULE_OCCASION, house_rule(10, on="never")),
    "no such effect": (refusals.EFFECT_KIND, house_rule(10, Effect("dance"))),
    "no such target": (refusals.EFFECT_TARGET, house_rule(10, Effect("lose", "nobody"))),
    "nothing lost": (refusals.EFFECT_AMOUNT, house_rule(10, Effect("lose", "everyone", 0))),
    "six fingers": (refusals.EFFECT_AMOUNT, house_rule(10, Effect("regain", "everyone", 6))),
    "openings have no challenger": (
        refusals.EFFECT_NO_CHALLENGER,
        house_rule(10, Effect("lose", "challenger"), on="opening"),
    ),
    "one die for everybody": (
        refusals.EFFECT_ONE_TARGET,
        house_rule(10, Effect("pass_die", "everyone")),
    ),
    "all roll next": (
        refusals.EFFECT_ONE_TARGET,
        house_rule(10, Effect("roll_next", "everyone_else", call=BRAVE)),
    ),
    "no call to roll under": (refusals.EFFECT_CALL, house_rule(10, Effect("roll_next", "left"))),
    "healing out of turn": (
        refusals.EFFECT_CALL,
        house_rule(10, Effect("roll_next", "left", call=HEAL)),
    ),
    "a call for no roll": (
        refusals.EFFECT_NO_CALL,
        house_rule(10, Effect("lose", "left", call=BRAVE)),
    ),
    "the die in two hands": (
        refusals.EFFECT_TWICE,
        house_rule(10, Effect("roll_again"), Effect("pass_die", "left")),
    ),
}


@pytest.mark.parametrize("case", ILLEGAL.values(), ids=ILLEGAL)
def test_bk25_a_house_rule_that_cannot_be_played_is_refused(case):
    reason, *rules = case
    with pytest.raises(IllegalAction) as refused:
        four(house_rules=tuple(rules))
    assert (refused.value.why, refused.value.rule) == reason


@pytest.mark.parametrize(
    "legal",
    [house_rule(2), house_rule(19), house_rule(10, Effect("roll_again", "everyone"))],
    ids=["the lowest number", "the highest number", "whoever an effect without a target names"],
)
def test_bk25_a_house_rule_that_can_be_played_is_taken(legal):
    bk.check_house_rule(legal)


def test_bk25_one_number_may_do_different_things_on_openings_and_challenges():
    four(house_rules=(house_rule(10, on="opening"), house_rule(10, on="challenge")))


def test_bk25_a_house_rule_is_checked_by_itself_before_anybody_sits_down():
    """Whose number it takes is found out when they do."""
    bk.check_house_rule(house_rule(17))
    with pytest.raises(IllegalAction, match="BK-25"):
        bk.check_house_rule(house_rule(1))


def test_bk25_a_house_rule_round_trips_as_json():
    kept = house_rule(10, Effect("roll_next", "left", call=KNAVE), Effect("lose", "everyone", 2))
    assert msgspec.json.decode(msgspec.json.encode(kept), type=HouseRule) == kept


def test_bk25_on_an_opening_the_effects_come_first_and_then_the_number_stands():
    table = house(Effect("lose", "everyone_else", 2)).rolls("Moth", 10)
    assert table.happened(HouseRuleActed) == [HouseRuleActed("The Cat", "Meow!", 10, 0)]
    assert table.fingers("Moth", "Ash", "Vane", "Rook") == [5, 3, 3, 3]
    assert (table.phase, table.state.standing) == (Phase.SHOUT, 10)


def test_bk25_on_a_challenge_the_challenger_succeeds_first():
    table = house(Effect("lose", "roller"), Effect("regain", "challenger"))
    table.with_fingers(Ash=3).stands("Moth", 8, "Ash", BRAVE).rolls("Ash", 10)
    assert table.fingers("Moth", "Ash") == [4, 4]
    assert (table.phase, table.roller) == (Phase.SHOUT, "Ash")


def test_bk25_on_a_challenge_the_challenger_fails_first():
    table = house(Effect("lose", "challenger")).stands("Moth", 8, "Ash", KNAVE).rolls("Ash", 10)
    assert table.happened(FingersLost) == [FingersLost(1, 1, 4), FingersLost(1, 1, 3)]
    assert table.opens("Ash")


def test_bk25_a_tie_bounces_without_the_house_rule():
    table = house(Effect("lose", "everyone")).stands("Moth", 10, "Ash", KNAVE)
    table.rolls("Ash", 10)
    assert not table.happened(HouseRuleActed)
    assert table.must == ["Moth"]


@pytest.mark.parametrize("on", ["opening", "challenge"])
def test_bk25_a_rule_acts_only_on_its_occasion(on):
    table = house(on=on).rolls("Moth", 10)
    assert bool(table.happened(Reversed)) is (on == "opening")
    table = house(on=on).stands("Moth", 8, "Ash", BRAVE).rolls("Ash", 10)
    assert bool(table.happened(Reversed)) is (on == "challenge")


def test_bk25_a_challenger_is_skipped_on_openings():
    table = house(Effect("lose", "challenger")).rolls("Moth", 10)
    assert table.fingers("Moth", "Ash", "Vane", "Rook") == [5, 5, 5, 5]


@pytest.mark.parametrize(("side", "who"), [("left", "Vane"), ("right", "Rook")])
def test_bk25_neighbours_are_the_nearest_living_players(side, who):
    table = house(Effect("lose", side)).with_fingers(Ash=0).rolls("Moth", 10)
    assert table.fingers(who) == [4]


def test_bk25_nobody_regains_more_than_a_hand():
    table = house(Effect("regain", "everyone", 3)).with_fingers(Moth=1, Rook=0, Vane=4)
    table.rolls("Moth", 10)
    assert table.fingers("Moth", "Ash", "Vane", "Rook") == [4, 5, 5, 0]
    assert table.happened(FingersRegained) == [FingersRegained(0, 3, 4), FingersRegained(2, 1, 5)]


def test_bk25_a_regained_finger_is_no_longer_given():
    table = house(Effect("regain", "roller", 1)).with_fingers(Moth=3, Ash=3)
    table.plays("Moth", bk.Finger(bk.Digit.THUMB)).plays("Moth", bk.Finger(bk.Digit.RING))
    table.plays("Ash", bk.Finger(bk.Digit.THUMB)).plays("Ash", bk.Finger(bk.Digit.RING))
    table.rolls("Moth", 10)
    assert table.state.given[1] == (bk.Digit.THUMB, bk.Digit.RING)
    hand = (bk.Digit.LITTLE, bk.Digit.RING, bk.Digit.MIDDLE, bk.Digit.INDEX)
    assert table.state.hand(0) == hand
    assert table.state.owed(0) == 0


def test_bk25_the_die_passes_to_the_target():
    table = house(Effect("pass_die", "right")).rolls("Moth", 10)
    assert table.happened(DieTaken) == [DieTaken(3)]
    assert table.opens("Rook")


def test_bk25_the_target_rolls_next_under_the_rules_call():
    table = house(Effect("roll_next", "left", call=KNAVE)).rolls("Moth", 10)
    assert table.log[-1] == Challenged(1, KNAVE, 10, "house")
    assert (table.must, table.roller, table.state.standing) == (["Ash"], "Moth", 10)
    assert table.rolls("Ash", 10).must == ["Moth"]


def test_bk25_roll_again_gives_the_die_back():
    table = house(Effect("roll_again")).stands("Moth", 8, "Ash", BRAVE).rolls("Ash", 10)
    assert table.opens("Ash")


def test_bk25_roll_again_passes_on_from_whom_the_rule_put_out():
    table = house(Effect("lose", "roller", 5), Effect("roll_again")).rolls("Moth", 10)
    assert table.opens("Ash")


def test_bk25_a_roller_whom_an_effect_put_out_opens_no_shouting():
    assert house(Effect("lose", "roller", 5)).rolls("Moth", 10).opens("Ash")


def test_bk25_a_reversed_direction_changes_who_is_next():
    table = house(Effect("reverse")).rolls("Moth", 10).shouts("Ash", BRAVE).closes()
    assert table.rolls("Ash", 1).opens("Moth")
    assert bk.view(table.state, None).direction == -1
    table.rolls("Moth", 10)
    assert bk.view(table.state, None).direction == 1


def test_bk25_who_rolled_picks_the_target_among_the_living():
    table = house(Effect("lose", "picked", 2), Effect("pass_die", "picked")).with_fingers(Vane=0)
    table.rolls("Moth", 10)
    assert table.happened(PickAsked) == [PickAsked(0)]
    assert (table.phase, table.must, table.state.naming_why) == (Phase.NAME, ["Moth"], "house")
    picks = [Name(seat) for seat in (0, 1, 3)]
    assert bk.legal_actions(table.state, 0) == [*picks, Leave()]
    table.names("Moth", "Rook")
    assert not table.happened(HouseRuleActed)
    assert table.fingers("Rook") == [3]
    assert table.opens("Rook")


def test_bk25_on_a_challenge_the_challenger_picks():
    table = house(Effect("lose", "picked")).stands("Moth", 8, "Ash", BRAVE).rolls("Ash", 10)
    assert (table.must, table.roller) == (["Ash"], "Ash")
    seen = bk.view(table.state, None)
    assert (seen.challenger, seen.call, seen.shouts) == (None, None, ())
    table.names("Ash", "Ash")
    assert (table.phase, table.roller, table.fingers("Ash")) == (Phase.SHOUT, "Ash", [4])


@pytest.mark.parametrize(
    ("target", "struck"),
    [
        ("roller", ["Moth"]),
        ("challenger", ["Vane"]),
        ("left", ["Rook"]),
        ("right", ["Ash"]),
        ("everyone_else", ["Moth", "Ash", "Rook"]),
    ],
)
def test_bk25_on_a_challenge_all_is_counted_from_the_challenger(target, struck):
    """But for the roller, who is whoever had rolled the number to beat."""
    table = house(Effect("lose", target)).stands("Moth", 8, "Vane", BRAVE).rolls("Vane", 10)
    assert [table.name(lost.seat) for lost in table.happened(FingersLost)] == struck


def test_bk25_on_a_bounce_the_roller_is_who_tied():
    table = house(Effect("lose", "roller")).stands("Moth", 8, "Ash", BRAVE)
    table.rolls("Ash", 8).rolls("Moth", 10)
    assert table.fingers("Moth", "Ash") == [5, 4]


@pytest.mark.parametrize("first", ["pass_die", "roll_next"])
def test_bk21_whom_a_rule_gave_the_die_and_put_out_hands_it_on(first):
    gives = Effect(first, "left", call=KNAVE if first == "roll_next" else None)
    table = house(gives, Effect("lose", "left", 5)).rolls("Moth", 10)
    assert table.fingers("Ash") == [0]
    assert table.opens("Vane")


def test_bk21_a_rule_gives_the_die_to_nobody_who_is_out():
    """Ash fails with the last finger: the rule that would send Ash again sends nobody."""
    table = house(Effect("roll_next", "challenger", call=BRAVE)).with_fingers(Ash=1)
    assert table.stands("Moth", 8, "Ash", KNAVE).rolls("Ash", 10).opens("Vane")


def test_bk25_who_fell_picks_nobody():
    table = house(Effect("lose", "picked"), Effect("lose", "roller")).with_fingers(Ash=1)
    table.stands("Moth", 8, "Ash", KNAVE).rolls("Ash", 10)
    assert table.fingers("Moth", "Ash") == [4, 0]
    assert table.opens("Vane")


def test_bk21_a_house_rule_brings_nobody_back_who_is_out():
    table = house(Effect("regain", "challenger")).with_fingers(Ash=1)
    table.stands("Moth", 8, "Ash", KNAVE).rolls("Ash", 10)
    assert table.fingers("Ash") == [0]
    assert table.opens("Vane")


@pytest.mark.parametrize("kind", ["reverse", "roll_again"])
def test_bk25_nobody_is_picked_for_what_needs_no_target(kind):
    table = house(Effect(kind, "picked")).rolls("Moth", 10)
    assert not table.happened(PickAsked)
    assert table.phase is not Phase.NAME


def test_bk25_a_picker_who_leaves_ends_the_round():
    table = house(Effect("lose", "picked")).rolls("Moth", 10).plays("Moth", Leave())
    assert table.opens("Ash")


def test_bk25_all_who_fall_together_share_the_win():
    table = house(Effect("lose", "everyone", 5)).with_fingers(Vane=0).rolls("Moth", 10)
    assert table.winners == ["Moth", "Ash", "Rook"]


def test_bk25_a_rule_stops_when_somebody_has_won():
    table = house(Effect("lose", "everyone_else", 5), Effect("lose", "everyone", 5))
    assert table.rolls("Moth", 10).winners == ["Moth"]
    assert table.fingers("Moth") == [5]


def test_bk25_a_heal_is_settled_before_the_house_rule():
    rules = (house_rule(5, Effect("lose", "challenger", 2)),)
    table = four(nine_sisters=True, house_rules=rules).with_fingers(Ash=1)
    assert table.stands("Moth", 9, "Ash", HEAL).rolls("Ash", 5).fingers("Ash") == [3]
