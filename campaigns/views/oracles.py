"""The oracle editor: a table writes its own, brings them as text or YAML, takes them along."""

from __future__ import annotations

from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from campaigns import actions
from campaigns.actions.campaign import LONGEST_ORACLE
from campaigns.screens.cards import OracleCard
from campaigns.services.oracles import (
    OWN,
    all_oracles,
    errors_in_words,
    is_key,
    mark_of_oracle,
    oracle_of,
    parse,
)
from games.at_table import At, at_table, seat_at
from games.downloads import download
from games.errors import Malformed, Refused
from games.forms import new_tap, read_tap, read_text
from games.models import Seat
from games.rules.wicked_age.oracles import (
    Oracle,
    holds_more_than_text,
    to_text,
    to_yaml,
)
from games.services.act import Tap, act
from games.showing import refusals_shown
from games.text import MARK

LARGEST = 400_000  # bytes
KINDS = {"text": ("text/plain; charset=utf-8", to_text), "yaml": ("application/yaml", to_yaml)}
Written = Literal["text", "yaml"]
ENDINGS: dict[str, Written] = {"txt": "text", "yaml": "yaml", "yml": "yaml"}


@require_safe
@refusals_shown
def oracles(request: HttpRequest, code: str) -> HttpResponse:
    """List the oracles that this table can choose from."""
    at = at_table(request, code)
    seat = seat_at(at)
    with translation.override(seat.language):
        cards = [_card(one) for one in all_oracles(at.table, seat.language)]
        context = {**_basics(at, seat), "oracles": cards}
        return render(request, "campaigns/oracles.jinja", context)


def _basics(at: At, seat: Seat) -> dict[str, Any]:
    return {
        "table": at.table,
        "seat": seat,
        "language": translation.get_language(),
        "content_lines": list(at.table.content_lines.all()),
    }


def _card(one: Oracle) -> OracleCard:
    return OracleCard(one.id, one.title, one.blurb, len(one.entries), is_own=one.id.startswith(OWN))


@ensure_csrf_cookie
@refusals_shown
def editor(request: HttpRequest, code: str, oracle: str = "") -> HttpResponse:
    """Write an oracle as text or YAML; what is wrong is said line by line, what is typed stays.

    A shipped one opens as the beginning of one's own.
    """
    at = at_table(request, code)
    seat = seat_at(at)
    with translation.override(seat.language):
        typed, written_as = "", _said(request)
        errors: list[str] = []
        error_at = ""
        status, is_own = 200, oracle.startswith(OWN)
        was = request.POST.get("was", "")[:MARK]
        if request.method == "POST":
            typed = request.POST.get("text", "")  # stays where the file beside it is none
            try:
                typed, written_as = _typed(request)
                _keep(request, at, seat, oracle, typed, written_as=written_as)
                return redirect("wicked_oracles", at.table.code)
            except Refused as refusal:
                errors = _errors(refusal, typed, written_as, seat.language)
                status, error_at = refusal.status, "file" if refusal.field == "file" else "text"
                if is_own and refusal.field == "was":
                    # Whoever keeps it again has read that there is another one.
                    was = mark_of_oracle(oracle_of(at.table, oracle))
        elif oracle:
            found = oracle_of(at.table, oracle, seat.language)
            written_as = _fitting(found, request.GET.get("as", ""))
            typed, was = KINDS[written_as][1](found), mark_of_oracle(found) if is_own else ""
        context: dict[str, Any] = {
            **_basics(at, seat),
            "oracle": oracle if is_own else "",
            "was": was,
            "typed": typed,
            "written_as": written_as,
            "errors": errors,
            "error_at": error_at,
            "tap": new_tap(),
        }
        return render(request, "campaigns/oracle.jinja", context, status=status)


def _fitting(oracle: Oracle, asked: str) -> Written:
    """Return how an oracle is shown: as was asked, or so that one of the table's own loses nothing.

    Plain lines have no hints, tags and cautions.
    """
    has_more = oracle.id.startswith(OWN) and holds_more_than_text(oracle)
    return "yaml" if asked == "yaml" or (has_more and asked != "text") else "text"


def _said(request: HttpRequest) -> Written:
    return "yaml" if request.POST.get("written_as") == "yaml" else "text"


def _typed(request: HttpRequest) -> tuple[str, Written]:
    """Return what was written, or what stands in the file that was sent instead, and how.

    A file says by its name how it is written: the entries of one are no lines of the other.
    """
    sent = request.FILES.get("file")
    if sent is None:
        return request.POST.get("text", ""), _said(request)
    text = read_text(sent, LARGEST, _("That file is too large for an oracle."))
    if not text.strip():
        raise Malformed(_("That file is empty."), field="file")
    ending = (sent.name or "").rpartition(".")[2].lower()
    return text, ENDINGS.get(ending) or _said(request)


def _keep(
    request: HttpRequest, at: At, seat: Seat, oracle: str, typed: str, *, written_as: Written
) -> None:
    key = oracle.removeprefix(OWN) if oracle.startswith(OWN) else "0"
    if not is_key(key):
        raise Malformed(_("This table has no such oracle."), field="oracle")
    if not typed.strip():
        raise Malformed(_("Write a title first, then one entry per line."), field="text")
    if len(typed) > LONGEST_ORACLE:
        raise Malformed(_("That is too long for an oracle."), field="text")
    was = request.POST.get("was", "")[:MARK]
    action = actions.WriteOracle(typed, int(key), written_as, was)
    act(at.table.pk, at.acting(seat.number), action, Tap(read_tap(request.POST).id))


def _errors(refusal: Refused, typed: str, written_as: str, language: str) -> list[str]:
    """Say what is wrong with what was typed, line by line, or else why it is refused."""
    if refusal.field == "file":
        return [refusal.message]
    read = parse(typed, written_as, language)
    return [refusal.message] if isinstance(read, Oracle) else errors_in_words(read)


@require_safe
@refusals_shown
def exported(request: HttpRequest, code: str, oracle: str, kind: str) -> HttpResponse:
    """Give an oracle as a file: plain lines, or YAML with everything it has."""
    at = at_table(request, code)
    seat = seat_at(at)
    content_type, write = KINDS[kind]
    ending = "txt" if kind == "text" else "yaml"
    written = write(oracle_of(at.table, oracle, seat.language))
    return download(written, f"{oracle}.{ending}", content_type)
