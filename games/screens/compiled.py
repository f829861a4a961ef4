"""What a process makes of templates is kept for the next one, as Python keeps compiled modules.

To compile all of them and to find out what each reads takes some four seconds of processor time, a
fifth of that for the pages of one game: too long for a house that comes back in the middle of a
fight. If it is lost or damaged it is made again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

import jinja2
from django.template import engines
from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket

PREFIX: Final = "templates-"
_DIGEST: Final = hashlib.sha256
_LENGTH: Final = _DIGEST().digest_size


class _Engine(Protocol):
    env: Environment


class _Engines(Protocol):
    def __getitem__(self, name: str, /) -> _Engine: ...


# Django's types know only what all kinds of engines have in common.
ENGINES: Final[_Engines] = engines  # type: ignore[assignment]
"""Where our own templates are, under `jinja2`."""


class CompiledBefore(BytecodeCache):
    """A folder with what was made of these very templates by this very code.

    `made_of` are the files that decide the result; what was made of others is removed. A folder
    that cannot be written to keeps nothing. Each file begins with a digest of the rest, so that one
    which a power failure cut short is not used: half a code object would crash the process.
    """

    def __init__(self, folder: Path, made_of: list[Path]) -> None:
        self.folder = folder / f"{PREFIX}{_digest_of(made_of)}"
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for other in folder.glob(f"{PREFIX}*"):
            if other != self.folder:
                shutil.rmtree(other, ignore_errors=True)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill in the code of a template, if it was compiled before."""
        kept = self.read(bucket.key)
        if kept is not None:
            bucket.bytecode_from_string(kept)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template."""
        self.write(bucket.key, bucket.bytecode_to_string())

    def read(self, name: str) -> bytes | None:
        """Return what was kept by a name, or None."""
        try:
            kept = self._path(name).read_bytes()
        except OSError:
            return None
        rest = kept[_LENGTH:]
        return rest if kept[:_LENGTH] == _DIGEST(rest).digest() else None

    def write(self, name: str, what: bytes) -> None:
        """Keep something by a name, where the folder can take it."""
        path = self._path(name)
        beside = path.with_name(f"{path.name}-{os.getpid()}-{threading.get_ident()}")
        try:
            beside.write_bytes(_DIGEST(what).digest() + what)
            beside.replace(path)
        except OSError:
            with suppress(OSError):
                beside.unlink()

    def _path(self, name: str) -> Path:
        return self.folder / _DIGEST(name.encode()).hexdigest()[:32]


def made(env: Environment, name: str, make: Callable[[], bytes]) -> bytes:
    """Return what an earlier process made, or make it now and keep it for the next."""
    before = env.bytecode_cache
    if not isinstance(before, CompiledBefore):
        return make()
    kept = before.read(name)
    if kept is None:
        kept = make()
        before.write(name, kept)
    return kept


def _digest_of(files: list[Path]) -> str:
    """Return a short mark of these files' names and contents, and of what compiles them."""
    found = _DIGEST(f"{sys.version} {jinja2.__version__}".encode())
    for file in sorted(files):
        found.update(f"\0{file}\0".encode())
        found.update(file.read_bytes())
    return found.hexdigest()[:16]
