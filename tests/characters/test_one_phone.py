"""Two players hold one phone: each has a knave of their own, and all its pages."""

from __future__ import annotations

import pytest

from characters.models import Character
from characters.screens.board import board_of
from games import presence, snapshot
from games.models import Seat
from tests.characters.crew import knave
from tests.games.party import Party, done


@pytest.fixture
def birch(party: Party) -> Character:
    """The knave of Dora, whose seat has moved to Ben's phone; Ben's is Ash."""
    (dora,) = party.welcomes("Dora")
    knave(party.table, party.ben)
    birch = knave(party.table, dora, "Birch")
    done(party.ana.does("turn_table", rules="knave"))
    Seat.objects.filter(pk=dora.row.pk).update(device=party.ben.device)
    return birch


@pytest.mark.parametrize("page", ["", "shop/"])
def test_the_second_players_pages_open_and_lead_back_to_that_player(
    party: Party, birch: Character, page: str
):
    """A seat that has moved to another's phone keeps everything that it had."""
    number = birch.seat.number
    seen = party.ben.sees(f"knave/{birch.pk}/{page}")
    assert f'name="seat" value="{number}"' in seen, "what is tapped there is tapped by Dora"
    assert f'id="back" href="/t/{party.table.code}/?seat={number}"' in seen


def test_a_phone_of_one_seat_reads_no_sheet_but_its_own(party: Party, birch: Character):
    """Nobody reads another's sheet, whoever else holds the same phone."""
    (edda,) = party.welcomes("Edda")
    other = knave(party.table, edda, "Rowan")
    code = party.table.code
    assert party.ben.client.get(f"/t/{code}/knave/{other.pk}/").status_code == 403
    assert edda.client.get(f"/t/{code}/knave/{birch.pk}/").status_code == 403


def test_the_second_player_is_here_with_the_phone(party: Party, birch: Character):
    """The list of seats said "here" of Dora, and the party beside it "away"."""
    lines = {party.ben.seat: presence.Connection(None)}
    board = board_of(snapshot.load(party.table.pk), lines)
    assert {one.name: one.is_connected for one in board.party} == {"Ash": True, "Birch": True}
    board = board_of(snapshot.load(party.table.pk), {})
    assert not any(one.is_connected for one in board.party)
