"""Knave's place at a table: what is read, which regions its pages have, what they are given."""

from __future__ import annotations

from typing import Any

import msgspec
from django.utils.translation import gettext as _

from characters import snapshot
from characters.models import Article
from characters.rulebook import book
from characters.screens.board import board_of
from characters.screens.cards.tables import Board, MyKnave, Referee
from characters.screens.mine import my_knave, turn_of
from characters.screens.referee import referee_of
from characters.services import kept_book
from characters.services.foe_names import encounter_in_tongue
from characters.trial import try_out
from games import presence
from games.models import Seat
from games.rules.knave.growth import ACCOMPLISHMENTS
from games.screens.cards import Choice
from games.screens.pages import Painter
from games.snapshot import Snapshot
from games.stage import GM_LOG, Region, Stage, regions, register
from games.text import in_order

RULES = "knave"


PAGES: dict[str, dict[str, Region]] = {
    "phone": {
        **regions(
            "characters",
            "phone",
            own=("top", "asks", "make", "slots", "loot"),
            shared=("clock", "goals"),
        ),
        **regions(
            "characters", "phone", own=("sheet", "fight"), shared=("party",), have_pieces=True
        ),
        "people": Region("games/phone/people.jinja", is_shared=True),
    },
    "screen": {
        **regions("characters", "screen", shared=("party-board", "foes-board"), have_pieces=True),
        **regions("characters", "screen", shared=("table-strip",)),
    },
    "gm": {
        **regions(
            "characters",
            "gm",
            own=(
                "gm-door",
                "gm-time",
                "gm-calls",
                "gm-loot",
                "gm-goals",
                "gm-secrets",
                "gm-reaction",
                "gm-knave-settings",
            ),
        ),
        **regions("characters", "gm", own=("gm-fight", "gm-party"), have_pieces=True),
        "gm-seats": Region("games/gm/gm-seats.jinja"),
        "gm-title": Region("games/gm/gm-title.jinja", is_shared=True),
        "gm-invite": Region("games/gm/gm-invite.jinja", is_shared=True),
        "gm-log": GM_LOG,
    },
}


def _context(painter: Painter, seat: Seat) -> dict[str, Any]:
    given: dict[str, Any] = {"my": None, "gm": None}
    if seat.role != Seat.Role.SCREEN:
        my = my_knave(painter.now, seat)
        given["turn"] = turn_of(painter.shared["board"], my)
        given["my"] = my
    if seat.is_gm:
        given["gm"] = referee_of(painter.now, seat, painter.connections)
    return given


def _page_context(painter: Painter, seat: Seat, page: str) -> dict[str, Any]:
    """Return what only the page's unpushed parts need: lists to choose from."""
    if page != "gm":
        return {}
    evening: snapshot.Evening = painter.now.more
    risks = {"low": _("low risk"), "moderate": _("moderate"), "high": _("high risk")}
    monsters = sorted(
        (m for m in kept_book.monsters().values() if not m.is_hidden),
        key=lambda m: (m.level, in_order(m.said("name"))),
    )
    articles = sorted(
        # Coins are laid out with the pile itself.
        (a for a in kept_book.articles() if not a.is_hidden and a.kind != Article.Kind.COINS),
        key=lambda a: (a.kind, a.cost, in_order(a.said("name"))),
    )
    spells = [s for s in kept_book.spells() if not s.is_hidden]
    return {
        "accomplishments": [Choice(xp, risks[risk]) for risk, xp in ACCOMPLISHMENTS.items()],
        "monsters": [
            Choice(m.pk, m.said("name"), _("level %(level)s") % {"level": m.level})
            for m in monsters
        ],
        "encounters": [Choice(e.pk, encounter_in_tongue(e.name)) for e in evening.encounters],
        "articles": [Choice(a.pk, a.said("name")) for a in articles],
        "books": [a.pk for a in articles if a.kind == Article.Kind.SPELL_BOOK],
        "spells": sorted(
            (Choice(s.pk, s.said("name"), str(s.number)) for s in spells),
            key=lambda one: in_order(one.name),
        ),
    }


def _api(now: Snapshot, seat: Seat) -> dict[str, Any]:
    """Return what a seat's phone shows, as values: the board, and its own or the host's part."""
    connections = presence.connections(now.table.pk)
    told: dict[str, Any] = {"board": board_of(now, connections)}
    if seat.role != Seat.Role.SCREEN:
        told["my"] = my_knave(now, seat)
    if seat.is_gm:
        told["gm"] = referee_of(now, seat, connections)
    plain: dict[str, Any] = msgspec.to_builtins(told, order="deterministic")
    return plain


def register_stage() -> None:
    """Let tables turn to Knave."""
    register(
        Stage(
            rules=RULES,
            title=lambda: _("Knave"),
            about=lambda: _("fantasy adventures: a sheet for everybody, a referee's page"),
            rulebook=book,
            load=snapshot.load,
            advance=snapshot.advance,
            pages=PAGES,
            templates={page: f"characters/{page}.jinja" for page in PAGES},
            context=_context,
            shared=lambda painter: {"board": board_of(painter.now, painter.connections)},
            mode=lambda painter: RULES,
            scene=lambda evening: evening.game.scene if evening.game else 0,
            page_context=_page_context,
            try_out=try_out,
            api=_api,
            api_types={"board": Board, "my": MyKnave, "gm": Referee},
        )
    )
