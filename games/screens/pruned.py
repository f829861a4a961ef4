"""A template reduced to its pieces: the part of a region that may change with every tap.

What surrounds the pieces is then drawn only when something that it reads itself has changed;
otherwise it is shown as it was kept.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable
from functools import cache
from typing import TypeVar

from jinja2 import Environment, Template, nodes

from games.screens.compiled import made
from games.screens.paths import NotRead, parsed

Kind = TypeVar("Kind", bound=nodes.Node)
OTHERS: tuple[type[nodes.Include | nodes.FromImport | nodes.Import], ...] = (
    nodes.Include,
    nodes.FromImport,
    nodes.Import,
)


@cache
def pieces_of(env: Environment, template: str) -> Template | None:
    """Return a template that does nothing but name another's pieces.

    None where it has no pieces, or where they can't be separated from the rest.
    """
    code = made(env, f"pieces of {template}", lambda: _compiled(env, template))
    if not code:
        return None
    return env.template_class.from_code(env, marshal.loads(code), env.make_globals(None))  # noqa: S302 - ours, and whole


def _compiled(env: Environment, template: str) -> bytes:
    """Return the code of a template reduced to its pieces; empty where there is none."""
    if not _has_pieces(parsed(env, template)):
        return b""
    assert env.loader
    source, filename, _is_current = env.loader.get_source(env, template)
    # Parsed again: the tree is changed below, and `parsed` keeps the one it returns.
    tree = env.parse(source, template, filename)
    try:
        _check_others(env, tree)
        tree.body = _pruned(tree.body)
    except NotRead:
        return b""
    return marshal.dumps(env.compile(tree, f"pieces of {template}", filename))


def _check_others(env: Environment, tree: nodes.Template) -> None:
    """Raise NotRead where an included or imported template has pieces, which is not followed."""
    for one in tree.find_all(OTHERS):
        if not isinstance(one.template, nodes.Const) or _has_pieces(
            parsed(env, str(one.template.value))
        ):
            raise NotRead("pieces in another template")


def _pruned(body: list[nodes.Node]) -> list[nodes.Node]:
    """Keep the calls of pieces, the conditions and loops around them, and what they are given."""
    needed: set[str] = set()
    while True:
        kept = _Pruner(needed).body(body)
        found = {name.name for one in kept for name in _all(one, nodes.Name)}
        if found <= needed:
            return kept
        needed |= found


class _Pruner:
    """Copies the parts of a tree that are kept; `needed` are the names whose values they use."""

    def __init__(self, needed: set[str]) -> None:
        self.needed = frozenset(needed)

    def body(self, body: Iterable[nodes.Node]) -> list[nodes.Node]:
        return [kept for node in body for kept in self._kept(node)]

    def _kept(self, node: nodes.Node) -> list[nodes.Node]:
        match node:
            case nodes.Output():
                calls = [one for one in node.nodes if _has_pieces(one)]
                return [nodes.Output(calls, lineno=node.lineno)] if calls else []
            case nodes.If():
                return self._branches(node)
            case nodes.For():
                body, other = self.body(node.body), self.body(node.else_)
                parts = (node.target, node.iter, body, other, node.test, node.recursive)
                return [nodes.For(*parts, lineno=node.lineno)] if body or other else []
            case nodes.Assign() | nodes.AssignBlock():
                return self._assigned(node)
            case nodes.FromImport():
                return [node] if self._is_needed(_imported(node)) else []
            case nodes.CallBlock():
                if _has_pieces(node.call) or (node.args and _has_pieces(node)):
                    raise NotRead("pieces with arguments")
                return self.body(node.body)
        # Anything else (a macro, a filter) could change its pieces or repeat them, unseen.
        if _has_pieces(node):
            raise NotRead(f"pieces in {type(node).__name__}")
        return [node] if isinstance(node, nodes.Macro) and node.name in self.needed else []

    def _branches(self, node: nodes.If) -> list[nodes.Node]:
        body, other = self.body(node.body), self.body(node.else_)
        # An `elif` without pieces is kept as well: it decides whether later branches are reached.
        elifs = [
            nodes.If(one.test, self.body(one.body), [], [], lineno=one.lineno) for one in node.elif_
        ]
        if not (body or other or any(one.body for one in elifs)):
            return []
        return [nodes.If(node.test, body, elifs, other, lineno=node.lineno)]

    def _assigned(self, node: nodes.Assign | nodes.AssignBlock) -> list[nodes.Node]:
        if isinstance(node, nodes.AssignBlock):
            if self._is_needed(_names(node.target)):
                return [node]
            return self.body(node.body)
        is_kept = self._is_needed(_names(node.target)) or self._is_needed(_changed(node.node))
        return [node] if is_kept or _has_pieces(node.node) else []

    def _is_needed(self, names: Iterable[str]) -> bool:
        return not self.needed.isdisjoint(names)


def _has_pieces(node: nodes.Node) -> bool:
    return any(
        isinstance(call.node, nodes.Name) and call.node.name == "piece"
        for call in _all(node, nodes.Call)
    )


def _all(node: nodes.Node, kind: type[Kind]) -> list[Kind]:
    own = [node] if isinstance(node, kind) else []
    return [*own, *node.find_all(kind)]


def _names(target: nodes.Node) -> set[str]:
    """Return what a target sets: names, or a field of a namespace."""
    spaces = {space.name for space in _all(target, nodes.NSRef)}
    return spaces | {name.name for name in _all(target, nodes.Name)}


def _changed(value: nodes.Node) -> set[str]:
    """Return the names whose methods an expression calls: such a call may change them."""
    owners = [
        call.node.node for call in _all(value, nodes.Call) if isinstance(call.node, nodes.Getattr)
    ]
    return {owner.name for owner in owners if isinstance(owner, nodes.Name)}


def _imported(node: nodes.FromImport) -> set[str]:
    return {name[1] if isinstance(name, tuple) else name for name in node.names}
