"""Action sequences: the dice, and talking with a stick in hand (WA-39 to WA-75)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from campaigns.actions.kinds import AnyLine, CampaignAction, Form, Key, Keys, Line, NpcForm
from games.actions import RowKey
from games.rules.words import _

# As many as a sheet has: whoever negotiates may give of each of them (WA-13, WA-70).
Forms = Annotated[tuple[Form, ...], Meta(max_length=6)]
Sizes = Annotated[tuple[Annotated[int, Meta(ge=4, le=12)], ...], Meta(max_length=6)]


class StartSequence(CampaignAction, frozen=True, tag="start_sequence"):
    """Somebody does something, and somebody else can and would interfere (WA-39, WA-41)."""

    lacks: ClassVar = {
        "act": _("Say in a line what is being done."),
        "actor": _("Choose who does it."),
    }

    act: Line
    actor: RowKey
    who: Keys = ()
    needs_far_reach: bool = False
    scene: Key = 0


class TakeDice(CampaignAction, frozen=True, tag="take_dice"):
    """Choose two forms that fit, or an NPC's one, and strengths (WA-42). `who` is a character."""

    sequence: RowKey
    who: RowKey
    forms: Forms
    strengths: Keys = ()  # holdings


class BuyDie(CampaignAction, frozen=True, tag="buy_die"):
    """Strike one of one's own names for an advantage die (WA-65)."""

    sequence: RowKey
    who: RowKey
    owed: RowKey


class RollForms(CampaignAction, frozen=True, tag="roll_forms"):
    """Roll what is due: the round's dice, a tie's lower die, a later turn, an answer."""

    sequence: RowKey
    who: RowKey


class BackAway(CampaignAction, frozen=True, tag="back_away"):
    """Tied at the top: go one's way without consequences (WA-52)."""

    sequence: RowKey
    who: RowKey


class PressOn(CampaignAction, frozen=True, tag="press_on"):
    """Tied at the top: fight it out (WA-52)."""

    sequence: RowKey
    who: RowKey


class MakeMove(CampaignAction, frozen=True, tag="make_move"):
    """Say what she does, and who must answer (WA-54, WA-56), or that `nobody` has to."""

    sequence: RowKey
    who: RowKey
    to: Keys = ()  # characters
    nobody: bool = False
    says: AnyLine = ""


class LetPass(CampaignAction, frozen=True, tag="let_pass"):
    """Answer by letting it happen (WA-56)."""

    sequence: RowKey
    who: RowKey


class StepIn(CampaignAction, frozen=True, tag="step_in"):
    """Answer a move although not named (WA-56)."""

    sequence: RowKey
    who: RowKey


class Settle(CampaignAction, frozen=True, tag="settle"):
    """The winner says: exhausted or injured (WA-67).

    `npc_dice` are the sizes that lose, where the GM says which; `waive` spares the loser what a
    consequential strength would take.
    """

    sequence: RowKey
    loser: RowKey
    kind: Literal["exhausted", "injured"]
    npc_dice: Sizes = ()
    waive: bool = False


class OfferTerms(CampaignAction, frozen=True, tag="offer_terms"):
    """Offer the other something both like better (WA-70), or a settlement between rounds (WA-74).

    `who` offers to `to`; `loser` is whose sheet it is about. Each of `forms`
    loses a die size, of an NPC's pair the larger die or the one in `npc_dice`; each of `lesser`
    loses one off the smaller. `strengths` (holdings) are lost; `leave` lists who leaves
    the sequence; with `waive` a consequential strength takes nothing, else off an NPC the
    larger die or the one that the GM says in `hit_dice`, one for each strength (WA-24).
    """

    sequence: RowKey
    who: RowKey
    to: RowKey
    loser: RowKey
    forms: Forms = ()
    npc_dice: Sizes = ()
    lesser: Annotated[tuple[NpcForm, ...], Meta(max_length=3)] = ()
    strengths: Keys = ()
    state: Literal["", "dead", "captive", "absent"] = ""
    says: AnyLine = ""
    leave: Keys = ()
    waive: bool = False
    hit_dice: Sizes = ()


class TakeOffer(CampaignAction, frozen=True, tag="take_offer"):
    """Agree to what the other has offered; the GM may say which `hit_dice` are meant (WA-24)."""

    offer: RowKey
    hit_dice: Sizes = ()


class RefuseOffer(CampaignAction, frozen=True, tag="refuse_offer"):
    """Say no to an offer, or take one's own back; another can be made.

    `takes_back` tells the GM's words apart, who may speak for both.
    """

    offer: RowKey
    takes_back: bool = False


class BreakOff(CampaignAction, frozen=True, tag="break_off"):
    """Break off talking: the default applies, or the dice roll on (WA-71)."""

    sequence: RowKey
    who: RowKey
    other: RowKey


class NextRound(CampaignAction, frozen=True, tag="next_round"):
    """The dice roll on."""

    sequence: RowKey


class AgreeToEnd(CampaignAction, frozen=True, tag="agree_to_end"):
    """Have nothing against the others any more; when all left say so, it ends (WA-60)."""

    sequence: RowKey
    who: RowKey
    on: bool = True


class HoldSequence(CampaignAction, frozen=True, tag="hold_sequence"):
    """Hold those dice: cut away between rounds, or come back to it (WA-38)."""

    sequence: RowKey
    on: bool = True


class JoinSequence(CampaignAction, frozen=True, tag="join_sequence"):
    """Come in between rounds, with everyone's consent (WA-108)."""

    sequence: RowKey
    who: RowKey


class LeaveSequence(CampaignAction, frozen=True, tag="leave_sequence"):
    """Go between rounds, with the consent of all who hold an advantage over her (WA-108)."""

    sequence: RowKey
    who: RowKey


class CallOffSequence(CampaignAction, frozen=True, tag="call_off_sequence"):
    """The GM calls a sequence off that should not have been; nobody is harmed by it any more."""

    sequence: RowKey
