"""The ledger: whatever is done with sheets, loot and fights, taking it back sets every row back.

Hypothesis plays evenings at random: things change hands, people are hurt and die, days pass,
fights begin and end. After each undo all rows are compared. The quick number is 6 evenings of 20
deeds; TAPROOM_EVENINGS sets another.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
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
from characters.models import Article, HirelingKind, Monster
from games.actions import Undo
from games.bouts import state_of
from games.errors import AskFirst, Refused
from games.models import Event, Game, Play, Table, Undone
from games.rules import knave_fight as kf
from games.rules.engine import Action
from games.services.act import Actor, Tap, act
from games.services.ledger import chain_of
from tests.characters.arena import kept_rows
from tests.characters.company import Company
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


class Chooser:
    """Picks what an action could be about, evenly, from what is at the table now."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        self.table, self.rng = table, rng

    def of(self, values: Any, none: Any = 1) -> Any:
        listed = list(values)
        return self.rng.choice(listed) if listed else none

    def number(self, low: int, high: int) -> int:
        return self.rng.randint(low, high)

    def yes(self) -> bool:
        return self.rng.random() < 0.5

    @property
    def item(self) -> int:
        return self.of(self.table.items.exclude(holder=None).values_list("pk", flat=True))

    @property
    def found(self) -> int:
        return self.of(self.table.items.exclude(pile=None).values_list("pk", flat=True))

    @property
    def who(self) -> int:
        living = self.table.characters.filter(state__in=["up", "unconscious"])
        return self.of(living.values_list("pk", flat=True))

    @property
    def pile(self) -> int:
        return self.of(self.table.piles.filter(is_open=True).values_list("pk", flat=True))

    @property
    def goal(self) -> int:
        return self.of(self.table.goals.values_list("pk", flat=True))

    @property
    def call(self) -> int:
        return self.of(self.table.calls.filter(is_open=True).values_list("pk", flat=True))

    @property
    def encounter(self) -> int:
        return self.of(self.table.encounters.filter(is_open=True).values_list("pk", flat=True))

    @property
    def some(self) -> int | None:
        return self.of([None, 1, 2, 3])

    def coins(self) -> dict[str, int]:
        return {metal: self.number(0, 4) for metal in ("gold", "silver", "copper")}

    def fighter(self) -> str:
        game = self.table.games.filter(rules=kf.NAME, status="playing").first()
        return self.of(f.id for f in state_of(game).fighters) if game else "nobody"


def article(key: str) -> int:
    return Article.objects.get(key=key).pk


Make = Callable[[Chooser], Action]
THINGS: list[Make] = [
    lambda c: do.UseItem(c.item),
    lambda c: do.DropItem(c.item, c.some),
    lambda c: do.GiveItem(c.item, c.who, c.some),
    lambda c: do.EquipItem(c.item, c.yes()),
    lambda c: do.LeaveHome(c.item, c.yes()),
    lambda c: do.PutInside(c.item, c.of([c.item, None])),
    lambda c: do.SplitItem(c.item, c.number(1, 3)),
    lambda c: do.MergeItem(c.item),
    lambda c: do.BreakItem(c.item),
    lambda c: do.RepairItem(c.item, is_free=c.yes()),
    lambda c: do.LightItem(c.item, c.yes()),
    lambda c: do.CastSpell(c.item),
    lambda c: do.MoveItem(c.item, c.of([-1, 1])),
    lambda c: do.BuyItem(c.who, article(c.of(["torch", "sack", "gambeson"])), c.number(1, 2)),
    lambda c: do.AddItem(c.who, name="Odd key"),
    lambda c: do.AddItem(pile=c.pile, article=article("torch"), count=c.number(1, 3)),
    lambda c: do.ClaimItem(c.who, c.found, c.some),
    lambda c: do.ClaimCoins(c.who, c.pile),
    lambda c: do.ClaimCoins(c.who, c.pile, **c.coins()),
    lambda c: do.ShareCoins(c.pile),
    lambda c: do.GiveCoins(c.who, c.who, **c.coins()),
    lambda c: do.NewPile("Nook", is_shown=c.yes(), **c.coins()),
    lambda c: do.ShowPile(c.pile, c.yes()),
    lambda c: do.ClosePile(c.pile),
]
PEOPLE: list[Make] = [
    lambda c: do.ChangeHp(c.who, c.number(-9, 9)),
    lambda c: do.SetAbility(c.who, c.of(["str", "con", "cha"]), c.number(0, 6)),
    lambda c: do.SetLevel(c.who, c.number(1, 3), c.number(0, 3000), c.number(1, 12)),
    lambda c: do.SetCoins(c.who, **c.coins()),
    lambda c: do.AllowOverload(c.who, c.yes()),
    lambda c: do.EditKnave(c.who, "Renamed", notes="x" * c.number(0, 700)),
    lambda c: do.SetTrait(c.who, "virtue", c.of(["Patient", ""])),
    lambda c: do.ChooseMark(c.who, c.of(["skull", ""])),
    lambda c: do.LevelUp(c.who, ("str", "dex", "con")),
    lambda c: do.HandKnave(c.who, c.number(0, 3)),
    lambda c: do.Hire(c.who, HirelingKind.objects.first().pk),
    lambda c: do.PayHireling(c.who),
    lambda c: do.Dismiss(c.who),
    lambda c: do.SetMorale(c.who, c.number(2, 12)),
    lambda c: do.AddNpc("Reeve", is_shown=c.yes()),
]
REFEREE: list[Make] = [
    lambda c: do.HurtMany(c.number(1, 9), (c.who, c.who), "Smoke"),
    lambda c: do.HealMany(c.number(1, 9)),
    lambda c: do.AwardXp(c.of([50, 900])),
    lambda c: do.AnnounceGoal("Cross the ford", is_shown=c.yes()),
    lambda c: do.ShowGoal(c.goal, c.yes()),
    lambda c: do.ReachGoal(c.goal),
    lambda c: do.DropGoal(c.goal),
    lambda c: do.PassTurns(c.of([-3, 1, 6, 140])),
    lambda c: do.MakeCamp(c.of(["night", "haven"])),
    lambda c: do.AskSaves("wis"),
    lambda c: do.RollMissing(c.call),
    lambda c: do.CloseCall(c.call),
    lambda c: do.RollSave(c.who, call=c.call),
    lambda c: do.ConfigureKnave("foes_shown", c.of(["true", "false"])),
    lambda c: do.PrepareEncounter("Ford"),
    lambda c: do.AddFoes(c.encounter, Monster.objects.get(key="goblin").pk, c.number(1, 2)),
    lambda c: do.DropFoe(c.encounter, "goblin-1"),
    lambda c: do.DropEncounter(c.encounter),
    lambda c: do.StartFight(c.encounter),
]
FIGHT: list[Make] = [
    lambda c: kf.Initiative(),
    lambda c: kf.Attack(by=c.fighter(), on=c.fighter(), rolled_by="attacker"),
    lambda c: kf.Engage(by=c.fighter(), on=c.fighter()),
    lambda c: kf.Disengage(by=c.fighter()),
    lambda c: kf.Flee(of=c.fighter()),
    lambda c: kf.Morale(of=c.fighter()),
    lambda c: kf.Hurt(on=c.fighter(), amount=c.number(1, 9)),
    lambda c: kf.Heal(on=c.fighter(), amount=c.number(1, 9)),
    lambda c: do.SideDone(),
    lambda c: do.EndFight(),
]


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
    """The control: what sets rows back leaves one field as it is.

    It ends with the first evening in which somebody's wound is taken back, and not every has one.
    """
    from games.services import ledger

    real = ledger._read

    def forgets(model: Any, values: dict[str, Any]) -> dict[str, Any]:
        kept = real(model, values)
        return {name: value for name, value in kept.items() if name != "hp"} or {"hp": 1}

    monkeypatch.setattr(ledger, "_read", forgets)
    with pytest.raises(AssertionError):
        run_state_machine_as_test(Evening, settings=settings(HOW, max_examples=max(60, EVENINGS)))


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
