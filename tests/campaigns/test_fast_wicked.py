"""A campaign drawn from what is kept is the campaign drawn afresh, byte for byte, for everybody
(the issue's promise on caches: lost or stale at any moment without harm)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns import snapshot as tales
from games import advancing, memory, presence, snapshot
from games.live import drawing
from games.live.drawing import Viewer, draw_all
from games.rules import wicked_sequence as ws
from games.snapshot import Snapshot
from games.wake import wakers
from tests.campaigns.brawl import Brawl, brawl_of, four
from tests.campaigns.troupe import Troupe
from tests.games.afar import Reader
from tests.games.party import Clock, Dice, Person, dice_fall_by, done
from tests.sizes import size

TAPS = size(20, 30)
NAMES = ("Mekha", "Tajie", "Amek", "Esan")


class Watched:
    """A fight at a table that is drawn twice after every tap."""

    def __init__(self, troupe: Troupe, capture: Any) -> None:
        self.troupe, self.capture = troupe, capture
        self.brawl = Brawl(troupe)
        self.done: list[Any] = []
        self.now: Snapshot | None = None
        self.advanced = 0
        self.reader = Reader()

    def hear(self, _table: int, committed: Any) -> None:
        self.done.append(committed)

    def viewers(self) -> list[Viewer]:
        erin = self.troupe.erin
        pages = [(erin, "gm"), *((who, "phone") for who in (erin, *self.troupe.players))]
        return [Viewer(page, who.seat, who.row.device_id) for who, page in pages]

    def differences(self) -> list[str]:
        """Draw by what is kept and afresh, and return the regions that differ."""
        now = self.now
        for committed in self.done:
            now = self.reader.take_on(now, committed)
        self.advanced += bool(self.done and now is not None)
        self.done.clear()
        self.now = now = now or snapshot.load(self.troupe.table.pk)
        lines, viewers = presence.connections(now.table.pk), self.viewers()
        kept = draw_all(now, viewers, lines)
        fresh = draw_all(snapshot.load(now.table.pk), viewers, lines, afresh=True)
        return [
            f"{viewer.page} {viewer.seat} {name}"
            for viewer in viewers
            for name, html in fresh[viewer].html().items()
            if kept[viewer].html()[name] != html
        ]

    def taps(self, who: Person, word: str, /, **fields: Any) -> bool:
        with self.capture(execute=True):
            asked = {"saw": self.brawl.scene, "sequence": self.brawl.key, **fields}
            return who.does(word, **asked).status_code in (200, 204)

    def goes_on(self, luck: random.Random) -> str:
        """Do something that is legal in the fight, or begin another; return its word."""
        brawl, erin = self.brawl, self.troupe.erin
        if brawl.row.is_over:
            with self.capture(execute=True):
                four(brawl)
            return "four"
        state = brawl.state
        name = luck.choice([n for n in NAMES if brawl.ref(n) in ws.view(state, None).must] or NAMES)
        others = brawl.ids([luck.choice([n for n in NAMES if n != name])])
        words = ["roll_forms", "make_move", "let_pass", "back_away", "press_on", "agree_to_end"]
        luck.shuffle(words)
        for word in words:
            more = {"to": others, "says": "Ho"} if word == "make_move" else {}
            if self.taps(brawl.player(name), word, who=brawl.id(name), **more):
                return word
        if state.settlement:
            loser = next(n for n in NAMES if brawl.ref(n) == state.settlement.loser)
            if self.taps(erin, "settle", loser=brawl.id(loser), kind="exhausted"):
                return "settle"
        if self.taps(erin, "next_round"):
            return "next_round"
        assert self.taps(erin, "call_off_sequence")
        return "call_off_sequence"


@pytest.fixture
def watched(db: None, clock: Clock, monkeypatch, django_capture_on_commit_callbacks: Any) -> Any:
    dice_fall_by(random.Random(7), monkeypatch)
    troupe = Troupe(Dice(), clock).gathers()
    done(troupe.erin.does("turn_table", rules="wicked_age"))
    done(troupe.amy.does("speak", language="es"))
    one = Watched(troupe, django_capture_on_commit_callbacks)
    one.brawl = four(brawl_of(troupe))
    drawing.drawing_cache.forget()
    wakers.append(one.hear)
    yield one
    wakers.remove(one.hear)


def test_what_is_kept_shows_what_is_drawn_afresh(watched: Watched):
    luck = random.Random(3)
    assert watched.differences() == []
    for _tap in range(TAPS):
        word = watched.goes_on(luck)
        assert watched.differences() == [], word
        if luck.random() < 0.15:
            drawing.drawing_cache.forget()
        if luck.random() < 0.1:
            watched.now = None
    # Otherwise nothing was taken on, and the test would hold nothing.
    assert watched.advanced > TAPS / 2
    assert watched.reader.from_afar > TAPS / 4


def test_a_throw_is_taken_on_without_a_question(watched: Watched):
    """Nothing but dice has moved, and those the commit brings along: it is read as it was."""
    watched.differences()
    name = next(n for n in NAMES if watched.brawl.ref(n) in ws.view(watched.brawl.state, None).must)
    assert watched.taps(watched.brawl.player(name), "roll_forms", who=watched.brawl.id(name))
    (committed,) = watched.done
    with CaptureQueriesContext(connection) as asked:
        taken_on = advancing.advance(watched.now, committed)
    assert [one["sql"] for one in asked] == []
    assert taken_on is not None
    read = tales.load(watched.troupe.table)
    assert taken_on.more.states != watched.now.more.states
    for part in ("sequences", "states", "offers"):
        found, theirs = getattr(taken_on.more, part), getattr(read, part)
        assert memory.same(theirs, found) is found or theirs == found, part


def test_a_chapter_that_is_kept_too_long_is_noticed(watched: Watched, monkeypatch):
    """The control: what is written of people counts as no change."""
    monkeypatch.setattr("campaigns.snapshot.DICE", frozenset({"campaigns_character"}))
    watched.differences()
    mekha = watched.brawl.one("Mekha")
    fields = {"character": mekha.pk, "name": "Mekhala"}
    assert watched.taps(watched.troupe.erin, "write_sheet", **fields)
    assert watched.differences() != []
