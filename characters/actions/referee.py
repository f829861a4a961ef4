"""What the referee does: rolls, harm, experience (KN-22), time, and how Knave is played."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from characters.actions.kinds import (
    Amount,
    ChosenText,
    Coins,
    Edge,
    KnaveAction,
    Letters,
    Modifier,
    Some,
)
from characters.settings import KnaveSettings
from games.actions import RowKey


class AskSaves(KnaveAction, frozen=True, tag="ask_saves"):
    """Call for a save from chosen characters (KN-8, KN-9)."""

    ability: Letters
    who: Some = ()
    reason: Annotated[str, Meta(max_length=120)] = ""
    edge: Edge = ""
    modifier: Modifier = 0
    defense: Annotated[int, Meta(ge=1, le=60)] | None = None


class RollMissing(KnaveAction, frozen=True, tag="roll_missing"):
    """Roll for those who have not answered a call."""

    call: RowKey


class CloseCall(KnaveAction, frozen=True, tag="close_call"):
    """Take a call back, or put an answered one away."""

    call: RowKey


class HurtMany(KnaveAction, frozen=True, tag="hurt_many"):
    """Damage several characters at once."""

    amount: Amount
    who: Some = ()
    cause: Annotated[str, Meta(max_length=120)] = ""


class HealMany(KnaveAction, frozen=True, tag="heal_many"):
    """Heal several characters at once."""

    amount: Amount
    who: Some = ()


class AwardXp(KnaveAction, frozen=True, tag="award_xp"):
    """Give experience to several characters (KN-22)."""

    amount: Annotated[int, Meta(ge=1, le=100_000)]
    who: Some = ()
    reason: Annotated[str, Meta(max_length=120)] = ""


class AwardLevel(KnaveAction, frozen=True, tag="award_level"):
    """A milestone, or the end of a session: everybody chosen may take a level (KN-22)."""

    who: Some = ()


class AwardCoin(KnaveAction, frozen=True, tag="award_coin"):
    """Experience for coin brought home, shared evenly among those chosen (KN-22)."""

    gold: Coins = 0
    silver: Coins = 0
    copper: Coins = 0
    who: Some = ()


class AnnounceGoal(KnaveAction, frozen=True, tag="announce_goal"):
    """Name what a goal is worth beforehand (KN-22)."""

    text: Annotated[str, Meta(min_length=1, max_length=160)]
    worth: Annotated[int, Meta(ge=1, le=100_000)] = 100
    is_shown: bool = True


class ShowGoal(KnaveAction, frozen=True, tag="show_goal"):
    """Show a hidden goal, or hide it."""

    goal: RowKey
    on: bool


class ReachGoal(KnaveAction, frozen=True, tag="reach_goal"):
    """The goal is reached: everybody living gets its worth."""

    goal: RowKey


class DropGoal(KnaveAction, frozen=True, tag="drop_goal"):
    """Take a goal off the list."""

    goal: RowKey


class PassTurns(KnaveAction, frozen=True, tag="pass_turns"):
    """Let ten-minute turns pass; lights burn down. A negative number turns the clock back."""

    turns: Annotated[int, Meta(ge=-144, le=144)]


class MakeCamp(KnaveAction, frozen=True, tag="make_camp"):
    """Night's rest or a safe haven (KN-21): a new day begins, spell books refresh."""

    kind: Literal["night", "haven"]


class RollDice(KnaveAction, frozen=True, tag="roll_dice"):
    """Roll some dice for all to see, or behind the screen."""

    dice: Annotated[str, Meta(min_length=1, max_length=40)]
    reason: Annotated[str, Meta(max_length=120)] = ""
    is_secret: bool = False


class RollTable(KnaveAction, frozen=True, tag="roll_table"):
    """Roll on a table: reaction, spell, a trait, gear, name."""

    table: ChosenText
    is_secret: bool = True


class ShowRoll(KnaveAction, frozen=True, tag="show_roll"):
    """Show the table what was rolled behind the screen."""

    event: RowKey


class ConfigureKnave(KnaveAction, frozen=True, tag="configure_knave"):
    """Change one way in which the table plays Knave; see `KnaveSettings`."""

    # The names are worked out from the settings, which no type checker follows.
    setting: Literal[*KnaveSettings.__struct_fields__]  # type: ignore[valid-type]
    value: ChosenText
