"""Where the house's file is: for its owner alone, and not where an earlier release has put it."""

from __future__ import annotations

import shlex
from contextlib import suppress
from pathlib import Path

import dj_database_url
from django.conf import settings

from games.keeping import KeepingError, archive, facts, sqlite

OTHERS, OWNERS = 0o007, 0o700
BEGINS = b"SQLite format 3\0"


def close_to_others() -> None:
    """Let the owner alone read what people's games and seats are in, made by a start or there.

    What everybody may read nobody has decided on, it comes from the system's usual mask; what a
    group was given without the others stays so. A journal gets its rights from its database.
    """
    house = sqlite.path_of_house()
    with suppress(OSError):  # said in words by whoever opens it
        house.touch(0o600)
    for path in (*house.parent.glob(f"{house.name}*"), settings.DATA_DIR / archive.KEY):
        with suppress(OSError):  # somebody else's, who has let this user in
            mode = path.stat().st_mode
            if mode & OTHERS:
                path.chmod(mode & OWNERS)


def refuse_astray() -> None:
    """Raise KeepingError where an earlier release has this house's file outside of its folder.

    It read the path as an address, which ends at "#" and "?". Two houses may have shared that file,
    so whose it is, is for their host to say.
    """
    house = sqlite.path_of_house()
    astray = Path(str(dj_database_url.parse(f"sqlite:///{house}")["NAME"]))
    # Of the same name it is another house: "%20" in the name of a folder is no space any more.
    if astray.name == house.name or not _is_database(astray):
        return
    if house.exists() and house.stat().st_size and facts.is_lived_in():
        return
    old, new = shlex.quote(str(astray)), shlex.quote(str(house))
    raise KeepingError(
        f"An earlier Taproom took the # or ? in this folder's name for an address, and has kept "
        f"its house in the file {old}. It belongs here. Bring it back, and what may stand beside "
        f"it with -wal or -journal at the end, then start again:\n  mv {old} {new}\n"
        "Should another folder with the same beginning have played in it too, use cp instead of "
        "mv. For a new house give that file another name."
    )


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(BEGINS)) == BEGINS
    except OSError:
        return False
