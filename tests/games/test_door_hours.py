"""The door's twelve hours end without a tap: every screen says so by itself, and in every game."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.live import table_reader
from games.models import Table
from games.stage import STAGES
from tests.games.party import Party, Person, done
from tests.games.sockets import does, looks

CLOSED = "The door is closed: the host can open it again."
HOURS = 12 * 3600


def pressed(page: str) -> str:
    """Return which way of the door a host's page shows as chosen."""
    chips = page.split('id="door-')[1:]
    (chosen,) = (c.split('"')[0] for c in chips if 'aria-pressed="true"' in c.split(">")[0])
    return chosen


@pytest.mark.parametrize("rules", STAGES)
def test_no_screen_invites_to_a_door_that_is_shut(party: Party, rules: str):
    """Neither to scan nor to type a code, and the host sees that it is not open."""
    party.turns_to(rules)
    invites = [
        (party.tess, "screen/", "Scan to sit down"),
        (party.ben, "", "Scan to sit down"),
    ]
    for who, page, invitation in invites:
        assert invitation in who.sees(page)
        assert CLOSED not in who.sees(page)
    party.clock.passes(seconds=HOURS + 1)
    for who, page, invitation in invites:
        assert invitation not in who.sees(page)
        assert CLOSED in who.sees(page)
    done(party.ana.does("set_door", door="open"))
    assert invites[0][2] in party.tess.sees("screen/")


def test_the_foot_of_a_shared_screen_is_named_only_where_something_stands_there(party: Party):
    """In a bout a screen reader came to "Join, shout, remember", with nothing in it that is shown:
    the table's code stands on every phone then."""

    def foot() -> str:
        (opens,) = re.findall('<section id="table-foot"[^>]*>', party.tess.sees("screen/"))
        return opens

    assert 'aria-label="Join, shout, remember"' in foot()
    party.begins()
    assert "aria-label" not in foot()
    done(party.ana.does("set_door", door="locked"))
    assert "aria-label" not in foot()


@pytest.mark.parametrize("rules", STAGES)
def test_a_screen_says_where_the_code_is_typed(party: Party, settings: Any, rules: str):
    """A camera that reads no QR code in a dim bar helps nobody, nor does a code without a place."""
    party.turns_to(rules)
    settings.PUBLIC_ORIGIN, settings.LAN_ORIGIN = "", "http://192.168.1.20:8000"
    for who, page in ((party.tess, "screen/"), (party.ben, "")):
        assert "or open 192.168.1.20:8000 and type the code" in who.sees(page)
    settings.PUBLIC_ORIGIN = "https://tap.example"
    assert "or open tap.example and type the code" in party.tess.sees("screen/")
    settings.PUBLIC_ORIGIN = settings.LAN_ORIGIN = ""
    assert "Scan to sit down, or type the code" in party.tess.sees("screen/")


@pytest.mark.parametrize("rules", ["brave_or_knave", "knave"])
def test_the_host_sees_the_door_locked_once_its_hours_are_over(party: Party, rules: str):
    party.turns_to(rules)
    for door in ("ask", "open"):
        done(party.ana.does("set_door", door=door))
        assert pressed(party.ana.sees("gm/")) == door
    party.clock.passes(seconds=HOURS - 1)
    assert pressed(party.ana.sees("gm/")) == "open"
    party.clock.passes(seconds=2)
    assert pressed(party.ana.sees("gm/")) == "locked"


def shuts(party: Party, at: datetime) -> None:
    """Let the door's hours end then, as if they had begun twelve hours before."""
    Table.objects.filter(pk=party.table.pk).update(door_closes_at=at)


async def _hears_of_the_hours(party: Party, monkeypatch: pytest.MonkeyPatch, look: float) -> bool:
    """Let the door's hours end before a tablet that nobody touches; tell whether it hears of it."""
    monkeypatch.setattr(table_reader, "LOOK_SECONDS", look)
    ends = timezone.now() + timedelta(seconds=1.5)
    await sync_to_async(shuts)(party, ends)
    async with looks(party.tess, "screen") as tess:
        shown = await tess.settles()
        assert "Scan to sit down" in shown[0]["regions"]["table-foot"]
        assert timezone.now() < ends
        while timezone.now() < ends + timedelta(seconds=0.3):
            for push in await tess.settles():
                return CLOSED in push["regions"]["table-foot"]
    return False


@pytest.mark.django_db(transaction=True)
async def test_screens_that_nobody_touches_hear_when_the_hours_are_over(
    running_party: Party, monkeypatch: pytest.MonkeyPatch
):
    assert await _hears_of_the_hours(running_party, monkeypatch, look=0.05)


@pytest.mark.django_db(transaction=True)
async def test_without_the_look_a_screen_goes_on_inviting(
    running_party: Party, monkeypatch: pytest.MonkeyPatch
):
    """The control."""
    assert not await _hears_of_the_hours(running_party, monkeypatch, look=60)


@pytest.mark.django_db(transaction=True)
async def test_who_knocked_before_the_hours_were_over_is_let_in_after(running_party: Party):
    party = running_party
    await does(party.ana, "set_door", door="ask")
    cleo, late = party.cleo, Person("Late")
    await sync_to_async(lambda: cleo.joins(party.table))()
    past = timezone.now() - timedelta(seconds=1)
    await sync_to_async(shuts)(party, past)
    assert (await sync_to_async(lambda: late.joins(party.table))()).status_code == 409
    async with looks(cleo) as line:
        await line.settles()
        await does(party.ana, "admit", who=cleo.seat)
        assert (await line.takes())["mode"] == "gathering"
