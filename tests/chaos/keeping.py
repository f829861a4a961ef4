"""R11, R12 and the faults of a machine: the tests of `tests/keeping`, as goals among the others."""

from __future__ import annotations

import asyncio
import os
import sys

from tests.chaos.house import ROOT

# What a program said last, and whether it ended well.
Run = tuple[str, bool]


async def backups_under_load(rounds: int) -> Run:
    """Back up so often while people play hard, and restore and prove each (R11)."""
    return await _runs("-m", "tests.keeping.under_load", str(rounds))


async def tests_of(*names: str, full: bool) -> Run:
    """Run tests of `tests/keeping` in one size; what is skipped is said with the rest."""
    paths = [f"tests/keeping/{name}.py" for name in names]
    quietly = ("-q", "-rs", "-o", "addopts=", "--tb=short")
    return await _runs("-m", "pytest", *quietly, *paths, size="full" if full else "quick")


async def _runs(*command: str, size: str = "") -> Run:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("TAPROOM_", "DJANGO_"))}
    program = await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        cwd=ROOT,
        env={**clean, "TAPROOM_SIZE": size} if size else clean,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _nothing = await program.communicate()
    told = out.decode(errors="replace").strip().splitlines()
    if program.returncode:
        print(*told[-40:], sep="\n", file=sys.stderr)
    said = [line for line in told[:-1] if line.startswith("SKIPPED")] + told[-1:]
    return "; ".join(said), program.returncode == 0
