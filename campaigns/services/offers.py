"""What two have offered each other in a sequence, with a stick in hand (WA-70 to WA-74).

A row's terms are as a sequence's record writes them; a form's may also have the `die`
that loses, where it is an NPC's. Of the winner's consequential strengths `WAIVE` says
that they take nothing, and terms with a `hit` which die of an NPC's each of them takes (WA-24).
Offers last as long as the question that they answer: the settlement, or the pause between
two rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from campaigns.models import Offer, Sequence
from games.asked import Asked
from games.errors import MovedOn
from games.rules import wicked_sequence as ws
from games.rules.wicked_sequence import refusals
from games.rules.words import Reason
from games.services.change import Change
from games.services.ledger import drop, keep
from games.services.refusing import refused

State = Offer.State
WAIVE: Final = {"waive": True}
_OFFERS = Asked(
    lambda sequence: Offer.objects.filter(
        sequence=sequence, state__in=(State.OPEN, State.BROKEN_OFF)
    )
)


def offers_of(sequence: Sequence) -> list[Offer]:
    """Return the offers that wait for a word, and which pairs have broken off their talk."""
    return _OFFERS(sequence.pk)


def is_between_these(offer: Offer, one: str, other: str) -> bool:
    """Tell whether an offer is between these two, whoever gives and whoever takes."""
    return {offer.winner, offer.loser} == {one, other}


def other_side(offer: Offer) -> str:
    """Return who says yes or no to an offer."""
    return offer.loser if offer.by == offer.winner else offer.winner


def talk_fault(state: ws.State, one: str, other: str) -> Reason | None:
    """Return why these two have nothing to settle now, if so (WA-70, WA-74)."""
    pending = state.settlement
    if pending is not None:
        is_theirs = {pending.winner, pending.loser} == {one, other}
        return None if is_theirs else refusals.OTHER_SETTLEMENT
    if state.phase is not ws.Phase.BETWEEN:
        return refusals.NO_AGREEMENT
    return None if {one, other} <= set(state.inside) else refusals.NOT_IN


def check_talk(sequence: Sequence, state: ws.State, one: str, other: str) -> None:
    """Raise MovedOn unless these two may talk now and have not broken it off (WA-71, WA-74)."""
    if fault := talk_fault(state, one, other):
        raise refused(fault)
    for offer in offers_of(sequence):
        if offer.state == State.BROKEN_OFF and is_between_these(offer, one, other):
            raise MovedOn(_("Those two have broken off talking."))


def refuse_open(change: Change, sequence: Sequence, one: str, other: str) -> None:
    """Take a pair's open offer off the table: refused, or overtaken by the next."""
    for offer in offers_of(sequence):
        if offer.state == State.OPEN and is_between_these(offer, one, other):
            offer.state = State.REFUSED
            keep(change, offer)


def let_go(change: Change, sequence: Sequence) -> None:
    """Put away all offers: what they were about is over."""
    for offer in offers_of(sequence):
        if offer.state == State.OPEN:
            offer.state = State.REFUSED
            keep(change, offer)
        else:
            drop(change, offer)


def agreement(offer: Offer, state: ws.State) -> ws.Agree:
    """Return what an offer becomes when it is taken."""
    return ws.Agree(
        winner=offer.winner,
        loser=offer.loser,
        terms=tuple(_term(term) for term in offer.terms if is_given(term)),
        leave=tuple(offer.leave),
        npc_dice=tuple(_dice(offer, state.of(offer.loser).forms)),
        waive=WAIVE in offer.terms,
    )


def is_given(term: Mapping[str, Any]) -> bool:
    """Tell whether a term is something that the loser gives, and not about a strength's hit."""
    return term != WAIVE and "hit" not in term


def hits_of(offer: Offer) -> tuple[int, ...]:
    """Return which dice the consequential strengths take; nothing said is each the larger."""
    return tuple(term["hit"] for term in offer.terms if "hit" in term)


def with_hits(terms: Iterable[dict[str, Any]], dice: Iterable[int]) -> list[dict[str, Any]]:
    """Return terms that say which dice consequential strengths take, as long as they do."""
    kept = [term for term in terms if "hit" not in term]
    return kept if WAIVE in kept else [*kept, *({"hit": die} for die in dice)]


def _dice(offer: Offer, forms: Mapping[str, tuple[int, ...]]) -> Iterator[int]:
    """Yield the dice that lose, as the rules read them: those of the forms, then the hits'.

    An offer says all of the forms' dice or none. The hits' follow them, so with hits the larger of
    each form stands for the one that was not said.
    """
    hits = hits_of(offer)
    for term in offer.terms:
        if "form" in term and (term.get("die") or hits):
            yield term.get("die") or max(forms[term["form"]])
    yield from hits


def _term(written: dict[str, Any]) -> ws.Term:
    return ws.Term(**{name: value for name, value in written.items() if name != "die"})
