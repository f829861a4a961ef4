"""The ledger of campaigns: whatever anybody does, taking it back sets every row back.

At each place of a campaign people tap what comes to their mind; what is taken is undone again, the
last first or with all that hangs on it. The quick number is 8 deeds a place; TAPROOM_DEEDS sets
another, and TAPROOM_SEED another luck.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from typing import Any

import pytest

from games.actions import Undo
from games.errors import Refused
from games.models import Event, Game, Play, Undone
from games.rules import records
from games.rules import wicked_sequence as ws
from games.services.act import Actor, Tap, act
from games.services.ledger import chain_of
from games.stored import record_of, state_of
from tests.campaigns.conftest import SagaAt
from tests.campaigns.saga import BEFORE, Saga
from tests.campaigns.wild import CAMPAIGN_ACTIONS, Wild
from tests.characters.test_knave_undo_machine import Rows, difference, expected, rows
from tests.games.party import Person, dice_fall_by

DEEDS = int(os.environ.get("TAPROOM_DEEDS", "8"))
SEED = os.environ.get("TAPROOM_SEED", "1")
TRIES = 150  # for one deed: most of what comes to somebody's mind is refused
TURNS = ("begin_campaign", "front_campaign", "import_campaign")
PLACES = (
    "begun", "choose", "sheets", "play", "roll", "settle", "closing", "former", "back",
)  # fmt: skip


class Walk:
    """One random walk; `done` are its plays with the rows from before each, newest last."""

    def __init__(self, saga: Saga, luck: random.Random) -> None:
        self.saga, self.luck, self.table = saga, luck, saga.table
        self.wild = Wild(self.table, luck)
        self.people = [(p, Actor(p.seat, p.device.pk)) for p in (saga.erin, *saga.players)]
        self.done: list[tuple[Play, Rows]] = []
        self.rows = rows()
        self.ways: Counter[str] = Counter()
        self.taps = 0

    def acts(self, who: int, action: Any) -> Play | Refused:
        """Do an action; return its play, or the refusal."""
        self.taps += 1
        tap = f"m{self.taps}"
        person, actor = self.people[who]
        try:
            act(self.table.pk, actor, action, Tap(tap))
        except Refused as refusal:
            return refusal
        return Play.objects.get(table=self.table, tap=f"{person.seat}:{tap}")

    def does(self) -> None:
        """Let somebody do something, mostly the GM; what is refused is tried another way."""
        for _try in range(TRIES):
            action = self.wild.action()
            play = self.acts(self.luck.choice([0, 0, 1, 2, 3]), action)
            if isinstance(play, Play):
                word = str(type(action).__struct_config__.tag)
                self.ways[word] += 1
                if word in TURNS:
                    self.done = []  # of a campaign that waits nothing is taken back
                if play.can_undo:
                    self.done.append((play, self.rows))
                self.rows = rows()
                return

    def takes_back(self, who: int, play: Play) -> Play | Refused:
        told = Event.objects.filter(play=play).order_by("seq").first()
        assert told, play.action
        return self.acts(who, Undo(told.seq, True))

    def last_ones_go(self, count: int) -> None:
        """Take back one after the other, the newest first: each sets all rows back."""
        for _again in range(min(count, len(self.done))):
            play, before = self.done.pop()
            undo = self.takes_back(0, play)
            assert isinstance(undo, Play), (play.action, undo)
            self.rows = rows()
            assert difference(self.rows, before) == {}, play.action

    def something_earlier_goes(self) -> None:
        """With a play goes all that hangs on it, and nothing else."""
        if not self.done:
            return
        play = self.luck.choice(self.done)[0]
        chain, before = chain_of(play), self.rows
        undo = self.takes_back(0, play)
        assert isinstance(undo, Play), (play.action, undo)
        gone = set(Undone.objects.filter(play__in=chain).values_list("play", flat=True))
        assert gone == {p.pk for p in chain}
        self.rows = rows()
        assert difference(self.rows, expected(before, chain)) == {}, play.action
        self.done = []  # what is left was done with the chain in between

    def all_dice_are_replayed(self) -> None:
        for game in Game.objects.filter(rules=ws.NAME, sequence__isnull=False):
            assert records.replay(record_of(game)).state == state_of(game)


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
