"""Chromium at a house of the tests' own, for what only a browser can show."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, Error, Page, async_playwright

from tests.chaos.house import House
from tests.chromium import FLAGS, where
from tests.standing import Standing

LISTENS = """
window.broken = [];
addEventListener("securitypolicyviolation", (e) => broken.push(e.violatedDirective));
addEventListener("pageshow", (e) => { window.cameBackFromCache = e.persisted; });
"""


@asynccontextmanager
async def chromium(**how: Any) -> AsyncIterator[Browser]:
    """Run a browser; without one the test is skipped loudly, or fails where services must be."""
    async with async_playwright() as playwright:
        try:
            browser = await playwright.chromium.launch(executable_path=where(), args=FLAGS, **how)
        except Error as error:
            why = f"THIS TEST NEEDS CHROMIUM, AND THERE IS NONE: {error}"
            if os.environ.get("TAPROOM_REQUIRE_SERVICES") == "1":
                pytest.fail(why)
            pytest.skip(why)
        yield browser
        await browser.close()


async def phone_of(browser: Browser, house: House, sid: str, **how: Any) -> BrowserContext:
    """Return a browser of somebody's own, with their session."""
    context = await browser.new_context(viewport={"width": 390, "height": 844}, **how)
    await context.add_init_script(LISTENS)
    await context.add_cookies(
        [{"name": "sid", "value": sid, "url": f"http://127.0.0.1:{house.port}", "httpOnly": True}]
    )
    return context


class Watched:
    """A page, and everything on it that a script of somebody else's would do."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.heard: list[str] = []
        page.on("dialog", self._dialog)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.heard.append(f"error: {error}"))

    async def _dialog(self, dialog: Any) -> None:
        self.heard.append(f"dialog: {dialog.message}")
        await dialog.dismiss()

    def _console(self, message: Any) -> None:
        if "Content Security Policy" in message.text or "Refused to" in message.text:
            self.heard.append(f"console: {message.text}")

    async def troubles(self) -> list[str]:
        """Return what was run or stopped on this page so far."""
        ran = await self.page.evaluate("window.pwned ? ['executed'] : []")
        broken = await self.page.evaluate("window.broken ?? []")
        return [*ran, *(f"CSP: {b}" for b in broken), *self.heard]


def laid_down(standing: Standing[Any], house: House, change: Any = lambda name, rows: rows) -> Any:
    """Write what was built once into a house's file; return the people and things of it."""
    assert house.database
    with closing(sqlite3.connect(house.database)) as database:
        for name, rows in standing._rows.items():
            for row in change(name, sorted(rows, key=str)):
                places = ", ".join("?" * len(row))
                database.execute(f'INSERT OR REPLACE INTO "{name}" VALUES ({places})', row)
        database.commit()
    return standing._built


def sid_of(person: Any) -> str:
    return str(person.client.cookies["sid"].value)
