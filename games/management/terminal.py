"""What is printed for whoever runs a command."""

from __future__ import annotations

import sys
from io import TextIOWrapper


def print_any_letters() -> None:
    """Let names be printed that the terminal has no letters for: it shows "?" for those."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
