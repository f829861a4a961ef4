"""Decision 23: what an act of a campaign is answered by what is kept is what the database says."""

from __future__ import annotations

import random
from contextlib import nullcontext
from typing import Any

import pytest
from django.conf import settings

from campaigns.models import Campaign, Character, Member, Owed, Sequence
from games.models import Table, acts
from tests.campaigns.brawl import brawl_of, four
from tests.campaigns.troupe import Troupe
from tests.campaigns.watched import Watched
from tests.games.held import held, meddles
from tests.games.party import Clock, Dice, dice_fall_by, done
from tests.sizes import size

pytestmark = pytest.mark.skipif(not settings.IS_SQLITE, reason="nothing is kept there")

# No longer: at some time those who fight are out for the rest of their chapter.
WALKS, TAPS = size(1, 15), 40


@pytest.fixture
def watched(db: None, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Watched:
    dice_fall_by(random.Random(7), monkeypatch)
    troupe = Troupe(Dice(), clock).gathers()
    done(troupe.erin.does("turn_table", rules="wicked_age"))
    one = Watched(troupe, lambda execute: nullcontext())
    one.brawl = four(brawl_of(troupe))
    return one


def writes(luck: random.Random, table: Table) -> None:
    """Write something that a sequence reads, past all acts."""
    campaign = Campaign.objects.get(table=table, is_in_front=True)
    people = list(Character.objects.filter(campaign=campaign))
    members = list(Member.objects.filter(campaign=campaign))
    said = f"Says {luck.random()}"
    choices: list[tuple[Any, str, Any]] = [
        (luck.choice(people), "description", said),
        (luck.choice(members), "name", said),
        (Sequence.objects.filter(chapter__campaign=campaign).latest("pk"), "act", said),
        (campaign, "name", said),
    ]
    owed = Owed.objects.filter(campaign=campaign).first()
    if owed:
        choices.append((owed, "struck", Owed.Struck.NOT))
    meddles(luck, *luck.choice(choices))


@pytest.mark.parametrize("walk", range(WALKS))
def test_what_is_kept_answers_as_the_database_does(watched: Watched, walk: int):
    luck = random.Random(3 + walk)
    with held() as one:
        for _tap in range(TAPS):
            watched.goes_on(luck)
            if luck.random() < 0.1:
                writes(luck, watched.troupe.table)
            if acts._here.kept and luck.random() < 0.05:
                acts._here.kept.forget()
    assert one.wrong == []
    assert one.hits > TAPS
