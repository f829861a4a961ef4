"""What every page's template is given."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.template.backends.utils import csrf_input
from django.utils.functional import SimpleLazyObject
from django.utils.translation import get_language


def page(request: HttpRequest) -> dict[str, Any]:
    """Return what Django adds to the context of each of our own templates."""
    return {
        "language": get_language(),
        "languages": settings.LANGUAGES,
        "is_secure": request.is_secure(),
        # Django's own masks the token anew for each form of a page.
        "csrf_input": SimpleLazyObject(lambda: csrf_input(request)),
    }
