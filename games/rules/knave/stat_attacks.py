"""The attacks of a pasted old-school stat line: "2 claws/1 bite", "1 × sword (1d8)" and kin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final, NamedTuple

_MOST_BLOWS: Final = 20
_MOST_LETTERS: Final = 40
_DICE: Final = re.compile(r"([0-9]{0,3})d([0-9]{1,3})(?: ?([+-]) ?([0-9]{1,3})(?![0-9d]))?", re.I)
_SPAN: Final = re.compile(r"(?<![0-9+-])([0-9]{1,3}) ?- ?([0-9]{1,3})(?![0-9d])")
_BONUS: Final = re.compile(r"(?<![0-9d])([+-][0-9]{1,3})(?![0-9d-])")
_COUNT: Final = re.compile(r"([0-9]{1,9})(?: ?x(?![a-z]))?(?![0-9d/-])\s?", re.I)
# "3/2": three in two rounds; "1 or 2", "5-12": as hit dice, the lowest.
_BARE: Final = re.compile(r"([1-9][0-9]?)(?:/([1-3])| ?(?:-|or|to|o|a) ?[0-9]{1,2})", re.I)
_COUNT_BEHIND: Final = re.compile(
    r"(?<=[ (])x ?([0-9]{1,2})(?= ?(?:[()]|$|[0-9]{0,2}d[0-9]))", re.I
)
# "2 claws 1 bite", "2 claws & 1 bite": the next one begins where it is counted.
_NEXT_COUNTED: Final = re.compile(
    r"(?<=\w)\s(?:[+&] )?(?=[0-9]{1,2} ?(?:x ?)?(?!d[0-9]|(?:feet|foot|pies|per|por|each|cada|"
    r"points?|puntos?|rounds?|rondas?|turns?|turnos?|times?|veces)\b)[^\W\d_]{3})",
    re.I,
)
# "[2 × claw (1d6), 1 × bite (2d8)] or breath": the brackets hold what goes together.
_GROUPED: Final = re.compile(r"(?:\A|(?<= or )|(?<= o ))\[([^\[\]]*)\]", re.I)
_SUMMED_UP: Final = re.compile(r"\A[0-9]{1,2} ?[:=] ?(?=[^\W_])")  # "3: 2 claws, 1 bite"
# "3 (claw/claw/bite) or breath".
_BRACKETED: Final = re.compile(
    r"([0-9]{1,9}) ?\(([^()]*)\)?((?: ?,)? (?:or|o) [^\W\d_][^()]*|\W{0,4})", re.I
)
# "claw claw bite": so many blows as words.
_REPEATED: Final = re.compile(
    r"\b([^\W\d_]{3,20})(?: \1\b)+(?: (?!and\b|plus\b|más\b)[^\W\d_]{3,20}\b)?", re.I
)
# "1d3 plus paralysis" is one attack, "bite 1d6 plus tail 1d4" are two.
_WORDS_BETWEEN: Final = re.compile(
    r"\s(?:or|and|y|o|u|(?:(?<![0-9].)|(?=\w+\s[^,;/]*[0-9]))(?:plus|más))\s", re.I
)
_BESIDES: Final = re.compile(r"[0-9d +-]*[0-9] ?(?:\+|plus\b|más\b) ?[^\W\d]", re.I)
_CHOICE: Final = re.compile(r"\s(?:or|o|u)\s", re.I)
# "1", "2 hp", "1 + poison": as much as every hit costs.
_SUM: Final = re.compile(
    r"\s*([1-9][0-9]?)\s*(?:(?:hp|points?|pts?|pg|puntos?)\b\.?)?\s*"
    r"(?:(?:\+|plus\b|and\b|y\b|más\b) ?[^\W\d][^/]*)?",
    re.I,
)
_INSIDE: Final = re.compile(r"\(([^()]*)\)")
# Newer books tell reach, target and an average beside it, none of which is an attack.
_TO_HIT: Final = re.compile(r"([+-][0-9]{1,2}) to hit\b", re.I)
_BY_WEAPON: Final = re.compile(r"(?:by|per|según|por)(?: el)? (?:weapon|arma)s?", re.I)


class Blow(NamedTuple):
    """One attack as a stat line tells it; damage is None where it says none."""

    name: str
    times: int
    damage: str | None


class Blows(NamedTuple):
    """All attacks of a stat line; `bonus` is the first that one of them carries.

    Of those a monster chooses from, `a_turn` is the most that go together: three for "2 claws/1
    bite or breath".
    """

    blows: tuple[Blow, ...]
    bonus: int | None
    is_choice: bool
    a_turn: int


class _Piece(NamedTuple):
    times: int
    name: str
    bonus: int | None
    damages: tuple[str, ...]


def read_blows(attacks: str, damage: str) -> Blows:
    """Read what stands behind the labels for attacks and for damage; either may be empty."""
    modern = _TO_HIT.search(attacks)
    if modern:
        hit = next(_damages(attacks[modern.end() :]), (0, None))
        return Blows((Blow("", 1, hit[1]),), int(modern[1]), is_choice=False, a_turn=1)
    outer = 1
    attacks = _GROUPED.sub(r"\1", _SUMMED_UP.sub("", attacks.strip()))
    attacks = _REPEATED.sub(lambda words: "/".join(words[0].split()), attacks)
    if bare := _BARE.fullmatch(attacks.strip(" :=.,;")):
        attacks = str(max(1, int(bare[1]) // int(bare[2] or 1)))
    whole = _BRACKETED.fullmatch(attacks)
    if whole:
        outer, attacks = min(int(whole[1]), _MOST_BLOWS), whole[2] + whole[3]
    pieces = _pieces(attacks)
    bonus = next((piece.bonus for piece in pieces if piece.bonus is not None), None)
    apart = _apart(damage)
    named = [piece for piece in pieces if piece.name]
    counts = [len(piece.damages) for piece in pieces]
    # "claw (1d6), bite (2d8) or breath": each has its own, and one that has none borrows none.
    has_own = all(counts) or (sum(counts) > 1 and max(counts) == 1)
    own = tuple(text for piece in pieces for text in piece.damages)
    if named and not apart and has_own and len(named) == len(pieces):
        each = [blow for piece in pieces for blow in _paired([piece], piece.damages)]
    elif first := _first_choice(attacks, len(apart or own)):
        each = _paired(first, apart or own) + _paired(pieces[len(first) :], ())
    else:
        told = named or pieces
        if len(told) == 1 and outer > 1:
            told = [told[0]._replace(times=outer)]
        each = _paired(told or [_Piece(outer, "", None, ())], apart or own)
    blows = tuple(
        Blow(name, min(len(list(same)), _MOST_BLOWS), damage_of)
        for (name, damage_of), same in groupby(each[:_MOST_BLOWS])
    )
    is_choice = bool(_CHOICE.search(_outside(attacks))) and len(blows) > 1
    each_choice = [sum(p.times for p in _pieces(text)) for text in _choices(attacks)]
    a_turn = max(each_choice) if is_choice else sum(blow.times for blow in blows)
    return Blows(blows, bonus, is_choice, a_turn)


def _first_choice(attacks: str, damages: int) -> list[_Piece]:
    """Return the attacks before an "or" where just they have their damage, else nothing.

    "2 claws/1 bite or breath" for 1-8/1-8/4-32: what breath does is told elsewhere.
    """
    choices = _choices(attacks)
    first = _pieces(choices[0]) if len(choices) > 1 else []
    return first if len(first) > 1 and sum(piece.times for piece in first) == damages else []


def _choices(attacks: str) -> list[str]:
    """Cut the text at each "or" that stands in no brackets."""
    hidden = _hidden(attacks)
    cuts = [found.span() for found in _CHOICE.finditer(hidden)]
    begins, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(attacks)]
    return [attacks[a:b] for a, b in zip(begins, ends, strict=True)]


def _pieces(attacks: str) -> list[_Piece]:
    return [piece for piece in map(_piece, _split(attacks)) if piece is not None]


def _paired(pieces: list[_Piece], damages: tuple[str, ...]) -> list[tuple[str, str | None]]:
    """Give every single blow its damage: one each, one for all, or the last for all the rest."""
    names = [piece.name for piece in pieces for _ in range(piece.times)][:_MOST_BLOWS]
    if len(damages) > 1 and len(damages) == len(pieces) != len(names):
        counts = [piece.times for piece in pieces]
        damages = tuple(text for text, n in zip(damages, counts, strict=True) for _ in range(n))
    if len(names) == 1 and len(damages) > 1 and not pieces[0].damages:
        names = names * len(damages)
    return [
        (name, damages[min(place, len(damages) - 1)] if damages else None)
        for place, name in enumerate(names)
    ]


def _apart(text: str) -> tuple[str, ...]:
    """Find what stands behind the label for damage: dice, spans, or fixed sums beside slashes."""
    parts = re.split(r"[,;\n]", text)[0].strip(" :=.").split("/")
    sums = [_SUM.fullmatch(part) for part in parts]
    each = [(s[1],) if s else _apart_dice(p) for s, p in zip(sums, parts, strict=True)]
    if any(sums) and all(each):
        return tuple(one for some in each for one in some)
    return _apart_dice(text)


def _apart_dice(text: str) -> tuple[str, ...]:
    return tuple(one for _at, one in sorted(_damages(text)))


def _split(text: str) -> Iterator[str]:
    """Split at commas, slashes, line ends and words such as "or" that stand in no brackets."""
    depth, piece = 0, ""
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if depth <= 0 and letter in ",;/\n":
            yield from _parts(piece)
            piece, depth = "", 0
        else:
            piece += letter
    yield from _parts(piece)


def _parts(text: str) -> Iterator[str]:
    """Split at words such as "or", and before each further count where the first has one.

    >>> list(_parts("2 claws 1d4 1 bite (2d8 plus 1 curse)"))
    ['2 claws 1d4', '1 bite (2d8 plus 1 curse)']
    """
    hidden = _hidden(text)
    cuts = [found.span() for found in _WORDS_BETWEEN.finditer(hidden)]
    if _COUNT.match(text.strip()):
        cuts += [found.span() for found in _NEXT_COUNTED.finditer(hidden)]
    begun = 0
    for ends, begins in sorted(cuts):
        yield text[begun:ends]
        begun = begins
    yield text[begun:]


def _hidden(text: str) -> str:
    """Cover what stands in brackets, so that nothing is cut there."""
    return _INSIDE.sub(lambda inside: "_" * len(inside[0]), text)


def _outside(text: str) -> str:
    return _INSIDE.sub(" ", text)


def _piece(text: str) -> _Piece | None:
    """Read one attack; None for what is empty or only says "by weapon"."""
    text = text.strip(" .:[]")
    if not text or _BY_WEAPON.fullmatch(text):
        return None
    count = 1
    counted = _COUNT.match(text)
    if counted and not _SPAN.match(text):
        count = max(1, min(int(counted[1]), _MOST_BLOWS))
        text = text[counted.end() :]
    elif behind := _COUNT_BEHIND.search(text):
        count = max(1, min(int(behind[1]), _MOST_BLOWS))
        text = text.replace(behind[0], "", 1)
    found = sorted(_damages(text)) or [
        (inside.start(), fixed[1])
        for inside in _INSIDE.finditer(text)
        if (fixed := _SUM.fullmatch(inside[1]))
    ]
    outside = _SPAN.sub(" ", _DICE.sub(" ", _outside(text)))
    bonus = _BONUS.search(outside)
    name = _BONUS.sub(" ", outside).split("(")[0]
    name = " ".join(name.split()).strip(" .,:;/+-)[]'\"")[:_MOST_LETTERS].strip()
    is_word = any(letter.isalpha() for letter in name) and not _BESIDES.match(text)
    if not is_word or _BY_WEAPON.fullmatch(name):
        name = ""
    if not (name or found or counted or bonus):
        return None
    return _Piece(count, name, int(bonus[1]) if bonus else None, tuple(d for _, d in found))


def _damages(text: str) -> Iterator[tuple[int, str]]:
    """Find damage in a text, as dice, with the place where each stands.

    >>> list(_damages("1d8 + 1, 2-8"))
    [(0, '1d8+1'), (9, '2d4')]
    """
    for dice in _DICE.finditer(text):
        if not dice[1] and dice[3] == "-" and 0 < int(dice[2]) < int(dice[4]):
            yield dice.start(), _dice_of(int(dice[2]), int(dice[4]))  # "d1-10" is 1 to 10
        elif int(dice[1] or 1) and int(dice[2]):
            plus = f"{dice[3]}{int(dice[4])}" if dice[3] and int(dice[4]) else ""
            yield dice.start(), f"{int(dice[1] or 1)}d{int(dice[2])}{plus}"
    rest = _DICE.sub(lambda dice: " " * len(dice[0]), text)
    for span in _SPAN.finditer(rest):
        low, high = int(span[1]), int(span[2])
        if 0 < low < high:
            yield span.start(), _dice_of(low, high)


def _dice_of(low: int, high: int) -> str:
    """Write a span as dice: as many as its low end where that comes out, or one with a plus."""
    if high % low == 0:
        return f"{low}d{high // low}"
    return f"1d{high - low + 1}+{low - 1}"
