"""What happens is said aloud by the device itself, where somebody has asked for it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.phones.arriving import posts
from tests.phones.people import Company, Person

# A machine without voices never begins to speak: what it is given to say is noted.
NOTES = """
  window.spoken = [];
  window.cut = 0;
  const waiting = { pending: false };
  Object.defineProperty(window, 'speechSynthesis', { value: {
    get pending() { return waiting.pending; },
    set pending(is) { waiting.pending = is; },
    speak: ({ text, lang }) => text && spoken.push([lang, text]),
    cancel: () => { cut += 1; },
  }});
"""


def listens(person: Person) -> list[list[str]]:
    return list(person.page.evaluate("spoken.splice(0)"))


def turns(person: Person) -> None:
    person.presses("#screen-menu > summary")
    person.presses("#switch-speech")
    person.page.keyboard.press("Escape")


def test_the_tablet_says_what_happens_in_its_own_language_if_it_is_asked_to(
    company: Company,
) -> None:
    """Read at arm's length, said aloud: off at first, and kept by this device when turned on."""
    ana = company.ana()
    ben = company.joined("Ben")
    tess = company.tess(locale="es-ES")
    company.only(tess)
    tess.page.add_init_script(NOTES)
    tess.page.reload()
    tess.is_live()
    posts(ana, "pick_number", number=7)
    tess.catches_up()
    assert listens(tess) == []
    turns(tess)
    assert listens(tess) == [["es", "Leer en voz alta"]]
    posts(ben, "pick_number", number=13)
    tess.catches_up()
    assert listens(tess) == [["es", "Ben se queda con el número 13."]]
    tess.page.reload()
    tess.is_live()
    expect(tess.sees("#switch-speech")).to_have_attribute("aria-pressed", "true")
    posts(ana, "start_bout")
    tess.catches_up()
    assert [lang for lang, _text in listens(tess)] == ["es"]
    assert tess.page.evaluate("cut") == 0  # since it was loaded anew


def test_who_speaks_stays_no_sentence_behind_and_is_silent_when_told_so(company: Company) -> None:
    """A shouting is over sooner than three sentences: the newest is what matters."""
    ana = company.ana()
    tess = company.tess()
    tess.page.add_init_script(NOTES)
    tess.page.reload()
    tess.is_live()
    turns(tess)
    tess.page.evaluate("cut = 0; speechSynthesis.pending = true")
    ana.picks(7)
    tess.catches_up()
    assert listens(tess)[-1] == ["en", "Ana takes the number 7."]
    assert tess.page.evaluate("cut") == 1
    turns(tess)
    assert tess.page.evaluate("cut") == 2
    ana.picks(8)
    tess.catches_up()
    assert listens(tess) == []


@pytest.mark.parametrize(
    ("lacks", "switch", "other"),
    [
        ("speechSynthesis", "speech", "sound"),
        ("AudioContext", "sound", "speech"),
        ("vibrate", "vibration", "sound"),
        ("DeviceMotionEvent", "shake", "sound"),
    ],
)
def test_a_browser_offers_no_channel_that_it_lacks(
    company: Company, lacks: str, switch: str, other: str
) -> None:
    """No switch that does nothing, and no touch that fails."""
    ana = company.ana()
    places = ("Window.prototype", "window", "Navigator.prototype")
    ana.page.add_init_script(";".join(f"delete {place}.{lacks}" for place in places))
    ana.page.reload()
    ana.is_live()
    ana.presses("#tab-sheet")
    expect(ana.sees(f"#switch-{other}")).to_be_visible()
    expect(ana.sees(f"#switch-{switch}")).to_have_count(0)
