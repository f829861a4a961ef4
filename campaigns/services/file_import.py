"""Making a campaign out of a file's values: all of its rows in one write.

They do not go through the ledger of the play (decision 15): an import is a
whole campaign that was not there before, and is put aside rather than taken
back. Only which campaign is in front is the ledger's.
"""

from __future__ import annotations

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
from campaigns.services.file_check import FIELD, time_of
from campaigns.services.oracles import OWN
from campaigns.services.people import seats_of_people
from games.errors import Malformed
from games.models import Game, Table
from games.models.safety import ContentLine
from games.rules.wicked_sequence import NAME as SEQUENCE
from games.text import folded

AT_ONCE = 500
R = TypeVar("R", bound=Model)


def bring_in(table: Table, value: ff.CampaignValue) -> Campaign:
    """Make a campaign of a file's value, which waits behind the one in front.

    Members are linked to seats here that bear their name. Must run inside a
    change. Raises Malformed for a value that no row can hold.
    """
    reader = _Reader(table, value)
    reader.people()
    reader.chapters()
    reader.owe_list()
    reader.content_lines()
    return reader.campaign


def _made(rows: list[R]) -> list[R]:
    """Keep rows. Raises Malformed for one that has a value its field can't hold."""
    if not rows:
        return rows
    fields = [one for one in rows[0]._meta.concrete_fields if not one.is_relation]
    for row in rows:
        if not all(_fits(one, getattr(row, one.attname)) for one in fields):
            text = _("Something in that file is longer or other than it can be.")
            raise Malformed(text, field=FIELD)
    return type(rows[0])._default_manager.bulk_create(rows, batch_size=AT_ONCE)


def _fits(field: Any, value: Any) -> bool:
    """Tell whether a field can hold a value, texts above all: a whole clean would take seconds."""
    if not isinstance(value, str):
        return True
    if field.max_length is not None and len(value) > field.max_length:
        return False
    if not value:
        return bool(field.blank)
    return not field.choices or value in dict(field.flatchoices)


def _plain(value: ff.Value, *besides: str) -> dict[str, Any]:
    """Return a value's fields but those that point to other rows; instants as instants."""
    found = {name: getattr(value, name) for name in value.__struct_fields__ if name not in besides}
    return {k: time_of(v) if k == "at" or k.endswith("_at") else v for k, v in found.items()}


class _Reader:
    """Makes the rows in the order in which they lean on each other."""

    def __init__(self, table: Table, value: ff.CampaignValue) -> None:
        self.table, self.value = table, value
        made = Campaign(
            table=table,
            name=value.name,
            is_in_front=False,
            preferences=value.settings,
            began_at=time_of(value.began_at),
            closed_at=time_of(value.closed_at),
        )
        self.campaign = _made([made])[0]
        self.oracles = {f"{OWN}{one.number}": self._oracle(one) for one in value.oracles}

    def _oracle(self, one: ff.OracleValue) -> str:
        """Return what an oracle is called here: one that the table has word for word is kept."""
        given = _plain(one, "number")
        words = (one.title, one.blurb, one.entries)
        same = [o for o in self.table.oracles.all() if (o.title, o.blurb, o.entries) == words]
        return f"{OWN}{(same or _made([OwnOracle(table=self.table, **given)]))[0].pk}"

    def content_lines(self) -> None:
        """Keep out of play here what was kept out there, where the file says it."""
        rows = [ContentLine(table=self.table, **_plain(one)) for one in self.value.content_lines]
        known = {folded(one.text) for one in self.table.content_lines.all()}
        _made([row for row in rows if folded(row.text) not in known])

    def people(self) -> None:
        """Make members, characters and strengths."""
        value, campaign = self.value, self.campaign
        free = {folded(s.name): s for s in seats_of_people(self.table)}
        members = [Member(campaign=campaign, **_plain(one)) for one in value.members]
        for one in members:
            one.seat = free.pop(folded(one.name), None)
            one.is_gm = one.seat.is_gm if one.seat else one.is_gm
        self.member = {one.number: one for one in _made(members)}
        rows = [
            Character(
                campaign=campaign,
                owner=self.member.get(one.owner),
                lent_to=self.member.get(one.lent_to),
                **{**_plain(one, "owner", "lent_to"), "forms": msgspec.to_builtins(one.forms)},
            )
            for one in value.characters
        ]
        self.character = {one.number: one for one in _made(rows)}
        strengths = [Strength(campaign=campaign, **_plain(one)) for one in value.strengths]
        strength = {one.number: one for one in _made(strengths)}
        _made(
            [
                Holding(
                    strength=strength[one.strength],
                    character=self.character[one.character],
                    **_plain(one, "strength", "character"),
                )
                for one in value.holdings
            ]
        )

    def chapters(self) -> None:
        """Make the chapters, what stands in them, and their sequences."""
        lists = ("elements", "cast", "parts", "interests", "scenes", "sequences", "moments")
        rows = [
            Chapter(
                campaign=self.campaign,
                oracle=self.oracles.get(one.oracle, one.oracle),
                chooser=self.member.get(one.chooser),
                returning=self.character.get(one.returning),
                **_plain(one, *lists, "oracle", "chooser", "returning", "beside"),
            )
            for one in self.value.chapters
        ]
        self.chapter = {one.number: one for one in _made(rows)}
        beside = [one for one in self.value.chapters if one.beside is not None]
        for one in beside:
            self.chapter[one.number].beside = self.chapter[one.beside]
        Chapter.objects.bulk_update([self.chapter[one.number] for one in beside], ["beside"])
        self.sequence: dict[tuple[int, int], Sequence] = {}
        self._story_sheets()
        self._play()

    def _story_sheets(self) -> None:
        elements, parts, interests = [], [], []
        for one in self.value.chapters:
            chapter = self.chapter[one.number]
            elements += [Element(chapter=chapter, **_plain(e)) for e in one.elements]
            parts += [self._part(chapter, part) for part in one.parts]
            interests += [
                Interest(
                    chapter=chapter,
                    character=self.character[interest.character],
                    **_plain(interest, "character"),
                )
                for interest in one.interests
            ]
            self._cast(chapter, one.cast)
        _made(elements)
        _made(parts)
        _made(interests)

    def _part(self, chapter: Chapter, one: ff.PartValue) -> Part:
        return Part(
            chapter=chapter,
            character=self.character[one.character],
            member=self.member.get(one.member),
            **_plain(one, "character", "member"),
        )

    def _cast(self, chapter: Chapter, lines: list[ff.CastValue]) -> None:
        rows = _made(
            [
                CastLine(
                    chapter=chapter,
                    taken_by=self.member.get(one.taken_by),
                    character=self.character.get(one.character),
                    **_plain(one, "same_as", "taken_by", "character"),
                )
                for one in lines
            ]
        )
        for one, row in zip(lines, rows, strict=True):
            if one.same_as is not None:
                row.same_as = rows[one.same_as]
                row.save(update_fields=["same_as"])

    def _play(self) -> None:
        """Make scenes, sequences with their games and offers, and what is told."""
        moments, offers = [], []
        for one in self.value.chapters:
            chapter = self.chapter[one.number]
            scenes = _made([Scene(chapter=chapter, **_plain(scene)) for scene in one.scenes])
            games = _made([self._game(sequence.game) for sequence in one.sequences])
            rows = _made(
                [
                    Sequence(
                        chapter=chapter,
                        game=game,
                        actor=self.character[s.actor],
                        scene=None if s.scene is None else scenes[s.scene],
                        earlier=s.game.record,
                        **_plain(s, "game", "actor", "scene", "offers"),
                    )
                    for s, game in zip(one.sequences, games, strict=True)
                ]
            )
            by_number = {row.number: row for row in rows}
            self.sequence |= {(one.number, number): row for number, row in by_number.items()}
            for s in one.sequences:
                offers += [Offer(sequence=by_number[s.number], **_plain(o)) for o in s.offers]
            for place, moment in enumerate(one.moments, 1):
                row = by_number.get(moment.sequence) if moment.sequence else None
                told = {**_plain(moment, "sequence"), "says": str(moment.data.get("says") or "")}
                moments.append(Moment(chapter=chapter, number=place, sequence=row, **told))
        _made(offers)
        _made(moments)

    def _game(self, one: ff.GameValue) -> Game:
        # The scene begins anew here: no phone of this table has seen the earlier one.
        return Game(
            table=self.table,
            rules=SEQUENCE,
            scene=self.table.seq + 1,
            **_plain(one, "record"),
        )

    def owe_list(self) -> None:
        """Make the owe list, with the birth and the end of every entry (WA-81)."""
        names = ("character", "chapter", "sequence", "struck_sequence", "struck_chapter")
        _made(
            [
                Owed(
                    campaign=self.campaign,
                    character=self.character[one.character],
                    chapter=self.chapter.get(one.chapter or 0),
                    sequence=self._named(one.sequence),
                    struck_sequence=self._named(one.struck_sequence),
                    struck_chapter=self.chapter.get(one.struck_chapter or 0),
                    **_plain(one, *names),
                )
                for one in self.value.owed
            ]
        )

    def _named(self, named: tuple[int, int] | None) -> Sequence | None:
        return self.sequence[named] if named else None
