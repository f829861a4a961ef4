"""Texts in the language of the terminal before Django is there, and before they are compiled.

They are read as translators have written them.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from config.languages import LANGUAGE_CODE, LOCALE_PATHS, asked_for

# Each is one string, or several that lie below one another.
A_TEXT = re.compile(r'^msgid (".*"(?:\n".*")*)\nmsgstr (".*"(?:\n".*")*)$', re.M)


def gettext(text: str) -> str:
    """Return a text in the terminal's language, in English where that has no such text."""
    path = _catalog()
    if path is None:
        return text
    found = A_TEXT.findall(path.read_text(encoding="utf-8"))
    said = (_read(other) for english, other in found if _read(english) == text)
    return next(said, "") or text


def _catalog() -> Path | None:
    for name in asked_for():
        for language in (name, name.partition("_")[0]):
            if language == LANGUAGE_CODE:
                return None
            path = LOCALE_PATHS[0] / language / "LC_MESSAGES" / "django.po"
            if path.exists():
                return path
    return None


def _read(written: str) -> str:
    return str(ast.literal_eval(f"({written})"))
