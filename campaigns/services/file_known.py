"""Which numbers there are in a campaign's file, and what its people are called."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from campaigns.services import file_format as ff
from campaigns.services.file_fault import at, insist
from campaigns.services.oracles import OWN
from games.rules.words import _


def distinct(numbers: Iterable[Any], why: str = "") -> set[Any]:
    """Return what is listed. Raises Wrong where something is listed twice."""
    listed = list(numbers)
    insist(len(set(listed)) == len(listed), why)
    return set(listed)


class Known:
    """What a file's numbers may lead to; each method raises Wrong for one that leads nowhere."""

    def __init__(self, value: ff.CampaignValue) -> None:
        twice = _("a number stands for one thing")
        with at(_("the members")):
            self._members = distinct((one.number for one in value.members), twice)
        with at(_("the characters")):
            distinct((one.number for one in value.characters), twice)
            self.character = {one.number: one for one in value.characters}
        with at(_("the strengths")):
            distinct((one.number for one in value.strengths), twice)
            self.strength = {one.number: one for one in value.strengths}
        with at(_("the chapters")):
            self._chapters = distinct((one.number for one in value.chapters), twice)
        with at(_("the oracles")):
            numbers = distinct((one.number for one in value.oracles), twice)
            self.oracles = {f"{OWN}{number}" for number in numbers}
        self.owed = {one.order for one in value.owed}
        self._sequences = {(c.number, s.number) for c in value.chapters for s in c.sequences}

    def called(self, number: int) -> str:
        """Return what a character is called, also before she has a name."""
        found = self.character.get(number)
        return found.name if found and found.name else f"#{number}"

    def members(self, *wanted: int | None) -> None:
        leads(self._members, *wanted)

    def characters(self, *wanted: int | None) -> None:
        leads(self.character, *wanted)

    def strengths(self, *wanted: int | None) -> None:
        leads(self.strength, *wanted)

    def chapters(self, *wanted: int | None) -> None:
        leads(self._chapters, *wanted)

    def sequences(self, *wanted: tuple[int, int] | None) -> None:
        leads(self._sequences, *wanted)


def leads(known: Any, *wanted: Any) -> None:
    """Raise Wrong for a number that is given and leads to nothing."""
    insist(all(one is None or one in known for one in wanted))
