"""What is listed of a fight is all that is legal, and what is kept of it has an end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from games.rules import knave_fight as kf
from games.rules.knave.abilities import Ability
from games.rules.knave_fight import (
    Attack,
    Cast,
    Disengage,
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
    State,
    Stunt,
    Turn,
    Weapon,
    Wear,
    Wield,
    legal,
)
from games.rules.knave_fight.actions import NEWCOMER
from tests.rules.knave.fights import BOW, SWORD, Fight, goblin, knave

STR = Ability.STRENGTH


def all_there_are(state: State) -> Iterator[kf.AnyAction]:
    """Yield every action that has nothing filled in, legal or not."""
    for one, both in product(state.fighters, (False, True)):
        for other in state.ids:
            for index in (None, *range(len(one.weapons))):
                yield Attack(by=one.id, on=other, rolled_by="attacker", both=both, with_=index)
            yield Stunt(by=one.id, on=other, ability=STR, against=STR, both=both)
    for me in state.ids:
        yield Save(by=me, ability=STR, against=None)
        for other in state.ids:
            yield Save(by=me, ability=STR, against=Opponent(who=other, ability=STR))
            yield Engage(by=me, on=other)
        yield from (Cast(by=me, spell=""), Disengage(by=me), Wield(by=me, weapon=None))
        yield from (Flee(of=me), Turn(of=me), Morale(of=me), Wear(by=me))
        yield from (Hurt(on=me, amount=0), Heal(on=me, amount=0))
    yield from (Join(side=side, combatant=NEWCOMER) for side in Side)
    yield from (Initiative(), Rest(kind="night"), Rest(kind="haven"), End())


def company(hand: Weapon | None = SWORD, *more: Weapon | None, attacks: int = 2) -> Fight:
    return Fight(
        [knave(weapon=hand), knave("bo", weapon=BOW), knave("cy", weapon=None)],
        [
            goblin(hp=40, max_hp=40, weapons=more, attacks=attacks),
            goblin("b", hp=1),
            goblin("c", hp=0),
        ],
    )


def an_evening(
    hand: Weapon | None = SWORD, *more: Weapon | None, attacks: int = 2
) -> Iterator[State]:
    """Tell a fight move by move: somebody falls, flees, joins, is in melee, changes sides."""
    table = company(hand, *more, attacks=attacks)
    yield table.state
    yield table.begins().state
    yield table.plays(Engage(by="ash", on="goblin")).state
    table.plays(Engage(by="ash", on="b")).plays(Engage(by="cy", on="goblin"))
    yield table.stunts("ash", "goblin", 2, both=True).state
    yield table.attacks("bo", "b", 2).state
    yield table.attacks("goblin", "cy", 2).state
    yield table.plays(Disengage(by="ash")).state
    yield table.plays(Flee(of="bo")).state
    yield table.plays(Hurt(on="cy", amount=8)).state
    yield table.plays(Hurt(on="cy", amount=1)).state
    yield table.plays(Hurt(on="b", amount=30)).state
    yield table.plays(Join(side=Side.PARTY, combatant=knave("di"))).state
    yield table.begins("foes").state
    yield table.plays(Cast(by="di", spell="Fog")).state
    yield table.plays(Turn(of="goblin")).state
    yield table.plays(End()).state


def test_all_that_is_legal_is_listed_once_and_nothing_else():
    """KN-12 to KN-20: what nobody is offered, nobody can do on a phone.

    The fights differ in weapons and attacks alone: what is kept of one is not another's.
    """
    fights = (SWORD, SWORD, BOW), (BOW, BOW, SWORD), (None, None, BOW), (BOW, None), (SWORD,)
    states = [one for weapons in fights for one in an_evening(*weapons)]
    for state in (*states, *an_evening(attacks=1)):
        listed = kf.legal_actions(state, None)
        may = [one for one in all_there_are(state) if kf.fault(state, None, one) is None]
        assert sorted(map(repr, listed)) == sorted(map(repr, may))
        for seat, one in enumerate(state.party):
            own = [a for a in may if one.id in (getattr(a, "by", ""), getattr(a, "of", ""))]
            own = [a for a in own if kf.fault(state, seat, a) is None]
            assert sorted(map(repr, kf.legal_actions(state, seat))) == sorted(map(repr, own))


def test_a_fight_that_is_full_offers_nobody_to_join():
    """Each further combatant would make the host's page longer without end."""
    foes = [goblin(f"g{n}") for n in range(kf.MOST_COMBATANTS - 2)]
    table = Fight([knave()], foes)
    joins = [one for one in kf.legal_actions(table.state, None) if isinstance(one, Join)]
    assert len(joins) == 2
    table.plays(Join(side=Side.FOES, combatant=goblin("last")))
    assert not [one for one in kf.legal_actions(table.state, None) if isinstance(one, Join)]


def forget() -> None:
    legal._kept.clear()
    legal._listed.clear()


def test_a_combatant_is_listed_anew_only_when_something_has_changed(
    monkeypatch: pytest.MonkeyPatch,
):
    """R8: every page of the host's lists all of them, with every tap."""
    asked: list[str] = []
    own = legal._own

    def owns(state: State, fighter: kf.Fighter, *around: Any) -> list[kf.AnyAction]:
        asked.append(fighter.id)
        return own(state, fighter, *around)

    monkeypatch.setattr(legal, "_own", owns)
    table = company().begins()
    forget()
    asked.clear()
    kf.legal_actions(table.state, None)
    assert sorted(asked) == ["ash", "b", "bo", "cy", "goblin"]
    asked.clear()
    for kept in (legal._listed, legal._kept):  # by either alone
        kf.legal_actions(table.state, None)
        kept.clear()
        kf.legal_actions(table.state, None)
        assert asked == []
    kf.legal_actions(table.attacks("ash", "goblin", 2).state, None)
    assert "b" not in asked


def test_what_is_kept_of_all_fights_has_an_end(monkeypatch: pytest.MonkeyPatch):
    """R8: a house that stands for years holds no more than so many."""
    monkeypatch.setattr(legal, "MOST_LISTED", 4)
    monkeypatch.setattr(legal, "MOST_KEPT", 4)
    forget()
    for state in an_evening():
        kf.legal_actions(state, None)
        assert len(legal._listed) <= 4
        assert len(legal._kept) <= 4
