"""People at a table, as tests tell of them: ``ben.does("pick_number", number=7)``.

Everybody has a phone of their own (a Django test client with its cookies) and
goes in by the same door as a real one: pages, forms, and taps on `act/`.
"""

from __future__ import annotations

import copy
import datetime
import itertools
import random
import re
from collections.abc import Iterable
from functools import cache
from typing import Any, Self

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.utils.http import urlencode

from games import clock, stored
from games.models import Device, Entrant, Event, Game, Play, Seat, Table
from games.rules import brave_or_knave as bk

NEVER = object()
# As a page sends what is tapped.
FORM = "application/x-www-form-urlencoded"
# Tests ask for it thousands of times: Django takes far longer to write this than it is asked.
TABLE = "SELECT * FROM games_table WHERE code = %s"


class Dice:
    """Server dice that fall as told."""

    def __init__(self) -> None:
        self.faces: list[int] = []

    def fall(self, *faces: int) -> Self:
        self.faces += faces
        return self

    def roll(self, sides: int) -> int:
        assert self.faces, "the server rolled a die that the test did not foresee"
        face = self.faces.pop(0)
        assert 1 <= face <= sides
        return face


def dice_fall_by(luck: random.Random, patch: pytest.MonkeyPatch) -> None:
    """Let the server's dice fall by a chance that can be had again."""
    patch.setattr("games.rules.dice.SystemDice.roll", lambda _dice, sides: luck.randint(1, sides))


class Clock:
    """The server's clock, in place of the `time` module where shouts are judged."""

    def __init__(self, at_ms: int = 1_790_000_000_000) -> None:
        self.ms = at_ms

    def passes(self, ms: int = 0, *, seconds: float = 0) -> Self:
        self.ms += ms + int(seconds * 1000)
        return self

    def time_ns(self) -> int:
        return self.ms * 1_000_000

    def time(self) -> float:
        return self.ms / 1000

    def now(self) -> datetime.datetime:
        return datetime.datetime.fromtimestamp(self.ms / 1000, datetime.UTC)


class Person:
    """Somebody with a phone. `seat` is the number of their seat, once they have one."""

    def __init__(self, name: str, *, language: str = "en", client: Client | None = None) -> None:
        self.name = name
        self.client = client or Client(headers={"accept-language": language})
        self.code = ""
        self.seat = 0
        self._taps = itertools.count(1)

    def __repr__(self) -> str:
        return self.name

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return the same person with a phone that nobody else taps on, cookies and all."""
        twin = copy.copy(self)
        twin.client, twin._taps = Client(), copy.copy(self._taps)
        twin.client.defaults = dict(self.client.defaults)
        twin.client.cookies = copy.deepcopy(self.client.cookies)
        return twin

    # --- coming and going ------------------------------------------------------------------------

    def opens_table(self, name: str = "The Swan") -> Table:
        """Start a table from the front page."""
        answer = self.client.post("/start/", {"host_name": self.name, "table_name": name})
        assert answer.status_code == 302, answer.content
        self.code = answer.url.split("/")[2]
        self.seat = self.row.number
        return self.table

    def joins(self, table: Table, *, name: str = "", role: str = "player") -> HttpResponse:
        """Come in by the join page and keep the seat that is given."""
        as_screen = "?as=screen" if role == "screen" else ""
        answer = self.client.post(
            f"/t/{table.code}/join/{as_screen}", {"name": name or self.name, "role": role}
        )
        if answer.status_code == 302:
            self.code = table.code
            self.seat = Seat.objects.filter(device=self.device, table=table).latest("number").number
        return answer

    def has_come(self) -> None:
        """Use the session that came with the seat, as a phone does that is led to its page.

        Only then does it take the former one's place: it would with the first tap, and again with
        the next, where that is taken back.
        """
        self.client.session.save()

    # --- at the table ----------------------------------------------------------------------------

    def does(self, action: str, *, saw: Any = None, tap: str = "", **fields: Any) -> HttpResponse:
        """Tap a button: the answer is 204, or 4xx with a notice. By default what is now is seen."""
        given = {
            "action": action,
            "seat": self.seat,
            "saw": self.scene if saw is None else saw,
            "tap": tap or f"tap-{next(self._taps)}",
            **{
                name.replace("_", "-", 1) if name.startswith("fingers_") else name: value
                for name, value in fields.items()
            },
        }
        sent = [(name, value) for name, value in given.items() if value is not NEVER]
        body = urlencode(sent, doseq=True)
        return self.client.post(f"/t/{self.code}/act/", body, FORM, headers={"HX-Request": "true"})

    def sees(self, page: str = "", **asked: Any) -> str:
        """Return a page of the table as this person's device is given it."""
        answer = self.client.get(f"/t/{self.code}/{page}", asked)
        assert answer.status_code == 200, (answer.status_code, answer.content[:300])
        return answer.content.decode()

    @property
    def table(self) -> Table:
        return Table.objects.raw(TABLE, [self.code])[0]

    @property
    def device(self) -> Device | None:
        return Device.objects.filter(pk=self.client.session.get("device")).first()

    @property
    def row(self) -> Seat:
        held = Seat.objects.filter(table__code=self.code, device=self.device)
        return held.get(number=self.seat) if self.seat else held.get()

    @property
    def scene(self) -> int:
        with connection.cursor() as cursor:
            cursor.execute(_scene_asked(), [self.code])
            return next((scene for (scene,) in cursor.fetchall()), 0)


@cache
def _scene_asked() -> str:
    """Return the statement for the scene of a table: every tap asks, and Django would write it."""
    of_table = Game.objects.filter(table__code="").values_list("scene")[:1]
    return of_table.query.sql_with_params()[0]


class Party:
    """The cast at Ana's table, the dice and the clock they play by."""

    def __init__(self, dice: Dice, clock: Clock) -> None:
        self.dice, self.clock = dice, clock
        self.ana, self.ben = Person("Ana"), Person("Ben")
        self.cleo, self.tess = Person("Cleo"), Person("Tess")
        self.others: list[Person] = []

    def gathers(self) -> Self:
        """Ana opens the table, Ben sits down, Tess is laid flat; Cleo stays outside."""
        table = self.ana.opens_table()
        self.ben.joins(table)
        self.tess.joins(table, role="screen")
        self.cleo.code = table.code
        for person in (self.ana, self.ben, self.tess):
            person.has_come()
        return self

    def welcomes(self, *names: str) -> list[Person]:
        """Seat more people."""
        more = [Person(name) for name in names]
        for person in more:
            person.joins(self.table)
            person.has_come()
        self.others += more
        return more

    def turns_to(self, rules: str) -> Self:
        """Put a game on the table, where it is not there already."""
        if rules != self.table.rules:
            done(self.ana.does("turn_table", rules=rules))
        return self

    @property
    def players(self) -> list[Person]:
        return [self.ana, self.ben, *self.others]

    def begins(self, *numbers: int, first: Person | None = None, **settings: Any) -> Self:
        """Give everybody a number (Ana 17, Ben 18, then 19, 16, 15…) and start the bout."""
        for setting, value in settings.items():
            done(self.ana.does("configure", setting=setting, value=value))
        spare = [n for n in (17, 18, 19, 16, 15, 14, 3, 2) if n not in numbers]
        chosen = (*numbers, *spare)[: len(self.players)]
        for person, number in zip(self.players, chosen, strict=True):
            done(person.does("pick_number", number=number))
        done(self.ana.does("choose_first", who=(first or self.ana).seat))
        done(self.ana.does("start_bout"))
        return self

    # --- the bout --------------------------------------------------------------------------------

    def rolls(self, who: Person, face: int) -> Self:
        self.dice.fall(face)
        done(who.does("roll"))
        return self

    def calls_blind(self, who: Person, call: str, face: int | None = None) -> Self:
        """Call a Shroud, then blind (BK-23): a face, or a real die that the host covers."""
        done(who.does("shroud"))
        if face is None:
            done(self.ana.does("roll", cupped="true"))
        else:
            self.rolls(self.ana, face)
        done(who.does("blind", call=call))
        return self

    def shouts(self, who: Person, call: str, *, after_ms: int = 500) -> Self:
        """Shout this long after the last thing happened."""
        self.clock.passes(after_ms)
        done(who.does("shout", call=call))
        return self

    def closes(self) -> Self:
        """Let the shouting close when its time has come, as a reader's clock does it."""
        closes_ms = self.game.closes_ms
        assert closes_ms is not None
        self.clock.ms = max(self.clock.ms, closes_ms)
        clock.play_due(self.table.pk)
        assert self.phase in ("challenge", "award"), self.phase
        return self

    def challenges(self, who: Person, call: str, face: int) -> Self:
        """Shout alone, be first, and roll."""
        return self.shouts(who, call).closes().rolls(who, face)

    @property
    def table(self) -> Table:
        return self.ana.table

    @property
    def game(self) -> Game:
        game = self.table.games.first()
        assert game
        return game

    @property
    def state(self) -> bk.State:
        return stored.state_of(self.game)

    @property
    def phase(self) -> str:
        return self.state.phase.value

    @property
    def awaited(self) -> list[str]:
        """Whom the bout waits for."""
        return [self.state.names[seat] for seat in bk.must(self.state)]

    def fingers(self, *people: Person) -> list[int]:
        left = dict(zip(self.state.names, self.state.fingers, strict=True))
        return [left[p.name] for p in people]

    # --- what is kept ----------------------------------------------------------------------------

    def events(self, kind: str = "") -> list[Event]:
        kept = self.table.events.order_by("seq")
        return list(kept.filter(kind=kind) if kind else kept)

    @property
    def last_play(self) -> Play:
        return self.table.plays.latest("id")

    def entrant(self, who: Person) -> Entrant:
        return self.game.entrants.get(seat__number=who.seat)


def done(answer: HttpResponse) -> HttpResponse:
    """Insist that a tap was taken."""
    assert answer.status_code in (200, 204), (answer.status_code, notice(answer))
    return answer


def notice(answer: HttpResponse) -> str:
    """Return the words of an answer, without its tags."""
    text = answer.content.decode()
    words: list[str] = []
    for part in text.split("<"):
        words += part.split(">", 1)[-1].split()
    return " ".join(words)


def refused(answer: HttpResponse, status: int) -> str:
    """Insist that a tap was refused with this status and a message; return the message."""
    assert answer.status_code == status, (answer.status_code, notice(answer))
    assert notice(answer)
    return notice(answer)


def refused_at(answer: HttpResponse, field: str) -> None:
    """Insist that what was typed was refused, with a message that stands at this field."""
    refused(answer, 422)
    assert f'data-field="{field}"' in answer.content.decode(), answer.content


def everything_kept() -> dict[str, list[str]]:
    """Return every row that a table's people could have changed, to show that nothing did."""
    kept = {}
    with connection.cursor() as cursor:
        for model in (Table, Seat, Game, Entrant, Play, Event):
            cursor.execute(f'SELECT * FROM "{model._meta.db_table}"')
            kept[model.__name__] = sorted(map(str, cursor.fetchall()))
    return kept


def seqs(events: Iterable[Event]) -> list[int]:
    return [e.seq for e in events]


def fresh(row: Any) -> Any:
    """Return a row as it is now."""
    return type(row).objects.get(pk=row.pk)


def offers_pass(by: Person, who: Person) -> str:
    """Offer the pass of a seat; return its token."""
    answer = done(by.does("offer_pass", who=who.seat))
    found = re.search(r"/seat/([\w-]+)/", answer.content.decode())
    assert found, answer.content
    return found.group(1)


def cut_the_log(code: str, seq: int) -> None:
    """Have a table know nothing after an event, as in a house that an older backup was put into."""
    Event.objects.filter(table__code=code, seq__gt=seq).delete()
    Table.objects.filter(code=code).update(seq=seq)
