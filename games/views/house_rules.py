"""The editor of house rules, and sharing them as a link or a small file."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from games import actions
from games.at_table import host_at
from games.deeds.house_rules import read_house_rule
from games.downloads import download
from games.errors import Malformed, Refused
from games.forms import Form, new_tap, read_tap, read_text
from games.models import Table
from games.rules import brave_or_knave as bk
from games.rules.brave_or_knave import refusals
from games.rules.words import refuse
from games.screens.house_rules import effects_in_words, number_offered, number_words
from games.screens.stopping import stop_context
from games.services.act import Tap, act
from games.services.refusing import reason_of
from games.sharing import rule_of_share
from games.showing import refusals_shown

EFFECTS = (1, 2, 3)
FIELD = re.compile(r"name|cry|number|call-[123]")  # of the form, where something may be wrong
LARGEST = 16_000  # bytes


@refusals_shown
def editor(request: HttpRequest, code: str) -> HttpResponse:
    """Write a house rule (BK-25) in a form, or bring one as text; errors keep what was typed."""
    at, seat = host_at(request, code)
    values: Any = request.POST
    error: dict[str, str] = {}
    status = 200
    if request.method == "POST":
        try:
            action = actions.AddHouseRule(_brought(request))
            tap = Tap(read_tap(request.POST).id)
            act(at.table.pk, at.acting(seat.number), action, tap)
            return redirect("gm", at.table.code)
        except Refused as refusal:
            error, status = {_place_of(refusal, request): refusal.message}, refusal.status
    elif request.GET.get("rule"):
        values = {"text": rule_of_share(request.GET["rule"])}
    context = {
        "table": at.table,
        "error": error,
        "values": values,
        "tap": new_tap(),
        **stop_context(seat, at.table),
        **_numbers(at.table),
    }
    return render(request, "games/house_rule.jinja", context, status=status)


def _place_of(refusal: Refused, request: HttpRequest) -> str:
    """Return the field that a refusal is told at, or "rule" where it is about none of them.

    What is wrong with a rule that was brought as text is told at that text.
    """
    if "text" in request.POST and refusal.field:
        return "file" if request.FILES.get("file") else "text"
    return refusal.field if FIELD.fullmatch(refusal.field) else "rule"


def _brought(request: HttpRequest) -> str:
    """Return the JSON of a rule that was written in the form, pasted, or sent as its file."""
    if "text" not in request.POST:
        return rule_text(request.POST)
    sent = request.FILES.get("file")
    if sent is None:
        text = request.POST["text"].strip()
    else:
        text = read_text(sent, LARGEST, _("That file is too large for a house rule.")).strip()
    if not text:
        raise Malformed(_("Paste a rule, or choose its file."), field="text")
    return rule_of_share(text)


def _numbers(table: Table) -> dict[str, Any]:
    """Return what stands beside the numbers to choose from, and which of them is offered.

    Whoever has played gathers again with the same number.
    """
    game = table.games.filter(rules=bk.NAME).order_by("-id").first()
    entrants = game.entrants.exclude(number=None) if game else ()
    owners = {one.number: one.guild_name for one in entrants if one.number}
    kept = table.house_rules.filter(is_on=True)
    words = number_words(owners, (msgspec.convert(one.rule, bk.HouseRule) for one in kept))
    return {"numbers": words, "offered": number_offered(words)}


def rule_text(post: Form) -> str:
    """Return the form's rule as the JSON that records use.

    Raises Malformed for a number that is none, and for a call that was not chosen.
    """
    try:
        effects = [_effect(post, i) for i in EFFECTS if post.get(f"kind-{i}")]
        number = int(post.get("number") or 0)
    except ValueError as error:
        raise Malformed(_("Numbers are written in digits."), field="number") from error
    rule = {
        "name": post.get("name", ""),
        "cry": post.get("cry", ""),
        "number": number,
        "on": post.get("on", "both"),
        "effects": effects,
    }
    return json.dumps(rule)


def _effect(post: Form, i: int) -> dict[str, Any]:
    """Read one effect of the form; a field that its kind has no use for does not count."""
    kind = post[f"kind-{i}"]
    counts, calls = kind in ("lose", "regain"), kind == "roll_next"
    if calls and not post.get(f"call-{i}"):
        raise Malformed(reason_of(refuse(refusals.EFFECT_CALL)), field=f"call-{i}")
    return {
        "kind": kind,
        "target": post.get(f"target-{i}") or "roller",
        "amount": int(post.get(f"amount-{i}") or 1) if counts else 1,
        "call": (post.get(f"call-{i}") or None) if calls else None,
    }


@refusals_shown
def shared(request: HttpRequest, packed: str) -> HttpResponse:
    """Show a shared house rule to anybody, as a page or as a small file."""
    rule = read_house_rule(rule_of_share(packed))
    if request.GET.get("file"):
        written = msgspec.json.format(msgspec.json.encode(rule))
        return download(written, "house-rule.json", "application/json")
    context = {
        "rule": rule,
        "effects": effects_in_words(rule),
        "file": reverse("shared_rule", args=[packed]),
    }
    return render(request, "games/shared_rule.jinja", context)
