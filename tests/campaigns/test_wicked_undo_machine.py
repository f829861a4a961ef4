"""The ledger of campaigns: whatever anybody does, taking it back sets every row back.

At each place of a campaign people tap what comes to their mind; what is taken is undone again, the
last first or with all that hangs on it. The quick number is 8 deeds a place; TAPROOM_DEEDS sets
another, and TAPROOM_SEED another luck.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.models import Play
from tests.campaigns.conftest import SagaAt
from tests.campaigns.saga import BEFORE, Saga
from tests.campaigns.walk import DEEDS, PLACES, SEED, Walk
from tests.campaigns.wild import CAMPAIGN_ACTIONS
from tests.games.party import Person, dice_fall_by
from tests.set_back import Rows, difference, rows


def walks(saga: Saga, luck: random.Random) -> Walk:
    walk = Walk(saga, luck)
    for _n in range(DEEDS):
        walk.does()
        if luck.random() < 0.2:
            walk.last_ones_go(luck.randint(1, 3))
    walk.all_dice_are_replayed()
    walk.something_earlier_goes()
    walk.all_dice_are_replayed()
    for _n in range(3):
        walk.does()
    walk.last_ones_go(3)
    return walk


@pytest.fixture
def luck(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> random.Random:
    """The luck of all who tap and of the server's dice."""
    return random.Random(f"{SEED} {request.node.name}")


@pytest.mark.parametrize("place", PLACES)
def test_whatever_is_done_is_taken_back_row_by_row(
    saga_at: SagaAt, place: str, luck: random.Random, monkeypatch: pytest.MonkeyPatch
):
    saga = saga_at(place)
    dice_fall_by(luck, monkeypatch)
    assert walks(saga, luck).ways.total() >= DEEDS


def test_an_undo_that_forgets_a_field_would_be_found(
    saga_at: SagaAt, luck: random.Random, monkeypatch: pytest.MonkeyPatch
):
    """The control: what sets rows back leaves one field as it is."""
    from games.services import ledger

    real = ledger._read

    def forgets(model: Any, values: dict[str, Any]) -> dict[str, Any]:
        kept = real(model, values)
        return {name: one for name, one in kept.items() if name != "text"} or {"text": "1"}

    monkeypatch.setattr(ledger, "_read", forgets)
    walk = Walk(saga_at("cast"), luck)
    line = walk.saga.line("the widow").pk
    play = walk.acts(0, CAMPAIGN_ACTIONS["edit_cast"](line=line, text="the widower"))
    assert isinstance(play, Play)
    walk.done.append((play, walk.rows))
    with pytest.raises(AssertionError):
        walk.last_ones_go(1)


# --- places that only one row can have -----------------------------------------------------------


def hangs_together(saga: Saga, first: str, before: Rows) -> None:
    """Insist that an undo of the newest of a kind asks first, and then sets all rows back."""
    event = saga.last(first).seq
    assert "hang" in saga.refusal(saga.erin, "undo", event=event)
    saga.do(saga.erin, "undo", event=event, sure="true")
    assert difference(rows(), before) == {}


def test_a_chapter_that_was_put_away_comes_back_only_in_place_of_the_next(saga_at: SagaAt):
    saga = saga_at("cast")
    before = rows()
    saga.do(saga.erin, "drop_chapter")
    saga.do(saga.amy, "open_chapter")
    hangs_together(saga, "chapter_put_away", before)


def test_a_chapter_put_away_comes_back_as_that_in_which_a_name_was_owed(saga_at: SagaAt):
    """WA-81: the birth of an entry of the owe list goes with the chapter, and returns with it."""
    saga = saga_at("former")
    saga.do(saga.erin, "owe_name", character=saga.named("Tajie").pk)
    before = rows()
    saga.do(saga.erin, "drop_chapter")
    saga.undoes("chapter_put_away")
    assert difference(rows(), before) == {}


def test_a_member_of_whom_nothing_was_known_comes_back_in_place_of_the_next(saga_at: SagaAt):
    """Lou sits down and is a member by her first tap; then she says that she is Nell."""
    saga, lou = saga_at("cast"), Person("Lou")
    lou.joins(saga.table)
    saga.do(lou, "take_cast", line=saga.line("the widow").pk)
    saga.do(lou, "leave_cast", line=saga.line("the widow").pk)
    before = rows()
    saga.do(lou, "claim_member", member=saga.member("Nell").pk)
    saga.do(saga.erin, "add_member", name="Osric")
    hangs_together(saga, "member_claimed", before)


def test_a_sheet_for_which_another_was_begun_comes_back(saga_at: SagaAt):
    saga = saga_at("sheets")
    saga.do(saga.tom, "drop_strength", holding=saga.pc(saga.tom).holdings.get().pk)
    saga.do(saga.erin, "step_back")
    saga.do(saga.tom, "add_cast", text="a cat")
    saga.do(saga.tom, "take_cast", line=saga.line("a cat").pk)
    before = rows()
    saga.do(saga.erin, "step_on")
    assert saga.pc(saga.tom).description == "a cat"
    saga.undoes("setup_moved")
    assert difference(rows(), before) == {}


# --- from the first tap of a campaign to its last ------------------------------------------------


class Watched(Saga):
    """A saga that remembers the rows before each of its taps."""

    taps: list[tuple[str, int, Rows]]

    def gathers(self) -> Watched:
        self.taps = []
        super().gathers()
        return self

    def do(self, who: Person, action: str, /, **fields: Any) -> Any:
        last, before = self.table.seq, rows()
        answer = super().do(who, action, **fields)
        self.taps.append((action, last + 1, before))
        return answer


def way_to(place: str) -> list[str]:
    """Return the places from the beginning to one."""
    way = [place]
    while way[0] in BEFORE:
        way.insert(0, BEFORE[way[0]])
    return way


def test_two_chapters_are_taken_back_tap_by_tap(dice: Any, clock: Any, db: None):
    """From begin_campaign over a chapter's end to the next one's come-back choice."""
    saga = Watched(dice, clock).gathers()
    for place in way_to("chosen")[1:]:
        saga.goes_to(place)
    assert {"begin_campaign", "begin_play", "end_chapter", "come_back"} <= {
        action for action, _seq, _rows in saga.taps
    }
    for action, seq, before in reversed(saga.taps):
        Saga.do(saga, saga.erin, "undo", event=seq, sure="true")
        assert difference(rows(), before) == {}, action
