"""Knave at a table, read once for every screen, in a number of queries that never grows.

After a commit of this process only what it wrote to is read again (`advance`). What has not changed
stays the same object, by which screens know that nothing has to be drawn anew.
"""

from __future__ import annotations

import copy
import time
import weakref
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypedDict, TypeVar

from django.db.models import F, QuerySet
from msgspec.structs import replace

from characters.models import Answer, Call, Character, Encounter, Goal, Item, Party, Pile
from characters.services.finding import things_of
from characters.services.turns import side_on
from games.asked import Asked
from games.memory import TRUSTED_SECONDS, Memory, same, same_rows
from games.models import Event, Game, Table, rows
from games.rules import knave_fight as kf
from games.services.change import Committed
from games.services.recent import Recent, and_last, recent_at
from games.stored import state_of

State = Character.State
# The newest graves; all of them are in the graveyard.
GRAVES = 20

Items = dict[int, list[Item]]
Fought = TypeVar("Fought", kf.State, kf.View)
NOTHING: list[Any] = []


@dataclass(frozen=True)
class Evening:
    """What is kept of a table's Knave, at the number of its log.

    `memory` has what screens have made of these very rows.
    """

    party: Party
    characters: tuple[Character, ...]
    dead: tuple[Character, ...]
    items: Items
    piles: tuple[Pile, ...]
    loot: Items
    game: Game | None
    state: kf.State | None
    view: kf.View | None
    encounters: tuple[Encounter, ...]
    calls: tuple[Call, ...]
    answers: dict[int, list[Answer]]
    goals: tuple[Goal, ...]
    graves: int
    hired: dict[int, list[Character]]
    # What only one seat was told, by its key, and which of it everybody was shown since: read when
    # the seat's page asks for it.
    told: dict[int, tuple[tuple[Event, ...], frozenset[int]]] = field(
        default_factory=dict, compare=False, repr=False
    )
    recent: Recent = field(default=(), compare=False, repr=False)
    memory: Memory = field(default_factory=Memory, compare=False, repr=False)
    read_at: float = field(default_factory=time.monotonic, compare=False, repr=False)

    def character(self, key: int) -> Character | None:
        return next((c for c in (*self.characters, *self.dead) if c.pk == key), None)

    def items_of(self, one: Character) -> list[Item]:
        """Return what somebody has; the very same list as long as it is the same things."""
        return self.items.get(one.pk, NOTHING)

    def hired_by(self, one: Character) -> list[Character]:
        return self.hired.get(one.pk, NOTHING)

    @property
    def passed_round(self) -> int:
        """Return the round in which the host has said that the first side is done, or 0."""
        encounter = encounter_of(self.game)
        return encounter.passed_round if encounter else 0

    @cached_property
    def acting(self) -> kf.Side | None:
        """Return the side whose turn it is in the running fight (KN-12)."""
        return side_on(self.view, self.passed_round) if self.view else None

    @cached_property
    def seen(self) -> dict[str, kf.Seen]:
        """Return everybody in the running fight as all see them, by their ids there."""
        return {f.id: f for f in self.view.fighters} if self.view else {}


def encounter_of(game: Game | None) -> Encounter | None:
    """Return the encounter that a fight is of, without a query: it was read along."""
    return getattr(game, "encounter", None) if game else None


class _People(TypedDict):
    characters: tuple[Character, ...]
    dead: tuple[Character, ...]
    graves: int
    hired: dict[int, list[Character]]


class _Things(TypedDict):
    items: Items
    loot: Items


class _Fight(TypedDict):
    game: Game | None
    state: kf.State | None
    view: kf.View | None


class _Asks(TypedDict):
    calls: tuple[Call, ...]
    answers: dict[int, list[Answer]]


class _Parts(_People, _Things, _Fight, _Asks):
    party: Party
    piles: tuple[Pile, ...]
    encounters: tuple[Encounter, ...]
    goals: tuple[Goal, ...]


_PARTS = tuple(_Parts.__annotations__)

_latest: weakref.WeakValueDictionary[int, Evening] = weakref.WeakValueDictionary()
"""The evening that this process draws of a table, as long as anybody holds it."""


def load(table: Table) -> Evening:
    """Read everything that Knave's screens of a table show.

    What is no different from what this process has drawn stays the same objects.
    """
    people = _people(table)
    shown = (*people["characters"], *people["dead"])
    parts: _Parts = {
        **people,
        **_things(table, shown),
        **_fight(_game(table)),
        **_asked(table),
        "party": _party(table),
        "piles": _piles(table),
        "encounters": _encounters(table),
        "goals": _goals(table),
    }
    before = _latest.get(table.pk)
    if before is not None:
        kept = {name: _kept(name, new, before) for name, new in parts.items()}
        return Evening(**kept, recent=recent_at(table), memory=Memory(before.memory))
    return _latest.setdefault(table.pk, Evening(**parts, recent=recent_at(table)))


def advance(more: Evening, table: Table, committed: Committed) -> Evening | None:
    """Return the evening after a commit of this process, or None where it has to be read afresh.

    Only what the commit wrote to is read again.
    """
    if time.monotonic() - more.read_at > TRUSTED_SECONDS:
        return None
    parts = _read_again(more, table, committed)
    fresh = {name: getattr(more, name) for name in _PARTS} | parts
    is_undone = "games_undone" in committed.touched
    is_told = is_undone or any(e.to_id or "shows" in e.data for e in committed.events)
    evening = Evening(
        **fresh,
        told={} if is_told else more.told,
        recent=recent_at(table) if is_undone else and_last(more.recent, committed),
        memory=Memory(more.memory),
        read_at=more.read_at,
    )
    _latest[table.pk] = evening
    return evening


_ROWS = {"characters", "dead", "piles", "encounters", "calls", "goals"}
_MAPS = {"items", "loot", "answers", "hired"}


def _kept(name: str, new: Any, more: Evening) -> Any:
    """Return a part with the objects it had before, as far as they have not changed."""
    old = getattr(more, name)
    if name in _ROWS:
        return same_rows(new, old)
    if name in _MAPS:
        kept = {key: same_rows(those, old.get(key, NOTHING)) for key, those in new.items()}
        return same(kept, old)
    if name in ("state", "view"):
        return _same_fight(new, old)
    return same(new, old)


def _same_fight(new: Fought | None, old: Fought | None) -> Fought | None:
    """Return a state or a view with the same fighter objects where they have not changed."""
    if new is None or old is None:
        return new
    before = {f.id: f for f in old.fighters}
    return replace(new, fighters=tuple(same(f, before.get(f.id)) for f in new.fighters))


def _read_again(more: Evening, table: Table, committed: Committed) -> dict[str, Any]:
    """Return the parts that a commit has written to, as they are now."""

    def wrote(*tables: str) -> bool:
        return not committed.touched.isdisjoint(tables)

    parts: dict[str, Any] = {}
    if wrote("characters_character", "games_seat"):
        parts |= _people(table, few=more.graves < GRAVES)
    shown = (*parts.get("characters", more.characters), *parts.get("dead", more.dead))
    if wrote("characters_item", "characters_pile") or _keys(shown) != _keys(
        (*more.characters, *more.dead)
    ):
        parts |= _things(table, shown)
    if wrote("games_game", "characters_encounter"):
        parts |= _fight(_moved(more, table, committed))
    if wrote("characters_call", "characters_answer"):
        parts |= _asked(table)
    readers = {
        "characters_party": ("party", _party),
        "characters_pile": ("piles", _piles),
        "characters_character": ("piles", _piles),  # a pile says whose it was
        "characters_encounter": ("encounters", _encounters),
        "characters_goal": ("goals", _goals),
    }
    parts |= {name: read(table) for key, (name, read) in readers.items() if wrote(key)}
    return {name: _kept(name, new, more) for name, new in parts.items()}


def _keys(people: Iterable[Character]) -> set[int]:
    return {one.pk for one in people}


def _moved(more: Evening, table: Table, committed: Committed) -> Game | None:
    """Return the fight's row after a commit: the one that was written, where it was that one."""
    game, before = committed.game, more.game
    is_alone = {"characters_encounter", "games_undone"}.isdisjoint(committed.touched)
    if game is None or before is None or game.pk != before.pk or not is_alone:
        return _game(table)
    # A copy: what is read along for screens must not hang on the writer's row.
    moved = copy.copy(game)
    moved._state.fields_cache = {"encounter": encounter_of(before)}
    return moved if moved.status == Game.Status.PLAYING else None


_GAMES = Asked(
    lambda table: Game.objects.filter(table=table, rules=kf.NAME).select_related("encounter")[:1]
)


def _game(table: Table) -> Game | None:
    """Return the fight that is being fought, with its encounter, or None."""
    game = _GAMES.first(table.pk)
    return game if game and game.status == Game.Status.PLAYING else None


def _fight(game: Game | None) -> _Fight:
    state = state_of(game) if game else None
    # The only way from a fight's state to what everybody may know of it.
    return {"game": game, "state": state, "view": kf.view(state, None) if state else None}


def _everybody(table: int) -> QuerySet[Character]:
    there = Character.objects.filter(table=table).exclude(state=State.GONE)
    return there.select_related("seat", "employer__seat", "trade").defer(
        "portrait", "notes", "employer__portrait", "employer__notes"
    )


def _buried(table: int) -> QuerySet[Character]:
    dead = _everybody(table).filter(state=State.DEAD)
    return dead.order_by(F("died_at").desc(nulls_last=True), "-pk")


_EVERYBODY = Asked(_everybody)
_LIVING = Asked(lambda table: _everybody(table).exclude(state=State.DEAD))
_BURIED = Asked(lambda table: _buried(table)[:GRAVES])


def _people(table: Table, *, few: bool = False) -> _People:
    """Read everybody; `few` graves are read along with the living, in one query."""
    if few:
        everybody = _EVERYBODY(table.pk)
        living = tuple(c for c in everybody if c.state != State.DEAD)
        fallen = [c for c in everybody if c.state == State.DEAD]
        dead = sorted(fallen, key=lambda c: (c.died_at is not None, c.died_at, c.pk), reverse=True)
        graves = sum(c.kind == Character.Kind.KNAVE for c in dead)
    else:
        living, dead = tuple(_LIVING(table.pk)), _BURIED(table.pk)
        graves = rows.count(
            Character, table_id=table.pk, state=State.DEAD, kind=Character.Kind.KNAVE
        )
    hired: dict[int, list[Character]] = defaultdict(list)
    for one in living:
        if one.employer_id:
            hired[one.employer_id].append(one)
    return {
        "characters": living,
        "dead": tuple(dead[:GRAVES]),
        "graves": graves,
        "hired": dict(hired),
    }


MOST_REACHED = 12
"""Goals that were reached, on the list; a campaign of years would fill every phone with them."""

_PARTIES = Asked(lambda table: Party.objects.filter(table=table))
_GOALS = Asked(lambda table: Goal.objects.filter(table=table))
_ENCOUNTERS = Asked(lambda table: Encounter.objects.filter(table=table, is_open=True))
_PILES = Asked(
    lambda table: (
        Pile.objects.filter(table=table, is_open=True)
        .select_related("of")
        .defer("of__portrait", "of__notes")
    )
)
_CALLS = Asked(lambda table: Call.objects.filter(table=table, is_open=True))
_ANSWERS = Asked(lambda table: Answer.objects.filter(call__table=table, call__is_open=True))
_THINGS = Asked(lambda table: things_of(table).select_related("article", "spell"))


def _party(table: Table) -> Party:
    return _PARTIES.first(table.pk) or Party(table_id=table.pk)


def _goals(table: Table) -> tuple[Goal, ...]:
    """Return the goals on the list; of those that were reached the last ones are."""
    goals = tuple(_GOALS(table.pk))
    reached = sorted((goal.done_at, goal.pk) for goal in goals if goal.done_at)
    past = {key for _at, key in reached[:-MOST_REACHED]}
    return tuple(goal for goal in goals if goal.pk not in past)


def _piles(table: Table) -> tuple[Pile, ...]:
    return tuple(_PILES(table.pk))


def _encounters(table: Table) -> tuple[Encounter, ...]:
    return tuple(_ENCOUNTERS(table.pk))


def _asked(table: Table) -> _Asks:
    calls = tuple(_CALLS(table.pk))
    answers: dict[int, list[Answer]] = defaultdict(list)
    for answer in _ANSWERS(table.pk) if calls else ():
        answers[answer.call_id].append(answer)
    return {"calls": calls, "answers": dict(answers)}


def _things(table: Table, shown: Iterable[Character]) -> _Things:
    items: Items = defaultdict(list)
    loot: Items = defaultdict(list)
    keys = _keys(shown)
    for item in _THINGS(table.pk):
        if item.holder_id is None:
            loot[item.pile_id or 0].append(item)
        elif item.holder_id in keys:
            items[item.holder_id].append(item)
    return {"items": dict(items), "loot": dict(loot)}
