"""In a Wicked Age's place at a table: what is read, its pages' regions, what they are given."""

from __future__ import annotations

from typing import Any

import msgspec
from django.utils.translation import gettext as _

from campaigns import snapshot
from campaigns.models import Chapter
from campaigns.rulebook import book
from campaigns.screens.asks import asks_of
from campaigns.screens.cards.chapter import BoardCard
from campaigns.screens.cards.seats import GmCampaign, MyCampaign
from campaigns.screens.chapter import board_of
from campaigns.screens.mine import my_campaign
from campaigns.screens.referee import gm_campaign
from campaigns.trial import try_out
from campaigns.words import placement_name
from games.models import Seat
from games.screens.cards import Choice
from games.screens.pages import Painter
from games.snapshot import Snapshot
from games.stage import GM_LOG, Region, Stage, regions, register

RULES = "wicked_age"
# Whoever only looks: nothing is theirs.
BYSTANDER = Seat(pk=0, role=Seat.Role.SCREEN)

PAGES: dict[str, dict[str, Region]] = {
    "phone": {
        **regions(
            "campaigns",
            "phone",
            own=(
                "top",
                "asks",
                "setup",
                "sheet",
                "fight",
                "story",
                "owe",
                "tags",
                "sides",
                "terms",
            ),
        ),
        "people": Region("games/phone/people.jinja", is_shared=True),
    },
    "screen": regions(
        "campaigns", "screen", shared=("story-board", "cast-board", "fight-board", "owe-strip")
    ),
    "gm": {
        **regions(
            "campaigns",
            "gm",
            own=(
                "gm-title",
                "gm-npcs",
                "gm-fights",
                "gm-web",
                "gm-scenes",
                "gm-end",
                "gm-corrections",
                "gm-tags",
                "gm-beside",
            ),
        ),
        **regions("campaigns", "gm", own=("gm-story",), have_pieces=True),
        "gm-seats": Region("games/gm/gm-seats.jinja"),
        "gm-invite": Region("games/gm/gm-invite.jinja", is_shared=True),
        "gm-log": GM_LOG,
    },
}


def _context(painter: Painter, seat: Seat) -> dict[str, Any]:
    given = _cards(painter.now, seat)
    asks = asks_of(given["board"], given["my"]) if "my" in given else None
    return {"my": None, "gm": None, "asks": asks, **given}


def _shared(painter: Painter) -> dict[str, Any]:
    """Return what all who read the same language are given.

    Beside the board who fights in front: large parts of the screen change with
    that, and with nothing else of the dice.
    """
    board = board_of(painter.now, BYSTANDER)
    running = next((fight for fight in board.fights if not fight.is_held), None)
    return {
        "board": board,
        "is_fight": running is not None,
        "fighting": tuple(sorted(one.id for one in running.fighters)) if running else (),
    }


def _cards(now: Snapshot, seat: Seat) -> dict[str, Any]:
    """Return what a seat's screens show."""
    given: dict[str, Any] = {"board": board_of(now, seat)}
    if seat.role != Seat.Role.SCREEN:
        given["my"] = my_campaign(now, seat)
    if seat.is_gm:
        given["gm"] = gm_campaign(now, seat)
    return given


def _page_context(painter: Painter, seat: Seat, page: str) -> dict[str, Any]:
    """Return what only the GM page's unpushed parts need: how a chapter can lie (WA-93)."""
    if page != "gm":
        return {}
    return {"placements": [Choice(p.value, placement_name(p.value)) for p in Chapter.Placement]}


def _api(now: Snapshot, seat: Seat) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(_cards(now, seat), order="deterministic")
    return plain


def register_stage() -> None:
    """Let tables turn to In a Wicked Age.

    It has no scene of the whole table: several fights may be at different
    questions, and each fighter's buttons carry their own, so that a die that
    falls leaves all other regions as they are.
    """
    register(
        Stage(
            rules=RULES,
            title=lambda: _("In a Wicked Age"),
            about=lambda: _("story campaigns: oracles, best interests, and a list of those we owe"),
            rulebook=book,
            load=snapshot.load,
            advance=snapshot.advance,
            pages=PAGES,
            templates={page: f"campaigns/{page}.jinja" for page in PAGES},
            context=_context,
            shared=_shared,
            mode=lambda painter: RULES,
            page_context=_page_context,
            try_out=try_out,
            api=_api,
            api_types={"board": BoardCard, "my": MyCampaign, "gm": GmCampaign},
        )
    )
