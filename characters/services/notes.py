"""Longer texts that people write, cleaned before they are kept."""

from __future__ import annotations

import unicodedata

from django.utils.translation import gettext as _

from games.errors import Malformed


def clean_notes(text: str, *, longest: int, field: str = "notes") -> str:
    """Return a text with its lines, but without control and direction-changing characters.

    Raises Malformed when it is longer than `longest` characters.
    """
    lines = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    kept = "".join(
        c
        # The joiners stay: Persian and Hindi need them. A tab is a space on a sheet.
        for c in lines.replace("\t", " ")
        if unicodedata.category(c)[0] != "C" or c in "\n\u200c\u200d"
    ).strip()
    if len(kept) > longest:
        raise Malformed(
            _("That is too long: at most %(count)s letters.") % {"count": longest}, field=field
        )
    return kept
