"""What `act` answers a tap with, and that nothing can be asked for which it does not know."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import OperationalError, ProgrammingError

from games import actions
from games.errors import NotFound
from games.live import taps
from games.models import Event, Game, Play, Seat, rows
from games.rules import brave_or_knave as bk
from games.rules.engine import Action
from games.services.act import DEEDS, Actor, Result, Tap, act
from games.services.change import Change
from tests.games.party import Party, Person

# Whoever does these has no seat yet (`games/services/tables.py`).
ARRIVING = {"OpenTable", "SitDown", "UsePass"}


def kinds(of: type[Action]) -> Iterator[type[Action]]:
    """Every kind of action that a phone can be asked for; an engine's own come as another's."""
    for kind in of.__subclasses__():
        yield from kinds(kind)
        if not kind.__subclasses__() and ".rules." not in kind.__module__:
            yield kind


def test_every_action_has_a_deed():
    """CONTRIBUTING.md, "Add an action": a struct whose `@deed` was forgotten was missed nowhere."""
    assert len(set(kinds(Action))) > 150, "the control"
    assert {kind.__name__ for kind in set(kinds(Action)) - set(DEEDS)} == ARRIVING


def test_an_answer_tells_only_what_its_seat_may_know(party: Party, monkeypatch):
    """docs/security.md, S2: what an action tells the host alone is not in a player's receipt."""

    def tells_three(change: Change, action: Any, tap: Tap) -> None:
        for whom in (None, party.ana, party.ben):
            to = whom and Seat.objects.get(table=party.table, number=whom.seat)
            change.log("paused", to=to)

    kind = actions.PickNumber
    monkeypatch.setitem(DEEDS, kind, replace(DEEDS[kind], do=tells_three))
    ben = Seat.objects.get(table=party.table, number=party.ben.seat)
    done = act(party.table.pk, Actor(ben.number, ben.device_id), kind(7), Tap("a-tap-of-bens"))
    assert [event.to_id for event in done.told] == [None, ben.pk]


def test_a_table_that_is_not_there_any_more_is_told_as_a_seat_that_is_not(party: Party):
    """R4: an older copy of the database was put back under a page that is open."""
    ben = party.ben.row
    with pytest.raises(NotFound):
        act(ben.table_id + 1, Actor(ben.number, ben.device_id), actions.PickNumber(5), Tap("t"))


@pytest.mark.parametrize(
    ("error", "is_trouble"),
    [
        (OperationalError("disk I/O error"), True),
        (OSError(errno.ENOSPC, "No space left on device"), True),
        (MemoryError(), True),
        (ProgrammingError("no such column"), False),
    ],
)
def test_a_phone_keeps_the_tap_that_the_machine_had_no_room_for(
    party: Party, monkeypatch: pytest.MonkeyPatch, error: Exception, is_trouble: bool
):
    """R1: it sends it again until it is written down; over a fault of ours that were for ever."""

    def fails(*_tap: Any) -> None:
        raise error

    monkeypatch.setattr(taps, "act", fails)
    if is_trouble:
        told = sent_by(party.ben)
        assert (told.status, "sends it again" in told.html) == (503, True)
    else:
        with pytest.raises(ProgrammingError):
            sent_by(party.ben)


def test_what_was_done_before_is_no_fault_of_ours_where_a_receipt_is_asked_for(party: Party):
    """R2: the answer was lost, and whoever sent the tap again was told that something broke."""
    answers = [sent_by(party.ben, receipt="1") for _time in range(2)]
    assert [one.status for one in answers] == [200, 204]


def test_a_form_of_more_fields_than_any_of_ours_is_refused(party: Party, settings: Any):
    """S1: to read them all takes the table's worker longer than any tap."""
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 5
    assert sent_by(party.ben, x="1").status == 204
    assert sent_by(party.ben, x="1", y="2").status == 422


def test_an_emptied_field_is_not_one_that_was_left_out():
    """What somebody deletes and sends over the socket stood there still."""
    form = taps._fields("notes=&lock=on&lock=")
    assert (form.getlist("notes"), form.getlist("lock")) == ([""], ["on", ""])


def sent_by(who: Person, **more: str) -> taps.Answer:
    """Return what a phone is told of one and the same tap."""
    seat = who.row
    form = {"action": "pick_number", "number": 5, "seat": seat.number, "tap": "a", **more}
    return taps.take(seat.table_id, seat.device_id, "en", urlencode(form), 0)


# --- a receipt -----------------------------------------------------------------------------------


def event(text: str = "", *, to: int | None = None, game: Game | None = None, **play: Any) -> Event:
    """Return something that is told of a tap; its kind says nothing here."""
    about = {"seq": 7, "kind": "paused", "data": {"text": text}, "to_id": to}
    return rows.new(Event, play=rows.new(Play, **play), game=game, **about)


@pytest.fixture
def receipt(monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Any]]:
    """Return what is said beside the button once this was told."""
    monkeypatch.setattr(taps, "tell", lambda _kind, data, names: " ".join((data["text"], *names)))
    monkeypatch.setattr(taps, "names_of", lambda _event: ["Heron"])
    return lambda *told: taps.receipt_context(Result(7, told=told))


def test_a_receipt_is_as_much_as_can_be_read_at_a_glance(receipt: Any):
    short, long = "x" * 50, "y" * 200
    assert receipt(event(short), event(short), event(short))["lines"] == [short, short]
    assert receipt(event(long), event(short))["lines"] == [long], "and not nothing"


def test_a_receipt_offers_back_what_can_be_taken_back(receipt: Any):
    assert receipt(event(can_undo=True))["undo"] == 7
    assert receipt(event())["undo"] is None


def test_a_receipt_is_private_where_nobody_else_was_told_anything(receipt: Any):
    assert receipt(event(to=3), event(to=3))["is_private"]
    assert not receipt(event(to=3), event())["is_private"]


def test_a_receipt_calls_people_as_their_bout_does(receipt: Any):
    bout, fight = Game(pk=1, rules=bk.NAME), Game(pk=2, rules="knave_fight")
    assert receipt(event("A"), event("B", game=bout))["lines"] == ["A Heron", "B Heron"]
    assert receipt(event("B", game=fight))["lines"] == ["B"]
