"""Telling the log and the chronicle what happened (docs/decisions/0016)."""

from __future__ import annotations

from typing import Any

from campaigns.models import Chapter, Moment, Sequence
from games.asked import Asked
from games.models import Event, Game
from games.services.change import Change
from games.services.ledger import keep

_LAST_MOMENT = Asked(
    lambda chapter: Moment.objects.filter(chapter=chapter).order_by("-number").only("number")[:1]
)


def _next_moment(chapter: Chapter) -> int:
    last = _LAST_MOMENT.first(chapter.pk)
    return last.number + 1 if last else 1


def narrate(
    change: Change,
    chapter: Chapter,
    kind: str,
    /,
    *,
    sequence: Sequence | None = None,
    game: Game | None = None,
    **data: Any,
) -> Event:
    """Log what is worth telling later, and keep it for the chapter's chronicle."""
    event = change.log(kind, game=game, **data)
    keep(
        change,
        Moment(
            chapter=chapter,
            number=_next_moment(chapter),
            sequence=sequence,
            kind=kind,
            data=data,
            says=data.get("says") or "",
        ),
    )
    return event
