"""The languages that there are, and where their texts lie."""

from __future__ import annotations

from pathlib import Path
from typing import Final

LANGUAGE_CODE: Final = "en"
LANGUAGES: Final = [("en", "English"), ("es", "Español")]
LOCALE_PATHS: Final = [Path(__file__).resolve().parent / "locale"]
