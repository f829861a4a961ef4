"""Which regions a page has, and painting them: shared ones once for all who see the same."""

from __future__ import annotations

from typing import Any

import msgspec
from django.conf import settings
from django.template import engines
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.models import Seat, Table
from games.presence import Line
from games.rulebook import brave_or_knave
from games.rules import brave_or_knave as bk
from games.screens.cards import LogLine, Mine, Scene, SeatCard
from games.screens.house_rules import rule_in_words
from games.screens.log import new_lines
from games.screens.mine import mine_of
from games.screens.scene import scene_of
from games.sharing import share_code
from games.snapshot import Snapshot
from games.stage import STAGES, Region, Stage, regions, register

# True: everybody who reads the same language sees the same.
PAGES: dict[str, dict[str, Region]] = {
    "phone": regions(
        "games",
        "phone",
        top=False,
        stage=True,
        ruler=True,
        act=False,
        hand=False,
        ring=True,
        numbers=False,
        people=True,
    ),
    "screen": regions("games", "screen", table_ring=True, table_centre=True, table_foot=False),
    "gm": regions(
        "games",
        "gm",
        gm_seats=False,
        gm_bout=False,
        gm_settings=False,
        gm_rules=False,
        gm_log=False,
    ),
}


def house_rule_cards(now: Snapshot) -> list[dict[str, Any]]:
    """Return the table's house rules for the host, each with the text of its link."""
    kept = [(k, msgspec.convert(k.rule, bk.HouseRule)) for k in now.table.house_rules.all()]
    return [
        {
            "id": k.pk,
            "is_on": k.is_on,
            "name": rule.name,
            "cry": rule.cry,
            "number": rule.number,
            "text": rule_in_words(rule),
            "share_url": reverse("shared_rule", args=[share_code(rule)]),
        }
        for k, rule in kept
    ]


def invite_address(table: Table) -> str:
    """Return what the table's QR code says, or nothing when the door is shut."""
    return "" if table.is_door_shut else address_for_phones(reverse("scan", args=[table.key]))


def address_for_phones(path: str) -> str:
    """Return the address of a page for other devices, or nothing when none is known.

    A host's laptop may look at localhost: the phones need its address on the network.
    """
    origin = settings.PUBLIC_ORIGIN or settings.LAN_ORIGIN
    return f"{origin}{path}" if origin else ""


class Painter:
    """Paints one snapshot. Scenes and shared regions are made once for each language."""

    def __init__(self, now: Snapshot, lines: dict[int, Line], rules: str = "") -> None:
        self.now = now
        self.stage = STAGES[rules or now.table.rules]
        self.connections = lines
        self._scenes: dict[str, Scene] = {}
        self._shared: dict[tuple[str, str], str] = {}
        self._boards: dict[str, dict[str, Any]] = {}
        self._lines: dict[str, list[LogLine]] = {}

    def scene(self) -> Scene:
        language = get_language() or "en"
        if language not in self._scenes:
            self._scenes[language] = scene_of(self.now, self.connections)
        return self._scenes[language]

    def lines(self) -> list[LogLine]:
        """Return the newest of the log in the active language."""
        language = get_language() or "en"
        if language not in self._lines:
            self._lines[language] = new_lines(self.now)
        return self._lines[language]

    def mine(self, seat: Seat) -> Mine:
        return mine_of(self.now, seat, self.scene())

    def context(self, seat: Seat) -> dict[str, Any]:
        """Return what the templates of a page are given for a seat.

        Somebody at the door is told the table's name and nothing of its people.
        """
        if seat.standing == Seat.Standing.KNOCKING:
            return self._at_the_door(seat)
        return {
            "scene": self.scene(),
            "mine": self.mine(seat),
            "table": self.now.table,
            "stages": self._stages(),
            "invite_url": invite_address(self.now.table),
            "is_door_open": not self.now.table.is_door_shut,
            "door": self.now.table.door,
            "lines": self.lines(),
            "language": get_language(),
            **self.shared(),
            **self.stage.context(self, seat),
        }

    def _at_the_door(self, seat: Seat) -> dict[str, Any]:
        table = self.now.table
        scene = Scene(table.name, table.code, table.language, "knocking", False, False, "")
        card = SeatCard(seat.number, seat.name, seat.name, seat.name[:1].upper(), 1)
        mine = Mine(card, reverse("act", args=[table.code]), 0)
        return {
            "scene": scene,
            "mine": mine,
            "table": table,
            "lines": [],
            "language": seat.language,
        }

    def _stages(self) -> list[dict[str, Any]]:
        """Return the games that this table could turn to."""
        front = self.now.table.rules
        return [
            {"rules": s.rules, "title": s.title(), "is_front": s.rules == front}
            for s in STAGES.values()
        ]

    def first(self) -> SeatCard | None:
        """Return who has been chosen to roll first (BK-6)."""
        first = self.now.game.first_id if self.now.game else None
        number = next((s.number for s in self.now.seats if s.pk == first), None)
        return next((s for s in self.scene().seats if s.number == number), None)

    def shared(self) -> dict[str, Any]:
        """Return what the game in front gives to everybody who reads the active language."""
        language = get_language() or "en"
        if language not in self._boards:
            self._boards[language] = self.stage.shared(self)
        return self._boards[language]

    def paint(self, page: str, seat: Seat) -> tuple[str, dict[str, str]]:
        """Return the mode and every region of a page for a seat, in the active language."""
        if seat.standing == Seat.Standing.KNOCKING:
            return "knocking", {}
        context = self.context(seat)
        regions = {
            name: self._region(region, context) for name, region in self.stage.pages[page].items()
        }
        return self.stage.mode(self), regions

    def _region(self, region: Region, context: dict[str, Any]) -> str:
        language = get_language() or "en"
        key = (region.template, language)
        if region.is_shared and key in self._shared:
            return self._shared[key]
        # What is drawn for all must not be able to name what one seat is given.
        public = {"scene", "table", "lines", "language", "invite_url", "is_door_open", "door"}
        given = (
            {**{k: context[k] for k in public}, **self.shared()} if region.is_shared else context
        )
        html = engines["jinja2"].env.get_template(region.template).render(given).strip()
        if region.is_shared:
            self._shared[key] = html
        return html


def _bout_context(painter: Painter, seat: Seat) -> dict[str, Any]:
    return {
        "first": painter.first(),
        "house_rules": house_rule_cards(painter.now) if seat.is_gm else [],
    }


register(
    Stage(
        rules=bk.NAME,
        title=lambda: _("Brave or Knave"),
        rulebook=brave_or_knave.book,
        load=lambda table: None,
        pages=PAGES,
        templates={page: f"games/{page}.jinja" for page in PAGES},
        context=_bout_context,
        shared=lambda painter: {},
        mode=lambda painter: painter.scene().mode,
    )
)
