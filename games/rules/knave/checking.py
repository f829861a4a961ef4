"""What is wrong with a book that reads: gaps, twins and names that lead nowhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

import msgspec

from games.rules.knave.damage import DICE, parse_damage
from games.rules.knave.entries import (
    UNCARRIED,
    Article,
    Book,
    HirelingKind,
    Monster,
    StartingTable,
    Text,
    TraitTable,
)

_D20 = 20
_SPELLS = 100
_MORALE = range(2, 13)
_SPELL_SAVES_OF_NOBODY = ("none", "if-creature", "if-unwilling", "opposed-intelligence")
_ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...


def check(book: Book) -> list[str]:
    """Return everything that is wrong with a book, a sentence each; an empty list when nothing is.

    Every key is its list's own; every text has both languages; tables cover a d20 without gap
    or overlap; spells number 1 to 100; what names an article, a category or a kind names one
    that is there; and figures are such as can be played with.
    """
    checks: tuple[Callable[[Book], Iterable[str]], ...] = (
        _untranslated,
        _twins,
        _bad_articles,
        _lost_references,
        _bad_spells,
        _bad_hirelings,
        _bad_monsters,
        _bad_tables,
    )
    return [fault for find in checks for fault in find(book)]


def _untranslated(book: Book) -> Iterator[str]:
    for part in book.__struct_fields__:
        for place, text in _texts(getattr(book, part), part):
            for language in ("en", "es"):
                words = getattr(text, language)
                if not words.strip() or words != words.strip():
                    yield f"{place}: the text in {language} is empty or begins or ends in a space"


def _texts(value: object, place: str) -> Iterator[tuple[str, Text]]:
    """Find every text inside a value, with words on where it stands."""
    if isinstance(value, Text):
        yield place, value
    elif isinstance(value, msgspec.Struct):
        place = f"{place} {getattr(value, 'key', getattr(value, 'number', ''))}".rstrip()
        for part in value.__struct_fields__:
            yield from _texts(getattr(value, part), f"{place} {part}")
    elif isinstance(value, tuple):
        for inner in value:
            yield from _texts(inner, place)


def _twins(book: Book) -> Iterator[str]:
    lists: dict[str, Iterable[_Keyed]] = {
        "articles": book.articles,
        "categories": book.categories,
        "damage kinds": book.damage_kinds,
        "hirelings": book.hirelings,
        "monsters": book.monsters,
        "monster kinds": book.monster_kinds,
        "traits": book.traits,
        "starting tables": book.starting,
    }
    for name, entries in lists.items():
        for key, count in Counter(entry.key for entry in entries).items():
            if count > 1:
                yield f"{name}: {key} stands {count} times"


def _bad_articles(book: Book) -> Iterator[str]:
    for article in book.articles:
        for fault in _faults(article):
            yield f"article {article.key}: {fault}"


def _faults(article: Article) -> Iterator[str]:
    """Return what is wrong with an article by itself: each sentence stands beside its question."""
    kind = article.kind
    figures = (article.cost, article.slots, article.hands, article.bonus, article.holds)
    has_quality = kind in ("weapon", "armor", "shield", "helmet")
    is_weapon = kind == "weapon"
    questions = {
        "a figure is below what it can be": min(figures) >= 0
        and min(article.lot, article.bundle, 1 if article.quality is None else article.quality)
        >= 1,
        "only what nobody carries has no slots": (article.slots == 0) == (kind in UNCARRIED),
        "weapons, and only they, have a die": (article.die in DICE) == is_weapon,
        "a weapon takes one hand or two": not is_weapon or article.hands in (1, 2),
        "weapons, and only they, have kinds of damage": bool(article.damage_kinds) == is_weapon,
        "what wears out, and only it, has a quality": (article.quality is not None) == has_quality,
        "armor, and only it, sets a defense": (article.defense is not None) == (kind == "armor"),
        "shields and helmets, and only they, add to the defense": bool(article.bonus)
        == (kind in ("shield", "helmet")),
        "what shoots, and only it, takes ammunition": (article.ammunition is not None)
        == article.is_ranged,
        "lights and fuel, and only they, burn": (article.burns_turns is not None)
        == (kind in ("light", "fuel")),
        "lights, and only they, shine": (article.light_feet is not None) == (kind == "light"),
        "a container holds something": kind != "container" or article.holds > 0,
    }
    return (fault for fault, is_well in questions.items() if not is_well)


def _lost_references(book: Book) -> Iterator[str]:
    articles = {article.key: article for article in book.articles}
    categories = {term.key for term in book.categories}
    damage_kinds = {term.key for term in book.damage_kinds}
    for article in book.articles:
        if article.category not in categories:
            yield f"article {article.key}: there is no category {article.category}"
        for kind in sorted(set(article.damage_kinds) - damage_kinds):
            yield f"article {article.key}: there is no kind of damage {kind}"
        yield from _badly_paired(article, articles)
    given = [("always", book.always)]
    given += [(table.key, row.items) for table in book.starting for row in table.rows]
    for place, items in given:
        for key, count in items:
            if key not in articles or count < 1:
                yield f"starting gear {place}: {count} of {key} cannot be given"


def _badly_paired(article: Article, articles: Mapping[str, Article]) -> Iterator[str]:
    """Name what a weapon cannot shoot, and a lamp cannot burn."""
    if article.ammunition is not None:
        ammunition = articles.get(article.ammunition)
        if ammunition is None or ammunition.kind != "ammunition":
            yield f"article {article.key}: {article.ammunition} is no ammunition"
    if article.feeds is not None:
        lamp = articles.get(article.feeds)
        if lamp is None or lamp.kind != "light":
            yield f"article {article.key}: {article.feeds} is no light"
        elif lamp.burns_turns != article.burns_turns:
            yield f"article {article.key}: {lamp.key} burns another time on it"


def _bad_spells(book: Book) -> Iterator[str]:
    numbers = [spell.number for spell in book.spells]
    if numbers != list(range(1, _SPELLS + 1)):
        yield "spells: their numbers do not run from 1 to 100"
    for spell in book.spells:
        if spell.save.key not in (*_SPELL_SAVES_OF_NOBODY, *_ABILITIES):
            yield f"spell {spell.number}: nobody can save with {spell.save.key}"


def _bad_hirelings(book: Book) -> Iterator[str]:
    for hireling in book.hirelings:
        yield from _bad_fighter(hireling, f"hireling {hireling.key}")
        yield from _bad_damage(hireling.damage, f"hireling {hireling.key}")
        if hireling.wage < 0:
            yield f"hireling {hireling.key}: the wage is below nothing"


def _bad_monsters(book: Book) -> Iterator[str]:
    kinds = {term.key for term in book.monster_kinds}
    for monster in book.monsters:
        place = f"monster {monster.key}"
        yield from _bad_fighter(monster, place)
        if monster.kind not in kinds:
            yield f"{place}: there is no kind {monster.kind}"
        if not monster.attacks or any(attack.count < 1 for attack in monster.attacks):
            yield f"{place}: it has no attack"
        for attack in monster.attacks:
            yield from _bad_damage(attack.damage, f"{place} {attack.name.en}", is_blow=True)
        if max(monster.speed.walk, monster.speed.fly, monster.speed.swim) < 1:
            yield f"{place}: it does not move"
        yield from _bad_damage(monster.appearing, f"{place} appearing")


def _bad_fighter(fighter: Monster | HirelingKind, place: str) -> Iterator[str]:
    if fighter.level < 0 or fighter.hp < 1 or fighter.attack_bonus < 0:
        yield f"{place}: a figure is below what it can be"
    if fighter.armor_defense < 10:
        yield f"{place}: the armor defense is below 10"
    if fighter.morale not in _MORALE:
        yield f"{place}: no 2d6 are measured against a morale of {fighter.morale}"


def _bad_damage(text: str, place: str, *, is_blow: bool = False) -> Iterator[str]:
    try:
        read = parse_damage(text)
    except ValueError:
        yield f"{place}: {text} are no dice"
        return
    if is_blow and read.is_beyond_dice:
        yield f"{place}: no hit rolls {text}"


def _bad_tables(book: Book) -> Iterator[str]:
    tables: tuple[TraitTable | StartingTable, ...] = (*book.traits, *book.starting)
    for table in tables:
        due = 1
        for row in table.rows:
            if row.first != due or row.last < row.first:
                yield f"table {table.key}: after {due - 1} comes {row.first} to {row.last}"
            due = row.last + 1
        if due != _D20 + 1:
            yield f"table {table.key}: it ends at {due - 1}, not at 20"
    for start in book.starting:
        if start.times < 1:
            yield f"table {start.key}: nobody rolls on it"
