"""The rules in our words, with rulings and odds, in the reader's language."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.errors import NotFound
from games.rulebook import brave_or_knave
from games.rules import brave_or_knave as bk
from games.rules import odds
from games.screens.scene import percent
from games.views.errors import refusals_shown


@require_GET
@refusals_shown
def rules(request: HttpRequest, game: str) -> HttpResponse:
    if game != "brave-or-knave":
        raise NotFound(_("There is no rule book of that name."))
    rows = [
        {
            "number": n,
            "brave": percent(odds.survival(n, bk.Call.BRAVE)),
            "knave": percent(odds.survival(n, bk.Call.KNAVE)),
            "menace": percent(odds.menace(n)),
        }
        for n in range(bk.MIN_NUMBER, bk.MAX_NUMBER + 1)
    ]
    context = {"sections": brave_or_knave.sections(), "odds": rows}
    return render(request, "games/rules.jinja", context)
