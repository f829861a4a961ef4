"""A character's own page: writing, portrait, its record; printing; the shop; the graveyard."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe
from msgspec import structs

from characters import actions
from characters.models import Character, Mention
from characters.pictures import small_portrait
from characters.screens.cards import SheetCard
from characters.screens.drafts import draft_card
from characters.screens.hiring import masterless, trades
from characters.screens.mine import knave_on_phone
from characters.screens.people import person_card
from characters.screens.sheets import sheet_card, trait_cards
from characters.screens.shop import price_list
from characters.services import purse
from characters.services.finding import plays, sheet_at
from characters.services.foe_names import in_tongue
from characters.snapshot import Evening
from characters.stage import RULES
from games import presence, snapshot
from games.at_table import At, at_table, host_at, seat_at, seat_for_sheet
from games.days import day_and_time
from games.errors import Forbidden, NotFound, Refused
from games.forms import read_page, read_tap_with
from games.memory import Memory
from games.models import Seat
from games.rules.knave.people import hireling_limit
from games.screens.pages import Painter
from games.screens.stopping import stop_context
from games.sentences import tell
from games.services.act import Tap, act
from games.showing import asks_for_part, refusals_shown, show_refusal
from games.snapshot import Snapshot
from games.text import mark_of

A_PAGE = 30

Row = TypeVar("Row", bound=Model)


def _seat_for(at: At, key: int) -> Seat:
    def players() -> Iterable[int | None]:
        one = at.table.characters.select_related("employer").filter(pk=key).first()
        return [who.seat_id for who in (one, one and one.employer) if who is not None]

    return seat_for_sheet(at, players)


def _character(at: At, seat: Seat, key: int) -> Character:
    """Return a character whose whole sheet this seat may read: its own, or any for the host."""
    return sheet_at(at.table, seat, key, may_all=seat.is_gm)


def _may_read(seat: Seat, one: Character) -> bool:
    return seat.is_gm or plays(seat, one)


def _now(at: At) -> tuple[Snapshot, Evening]:
    now = snapshot.load(at.table.pk, RULES)
    return now, now.more


def _sheet(at: At, seat: Seat, one: Character) -> tuple[Snapshot, Evening, SheetCard]:
    now, evening = _now(at)
    held = evening.items.get(one.pk)
    if held is None:  # an old grave: its sheet is read by itself
        held = list(one.items.select_related("article", "spell"))
        evening = replace(evening, items={**evening.items, one.pk: held}, memory=Memory())
    card = sheet_card(now, evening, one, is_gm=seat.is_gm, is_mine=True)
    return now, evening, structs.replace(card, notes=one.notes)


@require_safe
@ensure_csrf_cookie
@refusals_shown
def sheet(request: HttpRequest, code: str, character: int) -> HttpResponse:
    """Everything about a character that is written rather than tapped, and its record."""
    at = at_table(request, code)
    seat = _seat_for(at, character)
    with translation.override(seat.language):
        one = _character(at, seat, character)
        now, evening, card = _sheet(at, seat, one)
        page = read_page(request.GET)
        lines, has_more = record_of(one, seat, page)
        is_draft = one.state == Character.State.DRAFT
        context = {
            **_basics(now, seat),
            "table": at.table,
            "came_from": _came_from(seat, one),
            "is_on_phone": one == knave_on_phone(evening, seat),
            "sheet": card,
            "trait_fields": trait_cards(one),
            "was": _was(one),
            "draft": draft_card(now, one) if is_draft else None,
            "record_lines": lines,
            "page": page,
            "has_more": has_more,
            **_service(one, evening),
        }
        return render(request, "characters/sheet.jinja", context)


def _was(one: Character) -> dict[str, dict[str, Any]]:
    """Return what each form says of the sheet it was given: others may write on it meanwhile."""
    words, coins, level = ("name", "gender", "notes"), purse.COINS, ("level", "xp", "max_hp")
    return {
        "words": {f"was_{field}": mark_of(getattr(one, field)) for field in words},
        "coins": {f"was_{field}": getattr(one, field) for field in coins},
        "level": {f"was_{field}": getattr(one, field) for field in level},
    }


def _service(one: Character, evening: Evening) -> dict[str, Any]:
    """Return who can be hired or taken on, and how many follow at most (KN-24)."""
    if one.kind != Character.Kind.KNAVE or not one.is_alive:
        return {}
    return {
        "trades": trades(evening),
        "masterless": masterless(evening),
        "most_hirelings": hireling_limit(one.charisma),
    }


def _basics(now: Snapshot, seat: Seat) -> dict[str, Any]:
    painter = Painter(now, presence.connections(now.table.pk))
    return {
        "scene": painter.scene,
        "mine": painter.mine(seat),
        "board": painter.shared["board"],
        "language": translation.get_language(),
    }


def _came_from(seat: Seat, one: Character) -> str:
    """Return the page where somebody works: the referee's for the sheets of others."""
    is_own = (one.employer or one).seat_id == seat.pk
    return "gm" if seat.is_gm and not is_own else "phone"


def record_of(one: Character, seat: Seat, page: int = 1) -> tuple[list[dict[str, str]], bool]:
    """Return a page of what the log says of a character, the newest first, and if there is more.

    What only one seat may know is told to no other.
    """
    known = Q(event__to=None) | Q(event__to=seat)
    # Left out before pages are cut: a short one would tell how much is kept from this seat.
    found = Mention.objects.filter(known, character=one, event__play__undone=None)
    about = found.select_related("event").order_by("-event__seq")
    lines = []
    shown, has_more = _page_of(about, page)
    for mention in shown:
        event = mention.event
        text = tell(event.kind, event.data, [])
        if text:
            lines.append({"at": day_and_time(event.at), "text": text})
    return lines, has_more


def _page_of(rows: QuerySet[Row], page: int) -> tuple[list[Row], bool]:
    """Return the rows of a page, and if there are more after them."""
    some = list(rows[(page - 1) * A_PAGE : page * A_PAGE + 1])
    return some[:A_PAGE], len(some) > A_PAGE


@refusals_shown
def portrait(request: HttpRequest, code: str, character: int) -> HttpResponse:
    """Show a portrait to whoever sits at the table; its player may send a new one."""
    at = at_table(request, code)
    seat = _seat_for(at, character)
    if request.method == "POST":
        return _keep_portrait(request, at, seat, character)
    one = (
        at.table.characters.filter(pk=character)
        .only("portrait", "portrait_at", "is_hidden")
        .first()
    )
    picture = _picture_of(one) if one and (seat.is_gm or not one.is_hidden) else None
    if not picture:
        raise NotFound(_("There is nothing here."))
    response = HttpResponse(picture, content_type="image/jpeg")
    # Its address changes with the picture; a shared phone's next user may not find it.
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _picture_of(one: Character) -> bytes | None:
    """Return the picture that a sheet shows, if it shows one."""
    if one.portrait_at is None:
        return None
    kept = one.portraits.filter(at=one.portrait_at).last()
    picture = kept.picture if kept else one.portrait
    return None if picture is None else bytes(picture)


def _keep_portrait(request: HttpRequest, at: At, seat: Seat, character: int) -> HttpResponse:
    with translation.override(seat.language):
        try:
            picture = small_portrait(request.FILES.get("photo"))
            tap = Tap(read_tap_with(request.POST, picture), picture=picture)
            act(at.table.pk, at.acting(seat.number), actions.KeepPortrait(character), tap)
        except Refused as refusal:
            back = reverse("knave_sheet", args=[at.table.code, character])
            return show_refusal(request, refusal, back=back)
    if asks_for_part(request):
        return HttpResponse(status=204)
    return redirect("knave_sheet", at.table.code, character)


@require_safe
@refusals_shown
def printed(request: HttpRequest, code: str, character: int) -> HttpResponse:
    """A sheet for paper."""
    at = at_table(request, code)
    seat = _seat_for(at, character)
    with translation.override(seat.language):
        one = _character(at, seat, character)
        card = _sheet(at, seat, one)[2]
        return render(request, "characters/print.jinja", {"sheet": card, "blank": False})


@require_safe
def blank(request: HttpRequest) -> HttpResponse:
    """An empty sheet for paper, for anybody."""
    return render(request, "characters/print.jinja", {"sheet": None, "blank": True})


@require_safe
@ensure_csrf_cookie
@refusals_shown
def shop(request: HttpRequest, code: str, character: int) -> HttpResponse:
    """The price list, with what the purse allows; `q` narrows it."""
    at = at_table(request, code)
    seat = _seat_for(at, character)
    with translation.override(seat.language):
        one = _character(at, seat, character)
        now, evening, card = _sheet(at, seat, one)
        if not (evening.party.settings.shop_open or seat.is_gm):
            back = reverse("knave_sheet", args=[code, character])
            return show_refusal(request, Forbidden(_("The shop is closed here.")), back=back)
        asked = request.GET.get("q", "")[:60].strip()
        context = {
            **_basics(now, seat),
            "table": at.table,
            "came_from": _came_from(seat, one),
            "sheet": card,
            "purse": card.purse,
            "worth": purse.money(purse.worth_of(one)),
            "q": asked,
            "groups": price_list(one, asked),
        }
        return render(request, "characters/shop.jinja", context)


@require_safe
@ensure_csrf_cookie
@refusals_shown
def graveyard(request: HttpRequest, code: str) -> HttpResponse:
    """The dead of a table, the newest first, and what killed them (KN-16)."""
    at = at_table(request, code)
    seat = seat_at(at)
    with translation.override(seat.language):
        now, evening = _now(at)
        rows = at.table.characters.filter(
            state=Character.State.DEAD, kind=Character.Kind.KNAVE, is_hidden=False
        )
        dead = rows.select_related("seat", "employer").defer("portrait")
        page = read_page(request.GET)
        shown, has_more = _page_of(dead.order_by("-died_at", "-pk"), page)
        graves = [
            {
                "person": person_card(now, evening, one),
                "may_read": _may_read(seat, one),
                "death": in_tongue(one.death),
                "day": one.died_on,
                "at": one.died_at.astimezone() if one.died_at else None,
            }
            for one in shown
        ]
        context = {
            "table": at.table,
            "graves": graves,
            "page": page,
            "has_more": has_more,
            "language": translation.get_language(),
            **stop_context(seat, at.table),
        }
        return render(request, "characters/graveyard.jinja", context)


@require_safe
@ensure_csrf_cookie
@refusals_shown
def view_as(request: HttpRequest, code: str, seat: int) -> HttpResponse:
    """What a seat's phone shows, for the host to look at; nothing on it can be tapped."""
    at, host = host_at(request, code)
    people = at.table.seats.filter(standing=Seat.Standing.SEATED).exclude(role=Seat.Role.SCREEN)
    viewed = people.filter(number=seat).first()
    if viewed is None:
        raise NotFound(_("Nobody sits there."))
    with translation.override(host.language):
        now = snapshot.load(at.table.pk, RULES)
        painter = Painter(now, presence.connections(at.table.pk))
        context = {**painter.context(viewed), "viewed": viewed.name}
        return render(request, "characters/view_as.jinja", context)
