"""What the load generator plays can be played for ever: a cycle ends where it began."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from msgspec.structs import replace

from bench.tables import PAGES, SCREEN, Taps, gathered, lines_of
from games import snapshot
from games.live import drawing
from games.live.viewers import Viewer
from games.models import Seat
from games.screens import kept
from games.stored import state_of

CYCLES = ("knave_fight", "wicked_sequence")


def gathered_for(game: str) -> tuple[Any, Taps]:
    """Return what is played of a game, and people who are ready to."""
    play = importlib.import_module(f"bench.plays.{game}").PLAY
    taps = Taps(gathered(play.rules))
    play.gather(taps)
    return play, taps


@pytest.mark.django_db
@pytest.mark.parametrize("game", CYCLES)
def test_a_second_cycle_is_like_the_first(game: str):
    """Each tap writes as many events as it did: nobody is hurt, tired or owed anything by then.

    Nor has a fight changed, after any number of cycles: whoever is hurt is healed as much. Nothing
    but the round goes on, or somebody dies of it.
    """
    play, taps = gathered_for(game)
    has_room(taps)
    cycles, stands = [], []
    for _cycle in range(3 if game == "knave_fight" else 2):
        taps.begin()
        play.cycle(taps)
        cycles.append([(s.phone, s.own, s.until, s.body) for s in taps.steps])
        if game == "knave_fight":
            stands.append(replace(state_of(taps.here.table.games.get()), round=0))
    assert cycles[0] == cycles[1]
    assert len({phone for phone, *_more in cycles[0]}) > 2
    assert SCREEN not in {phone for phone, *_more in cycles[0]}
    assert stands == stands[:1] * len(stands)


@pytest.mark.django_db
def test_what_a_table_is_drawn_from_has_room_where_it_is_kept():
    """Of Brave or Knave; that of the others is looked at before their cycles."""
    has_room(gathered_for("brave_or_knave")[1])


def has_room(taps: Taps) -> None:
    """Where all tables in play hold more than that, each is drawn from nothing with every tap."""
    here = taps.here
    drawing.drawing_cache.forget()
    pairs = zip(here.seats, here.devices, strict=True)
    viewers = [
        Viewer(PAGES[Seat.Role(seat.role)], seat.number, device.pk) for seat, device in pairs
    ]
    drawing.draw_all(snapshot.load(here.table.pk), viewers, {})
    assert 50_000 < kept.drawn_before._size < kept.MOST_IN_PLAY


@pytest.mark.django_db
def test_a_plan_names_rows_of_the_table_it_is_for():
    """Seven phones a table with cookies of their own, and keys of rows that no other table has."""
    lines = lines_of(importlib.import_module("bench.plays.knave_fight").PLAY, 2)
    phones = [line.split() for line in lines if line.startswith("phone ")]
    assert [words[1] for words in phones] == ["gm", *["phone"] * 5, "screen"] * 2
    assert len({words[3] for words in phones}) == 14
    fighters = [[w for w in line.split("&") if w.startswith("by=k")] for line in lines]
    assert len({word for words in fighters for word in words}) == 10
