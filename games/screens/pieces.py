"""Regions in pieces: what changes with every tap is pushed without what surrounds it.

A region's template names its pieces where they stand, with what each is given:

    {{ piece("characters/gm/foe-now.jinja", "foe-now-" ~ foe.id, foe=foe) }}

To a page's socket each piece is a region of its own, whose root element has that name as id. The
region around them counts as changed only when something outside its pieces has changed, and is then
sent with all of them.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from games.screens.kept import (
    KEPT,
    Drawn,
    DrawnBefore,
    Fill,
    Stencil,
    drawn_afresh,
    recall,
    stencil_of,
)
from games.screens.pruned import pieces_of

# The context variable in which pieces are collected; without it they are drawn in place.
PIECES: Final = "_pieces"
# Marks a piece's place. Nobody can type it: every process draws its own at random.
_SIGN: Final = secrets.token_hex(8)
_PIECE: Final = re.compile(f"\ue000{_SIGN}([^\ue001]*)\ue001")

# Bytes to count for a region whose parts are kept, and counted, by themselves.
BESIDE: Final = 500

Pieces = dict[str, Drawn]


class Whole:
    """A region and its pieces by name. Its mark is that of what surrounds them."""

    __slots__ = ("_is_light", "around", "pieces")

    def __init__(self, around: Drawn, pieces: Pieces, *, is_light: bool = False) -> None:
        self.around, self.pieces = around, pieces
        self._is_light = is_light

    def html(self, fill: Fill) -> str:
        """Return the HTML for one seat, with the pieces in it."""
        around = self.around.html(fill)
        return _PIECE.sub(lambda found: self.pieces[found[1]].html(fill), around)

    def json(self, fill: Fill) -> bytes:
        """Return the same as a JSON string."""
        return msgspec.json.encode(self.html(fill))

    def mark(self, fill: Fill) -> int:
        """Return a number that changes when something outside the pieces changes."""
        return self.around.mark(fill)

    def __len__(self) -> int:
        """Return the bytes it takes up beside its pieces."""
        return BESIDE if self._is_light else len(self.around)


@pass_context
def piece(context: Context, template: str, name: str, /, **given: Any) -> Markup:
    """Draw a piece of a region; it is given what is listed, and nothing more."""
    env, pieces = context.environment, context.get(PIECES)
    if pieces is None:
        return Markup(env.get_template(template).render(given))  # noqa: S704 - escaped by its own template
    kept: DrawnBefore | None = context.get(KEPT)
    given["language"] = context.get("language")
    pieces[name] = recall(kept, env, template, given)
    return Markup(f"\ue000{_SIGN}{name}\ue001")  # noqa: S704 - ids of ours


def recall_whole(
    kept: DrawnBefore | None, env: Environment, template: str, given: Mapping[str, Any]
) -> Whole:
    """Return a region with its pieces: as it was kept for the same values, or drawn now."""
    stencil = stencil_of(env, template) if kept is not None else None
    if kept is None or stencil is None:
        pieces: Pieces = {}
        return Whole(drawn_afresh(env, template, {**given, PIECES: pieces}), pieces)
    key = (PIECES, template, given["language"], *stencil.key(given))
    try:
        whole: Whole | None = kept.get(key)
    except TypeError:  # something without a hash
        return _drawn(kept, stencil, given)
    if whole is None:
        whole = _put_together(kept, env, stencil, given)
        kept.put(key, whole)
    return whole


def _drawn(kept: DrawnBefore, stencil: Stencil, given: Mapping[str, Any]) -> Whole:
    pieces: Pieces = {}
    return Whole(stencil.draw({**given, PIECES: pieces}, kept), pieces)


def _put_together(
    kept: DrawnBefore, env: Environment, stencil: Stencil, given: Mapping[str, Any]
) -> Whole:
    """Return a region of newly drawn pieces within what surrounds them, which is kept by itself."""
    only, rest = pieces_of(env, stencil.name), stencil_of(env, stencil.name, with_pieces=False)
    if only is None or rest is None:
        return _drawn(kept, stencil, given)
    # It has a hash: these are parts of the values that the whole was just looked for by.
    key = (_SIGN, stencil.name, given["language"], *rest.key(given))
    around: Drawn | None = kept.get(key)
    if around is None:
        whole = _drawn(kept, stencil, given)
        kept.put(key, whole.around)
        return Whole(whole.around, whole.pieces, is_light=True)
    pieces: Pieces = {}
    only.render({**stencil.with_gaps(given), PIECES: pieces, KEPT: kept})
    return Whole(around, pieces, is_light=True)
