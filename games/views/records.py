"""What was played: past bouts told from their logs, the hall of fame, records to take home."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import groupby
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from games import snapshot
from games.at_table import At, seated_at
from games.days import day
from games.downloads import download
from games.errors import host_only
from games.forms import MOST_DIGITS_OF_A_LINE, read_number, read_page
from games.models import Entrant, Game
from games.rules import brave_or_knave as bk
from games.said import language
from games.screens.log import LogLines, story
from games.screens.stopping import stop_context
from games.showing import refusals_shown
from games.stage import CHRONICLERS, HOLDS_BACK, Chronicle
from games.stored import record_of
from games.text import guild_key, in_order

A_PAGE = 20
A_PAGE_OF_LOG = 100


@require_safe
@ensure_csrf_cookie
@refusals_shown
def records(request: HttpRequest, code: str) -> HttpResponse:
    """Show what was played to its end at a table, the newest first, and its hall of fame."""
    at = seated_at(request, code)
    over = [Game.Status.OVER, Game.Status.ENDED]
    # Without a set-up nothing was played: what an undo of the beginning left behind.
    begun = at.table.games.exclude(setup="").filter(rules__in=CHRONICLERS)
    finished = begun.filter(status__in=over)
    under_way = begun.filter(status=Game.Status.PLAYING)
    page = read_page(request.GET)
    shown = list(finished.prefetch_related("entrants")[(page - 1) * A_PAGE : page * A_PAGE])
    may_take_home = _may_take_home(at)
    context = {
        "table": at.table,
        "playing": [game.pk for game in under_way if may_take_home(game)],
        "bouts": [
            {**CHRONICLERS[game.rules](game), "may_take_home": may_take_home(game)}
            for game in shown
        ],
        "fame": hall_of_fame(finished.filter(rules=bk.NAME)),
        "page": page,
        "has_more": finished.count() > page * A_PAGE,
        **stop_context(at.seat, at.table),
    }
    return render(request, "games/records.jinja", context)


@require_safe
@ensure_csrf_cookie
@refusals_shown
def log(request: HttpRequest, code: str) -> HttpResponse:
    """Show what was told at a table before a number of its log: a phone has the newest alone."""
    at = seated_at(request, code)
    now = snapshot.load(at.table.pk)
    asked = read_number(request.GET, "before", MOST_DIGITS_OF_A_LINE)
    before = min(asked or now.seq + 1, now.seq + 1)
    then = snapshot.earlier(now, before, A_PAGE_OF_LOG)
    days = {e.seq: day(e.at) for e in then.events}
    lines = [line for line in LogLines().of(then, language()) if line.seq < before]
    context = {
        "table": at.table,
        "days": [(one, list(told)) for one, told in groupby(lines, key=lambda li: days[li.seq])],
        "is_newest": before > now.seq,
        "older": then.events[0].seq if then.events and then.events[0].seq > 1 else 0,
        **stop_context(at.seat, at.table),
    }
    return render(request, "games/log.jinja", context)


def _bout(game: Game) -> Chronicle:
    """Tell a bout of Brave or Knave."""
    names = [e.guild_name for e in game.entrants.all()]
    return {
        "id": game.pk,
        "at": (game.started_at or game.created_at).astimezone(),
        "names": names,
        "winners": game.winners,
        "is_called_off": game.status == Game.Status.ENDED,
        "story": story(snapshot.course_of(game), names),
    }


CHRONICLERS[bk.NAME] = _bout


def hall_of_fame(games: QuerySet[Game]) -> list[dict[str, Any]]:
    """Count wins and bouts for every guild name, the most wins first; as it was written last."""
    wins: Counter[str] = Counter()
    bouts: Counter[str] = Counter()
    written: dict[str, str] = {}
    over = games.filter(status=Game.Status.OVER)
    for winners in over.values_list("winners", flat=True):
        wins.update(map(guild_key, winners))
    took_part = Entrant.objects.filter(game__in=over).order_by("-game_id", "order")
    for name in took_part.values_list("guild_name", flat=True):
        # Not by the keys in their rows: an earlier release may have compared otherwise.
        key = guild_key(name)
        bouts[key] += 1
        written.setdefault(key, name)
    rows = [{"name": written[n], "wins": wins[n], "bouts": bouts[n]} for n in bouts]
    return sorted(rows, key=lambda r: (-r["wins"], r["bouts"], in_order(r["name"])))


def _may_take_home(at: At) -> Callable[[Game], bool]:
    """Return what tells whether a game's record is open to this device already.

    A fight's record has every figure of the foes, or it would not replay. Once the fight
    is over it is the whole table's, as every record is, unless the table keeps those hidden.
    """
    if any(s.is_gm and s.is_seated for s in at.seats):
        return lambda _game: True
    held_back = {rules for rules, holds_back in HOLDS_BACK.items() if holds_back(at.table)}
    return lambda game: (
        game.rules == bk.NAME
        or (game.status != Game.Status.PLAYING and game.rules not in held_back)
    )


@require_safe
@refusals_shown
def record(request: HttpRequest, code: str, game: int) -> HttpResponse:
    """Download a bout as a record that `manage.py replay` reads."""
    at = seated_at(request, code)
    # The others keep their records with what they belong to.
    told = Game.objects.exclude(setup="").filter(rules__in=CHRONICLERS)
    found = get_object_or_404(told, pk=game, table=at.table)
    if not _may_take_home(at)(found):
        raise host_only()
    name = f"{found.rules.replace('_', '-')}-{at.table.code}-{found.pk}.jsonl"
    return download(record_of(found), name, "application/jsonl; charset=utf-8")
