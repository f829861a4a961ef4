"""People who press whatever their pages show them, by luck, and follow every link."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpResponse
from django.test import Client

from games import clock
from games.models import Seat, Table
from tests.games.party import Clock, notice
from tests.security.shown import Form, Luck, Shown

# After these a seat is empty or is somebody else's: pressed now and then, and never by the host.
ENDING = {"leave_table", "remove", "hand_host", "offer_pass"}
LOOKS, FOLLOWS, ENDS = 0.3, 0.15, 0.02


@dataclass
class Seen:
    """What came of a stroll: all that should not have happened, and how much was tried.

    `refused` counts buttons that need nothing typed and were refused though the
    page was just drawn: by the action and what it was answered where.
    """

    taps: int = 0
    pages: int = 0
    wrong: list[str] = field(default_factory=list)
    actions: Counter[str] = field(default_factory=Counter)
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)


class Stroller:
    """Somebody at a table with a page of their own, and where they are now."""

    def __init__(self, code: str, page: str, client: Client) -> None:
        self.client, self.home, self.at = client, f"/t/{code}/{page}", f"/t/{code}/{page}"
        # Answered, not raised: a fault is to be told together with what was pressed.
        self.client.raise_request_exception = False


class Stroll:
    """Several people at one table, by the luck of a seed."""

    def __init__(self, table: Table, people: list[Stroller], luck: Luck, clock: Clock) -> None:
        self.table, self.people, self.luck, self.clock = table, people, luck, clock
        self.seen = Seen()

    def goes_on(self, steps: int) -> Seen:
        for _step in range(steps):
            self._steps(self.luck.choice(self.people))
            self.clock.passes(self.luck.choice((50, 400, 3000, 20_000)))
            clock.play_due(self.table.pk)
        return self.seen

    def _steps(self, who: Stroller) -> None:
        if self.luck.random() < LOOKS:
            who.at = who.home
        page = self._looks(who, who.at)
        if page is None:
            return
        links = [link for link in page.links if self._is_ours(link)]
        if links and self.luck.random() < FOLLOWS:
            link = self.luck.choice(links).split("#")[0] or who.at
            if self._looks(who, link, is_shown=True) is not None:
                who.at = link
        elif page.forms:
            self._presses(who, page, self.luck.choice(page.forms))

    def _is_ours(self, link: str) -> bool:
        return link.startswith((f"/t/{self.table.code}/", "/rules/"))

    def _looks(self, who: Stroller, path: str, *, is_shown: bool = False) -> Shown | None:
        """Open a page: one that was just shown has to be there, another may have gone since."""
        answer = who.client.get(path, follow=True)
        self.seen.pages += 1
        if answer.status_code >= 500 or (is_shown and answer.status_code != 200):
            self._wrong(f"{answer.status_code} for {path}, seen at {who.at}", answer)
        if answer.status_code != 200:
            who.at = who.home = f"/t/{self.table.code}/"
            return None
        if not answer.get("Content-Type", "").startswith("text/html"):
            return None
        return Shown(answer.content.decode())

    def _presses(self, who: Stroller, page: Shown, form: Form) -> None:
        given: dict[str, Any] = form.filled(self.luck)
        action = "".join(given.get("action", [""])) or form.path
        is_host = who.client is self.people[0].client
        if action in ENDING and (is_host or self.luck.random() > ENDS):
            return
        self.seen.taps += 1
        if "tap" in given:
            given["tap"] = [f"stroll-{self.seen.taps}"]
        if form.asks_picks:
            picked = [p for p in page.picks if self.luck.random() < 0.5]
            given["who"] = [",".join(picked)]
        is_tap = "hx-post" in form.attributes
        path = form.path or who.at
        if form.attributes.get("method", "get") == "get":
            answer = who.client.get(path, given)
        else:
            answer = who.client.post(path, given, headers={"HX-Request": "true"} if is_tap else {})
        self.seen.actions[action] += 1
        if answer.status_code >= 500:
            self._wrong(f"{answer.status_code} for {action} {json.dumps(given)}", answer)
        elif answer.status_code >= 400:
            self._refused(action, form, who, answer)

    def _refused(self, action: str, form: Form, who: Stroller, answer: HttpResponse) -> None:
        why = notice(answer)
        if not why:
            self.seen.wrong.append(f"{answer.status_code} without a word for {action} at {who.at}")
        # A pause lies over the whole page, and stops what is under it.
        if form.is_plain and not Table.objects.get(pk=self.table.pk).paused_at:
            self.seen.refused[action, f"{answer.status_code} at {who.at}: {why[:160]}"] += 1

    def _wrong(self, what: str, answer: HttpResponse) -> None:
        self.seen.wrong.append(f"{what}: {notice(answer)[:200]}")


def gathered(rules: str, luck: Luck, clock: Clock, *, is_trial: bool) -> Stroll:
    """Let a host open a table of a game, three people sit down, and a tablet be laid flat."""
    host = Client()
    given = {"host_name": "Ana", "table_name": "The Swan", "rules": rules}
    answer = host.post("/try/" if is_trial else "/start/", given)
    assert answer.status_code == 302, answer.content
    table = Table.objects.get(code=answer.url.split("/")[2])
    people = [Stroller(table.code, "gm/", host), Stroller(table.code, "", host)]
    for name, role in (("Ben", "player"), ("Cleo", "player"), ("Tess", "screen")):
        client = Client()
        client.post(f"/t/{table.code}/join/", {"name": name, "role": role})
        people.append(Stroller(table.code, "screen/" if role == "screen" else "", client))
    assert table.seats.filter(standing=Seat.Standing.SEATED).count() >= 4
    return Stroll(table, people, luck, clock)
