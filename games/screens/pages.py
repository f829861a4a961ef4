"""Which regions a page has, and painting them: shared ones once for all who see the same."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

import msgspec

from games.addresses import address_of, address_to_type, invite_address
from games.models import HouseRule, Seat
from games.presence import Connections
from games.rulebook import brave_or_knave
from games.rules import brave_or_knave as bk
from games.said import gettext as _
from games.said import language
from games.screens.cards import GameCard, HouseRuleCard, LogLine, Mine, Scene, SeatCard, Told
from games.screens.compiled import ENGINES
from games.screens.house_rules import rule_in_words, same_rolls
from games.screens.kept import NOBODY, Drawn, DrawnBefore, Fill, Regions, Shown, fill_of, recall
from games.screens.log import LogLines
from games.screens.mine import mine_of
from games.screens.pieces import Whole, piece, recall_whole
from games.screens.scene import must_choose_anew, scene_of
from games.screens.shelves import Shelf
from games.seat_names import shown_name
from games.sharing import share_code
from games.snapshot import Snapshot
from games.stage import GM_LOG, STAGES, Region, Stage, regions, register

PAGES: dict[str, dict[str, Region]] = {
    "phone": {
        **regions(
            "games",
            "phone",
            own=("top", "act", "hand", "numbers", "links"),
            shared=("stage", "ruler", "people"),
        ),
        **regions("games", "phone", shared=("ring",), have_pieces=True),
    },
    "screen": {
        **regions("games", "screen", own=("table-foot",), shared=("table-centre",)),
        **regions("games", "screen", shared=("table-ring",), have_pieces=True),
    },
    "gm": {
        **regions(
            "games",
            "gm",
            own=("gm-seats", "gm-bout", "gm-settings", "gm-rules"),
            shared=("gm-title", "gm-invite"),
        ),
        "gm-log": GM_LOG,
    },
}


def house_rule_cards(now: Snapshot, scene: Scene) -> tuple[HouseRuleCard, ...]:
    """Return the table's house rules for the host (BK-25).

    Each comes with the address that shares it, and what keeps the next bout from beginning with it.
    """
    taken = {} if scene.mode == "playing" else must_choose_anew(now, scene.seats)
    kept = [(k, msgspec.convert(k.rule, bk.HouseRule)) for k in now.house_rules]

    def waits(one: HouseRule, rule: bk.HouseRule) -> str:
        others = [other for k, other in kept if k.is_on and k.pk != one.pk]
        return (taken.get(rule.number) or same_rolls(rule, others)) if one.is_on else ""

    return tuple(
        HouseRuleCard(
            id=k.pk,
            is_on=k.is_on,
            name=rule.name,
            cry=rule.cry,
            number=rule.number,
            text=rule_in_words(rule),
            share_url=address_of("shared_rule", share_code(rule)),
            waits=waits(k, rule),
        )
        for k, rule in kept
    )


class Painter:
    """Paints one snapshot, for all who read the language that is spoken while it does.

    What is public is made once. What is `kept` from earlier drawings is shown again where the same
    values would be drawn; without it everything is drawn afresh, to the same end.
    """

    def __init__(
        self,
        now: Snapshot,
        connections: Connections,
        *,
        kept: DrawnBefore | None = None,
        log: LogLines | None = None,
    ) -> None:
        self.now = now
        self.stage = STAGES[now.rules]
        self.connections = connections
        self.kept = kept
        self._log = log or LogLines()
        self._env = ENGINES["jinja2"].env
        self._for_everybody: dict[str, Regions] = {}
        self._contexts: dict[int, dict[str, Any]] = {}

    @cached_property
    def scene(self) -> Scene:
        """The table as everybody may see it."""
        return scene_of(self.now, self.connections)

    @cached_property
    def lines(self) -> tuple[LogLine, ...]:
        """The newest of the log."""
        return self._log.of(self.now, language())

    @cached_property
    def shelves(self) -> tuple[Shelf, ...]:
        """The same by shelves, as the host has it."""
        return self._log.shelves(language()) if self.lines else ()

    @property
    def told(self) -> tuple[Told, ...]:
        """The same as screens tell it, for whoever has not heard it."""
        return self._log.told(language()) if self.lines else ()

    def mine(self, seat: Seat) -> Mine:
        """Return what a seat may do now."""
        return mine_of(self.now, seat, self.scene)

    def context(self, seat: Seat) -> dict[str, Any]:
        """Return what a page's template is given for a seat."""
        if seat.number not in self._contexts:
            self._contexts[seat.number] = self._context(seat)
        return self._contexts[seat.number]

    def _context(self, seat: Seat) -> dict[str, Any]:
        if seat.standing == Seat.Standing.KNOCKING:
            return self._at_the_door(seat)
        return {
            **self.public,
            "mine": self.mine(seat),
            "stages": _titles(self.now.table.rules, language()),
            **self.stage.context(self, seat),
        }

    @cached_property
    def public(self) -> dict[str, Any]:
        """What everybody is given."""
        table = self.now.table
        return {
            "scene": self.scene,
            "table": table,
            "invite_url": invite_address(table),
            "typed_at": address_to_type(),
            "is_door_open": not table.is_door_shut,
            "door": table.door_now,
            "lines": self.lines,
            "shelves": self.shelves,
            "language": language(),
            "piece": piece,
            **self.shared,
        }

    def _at_the_door(self, seat: Seat) -> dict[str, Any]:
        table = self.now.table
        scene = Scene(
            table_name=table.name,
            code=table.code,
            mode="knocking",
            is_trial=False,
            headline="",
        )
        name = shown_name(seat.name, seat.role)
        card = SeatCard(seat.number, name, name, name[:1].upper(), 1, seat.role)
        mine = Mine(card, address_of("act", table.code), 0, seat.number)
        return {
            "scene": scene,
            "mine": mine,
            "table": table,
            "lines": (),
            "language": seat.language,
        }

    def first(self) -> SeatCard | None:
        """Return who has been chosen to roll first (BK-6), while they play the coming bout."""
        first = self.now.game.first_id if self.now.game else None
        number = next((s.number for s in self.now.seats if s.pk == first), None)
        return next((s for s in self.scene.ring if s.number == number), None)

    @cached_property
    def shared(self) -> dict[str, Any]:
        """What the game in front gives to everybody."""
        return self.stage.shared(self)

    def paint(self, page: str, seat: Seat) -> tuple[str, dict[str, str]]:
        """Return the mode and every region of a page for a seat."""
        mode, regions, _marks = self.draw(page, seat)
        return mode, {name: shown.html() for name, shown in regions.items()}

    def draw(self, page: str, seat: Seat) -> tuple[str, dict[str, Shown], dict[str, int]]:
        """Return the mode, every region of a page with its pieces, and of each a mark.

        Equal marks, equal HTML: that of a region with pieces is about the rest of it.
        """
        if seat.standing == Seat.Standing.KNOCKING:
            return "knocking", {}, {}
        for_all, marks_of_all = self._for_all(page)
        regions, marks = dict(for_all), dict(marks_of_all)
        context = self.context(seat)
        fill = fill_of(context["mine"])
        for name, region in self.stage.pages[page].items():
            if not region.is_shared:
                self._show(name, self._drawn(region, context), fill, regions, marks)
        return self.stage.mode(self), regions, marks

    def _for_all(self, page: str) -> Regions:
        """Return the regions of a page that everybody is shown alike.

        They are drawn from what is public alone, and so can't name what one seat is given.
        """
        if page not in self._for_everybody:
            regions: dict[str, Shown] = {}
            marks: dict[str, int] = {}
            for name, region in self.stage.pages[page].items():
                if region.is_shared:
                    self._show(name, self._drawn(region, self.public), NOBODY, regions, marks)
            self._for_everybody[page] = regions, marks
        return self._for_everybody[page]

    def _show(
        self,
        name: str,
        drawn: Drawn | Whole,
        fill: Fill,
        regions: dict[str, Shown],
        marks: dict[str, int],
    ) -> None:
        """Put a region that was drawn, and its pieces, among a page's regions and marks."""
        regions[name], marks[name] = Shown(drawn, fill), drawn.mark(fill)
        if isinstance(drawn, Whole):
            for key, part in drawn.pieces.items():
                regions[key], marks[key] = Shown(part, fill), part.mark(fill)

    def _drawn(self, region: Region, given: dict[str, Any]) -> Drawn | Whole:
        if region.has_pieces:
            return recall_whole(self.kept, self._env, region.template, given)
        return recall(self.kept, self._env, region.template, given)


@cache
def _titles(front: str, _spoken: str) -> tuple[GameCard, ...]:
    """Return the games that a table could turn to, in the active language."""
    return tuple(GameCard(s.rules, s.title(), s.rules == front) for s in STAGES.values())


def _bout_context(painter: Painter, seat: Seat) -> dict[str, Any]:
    is_gathering = seat.is_gm and painter.scene.mode == "gathering"
    return {
        "first": painter.first() if is_gathering else None,
        "house_rules": house_rule_cards(painter.now, painter.scene) if seat.is_gm else (),
    }


register(
    Stage(
        rules=bk.NAME,
        title=lambda: _("Brave or Knave"),
        about=lambda: _("a bar game: one die, five fingers, shouting"),
        rulebook=brave_or_knave.book,
        load=lambda table: None,
        pages=PAGES,
        templates={page: f"games/{page}.jinja" for page in PAGES},
        context=_bout_context,
        shared=lambda painter: {},
        mode=lambda painter: painter.scene.mode,
    )
)
