"""The rules in our words, with rulings and odds, in the reader's language."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.errors import NotFound
from games.showing import refusals_shown
from games.stage import STAGES


@require_GET
@refusals_shown
def rules(request: HttpRequest, game: str) -> HttpResponse:
    stage = STAGES.get(game.replace("-", "_"))
    if stage is None:
        raise NotFound(_("There is no rule book of that name."))
    context = {"title": stage.title(), "book": stage.rulebook()}
    return render(request, "games/rules.jinja", context)
