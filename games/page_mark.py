"""Which release of Taproom a page is of."""

from __future__ import annotations

import hashlib
from functools import cache

from django.conf import settings

MADE_OF = ("templates/**/*.jinja", "static/*.js", "static/*.css")


@cache
def mark_of_pages() -> str:
    """Return a short mark of what pages are made of: the same in every process of a release."""
    files = sorted(file for kind in MADE_OF for file in settings.BASE_DIR.glob(kind))
    found = hashlib.sha256()
    for file in files:
        found.update(file.read_bytes())
    return found.hexdigest()[:12]
