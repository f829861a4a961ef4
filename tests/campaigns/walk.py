"""A random walk through a campaign: people tap what comes to their mind, and take it back."""

from __future__ import annotations

import os
import random
from collections import Counter
from typing import Any

from games.actions import Undo
from games.errors import Refused
from games.models import Event, Game, Play, Undone
from games.rules import records
from games.rules import wicked_sequence as ws
from games.services.act import Actor, Tap, act
from games.services.ledger import chain_of
from games.stored import record_of, state_of
from tests.campaigns.saga import Saga
from tests.campaigns.wild import Wild
from tests.set_back import Rows, difference, expected, rows

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
        return self.acts(who, Undo(told.seq, sure=True))

    def last_ones_go(self, count: int) -> None:
        """Take back one after the other, the newest first: each sets all rows back."""
        for _again in range(min(count, len(self.done))):
            play, before = self.done.pop()
            undo = self.takes_back(0, play)
            assert isinstance(undo, Play), (play.action, undo)
            self.rows = rows()
            apart = difference(self.rows, before)
            assert apart == {}, (play.action, apart)

    def something_earlier_goes(self) -> None:
        """With a play goes all that hangs on it, and nothing else."""
        if not self.done:
            return
        play = self.luck.choice(self.done)[0]
        chain, before = chain_of(play), self.rows
        undo = self.takes_back(0, play)
        assert isinstance(undo, Play), (play.action, undo)
        gone = set(Undone.objects.filter(play__in=chain).values_list("play", flat=True))
        assert gone == {p.pk for p in chain}, (gone, chain)
        self.rows = rows()
        apart = difference(self.rows, expected(before, chain))
        assert apart == {}, (play.action, apart)
        self.done = []  # what is left was done with the chain in between

    def all_dice_are_replayed(self) -> None:
        for game in Game.objects.filter(rules=ws.NAME, sequence__isnull=False):
            record = record_of(game)
            assert records.replay(record).state == state_of(game), record
