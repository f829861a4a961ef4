"""A chapter as a story: written from what happened in it, until people write it anew."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from campaigns.models import Chapter, Moment
from campaigns.sentences import KINDS, LONG
from games.sentences import tell

# Of a sequence the chronicle tells who did what and what it cost; the rolls are in the record.
FIGHT = {
    "sequence_begun",
    "move_made",
    "move_let_pass",
    "stepped_in",
    "die_bought",
    "backed_away",
    "harm_settled",
    "terms_settled",
    "character_out",
    "name_owed",
    "sequence_joined",
    "sequence_left",
    "sequence_called_off",
}
NEW_PARAGRAPH = ("scene_",)


@dataclass(frozen=True)
class Paragraph:
    """Sentences that belong together; `fight` is the number of the sequence they tell, or 0."""

    text: str
    fight: int = 0


class Happened(NamedTuple):
    """What a chronicle reads of a moment; `fight` is the number of its sequence, or 0."""

    kind: str
    data: dict[str, Any]
    fight: int


def happened_in(chapters: Iterable[Chapter]) -> dict[int, list[Happened]]:
    """Return what happened in each of these chapters, by their keys.

    Read without making models, since a book has years of moments.
    """
    rows = Moment.objects.filter(chapter__in=[one.pk for one in chapters])
    found: dict[int, list[Happened]] = defaultdict(list)
    for chapter, kind, data, fight in rows.values_list(
        "chapter_id", "kind", "data", "sequence__number"
    ):
        found[chapter].append(Happened(kind, data, fight or 0))
    return found


def chronicle_of(chapter: Chapter, moments: Iterable[Happened]) -> list[Paragraph]:
    """Return a chapter's chronicle: as people wrote it, or else as it happened."""
    if chapter.told:
        return [Paragraph(text) for text in chapter.told.split("\n\n") if text.strip()]
    return written_from(moments)


def written_from(moments: Iterable[Happened]) -> list[Paragraph]:
    """Write a chronicle from what happened: a paragraph for each scene and each sequence's run."""
    found: list[Paragraph] = []
    for key, run in groupby(moments, key=lambda moment: moment.fight):
        found += [Paragraph(text, key) for text in _paragraphs(list(run))]
    return found


def told(kind: str, data: dict[str, Any]) -> str:
    """Return a moment as a sentence, or nothing for one that cannot be told.

    An old event may lack fields that its sentence wants now: it is passed over, so that the page
    about that year still opens.
    """
    return _sentence(kind, data) or ""


def can_be_told(kind: str, data: dict[str, Any]) -> bool:
    """Tell whether there is a sentence for a moment, and the moment has what it speaks of."""
    return kind in KINDS and _sentence(kind, data) is not None


def _sentence(kind: str, data: dict[str, Any]) -> str | None:
    try:
        return tell(kind, data, [])
    except (LookupError, TypeError, ValueError, AttributeError):
        return None


def _paragraphs(run: Sequence[Happened]) -> list[str]:
    texts: list[list[str]] = [[]]
    for moment in run:
        # What it opens with is shown on the same page as lists.
        if moment.kind in LONG or (moment.fight and moment.kind not in FIGHT):
            continue
        if moment.kind.startswith(NEW_PARAGRAPH):
            texts.append([])
        if sentence := told(moment.kind, moment.data):
            texts[-1].append(sentence)
    return [" ".join(sentences) for sentences in texts if sentences]
