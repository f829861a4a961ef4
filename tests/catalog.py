"""The texts of the project in other languages, as translators have written them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils.translation import to_locale

OTHERS = tuple(code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE)
"""Every language that there is beside English, in which the texts are written."""


@cache
def catalog(language: str) -> Catalog:
    locale = to_locale(language)
    path = Path(settings.BASE_DIR) / "config/locale" / locale / "LC_MESSAGES/django.po"
    with path.open("rb") as po:
        return read_po(po, locale=locale, domain="django")


def spanish() -> Catalog:
    return catalog("es")


def messages(catalog: Catalog) -> list[Message]:
    """Return all of a catalog but its head."""
    return [message for message in catalog if message.id]


def texts(value: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Return the forms of a message: one, or singular and plural."""
    return (value,) if isinstance(value, str) else tuple(value)


def translated(language: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Return every text of a language with the English that it may stand for.

    Of what counts something that is the form in its place, or either where a language has more
    forms than two, or one.
    """
    for message in messages(catalog(language)):
        english, others = texts(message.id), texts(message.string)
        for place, other in enumerate(others):
            if other:
                yield (
                    (english[place : place + 1] if len(others) == len(english) else english),
                    other,
                )
