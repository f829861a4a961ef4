"""The Spanish holds together: one form of address, one kind of quotes, one word for one thing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings

from tests.catalog import messages, spanish, texts

ROOT = Path(settings.BASE_DIR)
DATA = sorted((ROOT / "games/rules").glob("*/data/**/*.yaml"))

GAP = re.compile(r"%\(\w+\)s")
# "Tú" and nobody else: what is said to several is said without an imperative.
PLURAL = re.compile(
    r"\b(vosotr[oa]s|vuestr[oa]s?|os|ustedes|usted|\w+(?:áis|éis)(?<!iséis))\b", re.I
)
IMPERATIVE = re.compile(r"\b\w+(?:ad|ed|id)\b", re.I)
NOUNS = re.compile(r".*[dt]ad|red|merced|sed|pared|Wicked|ardid|césped|huésped|salud|lid", re.I)
FOREIGN_QUOTES = re.compile("[\"“”„‘’']")
AS_IN_BRITAIN = re.compile(
    r"\b(?:colour|honour|neighbour|favour|behaviour|armour)\w*|\b(?:defence|licence|centre|metre)s?\b"
    r"|\w+(?:cognis|ganis|alis)(?:e|ed|es|ing)\b",
    re.I,
)
WORDS = {
    "advantage die": "dado de ventaja",
    "advantage dice": "dados de ventaja",
    "charisma bonus": "bonificación de carisma",
    "far-reaching": "largo alcance",
    "guild name": "nombre de gremio",
    "healing": "cura",
    "hireling": "secuaz|secuaces",
    "hit points?": "puntos? de golpe",
    "house rules?": "reglas? de la casa",
    "item slots?": "ranuras?",
    "morale": "moral",
    "melee": "cuerpo a cuerpo",
    "opening rolls?": "apertura",
    "opposed saves?": "salvación opuesta|salvaciones opuestas",
    "oracles?": "oráculos?",
    "owe list": "lista de deudas",
    "personal number": "número personal",
    "ready knaves?": "pícaros?",
    "safe haven": "refugio",
    "shared screen": "pantalla compartida",
    "spell books?": "libros? de hechizos",
    "standing number": "número en pie",
    "stunts?": "trucos?",
}


@cache
def everything_spanish() -> tuple[str, ...]:
    told = [GAP.sub("…", text) for message in messages(spanish()) for text in texts(message.string)]
    for path in DATA:
        said = yaml.safe_load(path.read_text())
        told += strings(said) if path.parent.name == "es" else under_es(said)
    return tuple(told)


def under_es(value: Any) -> Iterator[str]:
    for key, part in value.items() if isinstance(value, dict) else enumerate(as_list(value)):
        yield from strings(part) if key == "es" else under_es(part)


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, dict) else as_list(value):
        yield from strings(part)


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def test_nobody_is_addressed_in_the_plural_or_formally():
    told = [text for text in everything_spanish() if PLURAL.search(text)]
    told += [
        text
        for text in everything_spanish()
        if any(not NOUNS.fullmatch(word) for word in IMPERATIVE.findall(text))
    ]
    assert not told, "\n".join(told)


def test_spanish_quotes_are_spanish():
    code = re.compile(r"[{\[].*[}\]]")  # what is typed as it stands
    told = [t for t in everything_spanish() if FOREIGN_QUOTES.search(code.sub("", t))]
    assert not told, "\n".join(told)
    assert all(text.count("«") == text.count("»") for text in everything_spanish())


def test_nothing_is_spaced_as_elsewhere():
    told = [
        text for text in everything_spanish() if re.search(r"\w \.\.\.|  | [,.;:?!](?!\w)", text)
    ]
    assert not told, "\n".join(told)


@pytest.mark.parametrize(("english", "word"), WORDS.items())
def test_one_thing_has_one_spanish_word(english: str, word: str):
    said, meant = re.compile(rf"\b{english}\b", re.I), re.compile(word, re.I)
    found = [
        (one, other)
        for message in messages(spanish())
        for one, other in zip(texts(message.id), texts(message.string), strict=True)
        if said.search(one)
    ]
    assert found, "no text says it any more"
    told = [f"{one!r} -> {other!r}" for one, other in found if not meant.search(other)]
    assert not told, "\n".join(told)


def test_english_is_spelt_in_one_way():
    ids = [text for message in messages(spanish()) for text in texts(message.id)]
    told = [text for text in ids if AS_IN_BRITAIN.search(GAP.sub("", text))]
    assert not told, "\n".join(told)
