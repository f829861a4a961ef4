"""What lies under the Shroud leaves the server for nobody (S2, BK-23): two worlds, one script.

Everything is the same in both worlds but the number under the cupped hand: 6 in
one, 14 in the other. Until it is revealed, every byte that anybody is given
must be the same: pages, sockets, the API, the record, the log, the answers to
taps, headers and lengths included.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async

from games.models import Event
from games.rules.brave_or_knave import events as happenings
from games.rules.brave_or_knave import turn
from games.rules.brave_or_knave.view import View
from games.services import change
from tests.games.covered import CANARY, NOT_THEIRS, written_ways
from tests.games.covered import nothing_is_by_chance as nothing_is_by_chance  # noqa: PLC0414
from tests.games.covered import party as party  # noqa: PLC0414
from tests.games.party import Party, Person, done
from tests.games.sockets import looks
from tests.games.worlds import (
    World,
    differences,
    in_both_worlds,
    lasting_differences,
    needs_a_file,
)

pytestmark = pytest.mark.django_db(transaction=True)


def pages_of(who: Person, game: int) -> list[str]:
    table = f"/t/{who.code}"
    return [
        f"{table}/", f"{table}/screen/", f"{table}/gm/", f"{table}/join/", f"{table}/records/",
        f"{table}/records/{game}/", f"/api/tables/{who.code}/", "/",
    ]  # fmt: skip


def looked_at(party: Party, world: World, when: str, *people: Person) -> None:
    """Let everybody, or these people, load everything."""
    game = party.game.pk
    for person in people or (*party.players, party.tess, party.cleo):
        for path in pages_of(person, game):
            world.keep(f"{when}: {person} loads {path}", person.client.get(path))
    log = [(e.seq, e.kind, e.data, e.to_id) for e in party.events()]
    world.keep(f"{when}: the log", json.dumps(log))


async def drawn(party: Party, world: World, when: str) -> None:
    """Let everybody connect, reconnect from the beginning, and take what is pushed."""
    viewers = [(p, "phone") for p in party.players] + [(party.tess, "screen"), (party.ana, "gm")]
    for person, page in viewers:
        async with looks(person, page, seq="1") as line:
            await line.settles()
            for n, frame in enumerate(line.frames):
                world.keep(f"{when}: push {n} to {person}'s {page}", frame)


async def rolled_live(
    party: Party, world: World, caller: Person, roller: Person, hidden: int
) -> None:
    """Call the Shroud and roll under it, and keep what three sockets are pushed meanwhile."""
    _ana, ben, _dora, emil = party.players
    async with looks(ben) as phone, looks(party.tess, "screen") as screen, looks(emil) as out:
        lines = {"phone": phone, "screen": screen, "out": out}
        for line in lines.values():
            await line.settles()
        # Who was shown whose coming is chance, and nothing is hidden yet.
        for line in lines.values():
            await line.settles()
            line.frames.clear()
        await sync_to_async(world.taps)(caller, "shroud")
        for line in lines.values():
            await line.settles()
        party.dice.fall(hidden)
        await sync_to_async(world.taps)(roller, "roll")
        for name, line in lines.items():
            await line.settles()
            world.keep(f"frames of the {name}", "\n".join(line.frames))


def played(party: Party, hidden: int) -> World:
    """Play the script in one world: roll under the hand, look, try everything, undo, again."""
    world = World()
    ana, ben, dora, emil = party.players
    roller = next(p for p in party.players if p.name == party.awaited[0])
    caller = next(p for p in (ben, dora) if p is not roller)
    async_to_sync(rolled_live)(party, world, caller, roller, hidden)
    assert party.state.hidden == hidden
    assert party.phase == "blind"
    looked_at(party, world, "hidden")
    # Everybody tries what is not theirs to do: refusals must not depend on the number either.
    for person in (ana, ben, dora, emil, party.tess):
        for action, fields in NOT_THEIRS:
            world.taps(person, action, **fields)
    party.clock.passes(500)
    world.taps(ana, "undo", event=party.events("CupRolled")[-1].seq)
    looked_at(party, world, "taken back", ana)
    party.dice.fall(hidden)
    world.taps(roller, "roll")
    looked_at(party, world, "hidden again", roller, party.tess)
    async_to_sync(drawn)(party, world, "hidden again")
    world.taps(emil, "leave_table")
    looked_at(party, world, "somebody left", ana, emil)
    return world


@needs_a_file
def test_no_byte_differs_between_two_worlds_until_the_number_is_revealed(party: Party):
    (one, _other), found = lasting_differences(lambda: in_both_worlds(party, played))
    assert len(one.given) > 120
    assert found == {}


@needs_a_file
@pytest.mark.parametrize(
    "leak", ["an event", "the view", "the record", "the answer", "the order of events"]
)
def test_a_leak_would_be_found(party: Party, monkeypatch, leak):
    """The control: with the number put into one place, the two worlds differ."""
    LEAKS[leak](monkeypatch)
    assert differences(*in_both_worlds(party, shortly))


def shortly(party: Party, hidden: int) -> World:
    world = World()
    roller = next(p for p in party.players if p.name == party.awaited[0])
    caller = next(p for p in party.players[1:3] if p is not roller)
    done(caller.does("shroud"))
    party.dice.fall(hidden)
    world.keep("roll", roller.does("roll"))
    looked_at(party, world, "hidden", party.ben, party.tess)
    return world


def _event_leaks(patch: pytest.MonkeyPatch) -> None:
    real = change.Change.log

    def log(self: change.Change, kind: str, /, **given: Any) -> Event:
        if kind == "CupRolled":
            given["face"] = self.play.faces[0]
        return real(self, kind, **given)

    patch.setattr(change.Change, "log", log)


def _view_leaks(patch: pytest.MonkeyPatch) -> None:
    from games.rules import brave_or_knave as bk

    real = bk.view

    def view(state: Any, seat: int | None) -> View:
        import msgspec

        return msgspec.structs.replace(real(state, seat), knocks=state.hidden or 0)

    patch.setattr(bk, "view", view)


def _record_leaks(patch: pytest.MonkeyPatch) -> None:
    from games.rules import brave_or_knave as bk

    patch.setattr(bk, "visible_plays", lambda table, plays: list(plays))


def _answer_leaks(patch: pytest.MonkeyPatch) -> None:
    from games.live import taps

    real = taps.act

    def act(*args: Any) -> Any:
        result = real(*args)
        from games.models import Play

        if (Play.objects.latest("id").faces or [0])[0] == CANARY:
            object.__setattr__(result, "answer", {"token": "x"})
        return result

    patch.setattr(taps, "act", act)


def _order_leaks(patch: pytest.MonkeyPatch) -> None:
    """One event more in one of the worlds, without any number in it."""
    real = change.Change.log

    def log(self: change.Change, kind: str, /, **given: Any) -> Event:
        if kind == "CupRolled" and self.play.faces[0] == CANARY:
            real(self, "paused")
        return real(self, kind, **given)

    patch.setattr(change.Change, "log", log)


LEAKS = {
    "an event": _event_leaks,
    "the view": _view_leaks,
    "the record": _record_leaks,
    "the answer": _answer_leaks,
    "the order of events": _order_leaks,
}


def test_the_number_is_nowhere_in_what_anybody_is_given(party: Party):
    """Canaries, in plain, escaped and in base64: those that no page without a Shroud has."""
    roller = next(p for p in party.players if p.name == party.awaited[0])
    caller = next(p for p in party.players[1:3] if p is not roller)
    done(caller.does("shroud"))
    before = World()
    looked_at(party, before, "x")
    innocent = {w for w in written_ways(CANARY) for b in before.given.values() if w.encode() in b}
    party.dice.fall(CANARY)
    done(roller.does("roll"))
    world = World()
    looked_at(party, world, "x")
    for way in set(written_ways(CANARY)) - innocent:
        for name, given in world.given.items():
            assert way.encode() not in given, (name, way)
    assert len(innocent) < len(written_ways(CANARY)) / 2


def test_the_number_comes_out_when_it_is_revealed_and_not_before(party: Party):
    """The secret is worth something: it is in the log as soon as the call is made."""
    roller = next(p for p in party.players if p.name == party.awaited[0])
    caller = next(p for p in party.players[1:3] if p is not roller)
    done(caller.does("shroud"))
    party.dice.fall(CANARY)
    done(roller.does("roll"))
    assert not any(CANARY in e.data.values() for e in party.events()[-3:])
    done(caller.does("blind", call="knave"))
    assert party.events("Revealed")[-1].data["face"] == CANARY
    assert re.search(rf"\b{CANARY}\b", party.ben.sees())


def test_no_event_that_is_public_has_a_field_for_what_is_hidden():
    """A field that is added to the view or to the cup's event is seen here first."""
    assert "hidden" not in View.__struct_fields__
    assert set(happenings.CupRolled.__struct_fields__) == {"to", "seat"}
    assert turn.CalledBlind.__struct_fields__
