"""What fills an action: forms, names, terms and lots, and the reason against wrong ones."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from games.rules.wicked_sequence import refusals
from games.rules.wicked_sequence.actions import (
    Agree,
    Choose,
    Correct,
    Join,
    Leave,
    Lots,
    Move,
    SequenceAction,
    Settle,
    Tables,
    Term,
)
from games.rules.wicked_sequence.harm import losses
from games.rules.wicked_sequence.model import Fighter, Phase, State
from games.rules.wicked_sequence.rounds import lots_due
from games.rules.wicked_sequence.sheets import MOST, Participant
from games.rules.wicked_sequence.start import enlist, owed_fault, participant_fault
from games.rules.words import Reason


def content_fault(state: State, action: SequenceAction) -> Reason | None:
    """Return the reason against what fills an action whose moment it is."""
    if isinstance(action, Tables) and action.by is not None and state.find(action.by) is None:
        return refusals.STRANGER
    match action:
        case Choose():
            return _choose_fault(state.of(action.by), action)
        case Lots():
            same = sorted(action.order) == sorted(lots_due(state))
            return None if same else refusals.LOTS_ORDER
        case Move():
            return _move_fault(state, action)
        case Settle() | Agree():
            return _settlement_fault(state, action)
        case Join():
            return _join_fault(state, action)
        case Leave():
            return _leave_fault(state, action)
        case Correct():
            return _correct_fault(state, action)
        case _:
            return None


def _choose_fault(fighter: Fighter, action: Choose) -> Reason | None:
    """Ask for two forms of a PC and one of an NPC, and strengths that work in them (WA-42)."""
    if any(form not in fighter.forms for form in action.forms):
        return refusals.NO_SUCH_FORM
    if fighter.kind == "pc" and not len(action.forms) == len(set(action.forms)) == 2:
        return refusals.TWO_FORMS
    if fighter.kind == "npc" and len(action.forms) != 1:
        return refusals.ONE_FORM
    held = {one.name: one for one in fighter.strengths}
    if not set(action.strengths) <= set(held):
        return refusals.NO_SUCH_STRENGTH
    if len(set(action.strengths)) < len(action.strengths):
        return refusals.STRENGTH_TWICE
    for name in action.strengths:
        if not set(held[name].works_in(fighter.kind)) & set(action.forms):
            return refusals.NOT_ITS_FORM
    if not replace(fighter, chosen=action.forms).has_form_die:
        return refusals.NO_FORM_DIE
    return refusals.IS_OUT if fighter.has_two_zeros else None


def _move_fault(state: State, action: Move) -> Reason | None:
    if len(set(action.to)) < len(action.to):
        return refusals.NAMED_TWICE
    for who in action.to:
        fighter = state.find(who)
        if fighter is None:
            return refusals.STRANGER
        if who == action.by:
            return refusals.ON_SELF
        if not fighter.is_in:
            return refusals.NOT_IN
    return None


def _settlement_fault(state: State, action: Settle | Agree) -> Reason | None:
    if isinstance(action, Settle) and action.by not in (None, action.winner):
        return refusals.WINNERS_CHOICE
    hits = () if state.settlement is None else state.settlement.hits
    if action.waive and not hits:
        return refusals.NOTHING_TO_WAIVE
    if isinstance(action, Agree):
        reason = _terms_fault(state.of(action.loser), action.terms) or _leave_who(state, action)
        if reason is not None:
            return reason
    return refusals.WHICH_DIE if losses(state, action) is None else None


def _terms_fault(loser: Fighter, terms: Sequence[Term]) -> Reason | None:
    """Ask that each term gives something the loser has (WA-70, WA-72)."""
    for term in terms:
        if term in (Term(), Term(says="")):
            return refusals.EMPTY_TERM
        if term.form is not None and term.form not in loser.forms:
            return refusals.TERM_FORM
        if term.strength is not None and term.strength not in {one.name for one in loser.strengths}:
            return refusals.TERM_STRENGTH
    states = {term.state for term in terms if term.state is not None}
    return refusals.TERM_STATES if len(states) > 1 else None


def _leave_who(state: State, action: Agree) -> Reason | None:
    if not set(action.leave) <= {action.winner, action.loser}:
        return refusals.LEAVE_WHO
    early = state.phase is not Phase.BETWEEN and action.winner in action.leave
    return refusals.LEAVE_WHEN if early else None


def _join_fault(state: State, action: Join) -> Reason | None:
    if len(state.inside) >= MOST:
        return refusals.TOO_MANY
    if state.find(action.participant.id) is not None:
        return refusals.SAME_ID
    newcomer = action.participant
    fault = participant_fault(newcomer, needs_far_reach=state.needs_far_reach)
    return fault or owed_fault([newcomer], state.owe_list)


def _leave_fault(state: State, action: Leave) -> Reason | None:
    """Ask for the word of all who hold an advantage over her (WA-108)."""
    if any(state.find(who) is None for who in action.consent):
        return refusals.STRANGER
    holders = {one.holder for one in state.won if one.over == action.by}
    return None if holders <= set(action.consent) else refusals.NO_CONSENT


def _correct_fault(state: State, action: Correct) -> Reason | None:
    """Ask for whole sheets of people who are here, none with two dice at 0 (WA-69).

    So whoever has chosen keeps a die in hand (WA-44). No NPC is owed a chapter (WA-76).
    """
    if any(state.find(who) is None for who in action.players):
        return refusals.STRANGER
    for who, forms in action.forms.items():
        fighter = state.find(who)
        if fighter is None:
            return refusals.STRANGER
        sheet = Participant(id=who, kind=fighter.kind, forms=forms)
        reason = participant_fault(sheet, needs_far_reach=False)
        if reason is not None:
            return reason
        if enlist(sheet).has_two_zeros:
            return refusals.IS_OUT
    return owed_fault(state.participants, action.owe_list or ())
