"""From the words of a form or an address to typed values. Nothing here decides what is legal."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Any

import msgspec
from django.core.files.uploadedfile import UploadedFile
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from games.errors import Malformed
from games.fields import numbers_in, several_in
from games.misread import explain, no_number
from games.rules import brave_or_knave as bk
from games.rules.engine import Action
from games.services.act import ACTIONS, Tap
from games.text import without_nul

Form = MultiValueDict[str, str]
"""A form's words, each under the name of its field."""
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
"""The content types of forms. A request of any other is read as one without fields."""

TAP = re.compile(r"[A-Za-z0-9_-]{1,64}")
MOST_DICE = 40
# The field of one die's face, where each die has a row of buttons: dice-0 to dice-39.
ROW = re.compile(r"dice-([1-3]?[0-9])")
# The field of what one seat loses in a deal of fingers: fingers-0 to fingers-17.
SHARE = re.compile(r"fingers-([0-9]{1,2})")
# Of the pages of a list, or of the fights of a chapter.
MOST_DIGITS = 5
# A log of years has hundreds of thousands of lines.
MOST_DIGITS_OF_A_LINE = 9
# Anything else would be read as a number that nobody meant: "1.000" as 1, by the decoder.
WHOLE_NUMBER = re.compile(r"\s*([-+−]?)([0-9]+)\s*", re.ASCII)
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
    lists = several_in(kind)
    given: dict[str, Any] = {
        name: _several(post, name) if name in lists else post[name]
        for name in kind.__struct_encode_fields__
        if post.get(name, "") != ""
    }
    for name in numbers_in(kind) & given.keys():
        found = WHOLE_NUMBER.fullmatch(given[name])
        if found is None:
            raise no_number(post.get("action", ""), name)
        # People write "05", " 5 ", "+5" and the true minus of our buttons, which it does not read.
        sign = "-" if found[1] in ("-", "−") else ""
        given[name] = sign + (found[2].lstrip("0") or "0")
    if kind is bk.Deal:
        given["fingers"] = [_whole(post, f"fingers-{i}") or 0 for i in range(_seats_in_deal(post))]
    if "edge" in kind.__struct_encode_fields__ and (edge := _edge_pressed(post)):
        given["edge"] = edge
    try:
        return msgspec.convert(without_nul(given), kind, strict=False)
    except (msgspec.ValidationError, ValueError) as error:
        raise explain(post.get("action", ""), error) from error


def read_tap(post: Form) -> Tap:
    """Read what stands beside the action: the tap's id, the scene it answers, typed dice.

    Raises Malformed for an id or a scene that no page of ours sends, and for dice as `_typed_dice`.
    """
    tap = post.get("tap") or new_tap()
    if not TAP.fullmatch(tap):
        raise Malformed(_("That can't be done here."), field="tap")
    saw = _whole(post, "saw")
    if saw is None and post.get("saw"):
        # Refused and not ignored: without a scene the tap would count in any.
        raise Malformed(_("That can't be done here."), field="saw")
    return Tap(tap, saw=saw, front=post.get("front", ""), faces=_typed_dice(post))


def read_tap_with(post: Form, sent: bytes) -> str:
    """Read the id of a tap that brings a file along: with another file it is another tap.

    Whoever goes back to a form and chooses another file there would be told that it is done.
    """
    return hashlib.sha256(read_tap(post).id.encode() + sent).hexdigest()


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
    """Return the values of a field that is named several times, or has commas between them."""
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


def read_page(asked: Form) -> int:
    """Read which page of a long list an address asks for; the first where it names no valid one."""
    return max(1, read_number(asked, "page"))


def read_number(asked: Form, name: str, digits: int = MOST_DIGITS) -> int:
    """Read a whole number that an address asks for by some name; 0 where it says no valid one."""
    text = asked.get(name, "")
    is_number = text.isascii() and text.isdecimal() and len(text) <= digits
    return int(text) if is_number else 0


def read_text(sent: UploadedFile[bytes], largest: int, too_large: str) -> str:
    """Read a file of text that came with a form, of at most so many bytes.

    Raises Malformed where it is none, or larger: then with these words.
    """
    if (sent.size or 0) > largest:
        raise Malformed(too_large, field="file")
    try:
        came: bytes = sent.read()
        return came.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Malformed(_("That file is not text."), field="file") from error


def read_pressed(post: Form) -> int | None:
    """Read the instant of the press on the server's clock, in milliseconds, if it came along."""
    text = post.get("pressed", "")
    return int(float(text)) if re.fullmatch(r"\d{1,15}(\.\d{1,6})?", text) else None


def _whole(post: Form, name: str) -> int | None:
    text = post.get(name, "")
    return int(text) if re.fullmatch(r"-?\d{1,12}", text, re.ASCII) else None


def _seats_in_deal(post: Form) -> int:
    named = [int(share[1]) for name in post if (share := SHARE.fullmatch(name))]
    return min(bk.MAX_SEATS, max(named, default=-1) + 1)
