"""The editor of house rules, and sharing them as a link or a small file."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from games import actions
from games.at_table import host_at
from games.deeds.house_rules import read_house_rule
from games.errors import Malformed, Refused
from games.forms import new_tap, read_tap
from games.screens.house_rules import effects_in_words
from games.services.act import Actor, Tap, act
from games.showing import refusals_shown

EFFECTS = (1, 2, 3)


@refusals_shown
def editor(request: HttpRequest, code: str) -> HttpResponse:
    """Write a house rule (BK-25) in a form, or bring one as text; errors keep what was typed."""
    at, seat = host_at(request, code)
    values: Any = request.POST
    error: dict[str, str] = {}
    status = 200
    if request.method == "POST":
        try:
            text = request.POST.get("text", "").strip() or rule_text(request.POST)
            tap = Tap(read_tap(request.POST).id)
            device = at.device.pk if at.device else None
            act(at.table.pk, Actor(seat.number, device), actions.AddHouseRule(unshared(text)), tap)
            return redirect("gm", at.table.code)
        except Refused as refusal:
            error, status = {refusal.field or "rule": refusal.message}, refusal.status
    elif request.GET.get("rule"):
        values = {"text": unshared(request.GET["rule"])}
    context = {"table": at.table, "error": error, "values": values, "tap": new_tap()}
    return render(request, "games/house_rule.jinja", context, status=status)


def rule_text(post: Any) -> str:
    """Return the form's rule as the JSON that records use.

    Raises Malformed for a number that is none.
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


def _effect(post: Any, i: int) -> dict[str, Any]:
    """Read one effect of the form; a field that its kind has no use for does not count."""
    kind = post[f"kind-{i}"]
    counts, calls = kind in ("lose", "regain"), kind == "roll_next"
    return {
        "kind": kind,
        "target": post.get(f"target-{i}") or "roller",
        "amount": int(post.get(f"amount-{i}") or 1) if counts else 1,
        "call": (post.get(f"call-{i}") or None) if calls else None,
    }


def unshared(text: str) -> str:
    """Return a rule's JSON, from JSON or from what a shared link carries."""
    if text.lstrip().startswith("{"):
        return text
    # The address of a shared rule's page ends in it; the editor's has it after `?rule=`.
    page = text.rsplit("rule=", 1)[-1].split("?", 1)[0]
    packed = page.strip().rstrip("/").rsplit("/", 1)[-1]
    try:
        return base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)).decode()
    except (binascii.Error, ValueError) as error:
        raise Malformed(_("That is no house rule."), field="text") from error


@refusals_shown
def shared(request: HttpRequest, packed: str) -> HttpResponse:
    """Show a shared house rule to anybody, as a page or as a small file."""
    rule = read_house_rule(unshared(packed))
    if request.GET.get("file"):
        response = HttpResponse(
            msgspec.json.format(msgspec.json.encode(rule)), content_type="application/json"
        )
        response.headers["Content-Disposition"] = 'attachment; filename="house-rule.json"'
        return response
    context = {
        "rule": rule,
        "effects": effects_in_words(rule),
        "file": reverse("shared_rule", args=[packed]),
    }
    return render(request, "games/shared_rule.jinja", context)
