"""Processes of their own, with only the variables of ours that a test gives them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# A key that no start-up finds too weak.
SECRET = "k" * 60


def starts(tmp_path: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run manage.py."""
    return _runs("manage.py", *command, TAPROOM_DATA=str(tmp_path), **environment)


def with_settings(tmp_path: Path, does: str, **environment: str) -> str:
    """Return what a line of Python prints by the settings, which it knows as `s`.

    That takes a quarter of what a command does: none of our apps is loaded.
    """
    line = f"from django.conf import settings as s; s.DEBUG; {does}"
    ours = {"TAPROOM_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = _runs("-c", line, **ours, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _runs(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("TAPROOM_", "DJANGO_"))}
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=clean | environment,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
