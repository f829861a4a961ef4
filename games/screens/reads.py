"""What a template is drawn from, read off the template itself.

A region that was drawn from equal values need not be drawn again. Which values
those are nobody has to list, and so nobody can list them wrongly: the
template's own syntax tree says what it reads. `scene.call` reads one field of
the scene, `{% for seat in scene.ring %}{{ seat.name }}{% endfor %}` the names
of the ring, `{% if scene.call %}` whether there is one, and a bare `scene.ring`
all of it. Includes, imported macros and the rows of `each` are followed, and so
are lists that are filtered or joined. Where a construct is not understood, the
whole of what it was given counts as read, which is never wrong, only drawn more
often.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

import msgspec
from jinja2 import Environment, nodes

from games.screens.compiled import made

Path = tuple[str, ...]
Paths = frozenset[Path]
Scope = dict[str, Paths]

# Steps of a path: each element of a list; only how many there are; only whether it is true.
EACH, COUNT, TRUTH = "[]", "#", "?"
NOTHING: Paths = frozenset()
ASSIGNS: tuple[type[nodes.Assign | nodes.AssignBlock], ...] = (nodes.Assign, nodes.AssignBlock)
# Not part of what a piece is drawn from: the language is in every key, a push has no CSRF input,
# and what `piece` draws is read at its arguments.
IGNORED = frozenset({"caller", "loop", "csrf_input", "varargs", "kwargs", "self", "piece"})


class NotRead(Exception):
    """What a template reads can't be told: it is drawn every time."""


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
    reader = _Reader(env, finely=not with_pieces, with_pieces=with_pieces)
    try:
        reader.body(parsed(env, template).body, {})
    except NotRead as fault:
        return msgspec.json.encode(([], str(fault)))
    return msgspec.json.encode((sorted(_outermost(reader.found)), ""))


@lru_cache(maxsize=512)
def parsed(env: Environment, template: str) -> nodes.Template:
    """Return a template's syntax tree, which many share: nobody may change it."""
    assert env.loader
    source, _name, _is_current = env.loader.get_source(env, template)
    return env.parse(source, template)


@lru_cache(maxsize=128)
def _macros_of(env: Environment, template: str) -> dict[str, nodes.Macro]:
    return {macro.name: macro for macro in parsed(env, template).find_all(nodes.Macro)}


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Drop the paths that lie within another one: that is read whole."""
    kept: set[Path] = set(paths)
    return [p for p in kept if not any(p[:n] in kept for n in range(1, len(p)))]


class _Reader:
    """Walks one template; `found` gathers the paths that are read."""

    def __init__(
        self,
        env: Environment,
        calls: tuple[tuple[str, str], ...] = (),
        *,
        finely: bool = False,
        with_pieces: bool = True,
    ) -> None:
        self.env = env
        self.finely = finely
        self.with_pieces = with_pieces  # only of the template itself: see `pruned`
        self.calls = calls  # the macros that are being followed, so that none is for ever
        self.found: set[Path] = set()
        # A name here: its template, its name there, whether it is given our context.
        self.macros: dict[str, tuple[str, str, bool]] = {}
        self.given: Scope = {}  # what the macro that is being followed was called with
        self.sees_context = True
        self.local: set[str] = set()  # macros and constants of this template

    # --- statements ------------------------------------------------------------------------------

    def body(self, body: Iterable[nodes.Node], scope: Scope) -> None:
        for node in body:
            self.statement(node, scope)

    def statement(self, node: nodes.Node, scope: Scope) -> None:
        match node:
            case nodes.Output():
                for each in node.nodes:
                    self.use(each, scope)
            case nodes.If():
                self.truth(node.test, scope)
                self._maybe_set(node, scope)
                self.body([*node.body, *node.elif_, *node.else_], scope)
            case nodes.For():
                self._loop(node, scope)
            case nodes.Assign():
                self._assign(node.target, self.paths(node.node, scope), scope)
            case nodes.AssignBlock():
                self.body(node.body, scope)
                self._assign(node.target, NOTHING, scope)
            case nodes.FromImport():
                self._import(node)
            case nodes.Include():
                self._include(node, scope)
            case nodes.Macro():
                self.local.add(node.name)
                self._function(node, dict(scope))
            case nodes.CallBlock():
                self.use(node.call, scope)
                self._function(node, dict(scope))
            case _:
                raise NotRead(type(node).__name__)

    def _loop(self, node: nodes.For, scope: Scope) -> None:
        inside = dict(scope)
        paths = self.paths(node.iter, scope)
        if isinstance(node.target, nodes.Name):
            self.found |= {(*p, EACH, COUNT) for p in paths}
            inside[node.target.name] = frozenset((*p, EACH) for p in paths)
        else:
            self.found |= paths
            self._assign(node.target, NOTHING, inside)
        if node.test is not None:
            self.truth(node.test, inside)
        self.body(node.body, inside)
        self.body(node.else_, scope)

    def _maybe_set(self, node: nodes.If, scope: Scope) -> None:
        """Note a name that only one branch sets: it may also be what the template was given."""
        for assign in node.find_all(ASSIGNS):
            names = [assign.target, *assign.target.find_all(nodes.Name)]
            for name in (n for n in names if isinstance(n, nodes.Name)):
                scope.setdefault(name.name, self._name(name.name, scope))

    def _assign(self, target: nodes.Node, paths: Paths, scope: Scope) -> None:
        """Let names stand for what they are set to; a name set twice stands for either."""
        if isinstance(target, nodes.Name):
            scope[target.name] = scope.get(target.name, NOTHING) | paths
            return
        self.found |= paths
        for name in target.find_all(nodes.Name):
            scope[name.name] = NOTHING

    def _import(self, node: nodes.FromImport) -> None:
        if not isinstance(node.template, nodes.Const):
            raise NotRead("an import by a variable")
        for name in node.names:
            there, here = name if isinstance(name, tuple) else (name, name)
            sees_context = self.sees_context and node.with_context
            self.macros[here] = (str(node.template.value), there, sees_context)

    def _include(self, node: nodes.Include, scope: Scope) -> None:
        if not isinstance(node.template, nodes.Const):
            raise NotRead("an include by a variable")
        inner = _Reader(self.env, self.calls, finely=self.finely)
        inner.macros, inner.local = dict(self.macros), set(self.local)
        inner.sees_context = self.sees_context
        inner.body(parsed(self.env, str(node.template.value)).body, dict(scope))
        self.found |= inner.found

    def _function(self, node: nodes.Macro | nodes.CallBlock, scope: Scope) -> None:
        """Walk a macro of this template: its arguments count as read where it is called."""
        for argument in node.args:
            scope[argument.name] = NOTHING
        for default in node.defaults:
            self.use(default, scope)
        self.body(node.body, scope)

    # --- expressions -----------------------------------------------------------------------------

    def use(self, node: nodes.Node, scope: Scope) -> None:
        """Note everything that the value of an expression depends on."""
        self.found |= self.paths(node, scope)

    def paths(self, node: nodes.Node, scope: Scope) -> Paths:
        """Return the paths that an expression may stand for; what else it reads is noted."""
        match node:
            case nodes.Name():
                return self._name(node.name, scope)
            case nodes.Getattr():
                return frozenset((*p, node.attr) for p in self.paths(node.node, scope))
            case nodes.CondExpr():
                self.truth(node.test, scope)
                other = self.paths(node.expr2, scope) if node.expr2 else NOTHING
                return self.paths(node.expr1, scope) | other
            case nodes.Or() | nodes.And() if self.finely:
                self.truth(node.left, scope)
                return self.paths(node.left, scope) | self.paths(node.right, scope)
            case nodes.Add(left=nodes.Filter(name="list"), right=nodes.Filter(name="list")) if (
                self.finely
            ):
                return self.paths(node.left, scope) | self.paths(node.right, scope)
            case nodes.Getitem(arg=nodes.Slice()) if self.finely:
                self.use(node.arg, scope)
                cut = self.paths(node.node, scope)
                self.found |= {(*p, EACH, COUNT) for p in cut}
                return cut
            case nodes.Not() if self.finely:
                self.truth(node.node, scope)
                return NOTHING
            case nodes.Filter(node=nodes.Node()):
                return self._filtered(node, scope)
            case nodes.Call():
                self._call(node, scope)
                return NOTHING
        for child in node.iter_child_nodes():
            self.use(child, scope)
        return NOTHING

    def truth(self, node: nodes.Node, scope: Scope) -> None:
        """Note what decides whether an expression counts as true."""
        match node:
            case nodes.And() | nodes.Or():
                self.truth(node.left, scope)
                self.truth(node.right, scope)
            case nodes.Not():
                self.truth(node.node, scope)
            case nodes.Name() | nodes.Getattr() | nodes.Filter() if self.finely:
                self.found |= {(*p, TRUTH) for p in self.paths(node, scope)}
            case _:
                self.use(node, scope)

    def _filtered(self, node: nodes.Filter, scope: Scope) -> Paths:
        """Follow a list through a filter: its elements stay the same, except with `map`."""
        assert node.node is not None
        match node.name, node.args, node.kwargs:
            case "length", [], []:
                self.found |= {(*p, EACH, COUNT) for p in self.paths(node.node, scope)}
                return NOTHING
            case "list", [], [] if self.finely:
                return self.paths(node.node, scope)
            case "selectattr" | "rejectattr", [nodes.Const(value=str(field)), *test], [] if (
                self.finely
            ):
                kept = self.paths(node.node, scope)
                self.found |= {(*p, EACH, *field.split(".")) for p in kept}
                for each in test:
                    self.use(each, scope)
                return kept
            case "map", [], [
                nodes.Keyword(key="attribute", value=nodes.Const(value=str(field)))
            ] if self.finely:
                self.found |= {(*p, EACH, *field.split(".")) for p in self.paths(node.node, scope)}
                return NOTHING
        for child in node.iter_child_nodes():
            self.use(child, scope)
        return NOTHING

    def _name(self, name: str, scope: Scope) -> Paths:
        if name in scope:
            return scope[name]
        if name in IGNORED or name in self.macros or name in self.local or name in self.env.globals:
            return NOTHING
        return frozenset({(name,)}) if self.sees_context else NOTHING

    def _call(self, node: nodes.Call, scope: Scope) -> None:
        name = node.node.name if isinstance(node.node, nodes.Name) else ""
        given = {k.key: k.value for k in node.kwargs}
        is_followed = name in self.macros and self.macros[name][:2] not in self.calls
        if name == "each":
            self._rows(node, given, scope)
        elif name == "piece":
            self._piece(node, given, scope)
        elif name == "sender":
            (actor,) = node.args
            self.found |= {(*p, "sender") for p in self.paths(actor, scope)}
        elif name == "answering":
            actor, saw = node.args
            for path in self.paths(actor, scope):
                self.found |= {(*path, "act_url"), (*path, "sender")}
            self.use(saw, scope)
        elif is_followed and node.dyn_args is None and node.dyn_kwargs is None:
            self._macro(self.macros[name], node.args, given, scope)
        elif self.calls and name in self.macros and self.macros[name][:2] == self.calls[-1]:
            self._again([*zip(self.given, node.args, strict=False), *given.items()], scope)
        else:
            for child in node.iter_child_nodes():
                self.use(child, scope)

    def _again(self, values: Iterable[tuple[str, nodes.Expr]], scope: Scope) -> None:
        """Note a macro's call of itself: arguments handed on unchanged are being read already."""
        for name, value in values:
            paths = self.paths(value, scope)
            if paths != self.given.get(name):
                self.found |= paths

    def _rows(self, node: nodes.Call, given: Mapping[str, nodes.Expr], scope: Scope) -> None:
        template, name, items = node.args
        if not (isinstance(template, nodes.Const) and isinstance(name, nodes.Const)):
            raise NotRead("rows by a variable")
        if isinstance(items, nodes.List):  # one row, or a few that are listed
            each = frozenset().union(*(self.paths(one, scope) for one in items.items))
        else:
            paths = self.paths(items, scope)
            self.found |= {(*p, EACH, COUNT) for p in paths}
            each = frozenset((*p, EACH) for p in paths)
        inner = {key: self.paths(value, scope) for key, value in given.items()}
        inner |= {"is_first": NOTHING, "is_last": NOTHING}
        inner[str(name.value)] = each
        self._alone(template.value, inner)

    def _piece(self, node: nodes.Call, given: Mapping[str, nodes.Expr], scope: Scope) -> None:
        template, name = node.args
        if not isinstance(template, nodes.Const):
            raise NotRead("a piece by a variable")
        self.use(name, scope)
        if self.with_pieces:
            self._alone(
                template.value, {key: self.paths(value, scope) for key, value in given.items()}
            )

    def _alone(self, template: str, inner: Scope) -> None:
        """Follow a template that is given these and nothing else."""
        reader = _Reader(self.env, self.calls, finely=self.finely)
        reader.body(parsed(self.env, template).body, inner)
        self.found |= reader.found

    def _macro(
        self,
        called: tuple[str, str, bool],
        args: list[nodes.Expr],
        given: Mapping[str, nodes.Expr],
        scope: Scope,
    ) -> None:
        """Follow a call into an imported macro: of each argument, what the macro reads of it."""
        template, name, sees_context = called
        macros = _macros_of(self.env, template)
        macro = macros.get(name)
        if macro is None:
            raise NotRead(f"{name} is not in {template}")
        inner = _Reader(self.env, (*self.calls, (template, name)), finely=self.finely)
        inner.local, inner.sees_context = set(macros), sees_context
        inner.macros = {one: (template, one, sees_context) for one in macros}
        for node in parsed(self.env, template).body:
            if isinstance(node, nodes.FromImport | nodes.Assign):
                bound: Scope = {}
                inner.statement(node, bound)
                inner.local |= set(bound)
        names = [a.name for a in macro.args]
        values = {**dict(zip(names, args, strict=False)), **given}
        inside = {n: self.paths(values[n], scope) if n in values else NOTHING for n in names}
        for key, value in values.items():
            if isinstance(value, nodes.Name) and value.name in self.macros.keys() - scope.keys():
                inner.macros[key] = self.macros[value.name]
        inner.given = dict(inside)
        for default in macro.defaults:
            inner.use(default, inside)
        inner.body(macro.body, inside)
        self.found |= inner.found
