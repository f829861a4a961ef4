"""A phone that lies on its side, or has large letters: what is told, who plays, what is pressed."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.phones.arriving import begins_for_all, posts, seats_of
from tests.phones.devices import NARROW, ON_ITS_SIDE, SPANISH, USUAL, larger
from tests.phones.knave import attacks, begins_fight, does, has_a_knave, player_alone, referee
from tests.phones.layout import HIDDEN, OVERLAPS, PARTED, ROOM, STICKS_OUT, box, is_whole
from tests.phones.people import Company, Person
from tests.phones.wicked_ready import at_interests, has_rolled, has_started, has_taken, in_play

pytestmark = pytest.mark.looks

SIDEWAYS: tuple[ViewportSize, ...] = (
    {"width": 568, "height": 320},
    {"width": 640, "height": 360},
    ON_ITS_SIDE,
)
NAMES = ("Dora Longfellow", "Guadalupe", "Ben el Zurdo", "Bartholomäus", "Ib", "Jonquil", "Gus")
# Calls that sleep may be scrolled to, below fingers to give up.
BUTTONS = "#act :not(.is-asleep *):is(button, summary)"


def is_read(person: Person, *, only_waits: bool = False) -> None:
    """See that the players are whole, no word is broken, and every button lies above the bar."""
    person.catches_up()
    for size in SIDEWAYS:
        person.page.set_viewport_size(size)
        is_whole(person.page, "#ring")
        assert person.page.evaluate(PARTED, "#stage :is(.cry, .headline, .moment)") == [], size
        if only_waits:
            expect(person.sees(BUTTONS)).to_have_count(0)
        else:
            assert not person.page.evaluate(OVERLAPS, [BUTTONS, "#bar"]), size


def test_a_call_is_no_wider_than_its_half_of_a_phone_on_its_side(company: Company) -> None:
    """BK-7: of BRAVE and KNAVE a fifth lay beyond the edge, and the calls were pushed about."""
    ana, ben = company.ana(**SPANISH), company.joined("Ben", **SPANISH)
    company.only(ben)
    company.begins({ana: 7, ben: 13})
    ben.catches_up()
    ben.page.evaluate("document.querySelector('#act .teach')?.remove()")  # told twice already
    for size in SIDEWAYS:
        ben.page.set_viewport_size(size)
        assert max(ben.page.evaluate(HIDDEN, "#act, .shout")) <= 0, size


@pytest.mark.parametrize("players", [5, 9])
def test_a_phone_on_its_side_shows_who_plays_and_every_button(
    company: Company, players: int
) -> None:
    """The look (BK-7 to BK-18): with a long name to tell and three hundred pixels of height, the
    fingers of all were cut off by the bar, and a call that came late lay half under it."""
    ana, ben = company.ana(**SPANISH), company.joined("Ben", **SPANISH)
    for name in NAMES[: players - 2]:
        posts(ana, "add_player", name=name)
    company.only(ana, ben)
    ours, _bens, third, *others = seats_of(company)
    posts(ben, "pick_number", number=3)
    begins_for_all(ana, dict(zip((third, ours, *others), (2, *range(4, 20)), strict=False)))
    is_read(ben, only_waits=True)
    company.house.dice_fall(17)
    posts(ana, "roll", seat=third)
    ben.is_in("shout")
    is_read(ben)
    posts(ana, "shout", seat=others[0], call="knave")
    ben.is_in("challenge")
    is_read(ben)
    company.house.dice_fall(19)
    posts(ana, "roll", seat=others[0])
    is_read(ben, only_waits=True)
    company.house.dice_fall(18)
    posts(ana, "roll", seat=others[0])
    ben.is_in("shout")
    posts(ana, "shout", seat=third, call="brave")
    ben.is_in("challenge")
    company.house.dice_fall(20)
    posts(ana, "roll", seat=third)
    ben.is_in("open")
    ben.reads("STAVE", where=".cry")
    is_read(ben)


def test_a_first_knave_is_offered_in_words_beside_its_button(company: Company) -> None:
    """The look: an empty screen says what to do first; the button lay over half of the sentence."""
    ben = player_alone(company, **SPANISH)
    ben.sees("#new-knave").wait_for()
    for size in SIDEWAYS:
        ben.page.set_viewport_size(size)
        expect(ben.sees(".make-start h2")).to_be_in_viewport(ratio=1)
        assert not ben.page.evaluate(OVERLAPS, [".make-start .lead", "#new-knave, #bar"]), size


def test_what_was_rolled_for_a_knave_is_read_whole_with_letters_twice_as_large(
    company: Company,
) -> None:
    """WCAG 1.4.4: bonus and defense, for which the dice are rolled, lay beyond the edge."""
    ben = player_alone(company, **SPANISH)
    does(ben, "#new-knave")
    ben.page.set_viewport_size(USUAL)
    larger(ben, 32)
    assert ben.page.evaluate(STICKS_OUT) == []
    expect(ben.sees(".rolls").get_by_role("row")).to_have_count(7)
    expect(ben.sees(".rolls").get_by_role("cell")).to_have_count(18)


def test_what_came_of_a_blow_is_read_in_whole_words_with_letters_twice_as_large(
    company: Company,
) -> None:
    """WCAG 1.4.4: beside the number each syllable had a line, as had those of “has acted”, and of
    a foe beside the odds."""
    ana, ben, cleo = referee(company), company.joined("Ben"), company.joined("Cleo")
    posts(ana, "configure", setting="shows_odds", value="true")
    company.only(ben, cleo)
    has_a_knave(ben)
    has_a_knave(cleo)
    begins_fight(ana, company, "goblin", 2, first=6)
    larger(ben, 32)
    larger(cleo, 32)
    attacks(ben, "goblin-1", 16, 5)
    cleo.presses("#tab-game")
    cleo.sees(".strike").first.wait_for()
    assert cleo.page.evaluate(PARTED, ".strike-words > *") == []
    for person, card in ((ben, ".my-roll"), (cleo, ".last-roll")):
        words = person.sees(f"{card} .roll-words > *")
        expect(words.first).to_be_visible()
        assert person.page.evaluate(PARTED, f"{card} :is(.roll-after, .roll-text), .flag") == []
    assert cleo.page.evaluate(STICKS_OUT) == []


def test_what_the_referee_asks_stands_within_its_button_on_a_phone_on_its_side(
    company: Company,
) -> None:
    """WCAG 1.4.10: beside “I rolled” the longer names of abilities reached over its edge."""
    ana, ben = referee(company), company.joined("Ben", **SPANISH)
    company.only(ana, ben)
    has_a_knave(ben)
    posts(ana, "ask_saves", ability="con", targets="")
    ben.sees(".ask-button").wait_for()
    for size in SIDEWAYS:
        ben.page.set_viewport_size(size)
        assert min(ben.page.evaluate(ROOM, ".ask-button")) >= 5, size


def test_the_list_of_a_chapter_is_read_unmoved_with_letters_twice_as_large(
    company: Company,
) -> None:
    """WCAG 1.4.10: «PNJ, o fuera de la lista» is longer than a GM's phone is wide."""
    ana, _players = at_interests(company, 2, **SPANISH, viewport=USUAL)
    company.only(ana)
    for _step in ("sheets", "choose"):
        posts(ana, "step_back")
    ana.catches_up()
    larger(ana, 32)
    assert ana.page.evaluate(STICKS_OUT) == []


def test_a_move_is_written_and_a_name_is_read_with_letters_twice_as_large(
    company: Company,
) -> None:
    """WCAG 1.4.4: the field beside its label had the width of one letter, and of a name of five
    letters the last stood on a line of its own."""
    ana, (ben, _cleo) = in_play(company, 2, **SPANISH, viewport=USUAL)
    company.only(ben)
    has_started(ben, "Corta la soga de la puerta", "Sarel", "Old Kesh")
    has_taken(ben, "Sarel", "directly", "for_myself")
    has_taken(ana, "Old Kesh", "self_protection")
    has_rolled(ben, "Sarel", 10, 8)
    has_rolled(ana, "Old Kesh", 6, 4)
    ben.catches_up()
    larger(ben, 32)
    assert box(ben.page, "#move-says")["width"] > 200
    assert ben.page.evaluate(PARTED, ".me-words b") == []


def test_the_code_is_read_whole_on_the_narrowest_phone_with_letters_twice_as_large(
    company: Company,
) -> None:
    """WCAG 1.4.4: what a newcomer types, and the picture beside it, ran over the edge."""
    ana = company.ana(viewport=NARROW, **SPANISH)
    larger(ana, 32)
    ana.presses("#tab-table")
    for part in (".big-code", ".qr-frame"):
        place = box(ana.page, f"#people {part}")
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= 320, part
    assert ana.page.evaluate(STICKS_OUT) == []
