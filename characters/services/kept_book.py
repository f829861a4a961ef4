"""The book's rows as screens read them, kept by each process instead of read at every push.

Dropped when this process writes one of them; what another process writes (the host's admin) is seen
after a minute at the latest. Deeds read the rows themselves, so buying and rolling go by the book
as it is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from django.db import transaction
from django.db.models import Model
from django.db.models.signals import post_delete, post_save

from characters.models import Article, HirelingKind, Monster, Spell, TableRow
from characters.models.book import Shipped
from characters.services.making import Shelf, read_shelf
from games.memory import TRUSTED_SECONDS

T = TypeVar("T")


class _Kept:
    """What was read of the book, and when, by its name.

    To forget it is to put an empty one in its place, not to empty it: whoever is reading just then
    puts what they have read into the former, where nobody finds it any more.
    """

    now: ClassVar[dict[str, tuple[float, Any]]] = {}


def shelf() -> Shelf:
    """Return what knaves are made from. Raises MovedOn when there is no book."""
    return _read("shelf", read_shelf)


def table_rows() -> tuple[TableRow, ...]:
    """Return the rows of the starting tables and of the traits, as they are rolled on."""
    return _read("table_rows", lambda: tuple(TableRow.ranked().filter(is_hidden=False)))


def spells() -> tuple[Spell, ...]:
    """Return every spell, hidden ones too."""
    return _read("spells", lambda: tuple(Spell.objects.all()))


def articles() -> tuple[Article, ...]:
    """Return everything that can be had, hidden things too."""
    return _read("articles", lambda: tuple(Article.objects.all()))


def hireling_kinds() -> tuple[HirelingKind, ...]:
    """Return every trade that can be hired, hidden ones too."""
    return _read("hireling_kinds", lambda: tuple(HirelingKind.objects.all()))


def monsters() -> dict[str, Monster]:
    """Return the monsters by their keys."""
    return _read("monsters", lambda: {m.key: m for m in Monster.objects.all()})


def monsters_by_name() -> dict[str, Monster]:
    """Return the monsters by what either language calls them."""
    return _read(
        "monsters_by_name",
        lambda: {name: m for m in monsters().values() for name in (m.name, m.name_es) if name},
    )


def forget() -> None:
    """Read the book again when it is asked for next."""
    _Kept.now = {}


def changed(sender: type[Model], using: str | None = None, **told: Any) -> None:
    """Forget the book for whoever has written in it, and for all others once that is committed.

    Until then they read it as it was.
    """
    if issubclass(sender, Shipped):
        forget()
        transaction.on_commit(forget, using=using)


def _read(name: str, read: Callable[[], T]) -> T:
    kept = _Kept.now
    at, rows = kept.get(name, (0.0, None))
    if rows is None or time.monotonic() - at > TRUSTED_SECONDS:
        rows = read()
        kept[name] = (time.monotonic(), rows)
    found: T = rows
    return found


post_save.connect(changed, dispatch_uid="the book that is kept")
post_delete.connect(changed, dispatch_uid="the book that is kept")
