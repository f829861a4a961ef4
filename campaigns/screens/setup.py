"""The guided setup of a chapter, as everybody sees it."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

from django.utils import translation

from campaigns.models import CHOOSING, Chapter, Character
from campaigns.screens.cards import OracleCard, SetupCard, StepCard
from campaigns.screens.hints import players_counted, players_fault, players_hint
from campaigns.screens.people import label_of, who_comes_back
from campaigns.screens.steps import on_label, step_text, step_title, text_on_return, title_now
from campaigns.services.oracles import OWN, all_oracles, oracle_of
from campaigns.services.steps import (
    MOST_ELEMENTS,
    elements_needed,
    fault_of_step,
    is_waited_for,
    preceding,
    steps_of,
)
from campaigns.snapshot import Tale
from campaigns.words import card_name
from games.errors import NotFound
from games.grammar import drawn_together
from games.models import ContentLine, Seat, Table
from games.rules.wicked_age.entries import Entry
from games.rules.wicked_age.interests import NEEDED
from games.rules.wicked_age.oracles import LANGUAGES
from games.said import gettext as _
from games.screens.cards import Choice
from games.snapshot import Snapshot

Step = Chapter.Step
Line = ContentLine.Kind


def setup_card(now: Snapshot, tale: Tale) -> SetupCard:
    """Build the setup; it is worked out once for all who read the same language."""
    count = players_counted(now, tale)
    return tale.memory.known(
        "setup_card", lambda: _setup_card(now, tale, count), tale.ground, count
    )


def _setup_card(now: Snapshot, tale: Tale, count: int) -> SetupCard:
    chapter = tale.chapter
    assert chapter
    top = who_comes_back(tale) if chapter.step == Step.COMING_BACK else None
    dead = {o.pk for o in tale.owed if o.character.state == Character.State.DEAD}
    refusal, spoken = fault_of_step(chapter) or "", foreign(now.table, chapter)
    return SetupCard(
        step=chapter.step,
        title=title_now(tale),
        text=_text(tale, chapter),
        steps=_steps(chapter),
        refusal=refusal,
        waits=_waits(chapter, refusal),
        on_label=on_label(chapter.step),
        back_label=_back(chapter),
        oracles=_oracles(now) if chapter.step == Step.ORACLE else (),
        entries=_entries(now, chapter) if chapter.step == Step.PICK else (),
        words_in=_words_in(spoken, now.table.language),
        entries_in=spoken,
        top=top,
        top_is_dead=top is not None and top.id in dead,
        cards_needed=elements_needed(chapter) if chapter.step == Step.DEAL else 0,
        may_add_card=_may_add_card(now, tale, chapter),
        turn=turn_to_name(tale),
        players_hint=players_hint(count, tale),
        players_fault=players_fault(count, tale),
        stays_out=tuple(one.text for one in tale.content_lines if one.kind == Line.LINE),
        off_screen=tuple(one.text for one in tale.content_lines if one.kind == Line.VEIL),
    )


def _text(tale: Tale, chapter: Chapter) -> str:
    part = tale.part_of(chapter.returning_id) if chapter.returning_id else None
    if part is None or part.member is None:
        return step_text(chapter.step)
    told = text_on_return(chapter.step, part.member.name, label_of(part.character))
    return told or step_text(chapter.step)


def _waits(chapter: Chapter, refusal: str) -> str:
    """Say on the shared screen whom the table waits for, or that somebody can go on now."""
    if refusal or not on_label(chapter.step):
        return refusal
    if chapter.step == Step.INTERESTS:
        return _("Every interest is named: the GM begins to play.")
    return _("Anybody can go on from their phone: %(step)s.") % {"step": on_label(chapter.step)}


def _may_add_card(now: Snapshot, tale: Tale, chapter: Chapter) -> bool:
    """Tell whether one card more can be dealt (WA-7).

    An oracle of a table's own may have no more entries, or have stayed at another table.
    """
    if chapter.step not in CHOOSING or len(tale.elements) >= MOST_ELEMENTS:
        return False
    dealt = sum(bool(one.card) for one in tale.elements)
    with suppress(NotFound):
        return dealt < len(oracle_of(now.table, chapter.oracle).entries)
    return False


def _steps(chapter: Chapter) -> tuple[StepCard, ...]:
    steps = [step for step in steps_of(chapter) if step != Step.PLAY]
    at = steps.index(chapter.step) if chapter.step in steps else len(steps)
    return tuple(
        StepCard(step, step_title(step), "done" if i < at else "now" if i == at else "next")
        for i, step in enumerate(steps)
    )


def _back(chapter: Chapter) -> str:
    before = preceding(chapter)
    return _("Back: %(step)s") % {"step": step_title(before)} if before else ""


def _oracles(now: Snapshot) -> tuple[OracleCard, ...]:
    language = translation.get_language() or now.table.language
    return tuple(
        OracleCard(o.id, o.title, o.blurb, len(o.entries), is_own=o.id.startswith(OWN))
        for o in all_oracles(now.table, language)
    )


def _entries(now: Snapshot, chapter: Chapter) -> tuple[Choice, ...]:
    """List what the returning player may pick an element from (WA-86).

    An oracle of the table's own may have been put away, where the beginning of play is taken back.
    """
    with suppress(NotFound):
        return tuple(map(_entry, enumerate(oracle_of(now.table, chapter.oracle).entries, 1)))
    return ()


def _entry(found: tuple[int, Entry]) -> Choice:
    place, one = found
    return Choice(place, one.text, card_name(one.card) or str(place))


def foreign(table: Table, chapter: Chapter) -> str:
    """Return the language of a shipped oracle, where that is not the reader's; else nothing."""
    spoken = table.language if table.language in LANGUAGES else LANGUAGES[0]
    is_shipped = bool(chapter.oracle) and not chapter.oracle.startswith(OWN)
    return spoken if is_shipped and spoken != translation.get_language() else ""


def _words_in(spoken: str, opened_in: str) -> str:
    """Say why the oracle does not speak the reader's language: all read the same words aloud."""
    if spoken and spoken != opened_in:
        return _("No oracle speaks the language of this table: they speak English to everybody.")
    return {
        "": "",
        "en": _("The table was opened in English: its oracle speaks English to everybody."),
        "es": _("The table was opened in Spanish: its oracle speaks Spanish to everybody."),
    }[spoken]


def turn_to_name(tale: Tale, seat: Seat | None = None) -> str:
    """Say whose turn it is to name an interest (WA-30, WA-31), to whoever holds a seat as "you".

    The GM names two for one of hers; then it goes round the table, or as soon as
    a player was quicker. Nothing where no turn is anybody's.
    """
    if tale.chapter is None or tale.chapter.step != Step.INTERESTS:
        return ""
    counts = Counter(one.character_id for one in tale.interests)
    npcs = [c for c in tale.characters.values() if not c.is_pc]
    first = max(npcs, key=lambda c: counts[c.pk], default=None)
    is_gm = seat is not None and seat.is_gm
    if first is not None and not counts[first.pk]:
        if is_gm:
            return _("You begin, with one of the strongest NPCs.")
        return _("The GM begins, with one of the strongest NPCs.")
    if first is not None and counts.total() == counts[first.pk] == 1:
        if is_gm:
            return _about(first, _("You go on: what else would be best for %(name)s?"))
        return _about(first, _("The GM goes on: what else would be best for %(name)s?"))
    played = (p for p in tale.parts if p.character.is_pc and is_waited_for(p))
    pcs = [p for p in played if counts[p.character_id] < NEEDED["pc"]]
    if not pcs:
        return ""
    following = min(pcs, key=lambda p: (counts[p.character_id], p.pk))
    player = following.member
    if seat is not None and player and player.seat_id == seat.pk:
        return _about(following.character, _("Your turn: what would be best for %(name)s?"))
    text = _("%(player)s's turn: what would be best for %(name)s?")
    return _about(following.character, text, player=player.name if player else "")


def _about(one: Character, text: str, **gaps: str) -> str:
    """Fill in a sentence about somebody who may have no name yet."""
    given = {"name": label_of(one), **gaps}
    return drawn_together(text % given, given)
