"""The small drawings beside words, by what they show. None says anything aloud."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

# Strokes on a field of 24 by 24.
_PATHS: Final = {
    "again": "M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5",
    "at": "M4 12h15M13 6l6 6-6 6",
    "bag": "M9 8V5h6v3M5 9c2-1 12-1 14 0l1 10c-2 3-14 3-16 0z",
    "blades": (
        "m4 3 12 12M4 3v4l10 10M4 3h4l10 10M20 3 8 15M20 3v4L10 17M20 3h-4L6 13M4 15l5 5M20 15l-5 5"
        "M7 17l-4 4M17 17l4 4"
    ),
    "cross": "M6 6 18 18M18 6 6 18",
    "crown": "M3 18h18M4 15 3 6l5 4 4-6 4 6 5-4-1 9z",
    "die": "m12 2 9 5v10l-9 5-9-5V7zM12 7.5 7 16h10z",
    "down": "m6 10 6 6 6-6",
    "flag": "M5 22V3M5 4h13l-3 4 3 4H5",
    "flame": "M12 3c1 4 5 5 5 10a5 5 0 0 1-10 0c0-2 1-3 2-4 0 2 1 2 2 2 0-3 0-5 1-8zM9 21h6",
    "hand": (
        "M7 22v-4c-2-2-3.5-4-4-6 1.5-1 2.5 0 4 2V6.5a1.5 1.5 0 0 1 3 0V4a1.5 1.5 0 0 1 3 0v1.5"
        "a1.5 1.5 0 0 1 3 0V8a1.5 1.5 0 0 1 3 0v7c0 2-.5 3-1 4v3"
    ),
    "hourglass": "M6 3h12M6 21h12M7 3c0 5 4 6 4 9s-4 4-4 9M17 3c0 5-4 6-4 9s4 4 4 9",
    "house": "M3 20h18M6 20V9l6-5 6 5v11M10 20v-6h4v6",
    "knock": (
        "M5 20v-8c0-2 3-2 3 0 0-3 3.5-3 3.5 0 0-3 3.5-3 3.5 0 0-2.5 4-2.5 4 0v5c0 2-1 3-2 4M4 3l2 3"
        "M12 2v4M20 3l-2 3"
    ),
    "log": "M5 3h11l3 3v15H5zM8.5 9h7M8.5 13h7M8.5 17h4",
    "menu": "M4 7h16M4 12h16M4 17h16",
    "minus": "M5 12h14",
    "party": (
        "M8 4.5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM2.5 20c0-4 2-7 5.5-7s5.5 3 5.5 7"
        "M16.5 6.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM16 14c3.5-.5 5.5 2 5.5 6"
    ),
    "people": (
        "M12 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM5.5 20c0-5 3-7 6.5-7s6.5 2 6.5 7z"
        "M5 11a2.5 2.5 0 1 1 1.5-4.5M19 11a2.5 2.5 0 1 0-1.5-4.5M2 18c0-3 1-5 3.5-5.5"
        "M22 18c0-3-1-5-3.5-5.5"
    ),
    "person": "M12 3.5a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 21c0-4.5 3-7 7.5-7s7.5 2.5 7.5 7",
    "plus": "M5 12h14M12 5v14",
    "purse": "M8 8h8l-1.5-5h-5zM8 8c-4 4-5 7-5 9 0 3 3 4 9 4s9-1 9-4c0-2-1-5-5-9zM12 12v5M10 14h4",
    "sheet": "M5 3h10l4 4v14H5zM8.5 8h4M8.5 12h7M8.5 16h7",
    "shield": "M12 3 20 6v6c0 5-4 8-8 9-4-1-8-4-8-9V6z",
    "story": "M4 5.5 12.5 3l4 14L8 19.5zM16 6l4.5 1L17 21l-6-1.5",
    "swords": "m4 4 12 12M20 4 8 16M13 19l6-6M11 19l-6-6M17 17l3 3M7 17l-3 3",
    "table": (
        "M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM12 1.5V4M12 20v2.5M1.5 12H4M20 12h2.5"
        "M4.5 4.5l2 2M17.5 17.5l2 2M19.5 4.5l-2 2M6.5 17.5l-2 2"
    ),
    "tick": "m4 13 5 5L20 6",
    "torch": "M12 2c4 4 5 6 5 8.5A5 5 0 0 1 7 10.5C7 8 9 6 12 2zM10 16h4l-1 6h-2z",
    "up": "m6 14 6-6 6 6",
}
_SIGN: Final = Markup(
    '<svg class="sign" viewBox="0 0 24 24" aria-hidden="true" focusable="false">'
    '<path d="{}"/></svg>'
)
SIGNS: Final = {name: _SIGN.format(path) for name, path in _PATHS.items()}


def sign(name: str) -> Markup:
    """Return a drawing by its name, for templates. Raises KeyError where none has it."""
    return SIGNS[name]
