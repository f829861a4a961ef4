"""Pip for a Python that comes without one: Debian keeps it in a package of its own (python3-venv).

Whoever may install nothing on their machine can play all the same.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from urllib.parse import urljoin

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # not looked at by every Python
from config.early_texts import gettext as _

# The variable by which pip itself is told of another index: that may be all that can be reached.
INDEX = (os.environ.get("PIP_INDEX_URL") or "https://pypi.org/simple").rstrip("/") + "/pip/"
WHEEL = "pip-26.3-py3-none-any.whl"
SHA256 = "f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13"


def main() -> None:
    """Install pip into the Python that runs this, or end with what helps instead."""
    try:
        wheel = fetch()
    except (OSError, LookupError) as error:
        text = _(
            "This Python has no pip, and it could not be fetched (%(why)s). Install what your "
            "system calls it (Debian: python3-venv), and try again."
        )
        sys.exit(text % {"why": error})
    if hashlib.sha256(wheel).hexdigest() != SHA256:
        text = _(
            "What was fetched as pip is something else. Install what your system calls it (Debian: "
            "python3-venv), and try again."
        )
        sys.exit(text)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / WHEEL
        path.write_bytes(wheel)
        pip = [sys.executable, str(path / "pip"), "install", "--quiet", "--no-index", str(path)]
        sys.exit(subprocess.run(pip, check=False).returncode)  # noqa: S603 - all of it is ours


def fetch() -> bytes:
    """Return the wheel that the index has, unchecked.

    Raises LookupError where it lists none of this name, OSError where it cannot be asked.
    """
    listed = read(INDEX).decode()
    found = re.search(rf'href="([^"#]*/{re.escape(WHEEL)})#', listed)
    if not found:
        raise LookupError(f"{INDEX} has no {WHEEL}")
    return read(urljoin(INDEX, found[1]))


def read(address: str) -> bytes:
    """Return what is at an address. Raises OSError where nothing answers within half a minute."""
    # Whoever runs this has named the index; the wheel's address stands in it.
    with urllib.request.urlopen(address, timeout=30) as answer:  # noqa: S310
        came: bytes = answer.read()
    return came


if __name__ == "__main__":
    main()
