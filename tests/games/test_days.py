"""Days and fractions are shown as people write them, never as programs do."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone, translation

from games.days import day, day_and_time
from games.grammar import decimal
from games.said import speaking

MORNING = datetime(2026, 11, 28, 3, 8)


@pytest.mark.parametrize(("language", "month"), [("en", "Nov"), ("es", "nov")])
def test_a_day_is_written_as_that_language_writes_it(language: str, month: str):
    at = timezone.make_aware(MORNING)
    with translation.override(language):
        assert day(at) == f"28 {month} 2026"
        assert day_and_time(at) == f"28 {month} 2026, 03:08"


@pytest.mark.parametrize(("language", "said"), [("en", "1.50"), ("es", "1,50"), ("pt", "1,50")])
def test_a_fraction_has_the_point_of_its_language(language: str, said: str):
    with speaking(language):
        assert decimal(1.5) == said


def test_no_page_shows_a_day_as_programs_write_it():
    root = Path(settings.BASE_DIR)
    shown = [*(root / "templates").rglob("*.jinja"), *root.glob("*/screens/*.py")]
    shown += [*root.glob("*/views/*.py"), root / "campaigns/markdown.py"]
    assert [str(path) for path in shown if "%Y-%m-%d" in path.read_text()] == []
