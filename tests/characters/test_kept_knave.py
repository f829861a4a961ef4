"""Decision 23: what an act of Knave is answered by what is kept is what the database would say."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.conf import settings

from characters.models import Character, Encounter, Item, Party
from characters.services import players
from games.models import Table, acts
from tests.characters.company import ASKED, IN_A_FIGHT, TEARS_DOWN, Company
from tests.games.held import held, meddles
from tests.sizes import size

pytestmark = pytest.mark.skipif(not settings.IS_SQLITE, reason="nothing is kept there")

ACTIONS = size(40, 600)


def writes(luck: random.Random, table: Table) -> None:
    """Write something that a fight reads, past all acts."""
    character = luck.choice(list(Character.objects.filter(table=table)))
    item = luck.choice(list(Item.objects.filter(table=table)))
    number = luck.randint(1, 4)
    choices: list[tuple[Any, str, Any]] = [
        (character, "name", f"Knave {number}"),
        (character, "level", number),
        (item, "quality", number),
        (item, "name", f"Thing {number}"),
        (Party.objects.get(table=table), "turn", number),
        (Encounter.objects.filter(table=table).first(), "passed_round", number),
    ]
    meddles(luck, *luck.choice(choices))


@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_kept_answers_as_the_database_does(company: Company, seed: int):
    luck = random.Random(seed)
    company.fights()
    company.cast.dice.faces = [luck.randint(1, 2) for _n in range(20_000)]
    words = [w for w in ASKED if w not in TEARS_DOWN]
    with held() as one:
        for _action in range(ACTIONS):
            word = luck.choice(sorted(IN_A_FIGHT - TEARS_DOWN) if luck.random() < 0.85 else words)
            who = luck.choice([company.ana, company.ana, company.ben, company.dora])
            who.does(word, **ASKED[word](company))
            if luck.random() < 0.1:
                writes(luck, company.table)
            if acts._here.kept and luck.random() < 0.05:
                acts._here.kept.forget()
    assert one.wrong == []
    assert one.hits > ACTIONS / 4


def test_no_picture_is_kept(company: Company):
    """Decision 23: there is room for so many rows, whose portraits would be most of a gigabyte."""
    Character.objects.filter(table=company.table).update(portrait=b"a picture")
    with held(), acts.acting():
        assert players.knave_of(company.ben.row)
        answers: Any = list(acts._here.kept._answers.values())
    read = [row for a in answers for part in a.parts for _model, _key, row in a.shape.parts(part)]
    assert read
    assert not [name for row in read for name, value in row.items() if isinstance(value, bytes)]
