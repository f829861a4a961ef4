"""What happens in a sequence at somebody's word. The tags are the words records use.

Beyond those of the rules page, of our own making: `join` and `leave` (WA-108),
`correct` (WA-111), and `waive` and `npc_dice` where a settlement leaves a choice
(WA-24).
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from games.rules.engine import Action, is_within_bounds
from games.rules.wicked_sequence.sheets import (
    MOST,
    Condition,
    Id,
    Name,
    Owed,
    Participant,
    Sheet,
    Text,
)

Ids = Annotated[tuple[Id, ...], Meta(max_length=MOST)]
NpcDice = Annotated[tuple[int, ...], Meta(max_length=20)]
"""Current sizes that say which die of an NPC's pair loses, one for each step to decide."""
As = Literal["exhausted", "injured"]

NEWCOMER: Final = Participant(id="newcomer", kind="pc", forms={})
"""Stands for whoever joins in the list of legal actions."""


class SequenceAction(
    Action, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """An action of a sequence."""

    def blank(self) -> Self:
        """Leave open what the player fills in; what is out of bounds stays and is refused."""
        return self.opened() if is_within_bounds(self) else self

    def opened(self) -> Self:
        """Return the action with everything open that `fault` judges once it is filled in."""
        return self


class Own(SequenceAction, frozen=True, kw_only=True):
    """What a participant does; records name her."""

    by: Id


class Tables(SequenceAction, frozen=True, kw_only=True):
    """What the table or two together do; a record may say at whose word, and need not."""

    by: Id | None = None


class Choose(Own, frozen=True, kw_only=True, tag="choose"):
    """Take forms and strengths for the whole sequence (WA-42, WA-43)."""

    forms: Annotated[tuple[str, ...], Meta(max_length=6)] = ()
    strengths: Annotated[tuple[Name, ...], Meta(max_length=40)] = ()

    def opened(self) -> Self:
        """Keep who."""
        return replace(self, forms=(), strengths=())


class Buy(Own, frozen=True, kw_only=True, tag="buy"):
    """Strike a name of her player's from the owe list for an advantage die (WA-65)."""

    strike: Id


class Roll(Own, frozen=True, kw_only=True, tag="roll"):
    """Roll what the moment asks for: all dice, or in a tie the lowest one (WA-51 to 57)."""


class Lots(Tables, frozen=True, kw_only=True, tag="lots"):
    """Order those who are tied below the top, as they were drawn (WA-53)."""

    order: Ids = ()

    def opened(self) -> Self:
        """Keep nothing."""
        return replace(self, order=(), by=None)


class BackAway(Own, frozen=True, tag="back_away"):
    """Offer to go her way, from a tie at the top (WA-52)."""


class Press(Own, frozen=True, tag="press"):
    """Want to fight on from a tie at the top (WA-52)."""


class Move(Own, frozen=True, kw_only=True, tag="move"):
    """Say what she does and who must answer it, perhaps nobody (WA-54, WA-56)."""

    to: Ids = ()
    says: Text = ""

    def opened(self) -> Self:
        """Keep who."""
        return replace(self, to=(), says="")


class LetPass(Own, frozen=True, kw_only=True, tag="let_pass"):
    """Answer a move by letting it succeed (WA-56)."""

    says: Text = ""

    def opened(self) -> Self:
        """Keep who."""
        return replace(self, says="")


class Interfere(Own, frozen=True, kw_only=True, tag="interfere"):
    """Answer a move although not named (WA-56)."""

    says: Text = ""

    def opened(self) -> Self:
        """Keep who."""
        return replace(self, says="")


class Settle(Tables, frozen=True, kw_only=True, tag="settle"):
    """Take the default after an absolute result, which is the winner's choice (WA-67)."""

    winner: Id
    loser: Id
    as_: As = field(name="as")
    npc_dice: NpcDice = ()
    waive: bool = False

    def opened(self) -> Self:
        """Keep who and what."""
        return replace(self, by=None, npc_dice=(), waive=False)


class Term(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a loser gives by agreement: a die size, a strength, her state, or words (WA-72)."""

    form: str | None = None
    strength: Name | None = None
    state: Condition | None = None
    says: Text | None = None


class Agree(Tables, frozen=True, kw_only=True, tag="agree"):
    """Settle with the loser by negotiation, or end it between rounds (WA-70, WA-74)."""

    winner: Id
    loser: Id
    terms: Annotated[tuple[Term, ...], Meta(max_length=40)] = ()
    leave: Ids = ()
    npc_dice: NpcDice = ()
    waive: bool = False

    def opened(self) -> Self:
        """Keep the two."""
        return replace(self, by=None, terms=(), leave=(), npc_dice=(), waive=False)


class Join(Tables, frozen=True, kw_only=True, tag="join"):
    """Come into a running sequence at the start of its next round (WA-108)."""

    participant: Participant

    def opened(self) -> Self:
        """Keep nothing."""
        return replace(self, by=None, participant=NEWCOMER)


class Leave(Own, frozen=True, kw_only=True, tag="leave"):
    """Go between rounds, with the consent of all who hold an advantage over her (WA-108)."""

    consent: Ids = ()

    def opened(self) -> Self:
        """Keep who."""
        return replace(self, consent=())


class Correct(Tables, frozen=True, kw_only=True, tag="correct"):
    """Take over what has changed outside the sequence (WA-81, WA-105, WA-111).

    `forms` has the whole dice of each whose sheet was set right, `players` who plays each
    that was handed over. Without an `owe_list` that list is as it was.
    """

    forms: dict[Id, Sheet] = field(default_factory=dict)
    players: dict[Id, Id | None] = field(default_factory=dict)
    owe_list: tuple[Owed, ...] | None = None

    def opened(self) -> Self:
        """Keep nothing."""
        return replace(self, by=None, forms={}, players={}, owe_list=None)


class NextRound(Tables, frozen=True, tag="next_round"):
    """Roll on (WA-74)."""

    def opened(self) -> Self:
        """Keep nothing."""
        return replace(self, by=None)


class End(Tables, frozen=True, tag="end"):
    """All who are left agree that they no longer oppose each other (WA-60)."""

    def opened(self) -> Self:
        """Keep nothing."""
        return replace(self, by=None)


AnyAction = (
    Choose
    | Buy
    | Roll
    | Lots
    | BackAway
    | Press
    | Move
    | LetPass
    | Interfere
    | Settle
    | Agree
    | Join
    | Leave
    | Correct
    | NextRound
    | End
)
"""Every action, for decoding by tag."""

ACTIONS: Final[dict[str, type[AnyAction]]] = {
    "choose": Choose,
    "buy": Buy,
    "roll": Roll,
    "lots": Lots,
    "back_away": BackAway,
    "press": Press,
    "move": Move,
    "let_pass": LetPass,
    "interfere": Interfere,
    "settle": Settle,
    "agree": Agree,
    "join": Join,
    "leave": Leave,
    "correct": Correct,
    "next_round": NextRound,
    "end": End,
}
"""Every action by the word records use for it."""
