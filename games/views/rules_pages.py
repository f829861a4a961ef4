"""The rules in our words, with rulings and odds, in the reader's language."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.at_table import tidy_code
from games.devices import device_of, seats_of
from games.errors import NotFound
from games.models import Table, rows
from games.showing import refusals_shown
from games.stage import STAGES


def _table_of(request: HttpRequest) -> Table | None:
    """Return the table that a reader came from and sits at: an installed app has no other way back.

    Whoever sits elsewhere is told nothing of it, so that no code can be guessed here.
    """
    code = tidy_code(request.GET.get("table", ""))
    table = rows.first(Table, code=code) if code else None
    return table if table and seats_of(device_of(request), table) else None


@require_safe
@refusals_shown
def rules(request: HttpRequest, game: str) -> HttpResponse:
    stage = STAGES.get(game.replace("-", "_"))
    if stage is None:
        raise NotFound(_("There is no rule book of that name."))
    context = {"title": stage.title(), "book": stage.rulebook(), "table": _table_of(request)}
    return render(request, "games/rules.jinja", context)
