"""Setting a chapter up, step by step (WA-3 to WA-16, WA-85 to WA-93)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from campaigns.actions.kinds import AnyLine, AnyName, CampaignAction, Key, Line, NpcForm
from games.actions import RowKey
from games.rules.engine import CHOSEN

StepName = Literal[
    "", "coming_back", "oracle", "pick", "deal", "cast", "choose", "sheets", "interests", "play",
    "closing",
]  # fmt: skip
"""A step of a chapter; nothing where a form does not say which it was drawn for."""
Text400 = Annotated[str, Meta(max_length=400)]


class OpenChapter(CampaignAction, frozen=True, tag="open_chapter"):
    """Begin the next chapter: by the owe list if it has a name whose player is here (WA-85)."""


class DropChapter(CampaignAction, frozen=True, tag="drop_chapter"):
    """Put away a chapter that has not got to play."""


class StepBack(CampaignAction, frozen=True, tag="step_back"):
    """Go back one step of the setup, or from the closing to play. Nothing is thrown away.

    `at_step` is the step to be left: of two who press at once, one goes.
    """

    at_step: StepName = ""


class StepOn(CampaignAction, frozen=True, tag="step_on"):
    """Go on to the next step of the setup, when this one is done; `at_step` as in going back."""

    at_step: StepName = ""


class BringBack(CampaignAction, frozen=True, tag="bring_back"):
    """The character at the top of the owe list comes back; that occurrence is struck (WA-85).

    `came_back_as` says how one who is dead does (WA-95).
    """

    owed: RowKey
    came_back_as: AnyLine = ""


class DeclineReturn(CampaignAction, frozen=True, tag="decline_return"):
    """The player at the top would rather not: the next whose player is here counts (WA-87)."""

    owed: RowKey


class ChooseOracle(CampaignAction, frozen=True, tag="choose_oracle"):
    """Choose the oracle, before looking (WA-6, WA-86): a shipped one's id, or `own-<key>`."""

    oracle: Annotated[str, Meta(min_length=1, max_length=40), CHOSEN]


class PickElement(CampaignAction, frozen=True, tag="pick_element"):
    """The returning player's element (WA-86): an entry of the oracle by its place, or own words."""

    entry: Key = 0
    text: Text400 = ""


class DealCards(CampaignAction, frozen=True, tag="deal_cards"):
    """Deal the elements (WA-7, WA-86). On a table with other elements they are dealt anew."""


class TypeCards(CampaignAction, frozen=True, tag="type_cards"):
    """Type the cards that a real deck has dealt."""

    cards: Annotated[str, Meta(min_length=1, max_length=200)]


class DealMore(CampaignAction, frozen=True, tag="deal_more"):
    """One more card, by the GM's consent (WA-7)."""


class EditElement(CampaignAction, frozen=True, tag="edit_element"):
    """Write on the story sheet: change an element's words."""

    element: RowKey
    text: Annotated[str, Meta(min_length=1, max_length=400)]


class StrikeElement(CampaignAction, frozen=True, tag="strike_element"):
    """Drop an element somebody does not want in play (WA-4), or take it in again."""

    element: RowKey
    on: bool = True


class AddCast(CampaignAction, frozen=True, tag="add_cast"):
    """Read a character out of the elements, or think one up (WA-8, WA-9)."""

    text: Line
    element: Key = 0
    how: Literal["explicit", "implied"] = "explicit"


class EditCast(CampaignAction, frozen=True, tag="edit_cast"):
    """Change a line of the character list."""

    line: RowKey
    text: Line


class DropCast(CampaignAction, frozen=True, tag="drop_cast"):
    """Take a line off the character list, or put it back (WA-9)."""

    line: RowKey
    on: bool = True


class SameCast(CampaignAction, frozen=True, tag="same_cast"):
    """Two lines are one person (WA-9): said by whoever takes that person; 0 parts them again."""

    line: RowKey
    other: Key = 0


class TakeCast(CampaignAction, frozen=True, tag="take_cast"):
    """Choose a character to play (WA-11). If somebody has it already, say that one wants it too.

    The GM may take it for a player without a phone.
    """

    line: RowKey
    member: Key = 0


class LeaveCast(CampaignAction, frozen=True, tag="leave_cast"):
    """Give a chosen character back to the list, or want it no longer."""

    line: RowKey
    member: Key = 0


class DrawLots(CampaignAction, frozen=True, tag="draw_lots"):
    """Draw lots among all who want the same character (WA-11)."""

    line: RowKey


class PlayFormer(CampaignAction, frozen=True, tag="play_former"):
    """Play a character of an earlier chapter (WA-88).

    Because she fits a line of the list, or, with `owed`, for one occurrence of
    her name struck from the owe list.
    """

    character: RowKey
    line: Key = 0
    owed: Key = 0
    member: Key = 0


class MakeNpc(CampaignAction, frozen=True, tag="make_npc"):
    """Make an NPC in ten seconds (WA-15, WA-16): which form gets d12+d8, which d10+d6.

    From a line of the list, or out of nothing, also in the middle of a scene.
    """

    name: AnyName = ""
    description: Annotated[str, Meta(max_length=4000)] = ""
    line: Key = 0
    best: NpcForm = "action"
    second: NpcForm | Literal[""] = ""
    scene: Key = 0


class BringNpc(CampaignAction, frozen=True, tag="bring_npc"):
    """An NPC of an earlier chapter returns, with whole dice (WA-90)."""

    character: RowKey
    line: Key = 0


class PlaceChapter(CampaignAction, frozen=True, tag="place_chapter"):
    """Say when and where a chapter lies beside another (WA-93)."""

    placement: Literal["after", "before", "same_time", "unknown"]
    chapter: Key = 0
    beside: Key = 0
    when_and_where: AnyLine = ""


class NameChapter(CampaignAction, frozen=True, tag="name_chapter"):
    """Give a chapter its title, or take it away."""

    title: AnyName = ""
    chapter: Key = 0


class BeginPlay(CampaignAction, frozen=True, tag="begin_play"):
    """The chapter begins, once everybody has the interests that WA-31 asks for (WA-32)."""


class MarkReady(CampaignAction, frozen=True, tag="mark_ready"):
    """One's sheet is ready, or not yet after all."""

    character: RowKey
    on: bool = True
