"""The rows of a campaign's file, made but not yet written, so that nobody waits for that.

A row is given the rows that it points to, and learns their keys when it is written. What depends on
the table it comes to (seats, oracles, content lines) is added by `file_import`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec
from django.db.models import Model
from django.utils.translation import gettext as _

from campaigns.models import (
    Campaign,
    CastLine,
    Chapter,
    Character,
    Element,
    Holding,
    Interest,
    Member,
    Moment,
    Offer,
    Owed,
    OwnOracle,
    Part,
    Scene,
    Sequence,
    Strength,
)
from campaigns.services import file_format as ff
from campaigns.services.file_check import time_of
from campaigns.services.file_fault import FIELD
from games.errors import Malformed
from games.models import Game, rows
from games.models.safety import ContentLine
from games.rules.wicked_sequence import NAME as SEQUENCE
from games.text import set_apart

SHOWN = 40

R = TypeVar("R", bound=Model)


class Rows:
    """All that a file makes rows of, each list in the file's order.

    Raises Malformed for a value that no row can hold.
    """

    def __init__(self, value: ff.CampaignValue) -> None:
        self.value = value
        self.campaign = _row(
            Campaign,
            name=value.name,
            is_in_front=False,
            preferences=value.settings,
            began_at=time_of(value.began_at),
            closed_at=time_of(value.closed_at),
        )
        self.oracle = {
            one.number: _row(OwnOracle, **_plain(one, "number")) for one in value.oracles
        }
        self.content_lines = [_row(ContentLine, **_plain(one)) for one in value.content_lines]
        self._people()
        self._chapters()
        self.elements: list[Element] = []
        self.parts: list[Part] = []
        self.interests: list[Interest] = []
        self.cast: list[CastLine] = []
        self.scenes: list[Scene] = []
        self.games: list[Game] = []
        self.offers: list[Offer] = []
        self.moments: list[Moment] = []
        self.sequence: dict[tuple[int, int], Sequence] = {}
        for one in value.chapters:
            self._story_sheet(one)
            self._play(one)
        self.owed = [self._owed(one) for one in value.owed]

    def _people(self) -> None:
        value, campaign = self.value, self.campaign
        self.member = {
            one.number: _row(Member, campaign=campaign, **_plain(one)) for one in value.members
        }
        self.character = {
            one.number: _row(
                Character,
                campaign=campaign,
                owner=self.member.get(one.owner or 0),
                lent_to=self.member.get(one.lent_to or 0),
                **{**_plain(one, "owner", "lent_to"), "forms": msgspec.to_builtins(one.forms)},
            )
            for one in value.characters
        }
        self.strength = {
            one.number: _row(Strength, campaign=campaign, **_plain(one)) for one in value.strengths
        }
        self.holdings = [
            _row(
                Holding,
                strength=self.strength[one.strength],
                character=self.character[one.character],
                **_plain(one, "strength", "character"),
            )
            for one in value.holdings
        ]

    def _chapters(self) -> None:
        lists = ("elements", "cast", "parts", "interests", "scenes", "sequences", "moments")
        self.chapter = {
            one.number: _row(
                Chapter,
                campaign=self.campaign,
                chooser=self.member.get(one.chooser or 0),
                returning=self.character.get(one.returning or 0),
                **_plain(one, *lists, "chooser", "returning", "beside"),
            )
            for one in self.value.chapters
        }

    def _story_sheet(self, one: ff.ChapterValue) -> None:
        chapter = self.chapter[one.number]
        self.elements += [_row(Element, chapter=chapter, **_plain(each)) for each in one.elements]
        self.parts += [
            _row(
                Part,
                chapter=chapter,
                character=self.character[part.character],
                member=self.member.get(part.member or 0),
                **_plain(part, "character", "member"),
            )
            for part in one.parts
        ]
        self.interests += [
            _row(
                Interest,
                chapter=chapter,
                character=self.character[interest.character],
                **_plain(interest, "character"),
            )
            for interest in one.interests
        ]
        self.cast += [
            _row(
                CastLine,
                chapter=chapter,
                taken_by=self.member.get(line.taken_by or 0),
                character=self.character.get(line.character or 0),
                **_plain(line, "same_as", "taken_by", "character"),
            )
            for line in one.cast
        ]

    def pointing_back(self) -> Iterable[tuple[Chapter | CastLine, str, Chapter | CastLine]]:
        """Yield rows that point to others of their own kind, by which field, and to which.

        Those may be written later than they are.
        """
        first = 0
        for one in self.value.chapters:
            if one.beside is not None:
                yield self.chapter[one.number], "beside", self.chapter[one.beside]
            for place, line in enumerate(one.cast, first):
                if line.same_as is not None:
                    yield self.cast[place], "same_as", self.cast[first + line.same_as]
            first += len(one.cast)

    def _play(self, one: ff.ChapterValue) -> None:
        """Make scenes, sequences with their games and offers, and what is told."""
        chapter = self.chapter[one.number]
        scenes = [_row(Scene, chapter=chapter, **_plain(scene)) for scene in one.scenes]
        self.scenes += scenes
        for s in one.sequences:
            game = _row(Game, rules=SEQUENCE, **_plain(s.game, "record"))
            self.games.append(game)
            row = self.sequence[one.number, s.number] = _row(
                Sequence,
                chapter=chapter,
                game=game,
                actor=self.character[s.actor],
                scene=None if s.scene is None else scenes[s.scene],
                earlier=s.game.record,
                **_plain(s, "game", "actor", "scene", "offers"),
            )
            self.offers += [_row(Offer, sequence=row, **_plain(offer)) for offer in s.offers]
        self.moments += [
            _row(
                Moment,
                chapter=chapter,
                number=place,
                sequence=self.sequence.get((one.number, moment.sequence or 0)),
                says=str(moment.data.get("says") or ""),
                **_plain(moment, "sequence"),
            )
            for place, moment in enumerate(one.moments, 1)
        ]

    def _owed(self, one: ff.OwedValue) -> Owed:
        """Make an entry of the owe list, with its birth and its end (WA-81)."""
        names = ("character", "chapter", "sequence", "struck_sequence", "struck_chapter")
        return _row(
            Owed,
            campaign=self.campaign,
            character=self.character[one.character],
            chapter=self.chapter.get(one.chapter or 0),
            sequence=self._named(one.sequence),
            struck_sequence=self._named(one.struck_sequence),
            struck_chapter=self.chapter.get(one.struck_chapter or 0),
            **_plain(one, *names),
        )

    def _named(self, named: tuple[int, int] | None) -> Sequence | None:
        return self.sequence[named] if named else None


def _plain(value: ff.Value, *besides: str) -> dict[str, Any]:
    """Return a value's fields but those that point to other rows; instants as instants."""
    found = {name: getattr(value, name) for name in value.__struct_fields__ if name not in besides}
    return {k: time_of(v) if k == "at" or k.endswith("_at") else v for k, v in found.items()}


def _row(model: type[R], **given: Any) -> R:
    """Return a row to be written. Raises Malformed for one with a value its field can't hold."""
    for name, value in given.items():
        if isinstance(value, str) and not _fits(model._meta.get_field(name), value):
            text = _("Something in that file is too long, or not what it should be: %(what)s.")
            what = f"{model.__name__}.{name} = “{value[:SHOWN]}”"
            raise Malformed(text % {"what": set_apart(what)}, field=FIELD)
    return rows.new(model, **given)


def _fits(field: Any, value: str) -> bool:
    """Tell whether a field can hold a text; quicker than cleaning whole rows."""
    if field.max_length is not None and len(value) > field.max_length:
        return False
    if not value.strip():
        return bool(field.blank)
    return not field.choices or value in dict(field.flatchoices)
