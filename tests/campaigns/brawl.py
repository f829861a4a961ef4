"""Dice at Erin's table: the people of the worked fights, with the dice they have there.

``brawl.begins("Amek", "Mekha")``, then ``brawl.takes("Amek", "with_violence", "directly")``
and ``brawl.rolls("Amek", 6, 5)``: whoever plays somebody taps for her, Erin for NPCs. Dice are
typed, as from the table.
"""

from __future__ import annotations

import json
from typing import Any, Self

from campaigns.models import Chapter, Character, Moment, Offer, Owed, Part, Sequence
from campaigns.services.sheets import sheet_value
from games.models import Game
from games.rules import records
from games.rules import wicked_sequence as ws
from games.stored import record_of, state_of
from tests.campaigns.troupe import NAMES, Troupe
from tests.games.party import Person, done, refused

SHEETS: dict[str, dict[str, Any]] = {
    "Amek": {"covertly": 8, "directly": 10, "for_myself": 4, "for_others": 6, "with_love": 6,
             "with_violence": 12},
    "Mekha": {"covertly": 6, "directly": 8, "for_myself": 10, "for_others": 6, "with_love": 12,
              "with_violence": 4},
    "Tajie": {"covertly": 8, "directly": 6, "for_myself": 12, "for_others": 10, "with_love": 6,
              "with_violence": 4},
    "Esan": {"action": [12, 8], "maneuvering": [10, 6], "self_protection": [6, 4]},
}  # fmt: skip


class Brawl:
    """One sequence at the troupe's table; another is `Brawl(troupe)` again."""

    def __init__(self, troupe: Troupe) -> None:
        self.troupe = troupe
        self.key = 0

    # --- what is done ----------------------------------------------------------------------------

    def begins(self, actor: str, *others: str, act: str = "Takes it by force", **more: Any) -> Self:
        self.does(actor, "start_sequence", act=act, actor=self.id(actor), who=self.ids(others),
                  **more)  # fmt: skip
        self.key = Sequence.objects.latest("pk").pk
        return self

    def does(self, name: str, action: str, by: Person | None = None, **fields: Any) -> Self:
        """Let whoever plays somebody tap, who sees what is asked now."""
        person = by or self.player(name)
        done(person.does(action, **{"saw": self.scene, **fields}))
        return self

    def refuses(
        self, name: str, action: str, status: int = 409, by: Person | None = None, **fields: Any
    ) -> str:
        """Tap, and return the words of the refusal."""
        given = {**self._about(name), "saw": self.scene, **fields}
        before = self.troupe.table.seq
        words = refused((by or self.player(name)).does(action, **given), status)
        assert self.troupe.table.seq == before
        return words

    def _about(self, name: str) -> dict[str, Any]:
        return {"sequence": self.key, "who": self.id(name)}

    def turn(self, name: str, action: str, **fields: Any) -> Self:
        """Let a fighter do something in this sequence."""
        return self.does(name, action, **{**self._about(name), **fields})

    def takes(self, name: str, *forms: str, **more: Any) -> Self:
        return self.turn(name, "take_dice", forms=forms, **more)

    def rolls(self, name: str, *faces: int) -> Self:
        return self.turn(name, "roll_forms", dice=faces)

    def moves(self, name: str, *to: str, says: str = "") -> Self:
        given = {"to": self.ids(to)} if to else {"nobody": "true"}
        return self.turn(name, "make_move", says=says, **given)

    def settles(self, winner: str, loser: str, kind: str = "exhausted", **more: Any) -> Self:
        given = {"sequence": self.key, "loser": self.id(loser), "kind": kind}
        return self.does(winner, "settle", **given, **more)

    def offers(self, name: str, to: str, loser: str, **terms: Any) -> Offer:
        given = {"to": self.id(to), "loser": self.id(loser), **terms}
        self.turn(name, "offer_terms", **given)
        return Offer.objects.latest("pk")

    def goes_on(self, name: str) -> Self:
        return self.does(name, "next_round", sequence=self.key)

    # --- what there is ---------------------------------------------------------------------------

    @property
    def row(self) -> Sequence:
        return Sequence.objects.select_related("game").get(pk=self.key)

    @property
    def game(self) -> Game:
        return self.row.game

    @property
    def scene(self) -> int:
        return self.game.scene if self.key else 0

    @property
    def state(self) -> ws.State:
        state: ws.State = state_of(self.game)
        return state

    @property
    def summary(self) -> dict[str, Any]:
        return ws.summary(self.state)

    @property
    def phase(self) -> str:
        return self.state.phase.value

    def is_replayed(self) -> bool:
        """Tell whether the record leads to the state that is kept."""
        return records.replay(record_of(self.game)).state == self.state

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in record_of(self.game).splitlines()]

    def one(self, name: str) -> Character:
        return self.troupe.named(name)

    def id(self, name: str) -> int:
        return self.one(name).pk

    def ids(self, names: Any) -> list[int]:
        return [self.id(name) for name in names]

    def ref(self, name: str) -> str:
        return self.one(name).ref

    def player(self, name: str) -> Person:
        owner = self.one(name).owner
        people = {person.seat: person for person in self.troupe.players}
        return people[owner.seat.number] if owner and owner.seat else self.troupe.erin

    def dice(self, name: str) -> dict[str, Any]:
        return self.one(name).dice()

    def owed(self) -> list[str]:
        """List the names that stand on the owe list."""
        rows = self.troupe.campaign.owed.filter(struck=Owed.Struck.NOT)
        return [str(row.character) for row in rows.select_related("character")]

    def names(self, refs: Any) -> list[str]:
        by_ref = {one.ref: one.name for one in self.troupe.campaign.characters.all()}
        return [by_ref[ref] for ref in refs]

    def advantage(self) -> list[tuple[str, str]]:
        pairs = [self.names((one.holder, one.over)) for one in self.state.won]
        return [(holder, over) for holder, over in pairs]

    def last(self) -> tuple[str, str, str]:
        """Return who moved last, who answered, and what it came to."""
        last = self.state.last
        assert last
        mover, answerer = self.names((last.mover, last.answerer))
        return mover, answerer, last.result

    def moments(self) -> list[str]:
        return [m.kind for m in Moment.objects.filter(sequence=self.row)]


def brawl_of(troupe: Troupe) -> Brawl:
    """Bring a chapter to play, as rows, with the sheets of the worked fights."""
    chapter = Chapter.objects.create(campaign=troupe.campaign, number=1, step="play")
    players = {NAMES[person.name]: person for person in troupe.players}
    for number, (name, dice) in enumerate(SHEETS.items(), 1):
        member = troupe.member(players[name]) if name in players else None
        one = Character.objects.create(
            campaign=troupe.campaign,
            number=number,
            kind="pc" if member else "npc",
            owner=member,
            name=name,
            forms={form: {"base": one, "current": one} for form, one in dice.items()},
        )
        before = sheet_value(one)
        Part.objects.create(chapter=chapter, character=one, member=member, before=before)
    return Brawl(troupe)


def duel(brawl: Brawl) -> Brawl:
    """Amek (d12, d10) against Mekha (d10, d8), forms taken."""
    brawl.begins("Amek", "Mekha", act="Pulls Mekha out by his hair")
    return brawl.takes("Amek", "with_violence", "directly").takes("Mekha", "directly", "for_myself")


def four(brawl: Brawl) -> Brawl:
    """Mekha looks for Tajie in the camp, and everybody is in it."""
    brawl.begins("Mekha", "Tajie", "Amek", "Esan", act="Looks for Tajie in the camp")
    brawl.takes("Mekha", "with_love", "covertly").takes("Tajie", "for_myself", "covertly")
    return brawl.takes("Amek", "directly", "for_others").takes("Esan", "maneuvering")


def won(brawl: Brawl, winner: str = "Amek", loser: str = "Mekha") -> Brawl:
    """Amek has beaten Mekha outright, and nothing is settled yet."""
    take = {"Amek": ("with_violence", "directly"), "Mekha": ("directly", "for_myself")}
    brawl.begins(winner, loser)
    for name in (winner, loser):
        brawl.takes(name, *take.get(name, ("action",)))
    return brawl.rolls(winner, 8, 7).rolls(loser, 2, 1).moves(winner, loser).rolls(loser, 3, 1)


def answers(brawl: Brawl, name: str, action: str, offer: Offer, status: int = 0) -> str:
    """Answer an offer; with a status, return the words of the refusal."""
    answer = brawl.player(name).does(action, offer=offer.pk, saw=brawl.scene)
    if status:
        return refused(answer, status)
    done(answer)
    return ""
