"""S2 on the sockets' own way in: what is acted and answered there tells nobody what is hidden.

As `tests/games/test_secrecy.py` and `tests/characters/test_knave_secrecy.py` do it for pages,
pushes, records, undo and the API: one script, two worlds, and every byte is compared. In a
Wicked Age has no secrets between seats; what another table must not see is in its own tests.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

import pytest
from asgiref.sync import async_to_sync, sync_to_async

from characters.models import Goal
from tests.characters.company import Company
from tests.characters.plots import both, disguise
from tests.characters.plots import company as company  # noqa: PLC0414
from tests.games.covered import CANARY, NOT_THEIRS, written_ways
from tests.games.covered import nothing_is_by_chance as nothing_is_by_chance  # noqa: PLC0414
from tests.games.covered import party as party  # noqa: PLC0414
from tests.games.party import Party, Person
from tests.games.sockets import Line, looks
from tests.games.worlds import (
    World,
    differences,
    in_both_worlds,
    lasting_differences,
    needs_a_file,
)
from tests.security.figures import measured

pytestmark = pytest.mark.django_db(transaction=True)


async def does(line: Line, who: Person, word: str, saw: Any = "", **fields: Any) -> dict[str, Any]:
    """Act over the socket, and return what is answered; pushes are acknowledged meanwhile."""
    given = {"action": word, "seat": who.seat, "tap": f"n{len(line.frames)}{word}", "saw": saw}
    await line.says(do=urlencode({**given, **fields}), n=7)
    while "did" not in (heard := await line.hears()):
        if "regions" in heard:
            await line.says(ack=heard["seq"])
    return heard


async def settled(*lines: Line) -> None:
    """Let every push come: which of a push and an answer is first is nobody's choice."""
    for line in lines:
        await line.settles()


async def seated(*lines: Line) -> None:
    """Let everybody be there: who was drawn as the first of them is a matter of the moment."""
    await settled(*lines)
    for line in lines:
        line.frames.clear()


def told(line: Line) -> str:
    """Return the answers and then the pushes, as a slow machine may let either overtake."""
    return "\n".join(sorted(line.frames, key=lambda frame: not frame.startswith('{"did"')))


# --- under the Shroud ----------------------------------------------------------------------------


def rolled_by_socket(party: Party, hidden: int) -> World:
    """Shroud and roll over sockets; then everybody tries there what is not theirs."""
    world = World()
    roller = next(p for p in party.players if p.name == party.awaited[0])
    caller = next(p for p in party.players[1:3] if p is not roller)
    scene = party.game.scene

    async def live() -> None:
        async with (
            looks(roller) as mine,
            looks(caller) as theirs,
            looks(party.tess, "screen") as screen,
        ):
            lines = {"roller": mine, "caller": theirs, "screen": screen}
            await seated(*lines.values())
            assert (await does(theirs, caller, "shroud", scene))["status"] == 204
            party.dice.fall(hidden)
            await settled(*lines.values())
            now = await sync_to_async(lambda: party.game.scene)()
            assert (await does(mine, roller, "roll", now))["status"] == 204
            await settled(*lines.values())
            now = await sync_to_async(lambda: party.game.scene)()
            for word, fields in NOT_THEIRS:
                for line, who in ((mine, roller), (theirs, caller), (screen, party.tess)):
                    answer = await does(line, who, word, now, **fields)
                    if answer["status"] < 400:  # a finger that is owed may be picked
                        await settled(*lines.values())
            for name, line in lines.items():
                world.keep(f"frames of the {name}", told(line))

    async_to_sync(live)()
    assert party.state.hidden == hidden
    return world


@needs_a_file
def test_no_byte_of_a_socket_differs_until_the_number_is_revealed(party: Party):
    (one, other), found = lasting_differences(lambda: in_both_worlds(party, rolled_by_socket))
    assert len(one.given) == 3
    assert found == {}
    answers = [f for f in one.given["frames of the roller"].decode().split("\n") if '"did"' in f]
    assert len(answers) == 1 + len(NOT_THEIRS)
    for way in written_ways(CANARY):
        for name, given in other.given.items():
            assert way.encode() not in given or way.encode() in one.given[name], (name, way)
    measured("S2", "bytes compared", sum(map(len, one.given.values())))


@needs_a_file
def test_an_answer_that_tells_would_be_found(party: Party, monkeypatch: pytest.MonkeyPatch):
    """The control: one more header with the answer, in one of the worlds."""
    from games.live import taps

    real = taps.headers_after

    def told(action: Any) -> dict[str, str]:
        is_high = party.game.entrants.count() and "14" in str(party.state.hidden)
        return {**real(action), **({"X": "1"} if is_high else {})}

    monkeypatch.setattr(taps, "headers_after", told)
    assert differences(*in_both_worlds(party, rolled_by_socket))


# --- at Knave ------------------------------------------------------------------------------------


def plotted_by_socket(company: Company, number: int) -> World:
    """The host plots over a socket; players try over theirs what they must not even know of."""
    world = World()
    disguise(company, number, hides_defenses=True)
    secret = Goal.objects.get(pk=company.plot.pk).text
    shade, vault, gem = company.shade.pk, company.vault.pk, company.gem.pk
    tries = [
        ("claim_item", {"character": company.ash.pk, "item": gem}),
        ("share_coins", {"pile": vault}),
        ("use_item", {"item": gem}),
        ("change_hp", {"character": shade, "by": -9}),
        ("claim_knave", {"character": shade}),
        ("reach_goal", {"goal": company.plot.pk}),
        ("undo", {"event": company.secret.seq}),
        ("show_roll", {"event": company.secret.seq}),
    ]

    async def live() -> None:
        async with (
            looks(company.ana, "gm") as gm,
            looks(company.ben) as phone,
            looks(company.tess, "screen") as screen,
        ):
            await seated(gm, phone, screen)
            plots = {"text": secret, "worth": number, "is_shown": "false", "receipt": "1"}
            answer = await does(gm, company.ana, "announce_goal", **plots)
            assert answer["status"] == 200, answer
            await settled(phone, screen)
            for word, fields in tries:
                for line, who in ((phone, company.ben), (screen, company.tess)):
                    assert (await does(line, who, word, **fields))["status"] >= 400, word
            for name, line in (("phone", phone), ("screen", screen)):
                await line.settles()
                world.keep(f"frames of the {name}", told(line))
            assert json.dumps(secret)[1:-1] in "\n".join(gm.frames)

    async_to_sync(live)()
    return world


@needs_a_file
def test_no_byte_of_a_players_socket_tells_what_the_host_plots(company: Company):
    (one, _other), found = lasting_differences(lambda: both(company, plotted_by_socket))
    assert found == {}
    assert len(one.given["frames of the phone"]) > 1000
    measured("S2", "bytes compared", sum(map(len, one.given.values())))
