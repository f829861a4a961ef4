"""Settling with a stick in hand: the default, and talking it over (WA-67 to WA-75)."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Sequenced
from typing import Any

from django.utils.translation import gettext as _

from campaigns import actions
from campaigns.deeds.sequences import end_if_all_agree
from campaigns.models import LINE, Character, Offer, Sequence
from campaigns.services import finding, offers
from campaigns.services.naming import in_log, said_of
from campaigns.services.participants import strength_names
from campaigns.services.sequences import check, move, running
from games.errors import Forbidden, Malformed, MovedOn, NotFound
from games.rules import wicked_sequence as ws
from games.rules.wicked_sequence import refusals
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.host import is_gm
from games.services.ledger import keep
from games.services.refusing import refused
from games.stored import state_of
from games.text import clean_line


@deed(actions.Settle, may="seat", stops_in_pause=True, answers_scene=True)
def settle(change: Change, action: actions.Settle, tap: Tap) -> None:
    """Take the default: the winner says exhausted or injured (WA-67)."""
    row = running(change, tap, action.sequence)
    loser = finding.character_named(change, action.loser, anybody=True)
    pending = state_of(row.game).settlement
    if pending is None:
        raise refused(refusals.NO_SETTLEMENT)
    _act_for(change, row, pending.winner)
    _check_npc_dice(change, action.npc_dice)
    default = ws.Settle(
        winner=pending.winner,
        loser=loser.ref,
        as_=action.kind,
        npc_dice=() if action.waive else action.npc_dice,
        waive=action.waive,
    )
    move(change, row, default, field="npc_dice" if action.npc_dice else "kind")


@deed(actions.OfferTerms, may="seat", stops_in_pause=True, answers_scene=True)
def offer_terms(change: Change, action: actions.OfferTerms, tap: Tap) -> None:
    """Offer the other something; a counter-offer takes the place of what lay there (WA-70)."""
    row = running(change, tap, action.sequence)
    one = finding.character_named(change, action.who)
    other = finding.character_named(change, action.to, anybody=True)
    if action.loser not in (one.pk, other.pk) or one.pk == other.pk:
        raise Malformed(_("An offer is about the sheet of one of the two."), field="loser")
    loser, winner = (one, other) if action.loser == one.pk else (other, one)
    state = state_of(row.game)
    offers.check_talk(row, state, one.ref, other.ref)
    _check_npc_dice(change, action.npc_dice or action.lesser)
    _check_npc_dice(change, action.hit_dice, field="hit_dice")
    offer = Offer(
        sequence=row,
        by=one.ref,
        winner=winner.ref,
        loser=loser.ref,
        terms=offers.with_hits(_terms(loser, state.of(loser.ref).forms, action), action.hit_dice),
        leave=[finding.character_named(change, key, anybody=True).ref for key in action.leave],
    )
    _check_terms(row, loser, offer)
    offers.refuse_open(change, row, one.ref, other.ref)
    keep(change, offer)
    change.log(
        "terms_offered",
        game=row.game,
        name=in_log(one),
        other=in_log(other),
        loser=in_log(loser),
        terms=offer.terms,
        leave=[in_log(_person(row, ref)) for ref in offer.leave],
    )


def _terms(
    loser: Character, now: Mapping[str, tuple[int, ...]], action: actions.OfferTerms
) -> list[dict[str, Any]]:
    """Write what is offered as a record does, a form's die with it where it is said."""
    pairs = _losses(now, action)
    terms: list[dict[str, Any]] = [
        {"form": form, "die": die} if die else {"form": form} for form, die in pairs
    ]
    names = strength_names(loser)
    for key in dict.fromkeys(action.strengths):
        if key not in names:
            raise NotFound(_("That strength is not on this sheet."))
        terms.append({"strength": names[key]})
    says = clean_line(action.says, field="says", longest=LINE)
    terms += [{"state": action.state}] if action.state else []
    terms += [offers.WAIVE] if action.waive else []
    return terms + ([{"says": says}] if says else [])


def _losses(
    now: Mapping[str, tuple[int, ...]], action: actions.OfferTerms
) -> list[tuple[str, int]]:
    """List the forms that lose a size, with the die that does; 0 is what the rules take (WA-70).

    A record says of all or of none which die it is.
    """
    if action.npc_dice and len(action.npc_dice) != len(action.forms):
        raise Malformed(_("Choose a die for each form, or for none."), field="npc_dice")
    dice = action.npc_dice or (0,) * len(action.forms)
    pairs: list[tuple[str, int]] = list(zip(action.forms, dice, strict=True))
    if not action.lesser:
        return pairs
    said = [(form, die or max(now.get(form, (0,)))) for form, die in pairs]
    return [
        *said,
        *((form, min(filter(None, now.get(form, ())), default=0)) for form in action.lesser),
    ]


def _check_terms(row: Sequence, loser: Character, offer: Offer) -> None:
    """Raise MovedOn for terms that the loser cannot give. None at all are a mercy (WA-70)."""
    state: ws.State = state_of(row.game)
    dice = state.of(loser.ref).forms
    for term in offer.terms:
        if "form" in term and not any(dice.get(term["form"], ())):
            text = _("%(name)s has no die left there to give.")
            raise MovedOn(said_of(loser, text), field="forms")
    check(row, offers.agreement(offer, state), field="forms")


@deed(actions.TakeOffer, may="seat", stops_in_pause=True, answers_scene=True)
def take_offer(change: Change, action: actions.TakeOffer, tap: Tap) -> None:
    """Agree: the loser pays what was said, and between rounds who said so leaves (WA-70, WA-74)."""
    offer, row = _open_offer(change, tap, action.offer)
    _act_for(change, row, offers.other_side(offer))
    if action.hit_dice:
        _check_npc_dice(change, action.hit_dice, field="hit_dice")
        offer.terms = offers.with_hits(offer.terms, action.hit_dice)
    offer.state = Offer.State.TAKEN
    keep(change, offer)
    agreed = offers.agreement(offer, state_of(row.game))
    state = move(change, row, agreed, field="hit_dice" if action.hit_dice else "")
    end_if_all_agree(change, row, state)


@deed(actions.RefuseOffer, may="seat", stops_in_pause=True, answers_scene=True)
def refuse_offer(change: Change, action: actions.RefuseOffer, tap: Tap) -> None:
    """Say no to an offer, or take one's own off the table; another can be made."""
    offer, row = _open_offer(change, tap, action.offer)
    asked, maker = (_person(row, ref) for ref in (offers.other_side(offer), offer.by))
    two = (maker, asked) if action.takes_back else (asked, maker)
    who = next((one for one in two if is_gm(change) or finding.plays(change, one)), None)
    if who is None:
        raise Forbidden(_("That is between the two of them."))
    offer.state = Offer.State.REFUSED
    keep(change, offer)
    kind, other = ("offer_refused", maker) if who is asked else ("offer_withdrawn", asked)
    change.log(kind, game=row.game, name=in_log(who), other=in_log(other))


@deed(actions.BreakOff, may="seat", stops_in_pause=True, answers_scene=True)
def break_off(change: Change, action: actions.BreakOff, tap: Tap) -> None:
    """Break off talking: the default applies, or the dice roll on (WA-71)."""
    row = running(change, tap, action.sequence)
    one = finding.character_named(change, action.who)
    other = finding.character_named(change, action.other, anybody=True)
    state = state_of(row.game)
    offers.check_talk(row, state, one.ref, other.ref)
    offers.refuse_open(change, row, one.ref, other.ref)
    winner, loser = one.ref, other.ref
    if state.settlement is not None:
        winner, loser = state.settlement.winner, state.settlement.loser
    broken = Offer.State.BROKEN_OFF
    keep(change, Offer(sequence=row, by=one.ref, winner=winner, loser=loser, state=broken))
    is_between = state.settlement is None
    change.log(
        "talk_broken_off",
        game=row.game,
        name=in_log(one),
        other=in_log(other),
        is_between=is_between,
    )


def _open_offer(change: Change, tap: Tap, key: int) -> tuple[Offer, Sequence]:
    """Return an offer that waits for a word, with its sequence. Raises NotFound, MovedOn."""
    campaign = finding.campaign_of(change)
    found = Offer.objects.filter(sequence__chapter__campaign=campaign, pk=key).first()
    if found is None:
        raise NotFound(_("That offer is not on this table."))
    row = running(change, tap, found.sequence_id)
    if found.state != Offer.State.OPEN:
        raise MovedOn(_("That offer is off the table."))
    return found, row


def _act_for(change: Change, row: Sequence, ref: str) -> None:
    """Raise Forbidden unless the actor speaks for this side."""
    one = _person(row, ref)
    if not (is_gm(change) or finding.plays(change, one)):
        raise Forbidden(said_of(one, _("That is for %(name)s to say.")))


def _person(row: Sequence, ref: str) -> Character:
    """Return somebody of a sequence by what it calls her."""
    people = Character.objects.filter(campaign=row.chapter.campaign_id, number=int(ref[1:]))
    return people.select_related("owner", "lent_to").get()


def _check_npc_dice(change: Change, dice: Sequenced[object], field: str = "npc_dice") -> None:
    """Let only the GM say which of an NPC's dice loses a size (WA-24)."""
    if dice and not is_gm(change):
        text = _("Which of an NPC's dice loses a size is for the GM to say.")
        raise Forbidden(text, field=field)
