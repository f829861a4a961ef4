"""What the load generator plays can be played for ever: a cycle ends where it began."""

from __future__ import annotations

import importlib

import pytest
from msgspec.structs import replace

from bench.tables import PAGES, SCREEN, Taps, gathered, lines_of
from games import snapshot
from games.bouts import state_of
from games.live import drawing
from games.models import Seat
from games.screens import kept

CYCLES = ("knave_fight", "wicked_sequence")


@pytest.mark.django_db
@pytest.mark.parametrize("game", CYCLES)
def test_a_second_cycle_is_like_the_first(game: str):
    """Each tap writes as many events as it did: nobody is hurt, tired or owed anything by then."""
    play = importlib.import_module(f"bench.plays.{game}").PLAY
    taps = Taps(gathered(play.rules))
    play.gather(taps)
    cycles = []
    for _cycle in range(2):
        taps.begin()
        play.cycle(taps)
        cycles.append([(s.phone, s.own, s.until, s.body) for s in taps.steps])
    assert cycles[0] == cycles[1]
    assert len({phone for phone, *_more in cycles[0]}) > 2
    assert SCREEN not in {phone for phone, *_more in cycles[0]}


@pytest.mark.django_db
def test_a_fight_stands_after_any_number_of_cycles_as_after_the_first():
    """Whoever is hurt is healed as much: nothing but the round goes on, or somebody dies of it."""
    play = importlib.import_module("bench.plays.knave_fight").PLAY
    taps = Taps(gathered(play.rules))
    play.gather(taps)
    stands = []
    for _cycle in range(3):
        play.cycle(taps)
        game = taps.here.table.games.get()
        stands.append(replace(state_of(game), round=0))
    assert stands[0] == stands[1] == stands[2]


@pytest.mark.django_db
@pytest.mark.parametrize("game", ["brave_or_knave", *CYCLES])
def test_what_a_table_is_drawn_from_has_room_where_it_is_kept(game: str):
    """Where all tables in play hold more than that, each is drawn from nothing with every tap."""
    play = importlib.import_module(f"bench.plays.{game}").PLAY
    here = gathered(play.rules)
    taps = Taps(here)
    play.gather(taps)
    drawing.drawing_cache.forget()
    pairs = zip(here.seats, here.devices, strict=True)
    viewers = [
        drawing.Viewer(PAGES[Seat.Role(seat.role)], seat.number, device.pk)
        for seat, device in pairs
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
