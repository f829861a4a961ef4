"""Every d20 of a fight: attacks, stunts and saves."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from games.rules.engine import Dice
from games.rules.knave.abilities import FLOOR
from games.rules.knave.saves import SAVE_TARGET, Rolled, roll
from games.rules.knave_fight.actions import Attack, Save, Stunt
from games.rules.knave_fight.events import Attacked, Saved, Stunted
from games.rules.knave_fight.harm import Log, hurt, wear_armor, wear_weapon
from games.rules.knave_fight.model import D20, Fighter, Last, Side, State, Weapon


class Harm(NamedTuple):
    """What a hit's dice came to; nothing without a hit."""

    faces: tuple[int, ...] = ()
    plus: int = 0

    @property
    def amount(self) -> int:
        """Return the hit points it costs. **Ruling:** what is taken away leaves no less than 0."""
        return max(0, sum(self.faces) + self.plus)


def roll_harm(weapon: Weapon, more: int, dice: Dice) -> Harm:
    """Roll a hit's damage: the weapon's dice, so many more of the kind, the plus once.

    An ideal weapon is one more (KN-15), a critical one more (KN-19): 2d8 are 3d8 or 4d8.
    """
    faces = tuple(dice.roll(weapon.die) for _ in range(weapon.dice + more))
    return Harm(faces, weapon.plus)


def _last(rolled: Rolled, whose: Fighter | None) -> Last:
    """Return what is kept of a roll; `whose` number the target tells, if anybody's."""
    is_secret = whose is not None and whose.side is Side.FOES
    return Last(rolled.total, rolled.target, rolled.success, is_secret)


def used_turn(state: State, fighter: Fighter) -> State:
    """Put back a combatant who has just acted, which begins their side's turn (KN-12)."""
    return replace(state.put(fighter), second_began=fighter.side is not state.first)


def attack(state: State, action: Attack, dice: Dice, log: Log) -> State:
    """Roll an attack, from either side, and its damage if it hits (KN-14, KN-15, KN-19).

    A critical or a fumble is the face that counts. The hit is judged by the
    armor before a critical wears it.
    """
    attacker, defender = state.of(action.by), state.of(action.on)
    weapon = attacker.weapon_at(action.with_)
    assert weapon is not None
    bonus = attacker.attack_bonus(weapon)
    if action.rolled_by == "attacker":
        rolled = roll(dice, bonus + action.modifier, defender.armor_defense, action.edge)
        hit, critical, fumble = rolled.success, rolled.natural == D20, rolled.natural == 1
        last = _last(rolled, defender)
    else:
        ward = defender.armor_bonus + action.modifier
        rolled = roll(dice, ward, FLOOR + bonus, action.edge)
        hit, critical, fumble = not rolled.success, rolled.natural == 1, rolled.natural == D20
        last = _last(rolled, attacker)
    harm = roll_harm(weapon, action.ideal + critical, dice) if hit else Harm()
    log.append(_attacked(action, weapon, rolled, harm, (hit, critical, fumble)))
    attacked = attacker.attacked + 1
    acted = replace(attacker, attacked=attacked, both=action.both, both_on=_both_on(action))
    state = replace(used_turn(state, acted), last=last)
    if hit:
        state = hurt(state, action.on, harm.amount, action.by, log)
    if critical:
        state = wear_armor(state, action.on, log)
    return wear_weapon(state, action.by, action.with_, log) if fumble else state


def _attacked(
    action: Attack,
    weapon: Weapon,
    rolled: Rolled,
    harm: Harm,
    came_out: tuple[bool, bool, bool],
) -> Attacked:
    hit, critical, fumble = came_out
    return Attacked(
        by=action.by,
        on=action.on,
        rolled_by=action.rolled_by,
        edge=action.edge,
        faces=rolled.faces,
        counted=rolled.natural,
        total=rolled.total,
        target=rolled.target,
        success=rolled.success,
        hit=hit,
        critical=critical,
        fumble=fumble,
        ideal=action.ideal,
        both=action.both,
        weapon=weapon.name,
        die=weapon.die,
        damage_faces=harm.faces,
        damage=harm.amount,
        plus=harm.plus,
    )


def stunt(state: State, action: Stunt, dice: Dice, log: Log) -> State:
    """Roll an opposed save for an effect that does no direct damage (KN-17)."""
    by, on = state.of(action.by), state.of(action.on)
    bonus = by.bonus.of(action.ability) + action.modifier
    rolled = roll(dice, bonus, on.bonus.defense(action.against), action.edge)
    log.append(
        Stunted(
            by=action.by,
            on=action.on,
            ability=action.ability,
            against=action.against,
            edge=action.edge,
            faces=rolled.faces,
            counted=rolled.natural,
            total=rolled.total,
            target=rolled.target,
            success=rolled.success,
            effect=action.effect,
            both=action.both,
        )
    )
    acted = replace(by, stunted=True, both=action.both, both_on=_both_on(action))
    state = used_turn(state, acted)
    return replace(state, last=_last(rolled, on))


def _both_on(action: Attack | Stunt) -> str:
    return action.on if action.both else ""


def save(state: State, action: Save, dice: Dice, log: Log) -> State:
    """Roll a save, against 15 or against somebody's ability defense (KN-8, KN-9)."""
    opponent = None if action.against is None else state.of(action.against.who)
    target = SAVE_TARGET
    if opponent is not None and action.against is not None:
        target = opponent.bonus.defense(action.against.ability)
    bonus = state.of(action.by).bonus.of(action.ability) + action.modifier
    rolled = roll(dice, bonus, target, action.edge)
    log.append(
        Saved(
            by=action.by,
            ability=action.ability,
            who=None if action.against is None else action.against.who,
            against=None if action.against is None else action.against.ability,
            edge=action.edge,
            faces=rolled.faces,
            counted=rolled.natural,
            total=rolled.total,
            target=rolled.target,
            success=rolled.success,
        )
    )
    return replace(state, last=_last(rolled, opponent))
