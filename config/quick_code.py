"""What templates are compiled to: each call goes straight to what it calls.

Jinja asks at every call what is called and what that wants to be passed, and its macros gather
their arguments one by one. Here nothing that is called wants anything but `each` and `piece`, and
a macro is a function whose arguments Python itself puts in their places: a page of forms is some
hundred calls of macros. What they return is shown as it is, and marked as safe only where it is
kept, handed on or looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

from jinja2 import Undefined, nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.utils import _PassArg, missing
from markupsafe import Markup

# They draw another template by what the one that calls them was given.
GIVEN_THE_CONTEXT: Final = frozenset({"each", "piece"})
# How deep the arguments of a macro stand in its code, which is part of their names: those that
# another template can import stand at a template's top.
TOP: Final = 1
_NO_CALLER: Final = Undefined("No caller defined", name="caller")


def as_macro(macro: FunctionType, arguments: int, has_caller: bool) -> FunctionType:
    """Let the arguments of a compiled macro be left out; it sees to what then stands for them."""
    macro.__defaults__ = (missing,) * arguments + ((_NO_CALLER,) if has_caller else ())
    return macro


def is_macro(called: Any) -> bool:
    return type(called) is FunctionType and called.__name__ == "macro"


def call_macro(macro: Callable[..., str], args: tuple[Any, ...], given: dict[str, Any]) -> Markup:
    """Call a macro that was handed on: by its names, as they are written in a template."""
    return Markup(macro(*args, **{f"l_{TOP}_{name}": value for name, value in given.items()}))  # noqa: S704 - escaped by its own template


class QuickCode(CodeGenerator):
    """Writes a template's code. What it does not know it leaves as Jinja would write it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # By their names in the code, and how deep their arguments stand.
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
        """Write a call but for its last bracket."""
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
        """Return how deep the arguments of a macro stand that is called; None for all else."""
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
        """Tell whether what is called wants to be passed no more than is written there."""
        if _is_open(node):
            return False
        if isinstance(node.node, nodes.Getattr):  # a method of what was given
            return True
        name = node.node.name if isinstance(node.node, nodes.Name) else ""
        known = self.environment.globals.get(name)
        return name in GIVEN_THE_CONTEXT or (known is not None and _PassArg.from_obj(known) is None)

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
