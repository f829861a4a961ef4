"""Action sequences in a campaign's file: each must be what its record, played again, leads to."""

from __future__ import annotations

from typing import Any

import msgspec

from campaigns.models import Chapter, Character, Offer
from campaigns.services import file_format as ff
from campaigns.services.file_fault import Wrong, at, insist
from campaigns.services.file_known import Known, distinct, leads
from campaigns.services.offers import WAIVE, is_given, talk_fault
from games.models import Game
from games.rules import records
from games.rules import wicked_sequence as ws
from games.rules.engine import learn
from games.rules.wicked_age.forms import NPC_FORMS, PC_FORMS
from games.rules.wicked_sequence import refusals
from games.rules.words import _

Step = Chapter.Step
Status = Game.Status
NOT_AS_PLAYED = _("its record, played again, does not lead to what the file says")

learn(ws.Setup, ws.State, ws.Term)


def check_fights(one: ff.ChapterValue, known: Known, playing: set[int]) -> None:
    """Insist on dice that are this chapter's, as they were played."""
    distinct((sequence.number for sequence in one.sequences), _("a number stands for one thing"))
    inside: list[str] = []
    for sequence in one.sequences:
        with at(_("fight %(what)s"), sequence.number):
            leads(playing, sequence.actor)
            leads(range(len(one.scenes)), sequence.scene)
            state = _replayed(sequence)
            _check_people(sequence, state, known, playing)
            _check_end(sequence, state)
            if not sequence.is_over:
                insist(one.step == Step.PLAY, _("dice lie on the table only while a chapter plays"))
                inside += state.inside
                distinct(inside, _("nobody has dice in two fights at once"))


def _replayed(one: ff.SequenceValue) -> ws.State:
    """Return the state that a sequence has. Raises Wrong unless its record leads there."""
    game = one.game
    setup = msgspec.json.decode(game.setup, type=ws.Setup)
    state = msgspec.json.decode(game.state, type=ws.State)
    try:
        end = records.replay(game.record)
    except records.RecordError as error:
        text = _("line %(what)s of its record does not play")
        raise Wrong(text, str(error.line)) from error
    insist(end.rules.NAME == ws.NAME, NOT_AS_PLAYED)
    insist((end.table, end.state) == (setup, state), NOT_AS_PLAYED)
    return state


def _check_people(one: ff.SequenceValue, state: ws.State, known: Known, playing: set[int]) -> None:
    refs = {member.id for member in state.participants}
    insist(refs <= {f"c{number}" for number in playing})
    insist(f"c{one.actor}" in refs)
    for member in state.participants:
        sheet = known.character[int(member.id[1:])]
        insist(member.kind == sheet.kind and set(member.forms) <= set(sheet.forms))
    leads(refs, *one.agreed)
    distinct(one.agreed)
    for offer in one.offers:
        with at(_("an offer")):
            leads(refs, offer.by, offer.winner, offer.loser, *offer.leave)
            _check_offer(offer, known.character[int(offer.loser[1:])].kind)
            if offer.state in (Offer.State.OPEN, Offer.State.BROKEN_OFF):
                fault = talk_fault(state, offer.winner, offer.loser)
                insist(not fault and not one.is_over, (fault or refusals.OVER).why)


def _check_end(one: ff.SequenceValue, state: ws.State) -> None:
    """Insist that a sequence is over as its dice are, or was called off, or goes on."""
    is_played_out = state.phase is ws.Phase.OVER
    insist(one.game.status in (Status.PLAYING, Status.OVER, Status.ENDED))
    insist(one.is_over == (one.game.status != Status.PLAYING))
    insist(is_played_out == (one.game.status == Status.OVER), NOT_AS_PLAYED)
    insist(one.needs_far_reach == state.needs_far_reach, NOT_AS_PLAYED)
    stayed = [state.of(who).name for who in state.inside] if is_played_out else []
    insist(one.game.winners == stayed, NOT_AS_PLAYED)


def _check_offer(offer: ff.OfferValue, kind: str) -> None:
    """Insist on two who talk, and that each term says one thing that is given (WA-70, WA-72)."""
    insist(offer.winner != offer.loser and offer.by in (offer.winner, offer.loser))
    insist(offer.state in Offer.State.values)
    distinct(offer.leave)
    forms = PC_FORMS if kind == Character.Kind.PC else NPC_FORMS
    for term in offer.terms:
        if not is_given(term):
            insist(term == WAIVE or (kind == Character.Kind.NPC and _is_hit(term)))
            continue
        said = {name: value for name, value in term.items() if name != "die"}
        msgspec.convert(said, ws.Term)
        insist(len(said) == 1 and all(said.values()))
        if "form" in said:
            insist(said["form"] in forms)
        if "die" in term:
            insist("form" in said and bool(msgspec.convert(term["die"], ff.Die)))


def _is_hit(term: dict[str, Any]) -> bool:
    """Tell whether a term says no more than which die a consequential strength takes (WA-24)."""
    return set(term) == {"hit"} and bool(msgspec.convert(term["hit"], ff.Die))
