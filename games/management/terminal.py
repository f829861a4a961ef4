"""What whoever runs a command is told, and what they may say."""

from __future__ import annotations

import os
import re
import sys
from argparse import ArgumentTypeError
from datetime import datetime, timedelta
from io import TextIOWrapper
from pathlib import Path

from django.utils import timezone


def print_any_letters() -> None:
    """Let names be printed that the terminal has no letters for: it shows "?" for those."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def stop_printing() -> None:
    """Let what is still to be said go nowhere: nobody reads it any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def port_number(said: str) -> int:
    """Return the number of a port. Raises ArgumentTypeError for what is none."""
    if not (re.fullmatch("[0-9]{1,5}", said) and 0 < int(said) < 65536):
        raise ArgumentTypeError(f"ports are 1 to 65535, and {said[:20]} is none")
    return int(said)


def place_named(said: str) -> Path:
    """Return the file or folder of this name, in full: whoever is told of it may be elsewhere.

    Raises ArgumentTypeError for what nobody can mean. An empty name, of a variable that is unset,
    would be the folder one happens to be in. A shell leaves `~` as it is in quotes and behind
    `--to=`, and a folder of that name would be made here.
    """
    if not said:
        raise ArgumentTypeError("nothing is named")
    if said.startswith("~"):
        raise ArgumentTypeError(f"the shell has left {said[:20]} as it is: name the place in full")
    return Path(said).absolute()


def ago(moment: datetime) -> str:
    """Say how long ago something was, in the unit that a person would use."""
    past = max(timezone.now() - moment, timedelta())
    for unit, length in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if past.total_seconds() >= 2 * length:
            return f"{past.total_seconds() // length:.0f} {unit} ago"
    return f"{past.total_seconds():.0f} s ago"
