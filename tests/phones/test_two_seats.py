"""Two people share a phone: each seat keeps what it was about, whatever becomes of the other."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.phones import arriving
from tests.phones.arriving import PASS
from tests.phones.lost_lines import comes_back, goes_off
from tests.phones.people import REFUSED, Company, Person
from tests.phones.wicked import opens_typed
from tests.phones.wicked_ready import at_interests
from tests.phones.wire import Wire


def hands_over(person: Person, seat: int) -> str:
    """Ask for the address by which a seat of this phone moves to another one."""
    found = PASS.search(arriving.asks(person, "offer_pass", seat=seat, who=seat).text())
    assert found
    return found[0]


def shared_phone(company: Company, wire: Wire) -> Person:
    """Ben's phone has Cleo's seat as well, number 3; of Ana's table nobody looks at a screen."""
    company.ana()
    ben = company.joined("Ben", address=wire.address)
    cleo = company.joined("Cleo")
    company.only(ben)
    ben.goes(hands_over(cleo, 3))
    ben.presses("#take-over")
    ben.page.wait_for_url("**/?seat=3")  # who scans a seat's code sees that seat
    ben.goes(f"/t/{company.code}/")
    ben.is_live()
    return ben


def test_of_two_seats_on_a_phone_one_goes_and_leaves_its_words(
    company: Company, wire: Wire
) -> None:
    """R4: the page of the other seat came instead, without a word, and without the words."""
    ben = shared_phone(company, wire)
    ben.expects_trouble(REFUSED)
    ben.goes(f"/t/{company.code}/?seat=3")
    ben.is_live()
    ben.page.fill("#guild-name", "Moth of the")
    path = hands_over(ben, 3)
    goes_off(ben, wire)
    ben.page.evaluate("document.getElementById('number-7').click()")
    expect(ben.sees("html")).to_have_attribute("data-unsent", "")
    new = company.person("Cleo")
    new.goes(path)
    new.presses("#take-over")
    new.code = company.code
    new.is_live()
    comes_back(ben, wire)
    ben.page.wait_for_url("**/join/?gone=3")
    expect(ben.page.get_by_label("Your guild name")).to_have_value("Moth of the")
    assert ben.page.evaluate("sessionStorage.getItem('taproom-outbox')") == "[]"
    ben.presses("#play-on")
    ben.is_live()
    ben.reads("Ben", where="#top")


def test_what_one_seat_is_writing_waits_while_the_phone_plays_the_other(company: Company) -> None:
    """R4: a look at the other seat's page, and half a sentence was gone."""
    _ana, (ben, cleo) = at_interests(company, 2)
    company.only(ben)
    ben.goes(hands_over(cleo, 3))
    ben.presses("#take-over")
    ben.page.wait_for_url("**/?seat=3")
    ben.goes(f"/t/{company.code}/")
    ben.is_live()
    opens_typed(ben, "interest")
    ben.page.fill("#interest-text", "Imra has to")
    ben.page.evaluate("document.querySelector('#companion-3').click()")  # the sheet lies over it
    ben.page.wait_for_url("**/?seat=3")
    ben.is_live()
    expect(ben.sees("#interest-text")).to_have_value("")
    ben.presses("#companion-2")
    ben.page.wait_for_url("**/?seat=2")
    ben.is_live()
    expect(ben.sees("#interest-text")).to_have_value("Imra has to")
    ben.goes("/")  # whoever has the phone next finds nothing of it (S9)
    assert "Imra" not in ben.page.evaluate("JSON.stringify({...sessionStorage})")


# What the tab's other page has kept, as this one comes back from behind it without being loaded.
COMES_BACK = """kept => {
  dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  sessionStorage.setItem('taproom-typed', JSON.stringify(
    [...JSON.parse(sessionStorage.getItem('taproom-typed')), kept]));
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
}"""


def test_a_page_that_comes_back_as_it_was_leaves_what_the_other_seat_wrote(
    company: Company, wire: Wire
) -> None:
    """R4: Safari brings a page back without loading it. It kept its own words once more, and the
    other seat's, which it had never heard of, were gone."""
    ben = shared_phone(company, wire)
    ben.page.fill("#guild-name", "Moth")
    whose = f"{company.code} 3"
    cleos = {"path": f"/t/{company.code}/", "typed": [["guild-name", "Vane"]], "open": []}
    with ben.page.expect_event("load"):
        ben.page.evaluate(COMES_BACK, {**cleos, "whose": whose})
    ben.is_live()
    expect(ben.sees("#guild-name")).to_have_value("Moth")
    ben.goes(f"/t/{company.code}/?seat=3")
    ben.is_live()
    expect(ben.sees("#guild-name")).to_have_value("Vane")
