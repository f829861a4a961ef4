"""Style sheets ask for nothing that a browser of 2022 has not (docs/hosting.md), or not alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SHEETS = sorted((Path(__file__).parents[2] / "static").glob("*.css"))
# What came after Chromium 105 or Safari 15.5, of what a page would be spoilt without.
LATER = re.compile(
    r"\b(a?(sin|cos|tan)|atan2|sqrt|pow|hypot|exp|log|abs|sign|round|mod|rem"
    r"|color-mix|light-dark|oklch|oklab|linear)\("
    r"|\d[dsl]v(h|w|i|b|min|max)\b"
    r"|\binline-(start|end)$"
    r'|" / "'
)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
WHERE_KNOWN = re.compile(r"@supports[^{]*\{[^{}]*\{[^{}]*\}\s*\}")
BLOCK = re.compile(r"\{([^{}]*)\}")


def lost(sheet: str) -> Iterator[str]:
    """Yield each declaration that an older browser drops, and has no other in its place.

    Of one with a variable in it a browser finds out too late to take an earlier one.
    """
    for block in BLOCK.findall(WHERE_KNOWN.sub("", COMMENT.sub("", sheet))):
        known = set()
        for declaration in block.split(";"):
            name, _colon, value = map(str.strip, declaration.partition(":"))
            if not LATER.search(value):
                known.add(name)
            elif name not in known or "var(" in value:
                yield declaration.strip()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_a_browser_of_2022_understands_each_sheet_or_has_something_in_its_place(sheet: Path):
    """On a tablet with Chromium 106 all seats of Brave or Knave lay in one corner of the screen."""
    assert list(lost(sheet.read_text())) == []


@pytest.mark.parametrize(
    "declarations",
    [
        "left: calc(50% + 3rem * cos(20deg))",
        "left: 10%; left: calc(50% + var(--far) * cos(20deg))",
        "height: 100dvh",
        "float: inline-start; float: left",
        'content: "✓ " / ""',
    ],
)
def test_what_it_would_not_understand_is_found(declarations: str):
    """The control."""
    assert list(lost(f"@media (width: 1px) {{ .one {{ {declarations} }} }}"))


def test_what_has_something_in_its_place_is_not():
    assert not list(lost(".one { float: left; float: inline-start; height: 90vh; height: 90dvh }"))
    assert not list(lost("@supports (height: 1dvh) { :root { --vh: 1dvh; } }"))
