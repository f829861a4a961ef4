"""Characters over the chapters, as cards: who played them, what became of dice and strengths."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Prefetch, Q, prefetch_related_objects

from campaigns.models import Campaign, Chapter, Character, Holding, Owed, Part
from campaigns.screens.people import colour_of, label_of
from campaigns.screens.returning import choice_text
from campaigns.services.sheets import strength_value
from campaigns.words import (
    changed_dice,
    die_name,
    form_name,
    interest_state_name,
    option_name,
    pair_name,
    state_name,
)
from games.rules.wicked_age.forms import in_order
from games.said import gettext as _

CHAPTERS_A_PAGE = 8
CAST_A_PAGE = 30

PARTS = Prefetch("parts", Part.objects.select_related("character", "member__seat"))

Sheet = dict[str, Any]


@dataclass(frozen=True)
class PartRow:
    """A character in a chapter: who played her, with which dice she came and went.

    `before` and `after` list all dice, `changes` those that the chapter has changed, and `lost`
    the strengths that it has taken off her sheet (WA-70).
    `came_back` says how, and `as_what` what she was then, if she had been dead (WA-95).
    """

    number: int
    chapter: int
    chapter_title: str
    name: str
    player: str
    colour: int
    is_pc: bool
    came_back: str
    as_what: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    changes: tuple[str, ...]
    strengths: tuple[str, ...]
    lost: tuple[str, ...]
    state: str
    epilogue: str


def cast_rows(campaign: Campaign, page: int) -> tuple[list[dict[str, Any]], Page[Character]]:
    """Return a page of everybody who was ever in the campaign, the newest first."""
    rows = campaign.characters.select_related("owner__seat")
    pages = Paginator(rows.order_by("-number"), CAST_A_PAGE).get_page(page)
    shown = list(pages.object_list)
    times = dict(
        Part.objects.filter(character__in=[one.pk for one in shown])
        .values_list("character")
        .annotate(Count("id"))
    )
    listed = [
        {
            "number": one.number,
            "name": label_of(one),
            "is_pc": one.is_pc,
            "player": one.owner.name if one.owner else "",
            "colour": colour_of(one.owner),
            "state": state_name(one.state),
            "times": times.get(one.pk, 0),
        }
        for one in shown
    ]
    return listed, pages


def cast_of(chapter: Chapter) -> list[PartRow]:
    """Return everybody in a chapter, the players' characters first (WA-83)."""
    prefetch_related_objects([chapter], PARTS)
    return part_rows(sorted(chapter.parts.all(), key=lambda part: not part.character.is_pc))


def character_page(one: Character, page: int) -> dict[str, Any]:
    """Return a character over the chapters: dice and strengths as they came and went."""
    rows = one.parts.select_related("chapter", "member__seat", "character")
    pages = Paginator(rows.order_by("-chapter__number"), CHAPTERS_A_PAGE).get_page(page)
    owed = one.owed.aggregate(
        written=Count("id"), standing=Count("id", filter=Q(struck=Owed.Struck.NOT))
    )
    return {
        "one": one,
        "name": label_of(one),
        "state": state_name(one.state),
        "parts": part_rows(pages.object_list),
        "pages": pages,
        "interests": _last_interests(one),
        "owed": owed,
    }


def lives_of(people: Iterable[Character]) -> dict[int, list[PartRow]]:
    """Return each one's chapters by her key, the first one first."""
    by_number = {one.number: one.pk for one in people}
    lives: dict[int, list[PartRow]] = {key: [] for key in by_number.values()}
    rows = Part.objects.filter(character__in=lives).defer("chapter__told", "chapter__end_note")
    read = rows.select_related("chapter", "member__seat", "character")
    for row in part_rows(read.order_by("chapter__number")):
        lives[by_number[row.number]].append(row)
    return lives


def part_rows(parts: Iterable[Part]) -> list[PartRow]:
    """Build what chapters have made of characters; in one under way sheets count as they are."""
    listed = list(parts)
    playing = [p.character_id for p in listed if p.chapter.step != Chapter.Step.OVER]
    held: dict[int, list[Sheet]] = defaultdict(list)
    rows = Holding.objects.filter(character__in=playing, is_lost=False).select_related("strength")
    for one in rows if playing else ():
        held[one.character_id].append(strength_value(one))
    return [_part_row(part, held[part.character_id]) for part in listed]


def _part_row(part: Part, held: list[Sheet]) -> PartRow:
    one, chapter = part.character, part.chapter
    after: Sheet = part.after or part.before
    if chapter.step != Chapter.Step.OVER:
        after = {"forms": one.forms, "strengths": held, "state": one.state}
    became: Sheet = after.get("forms", {})
    # Who was made in the middle of play, or brought back there with whole dice, came as made.
    forms = part.before.get("forms") or _as_made(became)
    return PartRow(
        number=one.number,
        chapter=chapter.number,
        chapter_title=title_of(chapter),
        name=label_of(one),
        player=part.member.name if part.member else "",
        colour=colour_of(part.member),
        is_pc=one.is_pc,
        came_back=choice_text(part.come_back) if part.come_back else "",
        as_what=part.came_back_as,
        before=_dice({"forms": forms}),
        after=_dice(after),
        changes=tuple(_changes(forms, became)),
        strengths=tuple(_strength(strength) for strength in after.get("strengths", [])),
        lost=tuple(_lost(part.before.get("strengths", []), after.get("strengths", []))),
        state=state_name(after.get("state", "")),
        epilogue=part.epilogue,
    )


def title_of(chapter: Chapter) -> str:
    """Return what a chapter is called; one without a title by its number."""
    return chapter.title or _("Chapter %(number)s") % {"number": chapter.number}


def _dice(sheet: Sheet) -> tuple[str, ...]:
    """Say a sheet's dice: "directly d10"; a worn one with what it was made as."""
    found = []
    for form, pair in in_order(sheet.get("forms", {})).items():
        now, base = _named(pair["current"]), _named(pair["base"])
        text = now if now == base else _("%(now)s (was %(base)s)") % {"now": now, "base": base}
        found.append(f"{form_name(form)} {text}")
    return tuple(found)


def _as_made(forms: Sheet) -> Sheet:
    return {form: {**pair, "current": pair["base"]} for form, pair in forms.items()}


def _changes(before: Sheet, after: Sheet) -> Iterable[str]:
    """Say which dice are others now: "directly d10 → d8"."""
    for form, pair in in_order(after).items():
        was = before.get(form, pair)["current"]
        if was != pair["current"]:
            yield changed_dice(form, _named(was), _named(pair["current"]))


def _lost(before: list[Sheet], after: list[Sheet]) -> Iterable[str]:
    """Name the strengths that are on a sheet no more, as they were held."""
    kept = {strength["number"] for strength in after}
    return (_strength(strength) for strength in before if strength["number"] not in kept)


def _named(dice: int | list[int]) -> str:
    return pair_name([dice] if isinstance(dice, int) else dice)


def _strength(value: Sheet) -> str:
    options = ", ".join(option_name(option) for option in value["options"])
    return f"{value['name']} {die_name(value['die'])}" + (f" ({options})" if options else "")


def _last_interests(one: Character) -> list[dict[str, Any]]:
    rows = one.interests.select_related("chapter").order_by("-chapter__number", "id")
    return [
        {
            "chapter": i.chapter.number,
            "text": i.text,
            "state": i.state,
            "state_word": interest_state_name(i.state),
        }
        for i in rows[:CHAPTERS_A_PAGE]
    ]
