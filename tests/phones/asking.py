"""Requests with somebody's cookies, as their browser would send them, without a browser.

One is a tenth of what Playwright's own takes of a processor, and most of those who come to a table
are looked at by nobody: they need no browser at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from email.message import Message
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext


@dataclass(frozen=True)
class Reply:
    """What the house answered."""

    status: int
    headers: Message
    body: bytes

    def text(self) -> str:
        return self.body.decode()


class Cookies:
    """Somebody's cookies: kept here until there is a browser, and from then on by it alone."""

    def __init__(self) -> None:
        self._kept: dict[str, Any] = {}
        self._browser: BrowserContext | None = None

    def move_into(self, browser: BrowserContext) -> None:
        self._browser = browser
        if self._kept:
            browser.add_cookies([*self._kept.values()])

    def all(self) -> dict[str, str]:
        """Return the value of each by its name."""
        kept: Any = self._browser.cookies() if self._browser else self._kept.values()
        return {one["name"]: one["value"] for one in kept}

    def keep(self, address: str, said: list[str]) -> None:
        """Keep what the house asked to, at this address."""
        for morsel in (one for line in said for one in SimpleCookie(line).values()):
            given = {"httpOnly": bool(morsel["httponly"]), "sameSite": morsel["samesite"]}
            kept: Any = {"name": morsel.key, "value": morsel.value, "url": address, **given}
            self._kept[morsel.key] = kept
            if self._browser:
                self._browser.add_cookies([kept])


def send(
    cookies: Cookies, address: str, path: str, headers: dict[str, str], form: str = ""
) -> Reply:
    """Post a form, or get a page where there is none; where the answer leads is not asked for."""
    where = urlsplit(address)
    line = HTTPConnection(str(where.hostname), where.port, timeout=60)
    given = dict(headers)
    given["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.all().items())
    if form:
        given |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": address}
    try:
        line.request("POST" if form else "GET", path, form or None, given)
        answer = line.getresponse()
        reply = Reply(answer.status, answer.headers, answer.read())
    finally:
        line.close()
    cookies.keep(address, reply.headers.get_all("Set-Cookie", []))
    return reply
