"""What the program says and nobody has to heed: group, chapter's end, campaign's end.

Hints are keys; their words are the screen's. WA-1, WA-82, WA-84.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

from games.rules.words import Reason, _

FEWEST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 6
BEST_PLAYERS: Final = (3, 4)

FIRST_CHAPTER_WITH_HINTS: Final = 3
USUAL_LENGTH: Final = (6, 10)
"""A full game is about so many chapters (WA-84)."""

_FIRST_CHAPTERS: Final = 2

PlayersHint = Literal["few", "many"]
ChapterHint = Literal["interests_settled", "one_pc_left", "evening_over"]
CampaignHint = Literal["first_names_gone", "usual_length", "stories_done", "situation_played_out"]


def fault_of_players(players: int) -> Reason | None:
    """Return why so many players beside the GM cannot play, or None (WA-1)."""
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        return Reason(_("two to six people play besides the GM"), "WA-1")
    return None


def players_hint(players: int) -> PlayersHint | None:
    """Return what is to be said of so many players beside the GM (WA-1)."""
    if players < BEST_PLAYERS[0]:
        return "few"
    return "many" if players > BEST_PLAYERS[-1] else None


def chapter_hints(
    interests: Mapping[str, Iterable[str]], pcs_out: Iterable[str]
) -> tuple[ChapterHint, ...]:
    """Return why the chapter might end now (WA-82).

    `interests` holds the states of every PC's interests, `pcs_out` the PCs who are out. Whether
    the evening is over only the people know: that hint is always among them.
    """
    found: list[ChapterHint] = []
    states = [tuple(of_one) for of_one in interests.values()]
    if any(states) and all("open" not in of_one for of_one in states):
        found.append("interests_settled")
    if len(interests) > 1 and len(set(interests) - set(pcs_out)) <= 1:
        found.append("one_pc_left")
    return (*found, "evening_over")


def campaign_hints(chapter: int, owed_since: Iterable[int]) -> tuple[CampaignHint, ...]:
    """Return why the campaign might end after this chapter; none before the third (WA-84).

    `owed_since` holds, for every name that stands on the owe list, the first chapter in
    which that PC was played. The last two hints are questions to the table.
    """
    if chapter < FIRST_CHAPTER_WITH_HINTS:
        return ()
    found: list[CampaignHint] = []
    if all(first > _FIRST_CHAPTERS for first in owed_since):
        found.append("first_names_gone")
    if chapter >= USUAL_LENGTH[0]:
        found.append("usual_length")
    return (*found, "stories_done", "situation_played_out")
