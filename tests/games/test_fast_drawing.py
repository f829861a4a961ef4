"""What is kept between two drawings changes nothing: not a byte of what anybody is shown (R7).

The same play is drawn with everything that was kept, and afresh from the database, for everybody
who may look, after every step: moves, settings, joins, pauses, undo, languages, lines that come and
go. What was kept is dropped at random. Each of the promises has a control.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import random
from collections.abc import Hashable, Iterator
from typing import Any

import msgspec
import pytest
from django.db import connection, models
from django.test.utils import CaptureQueriesContext
from jinja2 import Environment

from games import advancing, presence, snapshot, wake
from games import clock as house
from games.errors import Refused
from games.live import drawing
from games.live.drawing import Drawing, Viewer, draw_all
from games.models import Event, Seat, Table
from games.rules.dice import SeededDice
from games.screens import kept, log
from games.screens.kept import Drawn, DrawnBefore, drawn_before, sheet_of
from games.screens.reads import Path
from games.services.act import Actor, Tap, act
from games.services.change import now_ms
from games.snapshot import Snapshot
from tests.games.afar import Reader, heard_of
from tests.games.party import Party, Person, done
from tests.games.test_records import RULE, moves

# A step costs a tenth of a second, most of it drawing afresh.
STEPS = 40


@pytest.fixture(autouse=True)
def nothing_is_kept() -> Iterator[None]:
    drawing.drawing_cache.forget()
    yield
    drawing.drawing_cache.forget()
    sheet_of.cache_clear()


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
            house.run(self.key)
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
            (party.ana, "add_house_rule", {"rule": json.dumps(RULE)}),
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
            for name, html in around(seen.html()).items():
                assert self.shown.setdefault(seen.marks[name], html) == html


def shown(seen: Drawing) -> dict[str, Any]:
    those = {f.name: getattr(seen, f.name) for f in dataclasses.fields(seen)}
    return {n: v for n, v in those.items() if n not in ("marks", "regions", "common")} | seen.html()


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


def is_plain(value: Any) -> bool:
    """Tell whether equal values of this kind look alike on a screen, whatever they are drawn as."""
    if isinstance(value, tuple | frozenset):
        return all(map(is_plain, value))
    if isinstance(value, msgspec.Struct):
        return value.__struct_config__.frozen and all(
            is_plain(getattr(value, name)) for name in value.__struct_fields__
        )
    return value is None or isinstance(value, str | int | bool)


# --- the promise ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
def test_what_was_kept_is_drawn_like_new(party: Party, django_capture_on_commit_callbacks, seed):
    evening = Evening(party, seed, django_capture_on_commit_callbacks)
    evening.goes_on(STEPS)
    assert evening.advanced > STEPS / 4
    assert evening.reader.from_afar > STEPS / 8
    assert evening.read > 3
    assert len(evening.shown) > STEPS


def test_pieces_are_kept_by_plain_values_alone(party: Party, django_capture_on_commit_callbacks):
    """A row of the database is equal to an older one of itself: by a row nothing may be kept."""
    Evening(party, 4, django_capture_on_commit_callbacks).goes_on(20)
    assert _keys(drawn_before)
    assert list(itertools.filterfalse(is_plain, _keys(drawn_before))) == []
    assert not is_plain((party.table,))


OVERLOOKED = ["scene.headline", "mine.may", "scene.ring", "shelves"]


@pytest.mark.parametrize("path", OVERLOOKED)
def test_a_value_that_is_overlooked_is_noticed(
    party: Party, monkeypatch, django_capture_on_commit_callbacks, path
):
    """The control: with one path missing from the keys, a screen shows what was."""
    real = kept.reads_of
    left_out = tuple(path.split("."))

    def blind(env: Environment, name: str, **how: bool) -> frozenset[Path]:
        return frozenset(p for p in real(env, name, **how) if p[: len(left_out)] != left_out)

    monkeypatch.setattr(kept, "reads_of", blind)
    sheet_of.cache_clear()
    evening = Evening(party, 1, django_capture_on_commit_callbacks)
    with pytest.raises(AssertionError):
        evening.goes_on(STEPS)


def test_a_sentence_that_is_kept_too_long_is_noticed(
    party: Party, monkeypatch, django_capture_on_commit_callbacks
):
    """The control: log lines that go on although something was taken back."""
    monkeypatch.setattr(log, "_base", lambda now: ())
    monkeypatch.setattr(log, "undone_seqs", lambda events: set())
    real = log._gone_on
    monkeypatch.setattr(log, "_gone_on", lambda before, now: real(before, now) or before.worded)
    evening = Evening(party, 1, django_capture_on_commit_callbacks)
    with pytest.raises(AssertionError):
        evening.goes_on(STEPS)


# --- taken on by a commit ------------------------------------------------------------------------


def test_a_snapshot_is_handed_on_only_to_the_very_next(
    party: Party, django_capture_on_commit_callbacks
):
    """R2: neither over a gap nor twice."""
    party.begins()
    before = snapshot.load(party.table.pk)
    (one,) = handed(django_capture_on_commit_callbacks, lambda: party.rolls(party.ana, 7))
    (two,) = handed(django_capture_on_commit_callbacks, lambda: party.shouts(party.ben, "brave"))
    after = advancing.advance(before, one)
    assert after is not None
    assert advancing.advance(before, two) is None
    assert advancing.advance(after, one) is None
    assert fields_of(advancing.advance(after, two)) == fields_of(snapshot.load(party.table.pk))


def test_what_is_heard_of_is_read_only_as_the_very_next(
    party: Party, django_capture_on_commit_callbacks
):
    """R2: whoever hears of a commit before the last, of two at once or of too little, reads all."""
    on_commit = django_capture_on_commit_callbacks
    party.begins()
    key = party.table.pk
    (one,) = handed(on_commit, lambda: party.rolls(party.ana, 7))
    before = snapshot.load(key)
    (two,) = handed(on_commit, lambda: party.shouts(party.ben, "brave"))
    assert advancing.committed(key, heard_of(one)) is None
    assert advancing.committed(key, heard_of(one).and_then(heard_of(two))) is None
    found = advancing.committed(key, heard_of(two))
    assert found is not None
    assert fields_of(advancing.advance(before, found)) == fields_of(snapshot.load(key))
    assert wake.heard({"type": "table.wake", "table": key, "seq": two.seq}) is None


def test_rows_of_a_snapshot_are_its_own(party: Party, django_capture_on_commit_callbacks):
    """Whoever goes on working with the committed rows changes no snapshot."""
    party.begins()
    before = snapshot.load(party.table.pk)
    (one,) = handed(django_capture_on_commit_callbacks, lambda: party.rolls(party.ana, 7))
    after = advancing.advance(before, one)
    kept_now = json.dumps(fields_of(after)["table"], default=str)
    one.table.name, one.table.seq, one.game.state = "changed", 0, "{}"
    one.events[0].kind = "changed"
    assert json.dumps(fields_of(after)["table"], default=str) == kept_now
    assert after.game.state != "{}"
    assert "changed" not in [e.kind for e in after.events]


@pytest.mark.parametrize(
    ("written", "action", "fields"),
    [
        ("games_seat", "show_hand", {"letters": "true"}),
        ("games_entrant", "pick_number", {"number": 7}),
    ],
)
def test_a_write_that_is_overlooked_is_noticed(
    party: Party, monkeypatch, django_capture_on_commit_callbacks, written, action, fields
):
    """The control: taken on past a change of seats, a snapshot is not the one that is read."""
    on_commit = django_capture_on_commit_callbacks
    before = snapshot.load(party.table.pk)
    (one,) = handed(on_commit, lambda: done(party.ben.does(action, **fields)))
    assert advancing.advance(before, one) is None
    monkeypatch.setattr(advancing, "BROUGHT_ALONG", advancing.BROUGHT_ALONG | {written})
    blind = advancing.advance(before, one)
    assert blind is not None
    assert fields_of(blind) != fields_of(snapshot.load(party.table.pk))


def test_a_seat_that_moved_to_another_phone_is_read(
    party: Party, django_capture_on_commit_callbacks
):
    """S3: it is given to the new phone before its play begins; the old one may look no more."""
    offer = done(party.ben.does("offer_pass", who=party.ben.seat)).content.decode()
    token = offer.split("/seat/")[1].split("/")[0]
    before = snapshot.load(party.table.pk)
    new = Person("New")
    on_commit = django_capture_on_commit_callbacks
    (one,) = handed(on_commit, lambda: new.client.post(f"/seat/{token}/"))
    assert advancing.advance(before, one) is None
    assert Seat.objects.get(table=party.table, number=party.ben.seat).device == new.device


# --- what is kept --------------------------------------------------------------------------------


def _keys(held: DrawnBefore) -> list[Hashable]:
    return [*held._young, *held._old]


def test_what_nobody_asks_for_any_more_is_let_go(monkeypatch):
    monkeypatch.setattr(kept, "MOST_AT_REST", 1000)
    small = DrawnBefore()
    small.put("often", Drawn("x" * 100))
    for number in range(200):
        small.put(number, Drawn("x" * 100))
        assert small.get("often") is not None
    assert len(_keys(small)) < 40
    assert small.get(3) is None


def test_a_table_that_nobody_looks_at_keeps_nothing(party: Party):
    draw_all(snapshot.load(party.table.pk), set(), {})
    assert party.table.pk in drawing.drawing_cache._logs
    drawing.drawing_cache.forget_table(party.table.pk)
    assert party.table.pk not in drawing.drawing_cache._logs
