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
    Spell,
)
from characters.services import goods
from characters.services.finding import party_of
from games.models import Event, Table
from games.sentences import TELLINGS
from tests.games.party import Party as Evening
from tests.games.party import Person, done

ABILITIES = [6, 5, 4, 3, 2, 1, 6, 6, 2, 4, 4, 4, 3, 6, 6, 5, 5, 1]  # bonuses 4 1 2 4 3 1
HP = 6
GEAR = [10, 14, 5, 6, 1, 2]  # gambeson, helmet, chalk, crowbar, …
SWORD, BOW = 10, 11
TRAITS = list(range(1, 12))
A_KNAVE = [*ABILITIES, HP, *GEAR, SWORD, *TRAITS]


def knave(table: Table, player: Person | None, name: str = "Ash", **figures: Any) -> Character:
    """Put a living knave of eleven slots on the table; without a player it is nobody's."""
    party_of(table)
    seat = player.row if player else None
    given = {"state": "up", "hp": 4, "max_hp": 6, **figures}
    return Character.objects.create(table=table, seat=seat, name=name, **given)


def owns(owner: Character | Pile, key: str, count: int = 1, **more: Any) -> Item:
    """Give somebody, or a pile, a thing off the price list."""
    item = goods.from_article(owner.table, Article.objects.get(key=key), count)
    for field, value in more.items():
        setattr(item, field, value)
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
    answer = evening.ana.does("undo", event=event.seq, sure="true")
    assert answer.status_code in (200, 204), answer.content


def used(character: Character) -> int:
    character.refresh_from_db()
    return goods.numbers_of(character)["slots_used"].value


def armor(character: Character) -> int:
    return goods.numbers_of(character)["armor_defense"].value


def kit(character: Character) -> list[tuple[str, int]]:
    return [(i.said_name, i.count) for i in character.items.all()]


def book_of(character: Character, number: int = 15) -> Item:
    book = goods.spell_book(character.table, Spell.objects.get(number=number))
    book.holder = character
    book.save()
    return book


def article(key: str) -> int:
    return Article.objects.get(key=key).pk


def new(party: Evening, who: Person | None = None, faces: list[int] | None = None) -> Character:
    """Roll a knave for somebody, with these dice."""
    party.dice.fall(*(faces or A_KNAVE))
    done((who or party.ben).does("new_knave"))
    assert party.dice.faces == []
    return Character.objects.latest("pk")


def made(party: Evening, who: Person | None = None, faces: list[int] | None = None) -> Character:
    draft = new(party, who, faces)
    done((who or party.ben).does("confirm_knave", character=draft.pk))
    draft.refresh_from_db()
    return draft


def things_of(character: Character) -> dict[str, int]:
    return {i.article.key: i.count for i in character.items.all() if i.article}
