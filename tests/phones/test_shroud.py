"""The Witchrest Shroud: the hidden number does not leave the server before the reveal (BK-23)."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Error, expect

from tests.phones.arriving import posts
from tests.phones.devices import SMALL
from tests.phones.people import Company, Person

SCROLLED = "document.getElementById('panel-game').scrollTop"
CANARY = 14  # nobody's personal number, nobody's count of anything
TAGS = re.compile(r"<time.*?</time>|<[^>]*>", re.DOTALL)
STYLES = re.compile(r"<style\b.*?</style>", re.DOTALL)  # a first page brings them along


def tells(text: str, number: int) -> bool:
    """Whether something a device received holds the number: as a word, a face or an attribute."""
    text = STYLES.sub("", text)
    words = TAGS.sub(" ", text)
    marks = rf">\s*{number}\s*<|\"(face|standing|number)\":\s*{number}\b|data-[\w-]+=\"{number}\""
    return bool(re.search(rf"\b{number}\b", words) or re.search(marks, text))


def heard(person: Person) -> list[str]:
    """What a device's sockets and requests brought, without clocks and numbers of the log."""
    said = []
    for frame in person.frames:
        message = json.loads(frame)
        said += message.get("regions", {}).values()
        said += [told["text"] for told in message.get("told", [])]
        rest = {k: v for k, v in message.items() if k in ("mode", "error", "html", "headers")}
        said.append(json.dumps(rest))
    for answer in person.answers:
        kind = answer.headers.get("content-type", "")
        if not re.match(r"text/(html|plain)|application/json", kind):
            continue
        try:
            said.append(answer.text())
        except Error:  # a redirect, or an answer without a body
            continue
    return said


def test_the_hidden_number_reaches_no_device_before_the_reveal(company: Company) -> None:
    """BK-23: not a page, not a push, not the log, not the roller's own phone."""
    ana = company.ana()
    ana.goes(f"/t/{company.code}/gm/")
    ana.is_live()
    ana.taps("#set-has_shroud-true")
    ana.goes(f"/t/{company.code}/")
    ana.is_live()
    ben, cleo = company.joined("Ben"), company.joined("Cleo")
    tess = company.tess()
    company.begins({ana: 7, ben: 13, cleo: 17})
    cleo.taps("#shroud")
    everyone = [ana, ben, cleo, tess]
    company.catch_up()
    for person in everyone:
        person.frames.clear()
        person.keeps_answers()

    ana.rolls(CANARY)
    company.catch_up()
    cleo.reads("You called for the Shroud")
    _look_everywhere(company, everyone)
    for person in everyone:
        before = heard(person)
        assert before, f"nothing was heard of {person.name}'s device"
        assert [text for text in before if tells(text, CANARY)] == [], person.name

    # The control: the same reading finds the number on every device once it is out.
    cleo.taps("#blind-brave")
    company.catch_up()
    for person in everyone:
        assert any(tells(text, CANARY) for text in heard(person)), person.name

    _fingers_are_dealt_out(cleo, {ana: 1, ben: 2})
    tess.catches_up()
    label = tess.sees(".place", has_text="Ben").get_by_role("img")
    expect(label).to_have_accessible_name("3 fingers left")


def _look_everywhere(company: Company, everyone: list[Person]) -> None:
    """Load every page anew, and what only a program or a nosy player would ask for."""
    ana, ben, cleo, _tess = everyone
    for person in everyone:
        person.reads("Cleo says BRAVE or KNAVE, blind")
        person.page.reload()
        person.is_live()
    ana.goes(f"/t/{company.code}/gm/")
    ana.is_live()
    ben.goes(f"/t/{company.code}/screen/")
    ben.is_live()
    cleo.page.evaluate(f"fetch('/api/tables/{company.code}/').then(answer => answer.text())")


def _fingers_are_dealt_out(cleo: Person, fingers: dict[Person, int]) -> None:
    """BK-23: the wager won, Cleo deals out three fingers, and looks at what came of it."""
    cleo.rolls(16)
    cleo.page.set_viewport_size(SMALL)
    cleo.sees("#deal").scroll_into_view_if_needed()
    assert cleo.page.evaluate(SCROLLED) > 0, "all of it is on the screen: nothing is tried"
    for person, count in fingers.items():
        cleo.sees(f"#fingers-{person.index}").select_option(str(count))
    cleo.taps("#deal")
    cleo.page.wait_for_function(f"{SCROLLED} === 0")


def _is_dealing(company: Company, ana: Person, ben: Person, cleo: Person) -> None:
    """Cleo, who owes a finger since a STAVE (BK-17), has won a Shroud and chosen who loses what."""
    posts(ana, "configure", setting="has_shroud", value="true")
    company.only(cleo)
    company.begins({ana: 7, ben: 13, cleo: 17})
    company.house.dice_fall(20, 10)  # what lies under the hand comes second
    posts(ana, "roll")
    cleo.taps("#shroud")
    posts(ana, "roll")
    cleo.taps("#blind-brave")
    cleo.rolls(16)
    for person, count in ((ana, "1"), (ben, "2")):
        cleo.sees(f"#fingers-{person.index}").select_option(count)


def test_what_is_dealt_out_so_far_stays_when_a_finger_is_given_up(company: Company) -> None:
    """BK-20, BK-23: whoever deals may owe a finger, and says which in the middle of it."""
    ana, ben, cleo = company.ana(), company.joined("Ben"), company.joined("Cleo")
    _is_dealing(company, ana, ben, cleo)
    cleo.gives_up("ring")
    expect(cleo.sees("#finger-ring")).to_have_count(0)
    assert cleo.taps("#deal") == 204
    assert [dealt["fingers"] for dealt in company.events("Dealt")] == [[1, 2, 0]]


def test_what_is_dealt_out_so_far_stays_over_a_pause(company: Company) -> None:
    """BK-23: the question is the same when play goes on."""
    ana, ben, cleo = company.ana(), company.joined("Ben"), company.joined("Cleo")
    _is_dealing(company, ana, ben, cleo)
    posts(ana, "pause")
    expect(cleo.page.locator("#deal")).to_have_count(0)
    posts(ana, "resume")
    assert cleo.taps("#deal") == 204
    assert [dealt["fingers"] for dealt in company.events("Dealt")] == [[1, 2, 0]]
