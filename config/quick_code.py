"""Compiles templates so that each call goes straight to what it calls.

At every call Jinja asks what is called and which arguments it wants to be passed besides, and its
macros collect their arguments one by one. In our templates only `each` and `piece` want anything
besides, so here a call is a plain call, and a macro is a function whose arguments Python itself
assigns: a page of forms has some hundred calls of macros. What a macro returns is put out as it is,
and marked as safe only where it is kept, handed on or tested. See decision 25.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

from jinja2 import Undefined, nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.utils import _PassArg, missing
from markupsafe import Markup

# They draw another template with the context of the one that calls them.
GIVEN_THE_CONTEXT: Final = frozenset({"each", "piece"})
# The level at which a macro's arguments stand in compiled code, which is part of their names:
# macros that another template can import stand at a template's top level.
TOP: Final = 1
_NO_CALLER: Final = Undefined("No caller defined", name="caller")


def as_macro(macro: FunctionType, arguments: int, has_caller: bool) -> FunctionType:
    """Make the arguments of a compiled macro optional; it fills in their defaults itself."""
    macro.__defaults__ = (missing,) * arguments + ((_NO_CALLER,) if has_caller else ())
    return macro


def is_macro(called: Any) -> bool:
    """Tell whether this is a compiled macro: Jinja gives each a plain function of this name."""
    return type(called) is FunctionType and called.__name__ == "macro"


def call_macro(macro: Callable[..., str], args: tuple[Any, ...], given: dict[str, Any]) -> Markup:
    """Call a macro that was handed on, by its argument names as templates write them."""
    return Markup(macro(*args, **{f"l_{TOP}_{name}": value for name, value in given.items()}))  # noqa: S704 - escaped by its own template


class QuickCode(CodeGenerator):
    """Writes a template's code. Whatever it does not handle is compiled as Jinja does."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # By their names in the code: the level of their arguments.
        self._macros: dict[str, int] = {}
        self._shown: nodes.Node | None = None

    def visit_FromImport(self, node: nodes.FromImport, frame: Frame) -> None:
        super().visit_FromImport(node, frame)
        for name in node.names:
            here = name[1] if isinstance(name, tuple) else name
            self._macros[frame.symbols.ref(here)] = TOP

    def _import_common(self, node: nodes.Import | nodes.FromImport, frame: Frame) -> None:
        self.write("environment.macros_of(")
        self.visit(node.template, frame)
        sees = f"context, {self.dump_local_context(frame)}" if node.with_context else "None, {}"
        self.write(f", {sees})")

    def visit_Macro(self, node: nodes.Macro, frame: Frame) -> None:
        self._macros[frame.symbols.ref(node.name)] = frame.symbols.level + TOP
        super().visit_Macro(node, frame)

    def macro_def(self, macro_ref: MacroRef, frame: Frame) -> None:
        if macro_ref.accesses_kwargs or macro_ref.accesses_varargs:
            self.fail("macros are called by the names of their arguments", macro_ref.node.lineno)
        self.write(f"as_macro(macro, {len(macro_ref.node.args)}, {macro_ref.accesses_caller})")

    def visit_Call(
        self,
        node: nodes.Call,
        frame: Frame,
        forward_caller: bool = False,
    ) -> None:
        depth = self._depth_of(node, frame)
        if depth is not None:
            self.write("(" if forward_caller or node is self._shown else "Markup(")
            self._straight(node, frame, f"l_{depth}_")
            self.write(f"l_{depth}_caller=caller))" if forward_caller else "))")
        elif not forward_caller and self._asks_for_nothing(node):
            self._straight(node, frame)
            self.write(")")
        else:
            super().visit_Call(node, frame, forward_caller=forward_caller)

    def _straight(self, node: nodes.Call, frame: Frame, prefix: str = "") -> None:
        """Write a call up to its closing bracket."""
        self.visit(node.node, frame)
        self.write("(")
        if isinstance(node.node, nodes.Name) and node.node.name in GIVEN_THE_CONTEXT:
            self.write("context, ")
        for arg in node.args:
            self.visit(arg, frame)
            self.write(", ")
        for given in node.kwargs:
            self.write(f"{prefix}{given.key}=")
            self.visit(given.value, frame)
            self.write(", ")

    def _depth_of(self, node: nodes.Expr, frame: Frame) -> int | None:
        """Return the level at which a called macro's arguments stand; None for any other call."""
        if (
            not isinstance(node, nodes.Call)
            or not isinstance(node.node, nodes.Name)
            or _is_open(node)
        ):
            return None
        if node.node.name == "caller":  # of which only the places are known
            return None if node.kwargs else TOP
        return self._macros.get(frame.symbols.ref(node.node.name))

    def _asks_for_nothing(self, node: nodes.Call) -> bool:
        """Tell whether a called object needs no argument beyond those written there."""
        if _is_open(node):
            return False
        if isinstance(node.node, nodes.Getattr):  # a method of what was given
            return True
        name = node.node.name if isinstance(node.node, nodes.Name) else ""
        known = self.environment.globals.get(name)
        return name in GIVEN_THE_CONTEXT or (callable(known) and _PassArg.from_obj(known) is None)

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if self._depth_of(node, frame) is None:
            super()._output_child_pre(node, frame, finalize)
        else:
            self._shown = node

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if node is not self._shown:
            super()._output_child_post(node, frame, finalize)


def _is_open(node: nodes.Call) -> bool:
    return node.dyn_args is not None or node.dyn_kwargs is not None
