"""Where chapters lie in time beside each other (WA-93), and whether dice lie in one."""

from __future__ import annotations

from campaigns.models import Chapter
from games.errors import MovedOn
from games.services.change import Change
from games.services.ledger import keep, lean


def order_beside(chapter: Chapter, beside: Chapter) -> float:
    """Return a chapter's place in the story: just after another, just before it, or level with it.

    Between two others it lies halfway, so that none of them has to move.
    """
    others = chapter.campaign.chapters.exclude(pk=chapter.pk)
    places = sorted(set(others.values_list("story_order", flat=True)))
    at = beside.story_order
    if chapter.placement == Chapter.Placement.AFTER:
        later = [place for place in places if place > at]
        return (at + later[0]) / 2 if later else at + 1
    if chapter.placement == Chapter.Placement.BEFORE:
        earlier = [place for place in places if place < at]
        return (at + earlier[-1]) / 2 if earlier else at - 1
    return at


def move_along(change: Change, chapter: Chapter) -> None:
    """Let whatever is said to be at the same time as a chapter lie level with it still (WA-93)."""
    moved, level = {chapter.pk}, [chapter]
    if chapter.beside_id:
        moved.add(chapter.beside_id)
    while level:
        same = Chapter.objects.filter(beside=level.pop(), placement=Chapter.Placement.SAME)
        for other in same.exclude(pk__in=moved):
            other.story_order = chapter.story_order
            keep(change, other)
            moved.add(other.pk)
            level.append(other)


def check_no_dice(change: Change, chapter: Chapter, text: str) -> None:
    """Raise MovedOn with `text` while dice of a chapter are on the table (WA-82).

    What is done while no dice lie there is tied to that: an undo that puts dice
    back on the table takes it back as well.
    """
    for one in chapter.sequences.all():
        if not one.is_over:
            raise MovedOn(text)
        lean(change, one, "is_over")
