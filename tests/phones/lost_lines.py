"""A phone whose line is lost and comes back, and the taps that it keeps meanwhile."""

from __future__ import annotations

import time

from playwright.sync_api import expect

from tests.phones.people import NO_NETWORK, Person
from tests.phones.wire import Wire

# How many taps wait for the line.
KEPT = "JSON.parse(sessionStorage.getItem('taproom-outbox') || '[]').length"


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


def looks_every(person: Person, milliseconds: int) -> None:
    """From the next page on let its looks for the house, one a second, come sooner."""
    person.context.add_init_script(
        "const every = setInterval;"
        f"setInterval = (act, rest) => every(act, rest === 1000 ? {milliseconds} : rest);"
    )
