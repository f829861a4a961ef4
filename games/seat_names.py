"""The name of a seat, in the language of whoever reads it."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.utils import translation

from games.models import Seat
from games.said import gettext as _


def screen_name() -> str:
    """Return what a shared screen is called, in the active language."""
    return _("Shared screen")


@cache
def _own_names() -> frozenset[str]:
    found = set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found.add(translation.gettext("Shared screen"))
    return frozenset(found)


def shown_name(name: str, role: str) -> str:
    """Return a seat's name for the reader: the house's own is translated, what was typed stays.

    A screen's name is kept in the language of whoever opened the screen.
    """
    return screen_name() if role == Seat.Role.SCREEN and name in _own_names() else name
