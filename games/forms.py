"""From the words of a form or an address to typed values. Nothing here decides what is legal."""

from __future__ import annotations

import re
import secrets
from functools import cache
from typing import Any

import msgspec
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from games.actions import Number, RowKey
from games.errors import Malformed
from games.rules import brave_or_knave as bk
from games.rules.engine import Action
from games.services.act import ACTIONS, Tap
from games.text import nothing_written, without_nul

Form = MultiValueDict[str, str]
"""A form's words, each under the name of its field."""

TAP = re.compile(r"[A-Za-z0-9_-]{1,64}")
MOST_DICE = 40
# The field of one die's face, where each die has a row of buttons: dice-0 to dice-39.
ROW = re.compile(r"dice-([1-3]?[0-9])")
MOST_DIGITS_OF_A_PAGE = 5
# A log of years has hundreds of thousands of lines.
MOST_DIGITS_OF_A_LINE = 9
# Anything else would be read as a number that nobody meant: "1.000" as 1, by the decoder.
WHOLE_NUMBER = re.compile(r"\s*([-+−]?)([0-9]+)\s*", re.ASCII)
NO_NUMBER = "Expected `int`, got `str` - at `$.{}`"  # in msgspec's words, which `explain` reads
LEFT_OUT = ("Object missing required field", "Expected `str` of length >= 1 ")
# Whatever else is a text or a number is the key of something that is chosen.
WRITTEN = frozenset(("act", "cards", "dice", "faces", "name", "text", "where"))
CHOSEN = (msgspec.inspect.type_info(RowKey), msgspec.inspect.type_info(Number))
# Values of the buttons that ask for two d20: `rolls` the app's, `typed` real ones.
EDGES = ("advantage", "disadvantage")
FIRST_BEYOND_D20S = 2


def read_action(post: Form) -> Action:
    """Read the action that a form names.

    Raises Malformed, with the field to mend, for an unknown action, a missing
    field, or one outside its bounds.
    """
    kind = ACTIONS.get(post.get("action", ""))
    if kind is None:
        raise Malformed(_("That can't be done here."), field="action")
    lists = _lists_of(kind)
    given: dict[str, Any] = {
        name: _several(post, name) if name in lists else post[name]
        for name in kind.__struct_encode_fields__
        if post.get(name, "") != ""
    }
    for name in _numbers_of(kind) & given.keys():
        found = WHOLE_NUMBER.fullmatch(given[name])
        if found is None:
            raise explain(post.get("action", ""), NO_NUMBER.format(name))
        # People write "05", " 5 ", "+5" and the true minus of our buttons, which it does not read.
        sign = "-" if found[1] in ("-", "−") else ""
        given[name] = sign + (found[2].lstrip("0") or "0")
    if kind is bk.Deal:
        given["fingers"] = [_whole(post, f"fingers-{i}") or 0 for i in range(_seats_in_deal(post))]
    if "edge" in kind.__struct_encode_fields__ and (edge := _edge_pressed(post)):
        given["edge"] = edge
    if kind in (bk.Roll, bk.Shout):
        given = {k: v for k, v in given.items() if k in ("cupped", "call")}
    try:
        return msgspec.convert(without_nul(given), kind, strict=False)
    except (msgspec.ValidationError, ValueError) as error:
        raise explain(post.get("action", ""), str(error)) from error


@cache
def _lists_of(kind: type[Action]) -> frozenset[str]:
    """Return the fields that hold several values: named several times, or with commas between."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    return frozenset(
        f.encode_name
        for f in info.fields
        if isinstance(f.type, msgspec.inspect.VarTupleType) and f.name != "fingers"
    )


@cache
def _chosen_in(kind: type[Action]) -> frozenset[str]:
    """Return the fields that hold a number which nobody types: a row's, or a seat's."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    return frozenset(f.encode_name for f in info.fields if f.type in CHOSEN)


@cache
def _numbers_of(kind: type[Action]) -> frozenset[str]:
    """Return the fields that hold one whole number, or none."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    return frozenset(f.encode_name for f in info.fields if _is_number(f.type))


def _is_number(type_: msgspec.inspect.Type) -> bool:
    if isinstance(type_, msgspec.inspect.UnionType):
        return any(map(_is_number, type_.types))
    return isinstance(type_, msgspec.inspect.IntType)


def read_tap(post: Form) -> Tap:
    """Read what stands beside the action: the tap's id, the scene it answers, typed dice."""
    tap = post.get("tap") or new_tap()
    if not TAP.fullmatch(tap):
        raise Malformed(_("That can't be done here."), field="tap")
    saw = _whole(post, "saw")
    if saw is None and post.get("saw"):
        # Refused and not ignored: without a scene the tap would count in any.
        raise Malformed(_("That can't be done here."), field="saw")
    return Tap(tap, saw=saw, front=post.get("front", ""), faces=_typed_dice(post))


def _edge_pressed(post: Form) -> str:
    """Return which way two d20 count by the button that was pressed, the app's or for real dice."""
    return next((w for name in ("rolls", "typed") if (w := post.get(name, "")) in EDGES), "")


def _typed_dice(post: Form) -> tuple[int, ...]:
    """Read the faces of real dice: `dice` once or several times, or `dice-0`, `dice-1` and so on.

    `dice-alone` is the one d20 that was tapped beside rows for two: those rows are left alone then.
    Not `dice` where the action has a field of that name: it says which dice the app rolls. No faces
    at all where the app's button (`rolls`) was pressed: some may have been chosen in its form and
    then left alone. Raises Malformed where one of several was left out.
    """
    if post.get("action") == "roll_dice" or post.get("rolls"):
        return ()
    rows = _in_rows(post)
    if alone := post.get("dice-alone"):
        typed = [alone, *(rows[i] for i in rows if i >= FIRST_BEYOND_D20S)]
    elif rows or post.get("typed"):
        _check_none_left_out(post, rows)
        typed = list(rows.values())
    else:
        typed = _several(post, "dice")
    if len(typed) > MOST_DICE or not all(re.fullmatch(r"\d{1,3}", t, re.ASCII) for t in typed):
        raise Malformed(_("Type the faces that the dice show."), field="dice")
    return tuple(map(int, typed))


def _in_rows(post: Form) -> dict[int, str]:
    """Return the faces that were chosen in rows, in order, by which die each is."""
    # Every tap comes past here, and a form takes long to say that it has no such field.
    rows = {int(row[1]): post.get(name, "") for name in post if (row := ROW.fullmatch(name))}
    return {i: rows[i] for i in sorted(rows) if rows[i]}


def _check_none_left_out(post: Form, rows: dict[int, str]) -> None:
    """Raise Malformed where a row was left out, so that later faces would count for earlier dice.

    Whoever chose a face, or pressed the button for real dice (`typed`), wants no d20 of the app's.
    The rows behind the d20s are damage dice, any of which may be left to the app.
    """
    kind = ACTIONS.get(post.get("action", ""))
    if kind is not None and "edge" in kind.__struct_encode_fields__:
        is_pair = _edge_pressed(post) or post.get("edge") in EDGES
        needed = FIRST_BEYOND_D20S if is_pair else 1
    else:
        needed = 1 + max(rows, default=0)
    missing = next((i for i in range(needed) if i not in rows), None)
    if missing is not None:
        text = _("A die is missing: choose the face of each one that you rolled.")
        raise Malformed(text, field=f"dice-{missing}")


def _several(post: Form, name: str) -> list[str]:
    return [w for part in post.getlist(name) for w in part.replace(",", " ").split()]


def new_tap() -> str:
    """Return a tap's id for a form that no script fills."""
    return secrets.token_urlsafe(12)


def read_seat(post: Form) -> int:
    """Read which of the device's seats acts. Raises Malformed when none is named."""
    seat = _whole(post, "seat")
    if seat is None:
        raise Malformed(_("That can't be done here."), field="seat")
    return seat


def read_page(
    asked: Form, name: str = "page", first: int = 1, digits: int = MOST_DIGITS_OF_A_PAGE
) -> int:
    """Read which page of a long list an address asks for; the first where it names no valid one."""
    text = asked.get(name, "")
    is_number = text.isascii() and text.isdecimal() and len(text) <= digits
    return max(first, int(text)) if is_number else first


def read_pressed(post: Form) -> int | None:
    """Read the instant of the press on the server's clock, in milliseconds, if it came along."""
    text = post.get("pressed", "")
    return int(float(text)) if re.fullmatch(r"\d{1,15}(\.\d{1,6})?", text) else None


def _whole(post: Form, name: str) -> int | None:
    text = post.get(name, "")
    return int(text) if re.fullmatch(r"-?\d{1,12}", text, re.ASCII) else None


def _seats_in_deal(post: Form) -> int:
    named = [int(k[8:]) for k in post if re.fullmatch(r"fingers-\d{1,2}", k, re.ASCII)]
    return min(bk.MAX_SEATS, max(named, default=-1) + 1)


def _field_of(error: str) -> str:
    found = re.search(r"\$\.(\w+)|field `([^`]+)`", error)
    return (found.group(1) or found.group(2)) if found else ""


def explain(action: str, error: str) -> Malformed:
    """Turn a decoder's complaint about an action into words, with the field to mend."""
    field = _field_of(error)
    texts = {
        ("pick_number", "number"): _("Choose a personal number from 2 to 19."),
        ("roll", "cupped"): _("That can't be done here."),
        ("shout", "call"): _("Shout BRAVE or KNAVE."),
    }
    text = _bound(error) or _("Something is missing, or is not one of the choices.")
    if error.startswith(LEFT_OUT):
        text = _what_is_left_out(action, field) or text
    if error.startswith("Object contains unknown field"):
        text = _("There is no such field here.")
    if error == NO_NUMBER.format(field):
        text = _no_number()
    return Malformed(texts.get((action, field), text), field=field)


def _what_is_left_out(action: str, field: str) -> str:
    """Say what somebody has left out, as the deed would; nothing of what is no action's field."""
    kind = ACTIONS.get(action)
    if kind is None or field not in kind.__struct_encode_fields__:
        return ""
    if own := kind.lacks.get(field):
        return _(own)
    if field in WRITTEN:
        return nothing_written(field)
    if field in _numbers_of(kind) - _chosen_in(kind):
        return _no_number()
    return _("Nothing is chosen yet: choose one.")


def _no_number() -> str:
    return _("Type a whole number, in digits: no point, no comma.")


def _bound(error: str) -> str:
    """Say which bound a number or a text has passed; nothing for any other fault."""
    found = re.match(
        r"Expected `(int|str)`( of length)? (<=|>=) (-?\d{1,7}) - at `\$\.\w+`$", error
    )
    if found is None:
        return ""
    kind, _length, side, bound = found.groups()
    texts = {
        ("int", "<="): _("That number is too large: at most %(count)s."),
        ("int", ">="): _("That number is too small: at least %(count)s."),
        ("str", "<="): _("That is too long: at most %(count)s letters."),
    }
    return texts[kind, side] % {"count": bound} if (kind, side) in texts else ""
