"""Taps that anybody might try at a Knave table, about whatever there is just now."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from characters import actions as do
from characters.models import HirelingKind, Monster
from games.models import Table
from games.rules import knave_fight as kf
from games.rules.engine import Action
from games.stored import state_of
from tests.characters.crew import article


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
    lambda c: do.TakeOn(c.who, c.who),
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
    lambda c: do.NameLeader(c.encounter, "goblin-2", on=c.of([True, False])),
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
    lambda c: do.JoinFight(c.who),
    lambda c: do.SideDone(),
    lambda c: do.EndFight(),
]
