"""An evening at a Knave table that Hypothesis plays at random, and takes back again."""

from __future__ import annotations

import random

from django.db import transaction
from hypothesis import event
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from characters import actions as do
from games.actions import Undo
from games.errors import AskFirst, Refused
from games.models import Event, Play, Undone
from games.rules import knave_fight as kf
from games.rules.engine import Action
from games.services.act import Actor, Tap, act
from games.services.ledger import chain_of
from tests.characters.company import Company
from tests.characters.wild import FIGHT, PEOPLE, REFEREE, THINGS, Chooser, Make
from tests.games.party import Person
from tests.set_back import Rows, difference, expected, rows

# Another way is tried so often when something is refused.
TRIES = 4
SEEDS = st.integers(0, 2**32)


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
            assert rows() == before, type(action).__name__
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
            apart = difference(rows(), before)
            assert apart == {}, (play.action, apart)

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
            assert isinstance(undo, Refused), (play.action, undo)
            assert undo.status in (403, 409), (play.action, undo)
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
            asked = self.takes_back(self.company.ana, play, is_sure=False)
            assert isinstance(asked, AskFirst), (play.action, asked)
        undo = self.takes_back(self.company.ana, play)
        assert isinstance(undo, Play), (play.action, undo)
        self.check_unravelled(before, chain)
        event(f"a chain of {min(len(chain), 9)}")

    def check_unravelled(self, before: Rows, chain: list[Play]) -> None:
        """Insist that the fields the chain touched are as before it, and all others as they were.

        What is left of the evening was done with the chain in between: it starts anew from here.
        """
        gone = set(Undone.objects.filter(play__in=chain).values_list("play", flat=True))
        assert gone == {p.pk for p in chain}, (gone, chain)
        apart = difference(rows(), expected(before, chain))
        assert apart == {}, apart
        self.done = []
