"""Static files as a house's first start collects them: done once in a run, then linked.

That takes a second and a half of a processor, and each house of its own folder would do it again.
`tests/test_collecting.py` is about it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.games.databases import RUN

STATIC, MARK = "static", "static.collected"


def shared() -> Path:
    """Return where all workers of a run find them; what holds it goes with the run's database."""
    return Path(tempfile.gettempdir(), f"taproom-test-{RUN}", "collected")


def brings_static(folder: Path) -> None:
    """Give a house what another has collected; where that is not there it collects by itself."""
    with suppress(OSError):
        shutil.copytree(shared() / STATIC, folder / STATIC, copy_function=_linked)
        shutil.copy(shared() / MARK, folder)


def keeps_static(folder: Path) -> None:
    """Keep what a house has collected for the others, unless one has done so."""
    if shared().exists() or not shared().parent.exists():
        return
    beside = Path(tempfile.mkdtemp(dir=shared().parent))
    with suppress(OSError):
        shutil.copytree(folder / STATIC, beside / STATIC, copy_function=_linked)
        shutil.copy(folder / MARK, beside)
        beside.rename(shared())
        return
    shutil.rmtree(beside, ignore_errors=True)


def _linked(source: str, to: str) -> None:
    try:
        os.link(source, to)
    except OSError:  # another disk
        shutil.copy2(source, to)
