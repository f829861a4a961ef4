"""Threads that are there before anybody comes, so that none has to be started while people play.

A system may allow no more of them (a container's limit, a service's `TasksMax`): then whoever came
first was refused. And where there is too little memory for a new thread's first steps, Python waits
for it without end: that was the loop, and the house stood still long after there was memory again.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import ClassVar
from weakref import WeakSet


class Threads(ThreadPoolExecutor):
    """Some threads that share the work; `start_all` starts them, or else the first who asks."""

    _all: ClassVar[WeakSet[Threads]] = WeakSet()

    def __init__(self, count: int, name: str) -> None:
        super().__init__(count, thread_name_prefix=name)
        self._count = count
        Threads._all.add(self)

    def start(self) -> None:
        """Start every one of them. Raises RuntimeError where the system allows no more."""
        there = Barrier(self._count + 1)
        try:
            for _one in range(self._count):
                self.submit(there.wait)
        except RuntimeError:
            there.abort()
            raise
        there.wait()


def start_all() -> None:
    """Start the threads of this process, before it serves. Raises RuntimeError as `start` does."""
    for threads in list(Threads._all):
        threads.start()
