"""Which tests of looks `make test` leaves to `make looks`.

How a screen lies in each of the sizes, letters, names and lights that people have takes long to
look at, and changes only with templates and style sheets. What people do on their phones, each page
at 320 px and what axe finds are tried in `make test` all the same. What is the same in all three
games, and was wrong in one of them once, is tried there in one (`only_last`).
"""

from __future__ import annotations

from typing import Any

import pytest

from tests import sizes
from tests.order import names_nothing

LEFT_OUT = pytest.StashKey[int]()


def only_last(*values: Any) -> list[Any]:
    """Parameters of which `make test` tries the last alone, `make looks` all."""
    return [*(pytest.param(value, marks=pytest.mark.looks) for value in values[:-1]), values[-1]]


def leaves_them_out(config: pytest.Config) -> bool:
    """Whoever names files, marks or words is given all that they name."""
    asks = config.option.keyword or config.option.markexpr
    return not asks and not sizes.IS_FULL and names_nothing(config)


def _is_left_out(item: pytest.Item) -> bool:
    marked = item.get_closest_marker("looks")
    return marked is not None and not marked.kwargs.get("also_quick")


class Looks:
    """A plugin of the run, and of each of its workers: these tell the run how many there were."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        if not leaves_them_out(config):
            return
        looks = [one for one in items if _is_left_out(one)]
        items[:] = [one for one in items if not _is_left_out(one)]
        config.hook.pytest_deselected(items=looks)
        config.stash[LEFT_OUT] = len(looks)
        if hasattr(config, "workeroutput"):
            config.workeroutput["looks"] = len(looks)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        told = getattr(node, "workeroutput", {})
        node.config.stash[LEFT_OUT] = told.get("looks", 0)

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, config: pytest.Config
    ) -> None:
        if count := config.stash.get(LEFT_OUT, 0):
            terminalreporter.write_line(f"{count} tests of looks were left to `make looks`.")
