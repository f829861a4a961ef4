"""A campaign's records: chapters, people, the owe list, search, book, files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from campaigns import actions
from campaigns.chronicle import can_be_told
from campaigns.markdown import markdown_of
from campaigns.models import Campaign, Chapter
from campaigns.screens import lives
from campaigns.screens import records as screens
from campaigns.screens import search as searching
from campaigns.services.file_fault import FIELD, damaged
from campaigns.services.file_format import CampaignValue
from campaigns.services.file_read import check_size, is_too_large, read_file
from campaigns.services.file_rows import Rows
from campaigns.services.file_write import file_of
from campaigns.services.sequence_record import full_record
from campaigns.views.sheets import campaign_at
from games.at_table import At, at_table, seat_at
from games.downloads import download
from games.errors import Malformed, MovedOn, NotFound, Refused
from games.forms import new_tap, read_number, read_page, read_tap, read_tap_with
from games.models import Seat
from games.one_at_a_time import one_at_a_time
from games.screens.stopping import stop_context
from games.services.act import Tap, act
from games.showing import only_by_form, refusals_shown, show_refusal
from games.text import MARK, mark_of

CHAPTERS_A_VOLUME = 3


@contextmanager
def in_campaign(request: HttpRequest, code: str) -> Iterator[tuple[At, Seat, Campaign]]:
    """Read the campaign in front, in the language of the seat that looks.

    Raises NotFound for a stranger, and where the table has no campaign yet.
    """
    at = at_table(request, code)
    seat = seat_at(at)
    with translation.override(seat.language):
        yield at, seat, campaign_at(at)


def _basics(at: At, seat: Seat, campaign: Campaign | None) -> dict[str, Any]:
    """Return what every page here needs, and what the stop on it is drawn from."""
    return {
        "table": at.table,
        "seat": seat,
        "campaign": campaign,
        "tap": new_tap(),
        **stop_context(seat, at.table),
    }


def _chapter(campaign: Campaign, number: int) -> Chapter:
    found = campaign.chapters.select_related("beside", "returning").filter(number=number).first()
    if found is None:
        raise NotFound(_("This campaign has no such chapter."))
    return found


def _neighbours(chapter: Chapter) -> dict[str, int | None]:
    """Return the numbers of the chapters before and after one."""
    numbers = Chapter.objects.filter(campaign=chapter.campaign_id).values_list("number", flat=True)
    return {
        "before": numbers.filter(number__lt=chapter.number).order_by("-number").first(),
        "after": numbers.filter(number__gt=chapter.number).order_by("number").first(),
    }


@require_safe
@ensure_csrf_cookie
@refusals_shown
def overview(request: HttpRequest, code: str) -> HttpResponse:
    """List the chapters, in the order of play or of the story, and what else there is to read."""
    at = at_table(request, code)
    seat = seat_at(at)
    with translation.override(seat.language):
        by_story = request.GET.get("order") == "story"
        campaign = at.table.campaigns.filter(is_in_front=True).first()
        context = _basics(at, seat, campaign)
        if campaign is not None:
            page = read_page(request.GET)
            rows, pages = screens.chapter_rows(campaign, by_story=by_story, page=page)
            context |= {"chapters": rows, "pages": pages, "by_story": by_story}
        if request.GET.get("brought"):
            context["arrived"] = screens.arrival(at.table)
        others = at.table.campaigns.filter(is_in_front=False)[: screens.CHAPTERS_A_PAGE]
        context["others"] = list(others)
        return render(request, "campaigns/records/overview.jinja", context)


@require_safe
@ensure_csrf_cookie
@refusals_shown
def chapter(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Tell one chapter: cards, cast, interests, fights with their rolls, and the chronicle."""
    with in_campaign(request, code) as (at, seat, campaign):
        one, asked = _chapter(campaign, number), read_page(request.GET)
        told = screens.chapter_page(one, asked, read_number(request.GET, "fight"))
        context = {**_basics(at, seat, campaign), **told, **_neighbours(one)}
        context["end_note_was"] = mark_of(one.end_note)
        return render(request, "campaigns/records/chapter.jinja", context)


@require_safe
@refusals_shown
def fight(request: HttpRequest, code: str, number: int, sequence: int) -> HttpResponse:
    """Give a sequence's record, with what was played of it elsewhere."""
    at = at_table(request, code)
    seat_at(at)
    one = _chapter(campaign_at(at), number)
    found = one.sequences.select_related("game").filter(number=sequence).first()
    if found is None:
        raise NotFound(_("Those dice are not on this table."))
    name = f"wicked-sequence-{at.table.code}-{number}-{sequence}.jsonl"
    return download(full_record(found), name, "application/jsonl; charset=utf-8")


@ensure_csrf_cookie
@refusals_shown
def telling(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Rewrite a chapter's chronicle; nothing typed is lost when it is refused."""
    with in_campaign(request, code) as (at, seat, campaign):
        one = _chapter(campaign, number)
        typed, error, status, theirs = None, "", 200, ""
        if request.method == "POST":
            typed = request.POST.get("text", "")
            try:
                text = "" if request.POST.get("reset") else typed
                was = request.POST.get("was", "")[:MARK]
                action, tap = actions.WriteChronicle(one.pk, text, was), read_tap(request.POST)
                act(at.table.pk, at.acting(seat.number), action, Tap(tap.id))
                return redirect("wicked_chapter", at.table.code, number)
            except Refused as refusal:
                error, status = refusal.message, refusal.status
                one.refresh_from_db(fields=["told"])
                theirs = one.told if isinstance(refusal, MovedOn) else ""
        if typed is None:
            typed = one.told or "\n\n".join(p.text for p in screens.paragraphs(one))
        context = {
            **_basics(at, seat, campaign),
            "chapter": one,
            "typed": typed,
            "error": error,
            "theirs": theirs,
            "was": mark_of(one.told),
        }
        return render(request, "campaigns/records/telling.jinja", context, status=status)


@require_safe
@refusals_shown
def people(request: HttpRequest, code: str) -> HttpResponse:
    """List everybody who was ever in the campaign."""
    with in_campaign(request, code) as (at, seat, campaign):
        rows, pages = lives.cast_rows(campaign, read_page(request.GET))
        context = {**_basics(at, seat, campaign), "people": rows, "pages": pages}
        return render(request, "campaigns/records/people.jinja", context)


@require_safe
@refusals_shown
def person(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Tell a character over the chapters: dice and strengths as they came and went."""
    with in_campaign(request, code) as (at, seat, campaign):
        one = campaign.characters.select_related("owner__seat").filter(number=number).first()
        if one is None:
            raise NotFound(_("That character is not in this campaign."))
        told = lives.character_page(one, read_page(request.GET))
        context = {**_basics(at, seat, campaign), **told}
        return render(request, "campaigns/records/person.jinja", context)


@require_safe
@ensure_csrf_cookie
@refusals_shown
def owe_list(request: HttpRequest, code: str) -> HttpResponse:
    """Tell the owe list with every entry's birth and end (WA-81); the GM can set it right."""
    with in_campaign(request, code) as (at, seat, campaign):
        rows, pages = screens.owed_rows(campaign, read_page(request.GET))
        context = {**_basics(at, seat, campaign), "owed": rows, "pages": pages}
        return render(request, "campaigns/records/owed.jinja", context)


@require_safe
@refusals_shown
def search(request: HttpRequest, code: str) -> HttpResponse:
    """Look for words in everything that a campaign keeps."""
    with in_campaign(request, code) as (at, seat, campaign):
        words = request.GET.get("q", "").replace("\x00", "")[: searching.LONGEST].strip()
        page = read_page(request.GET)
        found, has_more = searching.search(campaign, words, page) if words else ([], False)
        context = {
            **_basics(at, seat, campaign),
            "q": words,
            "found": found,
            "page": page,
            "has_more": has_more,
        }
        return render(request, "campaigns/records/search.jinja", context)


@require_safe
@refusals_shown
def book(request: HttpRequest, code: str) -> HttpResponse:
    """The chronicle as a book to print: a volume of three chapters, or all of it with `?all=1`."""
    with in_campaign(request, code) as (at, seat, campaign), ExitStack() as turn:
        by_story = request.GET.get("order") == "story"
        order = ("story_order", "number") if by_story else ("number",)
        rows = campaign.chapters.select_related("beside").order_by(*order)
        count = campaign.chapters.count()
        page, is_all = read_page(request.GET), bool(request.GET.get("all"))
        if is_all:
            turn.enter_context(one_at_a_time())
        else:
            rows = rows[(page - 1) * CHAPTERS_A_VOLUME : page * CHAPTERS_A_VOLUME]
        context = {
            **_basics(at, seat, campaign),
            "chapters": screens.book_of(rows),
            "page": page,
            "is_all": is_all,
            "by_story": by_story,
            "volumes": -(-count // CHAPTERS_A_VOLUME),
        }
        return render(request, "campaigns/records/book.jinja", context)


@require_safe
@refusals_shown
def markdown(request: HttpRequest, code: str) -> HttpResponse:
    """Give the chronicle as Markdown: files with links between them, in one archive."""
    with in_campaign(request, code) as (_at, _seat, campaign), one_at_a_time():
        packed = markdown_of(campaign)
    return download(packed, _file_name(campaign, "md.zip"), "application/zip")


@require_safe
@refusals_shown
def file(request: HttpRequest, code: str) -> HttpResponse:
    """Give the whole campaign as one file, to be brought in anywhere.

    One that is too large for that is given to whoever wants it all the same.
    """
    with in_campaign(request, code) as (at, seat, campaign), one_at_a_time():
        with_lines = bool(request.GET.get("lines"))
        sent = file_of(campaign, with_lines=with_lines)
        if is_too_large(len(sent)) and not request.GET.get("anyway"):
            context = {**_basics(at, seat, campaign), "with_lines": with_lines}
            return render(request, "campaigns/records/too_large.jinja", context)
    return download(sent, _file_name(campaign, "taproom.json"), "application/json")


def _file_name(campaign: Campaign, ending: str) -> str:
    return f"{slugify(campaign.name) or 'campaign'}.{ending}"


def check_told(value: CampaignValue) -> None:
    """Raise Malformed for a file with moments that no sentence is written for."""
    for one in value.chapters:
        for place, moment in enumerate(one.moments, 1):
            if not can_be_told(moment.kind, moment.data):
                told = _("chapter %(what)s") % {"what": one.number}
                raise damaged(f"{told}, " + _("moment %(what)s") % {"what": place})


@only_by_form("wicked_records")
@refusals_shown
def bring(request: HttpRequest, code: str) -> HttpResponse:
    """Bring in a campaign from its file; it stands in front from then on.

    What is wrong with the file is found before the table waits for it.
    """
    at = at_table(request, code)
    seat = seat_at(at)
    with translation.override(seat.language):
        try:
            _bring(request, at, seat)
        except Malformed as refusal:
            # Another file is chosen where this one was.
            return show_refusal(request, refusal, reverse("wicked_records", args=[code]))
    return redirect(reverse("wicked_records", args=[code]) + "?brought=1")


def _bring(request: HttpRequest, at: At, seat: Seat) -> None:
    sent = request.FILES.get("file")
    if sent is None:
        raise Malformed(_("Choose a campaign's file first."), field=FIELD)
    check_size(sent.size or 0)
    # Whoever may not bring one in is refused by the deed, and nothing is read for them.
    with one_at_a_time():
        data = sent.read() if seat.is_gm else b""
        made = _rows_of(data) if seat.is_gm else None
        tap = Tap(read_tap_with(request.POST, data), attachment=made)
        act(at.table.pk, at.acting(seat.number), actions.ImportCampaign(), tap)


def _rows_of(data: bytes) -> Rows:
    value = read_file(data)
    check_told(value)
    return Rows(value)
