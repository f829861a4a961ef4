"""The rules in our words, with rulings and odds, in the reader's language."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.at_table import tidy_code
from games.devices import device_of, seats_of
from games.errors import NotFound
from games.models import Table, rows
from games.screens.stopping import stop_context
from games.showing import refusals_shown
from games.stage import STAGES


def _at_table(request: HttpRequest) -> dict[str, Any]:
    """Return the table that a reader came from and sits at, and what the stop is drawn from.

    An installed app has no other way back. Whoever sits elsewhere is told nothing of the table, so
    that no code can be guessed here; the shared screen, which is nobody's, stops nothing.
    """
    code = tidy_code(request.GET.get("table", ""))
    table = rows.first(Table, code=code) if code else None
    seats = seats_of(device_of(request), table) if table else []
    if table is None or not seats:
        return {"table": None, "mine": None}
    return {"table": table, **stop_context(seats[0], table)}


@require_safe
@refusals_shown
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """Show a game's rule book. Raises NotFound where no game has that name."""
    stage = STAGES.get(game.replace("-", "_"))
    if stage is None:
        raise NotFound(_("There is no rule book of that name."))
    context = {"title": stage.title(), "book": stage.rulebook(), **_at_table(request)}
    return render(request, "games/rules.jinja", context)
