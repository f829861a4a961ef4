"""What a sequence does to sheets and to the owe list (WA-67 to WA-72, WA-76)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from campaigns.models import Character, Owed, Sequence
from campaigns.services.numbers import next_number
from campaigns.services.participants import strength_names
from games.rules import wicked_sequence as ws
from games.rules.engine import Event
from games.rules.wicked_sequence import events
from games.services.change import Change
from games.services.ledger import keep

People = Mapping[str, Character]


def write_back(change: Change, people: People, before: ws.State, after: ws.State) -> None:
    """Write to the sheets what became of everybody between two states of a sequence."""
    for now in after.participants:
        was, row = before.find(now.id), people.get(now.id)
        if was is None or row is None or was == now:
            continue
        _write_forms(row, was, now)
        if (was.is_out, was.condition) != (now.is_out, now.condition):
            row.state = _state_of(now)
        keep(change, row)
        _lose_strengths(change, row, was, now)


def _write_forms(row: Character, was: ws.Fighter, now: ws.Fighter) -> None:
    """Write the dice of the forms that have changed; the others stay as the sheet has them."""
    forms = dict(row.forms)
    for form, dice in now.forms.items():
        if dice != was.forms.get(form):
            forms[form] = {**forms[form], "current": dice[0] if row.is_pc else list(dice)}
    row.forms = forms


def _state_of(now: ws.Fighter) -> str:
    """Return a sheet's state; who is out may be a captive as well, but out counts (WA-69)."""
    if now.condition in ("dead", "absent"):
        return now.condition
    if now.is_out:
        return Character.State.OUT
    return now.condition or Character.State.ACTIVE


def _lose_strengths(change: Change, row: Character, was: ws.Fighter, now: ws.Fighter) -> None:
    lost = {one.name for one in was.strengths} - {one.name for one in now.strengths}
    if not lost:
        return
    names = strength_names(row)
    for held in row.holdings.filter(is_lost=False):
        if names[held.pk] in lost:
            held.is_lost = True
            keep(change, held)


def write_owed(
    change: Change, sequence: Sequence, people: People, happened: Iterable[Event]
) -> None:
    """Write at the end of the owe list the names that round 1 put there (WA-76, WA-80)."""
    owing = [event for event in happened if isinstance(event, events.Owing)]
    if not owing:
        return
    campaign = sequence.chapter.campaign
    for order, event in enumerate(owing, next_number(campaign.owed, "order")):
        row = Owed(
            campaign=campaign,
            order=order,
            character=people[event.name],
            chapter=sequence.chapter,
            sequence=sequence,
        )
        keep(change, row)


def strike_for_die(change: Change, row: Owed, sequence: Sequence, number: int) -> None:
    """Strike an occurrence for an advantage die, in round `number` of a sequence (WA-65)."""
    row.struck, row.struck_sequence, row.struck_round = Owed.Struck.DIE, sequence, number
    keep(change, row)
