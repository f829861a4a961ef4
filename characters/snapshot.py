"""Knave at a table, read once for every screen: as many queries, whatever it holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from characters.models import Answer, Call, Character, Encounter, Goal, Item, Party, Pile
from games.bouts import state_of
from games.models import Game, Table
from games.rules import knave_fight as kf

State = Character.State
# The newest graves; all of them are in the graveyard.
GRAVES = 20


@dataclass(frozen=True)
class Evening:
    """What is kept of a table's Knave, at the number of its log."""

    party: Party
    characters: tuple[Character, ...]
    dead: tuple[Character, ...]
    items: dict[int, list[Item]]
    piles: tuple[Pile, ...]
    loot: dict[int, list[Item]]
    game: Game | None
    state: kf.State | None
    encounters: tuple[Encounter, ...]
    calls: tuple[Call, ...]
    answers: dict[int, list[Answer]]
    goals: tuple[Goal, ...]
    graves: int
    hired: dict[int, list[Character]] = field(default_factory=dict)

    def character(self, key: int) -> Character | None:
        return next((c for c in (*self.characters, *self.dead) if c.pk == key), None)

    @property
    def passed_round(self) -> int:
        """Return the round in which the GM has said that the first side is done, or 0."""
        encounter = getattr(self.game, "encounter", None)
        return encounter.passed_round if encounter else 0

    @property
    def view(self) -> kf.View | None:
        """Return what everybody may know of the fight: the only way from its state to a screen."""
        return kf.view(self.state, None) if self.state else None


def load(table: Table) -> Evening:
    """Read everything that Knave's screens of a table show."""
    rows = (
        table.characters.exclude(state=State.GONE)
        .select_related("seat", "employer", "trade")
        .defer("portrait", "notes", "employer__portrait", "employer__notes")
    )
    living = list(rows.exclude(state=State.DEAD))
    dead = list(rows.filter(state=State.DEAD).order_by("-died_at")[:GRAVES])
    items, loot = _things(table, (*living, *dead))
    game = table.games.filter(rules=kf.NAME).select_related("encounter").first()
    running = game if game and game.status == Game.Status.PLAYING else None
    calls = tuple(table.calls.filter(is_open=True))
    answers: dict[int, list[Answer]] = defaultdict(list)
    if calls:
        for answer in Answer.objects.filter(call__in=calls):
            answers[answer.call_id].append(answer)
    hired: dict[int, list[Character]] = defaultdict(list)
    for one in living:
        if one.employer_id:
            hired[one.employer_id].append(one)
    return Evening(
        party=Party.objects.filter(table=table).first() or Party(table=table),
        characters=tuple(living),
        dead=tuple(dead),
        items=items,
        piles=tuple(table.piles.filter(is_open=True).select_related("of").defer("of__portrait")),
        loot=loot,
        game=running,
        state=state_of(running) if running else None,
        encounters=tuple(table.encounters.filter(is_open=True)),
        calls=calls,
        answers=answers,
        goals=tuple(table.goals.all()),
        graves=rows.filter(state=State.DEAD, kind=Character.Kind.KNAVE).count(),
        hired=hired,
    )


def _things(
    table: Table, shown: Iterable[Character]
) -> tuple[dict[int, list[Item]], dict[int, list[Item]]]:
    items: dict[int, list[Item]] = defaultdict(list)
    loot: dict[int, list[Item]] = defaultdict(list)
    keys = [c.pk for c in shown]
    held = table.items.filter(holder__in=keys) | table.items.filter(pile__is_open=True)
    for item in held.select_related("article", "spell"):
        if item.holder_id:
            items[item.holder_id].append(item)
        else:
            loot[item.pile_id or 0].append(item)
    return items, loot
