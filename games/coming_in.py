"""Sitting down from outside, by the page's form or by the API, and the language one is met in."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from games import said
from games.at_table import At
from games.devices import known_device
from games.models import Seat
from games.seat_names import screen_name
from games.services.tables import sit_down

# Under which a session keeps the language that its visitor has chosen.
LANGUAGE_KEY = "language"


def keep_language(request: HttpRequest, chosen: str) -> None:
    """Let everything that this visitor asks for be in a language, if it is one that there is."""
    if chosen in dict(settings.LANGUAGES):
        request.session[LANGUAGE_KEY] = chosen


def take_a_seat(request: HttpRequest, at: At, *, name: str, role: str, language: str) -> Seat:
    """Sit down, or knock where the host admits; a shared screen has the house's own name.

    Raises what `games.services.tables.sit_down` raises.
    """
    keep_language(request, language)
    return sit_down(
        at.table.pk,
        known_device(request),
        name=screen_name() if role == Seat.Role.SCREEN else name,
        role=role,
        language=request.session.get(LANGUAGE_KEY) or said.language(),
    )
