"""A troupe that remembers its rows from before each tap, for undo to be held against."""

from __future__ import annotations

from typing import Any

from tests.campaigns.troupe import Troupe
from tests.set_back import kept_rows


class Remembering(Troupe):
    """A troupe that remembers the rows before each tap, and in which event it ended."""

    taps: list[tuple[str, int, dict[str, Any]]]

    def do(self, who: Any, action: str, /, **fields: Any) -> Any:
        rows, last = kept_rows(), self.table.seq if self.erin.code else 0
        answer = super().do(who, action, **fields)
        if action != "undo" and self.erin.code:
            self.taps.append((action, last + 1, rows))
        return answer
