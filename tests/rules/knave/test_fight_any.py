"""Whatever happens in a fight, in whatever order, it keeps its rules.

The machine holds a second account of the fight, written from the rules page
alone with plain numbers, and asks of every action: is it legal, and what comes
of it? The engine has to agree.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from games.rules import engine, records
from games.rules import knave_fight as kf
from games.rules.engine import IllegalAction
from games.rules.knave_fight import (
    Abilities,
    Armor,
    Attack,
    Combatant,
    Disengage,
    Edge,
    Engage,
    Flee,
    Guard,
    Heal,
    Hurt,
    Initiative,
    Morale,
    Rest,
    Setup,
    Stunt,
    Weapon,
)
from tests.rules.knave.fights import DEX, STR
from tests.sizes import size

NAMES = ("ash", "bo", "goblin", "ogre")
WHO = st.sampled_from(NAMES)
EDGES = st.sampled_from([None, None, *Edge])
DICE, PLUS = st.sampled_from([1, 1, 1, 2, 4]), st.sampled_from([0, 0, 0, -5, 2])
FACES = st.integers(1, 20) | st.sampled_from([1, 2, 19, 20])


@dataclass
class Account:
    """One combatant, as somebody with pencil and paper would keep them."""

    side: str
    hp: int
    most: int
    strength: int
    wisdom: int
    con: int
    hide: int
    gear: list[int]  # the qualities of armor, shield, helmet; 0 for none
    blow: tuple[int, int, int]  # how many dice, their sides, what is added
    weapon: int | None  # quality; 0 broken, None for claws that never wear
    ranged: bool
    attacks: int
    morale: int | None
    fled: bool = False
    done: list[tuple[str, bool]] = field(default_factory=list)

    @property
    def status(self) -> str:
        if self.hp < 0:
            return "dead"
        return "fled" if self.fled else "unconscious" if self.hp == 0 else "up"

    @property
    def defense(self) -> int:
        return (self.hide if self.gear[0] else 11) + bool(self.gear[1]) + bool(self.gear[2])

    def wear(self) -> None:
        for at, quality in enumerate(self.gear):
            if quality:
                self.gear[at] -= 1
                return

    def may(self, act: str, both: bool) -> bool:
        """Tell whether the round's acts with this one more are what KN-13 and KN-18 allow."""
        acts = [*self.done, (act, both)]
        count = {kind: sum(kind == one for one, _ in acts) for kind in ("attack", "stunt")}
        if all(paired for _, paired in acts):
            return count["attack"] <= 1 and count["stunt"] <= 1
        if any(paired for _, paired in acts):
            return False
        return (count["stunt"], count["attack"]) == (1, 0) or (
            count["stunt"] == 0 and count["attack"] <= self.attacks
        )


class Told:
    """Dice that Hypothesis throws, and that remember what fell."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data
        self.fell: list[int] = []

    def roll(self, sides: int) -> int:
        face = self.data.draw(FACES if sides == 20 else st.integers(1, sides))
        self.fell.append(face)
        return face


@st.composite
def accounts(draw, side: str) -> Account:
    most = draw(st.integers(1, 25))
    small = st.integers(-1, 6)
    return Account(
        side=side,
        hp=draw(st.just(most) | st.just(most) | st.integers(-1, most)),
        most=most,
        strength=draw(small),
        wisdom=draw(small),
        con=draw(small),
        hide=draw(st.integers(9, 22)),
        gear=draw(st.lists(st.integers(0, 2), min_size=3, max_size=3)),
        blow=draw(st.tuples(DICE, st.sampled_from([2, 4, 6, 8, 12]), PLUS)),
        weapon=draw(st.sampled_from([None, None, 0, 1, 2, 3])),
        ranged=draw(st.booleans()),
        attacks=draw(st.sampled_from([1, 1, 3])),
        morale=draw(st.none() | st.integers(2, 11)),
    )


def combatant(name: str, one: Account) -> Combatant:
    armor, shield, helmet = one.gear
    dice, die, plus = one.blow
    return Combatant(
        id=name,
        bonus=Abilities(str=one.strength, wis=one.wisdom, con=one.con, dex=one.wisdom),
        hp=one.hp,
        max_hp=one.most,
        armor=Armor(one.hide, armor) if armor else None,
        shield=Guard(shield) if shield else None,
        helmet=Guard(helmet) if helmet else None,
        weapon=Weapon(die, one.weapon, one.ranged, dice=dice, plus=plus),
        attacks=one.attacks,
        morale=one.morale,
    )


class AnyFight(RuleBasedStateMachine):
    @initialize(data=st.data())
    def they_meet(self, data: st.DataObject) -> None:
        sides = ("party", "party", "foes", "foes")
        drawn = [data.draw(accounts(side)) for side in sides]
        self.all = dict(zip(NAMES, drawn, strict=True))
        party, foes = NAMES[:2], NAMES[2:]
        self.table = Setup(
            tuple(combatant(name, self.all[name]) for name in party),
            tuple(combatant(name, self.all[name]) for name in foes),
        )
        self.state = kf.setup(self.table, Told(data))
        self.round, self.first, self.second_began = 0, None, False
        self.melee: set[frozenset[str]] = set()
        self.plays: list[engine.Play] = []
        self.last = None
        self.initiative(data)

    def play(self, action: kf.FightAction, data: st.DataObject, *, legal: bool) -> list[int] | None:
        """Play it as the referee; the engine must refuse exactly what the account does."""
        dice = Told(data)
        if not legal:
            before = self.state
            with pytest.raises(IllegalAction):
                engine.play(kf, self.state, None, action, dice)
            assert dice.fell == []
            assert self.state == before
            return None
        self.state, _ = engine.play(kf, self.state, None, action, dice)
        self.plays.append((None, action, tuple(dice.fell)))
        return dice.fell

    def may_act(self, by: str, act: str, both: bool) -> bool:
        one = self.all[by]
        has_turn = self.round > 0 and (one.side != self.first or not self.second_began)
        return has_turn and one.status == "up" and one.may(act, both)

    def acted(self, by: str, act: str, both: bool) -> None:
        self.all[by].done.append((act, both))
        self.second_began |= self.all[by].side != self.first

    def loses(self, who: str, amount: int) -> None:
        self.all[who].hp -= amount
        if self.all[who].status != "up":
            self.leaves_melee(who)

    def leaves_melee(self, who: str) -> None:
        self.melee = {pair for pair in self.melee if who not in pair}

    def counted(self, fell: list[int], edge: Edge | None) -> int:
        if edge is None:
            return fell[0]
        return max(fell[:2]) if edge is Edge.ADVANTAGE else min(fell[:2])

    @rule(data=st.data())
    def they_begin_a_round(self, data: st.DataObject) -> None:
        self.initiative(data)

    def initiative(self, data: st.DataObject) -> None:
        fell = self.play(Initiative(), data, legal=True)
        self.round, self.second_began = self.round + 1, False
        self.first = "foes" if fell[0] <= 3 else "party"
        for one in self.all.values():
            one.done = []

    @rule(data=st.data(), both=st.booleans(), ideal=st.booleans(), defends=st.booleans())
    def somebody_who_may_attacks_somebody(self, data, both, ideal, defends) -> None:
        """As below, but seldom in vain."""
        able = [name for name in NAMES if self.may_act(name, "attack", both)]
        up = [name for name in NAMES if self.all[name].status == "up"]
        by = data.draw(st.sampled_from(able or NAMES))
        on = data.draw(st.sampled_from([name for name in up if name != by] or NAMES))
        edge = None if both else data.draw(EDGES)
        self.attacks(data, by, on, edge, both, ideal, 0, defends)

    @rule(
        data=st.data(),
        by=WHO,
        on=WHO,
        edge=EDGES,
        both=st.booleans(),
        ideal=st.booleans(),
        modifier=st.integers(-3, 3),
        defends=st.booleans(),
    )
    def anybody_attacks_anybody(self, data, by, on, edge, both, ideal, modifier, defends) -> None:
        self.attacks(data, by, on, edge, both, ideal, modifier, defends)

    def attacks(self, data, by, on, edge, both, ideal, modifier, defends) -> None:
        one, other = self.all[by], self.all[on]
        engaged = any(by in pair for pair in self.melee)
        legal = self.may_act(by, "attack", both) and by != on
        legal = legal and other.status in ("up", "unconscious") and not (both and edge)
        legal = legal and one.weapon != 0 and not (one.ranged and engaged)
        roller = "defender" if defends else "attacker"
        told = {"edge": edge, "both": both, "ideal": ideal, "modifier": modifier}
        fell = self.play(Attack(by=by, on=on, rolled_by=roller, **told), data, legal=legal)
        if fell is None:
            return
        self.acted(by, "attack", both)
        face, bonus = self.counted(fell, edge), one.wisdom if one.ranged else one.strength
        damage = fell[2 if edge else 1 :]
        if defends:
            total, target = face + other.defense - 10 + modifier, 10 + bonus
            hit, best, worst = total <= target, 1, 20
        else:
            total, target = face + bonus + modifier, other.defense
            hit, best, worst = total > target, 20, 1
        self.last = (total, target, total > target)
        assert len(damage) == (one.blow[0] + ideal + (face == best) if hit else 0)
        if hit:
            self.loses(on, max(0, sum(damage) + one.blow[2]))
        if face == best:
            other.wear()
        if face == worst and one.weapon:
            one.weapon -= 1

    @rule(data=st.data(), by=WHO, on=WHO, edge=EDGES, both=st.booleans())
    def stunt(self, data, by, on, edge, both) -> None:
        legal = self.may_act(by, "stunt", both) and by != on and not (both and edge)
        legal = legal and self.all[on].status in ("up", "unconscious")
        action = Stunt(by=by, on=on, ability=STR, against=DEX, edge=edge, both=both)
        fell = self.play(action, data, legal=legal)
        if fell is not None:
            self.acted(by, "stunt", both)
            total = self.counted(fell, edge) + self.all[by].strength
            target = 10 + self.all[on].wisdom
            self.last = (total, target, total > target)

    @rule(data=st.data(), on=WHO, amount=st.integers(0, 6))
    def hurt(self, data, on, amount) -> None:
        legal = self.all[on].status != "dead"
        if self.play(Hurt(on=on, amount=amount), data, legal=legal) is not None:
            self.loses(on, amount)

    @rule(data=st.data(), on=WHO, amount=st.integers(0, 30))
    def heal(self, data, on, amount) -> None:
        one = self.all[on]
        if self.play(Heal(on=on, amount=amount), data, legal=one.status != "dead") is not None:
            one.hp = min(one.most, one.hp + amount)

    @rule(data=st.data(), who=st.lists(WHO, unique=True))
    def a_night(self, data, who) -> None:
        legal = all(self.all[name].status != "dead" for name in who)
        fell = self.play(Rest(kind="night", who=tuple(who)), data, legal=legal)
        for name, face in zip(who, fell or (), strict=legal):
            one = self.all[name]
            one.hp = max(one.hp, min(one.most, one.hp + face + one.con))

    @rule(data=st.data(), of=WHO)
    def morale(self, data, of) -> None:
        one = self.all[of]
        fell = self.play(Morale(of=of), data, legal=one.morale is not None)
        if fell is not None:
            holds = sum(fell) <= one.morale
            self.last = (sum(fell), one.morale, holds)
            if one.status == "up" and not holds:
                one.fled = True
                self.leaves_melee(of)

    @rule(data=st.data(), by=WHO, on=WHO)
    def engage(self, data, by, on) -> None:
        legal = by != on and self.all[by].status == self.all[on].status == "up"
        legal = legal and frozenset((by, on)) not in self.melee
        if self.play(Engage(by=by, on=on), data, legal=legal) is not None:
            self.melee.add(frozenset((by, on)))

    @rule(data=st.data(), by=WHO)
    def disengage(self, data, by) -> None:
        legal = self.all[by].status == "up" and any(by in pair for pair in self.melee)
        if self.play(Disengage(by=by), data, legal=legal) is not None:
            self.leaves_melee(by)

    @rule(data=st.data(), of=WHO, surely=st.integers(0, 4), turns=st.booleans())
    def flee_or_turn(self, data, of, surely, turns) -> None:
        """Now and then, or nobody would be left to fight."""
        one, action = self.all[of], (kf.Turn if turns else Flee)(of=of)
        if surely or self.play(action, data, legal=one.status == "up") is None:
            return
        one.fled = not turns
        if turns:
            one.side = {"party": "foes", "foes": "party"}[one.side]
        self.leaves_melee(of)

    @invariant()
    def the_engine_and_the_account_agree(self) -> None:
        summary = kf.summary(self.state)
        assert (summary["round"], summary["first"]) == (self.round, self.first)
        last = summary["last"]
        assert (last and (last["total"], last["target"], last["success"])) == self.last
        for name, one in self.all.items():
            assert summary["combatants"][name] == {
                "hp": one.hp,
                "state": one.status,
                "armor_defense": one.defense,
                "armor_quality": one.gear[0] or None,
                "weapon_quality": one.weapon or None,
            }
        assert {frozenset(pair) for pair in self.state.engaged} == self.melee

    @invariant()
    def nobody_has_more_than_all_or_gear_worth_nothing(self) -> None:
        for one in self.state.fighters:
            assert one.hp <= one.max_hp
            for piece in (one.armor, one.shield, one.helmet, one.weapon):
                assert piece is None or piece.quality is None or piece.quality > 0

    @invariant()
    def all_that_is_listed_is_legal_and_a_seat_is_offered_only_its_own(self) -> None:
        offered = kf.legal_actions(self.state, None)
        assert len(offered) == len({msgspec.json.encode(one) for one in offered})
        for seat in (None, 0, 1):
            for action in kf.legal_actions(self.state, seat):
                assert kf.fault(self.state, seat, action) is None
                assert action.blank() == action
                assert action in offered

    @invariant()
    def morale_is_due_only_of_those_who_can_still_be_shaken(self) -> None:
        for who in self.state.morale_due:
            assert self.all[who].status == "up"
            assert self.all[who].morale is not None

    @invariant()
    def no_seat_learns_a_foes_figures(self) -> None:
        changed = kf.scramble(self.state, 0, random.Random(len(self.plays)))
        assert changed != self.state or all(f.side == "party" for f in self.state.fighters)
        for seat in (None, 0, 1):
            assert kf.view(changed, seat) == kf.view(self.state, seat)
        assert kf.legal_actions(changed, 0) == kf.legal_actions(self.state, 0)

    @invariant()
    def states_round_trip(self) -> None:
        assert msgspec.json.decode(msgspec.json.encode(self.state), type=kf.State) == self.state

    def teardown(self) -> None:
        """Replay what was played: the same dice make the same fight."""
        if hasattr(self, "state"):
            written = records.write(kf.NAME, self.table, self.plays)
            assert records.replay(written).state == self.state


TestAnyFight = AnyFight.TestCase
TestAnyFight.settings = settings(
    max_examples=size(25, 1000),
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
