"""In a Wicked Age's rules page: every rule told that a player needs, each by its number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from html import unescape
from itertools import product

import pytest
from django.test import Client
from django.utils import translation

from campaigns.rulebook import book, credit, sections
from games.rulebook.section import Figures
from games.screens.scene import percent

# What to bring along, and what the app keeps of a line of the cast: nothing for a player to do.
OURS = {2, 10}
RULES = {f"WA-{n}" for n in range(1, 112) if n not in OURS}
RULE = re.compile(r"WA-\d+")
NUMBERED = re.compile(r"\((WA-\d+)(, WA-\d+)*\)$")


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def page(language: str = "en") -> str:
    answer = Client().get("/rules/wicked-age/", headers={"accept-language": language})
    assert answer.status_code == 200
    assert answer.headers["Content-Language"] == language
    return unescape(answer.content.decode())


def table(name: str) -> Figures:
    return next(one for one in book().figures if one.id == name)


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_page_names_every_rule_and_no_other(db: None, language: str) -> None:
    assert set(RULE.findall(page(language))) == RULES
    assert "%(" not in page(language)


def test_every_paragraph_and_ruling_ends_with_the_rules_it_tells() -> None:
    """But for what is told of the app alone."""
    texts = [
        text
        for one in sections()
        if one.id != "at-this-table"
        for text in (*one.paragraphs, *one.rulings)
    ]
    assert len(texts) > 80
    assert not [text for text in texts if not NUMBERED.search(text)]


def test_the_contents_lead_to_every_part() -> None:
    parts = [one.id for one in (*sections(), *book().figures)]
    assert len(set(parts)) == len(parts)
    html = page()
    for part in parts:
        assert html.count(f'href="#{part}"') == 1, part
        assert html.count(f'id="{part}"') == 1, part


def test_the_credit_names_author_publisher_and_whose_the_words_are() -> None:
    for needed in ("D. Vincent Baker", "lumpley games", "2007", "Taproom's own"):
        assert needed in credit()
    assert credit() in page()


def test_every_row_has_a_cell_under_every_head() -> None:
    for shown in book().figures:
        assert shown.rows, shown.id
        assert {len(cells) for cells in shown.rows} == {len(shown.head)}, shown.id
        assert all(cell for cells in (shown.head, *shown.rows) for cell in cells), shown.id


def test_wa21_the_options_are_the_six() -> None:
    assert [cells[0] for cells in table("options").rows] == [
        "potent", "broad", "consequential", "unique", "far-reaching", "doubly potent",
    ]  # fmt: skip


def test_wa67_what_losing_costs_and_wa68_the_sizes() -> None:
    shown = table("costs")
    assert shown.rows == (
        ("a player's character", "exhausted", "directly, with violence"),
        ("a player's character", "injured", "covertly, for others"),
        ("an NPC", "exhausted", "action"),
        ("an NPC", "injured", "maneuvering"),
    )
    assert shown.remark == "d12 → d10 → d8 → d6 → d4 → 0"


def counted(mine: tuple[int, int], other: tuple[int, int]) -> tuple[str, ...]:
    """Count every first roll of two, and every answer to it (WA-49, WA-51), one by one."""
    ways, shares = 0, [Fraction(0)] * 5
    rolls = {hand: [sorted(f, reverse=True) for f in product(*(range(1, d + 1) for d in hand))]
             for hand in (mine, other)}  # fmt: skip
    answers: dict[tuple[bool, int, int], list[Fraction]] = {}
    for first, second in product(rolls[mine], rolls[other]):
        ways += 1
        if first == second:
            continue
        i_stand = first > second
        standing = max(first, second)
        told = answers.setdefault((i_stand, *standing), [])
        if not told:
            hand = rolls[other if i_stand else mine]
            # Wins outright, wins the advantage, loses it, loses outright: whoever answers.
            found = [0] * 4
            for roll in hand:
                if roll[0] >= 2 * standing[0]:
                    found[0] += 1
                elif 2 * roll[0] <= standing[0]:
                    found[3] += 1
                else:
                    found[1 if roll >= standing else 2] += 1
            told += [Fraction(n, len(hand)) for n in found]
        shares[0] += i_stand
        for place, share in enumerate(reversed(told) if i_stand else told, 1):
            shares[place] += share
    return tuple(percent(share / ways) for share in shares)


def test_wa49_the_odds_of_a_first_exchange_are_what_counting_every_roll_gives() -> None:
    shown = table("odds").rows
    hands = [(12, 10), (12, 6), (10, 8), (8, 6), (6, 4)]
    assert [cells[0] for cells in shown] == [f"d{a} + d{b}" for a, b in hands]
    assert [cells[1:] for cells in shown] == [counted(hand, (10, 6)) for hand in hands]
