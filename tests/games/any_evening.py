"""An evening at which anything may happen, drawn from what is kept and anew after every step."""

from __future__ import annotations

import dataclasses
import json
import random
from typing import Any

from django.db import connection, models
from django.test.utils import CaptureQueriesContext

from games import clock as house
from games import presence, snapshot, wake
from games.errors import Refused
from games.live import drawing
from games.live.drawing import Drawing, draw_all
from games.live.viewers import Viewer
from games.models import Event, Table
from games.rules.dice import SeededDice
from games.services.act import Actor, Tap, act
from games.services.change import now_ms
from games.snapshot import Snapshot
from tests.drawn import html_of
from tests.games.afar import Reader
from tests.games.at_random import HOUSE_RULE, moves
from tests.games.party import Party, Person


def handed(on_commit: Any, deed: Any) -> list[Any]:
    """Return what is handed over of something that is done."""
    found: list[Any] = []
    wake.wakers.append(hear := lambda _table, committed: found.append(committed))
    try:
        with on_commit(execute=True):
            deed()
    finally:
        wake.wakers.remove(hear)
    return found


class Evening:
    """A table at which anything may happen, and what is handed over of it."""

    def __init__(self, party: Party, seed: int, on_commit: Any) -> None:
        self.party, self.rng, self.on_commit = party, random.Random(seed), on_commit
        party.welcomes("Dora", "Emil")
        party.begins(17, 18, 4, 3, has_shroud="true", has_nine_sisters="true")
        party.dice.roll = SeededDice(seed).roll  # type: ignore[method-assign]
        self.key = party.table.pk
        # At a trial table, each new thing is explained once.
        Table.objects.filter(pk=self.key).update(is_trial=seed % 2 == 0)
        self.now = snapshot.load(self.key)
        self.advanced = self.read = 0
        self.reader = Reader()
        self.shown: dict[int, str] = {}

    def goes_on(self, steps: int) -> None:
        for step in range(steps):
            self._reads(handed(self.on_commit, lambda step=step: self._does_something(step)))
            self._looks()

    # --- what happens ----------------------------------------------------------------------------

    def _does_something(self, step: int) -> None:
        self.party.clock.passes(self.rng.choice((30, 200, 900)))
        if self.rng.random() < 0.62 and self.party.game.status == "playing":
            self._moves(step)
        else:
            self._meddles()

    def _moves(self, step: int) -> None:
        party = self.party
        choices = moves(party)
        if party.state.shouts and (not choices or self.rng.random() < 0.4):
            party.clock.ms = max(party.clock.ms, party.game.closes_ms or 0)
            house.play_due(self.key)
            return
        if not choices:
            return
        index, action = self.rng.choice(choices)
        seat = party.game.entrants.all()[index].seat
        try:
            tap = Tap(f"step-{step}", pressed_ms=now_ms())
            act(self.key, Actor(seat.number, is_house=True), action, tap)
        except Refused:
            pass

    def _meddles(self) -> None:
        """Do what is no move of the bout, or let somebody's line come, go or become slow."""
        rng, party = self.rng, self.party
        who = rng.choice(party.players)
        deeds = self._deeds(who)
        kind = rng.randrange(len(deeds) + 4)
        if kind < len(deeds):
            person, action, fields = deeds[kind]
            person.does(action, **fields)
        elif kind == len(deeds):
            Person(f"Guest {rng.randint(1, 4)}").joins(party.table)
        elif kind == len(deeds) + 1 and len(party.others) > 1:
            party.others.pop().does("leave_table")
        elif rng.random() < 0.3:
            presence.drop(self.key, who.seat)
        else:
            presence.put(self.key, who.seat, rng.choice((None, 30, 900)))

    def _deeds(self, who: Person) -> list[tuple[Person, str, dict[str, Any]]]:
        """What somebody, and the host, could do now: some of it is refused."""
        rng, party = self.rng, self.party
        events = [e.seq for e in party.events()[-8:]]
        settings = {"shows_odds": "true", "shouting": "mouth", "dice": "real", "knock_pace_ms": 0}
        setting = rng.choice(list(settings))
        value = settings[setting] if rng.random() < 0.5 else None
        plain = {"shows_odds": "false", "shouting": "phones", "dice": "either"}
        return [
            (who, "speak", {"language": rng.choice(("en", "es"))}),
            (who, "show_hand", {"letters": rng.choice(("true", "false"))}),
            (who, "false_start", {}),
            (who, "rematch", {}),
            (who, "start_bout", {}),
            (who, "pick_number", {"number": rng.randint(2, 19)}),
            (who, "take_part", {"plays": rng.choice(("true", "false"))}),
            (who, "name_guild", {"name": rng.choice(("Moth", "<i>Ash</i>", "Väne"))}),
            (who, "add_content_line", {"text": rng.choice("abc"), "kind": "line"}),
            (who, "offer_pass", {"who": who.seat}),
            (who, "heard", {"who": party.ben.seat, "call": "brave"}),
            (party.ana, "configure", {"setting": setting, "value": value or plain.get(setting, 0)}),
            (party.ana, rng.choice(("pause", "resume", "resume")), {}),
            (party.ana, "undo", {"event": rng.choice(events)}),
            (party.ana, "rename_table", {"name": rng.choice(("The Swan", "The <b>Goose</b>"))}),
            (party.ana, "set_door", {"door": rng.choice(("open", "ask", "locked"))}),
            (party.ana, "add_house_rule", {"rule": json.dumps(HOUSE_RULE)}),
            (party.ana, rng.choice(("end_bout", "add_regular")), {}),
            (party.ana, "move_seat", {"who": who.seat, "by": 1}),
            (party.ana, "admit", {"who": rng.randint(4, 9)}),
            (party.ana, "hand_host", {"who": party.ana.seat}),
        ]

    # --- what is held against each other ---------------------------------------------------------

    def _reads(self, committed: list[Any]) -> None:
        """A snapshot that was taken on is the one that would be read, field by field."""
        now: Snapshot | None = self.now
        for one in committed:
            now = self.reader.take_on(now, one)
        read = snapshot.load(self.key)
        if now is not None and committed:
            assert fields_of(now) == fields_of(read)
            self.advanced += 1
        elif committed:
            self.read += 1
        # The one that was taken on stays in use, so that a fault in it would add up.
        self.now = now if now is not None and committed else read

    def _looks(self) -> None:
        if self.rng.random() < 0.1:
            drawing.drawing_cache.forget()
        if self.rng.random() < 0.1:
            drawing.drawing_cache._logs.clear()
        lines = presence.connections(self.key)
        viewers = {
            Viewer(page, seat.number, seat.device_id)
            for seat in self.now.seats
            if seat.device_id
            for page in ("phone", "screen", "gm")
        }
        afresh = draw_all(snapshot.load(self.key), viewers, lines, afresh=True)
        with CaptureQueriesContext(connection) as asked:
            drawn = draw_all(self.now, viewers, lines)
        assert not asked.captured_queries
        assert set(drawn) == set(afresh)
        for viewer, seen in drawn.items():
            assert shown(seen) == shown(afresh[viewer]), viewer
            for name, html in around(html_of(seen)).items():
                assert self.shown.setdefault(seen.marks[name], html) == html


def shown(seen: Drawing) -> dict[str, Any]:
    those = {f.name: getattr(seen, f.name) for f in dataclasses.fields(seen)}
    return {n: v for n, v in those.items() if n not in ("marks", "regions", "common")} | html_of(
        seen
    )


def around(regions: dict[str, str]) -> dict[str, str]:
    """Return regions with nothing in the place of what is pushed by itself."""
    found = {}
    for name, html in regions.items():
        found[name] = html
        for other, piece in regions.items():
            if other != name:
                found[name] = found[name].replace(piece, f"[{other}]")
    return found


def fields_of(now: Snapshot) -> dict[str, Any]:
    return {f.name: _plainly(getattr(now, f.name)) for f in dataclasses.fields(now)}


def _plainly(value: Any) -> Any:
    """Make rows comparable by all that they hold, not by their keys alone."""
    if isinstance(value, models.Model):
        row = {f.attname: value.__dict__.get(f.attname) for f in value._meta.concrete_fields}
        return {**row, "play": _plainly(value.play)} if isinstance(value, Event) else row
    if isinstance(value, tuple):
        return [_plainly(one) for one in value]
    return value
