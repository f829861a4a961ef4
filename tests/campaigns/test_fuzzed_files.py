"""S1: a campaign's file changed in any field is refused in words, or is a campaign that plays on.

Whatever comes in, every page of every seat opens, it leaves as a file again, and taps are taken or
refused. TAPROOM_SEED sets another luck; in full size `make fuzz` changes many more.
"""

from __future__ import annotations

import os
import random
from typing import Any

import msgspec
import pytest
from django.http import HttpResponse

from campaigns.models import Campaign
from campaigns.services.file_read import read_file
from campaigns.services.file_write import file_of, value_of
from games.errors import Refused
from games.services.act import Actor, Tap, act
from tests.campaigns.conftest import SagaAt
from tests.campaigns.parcel import Plain, brings, sealed
from tests.campaigns.saga import Saga
from tests.campaigns.spoiling import Spoiler
from tests.campaigns.wild import Wild
from tests.games.party import dice_fall_by, notice
from tests.security.figures import measured
from tests.sizes import IS_FULL, size

SEED = os.environ.get("TAPROOM_SEED", "1")
FILES = int(os.environ.get("TAPROOM_FILES", str(size(2, 60))))
TAPS = 4
PLACES = ("choose", "sheets", "offer", "between", "closing", "back")


def pages_of(campaign: Campaign) -> list[str]:
    """Return the addresses of all pages that show a campaign in front."""
    pages = ["", "people/", "owed/", "book/?all=1", "search/?q=e", "markdown/", "file/?lines=1"]
    for chapter in campaign.chapters.all():
        pages += [f"{chapter.number}/", f"{chapter.number}/tell/"]
        fights = chapter.sequences.values_list("number", flat=True)
        pages += [f"{chapter.number}/fight/{number}/" for number in fights]
    pages += [f"people/{one.number}/" for one in campaign.characters.all()]
    sheets = [f"character/{one.number}/" for one in campaign.characters.all()]
    others = ["chapter/print/", "oracles/", *sheets]
    return [*others, *(f"campaign/{page}" for page in pages)]


def opens(saga: Saga, campaign: Campaign, done: Any) -> None:
    """Open everything for everybody: an exception goes up, as it would be a 500."""
    code = saga.table.code
    for person in (saga.erin, saga.amy, saga.tess):
        pages = ["", "gm/", *(pages_of(campaign) if person is not saga.tess else ())]
        for page in pages:
            try:
                answer = person.client.get(f"/t/{code}/{page}")
            except Exception as error:
                raise AssertionError((page, done)) from error
            assert answer.status_code in (200, 302, 403, 404), (page, answer.status_code, done)


def plays_on(saga: Saga, luck: random.Random) -> list[str]:
    """Tap whatever comes to somebody's mind; what is not taken is refused. Return what was."""
    wild, taken = Wild(saga.table, luck), []
    for _tap in range(TAPS):
        person = luck.choice((saga.erin, saga.erin, saga.amy, saga.tom))
        actor, action = Actor(person.seat, person.device.pk), wild.action()
        try:
            act(saga.table.pk, actor, action, Tap(f"f{luck.random()}"))
        except Refused:
            continue
        taken.append(str(action))
    return taken


@pytest.mark.parametrize("place", size(PLACES[::2], PLACES))
def test_a_file_changed_anywhere_is_refused_or_plays(
    saga_at: SagaAt, place: str, monkeypatch: pytest.MonkeyPatch
):
    saga, luck = saga_at(place), random.Random(f"spoilt {SEED} {place}")
    dice_fall_by(luck, monkeypatch)
    plain: Plain = msgspec.to_builtins(value_of(saga.campaign))
    first = saga.campaign
    for number in range(FILES):
        spoiler = Spoiler(plain, luck)
        # The first is as it was written: it must come in, and every page is asked at least once.
        data = sealed(spoiler.spoil(luck.choice((1, 1, 2, 3)) if number else 0))
        answer: HttpResponse = brings(saga.erin, data, tap=f"spoilt-{number}")
        assert answer.status_code in (302, 422), (answer.status_code, spoiler.done)
        assert number or answer.status_code == 302
        if answer.status_code == 422:
            assert "file" in notice(answer), spoiler.done
            continue
        made = saga.campaign
        if number or IS_FULL:  # as it was written it is opened once it has been played with
            opens(saga, made, spoiler.done)
        read_file(file_of(made))
        spoiler.done += plays_on(saga, luck)
        opens(saga, saga.campaign, spoiler.done)
        Campaign.objects.filter(table=saga.table).exclude(pk=first.pk).delete()
        Campaign.objects.filter(pk=first.pk).update(is_in_front=True)
    measured("S1", "files changed", FILES)
