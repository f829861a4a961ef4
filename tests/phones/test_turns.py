"""Whose turn it is, for somebody who looks at another page: in the title, and on the app's icon.

Sound and light are no help on a phone that lies there with another page open.
"""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.phones import arriving, knave
from tests.phones.arriving import posts
from tests.phones.lan import plain_http
from tests.phones.people import Company, Person
from tests.phones.wicked import starts, takes
from tests.phones.wicked_ready import in_play

# What the browser's own badge was told; a page in the background, as the browser says it is.
BADGE = """
window.told = [];
for (const name of ['setAppBadge', 'clearAppBadge']) {
  navigator[name] = async () => { window.told.push(name) };
}
"""
LOOKS_AWAY = """(is) => {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: is });
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def is_titled(person: Person, title: str) -> None:
    expect(person.page).to_have_title(title, timeout=8000)


def test_the_title_says_whose_turn_it_is_and_takes_it_back(company: Company) -> None:
    """Colour, sound and motion never carry it alone, and no page has to be looked at for it."""
    ana, ben = company.bout(Ana=7, Ben=13)
    table = ben.page.title()
    is_titled(ana, f"● Your turn · {table}")
    ana.rolls(12)
    is_titled(ben, f"● Your turn · {table}")  # to shout
    is_titled(ana, table)
    ben.shouts("knave")
    is_titled(ben, f"● Your turn · {table}")  # to roll
    ben.rolls(5)
    is_titled(ana, f"● Your turn · {table}")
    ana.presses("#tab-table")  # whichever view is open
    is_titled(ana, f"● Your turn · {table}")


def test_the_tab_of_the_game_says_that_the_table_waits_for_who_reads_in_another_view(
    company: Company,
) -> None:
    """The look: waiting has words. No phone shows a title, so elsewhere nothing said it at all."""
    ana, ben = company.bout(Ana=7, Ben=13)
    game = ana.sees("#tab-game")
    ana.presses("#tab-log")
    said = "(one) => getComputedStyle(one, '::after').content"
    assert game.evaluate(said) == '"● Your turn"'
    expect(game).to_have_accessible_name(re.compile("Game.*Your turn"))
    ana.presses("#tab-game")
    assert game.evaluate(said) == "none"
    ana.rolls(12)
    ben.shouts("knave")
    ana.catches_up()
    ana.presses("#tab-log")
    assert game.evaluate(said) == "none"
    ben.presses("#tab-sheet")
    assert ben.sees("#tab-game").evaluate(said) == '"● Your turn"'


def test_in_spanish_it_is_said_in_spanish(company: Company) -> None:
    ana = company.ana(locale="es-ES")
    ben = company.joined("Ben")
    company.only(ana)
    table = ana.page.title()
    company.begins({ana: 7, ben: 13})
    is_titled(ana, f"● Te toca · {table}")


def test_the_apps_icon_is_marked_while_nobody_looks_and_cleared_when_somebody_does(
    company: Company,
) -> None:
    ana, ben = company.bout(Ana=7, Ben=13)
    company.only(ben)
    ben.context.add_init_script(BADGE)
    ben.page.reload()
    ben.is_live()
    table = ben.page.title()
    assert ben.page.evaluate("told") == ["clearAppBadge"]  # what an older page left behind
    ben.page.evaluate(LOOKS_AWAY, "hidden")
    assert ben.page.evaluate("told") == ["clearAppBadge"]  # it is Ana's turn
    company.house.dice_fall(12)
    posts(ana, "roll")
    ben.catches_up()
    assert ben.page.evaluate("told") == ["clearAppBadge", "setAppBadge"]
    ben.page.evaluate(LOOKS_AWAY, "visible")
    assert ben.page.evaluate("told") == ["clearAppBadge", "setAppBadge", "clearAppBadge"]
    is_titled(ben, f"● Your turn · {table}")


def test_over_plain_http_there_is_the_title(company: Company) -> None:
    """No browser has a badge for a page on a laptop's address; nothing breaks for want of it."""
    address = plain_http(company)
    ana = company.person("Ana", address=address)
    company.code = arriving.opens(ana)
    ben = company.joined("Ben", address=address)
    company.only(ana)
    assert ana.page.evaluate("'setAppBadge' in navigator") is False
    table = ana.page.title()
    company.begins({ana: 7, ben: 13})
    is_titled(ana, f"● Your turn · {table}")


def test_a_stop_is_nobodys_turn(company: Company) -> None:
    ana, ben = company.ana(), company.joined("Ben")
    company.only(ana)
    table = ana.page.title()
    company.begins({ana: 7, ben: 13})
    is_titled(ana, f"● Your turn · {table}")
    posts(ana, "pause")
    is_titled(ana, table)
    posts(ana, "resume")
    is_titled(ana, f"● Your turn · {table}")


def test_in_knave_what_the_foes_and_the_referee_ask_is_a_turn(company: Company) -> None:
    ana = knave.referee(company)
    ben = company.joined("Ben")
    knave.has_a_knave(ben)
    company.only(ben)
    table = ben.page.title()
    knave.begins_fight(ana, company, "goblin", 1, first=6)
    is_titled(ben, f"● Your turn · {table}")
    posts(ana, "end_fight")
    is_titled(ben, table)


def test_in_a_wicked_age_dice_to_take_up_are_a_turn(company: Company) -> None:
    _ana, (ben, cleo) = in_play(company, 2)
    company.only(ben, cleo)
    table = cleo.page.title()
    starts(ben, "Over the wall by night", "Sarel", "Imra")
    is_titled(cleo, f"● Your turn · {table}")
    takes(cleo, "Imra", "for_myself", "for_others")
    is_titled(cleo, table)  # Sarel has to choose
    takes(ben, "Sarel", "covertly", "for_myself")
    is_titled(cleo, f"● Your turn · {table}")  # to roll
