"""What takes some hundred MB or seconds is done one at a time, so that pages go on meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock

from django.utils.translation import gettext as _

from games.errors import HouseInTrouble

# One more may wait for it. More would leave no thread for pages.
_turn, PLACES = Lock(), BoundedSemaphore(2)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Wait until nothing else of that kind is being done.

    Raises HouseInTrouble where somebody waits already.
    """
    if not PLACES.acquire(blocking=False):
        raise HouseInTrouble(_("Other pictures and files come first. Try again in a moment."))
    try:
        with _turn:
            yield
    finally:
        PLACES.release()
