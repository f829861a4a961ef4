"""A pasted old-school stat line, cut into a name and its labelled parts.

Lines come from many books and two languages, so nothing is expected in order. A word counts as
a label only where it looks like one: before a colon or a number, or as a short capital
abbreviation. So "Attack dog: AC 7" keeps its name, and prose between the numbers does no harm.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_WORDS: Final = {
    "ac": "armor class,armour class,clase de armadura,dac,ac,ca",
    "ascending": "ascending armor class,ascending armour class,ascending ac,aac",
    "hd": "hit dice,hit die,dados de golpe,dado de golpe,hd,dg",
    "hp": "hit points,puntos de golpe,puntos de vida,hps,hp,pgs,pg,pv",
    "attacks": (
        "number of attacks,no. of attacks,no of attacks,número de ataques,nº de ataques,"
        "n.º de ataques,no. de ataques,# attacks,#attacks,attacks,attack,ataques,ataque,"
        "# att,#att,# at,#at,att,atks,atk,atq,at"
    ),
    "damage": "damage/attack,damage,daño,dmg,dam,d",
    "thac0": "thac0,thaco,gac0,gaco",
    "bonus": (
        "base attack bonus,attack bonus,bonificación de ataque,bonificador de ataque,"
        "bonus de ataque,bono de ataque,to hit,bab,ab,ba"
    ),
    "armor": "armor,armour,armadura,defense,defensa",
    "level": "level,nivel,lvl",
    "move": "movement rate,movement,move,movimiento,velocidad,speed,mov,mv",
    "morale": "morale,moral,mor,ml",
    "other": (
        "saving throws,saving throw,save as,saves,save,salvaciones,salvación,sv,ts,alignment,"
        "alineamiento,align,al,ali,level/xp value,xp value,experience,xp,px,no. appearing,"
        "number appearing,no. enc,nº ap,na,treasure type,treasure,tesoro,tt,frequency,frecuencia,"
        "% in lair,size,tamaño,sz,special attacks,special attack,special defenses,"
        "ataques especiales,defensas especiales,special,especial,sa,sd,sp,magic resistance,mr,"
        "climate/terrain,organization,intelligence,inteligencia,int,str,dex,con,wis,cha,fue,des,sab,car,cl"
    ),
}
_FIELD_OF: Final = {word: name for name, words in _WORDS.items() for word in words.split(",")}

_LABEL: Final = re.compile(
    r"(?<![\w#])(?P<label>"
    + "|".join(
        re.escape(word).replace(r"\ ", " ") for word in sorted(_FIELD_OF, key=len, reverse=True)
    )
    + r")(?![^\W\d_])(?:\(s\))?(?P<colon> ?[:=])?",
    re.IGNORECASE,
)
_FIGURED: Final = frozenset({"armor", "level"})
"""Fields whose labels are words of names and of prose, unless a figure stands behind them."""
_SHORT: Final = 4
_NAMES_LETTERS: Final = 60
_ALSO_WORDS: Final = frozenset({"al", "at", "ba", "con", "d", "des", "car", "na", "sa"})
"""Abbreviations that are words in English or Spanish too: only capitals make them labels."""

# The dotted and dotless i, the long s and the Kelvin sign match plain letters when case is ignored.
_PLAIN: Final = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("×✕", "x"),
        **dict.fromkeys("’‘′`´", "'"),
        **dict.fromkeys("“”″", '"'),
        **dict.fromkeys("*_|\t", " "),
        **dict.fromkeys("İı", "i"),
        "ſ": "s",
        "\u212a": "k",
        "\r": "\n",
    }
)
_COUNTED: Final = re.compile(r"\([x0-9d+ -]{1,20}\)")
_COUNT_BEHIND: Final = re.compile(r" x ?([0-9]{1,4})(?=[ :;,.]*\Z)")
_COUNT_AHEAD: Final = re.compile(r"\A[0-9]{1,4} ?x? (?=\S)")
_SAVES_BEFORE: Final = re.compile(r"\b(?:SV|ST|TS|saves?|salvaci(?:ón|ones))[ :=]*\Z", re.I)
# "D1-10" is damage from 1 to 10; "D6-1" is a die.
_SPAN_AHEAD: Final = re.compile(r"([0-9]{1,3})-([0-9]{1,3})(?![0-9d])")


class Line(NamedTuple):
    """What a pasted text says: a name, or "", and the values of each label as they stand."""

    name: str
    values: dict[str, tuple[str, ...]]

    def of(self, field: str) -> tuple[str, ...]:
        """Return what stands behind every label of a field, in order."""
        return self.values.get(field, ())


def cut(text: str) -> Line:
    """Cut a text at its labels; runs in time proportional to its length.

    >>> cut("Goblin (4): AC 6 [13], HD 1-1").values
    {'ac': ('6 [13],',), 'hd': ('1-1',)}
    """
    text = _plain(text)
    labels = [found for found in _LABEL.finditer(text) if _is_label(text, found)]
    values: dict[str, tuple[str, ...]] = {}
    ends = (*(found.start() for found in labels[1:]), len(text))
    for found, end in zip(labels, ends, strict=False):
        name = _FIELD_OF[found["label"].lower()]
        # "DG" is hit dice in Spanish, and damage in English books that have told hit dice before.
        name = "damage" if found["label"] == "DG" and "hd" in values else name
        value = text[found.end() : end].strip()
        values[name] = (*values.get(name, ()), value)
    return Line(_name(text[: labels[0].start()] if labels else text), values)


def _plain(text: str) -> str:
    """Bring dashes, quotes and spaces to one form each, and drop what cannot be printed."""
    text = text.translate(_PLAIN)
    text = "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in text)
    return re.sub(r"[^\S\n]+", " ", text)


def _is_label(text: str, found: re.Match[str]) -> bool:
    label = found["label"]
    after = text[found.end() : found.end() + 3]
    if _FIELD_OF[label.lower()] in _FIGURED:
        return after.strip()[:1].isdecimal()
    if found["colon"]:
        return True
    if label.lower() in _ALSO_WORDS and not label[-1].isupper():
        # Books in Spanish write "At 2 × garra" where the English ones write "Att".
        is_listed = text[max(0, found.start() - 2) : found.start()].rstrip()[-1:] in {",", ";"}
        return label == "At" and is_listed and re.match(r" ?[0-9]", after) is not None
    if label == "D":
        if _SAVES_BEFORE.search(text, max(0, found.start() - 20), found.start()):
            return False  # "SV D 12, W 13": a save against death
        span = _SPAN_AHEAD.match(text, found.end())
        is_span = span is not None and int(span[1]) < int(span[2])
        return is_span or re.match(r" d?[0-9]|[0-9]d[0-9]| by", after) is not None
    if after.strip()[:1] in tuple("0123456789½¼¾[(+-<"):
        return True
    if _FIELD_OF[label.lower()] == "damage" and re.match(r" ?d[0-9]", after, re.IGNORECASE):
        return True
    return len(label) <= _SHORT and (label[0].isupper() or label[0] == "#")


def head_count(text: str) -> int | None:
    """Return how many there are by what stands before the first label: "Orc (4):", "4 orcs"."""
    text = _plain(text)
    labels = (found for found in _LABEL.finditer(text) if _is_label(text, found))
    first = next(labels, None)
    line = _head_line(text[: first.start()] if first else text)
    inside = re.search(r"\( ?x? ?([0-9]{1,4}) ?\)", line)
    ahead = re.match(r"([0-9]{1,4}) ?x? (?=\S)", line.strip(" :;,.-=#•>"))
    found = inside or _COUNT_BEHIND.search(line) or ahead
    return int(found[1]) or None if found and first else None


def _head_line(text: str) -> str:
    return next((line for line in text.split("\n") if line.strip()), "")


def _name(text: str) -> str:
    """Find a name in what stands before the first label: its first line, without a head count."""
    line = _head_line(text)
    line = _COUNT_BEHIND.sub("", _COUNTED.sub(" ", line))
    line = _COUNT_AHEAD.sub("", line.strip(" :;,.-=#•>"), count=1)
    name = " ".join(line.split()).strip(" :;,.-=([")[:_NAMES_LETTERS].strip()
    return name.capitalize() if name.isupper() else name
