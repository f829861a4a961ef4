"""The Spanish texts of the project, as translators have written them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings

SPANISH = Path(settings.BASE_DIR) / "config/locale/es/LC_MESSAGES/django.po"


@cache
def spanish() -> Catalog:
    with SPANISH.open("rb") as po:
        return read_po(po, locale="es", domain="django")


def messages(catalog: Catalog) -> list[Message]:
    """Return all of a catalog but its head."""
    return [message for message in catalog if message.id]


def texts(value: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Return the forms of a message: one, or singular and plural."""
    return (value,) if isinstance(value, str) else tuple(value)
