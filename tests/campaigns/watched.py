"""A fight at a table that is drawn twice after every tap: by what is kept, and afresh."""

from __future__ import annotations

import random
from typing import Any

from games import presence, snapshot
from games.live.drawing import draw_all
from games.live.viewers import Viewer
from games.rules import wicked_sequence as ws
from games.snapshot import Snapshot
from tests.campaigns.brawl import Brawl, four
from tests.campaigns.troupe import Troupe
from tests.drawn import html_of
from tests.games.afar import Reader
from tests.games.party import Person

FIGHTERS = ("Mekha", "Tajie", "Amek", "Esan")


class Watched:
    """A fight at a table that is drawn twice after every tap."""

    def __init__(self, troupe: Troupe, capture: Any) -> None:
        self.troupe, self.capture = troupe, capture
        self.brawl = Brawl(troupe)
        self.done: list[Any] = []
        self.now: Snapshot | None = None
        self.advanced = 0
        self.reader = Reader()

    def hear(self, _table: int, committed: Any) -> None:
        self.done.append(committed)

    def viewers(self) -> list[Viewer]:
        erin = self.troupe.erin
        pages = [(erin, "gm"), *((who, "phone") for who in (erin, *self.troupe.players))]
        return [Viewer(page, who.seat, who.row.device_id) for who, page in pages]

    def differences(self) -> list[str]:
        """Draw by what is kept and afresh, and return the regions that differ."""
        now = self.now
        for committed in self.done:
            now = self.reader.take_on(now, committed)
        self.advanced += bool(self.done and now is not None)
        self.done.clear()
        self.now = now = now or snapshot.load(self.troupe.table.pk)
        lines, viewers = presence.connections(now.table.pk), self.viewers()
        kept = draw_all(now, viewers, lines)
        fresh = draw_all(snapshot.load(now.table.pk), viewers, lines, afresh=True)
        return [
            f"{viewer.page} {viewer.seat} {name}"
            for viewer in viewers
            for name, html in html_of(fresh[viewer]).items()
            if html_of(kept[viewer])[name] != html
        ]

    def taps(self, who: Person, word: str, /, **fields: Any) -> bool:
        with self.capture(execute=True):
            asked = {"saw": self.brawl.scene, "sequence": self.brawl.key, **fields}
            return who.does(word, **asked).status_code in (200, 204)

    def goes_on(self, luck: random.Random) -> str:
        """Do something that is legal in the fight, or begin another; return its word."""
        brawl, erin = self.brawl, self.troupe.erin
        if brawl.row.is_over:
            with self.capture(execute=True):
                four(brawl)
            return "four"
        state = brawl.state
        name = luck.choice(
            [n for n in FIGHTERS if brawl.ref(n) in ws.view(state, None).must] or FIGHTERS
        )
        others = brawl.ids([luck.choice([n for n in FIGHTERS if n != name])])
        words = ["roll_forms", "make_move", "let_pass", "back_away", "press_on", "agree_to_end"]
        luck.shuffle(words)
        for word in words:
            more = {"to": others, "says": "Ho"} if word == "make_move" else {}
            if self.taps(brawl.player(name), word, who=brawl.id(name), **more):
                return word
        if state.settlement:
            loser = next(n for n in FIGHTERS if brawl.ref(n) == state.settlement.loser)
            if self.taps(erin, "settle", loser=brawl.id(loser), kind="exhausted"):
                return "settle"
        if self.taps(erin, "next_round"):
            return "next_round"
        assert self.taps(erin, "call_off_sequence"), state
        return "call_off_sequence"
