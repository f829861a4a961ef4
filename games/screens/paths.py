"""The walk through a template's syntax tree that finds which paths it reads of what it is given.

A path is a tuple of steps into a value. `scene.call` is read by `("scene", "call")`; of what a loop
goes through, `("scene", "ring", EACH, "name")` is read of each element, and `(…, EACH, COUNT)` says
that it matters how many there are. A path that ends early (`("scene", "ring")`) means all of it.

An expression *stands for* paths where its value is a part of what was given, as a field or a name
that was set to one is: what is read of it later belongs behind those. All that its value depends on
besides is *found*, as being read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, Self

from jinja2 import Environment, nodes

Path = tuple[str, ...]
Paths = frozenset[Path]
Scope = dict[str, Paths]
"""By the names that a template has set itself: what they stand for."""

# Steps of a path: each element of a list; only how many there are; only whether it is true.
EACH, COUNT, TRUTH = "[]", "#", "?"
NOTHING: Paths = frozenset()
ASSIGNS: tuple[type[nodes.Assign | nodes.AssignBlock], ...] = (nodes.Assign, nodes.AssignBlock)
# Not part of what a piece is drawn from: the language is in every key, a push has no CSRF input,
# and what `piece` draws is read at its arguments.
IGNORED = frozenset({"caller", "loop", "csrf_input", "varargs", "kwargs", "self", "piece"})


class NotRead(Exception):
    """What a template reads can't be told: it is drawn every time."""


class Imported(NamedTuple):
    """A macro that a template has imported: from where, its name there, whether with context."""

    template: str
    name: str
    sees_context: bool


@lru_cache(maxsize=512)
def parsed(env: Environment, template: str) -> nodes.Template:
    """Return a template's syntax tree, which many share: nobody may change it."""
    assert env.loader
    source, _name, _is_current = env.loader.get_source(env, template)
    return env.parse(source, template)


@lru_cache(maxsize=128)
def _macros_of(env: Environment, template: str) -> dict[str, nodes.Macro]:
    return {macro.name: macro for macro in parsed(env, template).find_all(nodes.Macro)}


class Walk:
    """Walks one template, or one macro of it; `found` gathers the paths that are read.

    `following` are the macros on the way here, each by its template and name, so that one that
    calls itself is not followed for ever.
    """

    def __init__(self, env: Environment, following: tuple[tuple[str, str], ...] = ()) -> None:
        self.env = env
        self.following = following
        self.found: set[Path] = set()
        self.sees_context = True
        self.imported: dict[str, Imported] = {}
        self.own: set[str] = set()  # macros and constants of this template
        self.given: Scope = {}  # what the macro that is walked was called with

    def _beside(self) -> Self:
        """Return a walk through another template that is drawn within this one."""
        return type(self)(self.env, self.following)

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
                self.own.add(node.name)
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
            self.imported[here] = Imported(str(node.template.value), there, sees_context)

    def _include(self, node: nodes.Include, scope: Scope) -> None:
        if not isinstance(node.template, nodes.Const):
            raise NotRead("an include by a variable")
        inner = self._beside()
        inner.imported, inner.own = dict(self.imported), set(self.own)
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
        """Return what an expression may stand for; what else its value depends on is noted."""
        match node:
            case nodes.Name():
                return self._name(node.name, scope)
            case nodes.Getattr():
                return frozenset((*p, node.attr) for p in self.paths(node.node, scope))
            case nodes.CondExpr():
                self.truth(node.test, scope)
                other = self.paths(node.expr2, scope) if node.expr2 else NOTHING
                return self.paths(node.expr1, scope) | other
            case nodes.Filter(node=nodes.Node()):
                return self.filtered(node, scope)
            case nodes.Call():
                self._call(node, scope)
                return NOTHING
        return self._of_parts(node, scope)

    def _of_parts(self, node: nodes.Node, scope: Scope) -> Paths:
        """Read all that an expression is made of: it stands for none of that."""
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
            case _:
                self.use(node, scope)

    def filtered(self, node: nodes.Filter, scope: Scope) -> Paths:
        """Return what a filtered value stands for; of one that is counted, that is read."""
        assert node.node is not None
        if (node.name, node.args, node.kwargs) == ("length", [], []):
            self.found |= {(*p, EACH, COUNT) for p in self.paths(node.node, scope)}
            return NOTHING
        return self._of_parts(node, scope)

    def _name(self, name: str, scope: Scope) -> Paths:
        if name in scope:
            return scope[name]
        if name in IGNORED or name in self.imported or name in self.own or name in self.env.globals:
            return NOTHING
        return frozenset({(name,)}) if self.sees_context else NOTHING

    # --- calls -----------------------------------------------------------------------------------

    def _call(self, node: nodes.Call, scope: Scope) -> None:
        name = node.node.name if isinstance(node.node, nodes.Name) else ""
        given = {k.key: k.value for k in node.kwargs}
        macro = self.imported.get(name)
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
        elif macro and macro[:2] not in self.following and not _is_spread(node):
            self._macro(macro, node.args, given, scope)
        elif macro and self.following and macro[:2] == self.following[-1]:
            self._again([*zip(self.given, node.args, strict=False), *given.items()], scope)
        else:
            self._of_parts(node, scope)

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
        self.piece(template.value, given, scope)

    def piece(self, template: str, given: Mapping[str, nodes.Expr], scope: Scope) -> None:
        """Follow a piece of this template, by what it is given."""
        self._alone(template, {key: self.paths(value, scope) for key, value in given.items()})

    def _alone(self, template: str, inner: Scope) -> None:
        """Follow a template that is given these and nothing else."""
        other = self._beside()
        other.body(parsed(self.env, template).body, inner)
        self.found |= other.found

    def _macro(
        self,
        called: Imported,
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
        inner = type(self)(self.env, (*self.following, (template, name)))
        inner.own, inner.sees_context = set(macros), sees_context
        inner.imported = {one: Imported(template, one, sees_context) for one in macros}
        for node in parsed(self.env, template).body:
            if isinstance(node, nodes.FromImport | nodes.Assign):
                bound: Scope = {}
                inner.statement(node, bound)
                inner.own |= set(bound)
        names = [a.name for a in macro.args]
        values = {**dict(zip(names, args, strict=False)), **given}
        inside = {n: self.paths(values[n], scope) if n in values else NOTHING for n in names}
        for key, value in values.items():
            if isinstance(value, nodes.Name) and value.name in self.imported.keys() - scope.keys():
                inner.imported[key] = self.imported[value.name]
        inner.given = dict(inside)
        for default in macro.defaults:
            inner.use(default, inside)
        inner.body(macro.body, inside)
        self.found |= inner.found


def _is_spread(node: nodes.Call) -> bool:
    """Tell whether a call hands over arguments that only drawing knows (`*these`, `**those`)."""
    return node.dyn_args is not None or node.dyn_kwargs is not None
