"""Old-school stat lines turned into Knave's figures, each with how it was come by.

The book converts a monster so: hit points are about 4 for each d8 of hit dice; an ascending
armor class is the armor defense, a descending one is taken from 19 (from 20 for AD&D); the attack
bonus stays, and is the number of hit dice where none is printed; damage and morale stay; every
ability bonus is the level. Ours are: less than one hit die is level 0 with 2 hit points; 19 or 20
less THAC0 is an attack bonus, as with armor; a third of a speed for a turn is that for a round;
and whatever a line does not say is assumed, and noted.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

import msgspec

from games.rules.knave.damage import Damage, parse_damage
from games.rules.knave.entries import Speed
from games.rules.knave.numbers import UNARMORED
from games.rules.knave.stat_attacks import Blows, read_blows
from games.rules.knave.statline import Line, cut
from games.rules.words import _

Edition = Literal["bx", "adnd"]

_LONGEST: Final = 4000
_TOP: Final = {"bx": 19, "adnd": 20}
_LEVELS: Final = (0, 30)
_DEFENSES: Final = (5, 30)
_HIT_POINTS: Final = (1, 999)
_BONUSES: Final = (-5, 30)
_MORALES: Final = (2, 12)
_SPEEDS: Final = (0, 1000)
# What no book prints is a slip of the pen: the host is told of it, and no other figure is taken.
_PRINTED: Final = {
    "hp": (1, 999, _("hit points go from 1 to 999")),
    "level": (0, 100, _("hit dice go up to 100")),
    "armor_defense": (0, 40, _("no armor class is as high or as low as that")),
    "morale": (0, 20, _("morale goes up to 20")),
}
_USUAL_MORALE: Final = 7
_USUAL_SPEED: Final = 40
_USUAL_DIE: Final = "d6"
_INCHES_UP_TO: Final = 24
_TURN_SPEED_FROM: Final = 60


class StatLineError(ValueError):
    """A text that is no stat line; `why` is a short English sentence, which screens translate.

    `about` is the name of the monster that it is about, where the text has several.
    """

    def __init__(self, why: str, about: str = "") -> None:
        super().__init__(why)
        self.why, self.about = why, about


class Note(msgspec.Struct, frozen=True):
    """How one number was come by: an English text with `params` to put in, for translation.

    `field` is the field of `Converted` it is about; `is_assumed` tells that the pasted text did
    not say, or that what it said was changed.
    """

    field: str
    text: str
    params: dict[str, str | int] = {}
    is_assumed: bool = False


class ConvertedAttack(msgspec.Struct, frozen=True):
    """An attack, so many times a turn; `name` is "" where the text has none."""

    name: str
    count: int
    damage: str

    @property
    def rolled(self) -> Damage | None:
        """Return what a hit rolls, as written or the nearest die; see `Damage.rolled`."""
        return parse_damage(self.damage).rolled


class Converted(msgspec.Struct, frozen=True, kw_only=True):
    """A monster in Knave's figures; `name` is "" where the text has none. Speed in feet a round."""

    name: str
    level: int
    hp: int
    hd: str
    armor_defense: int
    attack_bonus: int
    attack_mode: Literal["all", "choose_one"]
    attacks_a_turn: int
    attacks: tuple[ConvertedAttack, ...]
    morale: int
    speed: Speed
    notes: tuple[Note, ...]


def read_stat_line(text: str, *, edition: Edition = "bx") -> Converted:
    """Convert a pasted stat line of an old-school monster, in English or Spanish.

    Values no table could play with are brought to the nearest that one could, with a note.
    Raises StatLineError when the text is longer than 4000 characters, tells neither hit dice
    nor hit points, or has a figure that no book prints.
    """
    if len(text) > _LONGEST:
        raise StatLineError(_("the text is longer than 4000 characters"))
    line = cut(text)
    notes = _Notes()
    dice = _hit_dice(line, notes)
    hp = _hit_points(line, notes)
    if dice is None and hp is None:
        raise StatLineError(_("neither hit dice nor hit points were found in the text"))
    level = _level(dice, hp, notes)
    attacks, blows = _attacks(line, notes)
    return Converted(
        name=line.name,
        level=level,
        hp=hp if hp is not None else notes.within("hp", _about(dice, notes), _HIT_POINTS),
        hd=dice.written if dice else str(level),
        armor_defense=_armor(line, edition, notes),
        attack_bonus=_attack_bonus(line, blows.bonus, level, edition, notes),
        attack_mode="choose_one" if blows.is_choice else "all",
        attacks_a_turn=blows.a_turn,
        attacks=attacks,
        morale=_morale(line, notes),
        speed=_speed(line, notes),
        notes=tuple(notes.taken),
    )


class _Notes:
    """Gathers how the numbers were come by."""

    def __init__(self) -> None:
        self.taken: list[Note] = []

    def say(self, field: str, text: str, **params: str | int) -> None:
        """Note what the pasted text said."""
        self.taken.append(Note(field, text, params))

    def assume(self, field: str, text: str, **params: str | int) -> None:
        """Note what it did not say, or what was changed."""
        self.taken.append(Note(field, text, params, is_assumed=True))

    def within(self, field: str, value: int, bounds: tuple[int, int]) -> int:
        """Bring a value between its bounds, with a note when it was outside."""
        kept = max(bounds[0], min(value, bounds[1]))
        if kept != value:
            text = _("%(value)s is more than a table can play with: %(kept)s is taken.")
            if value < kept:
                text = _("%(value)s is less than a table can play with: %(kept)s is taken.")
            self.assume(field, text, value=value, kept=kept)
        return kept

    def printed(self, field: str, value: int, bounds: tuple[int, int]) -> int:
        """Bring a value that stands in the text between its bounds, if a book may have it."""
        lowest, highest, why = _PRINTED[field]
        if not lowest <= value <= highest:
            raise StatLineError(why)
        return self.within(field, value, bounds)


class _HitDice(NamedTuple):
    """Hit dice as written; `number` is 0 for less than one."""

    written: str
    number: int
    sides: int
    plus: int


_HP: Final = r" ?(?:hp|hit point|pg|pv|punto)"
_LESS_THAN_ONE: Final = re.compile(
    r"(?i)(?:(?:1/[2-9]|[23]/4)(?!/)|[½¼¾]|<|less than|under|menos de|"
    rf"(?:[0-9]{{1,3}} ?- ?)?(?P<hp>[0-9]{{1,3}}){_HP})[^,;\n]{{0,20}}"
)
_LESS_THAN_ONE_HP: Final = 8
_ROLLED: Final = re.compile(r"([0-9]{0,9}) ?d ?([0-9]{1,3})(?: ?([+-]) ?([0-9]{1,9}))?", re.I)
_OR_MORE: Final = rf"( ?(?:/|to|or|a|o) ?[0-9]{{1,2}}(?!d|[0-9]|{_HP})){{0,3}}"  # "5/6/7", "2 or 3"
_NUMBERED: Final = re.compile(rf"([0-9]{{1,9}})(?: ?([+-]) ?([0-9]{{1,9}}))?{_OR_MORE}", re.I)
_BESIDE: Final = re.compile(rf"(?:^|\() ?([0-9]{{1,9}})(?: ?- ?(?:9|[0-9]{{2,3}}))?{_HP}", re.I)
_POINTS: Final = re.compile(r"\A[ :=.(]*(?:[0-9]{1,9} ?[\[(] ?)?")  # before "(7d10+21)"
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,9}")


def _hit_dice(line: Line, notes: _Notes) -> _HitDice | None:
    for value in (found.lstrip(" :=.(") for found in line.of("hd") or line.of("level")):
        if less := _LESS_THAN_ONE.match(value):
            if int(less["hp"] or 0) > _LESS_THAN_ONE_HP:
                continue
            return _HitDice(less[0].split("(")[0].strip(" .)"), 0, 8, 0)
        rolled = _ROLLED.match(value)
        if rolled:
            return _of_dice(rolled)
        found = _NUMBERED.match(value)
        if found:
            number, plus = int(found[1]), _signed(found[2], found[3])
            if found[4] or number + plus < 0:
                notes.assume("level", _("A range of hit dice: the lowest is taken."))
                plus = 0 if number + plus < 0 else plus
            return _HitDice(found[0], number, 8, plus)
    beside = (_ROLLED.match(_POINTS.sub("", value, 1)) for value in line.of("hp"))
    return next((_of_dice(rolled) for rolled in beside if rolled), None)


def _of_dice(rolled: re.Match[str]) -> _HitDice:
    number, sides = int(rolled[1] or 1), int(rolled[2])
    number = 0 if number == 1 and sides <= 4 else number
    return _HitDice(rolled[0], number, sides, _signed(rolled[3], rolled[4]))


def _signed(sign: str | None, digits: str | None) -> int:
    return int(f"{sign}{digits}") if sign and digits else 0


def _hit_points(line: Line, notes: _Notes) -> int | None:
    """Return the hit points that the text gives itself, or None."""
    for value in (found.lstrip(" :=.(") for found in line.of("hp")):
        rolled = _ROLLED.match(value)
        if rolled:
            asked = _of_dice(rolled)._replace(number=int(rolled[1] or 1))
            return notes.within("hp", _about(asked, notes), _HIT_POINTS)
        found = _INTEGER.match(value)
        if found:
            notes.say("hp", _("Hit points as written: %(hp)s."), hp=int(found[0]))
            return notes.printed("hp", int(found[0]), _HIT_POINTS)
    for beside in filter(None, map(_BESIDE.search, line.of("hd"))):
        notes.say("hp", _("Hit points as written: %(hp)s."), hp=int(beside[1]))
        return notes.printed("hp", int(beside[1]), _HIT_POINTS)
    return None


def _about(dice: _HitDice | None, notes: _Notes) -> int:
    """Return about how many hit points hit dice are worth: half of each die's sides, 4 for a d8."""
    if dice is None or dice.number == 0:
        notes.assume("hp", _("Less than one hit die is worth 2 hit points."))
        return 2
    each = max(1, dice.sides // 2)
    hp = dice.number * each + dice.plus
    text = _("Hit dice %(hd)s at %(each)s hit points each: %(hp)s.")
    notes.say("hp", text, each=each, hd=dice.written, hp=hp)
    return hp


def _level(dice: _HitDice | None, hp: int | None, notes: _Notes) -> int:
    if dice is not None:
        if dice.number:
            notes.say("level", _("The level is the number of hit dice: %(n)s."), n=dice.number)
        else:
            notes.assume("level", _("Less than one hit die is level 0."))
        return notes.printed("level", dice.number, _LEVELS)
    level = (hp or 0) // 4
    notes.assume("level", _("No hit dice were found: a level for each 4 hit points."))
    return notes.within("level", level, _LEVELS)


_CLASSES: Final = re.compile(
    r"[^0-9+\n-]{0,20}([+-]?[0-9]{1,9})(?: ?[\[(/] ?([+-]?[0-9]{1,9})(?![0-9d]))?"
)


def _armor(line: Line, edition: Edition, notes: _Notes) -> int:
    field = "armor_defense"
    named = [found for found in map(_CLASSES.match, line.of("ascending")) if found]
    if named:
        return _as_written(int(named[0][1]), notes)
    read = [found for found in map(_CLASSES.match, line.of("ac") or line.of("armor")) if found]
    if not read:
        notes.assume(field, _("No armor class was found: 11, as without armor."))
        return UNARMORED
    if len(read) > 1:
        notes.assume(field, _("More than one armor class was found: the first is taken."))
    first, second = int(read[0][1]), int(read[0][2] or 0)
    ascending = next((value for value in (first, second) if value > 9), None)
    if ascending is not None:
        return _as_written(ascending, notes)
    text = _("Descending armor class: %(top)s less %(ac)s is %(defense)s.")
    defense = _TOP[edition] - first
    notes.say(field, text, top=_TOP[edition], ac=first, defense=defense)
    return notes.printed(field, defense, _DEFENSES)


def _as_written(ascending: int, notes: _Notes) -> int:
    text = _("Ascending armor class %(ac)s is the armor defense.")
    notes.say("armor_defense", text, ac=ascending)
    return notes.printed("armor_defense", ascending, _DEFENSES)


_THAC0: Final = re.compile(r"[^0-9+\n-]{0,10}([+-]?[0-9]{1,9})(?: ?[\[(] ?([+-]?[0-9]{1,9}))?")


def _attack_bonus(
    line: Line, on_attack: int | None, level: int, edition: Edition, notes: _Notes
) -> int:
    field = "attack_bonus"
    for value in line.of("thac0"):
        found = _THAC0.match(value)
        if found and found[2]:
            notes.say(field, _("Attack bonus as written: %(bonus)s."), bonus=int(found[2]))
            return notes.within(field, int(found[2]), _BONUSES)
        if found:
            top, thac0 = _TOP[edition], int(found[1])
            text = _("THAC0: %(top)s less %(thac0)s is %(bonus)s.")
            notes.say(field, text, top=top, thac0=thac0, bonus=top - thac0)
            return notes.within(field, top - thac0, _BONUSES)
    labelled = [found[0] for found in map(_INTEGER.match, line.of("bonus")) if found]
    own = [] if on_attack is None else [on_attack]
    on_dice = re.findall(r"\((\+[0-9]{1,2})\)", " ".join(line.of("hd")))  # "9** (+8)"
    for printed in map(int, (*labelled, *own, *on_dice)):
        notes.say(field, _("Attack bonus as written: %(bonus)s."), bonus=printed)
        return notes.within(field, printed, _BONUSES)
    notes.assume(field, _("No attack bonus was found: it is the number of hit dice."))
    return level


def _attacks(line: Line, notes: _Notes) -> tuple[tuple[ConvertedAttack, ...], Blows]:
    read = read_blows(next(iter(line.of("attacks")), ""), next(iter(line.of("damage")), ""))
    if any(blow.damage is None for blow in read.blows):
        notes.assume("attacks", _("No damage was found: d6, as from a light weapon."))
    attacks = tuple(
        ConvertedAttack(blow.name, blow.times, blow.damage or _USUAL_DIE) for blow in read.blows
    )
    for attack in attacks:
        rolled, written = attack.rolled, parse_damage(attack.damage)
        if rolled is not None and not written.is_fixed and rolled != written:
            text = _("A hit for %(damage)s rolls the nearest die, a d%(die)s.")
            notes.assume("attacks", text, damage=attack.damage, die=rolled.sides)
    return attacks, read


def _morale(line: Line, notes: _Notes) -> int:
    for value in line.of("morale"):
        found = re.search(r"[0-9]{1,9}", value[:40])
        if found:
            notes.say("morale", _("Morale as written: %(morale)s."), morale=int(found[0]))
            return notes.printed("morale", int(found[0]), _MORALES)
    notes.assume("morale", _("No morale was found: 7, which is usual."))
    return _USUAL_MORALE


_FLYING: Final = r"fl(?:y|ying|ies|ight)?|vuelo|volando|vuela|vol"
_SWIMMING: Final = r"sw(?:im|imming|ims)?|nadando|nado|nada"
_METRES: Final = r"m(?:et(?:er|re|ro)s?)?\b"
_LENGTH: Final = rf"[0-9]{{1,9}}(?:[.,][0-9](?= ?{_METRES}))?"
_GAIT: Final = re.compile(
    rf"(?:\b({_FLYING}|{_SWIMMING})\b ?:? ?)?({_LENGTH}) ?('|\"|ft\b|feet\b|pies\b|{_METRES})?"
    rf"\.?(?: ?\( ?({_LENGTH})[^()\n]{{0,20}}\))?"
    rf"(?: ?\(?({_FLYING}|{_SWIMMING})\b(?! ?:? ?[0-9]))?",
    re.I,
)


def _speed(line: Line, notes: _Notes) -> Speed:
    feet: dict[str, int] = {}
    for value in line.of("move")[:1]:
        for found in _GAIT.finditer(value[:200]):
            gait = _gait(found[1] or found[5])
            if gait not in feet:
                feet[gait] = notes.within("speed", _feet(found, notes), _SPEEDS)
    if not any(feet.values()):
        notes.assume("speed", _("No speed was found: 40 feet a round, which is usual."))
        return Speed(walk=_USUAL_SPEED)
    return Speed(**feet)


def _gait(word: str | None) -> str:
    if word is None:
        return "walk"
    return "fly" if re.fullmatch(_FLYING, word, re.I) else "swim"


def _feet(found: re.Match[str], notes: _Notes) -> int:
    """Return feet a round: as in the brackets, or a third of what a turn or inches say."""
    is_metric = (found[3] or "")[:1].lower() == "m"
    if is_metric:
        notes.assume("speed", _("Speed is in meters: 3 of them are read as 10 feet."))
    if found[4]:
        feet = _length(found[4], is_metric=is_metric)
        notes.say("speed", _("Speed a round as written: %(feet)s feet."), feet=feet)
        return feet
    speed = _length(found[2], is_metric=is_metric)
    if found[3] == '"' or (speed <= _INCHES_UP_TO and not found[3]):
        notes.assume("speed", _("Speed %(speed)s is read as tens of feet a turn."), speed=speed)
        return speed * 10 // 3
    if speed >= _TURN_SPEED_FROM:
        notes.assume("speed", _("Speed %(speed)s is read as feet a turn."), speed=speed)
        return speed // 3
    notes.say("speed", _("Speed a round as written: %(feet)s feet."), feet=speed)
    return speed


def _length(written: str, *, is_metric: bool) -> int:
    """Return a length in feet."""
    number = float(written.replace(",", "."))
    return round(number * 10 / 3) if is_metric else int(number)
