"""A small book for making knaves, and the drafts that are made by it."""

from __future__ import annotations

import msgspec
from hypothesis import strategies as st

from games.rules.dice import SeededDice
from games.rules.knave.creation import Draft, Options, create


class Row(msgspec.Struct, frozen=True):
    first: int
    last: int
    items: tuple[tuple[str, int], ...] = ()


class Article(msgspec.Struct, frozen=True):
    kind: str = "gear"
    slots: int = 1
    bundle: int = 1
    hands: int = 0
    ammunition: str | None = None


ARTICLES = {
    "travel-rations": Article("ration"),
    "spell-book": Article("spell_book", hands=2),
    "dagger": Article("weapon", hands=1),
    "sword": Article("weapon", slots=2, hands=1),
    "halberd": Article("weapon", slots=3, hands=2),
    "sling": Article("weapon", hands=1, ammunition="bullets"),
    "bow": Article("weapon", slots=2, hands=2, ammunition="arrows"),
    "crossbow": Article("weapon", slots=3, hands=2, ammunition="bolts"),
    **{key: Article("ammunition", bundle=20) for key in ("arrows", "bolts", "bullets")},
    "gambeson": Article("armor"),
    "chain": Article("armor", slots=3),
    "helmet": Article("helmet"),
    "shield": Article("shield", hands=1),
    "torch": Article("light", bundle=5),
    "rope-50ft": Article(),
    "tent": Article(slots=4),
    "net": Article(),
    "lens": Article(),
}
WEAPONS = ("dagger", "sword", "halberd", "sling", "bow", "crossbow")
TABLES = {
    "armor": (Row(1, 3), Row(4, 19, (("gambeson", 1),)), Row(20, 20, (("chain", 1),))),
    "helmets-and-shields": (
        Row(1, 13),
        Row(14, 19, (("helmet", 1),)),
        Row(20, 20, (("helmet", 1), ("shield", 1))),
    ),
    "dungeoneering-gear": (
        Row(1, 10, (("rope-50ft", 1),)),
        Row(11, 19, (("tent", 1),)),
        Row(20, 20, (("torch", 5),)),
    ),
    "general-gear-1": (Row(1, 20, (("net", 1),)),),
    "general-gear-2": (Row(1, 20, (("lens", 1),)),),
}
TRAITS = ("physique", "alignment")

every_option = st.builds(
    Options,
    gear=st.sampled_from(["tables", "money"]),
    spell=st.sampled_from(["none", "instead_of_armor", "extra"]),
)


def draft(seed: int = 7, **options) -> Draft:
    return create(SeededDice(seed), TABLES, TRAITS, WEAPONS, Options(**options))
