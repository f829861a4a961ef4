"""The languages that there are, where their texts lie, and which of them a terminal speaks.

What runs before Taproom is set up imports this, with a Python of any age.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("es", "Español")]
LOCALE_PATHS = [Path(__file__).resolve().parent / "locale"]
# The first of these that is set names the language of a terminal (POSIX).
VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def asked_for() -> list[str]:
    """Return the languages that this terminal would speak (`es_MX`), the dearest first.

    `LANGUAGE` may name several, and says nothing where the other variables name none.
    """
    locale = next(filter(None, map(os.environ.get, VARIABLES)), "C")
    if locale.partition(".")[0] in ("C", "POSIX"):
        return []
    named = (*os.environ.get("LANGUAGE", "").split(":"), locale)
    return [re.split("[.@]", name)[0].replace("-", "_") for name in named if name]
