"""Why a record does not play, in the language of the terminal."""

from __future__ import annotations

import re
from typing import Final

import msgspec
from django.utils.translation import gettext

from games.complaints import complaint_of
from games.rules.engine import IllegalAction
from games.rules.records import RecordError, ToldTwice, in_one_line
from games.rules.words import _

MISFITS: Final = (
    (r"Object missing required field `(?P<what>.*)`", _("the field %(what)s is missing")),
    (r"Object contains unknown field `(?P<what>.*)`", _("there is no field %(what)s")),
    (r"Expected (?P<what>.*), got (?P<other>.*)", _("%(other)s stands in the place of %(what)s")),
    (r"Expected (?P<what>.*) of length (?P<bound>.*)", _("its length is not %(bound)s")),
    (r"Expected (?P<what>.*)", _("it has to be %(what)s")),
    (r"Invalid (?:enum )?value (?P<what>.*)", _("%(what)s is none of the choices")),
)
"""What msgspec says of a value, and what we say of it."""


def told(fault: RecordError) -> str:
    """Say why a line of a record does not play."""
    return in_one_line(_why(fault, fault.__cause__))


def _why(fault: RecordError, cause: BaseException | None) -> str:
    if isinstance(cause, ToldTwice):
        return gettext(ToldTwice.WHY) % {"field": cause.said}
    if isinstance(cause, IllegalAction):
        why = gettext(cause.why)
        return f"{why} ({cause.rule})" if cause.rule else why
    if isinstance(cause, msgspec.ValidationError):
        return _misfit(cause)
    if isinstance(cause, msgspec.DecodeError):
        return gettext(_("this line is not JSON"))
    return gettext(fault.why)


def _misfit(error: msgspec.ValidationError) -> str:
    what, way, _field = complaint_of(error)
    found = ((re.fullmatch(form, what, re.S), text) for form, text in MISFITS)
    said = next((gettext(text) % known.groupdict() for known, text in found if known), what)
    return f"${way}: {said}" if way else said
