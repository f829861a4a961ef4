"""Experience and new levels (KN-22, KN-23)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from games.rules.engine import Dice, IllegalAction
from games.rules.knave.abilities import HIGHEST, Ability, Bonuses
from games.rules.knave.prices import in_copper
from games.rules.words import _

LEVEL_XP: Final = 1000
"""Every so many points of experience are a level (KN-22)."""

HIGHEST_LEVEL: Final = 100
"""No level above this is rolled for. The rules know no end; somebody's typing error does."""

HP_DIE: Final = 8
RAISES: Final = 3
_DIE: Final = 20

ACCOMPLISHMENTS: Final = MappingProxyType({"low": 50, "moderate": 100, "high": 200})
"""The experience for an accomplishment, by the risk it took (KN-22)."""


class RaiseRoll(msgspec.Struct, frozen=True):
    """One d20 for an ability's rise: below its defense it rose (KN-23)."""

    ability: str
    face: int
    has_risen: bool


class LevelStep(msgspec.Struct, frozen=True):
    """One level gained: the d8s, the new maximum, the abilities after it, and any d20s."""

    level: int
    faces: tuple[int, ...]
    max_hp: int
    bonuses: Bonuses
    rolls: tuple[RaiseRoll, ...]


class Veteran(msgspec.Struct, frozen=True):
    """What a draft has become on its way to a level, step by step."""

    level: int
    max_hp: int
    bonuses: Bonuses
    steps: tuple[LevelStep, ...]

    @property
    def xp(self) -> int:
        """The least experience that makes this level (KN-22)."""
        return (self.level - 1) * LEVEL_XP


def level_for(xp: int) -> int:
    """Return the level that a total of experience stands for (KN-22).

    >>> level_for(950), level_for(950 + 100)
    (1, 2)
    """
    return 1 + max(0, xp) // LEVEL_XP


def next_level_xp(level: int) -> int:
    """Return the experience at which the level after this one is due (KN-22).

    >>> next_level_xp(1), next_level_xp(2)
    (1000, 2000)
    """
    return max(1, level) * LEVEL_XP


def is_due(level: int, xp: int) -> bool:
    """Tell whether the experience is enough for a level above this one, if there is one (KN-22)."""
    return level < HIGHEST_LEVEL and level_for(xp) > level


def coin_xp(gold: int, silver: int, copper: int) -> int:
    """Return the experience for coin, where the table gives it (KN-22): a point a copper piece.

    A gold piece is worth 100 copper, a silver piece 10. Raises IllegalAction for a negative number
    of coins.
    """
    if min(gold, silver, copper) < 0:
        raise IllegalAction(_("nobody brings home fewer coins than none"), "KN-22")
    return in_copper(gold, silver, copper)


def roll_max_hp(dice: Dice, new_level: int, old_max: int) -> tuple[tuple[int, ...], int]:
    """Roll a d8 for each level; return the faces and the new maximum of hit points (KN-23).

    Less than the old maximum becomes the old one and 1; **ruling:** an equal
    sum stays equal. Raises IllegalAction for a level outside 1 to HIGHEST_LEVEL.
    """
    check_level(new_level)
    faces = tuple(dice.roll(HP_DIE) for each in range(new_level))
    rolled = sum(faces)
    return faces, old_max + 1 if rolled < old_max else rolled


def raise_three(bonuses: Bonuses, abilities: Iterable[Ability | str]) -> Bonuses:
    """Raise the chosen abilities by 1, bonus and defense together (KN-23).

    They must be three different ones below 20/+10; **ruling:** when fewer than
    three are below it, all that are. Raises IllegalAction with the reason.
    """
    chosen = [ability_named(name) for name in abilities]
    if len(set(chosen)) != len(chosen):
        raise IllegalAction(_("the abilities that rise must be different ones"), "KN-23")
    if any(bonuses.of(ability) >= HIGHEST for ability in chosen):
        raise IllegalAction(_("an ability never rises above 20/+10"), "KN-23")
    if len(chosen) != min(RAISES, len(may_rise(bonuses))):
        raise IllegalAction(_("a new level raises three abilities"), "KN-23")
    return _raised(bonuses, chosen)


def raise_by_dice(
    dice: Dice, bonuses: Bonuses, order: Sequence[Ability | str] = tuple(Ability)
) -> tuple[tuple[RaiseRoll, ...], Bonuses]:
    """Let d20s say which abilities rise, going round in the player's order (KN-23, option).

    A roll below an ability's defense raises it by 1; the round goes on until
    three have risen and passes over those at 20/+10 and those risen already.
    When fewer than three are below it, all that are rise. An ability that no
    face can raise (a defense of 1 or less, which no character has) is passed
    over too, so that the going round ends. Raises IllegalAction unless the
    order names every ability once.
    """
    in_order = [ability_named(name) for name in order]
    if sorted(a.value for a in in_order) != sorted(a.value for a in Ability):
        raise IllegalAction(_("the order must name every ability once"), "KN-23")
    waiting = [a for a in in_order if bonuses.of(a) < HIGHEST and bonuses.defense(a) > 1]
    wanted = min(RAISES, len(waiting))
    rolls: list[RaiseRoll] = []
    risen: list[Ability] = []
    while len(risen) < wanted:
        for ability in tuple(waiting):
            face = dice.roll(_DIE)
            has_risen = face < bonuses.defense(ability)
            rolls.append(RaiseRoll(ability.value, face, has_risen))
            if has_risen:
                waiting.remove(ability)
                risen.append(ability)
            if len(risen) == wanted:
                break
    return tuple(rolls), _raised(bonuses, risen)


def climb(
    dice: Dice,
    bonuses: Bonuses,
    max_hp: int,
    level: int,
    *,
    raises: Literal["dice", "chosen"] = "dice",
    order: Sequence[Ability | str] = tuple(Ability),
) -> Veteran:
    """Take somebody of level 1 up to a level, one level after the other (KN-23).

    Abilities rise by dice in the given order, or, "chosen", the first three of
    the order that still can. Raises IllegalAction for a level that nobody has.
    """
    check_level(level)
    steps = []
    for reached in range(2, level + 1):
        faces, max_hp = roll_max_hp(dice, reached, max_hp)
        rolls: tuple[RaiseRoll, ...] = ()
        if raises == "dice":
            rolls, bonuses = raise_by_dice(dice, bonuses, order)
        else:
            able = [name for name in order if ability_named(name) in may_rise(bonuses)]
            bonuses = raise_three(bonuses, able[:RAISES])
        steps.append(LevelStep(reached, faces, max_hp, bonuses, rolls))
    return Veteran(level, max_hp, bonuses, tuple(steps))


def may_rise(bonuses: Bonuses) -> tuple[Ability, ...]:
    """Return the abilities that are still below 20/+10 (KN-23)."""
    return tuple(ability for ability in Ability if bonuses.of(ability) < HIGHEST)


def ability_named(name: Ability | str) -> Ability:
    """Return the ability that three letters name (KN-1). Raises IllegalAction for other letters."""
    try:
        return Ability(name)
    except ValueError:
        raise IllegalAction(_("there is no such ability"), "KN-1") from None


def check_level(level: int) -> None:
    """Refuse a level that nobody can have: IllegalAction, KN-23."""
    if not 1 <= level <= HIGHEST_LEVEL:
        raise IllegalAction(_("a level goes from 1 to 100"), "KN-23")


def _raised(bonuses: Bonuses, abilities: Iterable[Ability]) -> Bonuses:
    return replace(bonuses, **{a.value: bonuses.of(a) + 1 for a in abilities})
