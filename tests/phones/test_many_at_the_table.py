"""As many as have numbers (BK-1): seventeen round one tablet, and the host with a small phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.phones.arriving import posts, seats_of
from tests.phones.people import Company, Person
from tests.phones.test_for_everyone import NARROW
from tests.phones.test_from_across import TANGLES, at_every_size
from tests.phones.test_nothing_cut import OVERLAPS
from tests.phones.test_small_room import SMALL

pytestmark = pytest.mark.looks

SPANISH: dict[str, Any] = {"locale": "es-ES", "reduced_motion": "reduce"}
NAMES = (
    *("Bartolomé Ruiz", "Guillermina Sosa", "Esmeralda Vega", "Fernando Luna", "Guadalupe Cruz"),
    *("Hildegard Roth", "Ifigenia Casas", "Jacqueline Blanc", "Konstantin Rau", "Leopoldina Prat"),
    *("Maximiliano Paz", "Nepomuceno Gil", "Otilia Wagner", "Petronila Soto", "Quirino Herrera"),
    "Rosamunda Pardo",
)
# Which calls lie over a seat of the ring, and of which names between the calls nothing is read: a
# name is there with some letters, or left to its mark.
BAD_CALLS = """() => {
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  const cards = [...document.querySelectorAll('.place-card')];
  const over = [...document.querySelectorAll('.heard-grid button')].filter((call) => cards.some(
    (card) => meet(call.getBoundingClientRect(), card.getBoundingClientRect())));
  const slivers = [...document.querySelectorAll('.heard-grid .who b, .call-row .who b')]
    .filter((name) => name.checkVisibility() && name.clientWidth < 40);
  return [...over.map((call) => call.id), ...slivers.map((name) => name.textContent)];
}"""
# Which figure of the ring reaches into the next seat.
INTO_THE_NEXT = """() => [...document.querySelectorAll('.ring-seat')].filter((seat) => {
  const next = seat.nextElementSibling?.querySelector('.mark')?.getBoundingClientRect();
  const own = seat.querySelector('.ring-number').getBoundingClientRect();
  return next && next.top < own.bottom && next.left > own.left && own.right > next.left;
}).map((seat) => seat.textContent.trim().split(':')[0])"""


def by_mouth(company: Company, players: int, *, heals: bool) -> tuple[Person, Person]:
    """Ana has opened with a 9 that is nobody's; return her, and the shared screen."""
    ana, tess = company.ana(**SPANISH), company.tess(**SPANISH)
    for name in NAMES[: players - 1]:
        posts(ana, "add_player", name=name)
    company.only(ana, tess)
    posts(ana, "configure", setting="shouting", value="mouth")
    posts(ana, "configure", setting="has_nine_sisters", value=str(heals).lower())
    seats = seats_of(company)
    numbers = [number for number in range(2, 20) if number != 9]
    for seat, number in zip(seats, numbers, strict=False):
        posts(ana, "pick_number", seat=seat, number=number)
    posts(ana, "choose_first", who=seats[0])
    posts(ana, "start_bout")
    ana.rolls(9)
    ana.is_in("shout")
    tess.catches_up()
    return ana, tess


@pytest.mark.parametrize("heals", [False, True])
def test_who_shouted_is_tapped_between_seventeen_seats(company: Company, heals: bool) -> None:
    """BK-8, BK-24 by mouth: each call is in reach and lies over nobody; names are read."""
    ana, tess = by_mouth(company, 17, heals=heals)
    for where in at_every_size(tess.page):
        assert tess.page.evaluate(BAD_CALLS) == [], where
        assert tess.page.evaluate(TANGLES) == [], where
    for width in (320, 360, 390):
        ana.page.set_viewport_size({"width": width, "height": 844})
        assert ana.page.evaluate(BAD_CALLS) == [], width


@pytest.mark.parametrize("players", [13, 17])
def test_the_numbers_of_many_are_read_on_a_narrow_phone(company: Company, players: int) -> None:
    """BK-18: whose number is whose is seen at a glance, and the knock is in reach (BK-11)."""
    ana, _tess = by_mouth(company, players, heals=False)
    ana.page.set_viewport_size(NARROW)
    assert ana.page.evaluate(INTO_THE_NEXT) == []
    ana.page.set_viewport_size(SMALL)
    expect(ana.sees(".knock-word")).to_be_in_viewport(ratio=1)
    assert not ana.page.evaluate(OVERLAPS, [".knock-word", "#bar"])
