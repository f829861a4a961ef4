"""docs/programs.md: what a program at a Knave table is told that it may do is not refused."""

from __future__ import annotations

import random

import pytest

from games.errors import Refused
from games.services.act import Actor, Tap, act
from tests.characters.company import Company
from tests.characters.told import offers
from tests.characters.wild import FIGHT, PEOPLE, REFEREE, THINGS, Chooser
from tests.games.party import dice_fall_by
from tests.games.tried import refused_to
from tests.sizes import size

DEEDS = size(4, 60)
TRIES = 60  # for one deed: most of what comes to somebody's mind is refused


def does_something(company: Company, luck: random.Random, chooser: Chooser, deed: int) -> None:
    for again in range(TRIES):
        who = luck.choice((company.ana, company.ana, company.ben, company.dora))
        make = luck.choice(luck.choice((THINGS, PEOPLE, REFEREE, FIGHT)))
        try:
            tap = Tap(f"deed-{deed}-{again}")
            act(company.table.pk, Actor(who.seat, who.device.pk), make(chooser), tap)
        except Refused:
            continue
        return


@pytest.mark.parametrize("is_fought", [False, True])
def test_nothing_that_is_told_is_refused_whatever_people_do(
    company: Company, is_fought: bool, monkeypatch: pytest.MonkeyPatch
):
    luck, refused, count = random.Random(f"told {is_fought}"), [], 0
    if is_fought:
        company.fights()
    dice_fall_by(luck, monkeypatch)
    chooser = Chooser(company.table, luck)
    for deed in range(DEEDS):
        tried, no = refused_to((company.ana, company.ben, company.dora), offers)
        count, refused = count + tried, refused + no
        does_something(company, luck, chooser, deed)
    assert refused == []
    assert count > DEEDS
