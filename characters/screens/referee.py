"""What only the GM's page is given: all sheets, foes with their figures, calls, secrets."""

from __future__ import annotations

from django.utils.translation import gettext as _

from characters.models import Call, Character
from characters.screens.board import goal_cards, pile_card
from characters.screens.cards import (
    AnswerCard,
    CallCard,
    Choice,
    EncounterCard,
    Referee,
    SecretCard,
)
from characters.screens.drafts import table_title
from characters.screens.fights import fight_card
from characters.screens.people import host_card
from characters.sentences import KINDS
from characters.sentences.words import ability_name
from characters.services import traits
from characters.snapshot import Evening
from games.models import Seat
from games.presence import Line
from games.sentences import tell
from games.snapshot import Snapshot

SECRETS = 15
MAY_BE_SHOWN = {"dice_rolled", "table_rolled"}
STARTING = (
    "armor",
    "helmets-and-shields",
    "dungeoneering-gear",
    "general-gear-1",
    "general-gear-2",
)


def referee_of(now: Snapshot, seat: Seat, lines: dict[int, Line]) -> Referee:
    """Build the GM's own part of a table."""
    evening: Evening = now.more
    return Referee(
        sheets=tuple(
            host_card(now, evening, c, lines)
            for c in evening.characters
            if c.state != Character.State.DRAFT
        ),
        fight=fight_card(now, evening, for_gm=True),
        encounters=tuple(
            EncounterCard(
                e.pk,
                e.name,
                tuple(Choice(f["id"], f.get("name") or f["id"], _figures(f)) for f in e.foes),
                is_running=e.game_id is not None,
            )
            for e in evening.encounters
        ),
        calls=tuple(_call(evening, c) for c in evening.calls),
        goals=tuple(goal_cards(evening, hidden=True)),
        piles=tuple(pile_card(evening, p) for p in evening.piles),
        secrets=_secrets(now, seat),
        settings=evening.party.settings,
        tables=tables(),
    )


def _figures(foe: dict) -> str:
    defense = (foe.get("armor") or {}).get("defense", 11)
    return _("%(hp)s hit points, armor %(defense)s") % {"hp": foe["max_hp"], "defense": defense}


def _call(evening: Evening, call: Call) -> CallCard:
    title = (
        _("A night's rest")
        if call.kind == Call.Kind.NIGHT
        else _("%(ability)s save") % {"ability": ability_name(call.ability)}
    )
    answers = evening.answers.get(call.pk, [])
    cards = []
    for answer in answers:
        one = evening.character(answer.character_id)
        text = "" if answer.total is None else str(answer.total)
        cards.append(
            AnswerCard(
                name=one.name if one else "?",
                is_in=answer.total is not None,
                text=text,
                is_success=None if call.kind == Call.Kind.NIGHT else answer.is_success,
            )
        )
    missing = sum(a.total is None for a in answers)
    return CallCard(call.pk, title, call.reason, tuple(cards), missing)


def _secrets(now: Snapshot, seat: Seat) -> tuple[SecretCard, ...]:
    """List what only this seat was told, the newest first, without what was taken back."""
    rows = now.table.events.filter(to=seat, seq__lte=now.seq, play__undone=None, kind__in=KINDS)
    found = rows.select_related("play").defer("play__ledger").order_by("-seq")[:SECRETS]
    told = ((e, tell(e.kind, e.data, [])) for e in found)
    return tuple(
        SecretCard(
            seq=e.seq,
            text=text,
            at=e.at.astimezone().strftime("%H:%M"),
            may_show=e.kind in MAY_BE_SHOWN,
            undo=e.seq if e.play.can_undo else None,
        )
        for e, text in told
        if text
    )


def tables() -> tuple[Choice, ...]:
    """Return every table that can be rolled on."""
    return (
        Choice("reaction", _("Reaction")),
        Choice("name", _("A name")),
        Choice("spell", _("A spell")),
        *(Choice(key, traits.title(key)) for key in traits.KEYS),
        *(Choice(key, table_title(key)) for key in STARTING),
    )
