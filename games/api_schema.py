"""The API as OpenAPI 3: every action of each game with its fields and bounds, and every answer.

Actions, views and the games' own answers are msgspec types, which describe themselves. What stands
around an action and what answers it have no type and are described by hand;
`tests/security/test_api_schema.py` compares them with what is really answered.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from django.conf import settings
from drf_spectacular.utils import OpenApiParameter, extend_schema

from games.forms import TAP
from games.rules import brave_or_knave as bk
from games.services.act import ACTIONS, DEEDS
from games.stage import STAGES, Stage

Schema = dict[str, Any]
PLACE = "#/components/schemas/{name}"
TABLE, POSTED, DONE, REFUSED, ACTION = "Table", "Posted", "Done", "Refused", "Action"
DOOR, SITS_DOWN = "Door", "SitsDown"

REASONS = {
    400: "The body is no JSON.",
    403: "The seat is this device's, but may not do this; or the CSRF token is missing.",
    404: "No such table or seat, or not for this device.",
    409: "The table has moved on, or the rules forbid it.",
    413: "The body is longer than any action.",
    415: "The body is not sent as JSON.",
    422: "A field is missing, unknown, or outside its bounds.",
    429: "Too many wrong codes; Retry-After says for how many seconds.",
    503: "The house cannot read or write now; the same tap may be sent again after Retry-After.",
}

SEAT = OpenApiParameter(
    "seat", int, OpenApiParameter.QUERY, description="Which of this device's seats, where several."
)
CODE = OpenApiParameter(
    "code",
    {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"},
    OpenApiParameter.PATH,
    description="The table's join code.",
)


def _ref(name: str) -> Schema:
    return {"$ref": PLACE.format(name=name)}


def _answers(status: int, name: str, *refused: int) -> dict[Any, Any]:
    return {status: _ref(name), **dict.fromkeys(refused, _ref(REFUSED))}


# As OpenAPI has it; the types of drf-spectacular say names.
COOKIE: list[Any] = [{"cookieAuth": []}]
COOKIE_OR_NOT: list[Any] = [{}, *COOKIE]
SECURITY = {
    "cookieAuth": {
        "type": "apiKey",
        "in": "cookie",
        "name": "sid",
        "description": "The seat's session; its name is `__Host-sid` behind https.",
    }
}

describe_table = extend_schema(
    operation_id="read_table",
    auth=COOKIE,
    summary="What one seat may know of the table, and what it may do",
    parameters=[CODE, SEAT],
    responses=_answers(200, TABLE, 404, 429, 503),
)
describe_door = extend_schema(
    operation_id="look_at_door",
    auth=COOKIE_OR_NOT,
    summary="How the table's door stands, and which seat is this device's",
    description="For whoever has the code; it sets the cookie of the CSRF token.",
    parameters=[CODE],
    responses=_answers(200, DOOR, 404, 429, 503),
)
describe_sitting_down = extend_schema(
    operation_id="sit_down",
    auth=COOKIE_OR_NOT,
    summary="Sit down, or knock where the host admits",
    description="The header X-CSRFToken holds the token of the cookie that looking at the door "
    "sets. Who has a seat here is told which, and takes no other.",
    parameters=[CODE],
    request={"application/json": _ref(SITS_DOWN)},
    responses=_answers(200, DOOR, 400, 403, 404, 409, 413, 415, 422, 429, 503),
)
describe_actions = extend_schema(
    operation_id="take_action",
    auth=COOKIE,
    summary="Take one action of a seat on this device",
    description="The header X-CSRFToken holds the token of the cookie that reading the table sets.",
    parameters=[CODE],
    request={"application/json": _ref(POSTED)},
    responses=_answers(200, DONE, 400, 403, 404, 409, 413, 415, 422, 429, 503),
)


def add_components(result: Schema, **_given: Any) -> Schema:
    """Put in what the operations refer to; drf-spectacular calls this with what it made."""
    components = result.setdefault("components", {})
    components.setdefault("schemas", {}).update(_components())
    components["securitySchemes"] = SECURITY
    for path in result["paths"].values():
        for operation in path.values():
            if "requestBody" in operation:
                operation["requestBody"]["required"] = True
            for status, answer in operation["responses"].items():
                if int(status) in REASONS:
                    answer["description"] = REASONS[int(status)]
    return result


@cache
def _components() -> dict[str, Schema]:
    """Return actions, views and cards by name, and what is posted and answered.

    What only the house does is no action of a program's.
    """
    words = {word: kind for word, kind in ACTIONS.items() if DEEDS[kind].may != "house"}
    cards = [kind for stage in STAGES.values() for kind in stage.api_types.values()]
    kinds = [*words.values(), bk.View, *cards]
    refs, found = msgspec.json.schema_components(kinds, ref_template=PLACE)
    ref_of = dict(zip(kinds, refs, strict=True))
    for word, kind in words.items():
        action = found[ref_of[kind]["$ref"].rsplit("/", 1)[1]]
        # The word of `@deed`, which differs from the tag where two games share one.
        action["properties"]["action"] = {"const": word, "type": "string"}
        action["additionalProperties"] = False
        action["x-may"] = DEEDS[kind].may
        action["x-stops-in-pause"] = DEEDS[kind].stops_in_pause
    return {
        **found,
        ACTION: _one_of("action", {word: ref_of[kind] for word, kind in words.items()}),
        POSTED: _posted(),
        DONE: _done(),
        DOOR: _door(),
        SITS_DOWN: _sits_down(),
        REFUSED: _object({"error": {"type": "string"}, "field": {"type": "string"}}),
        TABLE: _one_of("game", {name: _ref(f"Table.{name}") for name in STAGES}),
        **{f"Table.{stage.rules}": _table(stage, ref_of) for stage in STAGES.values()},
    }


def _one_of(name: str, choices: dict[str, Schema]) -> Schema:
    mapping = {word: ref["$ref"] for word, ref in choices.items()}
    return {
        "oneOf": list(choices.values()),
        "discriminator": {"propertyName": name, "mapping": mapping},
    }


def _object(required: dict[str, Schema], **optional: Schema) -> Schema:
    return {
        "type": "object",
        "required": list(required),
        "properties": {**required, **optional},
        "additionalProperties": False,
    }


def _posted() -> Schema:
    tap = {
        "type": "string",
        "pattern": f"^{TAP.pattern}$",
        "description": "An id of the press, made up by the program: sent again, it is done once.",
    }
    saw = {
        "type": ["integer", "null"],
        "default": None,
        "description": "The scene that this answers; an older one is refused.",
    }
    faces = {
        "type": "array",
        "items": {"type": "integer"},
        "default": [],
        "description": "The faces of real dice, where the table allows them.",
    }
    seat = {"type": "integer", "description": "The number of the seat that acts."}
    return _object({"seat": seat, "action": _ref(ACTION), "tap": tap}, saw=saw, dice=faces)


def _door() -> Schema:
    seat = {
        "type": ["integer", "null"],
        "description": "The number of this device's seat, if it has one.",
    }
    return _object(
        {
            "table": {"type": "string"},
            "game": {"enum": list(STAGES)},
            "door": {"enum": ["open", "ask", "locked"]},
            "seat": seat,
            "standing": {
                "enum": ["knocking", "seated", None],
                "description": "Who knocks reads nothing of the table until the host opens.",
            },
        }
    )


def _sits_down() -> Schema:
    name = {
        "type": "string",
        "default": "",
        "description": "What the table calls a player, in at most 30 letters, without spare spaces "
        "and unseen letters; a screen has none of its own.",
    }
    return _object(
        {},
        name=name,
        role={"enum": ["player", "screen"], "default": "player"},
        language={"enum": [*dict(settings.LANGUAGES), None], "default": None},
    )


def _done() -> Schema:
    """Return what comes back of an action: the log's number, and the key of what was made."""
    made = ("seat", "rule", "character", "pile")
    seq = {"type": "integer", "description": "The log's newest number once it was done."}
    repeat = {"type": "boolean", "description": "This tap had been done before."}
    words: dict[str, Schema] = {name: {"type": "string"} for name in ("token", "oracle")}
    keys: dict[str, Schema] = {name: {"type": "integer"} for name in made}
    return _object({"seq": seq, "repeat": repeat}, **keys, **words)


def _table(stage: Stage, ref_of: dict[Any, Schema]) -> Schema:
    """Return what a table tells a seat while this game is in front."""
    seat = _object(
        {
            "number": {"type": "integer"},
            "name": {"type": "string"},
            "role": {"enum": ["gm", "player", "screen"]},
        }
    )
    moves = [ref_of[kind] for kind in bk.ACTIONS.values() if kind in ref_of]
    told: dict[str, Schema] = {
        "epoch": {"type": "string"},
        "seq": {"type": "integer"},
        "game": {"const": stage.rules, "type": "string"},
        "scene": {
            "type": "integer",
            "description": "What an action says that it `saw`; 0 where each fight has its own.",
        },
        "paused": {
            "type": "boolean",
            "description": "Until the host goes on, what has `x-stops-in-pause` is refused.",
        },
        "seat": {"type": "integer", "description": "The number of the seat that reads this."},
        "seats": {"type": "array", "items": seat},
        "status": {"type": ["string", "null"]},
        "view": {"anyOf": [ref_of[bk.View], {"type": "null"}]},
        "legal": {"type": "array", "items": {"anyOf": moves}},
    }
    return _object(told, **{name: ref_of[kind] for name, kind in stage.api_types.items()})
