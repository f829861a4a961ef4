"""What an absolute result or an agreement costs: WA-24 and WA-67 to WA-75."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from games.rules.wicked_age.forms import step_down
from games.rules.wicked_sequence.actions import Agree, As, Settle
from games.rules.wicked_sequence.events import Departed, DieLost, OutOfChapter, Settled
from games.rules.wicked_sequence.model import Fighter, Hit, Settlement, State, Status
from games.rules.wicked_sequence.rounds import Log, take_out
from games.rules.wicked_sequence.sheets import GONE, Kind

DEFAULTS: Final[dict[tuple[Kind, As], tuple[str, ...]]] = {
    ("pc", "exhausted"): ("directly", "with_violence"),
    ("pc", "injured"): ("covertly", "for_others"),
    ("npc", "exhausted"): ("action",),
    ("npc", "injured"): ("maneuvering",),
}
"""Whose dice lose one size each, by the loser's kind (WA-67)."""

Forms = dict[str, tuple[int, ...]]


def settlement_of(state: State, winner: str, loser: str) -> Settlement:
    """Open a settlement, with what the winner's consequential strengths take beside it (WA-24).

    Their dice are in every roll she makes with them, so also in the one that decided.
    """
    kind = state.of(loser).kind
    hits = (
        Hit(one.name, one.consequential.pc_form if kind == "pc" else one.consequential.npc_form)
        for one in state.of(winner).used
        if one.consequential is not None
    )
    return Settlement(winner, loser, tuple(hits))


def worn(
    fighter: Fighter, whole: Iterable[str], single: Iterable[str], npc_dice: Sequence[int]
) -> Forms | None:
    """Return forms after losses: `whole` forms lose one size a die, `single` ones one size once.

    `npc_dice` says which die of an NPC's pair each single loss takes (WA-24): a size for each, in
    order. Without it the larger die loses. None if no die has a size that is named, or if more are
    named than there are losses.
    """
    now = {form: list(dice) for form, dice in fighter.forms.items()}
    apart = {form: list(dice) for form, dice in fighter.forms.items()}
    for form in whole:
        now[form] = [step_down(die) for die in now[form]]
    named = list(npc_dice)
    for form in single:
        size = named.pop(0) if named and fighter.kind == "npc" else None
        at = _place(fighter.forms[form], apart[form], now[form], size)
        if at is None:
            return None
        for dice in (apart[form], now[form]):
            dice[at] = step_down(dice[at])
    if named:
        return None
    return {form: tuple(sorted(dice, reverse=True)) for form, dice in now.items()}


def _place(
    before: tuple[int, ...], apart: list[int], now: list[int], size: int | None
) -> int | None:
    """Find the die that loses: the larger, unless a size is named.

    A size means a die that no single loss has taken yet, by what it was `before` the settlement.
    If none was of that size it means one that was, then one that is so by the single losses alone
    (`apart`), then one that is so `now`.
    """
    if size is None:
        return now.index(max(now))
    intact = [die if die == left else None for die, left in zip(before, apart, strict=True)]
    places = (dice.index(size) for dice in (intact, before, apart, now) if size in dice)
    return next(places, None)


def losses(state: State, action: Settle | Agree) -> Forms | None:
    """Return the loser's forms as a settlement leaves them (WA-67, WA-70); None as in `worn`."""
    loser = state.of(action.loser)
    hits = [hit.form for hit in hits_of(state, action)]
    if isinstance(action, Settle):
        return worn(loser, DEFAULTS[loser.kind, action.as_], hits, action.npc_dice)
    given = [term.form for term in action.terms if term.form is not None]
    return worn(loser, (), [*given, *hits], action.npc_dice)


def hits_of(state: State, action: Settle | Agree) -> tuple[Hit, ...]:
    """List what consequential strengths take: none between rounds, or if waived (WA-24)."""
    return () if state.settlement is None or action.waive else state.settlement.hits


def settle(state: State, action: Settle | Agree, log: Log) -> State:
    """Let the loser pay, by the default or as agreed (WA-67, WA-70)."""
    loser = state.of(action.loser)
    forms = losses(state, action)
    assert forms is not None
    log.append(_told(state, action, forms))
    terms = action.terms if isinstance(action, Agree) else ()
    lost = {term.strength for term in terms}
    condition = next((term.state for term in terms if term.state is not None), None)
    paid = replace(
        loser,
        forms=forms,
        strengths=tuple(one for one in loser.strengths if one.name not in lost),
        condition=condition or loser.condition,
    )
    if paid.has_two_zeros or condition in GONE:
        paid = replace(paid, is_out=True)
        log.append(OutOfChapter(who=paid.id))
    return replace(state.put(paid), settlement=None)


def leave(state: State, action: Agree, log: Log) -> State:
    """Take out who leaves by an agreement between rounds (WA-74).

    **Ruling:** who is out of the chapter leaves too.
    """
    for who in (action.winner, action.loser):
        if who in action.leave or state.of(who).is_out:
            state = depart(state, who, log)
    return state


def depart(state: State, who: str, log: Log) -> State:
    """Take somebody out who has not lost absolutely (WA-74, WA-108)."""
    log.append(Departed(who=who))
    return take_out(state, who, Status.LEFT)


def _told(state: State, action: Settle | Agree, forms: Forms) -> Settled:
    before = state.of(action.loser).forms
    return Settled(
        winner=action.winner,
        loser=action.loser,
        as_=action.as_ if isinstance(action, Settle) else None,
        terms=action.terms if isinstance(action, Agree) else (),
        lost=tuple(
            DieLost(form, dice, forms[form]) for form, dice in before.items() if forms[form] != dice
        ),
        consequential=tuple(hit.strength for hit in hits_of(state, action)),
    )
