"""The small drawings beside words: each stands once, by a name that templates ask for."""

from __future__ import annotations

import re

from django.conf import settings

from games.screens.signs import SIGNS

# Where a template names one: at once, or with the tabs of a bar.
NAMED = re.compile(r'\bsign\("(\w+)"\)|(?<=[( ])\("\w+", "(\w+)", _\(')


def test_each_sign_stands_once_and_is_asked_for_by_its_name():
    """With any other name a template cannot be drawn, and no test draws every branch of each."""
    assert len(set(SIGNS.values())) == len(SIGNS)
    texts = [p.read_text() for p in (settings.BASE_DIR / "templates").rglob("*.jinja")]
    named = {one or other for text in texts for one, other in NAMED.findall(text)}
    assert named <= set(SIGNS)
    assert [name for name in SIGNS if not any(f'"{name}"' in text for text in texts)] == []
