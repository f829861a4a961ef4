"""The ledger: whatever is done with sheets, loot and fights, taking it back sets every row back.

Hypothesis plays evenings at random: things change hands, people are hurt and die, days pass,
fights begin and end. After each undo all rows are compared. The quick number is 4 evenings of 20
deeds; TAPROOM_EVENINGS sets another.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, event, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from characters import actions as do
from games.actions import Undo
from games.errors import AskFirst, Refused
from games.models import Event, Game, Play, Undone
from games.rules import knave_fight as kf
from games.rules.engine import Action
from games.services.act import Actor, Tap, act
from games.services.ledger import chain_of
from tests.characters.arena import kept_rows
from tests.characters.company import Company
from tests.characters.wild import FIGHT, PEOPLE, REFEREE, THINGS, Chooser, Make
from tests.games.party import Person
from tests.sizes import size

EVENINGS = int(os.environ.get("TAPROOM_EVENINGS", size("4", "100")))
DEEDS = 20
# A failing evening is made shorter only when asked for: it takes minutes.
PHASES = list(Phase) if os.environ.get("TAPROOM_SHRINK") else [Phase.generate]

# Another way is tried so often when something is refused.
TRIES = 4
SEEDS = st.integers(0, 2**32)

Rows = dict[str, dict[int, dict[str, Any]]]


def rows() -> Rows:
    """Return every row that an undo can set back, by its key."""
    return {name: {row["id"]: row for row in kept} for name, kept in kept_rows().items()}


def is_left_over(name: str, row: dict[str, Any] | None) -> bool:
    """Tell whether a row is what a fight leaves whose beginning was taken back.

    It is empty and called off, and stays: the log hangs on it, and a log is never deleted.
    """
    ended = Game.Status.ENDED
    return (
        row is not None and name == Game._meta.label and not row["setup"] and row["status"] == ended
    )


class Evening(RuleBasedStateMachine):
    """One random evening; `done` are its plays with the rows from before each, newest last."""

    company: Company
    luck = random.Random()

    def __init__(self) -> None:
        super().__init__()
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.table = self.company.table
        self.done: list[tuple[Play, Rows]] = []
        self.taps = 0

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.atomic.__exit__(None, None, None)

    @initialize(seed=SEEDS)
    def throws(self, seed: int) -> None:
        Evening.luck.seed(seed)

    def acts(self, who: Person, action: Action) -> Play | Refused:
        """Do an action; return its play, or the refusal, which must have changed nothing."""
        self.taps += 1
        before, tap = rows(), f"m{self.taps}"
        try:
            act(self.table.pk, Actor(who.seat, who.device.pk), action, Tap(tap))
        except Refused as refusal:
            assert rows() == before
            return refusal
        return Play.objects.get(table=self.table, tap=f"{who.seat}:{tap}")

    def does(self, seed: int, makes: list[Make]) -> None:
        """Let somebody do something, mostly the host; what is refused is tried another way."""
        rng = random.Random(f"{seed} {self.taps}")
        chooser = Chooser(self.table, rng)
        for _try in range(TRIES):
            action = chooser.of(makes)(chooser)
            who = chooser.of([self.company.ana, self.company.ana, self.company.ben])
            before = rows()
            play = self.acts(who, action)
            if isinstance(play, Play):
                event(f"done: {type(action).__name__}")
                if play.can_undo:
                    self.done.append((play, before))
                return

    @rule(seed=SEEDS)
    def something_is_done_with_things(self, seed: int) -> None:
        self.does(seed, THINGS)

    @rule(seed=SEEDS)
    def something_is_done_with_people(self, seed: int) -> None:
        self.does(seed, PEOPLE)

    @rule(seed=SEEDS)
    def the_referee_does_something(self, seed: int) -> None:
        self.does(seed, REFEREE)

    @precondition(lambda self: not self.is_fought)
    @rule()
    def a_fight_begins(self) -> None:
        before = rows()
        play = self.acts(self.company.ana, do.StartFight(self.company.ambush.pk))
        if isinstance(play, Play):
            event("done: a fight begins")
            self.done.append((play, before))

    @precondition(lambda self: self.is_fought)
    @rule(seed=SEEDS)
    def somebody_fights(self, seed: int) -> None:
        self.does(seed, FIGHT)

    @property
    def is_fought(self) -> bool:
        return self.table.games.filter(rules=kf.NAME, status="playing").exists()

    def takes_back(self, who: Person, play: Play, *, is_sure: bool = True) -> Play | Refused:
        told = Event.objects.filter(play=play).order_by("seq").first()
        assert told, play.action
        return self.acts(who, Undo(told.seq, is_sure))

    @precondition(lambda self: self.done)
    @rule(count=st.integers(1, 6))
    def the_last_is_taken_back(self, count: int) -> None:
        """One after the other, the newest first: each sets all rows back to before it."""
        for _again in range(min(count, len(self.done))):
            play, before = self.done.pop()
            undo = self.takes_back(self.company.ana, play)
            assert isinstance(undo, Play), (play.action, undo)
            assert difference(rows(), before) == {}, play.action

    @precondition(lambda self: len(self.done) > 2)
    @rule(seed=SEEDS)
    def a_player_takes_back_what_was_built_upon(self, seed: int) -> None:
        """Refused where something has come of it; their own, if nothing has, is set back."""
        own = [p for p, _b in self.done if p.seat.number == self.company.ben.seat and not p.faces]
        if not own:
            return
        play = random.Random(seed).choice(own)
        chain, before = chain_of(play), rows()
        undo = self.takes_back(self.company.ben, play)
        if len(chain) > 1:
            assert isinstance(undo, Refused)
            assert undo.status in (403, 409)
        elif isinstance(undo, Play):
            self.check_unravelled(before, chain)
        event(f"a player's undo: {'done' if isinstance(undo, Play) else 'refused'}")

    @precondition(lambda self: len(self.done) > 4)
    @rule(seed=SEEDS)
    def the_host_unravels_what_was_built_upon(self, seed: int) -> None:
        """With a play goes all that hangs on it, and nothing else; that it does is asked first."""
        play = random.Random(seed).choice(self.done[: len(self.done) // 2])[0]
        chain, before = chain_of(play), rows()
        if len(chain) > 1:
            assert isinstance(self.takes_back(self.company.ana, play, is_sure=False), AskFirst)
        undo = self.takes_back(self.company.ana, play)
        assert isinstance(undo, Play), (play.action, undo)
        self.check_unravelled(before, chain)
        event(f"a chain of {min(len(chain), 9)}")

    def check_unravelled(self, before: Rows, chain: list[Play]) -> None:
        """Insist that the fields the chain touched are as before it, and all others as they were.

        What is left of the evening was done with the chain in between: it starts anew from here.
        """
        gone = set(Undone.objects.filter(play__in=chain).values_list("play", flat=True))
        assert gone == {p.pk for p in chain}
        assert difference(rows(), expected(before, chain)) == {}
        self.done = []


def expected(before: Rows, chain: list[Play]) -> Rows:
    """Return the rows as they must be once these plays are taken back, the newest first."""
    wanted = {name: {key: dict(row) for key, row in kept.items()} for name, kept in before.items()}
    for play in reversed(chain):
        for name, key, was, now in reversed(play.ledger):
            if was is None:
                wanted[name].pop(key, None)
            elif now is None:
                wanted[name][key] = was
            else:
                wanted[name].setdefault(key, {}).update(was)
    return wanted


def difference(found: Rows, wanted: Rows) -> dict[str, Any]:
    """Return, by row, the fields that differ; instants are compared as the ledger writes them."""
    apart: dict[str, Any] = {}
    for name in found:
        for key in found[name].keys() | wanted[name].keys():
            one, other = found[name].get(key), wanted[name].get(key)
            if one is None or other is None:
                if not is_left_over(name, one):
                    apart[f"{name} {key}"] = (one, other)
                continue
            fields = {
                f: (one[f], other.get(f)) for f in one if _plain(one[f]) != _plain(other.get(f))
            }
            if fields:
                apart[f"{name} {key}"] = fields
    return apart


def _plain(value: Any) -> Any:
    return value.isoformat()[:19] if hasattr(value, "isoformat") else _cut(value)


def _cut(value: Any) -> Any:
    is_instant = isinstance(value, str) and value[4:5] == value[7:8] == "-" and value[10:11] == "T"
    return value[:19] if is_instant else value


@pytest.fixture
def company(company: Company, monkeypatch: pytest.MonkeyPatch) -> Company:
    roll = lambda _dice, sides: Evening.luck.randint(1, sides)  # noqa: E731
    monkeypatch.setattr("games.rules.dice.SystemDice.roll", roll)
    monkeypatch.setattr(Evening, "company", company, raising=False)
    return company


HOW = settings(
    max_examples=EVENINGS,
    stateful_step_count=DEEDS,
    deadline=None,
    database=None,
    print_blob=False,
    phases=PHASES,
    suppress_health_check=list(HealthCheck),
)


def test_whatever_is_done_is_taken_back_row_by_row(company: Company):
    run_state_machine_as_test(Evening, settings=HOW)


def test_an_undo_that_forgets_a_field_would_be_found(company: Company, monkeypatch):
    """The control: what sets rows back leaves one field as it is, which the same steps find."""
    from games.services import ledger

    real = ledger._read

    def forgets(model: Any, values: dict[str, Any]) -> dict[str, Any]:
        kept = real(model, values)
        return {name: value for name, value in kept.items() if name != "hp"} or {"hp": 1}

    evening = Evening()
    try:
        _wounds_and_takes_back(evening)
        monkeypatch.setattr(ledger, "_read", forgets)
        with pytest.raises(AssertionError, match="change_hp"):
            _wounds_and_takes_back(evening)
    finally:
        evening.teardown()


def _wounds_and_takes_back(evening: Evening) -> None:
    before, hurt = rows(), do.ChangeHp(evening.company.ash.pk, -2)
    play = evening.acts(evening.company.ana, hurt)
    assert isinstance(play, Play)
    evening.done.append((play, before))
    evening.the_last_is_taken_back(count=1)


def test_a_player_does_not_take_back_what_something_has_come_of(company: Company):
    """A torch is dropped, Birch takes it: Ash's player can't have it back, the host unravels."""
    evening = Evening()
    try:
        before = rows()
        drop = evening.acts(company.ben, do.DropItem(company.torches.pk, 1))
        assert isinstance(drop, Play)
        pile = company.table.piles.get(name="")
        taken = do.ClaimItem(company.birch.pk, pile.items.get().pk)
        assert isinstance(evening.acts(company.dora, taken), Play)
        refusal = evening.takes_back(company.ben, drop)
        assert isinstance(refusal, Refused)
        assert refusal.status == 409
        assert isinstance(evening.takes_back(company.ana, drop), Play)
        assert difference(rows(), before) == {}
    finally:
        evening.teardown()


def test_a_player_does_not_take_back_anothers_choice_nor_dice(company: Company):
    evening = Evening()
    try:
        theirs = evening.acts(company.dora, do.ChangeHp(company.birch.pk, -1))
        rolled = evening.acts(company.ben, do.LevelUp(company.ash.pk, ("str", "dex", "con")))
        for play in (theirs, rolled):
            assert isinstance(play, Play)
            refusal = evening.takes_back(company.ben, play)
            assert isinstance(refusal, Refused)
            assert refusal.status == 403
    finally:
        evening.teardown()
