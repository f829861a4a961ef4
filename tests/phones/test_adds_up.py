"""R13 on the screens themselves: what was pushed adds up to what a page loaded now would show.

People press whatever their pages offer, look at other views, and hold their fingers down while
others act. After a few presses every region of every page is held against the page as served.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.phones import knave, wicked_ready
from tests.phones.arriving import posts
from tests.phones.at_random import adds_up, holds, presses, turns
from tests.phones.people import Company, Person
from tests.security.figures import measured
from tests.sizes import size

EVENINGS, ROUNDS, PRESSES = size((1, 1, 8), (20, 25, 8))


def at_knave(company: Company) -> list[Person]:
    ana = knave.referee(company)
    ben, cleo = company.joined("Ben"), company.joined("Cleo")
    for person in (ben, cleo):
        knave.has_a_knave(person)
    return [ana, ben, cleo]


def in_a_chapter(company: Company) -> list[Person]:
    ana, players = wicked_ready.in_play(company, 2)
    return [ana, *players]


def in_a_bout(company: Company) -> list[Person]:
    return company.bout(Ana=7, Ben=13, Cleo=17)


@pytest.mark.parametrize("evening", range(EVENINGS))
@pytest.mark.parametrize("gather", [in_a_bout, at_knave, in_a_chapter])
def test_whatever_is_pressed_the_screens_show_what_is_there(
    company: Company, gather: Callable[[Company], list[Person]], evening: int
) -> None:
    """R13, in the browser: regions in the page, not bytes on the line."""
    luck = random.Random(evening)
    people = gather(company)
    company.tess()
    company.house.dice_fall()
    company.look()
    pressed = held = 0
    for _round in range(ROUNDS):
        for _press in range(PRESSES):
            if luck.random() < 0.3:
                turns(luck.choice(people), luck)
            if luck.random() < 0.2:
                holds(luck.choice(people), luck)
            pressed += presses(luck.choice(people), luck)
            people[0].page.wait_for_timeout(60)
        held += sum(adds_up(person) for person in company.people)
    assert pressed, "nothing was on offer"
    for what, count in (("presses", pressed), ("regions", held)):
        measured("screens", what, count)


def test_a_region_that_was_missed_is_seen(company: Company) -> None:
    """The control."""
    ana, ben, _cleo = in_a_bout(company)
    company.only(ben)
    company.look()
    company.house.dice_fall(5)
    posts(ana, "roll")
    ben.catches_up()
    ben.page.evaluate("document.querySelector('#act').firstElementChild.remove()")
    with pytest.raises(AssertionError, match="Ben\nact"):
        adds_up(ben, tries=3)
