"""Servers of either kind for attacks, and how much one may grow meanwhile."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from tests.chaos.house import Zygote

GROWS_AT_MOST_MB = 40


@contextmanager
def forker(server: str, mother: Zygote) -> Iterator[Zygote]:
    """The process that forks servers of this kind; that of the tests is Daphne's."""
    if server == os.environ.get("TAPROOM_SERVER", "daphne"):
        yield mother
        return
    folder = mother.folder / server
    folder.mkdir(exist_ok=True)
    one = Zygote(folder, mother.template, TAPROOM_SERVER=server)
    try:
        yield one
    finally:
        one.close()
