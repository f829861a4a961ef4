"""A chapter in a campaign's file: its setup and its scenes by the rules (WA-7 to WA-38)."""

from __future__ import annotations

import json
from collections import defaultdict

from campaigns.models import SET_UP, CastLine, Chapter, Character, Part
from campaigns.services import file_format as ff
from campaigns.services.file_fault import at, hold, insist
from campaigns.services.file_fights import check_fights
from campaigns.services.file_known import Known, distinct, leads
from campaigns.services.file_sheets import check_archived
from campaigns.services.oracles import OWN
from games.rules.wicked_age import interests
from games.rules.wicked_age.cards import CARDS, ELEMENTS
from games.rules.wicked_age.oracles import SHIPPED
from games.rules.words import _
from games.text import folded

LONGEST_MOMENT = 20_000
MOST_ELEMENTS = ELEMENTS + 2
"""A chapter of an earlier release may have been dealt two cards more (WA-7)."""
FARTHEST = 1_000_000
"""No chapter lies so far from the first: each new one is one step on (WA-93)."""
STRANGER = _("somebody there is not in the chapter")
CHOSEN = _("whoever is chosen is chosen by somebody")

Step = Chapter.Step


def check_chapter(one: ff.ChapterValue, known: Known) -> None:
    """Insist on a chapter that can have been set up and played, wherever it is at now."""
    known.members(one.chooser)
    known.characters(one.returning)
    known.chapters(one.beside)
    insist(abs(one.story_order) < FARTHEST)
    insist(one.beside != one.number, _("a chapter lies beside another one"))
    _check_oracle(one, known)
    if one.step != Step.OVER:
        with at(_("the owe list")):
            is_so = distinct(one.declined) <= known.owed
            insist(is_so, _("only somebody who is owed a chapter can decline it"))
    playing = _check_parts(one, known)
    _check_elements(one)
    _check_cast(one, known, playing)
    _check_interests(one, known, playing)
    _check_scenes(one, known)
    check_fights(one, known, playing)
    numbers = {sequence.number for sequence in one.sequences}
    for place, moment in enumerate(one.moments, 1):
        with at(_("moment %(what)s"), place):
            leads(numbers, moment.sequence)
            insist(len(json.dumps(moment.data)) <= LONGEST_MOMENT)


def _check_oracle(one: ff.ChapterValue, known: Known) -> None:
    with at(_("its oracle")):
        if one.oracle.startswith(OWN):
            insist(one.oracle in known.oracles)
        elif one.oracle and one.step != Step.OVER:
            insist(one.oracle in SHIPPED)


# --- who is in it --------------------------------------------------------------------------------
def _check_parts(one: ff.ChapterValue, known: Known) -> set[int]:
    """Return whom the chapter has, each once, and each a player's or the GM's (WA-11, WA-89)."""
    for part in one.parts:
        with at(_("the part of %(what)s"), known.called(part.character)):
            known.characters(part.character)
            known.members(part.member)
            _check_part(part, known, is_set_up=one.step in SET_UP)
    twice = _("nobody is in a chapter twice")
    playing = distinct((part.character for part in one.parts), twice)
    if one.step != Step.OVER:
        players = (part.member for part in one.parts if part.member is not None)
        distinct(players, _("a player has one character in a chapter"))
    if one.returning is not None:
        came = [part for part in one.parts if part.character == one.returning]
        is_so = bool(came) and came[0].is_returning and came[0].member is not None
        with at(_("the part of %(what)s"), known.called(one.returning)):
            insist(is_so, _("a character who comes back is marked so in the chapter"))
    return playing


def _check_part(part: ff.PartValue, known: Known, *, is_set_up: bool) -> None:
    kind = known.character[part.character].kind
    is_pc = kind == Character.Kind.PC
    why = _("a player's character is played by somebody, and an NPC by the GM")
    insist(is_pc == (part.member is not None), why)
    insist(bool(part.before) or is_set_up or not part.is_returning)
    may_choose = is_pc and part.is_returning
    is_chosen = part.come_back != Part.ComeBack.NONE
    insist(may_choose or not is_chosen, _("only a player's character who comes back has a choice"))
    check_archived(part, kind, known)


# --- the story sheet -----------------------------------------------------------------------------
def _check_elements(one: ff.ChapterValue) -> None:
    """Insist on different cards of the deck, one of them picked at the most (WA-7, WA-86)."""
    with at(_("its elements")):
        insist(len(one.elements) <= MOST_ELEMENTS, _("there are four elements, and one card more"))
        distinct((element.order for element in one.elements), _("no two have the same place"))
        cards = [element.card for element in one.elements if element.card]
        distinct(cards, _("no card is dealt twice"))
        is_shipped = one.oracle in SHIPPED
        for card in cards:
            is_number = card.isascii() and card.isdecimal() and card[0] != "0"
            is_so = card in CARDS or (is_number and not is_shipped)
            insist(is_so, _("“%(what)s” names no card"), card)
        picked = sum(element.is_picked for element in one.elements)
        insist(picked <= 1, _("whoever comes back picks one element"))


def _check_cast(one: ff.ChapterValue, known: Known, playing: set[int]) -> None:
    orders = {element.order for element in one.elements}
    if one.step != Step.OVER:
        with at(_("the character list")):
            takers = (line.taken_by for line in one.cast if line.taken_by is not None)
            distinct(takers, _("every player chooses one character"))
    for place, line in enumerate(one.cast):
        with at(_("the character list, “%(what)s”"), line.text):
            known.members(line.taken_by, *line.wanted_by)
            leads(range(len(one.cast)), line.same_as)
            leads(orders, *line.elements)
            insist(line.character in (None, *playing), STRANGER)
            is_taken = line.taken_by is not None
            insist(is_taken == (line.state == CastLine.State.CHOSEN), CHOSEN)
            distinct(line.wanted_by, _("nobody wants a character twice"))
            if line.same_as is not None:
                other = one.cast[line.same_as]
                is_so = line.same_as != place and other.same_as is None
                insist(is_so, _("who is the same as another stands for nobody else"))


# --- interests and scenes ------------------------------------------------------------------------
def _check_interests(one: ff.ChapterValue, known: Known, playing: set[int]) -> None:
    """Insist on what naming one asks for: who, how many, which words, about whom (WA-31)."""
    named: dict[int, list[str]] = defaultdict(list)
    for interest in one.interests:
        with at(_("the interests of %(what)s"), known.called(interest.character)):
            known.characters(interest.character, *interest.targets)
            insist(interest.character in playing, STRANGER)
            own = named[interest.character]
            hold(interests.fault_of(interest.text, len(own) + 1))
            insist(folded(interest.text) not in own, _("the same interest stands there twice"))
            own.append(folded(interest.text))
            about = distinct(interest.targets, _("nobody is tagged twice"))
            insist(about <= playing, STRANGER)
            insist(interest.character not in about, _("an interest is tagged with others"))


def _check_scenes(one: ff.ChapterValue, known: Known) -> None:
    for scene in one.scenes:
        with at(_("the scene “%(what)s”"), scene.where):
            known.characters(*scene.who)
            distinct(scene.who, _("nobody is in a scene twice"))
            insist(
                not (scene.is_current and scene.is_over), _("a scene that is over is not playing")
            )
    playing = sum(scene.is_current for scene in one.scenes)
    with at(_("its scenes")):
        insist(playing <= 1, _("one scene is playing at a time"))
