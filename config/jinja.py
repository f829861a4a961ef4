"""The Jinja2 environment of our own templates: escaped, translated, few globals."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import segno
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from jinja2 import Environment
from markupsafe import Markup


def environment(**options: Any) -> Environment:
    """Build the environment that Django's Jinja2 backend asks for."""
    env = Environment(  # noqa: S701 - Django's backend switches autoescape on
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        **{"autoescape": True, **options},
    )
    env.install_gettext_callables(  # type: ignore[attr-defined]
        translation.gettext, translation.ngettext, newstyle=True, pgettext=translation.pgettext
    )
    env.globals.update(static=static, url=url, qr=qr, current_language=translation.get_language)
    return env


def url(name: str, *args: Any) -> str:
    """Return the path of a named page."""
    return reverse(name, args=args)


@lru_cache(maxsize=512)
def qr(address: str) -> Markup:
    """Draw an address as an inline SVG QR code, dark on light whatever the theme."""
    code = segno.make(address, error="m")
    return Markup(code.svg_inline(scale=1, border=3, omitsize=True, svgclass="qr", lineclass=None))  # noqa: S704
