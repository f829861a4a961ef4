"""What a drawing shows, whole, for tests that compare two of them."""

from __future__ import annotations

from games.live.drawing import Drawing


def html_of(drawing: Drawing) -> dict[str, str]:
    """Return everything that is shown, as a page has it."""
    return {name: one.html() for name, one in {**drawing.regions, **drawing.common}.items()}
