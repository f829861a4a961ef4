"""Negotiation: who may offer what to whom, with the stick in plain sight (WA-67 to WA-75)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from msgspec.structs import replace

from campaigns.models import Character, Offer, Sequence
from campaigns.screens.cards import GiverCard, TalkCard, TermCard
from campaigns.screens.people import label_of
from campaigns.sentences.sequences import terms_in_words
from campaigns.services.offers import WAIVE, hits_of, is_between_these, other_side
from campaigns.services.participants import is_at_hand
from campaigns.snapshot import Tale
from campaigns.words import changed_dice, die_name, form_name, pair_name
from games.grammar import and_list
from games.rules import wicked_sequence as ws
from games.rules.wicked_age.forms import step_down
from games.rules.wicked_sequence.harm import DEFAULTS
from games.said import gettext as _
from games.screens.cards import Choice


@dataclass(frozen=True)
class _Two:
    """Two who may settle: who looks, the other, and whether a result asks for it."""

    tale: Tale
    sequence: Sequence
    me: Character
    other: str
    is_due: bool
    is_gm: bool  # looks at it for her

    @property
    def state(self) -> ws.State:
        return self.tale.states[self.sequence.pk]

    @property
    def people(self) -> dict[str, Character | None]:
        return {self.me.ref: self.me, self.other: self.tale.by_ref(self.other)}

    @property
    def names(self) -> dict[str, str]:
        return {ref: label_of(one) if one else ref for ref, one in self.people.items()}

    @property
    def pair(self) -> tuple[str, str]:
        """Who is ahead and who behind: by the result, between rounds by the advantage."""
        settlement = self.state.settlement
        if self.is_due and settlement:
            return settlement.winner, settlement.loser
        for won in (*self.state.transfers, *self.state.won):
            if won.pair == frozenset((self.me.ref, self.other)):
                return won.holder, won.over
        return self.me.ref, self.other

    @property
    def hits(self) -> list[str]:
        """The forms that the winner's consequential strengths take from (WA-24)."""
        settlement = self.state.settlement
        return [hit.form for hit in settlement.hits] if self.is_due and settlement else []

    @property
    def offers(self) -> list[Offer]:
        """What these two have offered each other here."""
        said = self.tale.offers.get(self.sequence.pk, [])
        return [one for one in said if is_between_these(one, self.me.ref, self.other)]


def talk_cards(tale: Tale, one: Sequence, who: Character, *, is_gm: bool) -> tuple[TalkCard, ...]:
    """List the settlements somebody is a side of: one that is due, or any between rounds."""
    state = tale.states[one.pk]
    if state.settlement is not None:
        pair = (state.settlement.winner, state.settlement.loser)
        if who.ref not in pair:
            return ()
        other = pair[1] if pair[0] == who.ref else pair[0]
        return (_talk(_Two(tale, one, who, other, is_due=True, is_gm=is_gm)),)
    if state.phase is not ws.Phase.BETWEEN or not state.of(who.ref).is_in:
        return ()
    others = (other for other in state.inside if other != who.ref)
    return tuple(_talk(_Two(tale, one, who, other, is_due=False, is_gm=is_gm)) for other in others)


def _talk(two: _Two) -> TalkCard:
    winner, loser = two.pair
    lost, names, people = two.state.of(loser), two.names, two.people
    open_ones = [o for o in two.offers if o.state == Offer.State.OPEN]
    is_broken = any(o.state == Offer.State.BROKEN_OFF for o in two.offers)
    everybody = [one for one in people.values() if one]
    npc_choice = _npc_choice(lost, two.hits)
    return TalkCard(
        sequence=two.sequence.pk,
        winner=names[winner],
        loser=names[loser],
        winner_id=_key(people[winner]),
        loser_id=_key(people[loser]),
        me=two.me.pk,
        other=_key(people[two.other]),
        stick=_stick(names[loser], is_between=not two.is_due),
        is_between=not two.is_due,
        is_broken_off=is_broken,
        offers=tuple(_term(two, offer, npc_choice) for offer in open_ones),
        may_settle=two.is_due and (two.me.ref == winner or (two.is_gm and bool(npc_choice))),
        exhausted=cost(lost, DEFAULTS[lost.kind, "exhausted"]),
        injured=cost(lost, DEFAULTS[lost.kind, "injured"]),
        consequential=and_list([form_name(form) for form in two.hits]),
        npc_choice=npc_choice if two.is_gm else (),
        takes_larger=bool(npc_choice) and not two.is_gm,
        may_offer=not is_broken,
        givers=tuple(_givers(two)),
        leavers=() if two.is_due else tuple(Choice(c.pk, label_of(c)) for c in everybody),
    )


def _key(one: Character | None) -> int:
    return one.pk if one else 0


def _stick(loser: str, *, is_between: bool) -> str:
    if is_between:
        return _("Without an agreement the dice roll on.")
    return _("Without an agreement %(loser)s is exhausted or injured.") % {"loser": loser}


def cost(fighter: ws.Fighter, forms: Iterable[str]) -> str:
    """Say what a default takes: "directly d10 → d8, with violence d4 → 0" (WA-67, WA-68)."""
    lost = ((form, fighter.forms[form]) for form in forms if form in fighter.forms)
    return and_list(
        [
            changed_dice(form, pair_name(dice), pair_name(map(step_down, dice)))
            for form, dice in lost
        ]
    )


def _npc_choice(fighter: ws.Fighter, forms: list[str]) -> tuple[Choice, ...]:
    """List the dice among which the GM says which a consequential strength takes (WA-24).

    With several strengths a choice says it of each, in their order. None where there is nothing
    to say; the first, which holds, is of each the larger.
    """
    if fighter.kind == "pc" or not forms:
        return ()
    sizes = [_sizes(fighter.forms[form], forms[:at].count(form)) for at, form in enumerate(forms)]
    choices = _unlike(forms, product(*sizes))
    if len(choices) == 1:
        return ()
    return tuple(
        Choice(",".join(map(str, dice)), _hit_words(fighter, forms, dice), is_on=dice == choices[0])
        for dice in choices
    )


def _sizes(dice: tuple[int, ...], hits: int) -> list[int]:
    """List which dice a strength may take after so many others on the same form.

    Of two equal dice the second takes the other one, or again the first, which is a size smaller.
    """
    found = {size for size in dice if size}
    if hits == 1 and len(dice) > len(set(dice)):
        found |= {less for size in found if (less := step_down(size))}
    return sorted(found, reverse=True)


def _unlike(forms: list[str], choices: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Leave out what comes to the same: two strengths on one form, the other way round."""
    found: dict[tuple[tuple[str, int], ...], tuple[int, ...]] = {}
    for dice in choices:
        found.setdefault(tuple(sorted(zip(forms, dice, strict=True))), dice)
    return list(found.values())


def _hit_words(fighter: ws.Fighter, forms: list[str], dice: tuple[int, ...]) -> str:
    """Say which dice lose: "d12", or of several strengths "action d12 and maneuvering d6"."""
    if len(forms) == 1:
        return die_name(dice[0])
    return and_list(
        [
            f"{form_name(form)} {die_name(die)}"
            if die in fighter.forms[form]
            else _("the same die again")
            for form, die in zip(forms, dice, strict=True)
        ]
    )


def _givers(two: _Two) -> Iterable[GiverCard]:
    """List whose sheet an offer may be about: between rounds either may give (WA-74)."""
    winner, loser = two.pair
    for ref in (loser,) if two.is_due else (loser, winner):
        who, fighter = two.people[ref], two.state.of(ref)
        lesser = [form for form, dice in fighter.forms.items() if two.is_gm and _is_unlike(dice)]
        yield GiverCard(
            id=_key(who),
            name=two.names[ref],
            forms=tuple(_losable(fighter, lesser)),
            lesser=tuple(
                Choice(form, form_name(form), die_name(min(fighter.forms[form]))) for form in lesser
            ),
            strengths=tuple(_strengths(two, ref)),
        )


def _is_unlike(dice: tuple[int, ...]) -> bool:
    """Tell whether it makes a difference which die of a pair loses a size."""
    return len(set(dice)) > 1 and all(dice)


def _losable(fighter: ws.Fighter, apart: list[str]) -> Iterable[Choice]:
    """List the forms that can lose a size; of those `apart` the larger die alone is meant."""
    for form, dice in fighter.forms.items():
        if any(dice):
            named = die_name(max(dice)) if form in apart else pair_name(dice)
            yield Choice(form, form_name(form), named)


def _strengths(two: _Two, ref: str) -> Iterable[Choice]:
    who, fighter = two.people[ref], two.state.of(ref)
    for held in two.tale.holdings.get(who.pk, []) if who else []:
        if is_at_hand(fighter, held):
            yield Choice(held.pk, held.strength.name)


def _term(two: _Two, offer: Offer, npc_choice: tuple[Choice, ...]) -> TermCard:
    me, names = two.me.ref, two.names
    leave = [names[ref] for ref in offer.leave if ref in names]
    asks = two.is_gm and offer.by != me and WAIVE not in offer.terms
    said = ",".join(map(str, hits_of(offer)))
    hits = (replace(one, is_on=one.id == said) if said else one for one in npc_choice if asks)
    return TermCard(
        id=offer.pk,
        by=names.get(offer.by, ""),
        to=names.get(other_side(offer), ""),
        text=terms_in_words(offer.terms, names[offer.loser], leave),
        may_take=offer.by != me,
        is_mine=offer.by == me,
        hits=tuple(hits),
    )
