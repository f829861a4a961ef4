"""Every action that is refused says which rule refuses it."""

from __future__ import annotations

import pytest

from games.rules import brave_or_knave as bk
from games.rules import engine
from games.rules.brave_or_knave import (
    Award,
    Blind,
    Close,
    Deal,
    Digit,
    Finger,
    Knock,
    Leave,
    Name,
    Phase,
    Roll,
    Shout,
    Shroud,
    refusals,
)
from games.rules.dice import TypedDice
from games.rules.engine import IllegalAction
from games.rules.words import Reason
from tests.rules.scenario import BRAVE, HEAL, KNAVE, Bout, bout, four, house


def opening(**told) -> Bout:
    return four(shroud=True, **told)


def under_the_hand() -> Bout:
    return opening().plays("Vane", Shroud()).rolls("Moth", 6)


def cupped() -> Bout:
    """A real die lies under the hand, and the blind call is made."""
    table = opening().plays("Vane", Shroud()).plays("Moth", Roll(cupped=True))
    return table.plays("Vane", Blind(BRAVE))


def shouting() -> Bout:
    return four().rolls("Moth", 7)


def challenging() -> Bout:
    return four().stands("Moth", 7, "Ash", BRAVE)


def awarding() -> Bout:
    return shouting().shouts("Ash", BRAVE).shouts("Vane", KNAVE).closes()


def naming() -> Bout:
    return shouting().knocks()


def controlling() -> Bout:
    return four().rolls("Moth", 17)


def dealing() -> Bout:
    table = opening().with_fingers(Ash=1).plays("Vane", Shroud()).rolls("Moth", 6)
    return table.plays("Vane", Blind(BRAVE)).rolls("Vane", 11)


def picking() -> Bout:
    return house(bk.Effect("lose", "picked")).rolls("Moth", 10)


def over() -> Bout:
    return bout(Moth=17, Ash=18).rolls("Moth", 1)


REFUSED = [
    (over, "Ash", Roll(), refusals.OVER),
    (over, "Ash", Leave(), refusals.OVER),
    (over, None, Close(), refusals.OVER),
    (lambda: four().rolls("Moth", 1), "Moth", Roll(), refusals.OUT),
    (shouting, None, Leave(), refusals.ONLY_PLAYERS),
    (four, "Ash", Shroud(), refusals.SHROUD_SWITCHED_OFF),
    (opening, "Moth", Shroud(), refusals.SHROUD_ROLLER),
    (lambda: opening().plays("Ash", Shroud()), "Rook", Shroud(), refusals.SHROUD_TAKEN),
    (under_the_hand, "Ash", Shroud(), refusals.SHROUD_TOO_LATE),
    (opening, "Ash", Roll(), refusals.ROLL_OPENING_NOT_YOU),
    (opening, "Moth", Roll(cupped=True), refusals.CUP_WITHOUT_SHROUD),
    (challenging, "Ash", Roll(cupped=True), refusals.CUP_WITHOUT_SHROUD),
    (challenging, "Vane", Roll(), refusals.ROLL_NOT_YOU),
    (challenging, "Vane", Roll(cupped=True), refusals.ROLL_NOT_YOU),
    (cupped, "Moth", Roll(cupped=True), refusals.CUP_LIES),
    (shouting, "Moth", Roll(), refusals.ROLL_NOT_NOW),
    (under_the_hand, "Moth", Roll(), refusals.ROLL_NOT_NOW),
    (under_the_hand, "Moth", Blind(BRAVE), refusals.BLIND_ONLY_CALLER),
    (under_the_hand, "Vane", Blind(HEAL), refusals.BLIND_CALL),
    (opening, "Ash", Blind(BRAVE), refusals.BLIND_NOT_NOW),
    (opening, "Ash", Shout(BRAVE), refusals.SHOUT_NOT_NOW),
    (shouting, "Moth", Shout(BRAVE), refusals.SHOUT_ROLLER),
    (lambda: shouting().shouts("Ash", BRAVE), "Ash", Shout(KNAVE), refusals.SHOUT_TWICE),
    (shouting, "Ash", Shout(BRAVE, -1), refusals.SHOUT_EARLY),
    (shouting, "Ash", Shout(HEAL), refusals.HEAL_SWITCHED_OFF),
    (lambda: four(nine_sisters=True).rolls("Moth", 8), "Ash", Shout(HEAL), refusals.HEAL_NOT_NOW),
    (lambda: shouting().shouts("Ash", BRAVE), "Moth", Shout(KNAVE), refusals.SHOUT_ROLLER),
    (challenging, "Ash", Shout(KNAVE), refusals.SHOUT_TWICE),
    (awarding, "Rook", Shout(BRAVE), refusals.SHOUT_NOT_NOW),
    (shouting, "Moth", Close(), refusals.ONLY_TABLE),
    (shouting, None, Close(), refusals.CLOSE_SILENCE),
    (opening, None, Close(), refusals.CLOSE_NOT_NOW),
    (shouting, "Ash", Knock(), refusals.KNOCK_ROLLER),
    (lambda: shouting().shouts("Ash", BRAVE), "Moth", Knock(), refusals.KNOCK_SHOUTED),
    (lambda: shouting().shouts("Ash", BRAVE), None, Knock(), refusals.KNOCK_SHOUTED),
    (opening, "Moth", Knock(), refusals.KNOCK_NOT_NOW),
    (opening, None, Knock(), refusals.KNOCK_NOT_NOW),
    (shouting, "Moth", Award(1), refusals.AWARD_NOT_NOW),
    (awarding, "Ash", Award(1), refusals.AWARD_ROLLER),
    (awarding, "Moth", Award(3), refusals.AWARD_SILENT),
    (challenging, "Moth", Award(1), refusals.AWARD_SAME),
    (challenging, "Moth", Award(9), refusals.AWARD_SILENT),
    (lambda: challenging().rolls("Ash", 7), "Ash", Award(0), refusals.AWARD_TOO_LATE),
    (shouting, "Moth", Name(1, BRAVE), refusals.NAME_NOT_NOW),
    (naming, "Ash", Name(1, BRAVE), refusals.NAME_NOT_YOU),
    (naming, "Moth", Name(0, BRAVE), refusals.NAME_SELF),
    (naming, "Moth", Name(1, HEAL), refusals.NAME_CALL),
    (controlling, "Moth", Name(1), refusals.NAME_CALL),
    (controlling, "Moth", Name(0), refusals.NAME_CALL),
    (controlling, "Moth", Name(4, BRAVE), refusals.NAME_OUT),
    (controlling, "Moth", Name(-1, BRAVE), refusals.NAME_OUT),
    (picking, "Moth", Name(1, BRAVE), refusals.NAME_NO_CALL),
    (shouting, "Moth", Deal((0, 1, 1, 1)), refusals.DEAL_NOT_NOW),
    (dealing, "Moth", Deal((2, 1, 0, 0)), refusals.DEAL_NOT_YOU),
    (dealing, "Vane", Deal((1, 1, 1, 0)), refusals.DEAL_SELF),
    (dealing, "Vane", Deal((1, 2, 0, 0)), refusals.DEAL_TOO_MANY),
    (dealing, "Vane", Deal((1, 1, 0, 0)), refusals.DEAL_SUM),
    (dealing, "Vane", Deal((4, 0, 0, -1)), refusals.DEAL_SUM),
    (dealing, "Vane", Deal((3,)), refusals.DEAL_SUM),
    (shouting, "Ash", Finger(Digit.THUMB), refusals.FINGER_NONE),
    (
        lambda: four().with_fingers(Ash=2).plays("Ash", Finger(Digit.THUMB)),
        "Ash",
        Finger(Digit.THUMB),
        refusals.FINGER_GONE,
    ),
]


@pytest.mark.parametrize(("scene", "who", "action", "reason"), REFUSED)
def test_a_refusal_says_why_with_its_rule(scene, who, action, reason):
    table = scene()
    why = bk.refusal(table.state, table.seat(who), action)
    assert (why.why, why.rule) == reason
    assert table.refuses(who, action) == reason.rule


@pytest.mark.parametrize("seat", [-1, 4, 99])
def test_nobody_acts_from_a_seat_that_is_not_there(seat):
    with pytest.raises(IllegalAction, match="BK-5"):
        engine.play(bk, four().state, seat, Roll(), TypedDice([7]))


def test_an_action_of_another_game_is_refused():
    with pytest.raises(IllegalAction, match="no such action"):
        engine.play(bk, four().state, 0, engine.Action(), TypedDice(()))


@pytest.mark.parametrize(
    ("faces", "why"), [([], "missing"), ([0], "no such face"), ([21], "no such face")]
)
def test_a_typed_die_that_cannot_be_is_refused(faces, why):
    with pytest.raises(IllegalAction, match=why):
        engine.play(bk, four().state, 0, Roll(), TypedDice(faces))


def test_a_refusal_is_one_sentence_without_anything_filled_in():
    reasons = [value for value in vars(refusals).values() if isinstance(value, Reason)]
    assert len(reasons) > 60
    assert not [text for text, _ in reasons if "%" in text or "{" in text or text.endswith(".")]


def test_every_phase_refuses_from_somebody():
    scenes = {scene().phase for scene, *_ in REFUSED}
    assert scenes == set(Phase)
