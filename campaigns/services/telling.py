"""Telling the log and the chronicle what happened (docs/decisions/0016)."""

from __future__ import annotations

from typing import Any, Final

from campaigns.models import Chapter, Character, Moment, Sequence
from campaigns.services.naming import about
from games.asked import Asked
from games.models import Event, Game, rows
from games.services.change import Change
from games.services.ledger import keep

MARKED: Final = "interest_marked"
"""What has come of an interest: the chronicle keeps the last word of it."""

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


def told_of(chapter: Chapter, one: Character) -> list[Moment]:
    """Return what the chronicle says of somebody's interests; who has no name is her player's."""
    who = about(one)
    keys = ("name",) if one.name else ("name", "by")
    said = rows.belonging(rows.fetch(Moment, chapter_id=chapter.pk, kind=MARKED), chapter=chapter)
    return [moment for moment in said if all(moment.data.get(key) == who[key] for key in keys)]


def tell_anew(change: Change, moment: Moment, **data: Any) -> None:
    """Put other words into what the chronicle says, so that it is found and kept up by them."""
    moment.data = {**moment.data, **data}
    keep(change, moment)
