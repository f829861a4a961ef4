"""What a campaign's file must keep to beside its types, so that no screen stumbles over it.

A checksum only shows that nothing was lost on the way: a file made by hand has
one as well. Its figures, its words and its dice are held against the same rules
as a tap.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from campaigns.models import Chapter, Character, Offer, Part
from campaigns.services import file_format as ff
from campaigns.services.offers import WAIVE
from campaigns.services.oracles import OWN
from campaigns.settings import CampaignSettings
from games.errors import Malformed
from games.rules import records
from games.rules import wicked_sequence as ws
from games.rules.wicked_age.forms import NPC_FORMS, PC_FORMS
from games.rules.wicked_age.oracles import Entry, shipped
from games.rules.wicked_age.strengths import Option, Version

FIELD = "file"
LONGEST_MOMENT = 20_000
YEARS = range(1970, 3000)

Step = Chapter.Step
PLAYED = (Step.PLAY, Step.CLOSING, Step.OVER)


class SheetValue(ff.Value):
    """A sheet in a chapter's archive, as `services.sheets.sheet_value` writes it."""

    forms: dict[str, ff.DiceValue]
    strengths: list[SheetStrength]
    state: str
    choice: ChoiceValue | None = None


class SheetStrength(ff.Value):
    """A strength on such a sheet."""

    number: ff.Number
    name: str
    options: list[Option]
    die: ff.Die


class ChoiceValue(ff.Value):
    """What a come-back choice changed, as `services.choices` notes it until play begins."""

    forms: dict[str, ff.DiceValue] = {}
    strength: ff.Number | None = None
    version: dict[str, Any] = {}
    note: str = ""


for _type in (SheetValue, Version, Entry, ws.Term):
    msgspec.json.Decoder(_type)  # learnt now, not by two requests at once; see `games.bouts`


def damaged() -> Malformed:
    """Return the refusal of a file that cannot be what was written once."""
    text = _("That file is damaged: something in it is missing or was changed by hand.")
    return Malformed(text, field=FIELD)


def time_of(text: str | None) -> datetime | None:
    """Return an instant as a file writes it. Raises Malformed for none."""
    if text is None:
        return None
    try:
        read = datetime.fromisoformat(text)
    except ValueError as error:
        raise damaged() from error
    if read.tzinfo is None or read.year not in YEARS:
        raise damaged()
    return read


def check(value: ff.CampaignValue) -> None:
    """Raise Malformed for a file whose parts point to nothing, or that no rules can read."""
    try:
        _Checker(value).campaign()
    except (msgspec.ValidationError, ValueError, KeyError, records.RecordError) as error:
        raise damaged() from error


def _insist(is_so: bool) -> None:
    if not is_so:
        raise damaged()


class _Checker:
    """Knows which numbers there are; each method looks through one part of the file."""

    def __init__(self, value: ff.CampaignValue) -> None:
        self.value = value
        self.members = _distinct(one.number for one in value.members)
        self.characters = {one.number: one for one in value.characters}
        _distinct(one.number for one in value.characters)
        self.strengths = _distinct(one.number for one in value.strengths)
        self.chapters = _distinct(one.number for one in value.chapters)
        self.oracles = {f"{OWN}{number}" for number in _distinct(o.number for o in value.oracles)}

    def campaign(self) -> None:
        """Look through everything."""
        msgspec.convert(self.value.settings, CampaignSettings)
        for oracle in self.value.oracles:
            _insist(bool(msgspec.convert(oracle.entries, list[Entry])))
        for one in self.value.characters:
            self._known(self.members, one.owner, one.lent_to)
            _check_forms(one.kind, one.forms)
        for strength in self.value.strengths:
            _insist(strength.pc_form in PC_FORMS and strength.npc_form in NPC_FORMS)
            _check_version(strength.version)
        for held in self.value.holdings:
            self._known(self.strengths, held.strength)
            self._known(self.characters, held.character)
            _check_version(held.version)
        is_open = [one.step != Step.OVER for one in self.value.chapters]
        _insist(sum(is_open) <= 1)
        for chapter in self.value.chapters:
            self._chapter(chapter)
        self._owe_list()

    def _known(self, known: Iterable[Any], *wanted: Any) -> None:
        _insist(all(one is None or one in known for one in wanted))

    def _owe_list(self) -> None:
        sequences = {(c.number, s.number) for c in self.value.chapters for s in c.sequences}
        for owed in self.value.owed:
            self._known(self.characters, owed.character)
            self._known(self.chapters, owed.chapter, owed.struck_chapter)
            self._known(sequences, owed.sequence, owed.struck_sequence)

    def _chapter(self, one: ff.ChapterValue) -> None:
        self._known(self.members, one.chooser)
        self._known(self.characters, one.returning)
        self._known(self.chapters, one.beside)
        if one.oracle.startswith(OWN):
            _insist(one.oracle in self.oracles)
        elif one.oracle and one.step != Step.OVER:
            _insist(one.oracle in {oracle.id for oracle in shipped("en")})
        self._story_sheet(one)
        playing = _distinct(part.character for part in one.parts)
        for part in one.parts:
            self._part(part, is_set_up=one.step in PLAYED)
        running = _distinct(sequence.number for sequence in one.sequences)
        for sequence in one.sequences:
            self._known(playing, sequence.actor)
            self._known(range(len(one.scenes)), sequence.scene)
            self._sequence(sequence, playing)
            _insist(sequence.is_over or one.step != Step.OVER)
        for moment in one.moments:
            self._known(running, moment.sequence)
            _insist(len(json.dumps(moment.data)) <= LONGEST_MOMENT)

    def _part(self, part: ff.PartValue, *, is_set_up: bool) -> None:
        self._known(self.characters, part.character)
        self._known(self.members, part.member)
        _insist(bool(part.before) or is_set_up or not part.is_returning)
        for sheet in filter(None, (part.before, part.after)):
            read, kind = msgspec.convert(sheet, SheetValue), self.characters[part.character].kind
            _check_forms(kind, read.forms)
            _insist(read.state in Character.State.values)
            if read.choice is not None:
                self._choice(part, read.choice, kind)

    def _choice(self, part: ff.PartValue, choice: ChoiceValue, kind: str) -> None:
        """Insist on what taking the choice back needs (WA-98)."""
        self._known(self.strengths, choice.strength)
        _check_forms(kind, choice.forms)
        if part.come_back == Part.ComeBack.MORE:
            _check_version(choice.version)

    def _story_sheet(self, one: ff.ChapterValue) -> None:
        orders = {element.order for element in one.elements}
        for line in one.cast:
            self._known(self.members, line.taken_by, *line.wanted_by)
            self._known(self.characters, line.character)
            self._known(range(len(one.cast)), line.same_as)
            self._known(orders, *line.elements)
        for interest in one.interests:
            self._known(self.characters, interest.character, *interest.targets)
        for scene in one.scenes:
            self._known(self.characters, *scene.who)

    def _sequence(self, one: ff.SequenceValue, playing: set[int]) -> None:
        """Insist on dice that are this chapter's; those on the table must be as played."""
        msgspec.json.decode(one.game.setup, type=ws.Setup)
        state = msgspec.json.decode(one.game.state, type=ws.State)
        refs = {member.id for member in state.participants}
        _insist(refs <= {f"c{number}" for number in playing})
        self._known(refs, *one.agreed)
        for offer in one.offers:
            self._known(refs, offer.by, offer.winner, offer.loser, *offer.leave)
            _check_offer(offer)
        _insist(one.is_over == (one.game.status != "playing"))
        if one.is_over:
            return
        for member in state.participants:
            sheet = self.characters[int(member.id[1:])]
            _insist(member.kind == sheet.kind and set(member.forms) <= set(sheet.forms))
        _insist(state.phase is not ws.Phase.OVER)
        _insist(records.replay(one.game.record).state == state)


def _distinct(numbers: Iterable[int]) -> set[int]:
    listed = list(numbers)
    _insist(len(set(listed)) == len(listed))
    return set(listed)


def _check_forms(kind: str, forms: dict[str, ff.DiceValue]) -> None:
    """Insist on forms that this kind of character has, an NPC's with two dice each (WA-17)."""
    is_pc = kind == Character.Kind.PC
    _insist(set(forms) <= set(PC_FORMS if is_pc else NPC_FORMS))
    for pair in forms.values():
        for dice in (pair.base, pair.current):
            _insist(isinstance(dice, int) if is_pc else isinstance(dice, list) and len(dice) == 2)


def _check_offer(offer: ff.OfferValue) -> None:
    """Insist on two who talk, and that each term says one thing that is given (WA-70, WA-72)."""
    _insist(offer.winner != offer.loser and offer.by in (offer.winner, offer.loser))
    _insist(offer.state in Offer.State.values)
    for term in (one for one in offer.terms if one != WAIVE):
        said = {name: value for name, value in term.items() if name != "die"}
        msgspec.convert(said, ws.Term)
        _insist(len(said) == 1 and all(said.values()))
        if "form" in said:
            _insist(said["form"] in (*PC_FORMS, *NPC_FORMS))
        if "die" in term:
            _insist("form" in said and bool(msgspec.convert(term["die"], ff.Die)))


def _check_version(version: dict[str, Any]) -> None:
    read = msgspec.convert(version, Version)
    _insist(read.broad_form in ("", *PC_FORMS))
    _insist(read.hits_pc in ("", *PC_FORMS) and read.hits_npc in ("", *NPC_FORMS))
    _insist(Option.BROAD not in read.options or bool(read.broad_form))
