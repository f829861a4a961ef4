"""What a page of a campaign shows as a plain button is taken, at every place a campaign comes to.

The strolls of `tests.security.test_strolls` begin at a fresh table and hardly come this far. Here
every button that needs nothing typed is pressed once, and each press is taken back.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from django.db import transaction

from games.live import drawing
from tests.campaigns.conftest import SagaAt
from tests.campaigns.saga import BEFORE, Saga
from tests.games.party import Person, dice_fall_by, notice
from tests.security.shown import Shown
from tests.sizes import size

PRESSES = size(3, 1000)  # of somebody's buttons of one kind
PLACES = size(("choose", "deal_three", "between"), tuple(BEFORE))
SAYS_WHAT_TO_DO = {
    "step_back": "says that there are dice on the table",
    "close_scene": "says that there are dice on the table in this scene",
    "mark_character": "one chip of a row is what is so already; says who has dice on the table",
    "mark_interest": "one chip of a row is what is so already",
    "mark_ready": "says what a sheet still lacks",
    "drop_chapter": "says which choice on coming back is taken back first",
    "undo": "asks whether later moves may go back with it",
    "leave_table": "says that somebody else must be the host first",
}


def looks(saga: Saga) -> Iterator[tuple[Person, Shown]]:
    """Open everybody's page: the GM's phone and panel, the players' phones, the tablet."""
    pages = [(saga.erin, "gm/"), (saga.tess, "screen/")]
    for who, page in (*pages, *((who, "") for who in (saga.erin, *saga.players))):
        # What was taken back was never: nothing drawn of it is to be had again.
        drawing.drawing_cache.forget()
        yield who, Shown(who.sees(page))


def taps_of(page: Shown, luck: random.Random) -> Iterator[dict[str, str]]:
    """Fill the plain forms of a page, for their buttons; of many of a kind some, by luck."""
    kinds: dict[str, list[dict[str, str]]] = {}
    for form in page.forms:
        given = {field.name: field.value for field in form.fields}
        if form.is_plain and "hx-post" in form.attributes:
            for name, value in form.buttons:
                tap = {**given, name: value} if name else given
                kinds.setdefault(tap["action"], []).append(tap)
    for kind, taps in kinds.items():
        if kind not in SAYS_WHAT_TO_DO:
            yield from luck.sample(taps, min(PRESSES, len(taps)))


@pytest.mark.parametrize("place", PLACES)
def test_whatever_a_campaigns_pages_show_can_be_pressed(saga_at: SagaAt, place: str, monkeypatch):
    saga = saga_at(place)
    luck = random.Random(place)
    dice_fall_by(luck, monkeypatch)
    dead: Counter[tuple[str, ...]] = Counter()
    pressed = 0
    for who, page in looks(saga):
        for given in taps_of(page, luck):
            pressed += 1
            drawing.drawing_cache.forget()
            with transaction.atomic():
                tap = {**given, "tap": f"press-{pressed}"}
                answer = who.client.post(f"/t/{who.code}/act/", tap, headers={"HX-Request": "true"})
                transaction.set_rollback(True)
            if answer.status_code >= 400:
                dead[who.name, given["action"], notice(answer)[:90]] += 1
    assert dead == {}
    assert pressed > 20
