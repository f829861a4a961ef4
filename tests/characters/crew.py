"""Knaves at Ana's table, as tests tell of them, and what is kept of them all."""

from __future__ import annotations

import json
from typing import Any

from django.utils import translation

from characters.models import (
    Answer,
    Article,
    Call,
    Character,
    Encounter,
    Goal,
    Item,
    Monster,
    Party,
    Pile,
)
from characters.sentences import loot, making, sheets, things
from characters.services import goods
from characters.services.hand import party_of
from games.models import Event, Table
from tests.games.party import Party as Evening
from tests.games.party import Person, done

TELLINGS = {**making.TELLINGS, **sheets.TELLINGS, **things.TELLINGS, **loot.TELLINGS}


def knave(table: Table, player: Person | None, name: str = "Ash", **figures: Any) -> Character:
    """Put a living knave of eleven slots on the table; without a player it is nobody's."""
    party_of(table)
    seat = player.row if player else None
    given = {"state": "up", "hp": 4, "max_hp": 6, **figures}
    return Character.objects.create(table=table, seat=seat, name=name, **given)


def owns(owner: Character | Pile, key: str, count: int = 1, **more: Any) -> Item:
    """Give somebody, or a pile, a thing off the price list."""
    item = goods.from_article(owner.table, Article.objects.get(key=key), count, **more)
    item.holder, item.pile = (None, owner) if isinstance(owner, Pile) else (owner, None)
    item.position = owner.items.count() + 1
    item.save()
    return item


def plays_by(table: Table, **settings: Any) -> None:
    """Set how the table plays Knave."""
    party = party_of(table)
    party.preferences = {**party.preferences, **settings}
    party.save()


def kept() -> dict[str, list[str]]:
    """Return every row of Knave's, to show what an undo sets back."""
    models = (Character, Item, Pile, Party, Call, Answer, Goal, Encounter)
    return {
        model.__name__: sorted(json.dumps(row, default=str) for row in model.objects.values())
        for model in models
    }


def fights(evening: Evening) -> None:
    """Begin a fight of the party against a giant rat."""
    rat = Monster.objects.get(key="rat-giant")
    done(evening.ana.does("prepare_encounter", name="Cellar"))
    pit = Encounter.objects.latest("pk")
    done(evening.ana.does("add_foes", encounter=pit.pk, monster=rat.pk))
    done(evening.ana.does("start_fight", encounter=pit.pk))


def last(evening: Evening, kind: str) -> Event:
    """Return the newest event of a kind."""
    found = evening.events(kind)
    assert found, [e.kind for e in evening.events()]
    return found[-1]


def told(event: Event, language: str = "en") -> str:
    """Return an event's sentence in a language."""
    with translation.override(language):
        return TELLINGS[event.kind](event.data, [])


def takes_back(evening: Evening, event: Event) -> None:
    """Let the host take an event back."""
    answer = evening.ana.does("undo", event=event.seq)
    assert answer.status_code in (200, 204), answer.content
