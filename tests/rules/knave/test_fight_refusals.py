"""Every action that a fight refuses says which rule refuses it, and rolls nothing."""

from __future__ import annotations

import pytest

from games.rules import engine
from games.rules import knave_fight as kf
from games.rules.dice import TypedDice
from games.rules.engine import IllegalAction
from games.rules.knave_fight import (
    Abilities,
    Armor,
    Attack,
    Cast,
    Disengage,
    Edge,
    End,
    Engage,
    Flee,
    Heal,
    Hurt,
    Initiative,
    Join,
    Morale,
    Opponent,
    Rest,
    Save,
    Side,
    Turn,
    Weapon,
    Wear,
    Wield,
    refusals,
)
from tests.rules.knave.fights import BOW, STR, Fight, duel, goblin, knave, trip


def crowd() -> Fight:
    """Ash, a dead Bo, an unconscious Cy and a fled Di against a goblin and a fled orc."""
    party = [knave(), knave("bo", hp=-1), knave("cy", hp=0), knave("di")]
    table = Fight(party, [goblin(), goblin("orc")]).begins()
    return table.plays(Flee(of="di")).plays(Flee(of="orc"))


def begun() -> Fight:
    return crowd().attacks("ash", "goblin", 2)


def both() -> Fight:
    return crowd().attacks("ash", "goblin", 2, both=True)


def archer() -> Fight:
    return duel(weapon=BOW).plays(Engage(by="goblin", on="ash"))


def fresh() -> Fight:
    return Fight([knave()], [goblin(morale=None)])


def over() -> Fight:
    return duel().plays(End())


def full() -> Fight:
    return Fight([knave()], [goblin(f"g{n}") for n in range(kf.MOST_COMBATANTS - 1)])


def swing(by: str = "ash", on: str = "goblin", **told) -> Attack:
    return Attack(by=by, on=on, **{"rolled_by": "attacker"} | told)


def save(by: str = "ash", **told) -> Save:
    return Save(by=by, ability=STR, **told)


def comes(**told) -> Join:
    return Join(side=Side.FOES, combatant=goblin(**{"id": "troll"} | told))


GM = None
REFUSED = [
    (over, GM, Initiative(), refusals.OVER),
    (over, 0, save(), refusals.OVER),
    (over, GM, End(), refusals.OVER),
    (crowd, GM, engine.Action(), refusals.UNKNOWN),
    (crowd, 0, engine.Action(), refusals.UNKNOWN),
    (crowd, 4, save(), refusals.NO_SEAT),
    (crowd, -1, save("di"), refusals.NO_SEAT),
    (crowd, 0, swing("goblin", "ash"), refusals.NOT_YOURS),
    (crowd, 0, save("cy"), refusals.NOT_YOURS),
    (crowd, 0, Wield(by="goblin", weapon=None), refusals.NOT_YOURS),
    (crowd, 0, Flee(of="goblin"), refusals.NOT_YOURS),
    (crowd, 0, Turn(of="ash"), refusals.ONLY_REFEREE),
    (crowd, GM, Turn(of="cy"), refusals.UNCONSCIOUS),
    (crowd, GM, Turn(of="orc"), refusals.FLED),
    (crowd, GM, Turn(of="eve"), refusals.STRANGER),
    (crowd, 0, Initiative(), refusals.ONLY_REFEREE),
    (crowd, 0, Hurt(on="ash", amount=1), refusals.ONLY_REFEREE),
    (crowd, 0, Heal(on="ash", amount=1), refusals.ONLY_REFEREE),
    (crowd, 0, Morale(of="goblin"), refusals.ONLY_REFEREE),
    (crowd, 0, Rest(kind="haven"), refusals.ONLY_REFEREE),
    (crowd, 0, Wear(by="ash", armor=Armor(30)), refusals.ONLY_REFEREE),
    (crowd, 0, comes(), refusals.ONLY_REFEREE),
    (crowd, 0, End(), refusals.ONLY_REFEREE),
    (crowd, GM, swing(modifier=21), refusals.MODIFIER),
    (crowd, GM, trip(modifier=-21), refusals.MODIFIER),
    (crowd, 0, save(modifier=10**30), refusals.MODIFIER),
    (crowd, GM, Hurt(on="ash", amount=-1), refusals.AMOUNT),
    (crowd, GM, Heal(on="ash", amount=10_000), refusals.AMOUNT),
    (crowd, 0, trip(effect="x" * 501), refusals.BOUNDS),
    (crowd, 0, Cast(by="ash", spell="x" * 201), refusals.BOUNDS),
    (crowd, 0, Wield(by="ash", weapon=Weapon(0)), refusals.BOUNDS),
    (crowd, 0, swing(rolled_by="nobody"), refusals.BOUNDS),
    (crowd, GM, Wear(by="ash", armor=Armor(41)), refusals.BOUNDS),
    (crowd, GM, comes(max_hp=0, hp=0), refusals.BOUNDS),
    (crowd, GM, comes(bonus=Abilities(str=100)), refusals.BOUNDS),
    (crowd, GM, swing("eve"), refusals.STRANGER),
    (crowd, GM, swing(on="eve"), refusals.STRANGER),
    (crowd, GM, save("eve"), refusals.STRANGER),
    (crowd, 0, save(against=Opponent(who="eve", ability=STR)), refusals.STRANGER),
    (crowd, 0, Cast(by="ash", spell="Fog", on=("goblin", "eve")), refusals.STRANGER),
    (crowd, GM, Hurt(on="eve", amount=1), refusals.STRANGER),
    (crowd, GM, Morale(of="eve"), refusals.STRANGER),
    (crowd, GM, Rest(kind="night", who=("eve",)), refusals.STRANGER),
    (crowd, GM, Wear(by="eve"), refusals.STRANGER),
    (crowd, 1, swing("bo"), refusals.DEAD),
    (crowd, 1, save("bo"), refusals.DEAD),
    (crowd, 1, Wield(by="bo", weapon=None), refusals.DEAD),
    (crowd, 2, trip("cy"), refusals.UNCONSCIOUS),
    (crowd, 2, Cast(by="cy", spell="Fog"), refusals.UNCONSCIOUS),
    (crowd, 2, Engage(by="cy", on="goblin"), refusals.UNCONSCIOUS),
    (crowd, 2, Flee(of="cy"), refusals.UNCONSCIOUS),
    (crowd, 3, swing("di"), refusals.FLED),
    (crowd, 3, save("di"), refusals.FLED),
    (crowd, 3, Flee(of="di"), refusals.FLED),
    (crowd, 0, swing(on="ash"), refusals.ON_SELF),
    (crowd, 0, trip(on="ash"), refusals.ON_SELF),
    (crowd, 0, Engage(by="ash", on="ash"), refusals.ON_SELF),
    (crowd, 0, swing(on="bo"), refusals.ON_DEAD),
    (crowd, 0, trip(on="bo"), refusals.ON_DEAD),
    (crowd, 0, swing(on="orc"), refusals.ON_FLED),
    (crowd, 0, Engage(by="ash", on="orc"), refusals.ON_FLED),
    (crowd, 0, Engage(by="ash", on="cy"), refusals.ON_DOWN),
    (crowd, GM, Hurt(on="bo", amount=1), refusals.ON_DEAD),
    (crowd, GM, Wear(by="bo"), refusals.ON_DEAD),
    (crowd, GM, Heal(on="bo", amount=1), refusals.HEAL_DEAD),
    (crowd, GM, Rest(kind="night", who=("ash", "bo")), refusals.REST_DEAD),
    (crowd, GM, Rest(kind="night", who=("ash", "ash")), refusals.REST_TWICE),
    (crowd, GM, Rest(kind="haven", who=("ash",)), refusals.REST_HAVEN),
    (fresh, 0, swing(), refusals.NO_INITIATIVE),
    (fresh, 0, trip(), refusals.NO_INITIATIVE),
    (fresh, 0, Cast(by="ash", spell="Fog"), refusals.NO_INITIATIVE),
    (fresh, GM, Morale(of="goblin"), refusals.NO_MORALE),
    (begun, 0, swing(), refusals.ATTACKS_MADE),
    (begun, 0, trip(), refusals.ONE_ACTION),
    (begun, 0, trip(both=True), refusals.BOTH_LATE),
    (both, 0, trip(), refusals.BOTH_BEGUN),
    (both, 0, trip(both=True, edge=Edge.ADVANTAGE), refusals.BOTH_EDGE),
    (archer, 0, swing(), refusals.RANGED_ENGAGED),
    (archer, 0, Engage(by="ash", on="goblin"), refusals.ENGAGED),
    (crowd, 0, Disengage(by="ash"), refusals.NOT_ENGAGED),
    (crowd, GM, Disengage(by="bo"), refusals.DEAD),
    (lambda: duel(weapon=None), 0, swing(), refusals.NO_WEAPON),
    (duel, 0, swing(with_=0), refusals.NO_SUCH_WEAPON),
    (crowd, GM, comes(id="goblin"), refusals.SAME_ID),
    (crowd, GM, comes(id="bo"), refusals.SAME_ID),
    (crowd, GM, comes(hp=9), refusals.TOO_HEALTHY),
    (full, GM, comes(), refusals.TOO_MANY),
]


@pytest.mark.parametrize(("table", "seat", "action", "reason"), REFUSED)
def test_a_refusal_says_why_and_rolls_nothing(table, seat, action, reason):
    table().refuses(reason, action, seat)


BAD_SETUPS = [
    ([], [goblin()], refusals.NO_PARTY),
    ([knave()], [], refusals.NO_FOES),
    ([knave()], [goblin("ash")], refusals.SAME_ID),
    ([knave()], [goblin(), goblin()], refusals.SAME_ID),
    ([knave()], [goblin(f"g{n}") for n in range(60)], refusals.TOO_MANY),
    ([knave(hp=9)], [goblin()], refusals.TOO_HEALTHY),
    ([knave(id="")], [goblin()], refusals.SETUP_BOUNDS),
    ([knave(id="x" * 61)], [goblin()], refusals.SETUP_BOUNDS),
    ([knave(level=-1)], [goblin()], refusals.SETUP_BOUNDS),
    ([knave()], [goblin(attacks=0)], refusals.SETUP_BOUNDS),
    ([knave()], [goblin(morale=13)], refusals.SETUP_BOUNDS),
]


@pytest.mark.parametrize(("party", "foes", "reason"), BAD_SETUPS)
def test_a_fight_that_cannot_be_is_refused(party, foes, reason):
    with pytest.raises(IllegalAction) as refused:
        kf.setup(kf.Setup(tuple(party), tuple(foes)), TypedDice(()))
    assert (refused.value.why, refused.value.rule) == reason


def test_every_reason_is_reached_by_some_test():
    """Keeps the list honest: a sentence that nothing says would still be translated."""
    told = {reason for *_, reason in (*REFUSED, *BAD_SETUPS)}
    all_of_them = {name for name in vars(refusals) if name.isupper()}
    elsewhere = {"SECOND_BEGAN", "STUNT_MADE"}  # test_fight_rules, test_fight_turns
    elsewhere |= {name for name in all_of_them if name.startswith("RECORD_")}  # test_fight_records
    missed = {name for name in all_of_them - elsewhere if getattr(refusals, name) not in told}
    assert not missed
