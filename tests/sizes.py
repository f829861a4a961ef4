"""How much is tried: little in `make test`, all of it where TAPROOM_SIZE=full asks for it."""

from __future__ import annotations

import os
from typing import TypeVar

from hypothesis import settings
from hypothesis import strategies as st

T = TypeVar("T")

IS_FULL = os.environ.get("TAPROOM_SIZE") == "full"


def size(quick: T, full: T) -> T:
    return full if IS_FULL else quick


# Both servers in the full size; with every change the one that houses have unless they ask.
SERVERS = size(("daphne",), ("daphne", "uvicorn"))


def load_profile() -> None:
    """Set how many examples Hypothesis tries where a test says nothing else.

    None has a deadline: on a busy machine that would be a test of the machine.
    """
    settings.register_profile("quick", deadline=None, max_examples=50)
    settings.register_profile("full", deadline=None, max_examples=2000)
    settings.load_profile(size("quick", "full"))


def write_down_letters() -> None:
    """Have Hypothesis keep its list of what UTF-8 can write, which takes it two seconds to find."""
    st.text().validate()
