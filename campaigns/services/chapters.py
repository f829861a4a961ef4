"""Where chapters lie in time beside each other (WA-93)."""

from __future__ import annotations

from campaigns.models import Chapter


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
