"""As many as have numbers (BK-1): seventeen round one tablet, and the host with a small phone."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.phones.arriving import begins_for_all, posts, scene, seats_of
from tests.phones.devices import NARROW, SMALL, SPANISH, USUAL, larger
from tests.phones.layout import OVERLAPS, is_whole, of_what_is_seen
from tests.phones.people import Company, Person
from tests.phones.tablet import (
    IS_AT_REST,
    LONG_NAMES,
    SCREENS,
    TANGLES,
    at_every_size,
    reads_from_across,
)

pytestmark = pytest.mark.looks

NAMES = (
    *("Bartolomé Ruiz", "Guillermina Sosa", "Esmeralda Vega", "Fernando Luna", "Guadalupe Cruz"),
    *("Hildegard Roth", "Ifigenia Casas", "Jacqueline Blanc", "Konstantin Rau", "Leopoldina Prat"),
    *("Maximiliano Paz", "Nepomuceno Gil", "Otilia Wagner", "Petronila Soto", "Quirino Herrera"),
    "Rosamunda Pardo",
)
# Which calls lie over a seat of the ring or under somebody's mark, and of which names between the
# calls nothing is read: a name is there with some letters, or left to its mark.
BAD_CALLS = of_what_is_seen("""() => {
  seen('.heard-grid button, .call-row button');
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  const cards = [...document.querySelectorAll('.place-card')];
  const over = [...document.querySelectorAll('.heard-grid button')].filter((call) => cards.some(
    (card) => meet(call.getBoundingClientRect(), card.getBoundingClientRect())));
  const slivers = [...document.querySelectorAll('.heard-grid .who b, .call-row .who b')]
    .filter((name) => name.checkVisibility() && name.clientWidth < 40);
  const marks = [...document.querySelectorAll('.heard-grid .mark')].map((mark) =>
    mark.getBoundingClientRect());
  const under = [...document.querySelectorAll('.heard-grid button')].filter((call) => marks.some(
    (mark) => meet(call.getBoundingClientRect(), mark)));
  return [...over, ...under].map((call) => call.id).concat(slivers.map((name) => name.textContent));
}""")
# Which figure of the ring reaches into the next seat, or has the sign of another's call over it.
INTO_THE_NEXT = of_what_is_seen("""() => seen('.ring-seat').filter((seat) => {
  const next = seat.nextElementSibling?.querySelector('.mark')?.getBoundingClientRect();
  const own = seat.querySelector('.ring-number').getBoundingClientRect();
  const sign = seat.nextElementSibling?.querySelector('.arrow')?.getBoundingClientRect();
  return [next, sign].some((other) => other && other.left > own.left && own.right > other.left + 1
    && other.top < own.bottom && other.bottom > own.top);
}).map((seat) => seat.textContent.trim().split(':')[0])""")
TOLD = ".winner, .headline:not(.flip), .story p, .qr"
# What of the middle is not whole on the screen.
BEYOND = of_what_is_seen("""(what) => seen(`.hub :is(${what})`).filter((one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return top < 0 || bottom > innerHeight;
}).map((one) => one.textContent.trim())""")


def by_mouth(company: Company, players: int, *, heals: bool) -> tuple[Person, Person]:
    """Ana has opened with a 9 that is nobody's; return her, and the shared screen."""
    ana, tess = company.ana(**SPANISH), company.tess(**SPANISH)
    for name in NAMES[: players - 1]:
        posts(ana, "add_player", name=name)
    company.only(ana, tess)
    posts(ana, "configure", setting="shouting", value="mouth")
    posts(ana, "configure", setting="has_nine_sisters", value=str(heals).lower())
    numbers = [number for number in range(2, 20) if number != 9]
    begins_for_all(ana, dict(zip(seats_of(company), numbers, strict=False)))
    ana.rolls(9)
    ana.is_in("shout")
    tess.catches_up()
    return ana, tess


def test_of_eight_all_whom_one_may_choose_are_seen_at_once_on_a_small_phone(
    company: Company,
) -> None:
    """Each had a line for the name and one for both calls: three of seven were seen."""
    ana, _tess = by_mouth(company, 8, heals=False)
    ana.page.set_viewport_size(SMALL)
    rows, panel = (
        ana.sees(where).evaluate("(one) => one.clientHeight")
        for where in (".act .rows", '[data-panel="game"]')
    )
    assert rows <= panel
    assert ana.sees(".act .call-row").count() == 7
    calls = ana.sees(".act .call-button").evaluate_all(
        "(all) => all.map((one) => Math.min(one.offsetHeight, one.offsetWidth))"
    )
    assert min(calls) >= 44


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


@pytest.mark.parametrize("players", [10, 17])
def test_who_shouted_is_tapped_on_a_flat_tablet(company: Company, players: int) -> None:
    """BK-24 by mouth, where a seat's card is turned: no mark lies over the call beside it."""
    _ana, tess = by_mouth(company, players, heals=True)
    tess.page.evaluate("document.documentElement.dataset.flat = 'on'")
    for size in SCREENS[:2]:
        tess.page.set_viewport_size(size)
        tess.page.wait_for_function(IS_AT_REST)
        assert tess.page.evaluate(BAD_CALLS) == [], size


@pytest.mark.parametrize("players", [13, 17])
def test_the_numbers_of_many_are_read_on_a_narrow_phone(company: Company, players: int) -> None:
    """BK-18, BK-10: whose number is whose, and who shouted what, is seen at a glance."""
    ana, _tess = by_mouth(company, players, heals=False)
    posts(ana, "configure", setting="shouting", value="phones")
    first, *others = seats_of(company)[1:]
    for seat, call in ((first, "brave"), *((seat, "knave") for seat in others)):
        posts(ana, "shout", seat=seat, call=call, saw=scene(company))
        ana.is_in("challenge")
    for width in (320, 360, 390):
        ana.page.set_viewport_size({"width": width, "height": 844})
        assert ana.page.evaluate(INTO_THE_NEXT) == [], width


@pytest.mark.parametrize("players", [13, 17])
def test_the_knock_is_in_reach_under_many_on_a_small_phone(company: Company, players: int) -> None:
    """BK-11, by mouth."""
    ana, _tess = by_mouth(company, players, heals=False)
    ana.page.set_viewport_size(NARROW)
    assert ana.page.evaluate(INTO_THE_NEXT) == []
    ana.page.set_viewport_size(SMALL)
    expect(ana.sees(".knock-word")).to_be_in_viewport(ratio=1)
    assert not ana.page.evaluate(OVERLAPS, [".knock-word", "#bar"])


def test_many_are_whole_above_calls_that_wait(company: Company) -> None:
    """BK-10: while a challenger has yet to roll, everybody's fingers are seen whole."""
    ana, ben = company.ana(**SPANISH), company.joined("Ben", **SPANISH)
    for name in NAMES[:14]:
        posts(ana, "add_player", name=name)
    company.only(ana, ben)
    ours, bens, *others = seats_of(company)
    posts(ben, "pick_number", number=3)
    begins_for_all(ana, dict(zip((ours, *others), (2, *range(4, 20)), strict=False)))
    ana.rolls(19)
    posts(ben, "shout", seat=bens, call="knave", saw=scene(company))
    ana.is_in("challenge")
    for size in (USUAL, SMALL):
        ana.page.set_viewport_size(size)
        is_whole(ana.page, "#ring")


@pytest.mark.parametrize("players", [11, 13])
def test_long_names_are_whole_round_a_low_tablet(company: Company, players: int) -> None:
    """Each had half a word left, where seats stand so far apart; and by mouth no call lies over one
    of the wider seats (BK-8)."""
    ana, tess = company.ana(**SPANISH), company.tess(**SPANISH)
    names = (*LONG_NAMES, "Leopoldina von Pratense", "Maximiliano de la Paz", "Nepomuceno Gil de B")
    for name in names[: players - 1]:
        posts(ana, "add_player", name=name)
    company.only(ana, tess)
    tess.page.set_viewport_size(SCREENS[-1])
    posts(ana, "configure", setting="shouting", value="mouth")
    begins_for_all(ana, dict(zip(seats_of(company), range(2, 20), strict=False)))
    ana.rolls(19)
    tess.is_in("shout")
    assert tess.page.evaluate(TANGLES) == []
    assert tess.page.evaluate(BAD_CALLS) == []


@pytest.mark.parametrize("players", [13, 14])
def test_nobody_reaches_into_the_next_round_a_tablet(company: Company, players: int) -> None:
    """BK-5: while numbers are chosen, and when everybody may shout."""
    ana, tess = company.ana(**SPANISH), company.tess(**SPANISH)
    for name in NAMES[: players - 1]:
        posts(ana, "add_player", name=name)
    company.only(ana, tess)
    tess.catches_up()
    assert tess.page.evaluate(TANGLES) == []
    begins_for_all(ana, dict(zip(seats_of(company), range(2, 20), strict=False)))
    ana.rolls(19)
    tess.is_in("shout")
    assert tess.page.evaluate(TANGLES) == []


@pytest.mark.parametrize("players", [3, 6, 17])
def test_who_fell_together_is_whole_on_the_shared_screen(company: Company, players: int) -> None:
    """BK-24: of three winners the first ones and the story were beyond the edges."""
    ana, tess = company.ana(**SPANISH), company.tess(**SPANISH)
    for name in NAMES[: players - 1]:
        posts(ana, "add_player", name=name)
    company.only(ana, tess)
    doom = {"name": "Doom", "cry": "Doom", "number": 10, "on": "both"}
    effects = [{"kind": "lose", "target": "everyone", "amount": 5}]
    posts(ana, "add_house_rule", rule=json.dumps({**doom, "effects": effects}))
    numbers = [number for number in range(2, 20) if number != 10]
    begins_for_all(ana, dict(zip(seats_of(company), numbers, strict=False)))
    ana.rolls(10)
    tess.is_in("over")
    for where in reads_from_across(tess):
        assert tess.page.evaluate(BEYOND, TOLD) == [], where


def test_with_letters_twice_as_large_whose_number_is_whose_and_who_must_roll_is_read(
    company: Company,
) -> None:
    """WCAG 1.4.4: of five players in one row each mark lay over the number beside it, and above
    sleeping calls nothing was left in sight but a die."""
    ana, ben = company.ana(**SPANISH), company.joined("Ben", **SPANISH)
    for name in ("Ben el Zurdo", "Cleo", "Dora Longfellow"):
        posts(ana, "add_player", name=name)
    company.only(ben)
    ours, _bens, third, *others = seats_of(company)
    posts(ben, "pick_number", number=3)
    begins_for_all(ana, dict(zip((third, ours, *others), (13, 17, 10, 18), strict=True)))
    ben.page.set_viewport_size(USUAL)
    larger(ben, 32)
    assert ben.page.evaluate(INTO_THE_NEXT) == []
    expect(ben.sees("#stage .headline")).to_be_in_viewport(ratio=1)
    company.house.dice_fall(5)
    posts(ana, "roll", seat=third)
    ben.is_in("shout")
    posts(ana, "shout", seat=others[0], call="knave")
    ben.is_in("challenge")
    expect(ben.sees("#stage .headline")).to_be_in_viewport(ratio=1)
    company.house.dice_fall(19)
    posts(ana, "roll", seat=others[0])
    ben.catches_up()
    assert ben.page.evaluate(INTO_THE_NEXT) == []
    expect(ben.sees("#stage .headline")).to_be_in_viewport(ratio=1)


def test_on_a_small_phone_a_knock_and_lost_fingers_are_at_hand_among_nine(company: Company) -> None:
    """The look: they lay below the edge, under two rows of hands and what had happened."""
    small = {**SPANISH, "viewport": SMALL}
    people = [company.ana(**small), *(company.joined(name, **small) for name in NAMES[:8])]
    ana, ben, *_others = people
    company.only(ana, ben)
    company.begins(dict(zip(people, (7, 13, 11, 15, 4, 17, 3, 18, 6), strict=True)))
    ana.rolls(5)
    expect(ana.sees("#knock")).to_be_in_viewport(ratio=1)
    assert not ana.page.evaluate(OVERLAPS, ["#knock", "#bar"])
    ben.shouts("brave")
    ben.rolls(3)  # somebody's number: the die is theirs, and a finger goes
    for finger in ("little", "thumb"):
        expect(ben.sees(f"#finger-{finger}")).to_be_in_viewport(ratio=1)
        assert not ben.page.evaluate(OVERLAPS, [f"#finger-{finger}", "#bar"])
    expect(ben.sees(".stage .die")).to_be_in_viewport(ratio=1)
