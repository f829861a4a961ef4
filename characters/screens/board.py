"""Knave's table as everybody may see it: the party, the fight, loot, light and time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from characters.models import Character, Goal, Item, Pile
from characters.screens.cards import Board, GoalCard, PersonCard, PileCard, RollCard, SpellCard
from characters.screens.fights import fight_card, headline
from characters.screens.people import in_fight, person_card
from characters.screens.things import pile_item_card
from characters.sentences import KINDS
from characters.sentences.things import cast_in_two
from characters.services.foe_names import called
from characters.services.purse import COINS, purse_of
from characters.services.turns import acting_side
from characters.snapshot import NOTHING, Evening
from games.grammar import and_list, in_one_sentence, number, stopped_once
from games.models import Event, Seat
from games.presence import Connections
from games.rules import knave_fight as kf
from games.rules.knave.days import Clock
from games.rules.knave.slots import COINS_A_SLOT
from games.said import gettext as _
from games.sentences import tell
from games.snapshot import Snapshot
from games.text import all_set_apart, set_apart

# After so many events one's own roll is old news, and a blow that one took.
STAYS_FOR = 12
# And so is what was rolled before one of these: it would lie over what is to be done now.
BEGINNINGS = {"fight_begun", "RoundBegun"}
FALLS = {"FellUnconscious", "Died", "knave_fell", "knave_died"}
WAKES = {"Woke", "knave_woke"}
CAST = "spell_cast"
MOST_PILES = 20
"""Piles on a phone; what the dead of years have left would fill it, and take long to draw."""
# What a roll may bring about: whoever reads the roll wants to know of it in the same breath.
CONSEQUENCES = {"ArmorWorn", "ArmorBroken", "WeaponWorn", "WeaponBroken", "Fled", *FALLS}
Kind = Character.Kind
State = Character.State


def board_of(now: Snapshot, connections: Connections) -> Board:
    """Build what is public, in the active language."""
    evening: Evening = now.more
    cards = [
        in_fight(evening, person_card(now, evening, c, connections))
        for c in evening.characters
        if c.state != State.DRAFT and not c.is_hidden
    ]
    clock = Clock(evening.party.day, evening.party.turn)
    how = evening.party.settings
    fell, spell = tidings(now)
    by_key = {c.pk: c for c in evening.characters}
    return Board(
        day=clock.day,
        time_word=_(clock.time_of_day),
        turn_text=f"{clock.hour:02}:{clock.minute:02}",
        party=evening.memory.row(
            _in_company(c for c in cards if _is_with_us(evening, c, by_key[c.id]))
        ),
        graves=evening.graves,
        piles=shown_piles(evening),
        goals=tuple(goal_cards(evening, hidden=False)),
        fight=fight_card(now, evening),
        last_roll=last_roll(now),
        fallen=fell,
        spell=spell,
        lights=tuple(f"{set_apart(c.name)}: {c.lights}" for c in cards if c.lights),
        waiting=waiting(evening),
        free=tuple(c for c in cards if c.kind == Kind.KNAVE and by_key[c.id].seat_id is None),
        dice=now.settings.dice,
        players_roll_all=how.players_roll_all,
        shop_open=how.shop_open,
    )


def _is_with_us(evening: Evening, card: PersonCard, one: Character) -> bool:
    """Tell whether somebody is of the party: a played knave, its hirelings, an NPC in sight.

    Who fights against it is not; who has a part in the fight still is, though their player has
    got up.
    """
    fighter = evening.seen.get(card.combatant)
    if fighter is not None and fighter.side is kf.Side.FOES:
        return False
    is_played = one.seat_id is not None or one.employer_id is not None or one.kind == Kind.NPC
    standing = (kf.Status.UP, kf.Status.UNCONSCIOUS)
    return is_played or (fighter is not None and fighter.status in standing)


def _in_company(cards: Iterable[PersonCard]) -> tuple[PersonCard, ...]:
    """Put every hireling after its employer."""
    cards = list(cards)
    ordered = []
    for card in cards:
        if card.employer:
            continue
        ordered += [card, *(h for h in cards if h.employer_id == card.id)]
    return (*ordered, *(c for c in cards if c not in ordered))


def shown_piles(evening: Evening) -> tuple[PileCard, ...]:
    """Return the newest piles that anybody may claim from."""
    shown = [p for p in evening.piles if p.is_shown]
    return evening.memory.row(pile_card(evening, p) for p in shown[:MOST_PILES])


def count_older_piles(evening: Evening) -> int:
    """Return how many more piles than these anybody may claim from."""
    return max(0, sum(p.is_shown for p in evening.piles) - MOST_PILES)


def pile_card(evening: Evening, pile: Pile) -> PileCard:
    """Build a pile with all that lies in it."""
    return evening.memory.once(_pile_card, pile, evening.loot.get(pile.pk, NOTHING))


def _pile_card(pile: Pile, things: list[Item]) -> PileCard:
    name = pile.name or _("On the ground")
    if pile.of_id:
        name = _("What %(name)s carried") % {"name": pile.name}
    metals = [getattr(pile, metal) for metal in COINS]
    coins = sum(metals)
    return PileCard(
        id=pile.pk,
        name=name,
        items=tuple(pile_item_card(i) for i in things),
        purse=purse_of(pile),
        is_shown=pile.is_shown,
        coins=coins,
        most=max(metals),
        is_divisible=len(things) + (coins > 0) > 1 or coins > COINS_A_SLOT,
    )


def goal_cards(evening: Evening, *, hidden: bool) -> Iterable[GoalCard]:
    """Yield the goals that all know of; with `hidden` the referee's own as well."""
    return (evening.memory.once(_goal_card, g) for g in evening.goals if g.is_shown or hidden)


def _goal_card(one: Goal) -> GoalCard:
    return GoalCard(one.pk, one.text, one.worth, one.is_shown, one.done_at is not None)


def waiting(evening: Evening) -> str:
    """Say whom the table waits for, or what the fight waits for."""
    missing = [
        c.name
        for call in evening.calls
        for a in evening.answers.get(call.pk, [])
        if a.total is None
        and (c := evening.character(a.character_id))
        and not c.is_hidden
        # The dead answer no more.
        and c.is_alive
    ]
    if missing:
        names = and_list(list(dict.fromkeys(missing)))
        return _("Waiting for %(names)s to roll") % {"names": names}
    if evening.view is None:
        return ""
    return headline(evening.view, acting_side(evening.view, evening.passed_round))


def last_roll(now: Snapshot) -> RollCard | None:
    """Pick the newest roll of the log that nobody took back."""
    for event in reversed(now.events):
        if _faces(event) and event.play_id not in now.undone:
            return _roll(now, event)
    return None


def tidings(now: Snapshot) -> tuple[str, SpellCard | None]:
    """Return what has happened since the newest roll and without one, so that no roll tells it.

    It is who has fallen or died (KN-16), or which spell was read aloud (KN-25): the newer of them.
    """
    evening: Evening = now.more
    has_woken = False
    for at, event in reversed([*enumerate(now.events)]):
        if event.play_id in now.undone:
            continue
        if _faces(event):
            break
        if event.kind == CAST:
            return "", evening.memory.once(spell_card, event)
        has_woken = has_woken or event.kind in WAKES
        if event.kind in FALLS and not has_woken:
            play = now.of_play(at)
            falls = () if any(map(_faces, play)) else (e for e in play if e.kind in FALLS)
            return " ".join(tell(e.kind, e.data, []) for e in falls), None
    return "", None


def spell_card(event: Event) -> SpellCard:
    """Tell of a spell in two parts, each in the words of the log."""
    told = all_set_apart(event.data)
    return SpellCard(*(stopped_once(in_one_sentence(t, told)) for t in cast_in_two(told)))


def _roll(now: Snapshot, event: Event) -> RollCard:
    evening: Evening = now.more
    came_of = evening.memory.once(_consequences, now.events)
    return evening.memory.once(roll_card, event, *came_of.get(event.play_id, ()))


def _consequences(events: tuple[Event, ...]) -> dict[int, list[Event]]:
    """Return what came of each play's rolls."""
    found: dict[int, list[Event]] = {}
    for event in events:
        if event.kind in CONSEQUENCES:
            found.setdefault(event.play_id, []).append(event)
    return found


def own_roll(now: Snapshot, seat: Seat) -> RollCard | None:
    """Return what this seat rolled last, as long as it and the fight are still where they were."""
    evening: Evening = now.more
    own = events_of(now, seat)
    latest = [e for e in own if e.play_id == own[-1].play_id]
    if not latest or latest[0].play_id in now.undone or now.seq - latest[0].seq > STAYS_FOR:
        return None
    if latest[0].seq < evening.memory.once(_last_beginning, now.events, now.undone):
        return None
    return next((_roll(now, e) for e in latest if _faces(e)), None)


def _last_beginning(events: tuple[Event, ...], undone: frozenset[int]) -> int:
    begun = (e.seq for e in reversed(events) if e.kind in BEGINNINGS and e.play_id not in undone)
    return next(begun, 0)


def events_of(now: Snapshot, seat: Seat) -> list[Event]:
    """Return what a seat has done lately, as far as everybody may know it."""
    evening: Evening = now.more
    return evening.memory.once(_by_seat, now.events).get(seat.pk, [])


def _by_seat(events: tuple[Event, ...]) -> dict[int | None, list[Event]]:
    found: dict[int | None, list[Event]] = {}
    for event in events:
        found.setdefault(event.play.seat_id, []).append(event)
    return found


def roll_card(event: Event, *came_of: Event) -> RollCard:
    """Make a roll of an event: the number that matters, its dice, and what came of it."""
    data = event.data
    faces = _faces(event)
    outcome, word = _outcome(data)
    return RollCard(
        who=_who(data),
        text=tell(event.kind, data, []),
        total=number(data.get("total", sum(faces))),
        faces=faces,
        outcome=outcome,
        outcome_word=word,
        after=" ".join(filter(None, (tell(e.kind, e.data, []) for e in came_of))),
        is_foes=_is_foes(data),
        is_real=bool(data.get("is_real")),
        seq=event.seq,
        kept=_kept(data, faces),
    )


def _kept(data: dict[str, Any], faces: tuple[int, ...]) -> int | None:
    """Return which of two d20s counts (KN-10); nothing where all the dice do."""
    counted = data.get("counted", data.get("natural"))
    return faces.index(counted) if len(faces) > 1 and counted in faces else None


def _outcome(data: dict[str, Any]) -> tuple[str, str]:
    """Say how a roll came out, for whoever rolled: a blow that misses is the defender's success."""
    if "hit" in data and _is_defence(data):
        return ("failure", _("struck")) if data["hit"] else ("success", _("safe"))
    if "hit" in data:
        return ("hit", _("hit")) if data["hit"] else ("miss", _("miss"))
    success = data.get("success")
    if success is None:
        return ("", "")
    return ("success", _("success")) if success else ("failure", _("failure"))


def _is_defence(data: dict[str, Any]) -> bool:
    return data.get("rolled_by") == "defender"


def _is_foes(data: dict[str, Any]) -> bool:
    return bool(data.get("by_foe")) and not _is_defence(data)


def _who(data: dict[str, Any]) -> str:
    role = "on" if _is_defence(data) else "by"
    name = str(data.get(f"{role}_name") or data.get("name") or "")
    return called(data.get(role, ""), name)


def _faces(event: Event) -> tuple[int, ...]:
    if event.kind not in KINDS:
        return ()
    found = event.data.get("faces") or event.data.get("face") or ()
    return tuple(found) if isinstance(found, list | tuple) else (int(found),)
