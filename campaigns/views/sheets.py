"""A character's own page, where words are written; sheets and story sheet for paper."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe
from msgspec.structs import replace

from campaigns.models import Campaign, Character
from campaigns.screens.cards import SheetCard, StrengthCard
from campaigns.screens.chapter import board_of
from campaigns.screens.former import handable, lendable
from campaigns.screens.mine import my_campaign
from campaigns.screens.people import sheet_card
from campaigns.screens.returning import with_return
from campaigns.services.making import may_be_given
from campaigns.services.strengths import free_for, shared_by
from campaigns.snapshot import Tale
from campaigns.stage import RULES
from campaigns.words import form_name, option_name, option_text
from games import presence, snapshot
from games.at_table import At, at_table, seat_at, seat_for_sheet
from games.errors import NotFound
from games.models import Seat
from games.rules.dice import SystemDice
from games.rules.wicked_age.forms import NPC_FORMS, PC_DICE, PC_FORMS
from games.rules.wicked_age.names import Kind, suggest
from games.rules.wicked_age.strengths import Option
from games.screens.cards import Choice
from games.screens.pages import Painter
from games.showing import refusals_shown
from games.snapshot import Snapshot
from games.text import mark_of

KINDS: tuple[Kind, ...] = ("women", "men", "either")


def campaign_at(at: At) -> Campaign:
    """Return the campaign in front. Raises NotFound when the table has none."""
    found = at.table.campaigns.filter(is_in_front=True).first()
    if found is None:
        raise NotFound(_("This table has no campaign yet."))
    return found


def basics(now: Snapshot, seat: Seat) -> dict[str, Any]:
    """Return what every page beside the live ones is given."""
    painter = Painter(now, presence.connections(now.table.pk))
    return {
        "table": now.table,
        "scene": painter.scene,
        "mine": painter.mine(seat),
        "board": board_of(now, seat),
        "my": my_campaign(now, seat) if seat.role != Seat.Role.SCREEN else None,
        "language": translation.get_language(),
    }


@require_safe
@ensure_csrf_cookie
@refusals_shown
def sheet(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Everything about a character that is written rather than tapped."""
    at = at_table(request, code)
    with translation.override(seat_at(at).language):
        one = _character(at, number)
    # Lent to another on the same phone, it is the other's to play, and still its owner's (WA-88).
    players = [who.seat_id for who in (one.holder, one.owner) if who is not None]
    seat = seat_for_sheet(at, lambda: players)
    with translation.override(seat.language):
        now = snapshot.load(at.table.pk, RULES)
        tale: Tale = now.more
        card = _card(now, one, seat)
        context = {
            **basics(now, seat),
            "sheet": card,
            "was": _marks(one),
            "interest_was": {row.id: mark_of(row.text) for row in card.interests},
            "names": _names(tale, one),
            "may_strengthen": card.may_write and may_be_given(one),
            "strengths": tuple(Choice(s.pk, s.name) for s in free_for(one, tale.strengths)),
            "forms": tuple(Choice(f, form_name(f)) for f in PC_FORMS),
            "npc_forms": tuple(Choice(f, form_name(f)) for f in NPC_FORMS),
            "dice": PC_DICE,
            "options": tuple(
                Choice(o.value, option_name(o.value), option_text(o.value))
                for o in Option
                if o is not Option.DOUBLY_POTENT
            ),
            **_to_others(tale, one, card, seat),
        }
        return render(request, "campaigns/sheet.jinja", context)


def _to_others(tale: Tale, one: Character, card: SheetCard, seat: Seat) -> dict[str, Any]:
    """Return to whom a player's character can be handed or lent by who looks (WA-88, WA-105)."""
    if not (one.is_pc and (card.is_own or seat.is_gm)):
        return {"may_give": False}
    return {
        "may_give": True,
        "handable": handable(tale, one),
        "lendable": lendable(tale, one) if tale.part_of(one.pk) is None else (),
    }


def _marks(one: Character) -> dict[str, str]:
    """Return what a form says of the sheet it was given: others may write on it meanwhile."""
    marks = {"was_name": mark_of(one.name), "was_description": mark_of(one.description)}
    dice = one.dice("base")
    laid = {"was_dice": ",".join(str(dice[form]) for form in PC_FORMS)} if one.is_pc else {}
    return {**marks, **laid}


def _character(at: At, number: int) -> Character:
    rows = campaign_at(at).characters.select_related("owner", "lent_to")
    found = rows.filter(number=number).first()
    if found is None:
        raise NotFound(_("That character is not in this campaign."))
    return found


def _card(now: Snapshot, one: Character, seat: Seat) -> SheetCard:
    tale: Tale = now.more
    if one.pk not in tale.holdings:
        rows = one.holdings.filter(is_lost=False).select_related("strength")
        tale.holdings[one.pk] = list(rows)
    card = sheet_card(now, tale, one, seat)
    part = tale.part_of(one.pk)
    card = with_return(tale, card, part, one) if part and card.may_write else card
    if card.back is None or not card.back.more:
        return card
    return replace(card, back=replace(card.back, more=tuple(_raisable(one, card.back.more))))


def _raisable(one: Character, held: Iterable[StrengthCard]) -> Iterable[StrengthCard]:
    """Leave out that a strength becomes unique where another who lives has it (WA-106)."""
    shared = shared_by(one)
    for card in held:
        is_shared = card.strength in shared
        options = [o for o in card.may_raise if not (is_shared and o.id == Option.UNIQUE.value)]
        if options:
            yield replace(card, may_raise=tuple(options))


def _names(tale: Tale, one: Character) -> tuple[str, ...]:
    """Suggest a name of each kind by the sound of the chapter's oracle, as far as any is free."""
    oracle = tale.chapter.oracle if tale.chapter else ""
    taken = set(Character.objects.filter(campaign=one.campaign_id).values_list("name", flat=True))
    dice = SystemDice()
    drawn = [name for kind in KINDS for name in suggest(dice, oracle, kind, taken, count=1)]
    return tuple(dict.fromkeys(drawn))


@require_safe
@refusals_shown
def printed(request: HttpRequest, code: str) -> HttpResponse:
    """The chapter for paper: story sheet, sheets, owe list."""
    at = at_table(request, code)
    seat = seat_at(at)
    with translation.override(seat.language):
        now = snapshot.load(at.table.pk, RULES)
        given = basics(now, seat)
        chapter = given["board"].chapter
        if chapter is None:
            # The links to this page stay where they are between chapters.
            told = {"message": _("No chapter is under way."), "status": 200}
            back = reverse("phone", args=[at.table.code])
            return render(request, "games/error.jinja", {**told, "back": back})
        wanted = request.GET.get("sheet", "")
        sheets = [s for s in chapter.sheets if not wanted or str(s.number) == wanted]
        return render(request, "campaigns/print.jinja", {**given, "sheets": sheets})
