"""Whatever happens in a sequence, in whatever order, it keeps its rules.

The machine plays legal actions and tries illegal ones; it holds a second
account of the dice, of who owes whom an advantage and of the owe list, written
from the rules with plain numbers. The engine has to agree.
"""

from __future__ import annotations

import json
import random
from contextlib import suppress

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.rules import engine, records
from games.rules import wicked_sequence as ws
from games.rules.dice import RecordedDice, SeededDice
from games.rules.engine import IllegalAction
from tests.rules.walking import choices, sequence_of, told
from tests.sizes import size

IDS = ("pc-0", "pc-1", "pc-2", "npc-0", "npc-1", "late-3", "nobody")
WHO = st.sampled_from(IDS)
FORMS = st.sampled_from(("directly", "covertly", "with_love", "action", "maneuvering", "sneakily"))
SEVERAL = st.lists(WHO, max_size=4).map(tuple)
ANYTHING = st.one_of(
    st.builds(
        ws.Choose,
        by=WHO,
        forms=st.lists(FORMS, max_size=3).map(tuple),
        strengths=st.lists(st.sampled_from(("hawk", "curse", "none")), max_size=3).map(tuple),
    ),
    st.builds(ws.Buy, by=WHO, strike=WHO),
    st.builds(ws.Roll, by=WHO),
    st.builds(ws.Lots, order=SEVERAL),
    st.builds(ws.BackAway, by=WHO),
    st.builds(ws.Press, by=WHO),
    st.builds(ws.Move, by=WHO, to=SEVERAL),
    st.builds(ws.LetPass, by=WHO),
    st.builds(ws.Interfere, by=WHO),
    st.builds(
        ws.Settle,
        winner=WHO,
        loser=WHO,
        as_=st.sampled_from(("exhausted", "injured", "bored")),
        npc_dice=st.lists(st.sampled_from((4, 8, 12)), max_size=2).map(tuple),
        waive=st.booleans(),
    ),
    st.builds(
        ws.Agree,
        winner=WHO,
        loser=WHO,
        terms=st.lists(st.builds(ws.Term, form=FORMS), max_size=2).map(tuple),
        leave=SEVERAL,
    ),
    st.builds(ws.Leave, by=WHO, consent=SEVERAL),
    st.builds(ws.NextRound),
)


def result_of(answer: list[int], pips: int, mine: list[int], my_pips: int, last: bool) -> str:
    """Say how an answer does, as somebody with pencil and paper would (WA-46 to WA-50)."""
    theirs, ours = sorted(answer)[::-1], sorted(mine)[::-1]
    theirs[0], ours[0] = theirs[0] + pips, ours[0] + my_pips
    if theirs[0] >= 2 * ours[0]:
        return "wins_absolutely"
    if ours[0] >= 2 * theirs[0]:
        return "loses_absolutely"
    size = max(len(theirs), len(ours))
    for one, other in zip(
        theirs + [0] * (size - len(theirs)), ours + [0] * (size - len(ours)), strict=True
    ):
        if one != other:
            won = one > other
            break
    else:
        won = True
    return ("wins" if won else "loses") + ("_absolutely" if last else "_advantage")


class AnySequence(RuleBasedStateMachine):
    """Plays sequences of two to five, with strengths, purchases, and people who come and go."""

    @initialize(seed=st.integers(0))
    def sit_down(self, seed: int) -> None:
        self.rng, self.dice = random.Random(seed), RecordedDice(SeededDice(seed))
        self.begin()

    @precondition(lambda self: ws.outcome(self.state) is not None)
    @rule()
    def begin_again(self) -> None:
        self.teardown()
        self.begin()

    def begin(self) -> None:
        sizes = self.rng.choice([(0, 4, 4, 4, 4, 6), (4, 6, 6, 8, 10, 12)])
        self.table = sequence_of(self.rng.randint(1, 3), self.rng.randint(1, 2), sizes)
        self.state = ws.setup(self.table, self.dice)
        self.plays: list[engine.Play] = []
        self.lies: dict[str, tuple[list[int], int]] = {}
        self.held: dict[frozenset[str], str] = {}
        self.taken: dict[frozenset[str], str] = {}

    @precondition(lambda self: ws.outcome(self.state) is None)
    @rule()
    def somebody_acts(self) -> None:
        found = choices(ws, self.state)
        kinds = sorted({type(action).__name__ for _, action in found} - {"End"})
        kind = self.rng.choice(kinds)
        seat, action = self.rng.choice([one for one in found if type(one[1]).__name__ == kind])
        self.play(seat, told(self.state, action, self.rng, len(self.plays)))

    @precondition(lambda self: ws.outcome(self.state) is None)
    @rule(action=ANYTHING, seat=st.none() | st.integers(-1, 6))
    def somebody_tries_anything(self, action: ws.AnyAction, seat: int | None) -> None:
        listed = action.blank() in ws.legal_actions(self.state, seat)
        if ws.fault(self.state, seat, action) is None:
            assert listed
            self.play(seat, action)
            return
        kept, fallen = msgspec.json.encode(self.state), list(self.dice.faces)
        with pytest.raises(IllegalAction) as refused:
            engine.play(ws, self.state, seat, action, self.dice)
        assert refused.value.why
        assert (msgspec.json.encode(self.state), self.dice.faces) == (kept, fallen)

    def play(self, seat: int | None, action: ws.AnyAction) -> None:
        before, self.dice.faces = self.state, []
        self.state, events = engine.play(ws, before, seat, action, self.dice)
        self.plays.append((seat, action, tuple(self.dice.faces)))
        names = [type(event).__name__ for event in events]
        owed = [event.name for event in events if type(event).__name__ == "Owing"]
        assert not owed or (before.round == 1 and "RoundEnded" in names)
        assert len(set(owed)) == len(owed)
        assert all(before.of(who).kind == "pc" for who in owed)
        for event in events:
            match type(event).__name__:
                case "Rolled":
                    self.rolled(before, event)
                case "Compared":
                    self.compared(before, event)
                case "RoundEnded":
                    self.round_ended(event)
        if isinstance(action, ws.Correct):
            return
        kept = list(before.owe_list)
        if isinstance(action, ws.Buy):
            kept.remove(next(one for one in kept if one.name == action.strike))
        assert [one.name for one in self.state.owe_list] == [one.name for one in kept] + owed

    def rolled(self, before: ws.State, event: engine.Event) -> None:
        """Everybody rolls what she held at the round's start and what she bought (WA-62, WA-63)."""
        mine = sum(holder == event.by for holder in self.held.values())
        if event.purpose != "tie":
            assert len(event.pips) == mine + before.of(event.by).bought
        self.lies[event.by] = ([die.face for die in event.dice], sum(event.pips))

    def compared(self, before: ws.State, event: engine.Event) -> None:
        answer, standing = self.lies[event.answerer], self.lies[event.mover]
        expected = result_of(*answer, *standing, before.round == 3)
        assert event.result == expected
        winner = event.answerer if expected.startswith("wins") else event.mover
        if expected.endswith("advantage"):
            self.taken[frozenset((event.answerer, event.mover))] = winner

    def round_ended(self, event: engine.Event) -> None:
        """Hand the dice over; those of people who are out are gone (WA-61, WA-63)."""
        lying = self.held | self.taken
        self.held = {pair: who for pair, who in lying.items() if who in self.state.inside}
        self.taken = {}
        assert {one.pair: one.holder for one in event.advantage} == self.held

    @invariant()
    def one_won_die_a_pair_and_its_holder_is_in(self) -> None:
        pairs = [one.pair for one in self.state.won]
        assert len(set(pairs)) == len(pairs)
        assert all(one.holder in self.state.inside for one in self.state.won)

    @invariant()
    def dice_have_sizes_and_nobody_gets_better(self) -> None:
        first = {one.id: one.dice for one in self.table.participants}
        for member in self.state.participants:
            for form, dice in member.forms.items():
                assert set(dice) <= {0, 4, 6, 8, 10, 12}
                was = first.get(member.id, {}).get(form, dice)
                assert all(now <= then for now, then in zip(dice, was, strict=True))

    @invariant()
    def at_most_three_rounds_and_somebody_is_awaited(self) -> None:
        assert 1 <= self.state.round <= 3
        waits = self.state.phase not in (ws.Phase.OVER, ws.Phase.LOTS)
        assert bool(ws.must(self.state)) == waits
        assert (ws.outcome(self.state) is None) == (self.state.phase is not ws.Phase.OVER)

    @invariant()
    def an_order_names_everybody_once_and_the_standing_roll_is_the_movers(self) -> None:
        order, stands = self.state.order, ws.view(self.state, None).standing
        assert len(set(order)) == len(order)
        if self.state.phase in (ws.Phase.TURN, ws.Phase.ANSWER):
            assert set(self.state.inside) <= set(order)
        if stands is not None and self.state.phase is not ws.Phase.LOTS:
            assert stands.by == self.state.mover

    def teardown(self) -> None:
        if hasattr(self, "table"):
            text = records.write(ws.NAME, self.table, self.plays)
            assert records.replay(text).state == self.state


TestAnySequence = AnySequence.TestCase
TestAnySequence.settings = settings(
    max_examples=size(40, 1000),
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)

PLAYED = records.write(
    ws.NAME,
    sequence_of(2, 1),
    [
        (None, ws.Choose(by="pc-0", forms=("directly", "covertly"), strengths=("hawk",)), ()),
        (None, ws.Choose(by="pc-1", forms=("directly", "with_love")), ()),
        (None, ws.Choose(by="npc-0", forms=("action",)), ()),
        (None, ws.Buy(by="pc-0", strike="pc-0"), ()),
        (None, ws.Roll(by="pc-0"), (6, 4, 3, 6)),
        (None, ws.Roll(by="pc-1"), (5, 3)),
        (None, ws.Roll(by="npc-0"), (5, 2)),
        (None, ws.Move(by="pc-0", to=("pc-1",)), ()),
        (None, ws.Roll(by="pc-1"), (3, 3)),
        (None, ws.Settle(winner="pc-0", loser="pc-1", as_="injured"), ()),
    ],
).splitlines()
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 13) | st.floats() | st.text(max_size=3) | WHO,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FORMS | WHO, inner, max_size=3),
    max_leaves=4,
)


@settings(max_examples=size(200, 5000), deadline=None)
@given(line=st.integers(0, len(PLAYED) - 1), junk=JUNK, at=st.integers(0, 9))
def test_a_line_with_junk_in_it_is_played_or_refused_in_words(line, junk, at):
    """Whatever stands in a field, reading it ends in a state or a RecordError, and nothing else."""
    read = json.loads(PLAYED[line])
    field = list(read)[at % len(read)]
    spoilt = "\n".join([*PLAYED[:line], json.dumps(read | {field: junk}), *PLAYED[line + 1 :]])
    with suppress(records.RecordError):
        records.replay(spoilt)
