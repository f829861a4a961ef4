"""What only the host's page is given: all sheets, foes with their figures, calls, secrets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from characters.deeds.rolls import SHOWABLE
from characters.models import Call, Character, Encounter, Party
from characters.screens.board import goal_cards, pile_card
from characters.screens.cards import AnswerCard, CallCard, EncounterCard, Referee, SecretCard
from characters.screens.fights import fight_card
from characters.screens.hiring import hirers, masterless, trades
from characters.screens.people import host_card
from characters.sentences import KINDS
from characters.sentences.rolls import table_name
from characters.sentences.words import ability_name
from characters.services import traits
from characters.services.combatants import fighter_id
from characters.services.finding import is_with_party
from characters.services.foe_names import encounter_in_tongue, in_tongue
from characters.settings import KnaveSettings
from characters.snapshot import Evening
from games.asked import Asked
from games.days import day_and_time, today
from games.models import Event, Seat
from games.presence import Connections
from games.rules import knave_fight as kf
from games.rules.knave.creation import STARTING_ROLLS
from games.said import gettext as _
from games.said import ngettext
from games.screens.cards import Choice
from games.sentences import tell
from games.snapshot import Snapshot

SECRETS = 15


def referee_of(now: Snapshot, seat: Seat, connections: Connections) -> Referee:
    """Build the host's own part of a table."""
    evening: Evening = now.more
    once, row = evening.memory.once, evening.memory.row
    return Referee(
        sheets=row(
            host_card(now, evening, c, connections)
            for c in evening.characters
            if c.state != Character.State.DRAFT
        ),
        fight=fight_card(now, evening, for_gm=True),
        encounters=row(once(_encounter, e) for e in evening.encounters),
        can_fight=_can_fight(evening),
        can_camp=evening.game is None,
        sharers=len(_played(evening)),
        calls=tuple(_call(evening, c) for c in evening.calls),
        goals=row(goal_cards(evening, hidden=True)),
        piles=row(pile_card(evening, p) for p in evening.piles),
        secrets=_secrets(now, seat),
        settings=once(_settings, evening.party),
        tables=once(tables),
        hirers=hirers(evening),
        facing=row(once(Choice, c.pk, c.name) for c in evening.characters if _may_face(evening, c)),
        trades=trades(evening),
        masterless=masterless(evening),
    )


def _settings(party: Party) -> KnaveSettings:
    return party.settings


def _encounter(one: Encounter) -> EncounterCard:
    named = ((f, in_tongue(f.get("name") or f["id"])) for f in one.foes)
    foes = tuple(Choice(f["id"], name, _figures(f)) for f, name in named)
    leader = next((f["id"] for f in one.foes if f.get("leader")), "")
    name = encounter_in_tongue(one.name)
    return EncounterCard(one.pk, name, foes, leader, is_running=one.game_id is not None)


def _played(evening: Evening) -> set[int]:
    """Return the living knaves that somebody plays."""
    return {
        one.pk
        for one in evening.characters
        if one.kind == Character.Kind.KNAVE and one.seat_id and one.is_alive
    }


def _may_face(evening: Evening, one: Character) -> bool:
    """Tell whether somebody can be put among the foes: an NPC on their feet, and in no fight."""
    waiting = (e for e in evening.encounters if e.game_id is None)
    waits = any(foe["id"] == fighter_id(one) for e in waiting for foe in e.foes)
    is_free = one.kind == Character.Kind.NPC and one.state == Character.State.UP
    return is_free and not waits and fighter_id(one) not in evening.seen


def _can_fight(evening: Evening) -> bool:
    """Tell whether anybody who would be lined up against foes is on their feet."""
    return any(one.state == Character.State.UP and is_with_party(one) for one in evening.characters)


def _figures(foe: dict[str, Any]) -> str:
    one = msgspec.convert(foe, kf.Combatant)
    text = ngettext(
        "%(hp)s hit point, armor %(defense)s", "%(hp)s hit points, armor %(defense)s", one.max_hp
    )
    return text % {"hp": one.max_hp, "defense": one.armor_defense}


def _call(evening: Evening, call: Call) -> CallCard:
    title = (
        _("A night's rest")
        if call.kind == Call.Kind.NIGHT
        else _("%(ability)s save") % {"ability": ability_name(call.ability)}
    )
    answers = evening.answers.get(call.pk, [])
    cards, missing = [], 0
    for answer in answers:
        one = evening.character(answer.character_id)
        if answer.total is None:
            if one is None or not one.is_alive:
                continue  # the dead answer no more, and nobody waits for them
            missing += 1
        text = "" if answer.total is None else str(answer.total)
        cards.append(
            AnswerCard(
                name=one.name if one else "?",
                is_in=answer.total is not None,
                text=text,
                is_success=None if call.kind == Call.Kind.NIGHT else answer.is_success,
            )
        )
    return CallCard(call.pk, title, call.reason, tuple(cards), missing)


_TOLD = Asked(
    lambda table, seat, seq: (
        Event.objects.filter(table=table, to=seat, seq__lte=seq, play__undone=None, kind__in=KINDS)
        .select_related("play")
        .defer("play__ledger")
        .order_by("-seq")[:SECRETS]
    )
)


def _secrets(now: Snapshot, seat: Seat) -> tuple[SecretCard, ...]:
    """List what only this seat was told, the newest first, without what was taken back."""
    evening: Evening = now.more
    if seat.pk not in evening.told:
        events = tuple(_TOLD(now.table.pk, seat.pk, now.seq))
        evening.told[seat.pk] = events, _bared(now.table.pk, events)
    tonight, (told, bared) = today().isoformat(), evening.told[seat.pk]
    cards = (evening.memory.once(_secret, e, tonight, e.seq in bared) for e in told)
    return evening.memory.row(card for card in cards if card.text)


def _bared(table: int, told: Sequence[Event]) -> frozenset[int]:
    """Return which of these, the newest first, everybody was shown: they are not offered again."""
    if not told:
        return frozenset()
    later = Event.objects.filter(table=table, seq__gt=told[-1].seq, to=None, kind__in=SHOWABLE)
    shown = later.filter(data__has_key="shows").values_list("data", flat=True)
    return frozenset(data["shows"] for data in shown)


def _secret(event: Event, tonight: str, is_bared: bool) -> SecretCard:
    when = event.at.astimezone()
    return SecretCard(
        seq=event.seq,
        text=tell(event.kind, event.data, []),
        at=f"{when:%H:%M}" if when.date().isoformat() == tonight else day_and_time(when),
        may_show=event.kind in SHOWABLE and not is_bared,
        undo=event.seq if event.play.can_undo else None,
    )


def tables() -> tuple[Choice, ...]:
    """Return every table that can be rolled on."""
    keys = ("spell", *traits.KEYS, *dict.fromkeys(STARTING_ROLLS))
    return (
        Choice("reaction", _("Reaction")),
        Choice("name", _("A name")),
        *(Choice(key, table_name(key)) for key in keys),
    )
