"""Which worker runs which test when: several workers, and tests that wait for browsers.

Half of the workers begin with the phones' tests, which mostly wait; the others meanwhile do what
needs the processor, the longest first. What takes milliseconds comes last, when workers take what
is left from each other.
"""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path

import pytest

from tests import sizes

PHONES = "tests/phones/"
# All other tests wait for processes, browsers, sockets or threads. On a busy machine one may be
# late once; a test that is late twice has failed, and the end of the run names every first time.
PURE = ("tests/rules/", "tests/test_")
# Priority below the phones' tests, their browsers and their house, which fail when they are late.
NICE = 5


def dealt(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Return the items in such an order that every worker begins with what it should do first.

    xdist's `worksteal` gives each worker an equal share of neighbouring items.
    """
    phones = [one for one in items if one.nodeid.startswith(PHONES)]
    quick = [one for one in items if one.nodeid.startswith(PURE)]
    left = [one for one in items if not one.nodeid.startswith((PHONES, *PURE))] + quick
    begin = max(1, workers // 2)
    parts = [phones[n::begin] if n < begin else [] for n in range(workers)]
    rest, sizes = len(items), []
    for n in range(workers):
        sizes.append(rest // (workers - n))
        rest -= sizes[-1]
    for part, size in reversed(list(zip(parts, sizes, strict=True))):
        wanted = max(0, size - len(part))
        part.extend(left[:wanted])
        del left[:wanted]
    return [one for part in parts for one in part] + left


def names_nothing(config: pytest.Config) -> bool:
    """Tell whether the run is of everything: nobody has named files or tests."""
    return config.args == config.getini("testpaths")


class Order:
    """A worker's plugin."""

    def __init__(self, number: int, workers: int) -> None:
        self._number, self._workers = number, workers
        self._is_nice = False

    def pytest_collection(self, session: pytest.Session) -> None:
        """Import the tests' modules beginning with this worker's own share of them.

        In a new checkout none is compiled, and pytest compiles slowly. Each worker would do it for
        all of them, in the same order at the same time; like this it finds the others' done.
        """
        if self._number == 0:  # the others find it when they come to need it
            sizes.write_down_letters()
        if not names_nothing(session.config):
            return
        root = session.config.rootpath
        found = sorted(path.relative_to(root) for path in Path(root, "tests").rglob("test_*.py"))
        begin = len(found) * self._number // self._workers
        for path in [*found[begin:], *found[:begin]]:
            import_module(".".join(path.with_suffix("").parts))

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = dealt(items, self._workers)

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        if not item.nodeid.startswith(PURE):
            item.add_marker(pytest.mark.flaky(reruns=1))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if not self._is_nice and not nodeid.startswith(PHONES):
            self._is_nice = True
            os.nice(NICE)
