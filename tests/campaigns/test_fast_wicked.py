"""A campaign drawn from what is kept is the campaign drawn afresh, byte for byte, for everybody
(the issue's promise on caches: lost or stale at any moment without harm)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns import snapshot as tales
from games import advancing, memory
from games.live import drawing
from games.rules import wicked_sequence as ws
from games.wake import wakers
from tests.campaigns.brawl import brawl_of, four
from tests.campaigns.troupe import Troupe
from tests.campaigns.watched import FIGHTERS, Watched
from tests.games.party import Clock, Dice, dice_fall_by, done
from tests.sizes import size

TAPS = size(20, 30)


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
    name = next(
        n for n in FIGHTERS if watched.brawl.ref(n) in ws.view(watched.brawl.state, None).must
    )
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
