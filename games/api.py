"""The API: the same table and the same actions, as JSON, for programs.

A program sits down like a phone and keeps the session cookie; what it posts
goes the same way in as every tap.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, TypeVar

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import RawPostDataException
from django.utils import translation
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_protect, ensure_csrf_cookie
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from rest_framework.exceptions import APIException, ParseError, UnsupportedMediaType
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import api_schema, customs, presence, snapshot
from games.actions import Language
from games.at_table import At, at_table, seated_at
from games.coming_in import take_a_seat
from games.errors import Malformed, Refused, stranger
from games.forms import TAP
from games.live import readers
from games.misread import explain, misfit, no_such_field
from games.models import Seat, Table
from games.rules import brave_or_knave as bk
from games.rules.engine import Action, learn
from games.rules.records import ToldTwice, check_told_once
from games.services.act import ACTIONS, DEEDS, Tap, act
from games.settings import TableSettings
from games.snapshot import Snapshot
from games.stage import STAGES
from games.stored import rules_of
from games.text import without_nul


class Posted(msgspec.Struct, forbid_unknown_fields=True):
    """One action: who acts, what, under which tap, answering which scene, with typed dice."""

    seat: int
    action: dict[str, Any]
    tap: str
    saw: int | None = None
    dice: tuple[int, ...] = ()


class SitsDown(msgspec.Struct, forbid_unknown_fields=True):
    """A request to sit down: under which name, in which role, reading which language."""

    name: str = ""
    role: Literal["player", "screen"] = "player"
    language: Language | None = None


learn(Posted, SitsDown)
Sent = TypeVar("Sent")


class TooLong(APIException):  # type: ignore[misc]  # DRF has no types, here and below
    """A body of more bytes than any action has: the house would be busy with nothing else."""

    status_code = 413


class JsonParser(BaseParser):  # type: ignore[misc]
    """Reads JSON of any depth without breaking; what is none is answered 400."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        longest = settings.DATA_UPLOAD_MAX_MEMORY_SIZE  # as of a form, which Django reads
        body = stream.read(longest + 1)
        if len(body) > longest:
            raise TooLong(_("That is too long."))
        try:
            said = msgspec.json.decode(body)  # refuses letters that could not be sent back
            check_told_once(body)
        except ToldTwice as twice:
            text = _("“%(what)s” stands here twice") % {"what": twice.field}
            raise Malformed(text, field=twice.field) from twice
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise ParseError from error
        return said


def _sent(request: Request, kind: type[Sent]) -> Sent:
    """Return what a body says. Raises ParseError where it is no JSON, Malformed where it is wrong.

    No body at all would be read as an object without fields. A form raises UnsupportedMediaType.
    """
    try:
        has_body = request.stream is not None
    except RawPostDataException:  # a form's parts were read already, for the token
        raise UnsupportedMediaType(request.content_type) from None
    if not has_body:
        raise ParseError
    try:
        return msgspec.convert(request.data, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise explain("", error) from error


class TableApi(APIView):  # type: ignore[misc]
    """A seat's table. Refusals are answered as `{"error": …, "field": …}` with their status."""

    parser_classes = (JsonParser,)

    def handle_exception(self, exc: Exception) -> Response:
        if not isinstance(exc, Refused):
            response = super().handle_exception(exc)
            response.data = {"error": str(response.data["detail"]), "field": ""}
            return response
        headers = {"Retry-After": str(exc.retry_after)} if exc.retry_after else None
        told = {"error": exc.message, "field": exc.field}
        return Response(told, status=exc.status, headers=headers)


@method_decorator([csrf_protect, ensure_csrf_cookie], name="dispatch")
class Door(TableApi):
    """How a table's door stands, for whoever has its code; and a way in, as by the page's form."""

    @api_schema.describe_door
    def get(self, request: Request, code: str) -> Response:
        at = at_table(request._request, code)
        return _at_the_door(at.table, at.seat)

    @api_schema.describe_sitting_down
    def post(self, request: Request, code: str) -> Response:
        at = at_table(request._request, code)
        posted = _sent(request, SitsDown)
        seat = at.seat or take_a_seat(
            request._request,
            at,
            name=posted.name,
            role=posted.role,
            language=posted.language or "",
        )
        return _at_the_door(at.table, seat)


def _at_the_door(table: Table, seat: Seat | None) -> Response:
    return Response(
        {
            "table": table.name,
            "game": table.rules,
            "door": table.door_now,
            "seat": seat.number if seat else None,
            "standing": seat.standing if seat else None,
        }
    )


@method_decorator(ensure_csrf_cookie, name="dispatch")
class TableState(TableApi):
    """What one seat may know of the table, and what it may do."""

    @api_schema.describe_table
    def get(self, request: Request, code: str) -> Response:
        at = seated_at(request._request, code)
        with _spoken_with(at.seat):
            seat = _seat_asked_for(request, at)
            now = snapshot.load(at.table.pk)
            readers.note_read(now)
            presence.note_asked(at.table.pk, seat.number)
            told = {**_bout(now, seat), **STAGES[now.table.rules].api(now, seat)}
        return Response(
            {
                "epoch": now.epoch,
                "seq": now.seq,
                "game": now.table.rules,
                "scene": now.game.scene if now.game else now.saw,
                "paused": now.table.paused_at is not None,
                "seat": seat.number,
                "seats": [
                    {"number": s.number, "name": s.name, "role": s.role}
                    for s in now.seats
                    if s.is_seated
                ],
                **told,
            }
        )


def _spoken_with(seat: Seat | None) -> translation.override:
    """Speak a seat's language, as its pages do, whatever the program says that it reads."""
    return translation.override(seat.language if seat else translation.get_language())


def _seat_asked_for(request: Request, at: At) -> Seat:
    """Return the seat that is named, or this device's own. Raises NotFound for any other.

    A page shows whichever seat is there; a program that plays several would take one for another.
    """
    asked = request.query_params.getlist("seat")
    if at.seat is None or any(number != str(at.seat.number) for number in asked):
        raise stranger()
    return at.seat


def _bout(now: Snapshot, seat: Seat) -> dict[str, Any]:
    """Return what a seat may know of Brave or Knave, and its moves; at another game nothing."""
    index = None if seat.role == Seat.Role.SCREEN else now.index_of(seat)
    return {
        "status": now.game.status if now.game else None,
        "view": msgspec.to_builtins(now.view(index)),
        "legal": msgspec.to_builtins(_moves(now, index)),
    }


def _moves(now: Snapshot, index: int | None) -> list[Action]:
    """Return the moves that rules and settings allow a player now; who only watches has none."""
    if now.game is None or now.state is None or index is None:
        return []
    if not now.is_playing or now.table.paused_at is not None:
        return []
    legal = rules_of(now.game).legal_actions(now.state, index)
    return [move for move in legal if _table_allows(now.settings, now.state, move)]


def _table_allows(how: TableSettings, state: bk.State, action: bk.AnyAction) -> bool:
    """Tell whether the table's settings allow a move: a shout on a phone, a roll by app or by hand.

    Only a real die lies under the hand (BK-23).
    """
    if isinstance(action, bk.Shout):
        return not customs.shouts_aloud(how)
    if not isinstance(action, bk.Roll):
        return True
    if action.cupped:
        return how.dice != "server"
    return customs.app_may_roll(how, state) or customs.face_may_be_typed(how, state)


@method_decorator(csrf_protect, name="dispatch")
class Actions(TableApi):
    """Take one action of a seat on this device."""

    @api_schema.describe_actions
    def post(self, request: Request, code: str) -> Response:
        # Whoever has got up has no seat, and may never have heard of it: `act` knows.
        at = at_table(request._request, code)
        with _spoken_with(at.seat):
            try:
                return self._take(at, _sent(request, Posted))
            except Exception as error:
                return self.handle_exception(error)  # its words are the seat's, too

    def _take(self, at: At, posted: Posted) -> Response:
        action = _action_of(posted.action)
        if not TAP.fullmatch(posted.tap):
            raise misfit("", "tap")
        front = "" if posted.saw is None else _game_of(action)
        tap = Tap(posted.tap, saw=posted.saw, front=front, faces=posted.dice)
        seat = next((s for s in at.seats if s.number == posted.seat), at.seat)
        with _spoken_with(seat):
            result = act(at.table.pk, at.acting(posted.seat), action, tap)
        return Response({"seq": result.seq, "repeat": result.is_repeat, **result.answer})


def _action_of(told: dict[str, Any]) -> Action:
    """Return what is asked for. Raises Malformed, in the words that a page has for it."""
    name = told.get("action")
    if not isinstance(name, str) or (kind := ACTIONS.get(name)) is None:
        raise Malformed(_("That can't be done here."), field="action")
    # What reads rows of earlier releases lets a field fall; here it is a word that was mistaken.
    fields = {"action", *kind.__struct_encode_fields__}
    if unknown := next((field for field in told if field not in fields), None):
        raise no_such_field(unknown)
    try:
        return msgspec.convert({**without_nul(told), "action": kind.__struct_config__.tag}, kind)
    except (msgspec.ValidationError, TypeError, RecursionError) as error:
        raise explain(name, error) from error


def _game_of(action: Action) -> str:
    """Return the game on whose pages an action stands: that of the app that does it.

    A program says which scene it saw. A fight that waits behind another game is still in the same
    one, while nobody looks at it.
    """
    app = DEEDS[type(action)].do.__module__.partition(".")[0]
    return next(name for name, s in STAGES.items() if s.load.__module__.partition(".")[0] == app)


@cache
def _schema() -> bytes:
    """Return the API's description: the same for everybody, so it is made once."""
    return msgspec.json.encode(SchemaGenerator().get_schema(request=None, public=True))


@require_safe
@cache_control(max_age=3600, public=True)
def schema(request: HttpRequest) -> HttpResponse:
    """Describe the API as OpenAPI 3."""
    return HttpResponse(_schema(), content_type="application/json")
