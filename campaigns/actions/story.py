"""Best interests, scenes, the owe list, a chapter's end, the chronicle."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from campaigns.actions.kinds import AnyLine, CampaignAction, Key, Keys, Line, Story
from games.actions import Mark, RowKey
from games.rules.words import _


class NameInterest(CampaignAction, frozen=True, tag="name_interest"):
    """Name a best interest, and tag whom it is about (WA-30 to WA-35)."""

    lacks: ClassVar = {"character": _("Choose whose interest it is.")}

    character: RowKey
    text: Line
    targets: Keys = ()


class EditInterest(CampaignAction, frozen=True, tag="edit_interest"):
    """Put an interest into other words, or about others.

    `was` is the mark of the words that it is written in place of.
    """

    interest: RowKey
    text: Line
    targets: Keys = ()
    was: Mark = ""


class DropInterest(CampaignAction, frozen=True, tag="drop_interest"):
    """Take an interest off the sheet."""

    interest: RowKey


class MarkInterest(CampaignAction, frozen=True, tag="mark_interest"):
    """Say what has come of an interest (WA-35)."""

    interest: RowKey
    state: Literal["open", "achieved", "lost", "moot"]


class OpenScene(CampaignAction, frozen=True, tag="open_scene"):
    """Open a scene and turn to it (WA-36, WA-38)."""

    lacks: ClassVar = {"where": _("Say where it plays.")}

    where: Line
    what: AnyLine = ""
    who: Keys = ()


class EditScene(CampaignAction, frozen=True, tag="edit_scene"):
    """Change where, what or who."""

    scene: RowKey
    where: Line
    what: AnyLine = ""
    who: Keys = ()


class RewordScene(CampaignAction, frozen=True, tag="reword_scene"):
    """Set right how a scene is told, in whichever chapter; who is in it stays."""

    scene: RowKey
    where: Line
    what: AnyLine = ""


class TurnToScene(CampaignAction, frozen=True, tag="turn_to_scene"):
    """Cut to a scene (WA-36)."""

    scene: RowKey


class CloseScene(CampaignAction, frozen=True, tag="close_scene"):
    """A scene is over, or opens again."""

    scene: RowKey
    on: bool = True


class OweName(CampaignAction, frozen=True, tag="owe_name"):
    """The GM writes a name at the end of the owe list: a correction, logged."""

    character: RowKey


class StrikeName(CampaignAction, frozen=True, tag="strike_name"):
    """The GM strikes an occurrence, or takes the stroke back: a correction, logged."""

    owed: RowKey
    on: bool = True


class ProposeEnd(CampaignAction, frozen=True, tag="propose_end"):
    """The GM proposes that the chapter ends (WA-82): its interests get their last states."""


class WriteEpilogue(CampaignAction, frozen=True, tag="write_epilogue"):
    """One line more about a character (WA-83)."""

    character: RowKey
    text: Story = ""
    chapter: Key = 0


class EndChapter(CampaignAction, frozen=True, tag="end_chapter"):
    """The table agrees: the chapter is over, its sheets go to the archive (WA-83)."""


class WriteEndNote(CampaignAction, frozen=True, tag="write_end_note"):
    """A few words on how a chapter ended.

    `was` is the mark of the words that they are written in place of.
    """

    chapter: RowKey
    text: Story = ""
    was: Mark = ""


class WriteChronicle(CampaignAction, frozen=True, tag="write_chronicle"):
    """Rewrite a chapter's chronicle; nothing sets it back to what happened.

    `was` is the mark of the text that it is written in place of.
    """

    chapter: RowKey
    text: Annotated[str, Meta(max_length=60_000)] = ""
    was: Mark = ""
