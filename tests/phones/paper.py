"""How many sheets of paper a page takes, as its browser prints it."""

from __future__ import annotations

import re

from playwright.sync_api import Page

A_SHEET = re.compile(rb"/Type\s*/Page\b(?!s)")


def sheets(page: Page, paper: str) -> int:
    """Print it on paper of this size, and count."""
    return len(A_SHEET.findall(page.pdf(format=paper, prefer_css_page_size=False)))
