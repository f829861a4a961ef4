"""Knave's rules page: every rule told, every ruling numbered, every figure what counting gives."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from html import unescape
from html.parser import HTMLParser
from itertools import product

import pytest
from django.test import Client
from django.utils import translation

from characters.models import Spell
from characters.rulebook import book, credit, sections
from characters.services.book import load_book
from games.rulebook.section import Figures, RuleBook
from games.rules.knave import chances
from games.screens.scene import percent

RULES = {f"KN-{n}" for n in range(1, 26)}
RULE = re.compile(r"KN-\d+")
D20 = range(1, 21)
TWO_D20 = tuple(product(D20, repeat=2))


@pytest.fixture(autouse=True)
def the_book_is_loaded(db: None) -> Iterator[None]:
    load_book()
    with translation.override("en"):
        yield


class Ids(HTMLParser):
    """Every id of a page, and where its inner links lead."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if "id" in told:
            self.ids.append(told["id"])
        if told.get("href", "").startswith("#"):
            self.links.append(told["href"][1:])


def page(language: str = "en") -> str:
    answer = Client().get("/rules/knave/", headers={"accept-language": language})
    assert answer.status_code == 200
    assert answer.headers["Content-Language"] == language
    return unescape(answer.content.decode())


def table(name: str, shown: RuleBook | None = None) -> Figures:
    return next(one for one in (shown or book()).figures if one.id == name)


def row(figures: Figures, about: str) -> tuple[str, ...]:
    return next(cells for cells in figures.rows if cells[0] == about)


def number(cell: str) -> int:
    """Return the whole percentage that a cell writes."""
    return int(re.sub(r"\D", "", cell))


# --- the page ------------------------------------------------------------------------------------
@pytest.mark.parametrize("language", ["en", "es"])
def test_the_page_names_every_rule_and_no_other(language: str) -> None:
    assert set(RULE.findall(page(language))) == RULES


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_contents_lead_to_every_part_and_to_nothing_else(language: str) -> None:
    found = Ids(page(language))
    twice = [name for name, count in Counter(found.ids).items() if count > 1]
    assert not twice
    parts = [one.id for one in (*sections(), *book().figures)]
    assert [name for name in found.links if name in parts] == parts
    assert set(found.links) <= set(found.ids)


@pytest.mark.parametrize("language", ["en", "es"])
def test_no_gap_of_a_text_is_left_open(language: str) -> None:
    assert "%(" not in page(language)


def test_every_paragraph_and_ruling_ends_with_the_rules_it_tells() -> None:
    numbered = re.compile(r"\((KN-\d+)(, KN-\d+)*\)$")
    texts = [t for one in sections() for t in (*one.paragraphs, *one.rulings)]
    texts += [one.remark for one in book().figures]
    assert len(texts) > 100
    assert not [text for text in texts if not numbered.search(text)]


@pytest.mark.parametrize("rule", sorted(RULES, key=lambda r: int(r[3:])))
def test_every_rule_is_told_in_a_text_and_not_only_under_a_table(rule: str) -> None:
    told = {r for one in sections() for text in one.paragraphs for r in RULE.findall(text)}
    assert rule in told


def test_the_credit_names_author_licence_address_and_that_changes_were_made() -> None:
    for needed in (
        "Ben Milton",
        "Questing Beast",
        "CC BY 4.0",
        "creativecommons.org/licenses/by/4.0/",
        "changes were made",
    ):
        assert needed in credit()
    assert credit() in page()


# --- the odds ------------------------------------------------------------------------------------
@pytest.mark.parametrize("bonus", range(11))
def test_the_odds_of_a_save_are_what_counting_every_d20_gives(bonus: int) -> None:
    """KN-8, KN-10: more than 15; the better or the worse of two."""
    one = Fraction(sum(face + bonus > 15 for face in D20), 20)
    better = Fraction(sum(max(two) + bonus > 15 for two in TWO_D20), 400)
    worse = Fraction(sum(min(two) + bonus > 15 for two in TWO_D20), 400)
    cells = row(table("save-odds"), f"+{bonus}")
    assert cells[1:] == (percent(one), percent(better), percent(worse))


@pytest.mark.parametrize("bonus", range(11))
def test_the_odds_of_an_attack_are_what_counting_every_d20_gives(bonus: int) -> None:
    """KN-14: a hit needs more than the armor defense above the column; so many of a hundred."""
    odds = table("attack-odds")
    assert odds.head[1:] == ("11", "12", "13", "14", "15", "16", "17")
    hits = [5 * sum(face + bonus > int(defense) for face in D20) for defense in odds.head[1:]]
    assert row(odds, f"+{bonus}")[1:] == tuple(map(str, hits))


@pytest.mark.parametrize("name", ["save-odds", "attack-odds"])
def test_the_odds_cover_every_bonus_a_knave_can_have(name: str) -> None:
    assert [cells[0] for cells in table(name).rows] == [f"+{bonus}" for bonus in range(11)]


def test_a_save_at_plus_1_succeeds_three_times_in_ten() -> None:
    """The worked cases 2 and 3: 14 fails and 15 succeeds, so six faces do."""
    assert number(row(table("save-odds"), "+1")[1]) == 30


def test_what_the_text_says_of_advantage_is_so() -> None:
    """KN-10: one in four, seven in sixteen, one in sixteen."""
    cells = row(table("save-odds"), "+0")
    assert cells[1:] == tuple(percent(Fraction(*of)) for of in ((1, 4), (7, 16), (1, 16)))


def test_the_door_of_the_text_opens_on_as_many_faces_whoever_rolls() -> None:
    """KN-9: Strength +3 against +1; twelve faces for the one, the other eight for the guard."""
    assert chances.opposed_chance(3, 11) == Fraction(12, 20)
    assert chances.opposed_chance(1, 13) == Fraction(8, 20)
    pushes = [face for face in D20 if face + 3 > 11]
    holds = [face for face in D20 if face + 1 > 13]
    assert (pushes[0], len(pushes), holds[0], len(holds)) == (9, 12, 13, 8)


def test_the_steps_of_a_reaction_cover_every_throw_once() -> None:
    """KN-11: 2, 3–5, 6–8, 9–11, 12, of thirty-six throws of two dice."""
    rows = table("reaction-table").rows
    assert [cells[0] for cells in rows] == ["2", "3–5", "6–8", "9–11", "12"]
    assert [cells[1] for cells in rows] == [
        "hostile", "unfriendly", "unsure", "talkative", "helpful",
    ]  # fmt: skip
    throws = (1, 9, 16, 9, 1)
    assert sum(throws) == 36
    assert [cells[2] for cells in rows] == [percent(Fraction(n, 36)) for n in throws]


# --- gear ----------------------------------------------------------------------------------------
def test_the_weapons_show_die_slots_quality_and_price_and_which_shoot_or_take_both_hands() -> None:
    shown = table("weapons")
    assert len(shown.rows) == 16
    assert row(shown, "Sword") == ("Sword", "d8", "2", "3", "10")
    assert row(shown, "Crossbow") == ("Crossbow", "d8", "3", "3", "60")
    assert "Wisdom: Sling, Bow and Crossbow." in shown.remark
    both = "Halberd, War hammer, Long sword, Battle axe, Bow and Crossbow"
    assert f"both hands: {both}." in shown.remark


def test_armor_sets_a_defense_and_shield_and_helmet_add_1() -> None:
    shown = table("armor")
    assert [cells[:2] for cells in shown.rows] == [
        ("Gambeson", "12"),
        ("Brigandine", "13"),
        ("Chain", "14"),
        ("Half plate", "15"),
        ("Full plate", "16"),
        ("Shield", "+1"),
        ("Helmet", "+1"),
    ]
    assert row(shown, "Full plate")[2:] == ("5", "7", "8000")


def test_the_lights_show_how_long_and_how_far_and_how_many_share_a_slot() -> None:
    shown = table("lights")
    assert {cells[0] for cells in shown.rows} == {"Candle", "Torch", "Lantern"}
    assert row(shown, "Torch") == ("Torch", "6", "30", "5")
    assert row(shown, "Lantern") == ("Lantern", "24", "30", "1")


def test_every_row_has_a_cell_under_every_head() -> None:
    for shown in book().figures:
        assert shown.rows, shown.id
        assert {len(cells) for cells in shown.rows} == {len(shown.head)}, shown.id
        assert all(cell for cells in (shown.head, *shown.rows) for cell in cells), shown.id


# --- spells --------------------------------------------------------------------------------------
def test_the_hundred_spells_stand_by_their_numbers() -> None:
    shown = table("spells")
    assert [cells[0] for cells in shown.rows] == [str(n) for n in range(1, 101)]
    assert row(shown, "1")[1] == "Adhere"


def edited(spell: Spell) -> None:
    spell.effect = "Glue, as this house plays it."


def hidden(spell: Spell) -> None:
    spell.is_hidden = True


@pytest.mark.parametrize(
    ("change", "rows"),
    [
        (
            edited,
            [
                (
                    "1",
                    "Adhere",
                    "Glue, as this house plays it. Reach: 40 ft. Duration: L × 10 minutes.",
                )
            ],
        ),
        (hidden, []),
    ],
)
def test_a_spell_is_shown_as_its_host_has_edited_it_and_a_hidden_one_not_at_all(
    change: Callable[[Spell], None], rows: list[tuple[str, ...]]
) -> None:
    spell = Spell.objects.get(number=1)
    change(spell)
    spell.save()
    assert [cells for cells in table("spells").rows if cells[0] == "1"] == rows


# --- Spanish -------------------------------------------------------------------------------------
def test_in_spanish_gear_and_spells_have_their_spanish_names() -> None:
    with translation.override("es"):
        shown = book()
    assert row(table("weapons", shown), "Espada")[1] == "d8"
    assert row(table("armor", shown), "Yelmo")[1] == "+1"
    assert row(table("lights", shown), "Antorcha")[1] == "6"
    assert row(table("spells", shown), "1")[1] == "Adherir"
    html = page("es")
    for word in ("Espada larga", "Cota de malla", "Farol", "Ojo arcano"):
        assert word in html
    assert "Long sword" not in html


def test_the_odds_are_the_same_in_every_language() -> None:
    with translation.override("es"):
        spanish = book()
    for name in ("save-odds", "attack-odds", "reaction-table"):
        english = [[c for c in cells if re.search(r"\d", c)] for cells in table(name).rows]
        other = [[c for c in cells if re.search(r"\d", c)] for cells in table(name, spanish).rows]
        assert [list(map(number, cells)) for cells in other] == [
            list(map(number, cells)) for cells in english
        ]


def test_the_figures_stand_in_the_order_of_the_game() -> None:
    assert [one.id for one in book().figures] == [
        "save-odds", "attack-odds", "weapons", "armor", "lights", "reaction-table", "spells",
    ]  # fmt: skip
