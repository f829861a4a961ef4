"""A campaign as a file that leaves this server: what stands in it, by numbers that are its own.

No row's key, no seat, no device and no code is in it. Whoever changes a shape
raises FORMAT and teaches `file_read.upgraded` the earlier one; `tests/campaigns/files`
keeps a file of each (decision 15).
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from games.rules.engine import learn

FORMAT = 1
WHAT = "taproom campaign"

Number = Annotated[int, Meta(ge=1, le=30_000)]
"""What somebody or something is called by in the file."""
Place = Annotated[int, Meta(ge=0, le=30_000)]
Text = Annotated[str, Meta(max_length=200_000)]
"""How long each one may be, its row says."""
Die = Literal[0, 4, 6, 8, 10, 12]


class Value(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Anything that stands in a file. What is left out is as it usually is.

    A field is that of its row (`campaigns.models`) by the same name. What in a row leads to another
    row is here that one's `number`, and an instant is written by ISO 8601.
    """


class MemberValue(Value):
    number: Number
    name: Text
    is_gm: bool = False
    is_away: bool = False
    has_left: bool = False


class DiceValue(Value):
    """A form's die, or an NPC's pair, as it was made and as it is now (WA-17)."""

    base: Die | list[Die]
    current: Die | list[Die]


class CharacterValue(Value):
    """`owner` and `lent_to` are members' numbers."""

    number: Number
    kind: str
    name: Text = ""
    description: Text = ""
    forms: dict[str, DiceValue] = {}
    state: str = "active"
    owner: Number | None = None
    lent_to: Number | None = None


class StrengthValue(Value):
    number: Number
    name: Text
    description: Text = ""
    effects: Text = ""
    pc_form: str = ""
    npc_form: str = ""
    version: dict[str, Any] = {}


class HoldingValue(Value):
    strength: Number
    character: Number
    version: dict[str, Any] = {}
    is_lost: bool = False
    note: Text = ""


class ElementValue(Value):
    order: Place
    text: Text
    card: str = ""
    implied: list[str] = []
    cautions: list[str] = []
    is_picked: bool = False
    is_struck: bool = False


class CastValue(Value):
    """`same_as` is another line's place in its chapter, from 0."""

    text: Text
    elements: list[Place] = []
    how: str = "explicit"
    state: str = "open"
    same_as: Place | None = None
    taken_by: Number | None = None
    wanted_by: list[Number] = []
    character: Number | None = None


class PartValue(Value):
    character: Number
    member: Number | None = None
    is_returning: bool = False
    come_back: str = ""
    came_back_as: Text = ""
    is_ready: bool = False
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    epilogue: Text = ""


class InterestValue(Value):
    character: Number
    text: Text
    targets: list[Number] = []
    state: str = "open"


class SceneValue(Value):
    where: Text
    what: Text = ""
    who: list[Number] = []
    is_current: bool = False
    is_over: bool = False


class OfferValue(Value):
    by: str
    winner: str
    loser: str
    terms: list[dict[str, Any]] = []
    leave: list[str] = []
    state: str = "open"


class GameValue(Value):
    """The dice of a sequence: its rules' own set-up and state, and its record line by line."""

    status: str
    setup: Text
    state: Text
    record: Text = ""
    winners: list[Text] = []
    started_at: str | None = None
    ended_at: str | None = None


class SequenceValue(Value):
    """`scene` is a scene's place in its chapter, from 0."""

    number: Number
    act: Text
    actor: Number
    game: GameValue
    began_at: str
    scene: Place | None = None
    needs_far_reach: bool = False
    is_held: bool = False
    is_over: bool = False
    agreed: list[str] = []
    offers: list[OfferValue] = []


class MomentValue(Value):
    kind: str
    data: dict[str, Any]
    at: str
    sequence: Number | None = None


class ChapterValue(Value):
    number: Number
    step: str
    began_at: str
    title: Text = ""
    oracle: str = ""
    oracle_title: Text = ""
    chooser: Number | None = None
    returning: Number | None = None
    declined: list[Place] = []
    placement: str = "unknown"
    beside: Number | None = None
    when_and_where: Text = ""
    story_order: float = 0
    end_note: Text = ""
    told: Text = ""
    gm_name: Text = ""
    ended_at: str | None = None
    elements: list[ElementValue] = []
    cast: list[CastValue] = []
    parts: list[PartValue] = []
    interests: list[InterestValue] = []
    scenes: list[SceneValue] = []
    sequences: list[SequenceValue] = []
    moments: list[MomentValue] = []


class OwedValue(Value):
    """A sequence is named by its chapter and its number there."""

    order: Place
    character: Number
    chapter: Number | None = None
    sequence: tuple[Number, Number] | None = None
    struck: str = ""
    struck_sequence: tuple[Number, Number] | None = None
    struck_round: Place | None = None
    struck_chapter: Number | None = None


class OracleValue(Value):
    """An oracle of the table's own that a chapter has used; chapters call it `own-<number>`."""

    number: Number
    title: Text
    blurb: Text = ""
    entries: list[dict[str, Any]] = []


class LineValue(Value):
    """A topic that the table keeps out of its play."""

    text: Text
    kind: str = "line"


class CampaignValue(Value):
    name: Text
    began_at: str
    closed_at: str | None = None
    settings: dict[str, Any] = {}
    members: list[MemberValue] = []
    characters: list[CharacterValue] = []
    strengths: list[StrengthValue] = []
    holdings: list[HoldingValue] = []
    chapters: list[ChapterValue] = []
    owed: list[OwedValue] = []
    oracles: list[OracleValue] = []
    content_lines: list[LineValue] = []


class FileValue(Value):
    """The whole file. `checksum` is `checksum_of` what stands under `campaign`."""

    what: str
    format: int
    written_at: str
    checksum: str
    campaign: msgspec.Raw


def checksum_of(campaign: Any) -> str:
    """Return the mark by which a file shows that nothing in it was lost or changed.

    It is of the plain values, however they are laid out, so that it holds for
    every format.
    """
    return hashlib.sha256(msgspec.json.encode(campaign, order="sorted")).hexdigest()


learn(FileValue, CampaignValue)
