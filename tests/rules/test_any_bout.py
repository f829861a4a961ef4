"""Whatever legal things happen, in whatever order, a bout keeps its rules."""

from __future__ import annotations

import random

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from games.rules import brave_or_knave as bk
from games.rules import engine, records
from games.rules.brave_or_knave import Leave, Phase, Setup, Shout
from games.rules.brave_or_knave.events import (
    FingersLost,
    FingersRegained,
    HealFailed,
    Out,
    Revealed,
    Won,
)
from games.rules.dice import TypedDice
from tests.rules.walking import choices, is_progress, table_of
from tests.sizes import size

FACES = st.integers(1, 20) | st.sampled_from([1, 6, 9, 10, 20])


class AnyLegalBout(RuleBasedStateMachine):
    """Any table, any legal action, any faces, and now and then somebody who leaves."""

    @initialize(seats=st.integers(2, 6), variations=st.booleans(), rules=st.booleans())
    def sit_down(self, seats: int, variations: bool, rules: bool) -> None:
        self.deal(table_of(seats, variations=variations, rules=rules))

    def deal(self, table: Setup) -> None:
        self.table = table
        self.state = self.before = bk.setup(table, TypedDice(()))
        self.events: tuple[engine.Event, ...] = ()
        self.plays: list[engine.Play] = []

    def play(self, seat: int | None, action: object, face: int) -> None:
        dice = TypedDice([face])
        self.before = self.state
        self.state, self.events = engine.play(bk, self.state, seat, action, dice)
        self.plays.append((seat, action, () if dice.unused else (face,)))

    @precondition(lambda self: bk.outcome(self.state) is None)
    @rule(data=st.data(), face=FACES, at_ms=st.integers(0, 400))
    def somebody_acts(self, data: st.DataObject, face: int, at_ms: int) -> None:
        seat, action = data.draw(st.sampled_from(choices(bk, self.state)))
        if isinstance(action, Shout):
            action = Shout(action.call, at_ms)
        self.play(seat, action, face)

    @precondition(lambda self: bk.outcome(self.state) is None and len(self.plays) % 7 == 6)
    @rule(data=st.data())
    def somebody_leaves(self, data: st.DataObject) -> None:
        self.play(data.draw(st.sampled_from(self.state.living())), Leave(), 1)

    @precondition(lambda self: bk.outcome(self.state) is not None)
    @rule()
    def they_play_another(self) -> None:
        self.deal(self.table)

    @invariant()
    def nobody_is_stuck(self) -> None:
        seats = (None, *self.state.seats)
        acts = [act for seat in seats for act in bk.legal_actions(self.state, seat)]
        assert any(is_progress(act) for act in acts) is (bk.outcome(self.state) is None)

    @invariant()
    def hands_have_none_to_five_fingers(self) -> None:
        for seat, left in enumerate(self.state.fingers):
            assert 0 <= left <= 5
            assert len(self.state.hand(seat)) == left
            if left:
                assert len(self.state.given[seat]) <= 5 - left

    @invariant()
    def fingers_go_only_as_told(self) -> None:
        """Every finger that changed is in the events, or its player fell at once."""
        told = list(self.before.fingers)
        for event in self.events:
            match event:
                case FingersLost(seat=seat, count=count, left=left):
                    told[seat] -= count
                    assert told[seat] == left
                case FingersRegained(seat=seat, count=count):
                    told[seat] += count
                case Out(seat=seat) | HealFailed(seat=seat):
                    told[seat] = 0
        assert tuple(told) == self.state.fingers

    @invariant()
    def the_last_with_a_finger_win(self) -> None:
        living = self.state.living()
        won = [event.seats for event in self.events if isinstance(event, Won)]
        if self.state.phase is Phase.OVER:
            assert self.state.winners == (living or self.state.winners)
            assert len(living) <= 1
            assert self.state.winners
            assert won == [self.state.winners] or not self.plays
        else:
            assert len(living) > 1
            assert not self.state.winners
            assert not won

    @invariant()
    def only_the_living_are_waited_for(self) -> None:
        assert all(self.state.is_alive(seat) for seat in bk.must(self.state))
        waits = self.state.phase in (Phase.OPEN, Phase.BLIND, Phase.OVER)
        assert (self.state.standing is None) is waits

    @invariant()
    def nobody_learns_what_lies_under_the_hand(self) -> None:
        for seat in (None, *self.state.seats):
            changed = bk.scramble(self.state, seat, random.Random(len(self.plays)))
            assert (changed != self.state) is (self.state.hidden is not None)
            assert bk.view(changed, seat) == bk.view(self.state, seat)
            assert bk.legal_actions(changed, seat) == bk.legal_actions(self.state, seat)
        if self.state.hidden is not None:
            assert not any(hasattr(event, "face") for event in self.events)
            assert not any(isinstance(event, Revealed) for event in self.events)

    @invariant()
    def states_round_trip(self) -> None:
        assert msgspec.json.decode(msgspec.json.encode(self.state), type=bk.State) == self.state

    def teardown(self) -> None:
        """Replay what was played so far: the same dice make the same game."""
        if not hasattr(self, "state"):
            return
        end = records.replay(records.write(bk.NAME, self.table, self.plays)).state
        if self.state.hidden is None:
            assert end == self.state
        else:
            assert end.phase is Phase.OPEN
            assert bk.must(end) == (self.state.roller,)


TestAnyLegalBout = AnyLegalBout.TestCase
TestAnyLegalBout.settings = settings(
    max_examples=size(30, 1000),
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
