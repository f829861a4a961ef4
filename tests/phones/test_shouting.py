"""Fair shouting: what counts is the press, not the network (BK-8 to BK-10)."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests.phones.arriving import posts
from tests.phones.layout import of_what_is_seen
from tests.phones.people import Company, Person
from tests.phones.slow_lines import they_press

# What is said in the middle of the tablet and lies over somebody's hand.
ON_A_HAND = of_what_is_seen("""() => {
  const hands = seen('.place-card').map((card) => card.getBoundingClientRect());
  const words = seen('.hub :is(.headline, .moment, .whose, .shouts, button)');
  return words.filter((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const box = range.getBoundingClientRect();
    return hands.some((hand) => box.left < hand.right && box.right > hand.left
      && box.top < hand.bottom && box.bottom > hand.top);
  }).map((one) => one.textContent.trim());
}""")


def marks(person: Person) -> list[str]:
    """The shouts on the ruler, first to last: "Ben BRAVE first"."""
    rows = person.sees("#ruler .shout-mark")
    return sorted((" ".join(text.split()) for text in rows.all_inner_texts()), key=plus)


def plus(mark: str) -> float:
    found = re.search(r"\+(\d+\.\d\d) s|first$", mark)
    assert found, mark
    return float(found.group(1) or 0)


def test_a_slow_line_is_not_a_slow_hand(company: Company) -> None:
    """BK-9: the earlier press wins although it arrives later; all see both on the ruler."""
    ana, ben, cleo = company.bout({"Ben": 250}, Ana=7, Ben=13, Cleo=17)
    ben.has_a_clock()
    cleo.has_a_clock()
    ana.rolls(5)
    company.catch_up()

    they_press({ben: ("shout-brave", 0), cleo: ("shout-knave", 180)})
    ana.is_in("challenge")

    ana.reads("Ben must roll higher than 5")
    timing = shouts(company)
    apart = (timing["Cleo"]["used_ms"] - timing["Ben"]["used_ms"]) / 1000
    assert apart > 0.12
    for person in (ana, cleo):
        person.catches_up()
        first, second = marks(person)
        assert first.startswith("Ben")
        assert second.startswith("Cleo")
        assert abs(plus(second) - apart) < 0.011, "the ruler tells what counted"
    assert timing["Ben"]["arrived_ms"] > timing["Cleo"]["arrived_ms"]
    assert timing["Ben"]["used_ms"] == timing["Ben"]["claimed_ms"]


# The house's clock was set by five seconds: the next pong says so, after quicker ones from before.
STEPPED = """async () => {
  const { learnClock } = await import(document.querySelector('script[src*="/clock."]').src);
  learnClock({ pong: performance.now() - 100, now: Date.now() + 5000 - 50 });
  const [elt, parameters] = [document.querySelector('form[data-press]'), new FormData()];
  const detail = { elt, parameters };
  document.dispatchEvent(new CustomEvent('htmx:configRequest', { detail }));
  return Number(parameters.get('pressed')) - Date.now();
}"""


def test_a_phone_learns_of_a_clock_that_was_set_with_the_next_beat(company: Company) -> None:
    """BK-9, R10: for a minute presses counted from their arrival: a slow line was a slow hand."""
    _ana, ben = company.bout(Ana=7, Ben=13)
    company.only(ben)
    ben.has_a_clock()
    assert abs(ben.page.evaluate(STEPPED) - 5000) < 200


def test_a_claim_beyond_the_measured_delay_counts_from_its_arrival(company: Company) -> None:
    """BK-9: a phone with a good line can't say that it was pressed long ago."""
    ana, ben, cleo, dora = company.bout({"Dora": 250}, Ana=7, Ben=13, Cleo=17, Dora=2)
    dora.has_a_clock()  # her line keeps the shouting open long enough for a late arrival
    ben.has_a_clock()
    cleo.has_a_clock()
    ben.holds_back(400)
    ana.rolls(5)
    company.catch_up()

    they_press({ben: ("shout-brave", 0), cleo: ("shout-knave", 80)})
    ana.is_in("challenge")

    ana.reads("Cleo must roll lower than 5")
    first, second = marks(ana)
    assert first.startswith("Cleo")
    assert second.startswith("Ben")
    assert plus(second) > 0.2
    timing = shouts(company)
    assert timing["Ben"]["claimed_ms"] < timing["Cleo"]["claimed_ms"]
    assert timing["Ben"]["used_ms"] == timing["Ben"]["arrived_ms"]


def test_two_in_one_breath_are_the_rollers_to_judge(company: Company) -> None:
    """BK-9: within 120 ms the roller picks; the others see who decides."""
    # Lines of a fifth of a second, so that a busy test machine doesn't look like a lie.
    lags = {"Ben": 100, "Cleo": 100}
    ana, ben, cleo, dora = company.bout(lags, Ana=7, Ben=13, Cleo=17, Dora=2)
    for person in (ben, cleo):
        person.has_a_clock()
    ana.rolls(5)
    company.catch_up()

    they_press({ben: ("shout-brave", 0), cleo: ("shout-knave", 40)})

    ana.is_in("award")
    ana.reads("One breath! Whom did you hear first?")
    dora.reads("One breath! Ana says who was first")
    expect(dora.sees("#award-1")).to_have_count(0)
    expect(ben.sees("#award-1")).to_have_count(0)
    ana.taps(f"#award-{cleo.index}")
    dora.reads("Cleo must roll lower than 5")
    # BK-10: and the word is final until the roll.
    ana.taps(f"#award-{ben.index}")
    dora.reads("Ben must roll higher than 5")


def test_a_press_before_the_number_locks_that_phone_for_all_to_see(company: Company) -> None:
    """Too early is half a second lost, and no shout."""
    ana, ben = company.bout(Ana=7, Ben=13)
    ben.has_a_clock()
    ben.taps("#shout-brave")
    ana.catches_up()
    ana.presses("#tab-log")
    ana.reads("False start: Ben is locked for half a second.")
    assert company.events("Shouted") == []


def shouts(company: Company) -> dict[str, dict[str, int]]:
    """When each shout was pressed, arrived, and what was used, as the log keeps it."""
    rows = company.house.rows(
        "select s.name, p.timing from games_play p join games_seat s on s.id = p.seat_id"
        " join games_table t on t.id = p.table_id where t.code = ? and p.timing is not null",
        company.code,
    )
    return {row["name"]: json.loads(row["timing"]) for row in rows}


@pytest.mark.looks
def test_by_mouth_nothing_lies_over_a_hand_on_the_tablet(company: Company) -> None:
    """Who was first is tapped beside the number; hands above and below both stay free."""
    ana, ben, *_others = company.bout(Ana=7, Ben=13, Cleo=17, Dora=3)
    company.only(ana, ben)
    tess = company.tess()
    posts(ana, "configure", setting="shouting", value="mouth")
    ana.rolls(12)
    posts(ana, "heard", who=2, call="brave")
    ben.is_in("challenge")
    tess.catches_up()
    expect(tess.sees("#misheard")).to_be_visible()  # BK-10
    assert tess.page.evaluate(ON_A_HAND) == []
    ben.rolls(15)
    tess.catches_up()
    expect(tess.sees(".heard-grid")).to_be_visible()
    assert tess.page.evaluate(ON_A_HAND) == []
