"""Compiled templates are kept between processes: compiling all of them takes one five seconds."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import jinja2


def keep_compiled(templates: list[dict[str, Any]], root: Path) -> None:
    """Let the first of these engines, Jinja's, look among what any process has compiled.

    It is asked for by a template's own text, and by the environment that has compiled it.
    """
    environment = hashlib.sha256((root / "config" / "jinja.py").read_bytes()).hexdigest()[:12]
    folder = root / ".pytest_cache" / f"templates-{jinja2.__version__}-{environment}"
    folder.mkdir(parents=True, exist_ok=True)
    templates[0]["OPTIONS"]["bytecode_cache"] = jinja2.FileSystemBytecodeCache(str(folder))
