"""The small drawings beside words: each stands once, by a name that templates ask for."""

from __future__ import annotations

import re

from django.conf import settings
from django.template import engines

SIGNS = settings.BASE_DIR / "templates" / "parts" / "signs.jinja"
# Where a template names one: at once, or with the tabs of a bar.
NAMED = re.compile(r'\bsign\("(\w+)"\)|(?<=[( ])\("\w+", "(\w+)", _\(')


def test_each_sign_stands_once_and_is_asked_for_by_its_name():
    """A name that is none of them would draw nothing, and nobody would notice."""
    paths = engines["jinja2"].env.get_template("parts/signs.jinja").module.PATHS
    assert len(set(paths.values())) == len(paths)
    others = [p.read_text() for p in SIGNS.parents[1].rglob("*.jinja") if p != SIGNS]
    named = {one or other for text in others for one, other in NAMED.findall(text)}
    assert named <= set(paths)
    assert [name for name in paths if not any(f'"{name}"' in text for text in others)] == []
