"""What a seat may do at a table beside the game's own moves.

`who` is the number of another seat that an action is about.

Each is a typed value, like a game's actions, and takes the same one way in.
Bounds stand in the types, so that a form, the API and a test read the same.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from games.rules import brave_or_knave as bk
from games.rules.engine import CHOSEN, Action
from games.settings import TableSettings

HIGHEST_KEY = 2**63 - 1
RowKey = Annotated[int, Meta(ge=1, le=HIGHEST_KEY)]
Mark = Annotated[str, Meta(max_length=12)]
"""Of a text, by `games.text.mark_of`; nothing where a form does not say what it was given."""
MOST_NUMBER = 32_767
"""Of a seat: the largest that the column holds. At a table of years each newcomer has another."""
Number = Annotated[int, Meta(ge=1, le=MOST_NUMBER)]
NumberOrNobody = Annotated[int, Meta(ge=0, le=MOST_NUMBER)]
"""0 is nobody's."""
PersonalNumber = Annotated[int, Meta(ge=bk.MIN_NUMBER, le=bk.MAX_NUMBER)]
Language = Literal["en", "es"]
ChosenText = Annotated[str, Meta(min_length=1, max_length=200), CHOSEN]


def tidied(longest: int) -> Meta:
    """Tell programs how long a text may be that `games.text.clean_line` measures.

    It is no bound of the type: what is sent may be longer, as spare spaces and what nobody sees
    do not count.
    """
    return Meta(description=f"At most {longest} letters, without spare spaces and unseen letters.")


SeatName = Annotated[str, tidied(30)]
TableName = Annotated[str, tidied(60)]
LineText = Annotated[str, tidied(120)]


class TableAction(Action, frozen=True, tag=True):
    """An action on the table itself."""


# --- gathering for a bout ------------------------------------------------------------------------
class PickNumber(TableAction, frozen=True, tag="pick_number"):
    """Take a personal number (BK-3)."""

    number: PersonalNumber


class NameGuild(TableAction, frozen=True, tag="name_guild"):
    """Take a guild name (BK-2)."""

    name: SeatName


class TakePart(TableAction, frozen=True, tag="take_part"):
    """Join the coming bout, or only watch it."""

    plays: bool


class MoveSeat(TableAction, frozen=True, tag="move_seat"):
    """Move a seat one place round the table (BK-5): -1 against the clock, +1 with it."""

    who: Number
    by: Literal[-1, 1]


class ChooseFirst(TableAction, frozen=True, tag="choose_first"):
    """Say who rolls first; no seat lets the die choose (BK-6)."""

    who: Number | None = None


class StartBout(TableAction, frozen=True, tag="start_bout"):
    """Begin, with everybody who has a number: this bout, or whichever gathers."""

    bout: RowKey | None = None


class EndBout(TableAction, frozen=True, tag="end_bout"):
    """Call the bout off without a winner: this one, or whichever is played."""

    bout: RowKey | None = None


class Rematch(TableAction, frozen=True, tag="rematch"):
    """Gather again with the same names and numbers."""


# --- during a bout -------------------------------------------------------------------------------
class FalseStart(TableAction, frozen=True, tag="false_start"):
    """A press before the number is out: that seat is locked for half a second."""


class Heard(TableAction, frozen=True, tag="heard"):
    """By mouth: this seat was first to shout, says whoever taps."""

    who: Number
    call: Literal["brave", "knave", "heal"]


class Misheard(TableAction, frozen=True, tag="misheard"):
    """By mouth: who was first was heard wrong, so it is asked again."""


class Undo(TableAction, frozen=True, tag="undo"):
    """Take back the event with this number, and all that followed from it.

    `sure` says that the host has seen how much that is.
    """

    event: RowKey
    sure: bool = False


class Pause(TableAction, frozen=True, tag="pause"):
    """Stop play and its clocks."""


class Resume(TableAction, frozen=True, tag="resume"):
    """Go on after this pause (`Table.pause`), or after whichever there is."""

    pause: RowKey | None = None


class Stop(TableAction, frozen=True, tag="stop"):
    """Pause for somebody who need not be known.

    Only the house does it, when a phone's beat has asked for it.
    """


class AddContentLine(TableAction, frozen=True, tag="add_content_line"):
    """Name a topic that stays out of play (`line`) or happens off screen (`veil`).

    It is kept without whose it is.
    """

    text: LineText
    kind: Literal["line", "veil"] = "line"


class DropContentLine(TableAction, frozen=True, tag="drop_content_line"):
    """Take a topic off the table's list; `line` is a number of its words, not its row's."""

    line: RowKey


# --- people and seats ----------------------------------------------------------------------------
class Admit(TableAction, frozen=True, tag="admit"):
    """Let somebody who knocked come in."""

    who: Number


class Remove(TableAction, frozen=True, tag="remove"):
    """Turn somebody away, or remove them from the table."""

    who: Number


class AddPlayer(TableAction, frozen=True, tag="add_player"):
    """Seat somebody without a phone on this device: pass and play."""

    name: SeatName


class AddRegular(TableAction, frozen=True, tag="add_regular"):
    """Call one of the house's regulars to the table."""


class OfferPass(TableAction, frozen=True, tag="offer_pass"):
    """Make a one-time QR that moves a seat to another phone."""

    who: Number


class HandHost(TableAction, frozen=True, tag="hand_host"):
    """Make another seat the host."""

    who: Number


class Speak(TableAction, frozen=True, tag="speak"):
    """Choose the language of one's own seat."""

    language: Language


class ShowHand(TableAction, frozen=True, tag="show_hand"):
    """Show lives as a hand, or as the letters K-N-A-V-E (BK-4)."""

    letters: bool


class Leave(TableAction, frozen=True, tag="leave_table"):
    """Get up and go."""


# --- the table -----------------------------------------------------------------------------------
class SetDoor(TableAction, frozen=True, tag="set_door"):
    """Open, ask or lock."""

    door: Literal["open", "ask", "locked"]


class RenameTable(TableAction, frozen=True, tag="rename_table"):
    """Give the table a name."""

    name: TableName


class Configure(TableAction, frozen=True, tag="configure"):
    """Change one way in which the table plays; see `TableSettings`."""

    # mypy cannot read a type that is made from a list.
    setting: Literal[*TableSettings.__struct_fields__]  # type: ignore[valid-type]
    value: ChosenText


class TurnTable(TableAction, frozen=True, tag="turn_table"):
    """Put another game in front of everybody; the one before waits."""

    rules: ChosenText


class AddHouseRule(TableAction, frozen=True, tag="add_house_rule"):
    """Write a house rule (BK-25) into the table's book, as the JSON a record uses."""

    rule: Annotated[str, Meta(max_length=4000)]


class SwitchHouseRule(TableAction, frozen=True, tag="switch_house_rule"):
    """Use a house rule in the next bout, or not."""

    rule: RowKey
    on: bool


class DropHouseRule(TableAction, frozen=True, tag="drop_house_rule"):
    """Take a house rule out of the table's book."""

    rule: RowKey
