"""A phone whose line is lost and comes back, and the taps that it keeps meanwhile."""

from __future__ import annotations

import time

from playwright.sync_api import expect

from tests.phones.people import NO_NETWORK, Person
from tests.phones.wire import Wire

# How many taps wait for the line.
KEPT = "JSON.parse(sessionStorage.getItem('taproom-outbox') || '[]').length"

# How many times as fast time goes for a page that hurries.
FASTER = 2.5
# Only its requests by htmx have as much patience as ever: that is the browser's.
HURRIES = """
const [now, after, again] = [performance.now.bind(performance), setTimeout, setInterval];
performance.now = () => now() * FASTER;
setTimeout = (act, rest, ...more) => after(act, rest / FASTER, ...more);
setInterval = (act, rest, ...more) => again(act, rest / FASTER, ...more);
""".replace("FASTER", str(FASTER))


def goes_off(person: Person, wire: Wire) -> None:
    """Take the line away, and wait until the phone says so."""
    person.is_live()
    person.expects_trouble(NO_NETWORK)
    person.context.set_offline(True)
    wire.cut()
    expect(person.sees("html")).to_have_attribute("data-line", "off")


def comes_back(person: Person, wire: Wire) -> float:
    """Give the line back, and return the instant."""
    wire.mend()
    person.context.set_offline(False)
    return time.monotonic()


def hurries(person: Person) -> None:
    """From the next page on let time go faster there, so that the test need not wait.

    What else is to come sooner is told to the phone after this, in the page's own time.
    """
    person.context.add_init_script(f"{{{HURRIES}}}")


def looks_every(person: Person, milliseconds: int) -> None:
    """From the next page on let its looks for the house, one a second, come sooner."""
    person.context.add_init_script(
        "const every = setInterval;"
        f"setInterval = (act, rest) => every(act, rest === 1000 ? {milliseconds} : rest);"
    )
