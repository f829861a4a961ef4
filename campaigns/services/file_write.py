"""Writing a campaign into a file (see `file_format`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any, TypeVar

import msgspec
from django.db.models import QuerySet
from django.utils import timezone

from campaigns.models import (
    Campaign,
    CastLine,
    Chapter,
    Element,
    Holding,
    Interest,
    Moment,
    Offer,
    Owed,
    OwnOracle,
    Part,
    Scene,
    Sequence,
)
from campaigns.services import file_format as ff
from campaigns.services import file_read
from campaigns.services.oracles import OWN
from campaigns.services.sequence_record import full_record
from campaigns.settings import CampaignSettings
from games.models import Game, Play
from games.models.one_moment import one_moment
from games.models.rows import belonging

OF_MOMENTS = ("chapter_id", "sequence_id", "kind", "data", "at")
V = TypeVar("V", bound=ff.Value)


def file_of(campaign: Campaign, *, with_lines: bool = False) -> bytes:
    """Return a campaign as a file: indented JSON with a checksum.

    `with_lines`: what the table keeps out of its play goes along (WA-4).
    """
    with one_moment():  # people play on meanwhile
        value = value_of(campaign, with_lines=with_lines)
    whole = ff.FileValue(
        what=ff.WHAT,
        format=ff.FORMAT,
        written_at=timezone.now().isoformat(timespec="seconds"),
        checksum=ff.checksum_of(value),
        campaign=msgspec.Raw(msgspec.json.encode(value)),
    )
    # What leaves a house must be small enough to come in again: spaces alone add two thirds.
    dense = msgspec.json.encode(whole)
    file = msgspec.json.format(dense, indent=1)
    return dense if file_read.is_too_large(len(file)) else file


def value_of(campaign: Campaign, *, with_lines: bool = False) -> ff.CampaignValue:
    """Read everything that a campaign is, in the same number of queries however old it is."""
    writer = _Writer(campaign)
    lines = campaign.table.content_lines.all() if with_lines else ()
    return ff.CampaignValue(
        name=campaign.name,
        began_at=_time(campaign.began_at) or "",
        closed_at=_time(campaign.closed_at),
        settings=_settings_of(campaign),
        members=[_plain(ff.MemberValue, one) for one in writer.members],
        characters=[
            _plain(
                ff.CharacterValue,
                one,
                owner=writer.member.get(one.owner_id),
                lent_to=writer.member.get(one.lent_to_id),
            )
            for one in writer.characters
        ],
        strengths=[_plain(ff.StrengthValue, one) for one in writer.strengths],
        holdings=writer.holdings(),
        chapters=[writer.chapter(one) for one in writer.chapters],
        owed=writer.owed(),
        oracles=writer.oracles(),
        content_lines=[_plain(ff.LineValue, one) for one in lines],
    )


def _settings_of(campaign: Campaign) -> dict[str, Any]:
    """Return what is set of what can be: a row may have more, from a file of before."""
    known = CampaignSettings.__struct_fields__
    return {name: value for name, value in campaign.preferences.items() if name in known}


class _Writer:
    """A campaign's rows, read once, with what each is called in the file."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.members = list(campaign.members.all())
        self.characters = list(campaign.characters.all())
        self.strengths = list(campaign.strengths.all())
        self.chapters = list(campaign.chapters.all())
        self.member = _numbers(self.members)
        self.character = _numbers(self.characters)
        self.number = _numbers(self.chapters)
        self.sequences = _by_chapter(Sequence.objects.filter(chapter__campaign=campaign))
        self._give_games()
        self.named = {
            one.pk: (self.number[one.chapter_id], one.number)
            for rows in self.sequences.values()
            for one in rows
        }
        of_campaign = {"chapter__campaign": campaign}
        self.elements = _by_chapter(Element.objects.filter(**of_campaign))
        self.cast = _by_chapter(CastLine.objects.filter(**of_campaign))
        self.parts = _by_chapter(Part.objects.filter(**of_campaign))
        self.interests = _by_chapter(Interest.objects.filter(**of_campaign))
        self.scenes = _by_chapter(Scene.objects.filter(**of_campaign))
        # Nearly all rows of an old campaign are these: no models are made of them.
        moments = Moment.objects.filter(**of_campaign).values_list(*OF_MOMENTS, named=True)
        self.moments = _by_chapter(moments)
        self.plays = _plays_of(campaign)
        self.offers: dict[int, list[Offer]] = defaultdict(list)
        for offer in Offer.objects.filter(sequence__chapter__campaign=campaign):
            self.offers[offer.sequence_id].append(offer)
        self.own = self._own_oracles()

    def _give_games(self) -> None:
        """Let sequences know their games, but not the other way round, as Django would have it.

        What knows each other is kept in memory until rubbish is looked for: ten MB of large ones.
        """
        of_campaign = Game.objects.filter(sequence__chapter__campaign=self.campaign)
        games = of_campaign.in_bulk()
        for rows in self.sequences.values():
            for one in rows:
                belonging([one], game=games[one.game_id])

    def _own_oracles(self) -> dict[str, tuple[int, OwnOracle]]:
        used = list(dict.fromkeys(c.oracle for c in self.chapters if c.oracle.startswith(OWN)))
        rows = {f"{OWN}{row.pk}": row for row in self.campaign.table.oracles.all()}
        found = [name for name in used if name in rows]
        return {name: (place, rows[name]) for place, name in enumerate(found, 1)}

    def holdings(self) -> list[ff.HoldingValue]:
        rows = Holding.objects.filter(character__campaign=self.campaign)
        numbers = _numbers(self.strengths)
        return [
            _plain(
                ff.HoldingValue,
                one,
                strength=numbers[one.strength_id],
                character=self.character[one.character_id],
            )
            for one in rows
        ]

    def oracles(self) -> list[ff.OracleValue]:
        return [_plain(ff.OracleValue, row, number=place) for place, row in self.own.values()]

    def owed(self) -> list[ff.OwedValue]:
        rows = Owed.objects.filter(campaign=self.campaign)
        return [
            _plain(
                ff.OwedValue,
                one,
                character=self.character[one.character_id],
                chapter=self.number.get(one.chapter_id),
                sequence=self.named.get(one.sequence_id),
                struck_sequence=self.named.get(one.struck_sequence_id),
                struck_chapter=self.number.get(one.struck_chapter_id),
            )
            for one in rows
        ]

    def chapter(self, one: Chapter) -> ff.ChapterValue:
        scenes, lines = self.scenes[one.pk], self.cast[one.pk]
        at_scene: dict[int | None, int] = {scene.pk: place for place, scene in enumerate(scenes)}
        at_line: dict[int | None, int] = {line.pk: place for place, line in enumerate(lines)}
        return _plain(
            ff.ChapterValue,
            one,
            oracle=self._oracle(one.oracle),
            chooser=self.member.get(one.chooser_id),
            returning=self.character.get(one.returning_id),
            beside=self.number.get(one.beside_id),
            elements=[_plain(ff.ElementValue, row) for row in self.elements[one.pk]],
            cast=[self._line(row, at_line) for row in lines],
            parts=[self._part(row) for row in self.parts[one.pk]],
            interests=[
                _plain(ff.InterestValue, row, character=self.character[row.character_id])
                for row in self.interests[one.pk]
            ],
            scenes=[self._scene(row) for row in scenes],
            sequences=[self._sequence(row, at_scene) for row in self.sequences[one.pk]],
            moments=[self._moment(row) for row in self.moments[one.pk]],
        )

    def _oracle(self, name: str) -> str:
        """Return what the file calls an oracle; one that was put away has no name there."""
        if not name.startswith(OWN):
            return name
        return f"{OWN}{self.own[name][0]}" if name in self.own else ""

    def _line(self, row: CastLine, at_line: dict[int | None, int]) -> ff.CastValue:
        """Return a line; who wanted it may have gone unnoticed since (`people.newcomers`)."""
        known = set(self.member.values())
        return _plain(
            ff.CastValue,
            row,
            wanted_by=[number for number in row.wanted_by if number in known],
            same_as=at_line.get(row.same_as_id),
            taken_by=self.member.get(row.taken_by_id),
            character=self.character.get(row.character_id),
        )

    def _part(self, row: Part) -> ff.PartValue:
        return _plain(
            ff.PartValue,
            row,
            character=self.character[row.character_id],
            member=self.member.get(row.member_id),
        )

    def _scene(self, row: Scene) -> ff.SceneValue:
        """Return a scene; earlier releases could delete somebody who had been in one."""
        there = set(self.character.values())
        return _plain(ff.SceneValue, row, who=[number for number in row.who if number in there])

    def _sequence(self, row: Sequence, at_scene: dict[int | None, int]) -> ff.SequenceValue:
        record = full_record(row, belonging(self.plays[row.game_id], game=row.game))
        return _plain(
            ff.SequenceValue,
            row,
            actor=self.character[row.actor_id],
            scene=at_scene.get(row.scene_id),
            game=_plain(ff.GameValue, row.game, record=record),
            offers=[_plain(ff.OfferValue, offer) for offer in self.offers[row.pk]],
        )

    def _moment(self, row: Any) -> ff.MomentValue:
        named = self.named.get(row.sequence_id)
        return _plain(ff.MomentValue, row, sequence=named[1] if named else None)


def _numbers(rows: Iterable[Any]) -> dict[int | None, int]:
    return {row.pk: row.number for row in rows}


def _plays_of(campaign: Campaign) -> dict[int, list[Play]]:
    """Return the plays that stand of all of a campaign's fights, by game."""
    standing = Play.objects.filter(game__sequence__chapter__campaign=campaign, undone=None)
    found: dict[int, list[Play]] = defaultdict(list)
    for one in standing.defer("ledger").order_by("id"):
        found[one.game_id or 0].append(one)
    return found


def _by_chapter(rows: QuerySet[Any]) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = defaultdict(list)
    for row in rows:
        found[row.chapter_id].append(row)
    return found


def _plain(kind: type[V], row: Any, **given: Any) -> V:
    """Return a row as a value: its fields of the same names, and those that are given."""
    fields = kind.__struct_fields__
    read = {name: getattr(row, name) for name in fields if name not in given and hasattr(row, name)}
    return kind(**{name: _time(value) for name, value in {**read, **given}.items()})


def _time(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
