"""The shop as a page: what is sold, by kind, and what of it somebody can pay for and carry."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.db.models import prefetch_related_objects

from characters.models import Article, Character
from characters.services import trade
from characters.services.purse import money, worth_of
from games.said import gettext as _
from games.said import ngettext
from games.text import in_order

A_HANDFUL = 5


def price_list(buyer: Character, asked: str) -> list[dict[str, Any]]:
    """Return what is sold, by kind; `asked` narrows it."""
    prefetch_related_objects([buyer], "items")  # each article is weighed against all of them
    held: Counter[int | None] = Counter()
    for item in buyer.items.all():
        held[item.article_id] += item.count
    # In the order of the kinds: what one fights with first, houses last.
    groups: dict[str, list[dict[str, Any]]] = {str(k.label): [] for k in Article.Kind}
    sold = Article.objects.filter(is_hidden=False, is_sold=True)
    for article in sorted(sold, key=lambda a: (a.cost, in_order(a.said("name")))):
        name = article.said("name")
        if not asked or asked.casefold() in name.casefold():
            row = _row(buyer, article, name, held[article.pk])
            groups[str(Article.Kind(article.kind).label)].append(row)
    return [
        {"name": name[:1].upper() + name[1:], "rows": rows} for name, rows in groups.items() if rows
    ]


def _row(buyer: Character, article: Article, name: str, held: int) -> dict[str, Any]:
    why_not = _why_not(buyer, article, 1)
    return {
        "id": article.pk,
        "name": name,
        "detail": _figures(article),
        "price": money(article.cost) if article.cost else _("free"),
        "held": held,
        "why_not": why_not,
        "may_five": not (why_not or _why_not(buyer, article, A_HANDFUL)),
    }


def _why_not(buyer: Character, article: Article, lots: int) -> str:
    """Say in words what stands against buying so many, so that no button offers a refusal."""
    if article.cost * lots > worth_of(buyer):
        return _("too dear for you")
    return "" if trade.fits(buyer, article, lots) else _("no free slot for it")


def _figures(article: Article) -> str:
    parts = []
    if article.lot > 1:
        lot = article.lot
        parts.append(ngettext("%(count)s piece", "%(count)s pieces", lot) % {"count": lot})
    if article.die:
        parts.append(f"d{article.die}")
    if article.defense:
        parts.append(_("armor %(number)s") % {"number": article.defense})
    if article.bonus:
        parts.append(_("armor +%(number)s") % {"number": article.bonus})
    if article.slots > 1:
        parts.append(_("slots: %(count)s") % {"count": article.slots})
    return " · ".join(parts)
