"""Real browsers at a table that two processes serve, one of which is killed."""

from __future__ import annotations

import re
import signal
import time

import pytest

from tests.phones.people import NO_NETWORK, Company
from tests.scaled.house import ScaledHouse

pytestmark = [pytest.mark.browser, pytest.mark.services]

BACK_WITHIN = 5.0
# What the proxy answers while it finds out, and what a browser says of a line that broke.
TROUBLE = re.compile(NO_NETWORK.pattern + r"|50[234]|Response Status Error Code 50")


@pytest.mark.parametrize("dies", [0, 1])
def test_a_tap_at_the_moment_of_a_kill_is_on_every_screen_within_five_seconds(
    company: Company, house: ScaledHouse, dies: int
):
    """Whichever process it went to: the phone keeps it and sends it again, and it happens once."""
    people = company.bout(Ana=7, Ben=13, Cleo=17, Dora=18)
    company.look()
    for person in people:
        person.expects_trouble(TROUBLE)
    ana, taps = people[0], len(company.events("Rolled"))
    house.processes[dies].send_signal(signal.SIGKILL)
    killed_at = time.monotonic()
    house.dice_fall(5)
    ana.presses("#roll")
    house.processes[dies].wait()
    while len(company.events("Rolled")) == taps and time.monotonic() < killed_at + BACK_WITHIN:
        ana.page.wait_for_timeout(50)
    company.catch_up()
    took = time.monotonic() - killed_at
    print(f"\nprocess {dies} killed: on four screens after {took:.2f} s")
    try:
        assert took < BACK_WITHIN
        assert len(company.events("Rolled")) == taps + 1
    finally:
        house.processes[dies] = house.serves(house.ports[dies])
        house.waits_for(house.ports[dies], time.monotonic() + 120)
