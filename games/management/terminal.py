"""What whoever runs a command is told, and what they may say."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentTypeError
from io import TextIOWrapper


def print_any_letters() -> None:
    """Let names be printed that the terminal has no letters for: it shows "?" for those."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def port_number(said: str) -> int:
    """Return the number of a port. Raises ArgumentTypeError for what is none."""
    if not (re.fullmatch("[0-9]{1,5}", said) and 0 < int(said) < 65536):
        raise ArgumentTypeError(f"ports are 1 to 65535, and {said[:20]} is none")
    return int(said)
