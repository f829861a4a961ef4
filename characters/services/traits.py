"""Traits (KN-7): their order, their names, and how a sheet keeps them, in every language."""

from __future__ import annotations

from typing import Any

from games.said import gettext as _
from games.said import language

KEYS = (
    "physique",
    "face",
    "skin",
    "hair",
    "clothing",
    "virtue",
    "vice",
    "speech",
    "background",
    "misfortune",
    "alignment",
)


def title(key: str) -> str:
    """Return what a trait is called."""
    return {
        "physique": _("Physique"),
        "face": _("Face"),
        "skin": _("Skin"),
        "hair": _("Hair"),
        "clothing": _("Clothing"),
        "virtue": _("Virtue"),
        "vice": _("Vice"),
        "speech": _("Speech"),
        "background": _("Background"),
        "misfortune": _("Misfortune"),
        "alignment": _("Alignment"),
    }[key]


def said(trait: dict[str, Any]) -> str:
    """Return a trait in the active language; what a player wrote is kept under "en" alone."""
    return str(trait.get(language()) or trait.get("en", ""))


def told(trait: dict[str, Any]) -> str:
    """Return a trait within a sentence: what a player wrote keeps the capitals of its names."""
    text = said(trait)
    if "es" in trait:
        return text.lower()
    first = text if text[1:2].isupper() else text[:1].lower() + text[1:]
    return first.rstrip(". ")
