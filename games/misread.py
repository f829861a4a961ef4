"""What is wrong with the fields of an action: said in words, with the field to mend."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _

from games.complaints import complaint_of
from games.errors import Malformed
from games.fields import chosen_in, numbers_in, written_in
from games.services.act import ACTIONS
from games.text import nothing_written

NO_NUMBER = "Expected `int`, got `str`"
LEFT_OUT = re.compile(r"Object missing required field .*|Expected `str` of length >= 1")
BEYOND = re.compile(r"Expected `(int|str)`(?: of length)? (<=|>=) (-?\d{1,7})")


def explain(action: str, error: Exception) -> Malformed:
    """Turn a decoder's complaint about an action into words."""
    what, way, field = complaint_of(error)
    if what.startswith("Object contains unknown field"):
        return no_such_field(field)
    if not field and (outermost := re.match(r"\.(\w+)", way)):
        field = outermost[1]
    if LEFT_OUT.fullmatch(what):
        return misfit(action, field, _what_is_left_out(action, field))
    # Of one value among several no bound is told: it would not say which of them is meant.
    return misfit(action, field, _what_fits(what) if way == f".{field}" else "")


def misfit(action: str, field: str, text: str = "") -> Malformed:
    """Return the refusal of a field, where not more can be said than that it does not fit."""
    own = {
        ("pick_number", "number"): _("Choose a personal number from 2 to 19."),
        ("roll", "cupped"): _("That can't be done here."),
        ("shout", "call"): _("Shout BRAVE or KNAVE."),
    }
    text = text or _("Something is missing, or is not one of the choices.")
    return Malformed(own.get((action, field), text), field=field)


def no_number(action: str, field: str) -> Malformed:
    """Return the refusal of what is no whole number."""
    return misfit(action, field, _whole_number())


def no_such_field(field: str) -> Malformed:
    """Return the refusal of a field that an action does not have."""
    return Malformed(_("There is no such field here."), field=field)


def _what_is_left_out(action: str, field: str) -> str:
    """Say what somebody has left out, as the deed would; nothing of what is no action's field."""
    kind = ACTIONS.get(action)
    if kind is None or field not in kind.__struct_encode_fields__:
        return ""
    if own := kind.lacks.get(field):
        return _(own)
    if field in written_in(kind):
        return nothing_written(field)
    if field in numbers_in(kind) - chosen_in(kind):
        return _whole_number()
    return _("Nothing is chosen yet: choose one.")


def _whole_number() -> str:
    return _("Type a whole number, in digits: no point, no comma.")


def _what_fits(what: str) -> str:
    """Say which number or text would fit; nothing where that is not known."""
    if what == NO_NUMBER:
        return _whole_number()
    found = BEYOND.fullmatch(what)
    if found is None:
        return ""
    kind, side, bound = found.groups()
    texts = {
        ("int", "<="): _("That number is too large: at most %(count)s."),
        ("int", ">="): _("That number is too small: at least %(count)s."),
        ("str", "<="): _("That is too long: at most %(count)s letters."),
    }
    return texts[kind, side] % {"count": bound} if (kind, side) in texts else ""
