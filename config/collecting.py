"""Static files are collected only when they differ from last time.

So a house that comes back opens half a second earlier.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import servestatic
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command

from config import hashed_files


def collect_static() -> bool:
    """Bring what is served up to date; tell whether there was anything to do."""
    root = Path(settings.STATIC_ROOT)
    kept, now = root.with_name("static.collected"), _mark()
    if kept.is_file() and kept.read_text() == now and _is_whole(root):
        return False
    call_command("collectstatic", verbosity=0, interactive=False)
    with suppress(OSError):  # the next start looks again
        kept.write_text(now)
    return True


def is_collected() -> bool:
    """Tell whether pages find every file that this release has; its contents are not compared."""
    known = getattr(staticfiles_storage, "hashed_files", None)
    return known is None or all(name in known for name, _path in _found())


def _mark() -> str:
    """Return a mark that changes with any of the files, or with how they are processed."""
    found = hashlib.sha256(servestatic.__version__.encode())
    found.update(Path(hashed_files.__file__).read_bytes())
    for line in sorted(_files()):
        found.update(f"{line}\n".encode())
    return found.hexdigest()


def _files() -> Iterator[str]:
    for name, path in _found():
        stat = path.stat()
        yield f"{name} {path} {stat.st_size} {stat.st_mtime_ns}"


def _found() -> Iterator[tuple[str, Path]]:
    for finder in get_finders():
        for name, storage in finder.list([]):
            yield name, Path(storage.path(name))


def _is_whole(root: Path) -> bool:
    """Tell whether everything that pages name is still there."""
    assert isinstance(staticfiles_storage, hashed_files.HashedStorage)  # asked without DEBUG
    try:
        names = json.loads((root / staticfiles_storage.manifest_name).read_text())["paths"]
    except (OSError, ValueError, KeyError):
        return False
    return all((root / name).is_file() for name in (*names, *names.values()))
