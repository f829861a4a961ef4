"""Rows of a region, each kept by itself: what templates call instead of a loop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from games.screens.kept import KEPT, DrawnBefore, Stencil, stencil_of

# In the keys of rows: the same template may also be a piece, and that is kept in another form.
ROW: Final = "row"


@pass_context
def each(context: Context, template: str, name: str, items: Iterable[Any], **given: Any) -> Markup:
    """Draw a row for each item: `{{ each("games/phone/ring-seat.jinja", "seat", scene.ring) }}`.

    A row is given the item by that name, what else is listed, and whether it
    `is_first` or `is_last`; nothing more. It is kept like a region.
    """
    env = context.environment
    kept: DrawnBefore | None = context.get(KEPT)
    stencil = stencil_of(env, template) if kept is not None else None
    items = tuple(items)
    if kept is not None and stencil is not None and not given and stencil.reads_only(name):
        alone = {KEPT: kept, "language": context.get("language")}
        drawn = [_alone(kept, stencil, name, item, alone) for item in items]
        return Markup("".join(drawn))  # noqa: S704 - escaped by their own template
    rows = [
        {**given, name: item, "is_first": at == 0, "is_last": at == len(items) - 1}
        for at, item in enumerate(items)
    ]
    if kept is None or stencil is None:
        row = env.get_template(template)
        drawn = [row.render(one) for one in rows]
    else:
        fixed = {KEPT: kept, "language": context.get("language")}
        drawn = [_row(kept, stencil, {**fixed, **one}) for one in rows]
    return Markup("".join(drawn))  # noqa: S704 - escaped by their own template


def _row(kept: DrawnBefore, stencil: Stencil, given: dict[str, Any]) -> str:
    """Return a row as it was kept for the values that it reads, or drawn now."""
    key = (ROW, stencil.name, given["language"], *stencil.key(given))
    try:
        html: str | None = kept.get(key)
    except TypeError:  # something without a hash
        return stencil.template.render(given)
    if html is None:
        html = stencil.template.render(given)
        kept.put(key, html)
    return html


def _alone(kept: DrawnBefore, stencil: Stencil, name: str, item: Any, given: dict[str, Any]) -> str:
    """Return a row that is drawn from its item alone, kept by the whole item: there may be many."""
    key = (ROW, stencil.name, given["language"], item)
    try:
        html: str | None = kept.get(key)
    except TypeError:
        return _row(kept, stencil, {**given, name: item})
    if html is None:
        html = stencil.template.render({**given, name: item})
        kept.put(key, html)
    return html
