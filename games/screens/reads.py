"""What a template is drawn from, read off the template itself.

A region that was drawn from equal values need not be drawn again. Which values
those are nobody has to list, and so nobody can list them wrongly: the
template's own syntax tree says what it reads. `scene.call` reads one field of
the scene, `{% for seat in scene.ring %}{{ seat.name }}{% endfor %}` the names
of the ring, `{% if scene.call %}` whether there is one, and a bare `scene.ring`
all of it. Includes, imported macros and the rows of `each` are followed, and so
are lists that are filtered or joined. Where a construct is not understood, the
whole of what it was given counts as read, which is never wrong, only drawn more
often. `paths` has the walk through the tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from jinja2 import Environment, nodes

from games.screens.compiled import made
from games.screens.paths import (
    COUNT,
    EACH,
    NOTHING,
    TRUTH,
    NotRead,
    Path,
    Paths,
    Scope,
    Walk,
    parsed,
)


def reads_of(env: Environment, template: str, *, with_pieces: bool = True) -> frozenset[Path]:
    """Return the paths that a template reads from what it is given. Raises NotRead.

    Without its pieces: what is drawn around them, and which there are. That is
    read more finely, since it is the larger part and seldom another one; for
    the rest, whole values that know their hash are quicker to compare.

    >>> from jinja2 import DictLoader
    >>> page = "{% for seat in scene.ring %}{{ seat.name }}{% endfor %}{% if mine %}!{% endif %}"
    >>> env = Environment(loader=DictLoader({"page": page}))
    >>> sorted(".".join(path) for path in reads_of(env, "page"))
    ['mine', 'scene.ring.[].#', 'scene.ring.[].name']
    >>> sorted(".".join(path) for path in reads_of(env, "page", with_pieces=False))
    ['mine.?', 'scene.ring.[].#', 'scene.ring.[].name']
    """
    name = f"reads of {template}{'' if with_pieces else ' without its pieces'}"
    kept = made(env, name, lambda: _read(env, template, with_pieces=with_pieces))
    paths, fault = msgspec.json.decode(kept, type=tuple[list[Path], str])
    if fault:
        raise NotRead(fault)
    return frozenset(paths)


def _read(env: Environment, template: str, *, with_pieces: bool) -> bytes:
    """Return the paths that a template reads, and why it can't be read."""
    walk = Walk(env) if with_pieces else _FineWalk(env, leaves_out_pieces=True)
    try:
        walk.body(parsed(env, template).body, {})
    except NotRead as fault:
        return msgspec.json.encode(([], str(fault)))
    return msgspec.json.encode((sorted(_outermost(walk.found)), ""))


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Drop the paths that lie within another one: that is read whole."""
    kept: set[Path] = set(paths)
    return [p for p in kept if not any(p[:n] in kept for n in range(1, len(p)))]


class _FineWalk(Walk):
    """Reads less: whether something is true, what a filter asks of the elements of a list.

    `leaves_out_pieces` is for the template itself: where others that it names have pieces, it is
    not reduced to its own (`pruned`).
    """

    def __init__(
        self,
        env: Environment,
        following: tuple[tuple[str, str], ...] = (),
        *,
        leaves_out_pieces: bool = False,
    ) -> None:
        super().__init__(env, following)
        self.leaves_out_pieces = leaves_out_pieces

    def paths(self, node: nodes.Node, scope: Scope) -> Paths:
        match node:
            case nodes.Or() | nodes.And():
                self.truth(node.left, scope)
                return self.paths(node.left, scope) | self.paths(node.right, scope)
            case nodes.Add(left=nodes.Filter(name="list"), right=nodes.Filter(name="list")):
                return self.paths(node.left, scope) | self.paths(node.right, scope)
            case nodes.Getitem(arg=nodes.Slice()):
                self.use(node.arg, scope)
                cut = self.paths(node.node, scope)
                self.found |= {(*p, EACH, COUNT) for p in cut}
                return cut
            case nodes.Not():
                self.truth(node.node, scope)
                return NOTHING
        return super().paths(node, scope)

    def truth(self, node: nodes.Node, scope: Scope) -> None:
        if isinstance(node, nodes.Name | nodes.Getattr | nodes.Filter):
            self.found |= {(*p, TRUTH) for p in self.paths(node, scope)}
        else:
            super().truth(node, scope)

    def filtered(self, node: nodes.Filter, scope: Scope) -> Paths:
        assert node.node is not None
        match node.name, node.args, node.kwargs:
            case "list", [], []:
                return self.paths(node.node, scope)
            case "selectattr" | "rejectattr", [nodes.Const(value=str(field)), *test], []:
                kept = self.paths(node.node, scope)
                self.found |= {(*p, EACH, *field.split(".")) for p in kept}
                for each in test:
                    self.use(each, scope)
                return kept
            case "map", [], [nodes.Keyword(key="attribute", value=nodes.Const(value=str(field)))]:
                self.found |= {(*p, EACH, *field.split(".")) for p in self.paths(node.node, scope)}
                return NOTHING
        return super().filtered(node, scope)

    def piece(self, template: str, given: Mapping[str, nodes.Expr], scope: Scope) -> None:
        if not self.leaves_out_pieces:
            super().piece(template, given, scope)
