"""One tap as a form's fields: read, judged, done and answered, whichever way it came in."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError
from django.utils import translation
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from games import actions
from games.errors import Malformed, Refused, trouble
from games.forms import Form, read_action, read_pressed, read_seat, read_tap
from games.live import fair
from games.rules import brave_or_knave as bk
from games.rules.engine import Action
from games.screens.compiled import ENGINES
from games.sentences import LONG, tell
from games.services.act import Actor, Result, act
from games.showing import names_of, refusal_context
from games.trouble import in_trouble

log = logging.getLogger(__name__)

# Their answers set a cookie, show an address or empty a cache, which needs an HTTP request.
BY_REQUEST = {"speak", "offer_pass", "leave_table"}
MISDIRECTED = 421
LONGEST_RECEIPT = 120  # letters, where there is more than one sentence


def do(
    table_id: int, device: UUID | None, seat: int, post: Form, arrived_ms: int
) -> tuple[Action, Result]:
    """Do what a form says at a table. Raises Refused with a reason in the active language."""
    action, tap = read_action(post), read_tap(post)
    if isinstance(action, (bk.Shout, actions.FalseStart)):
        note = post.get("note", "")
        press = fair.judge(str(device), arrived_ms, read_pressed(post), note)
        tap = replace(tap, pressed_ms=press.at_ms, timing=press.timing())
    return action, act(table_id, Actor(seat, device), action, tap)


@dataclass(frozen=True)
class Answer:
    """What a phone is told of its tap: a status as HTTP's, and a notice to show."""

    status: int
    html: str = ""
    headers: dict[str, str] = field(default_factory=dict)


def take(table_id: int, device: UUID, language: str, text: str, arrived_ms: int) -> Answer:
    """Do what came over a socket as an encoded form, and return the answer to it."""
    with translation.override(language):
        try:
            post = _fields(text)
            if post.get("action") in BY_REQUEST:
                return Answer(MISDIRECTED)
            action, result = do(table_id, device, read_seat(post), post, arrived_ms)
        except (DatabaseError, OSError, MemoryError) as error:
            if not in_trouble(error):
                raise
            log.warning("A tap at table %s could not be done: %r", table_id, error)
            told = refusal_context(trouble(writes=True, is_kept=True))
            return Answer(503, _rendered("parts/notice.jinja", told))
        except Refused as refusal:
            return Answer(refusal.status, _rendered("parts/notice.jinja", refusal_context(refusal)))
        if post.get("receipt") and result.told:
            return Answer(200, _rendered("parts/receipt.jinja", receipt_context(result)))
        return Answer(204, headers=headers_after(action))


def broken(language: str) -> Answer:
    """Return what is told of a tap over which the house broke, as by request.

    Without an answer a phone would send it for ever, and nothing after it.
    """
    with translation.override(language):
        told = {"message": _("Something broke on our side. What was played is kept.")}
        return Answer(500, _rendered("parts/notice.jinja", told))


def _fields(text: str) -> Form:
    """Read an encoded form, in a third of the time that `QueryDict` takes.

    Raises Malformed where it has more fields than any of ours.
    """
    try:
        pairs = parse_qsl(text, True, max_num_fields=settings.DATA_UPLOAD_MAX_NUMBER_FIELDS)
    except ValueError as error:
        raise Malformed(_("That can't be done here.")) from error
    post: dict[str, list[str]] = {}
    for name, value in pairs:
        post.setdefault(name, []).append(value)
    return MultiValueDict(post)


def receipt_context(result: Result) -> dict[str, Any]:
    """Return what is said beside the button, on a page that is longer than its screen.

    What was done, with as much of what came of it as can be read at a glance; the log has all of
    it. The lines that open a chronicle are left out, since they would fill a screen.
    """
    names = _names_in(result)
    done = [e for e in result.told if e.kind not in LONG]
    lines = [text for e in done if (text := tell(e.kind, e.data, names))]
    while sum(map(len, lines)) > LONGEST_RECEIPT and len(lines) > 1:
        lines.pop()
    first = result.told[0]
    return {
        "lines": lines,
        "undo": first.seq if first.play.can_undo else None,
        "is_private": all(event.to_id for event in result.told),
    }


def _names_in(result: Result) -> list[str]:
    """Return the guild names of the bout that was moved; a fight and a chapter have none."""
    event = next((e for e in result.told if e.game_id), None)
    if event is None or event.game is None or event.game.rules != bk.NAME:
        return []
    return names_of(event)


def headers_after(action: Action) -> dict[str, str]:
    """Return the headers that make htmx change the whole page, not a region of it."""
    if isinstance(action, actions.Leave):
        # Whoever uses the phone next must find no page of this seat. Not "storage": another seat's
        # taps may wait there. Not "cookies": they hold that seat.
        return {"HX-Redirect": "/", "Clear-Site-Data": '"cache"'}
    return {"HX-Refresh": "true"} if isinstance(action, actions.Speak) else {}


def _rendered(template: str, context: dict[str, Any]) -> str:
    html: str = ENGINES["jinja2"].env.get_template(template).render(context)
    return html.strip()
