"""The real settings, with dice that a test can script: hashed files, real checks, a real file.

`PHONES_DICE` names a file with one face a line. The server's dice take the
first line; with none left they are the operating system's again.
"""

import fcntl
import os
from pathlib import Path

from config.settings import *  # noqa: F403
from config.settings import BASE_DIR, INSTALLED_APPS
from games.rules.dice import SystemDice

# Templates that any process of the tests has compiled serve all of them.
CACHE_DIR = BASE_DIR / ".pytest_cache"
INSTALLED_APPS = [*INSTALLED_APPS, "tests.phones.quick.Quick"]
_chance = SystemDice.roll


def _next_face(dice: Path) -> int | None:
    with dice.open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        first, *rest = file.read().split() or [""]
        file.seek(0)
        file.truncate()
        file.write("\n".join(rest))
    return int(first) if first else None


def _roll(self: SystemDice, sides: int) -> int:
    return _next_face(Path(os.environ["PHONES_DICE"])) or _chance(self, sides)


if "PHONES_DICE" in os.environ:  # and not when the tests' collection reads this file
    SystemDice.roll = _roll  # type: ignore[method-assign]
