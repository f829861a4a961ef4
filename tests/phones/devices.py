"""Devices as people have them: how large a screen and its letters are, and what else is set."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import ViewportSize

from tests.phones.people import PHONE, Person

USUAL: ViewportSize = PHONE["viewport"]
NARROW: ViewportSize = {"width": 320, "height": 640}
SMALL: ViewportSize = {"width": 320, "height": 568}
ON_ITS_SIDE: ViewportSize = {"width": 844, "height": 390}
SPANISH: dict[str, Any] = {"locale": "es-ES"}


def larger(person: Person, standard: int) -> None:
    """Have this browser's own letters so many pixels high."""
    settings = person.context.new_cdp_session(person.page)
    settings.send("Page.setFontSizes", {"fontSizes": {"standard": standard}})
