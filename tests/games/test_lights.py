"""The colours of the two lights where no words are written: those are looked at in pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SHEET = (Path(__file__).parents[2] / "static" / "taproom.css").read_text()


def tokens(head: str) -> dict[str, str]:
    block = SHEET.partition(f"{head} {{")[2].partition("}")[0]
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))


DARK = tokens(":root")
LIGHTS = {"dark": DARK, "light": {**DARK, **tokens(':root[data-theme="light"]')}}


def luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("sign", ["well", "warn", "edge", "light"])
def test_what_is_told_by_a_sign_is_seen_in_both_lights(light: str, sign: str) -> None:
    """WCAG 1.4.11: the line's dot, hit points that are left, the edge of what can be pressed."""
    colours = LIGHTS[light]
    for ground in ("page", "sheet"):
        assert contrast(colours[sign], colours[ground]) >= 3, ground
