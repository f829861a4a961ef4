"""The disk of the house is full: whoever taps is told so, keeps what was tapped, and it counts."""

from __future__ import annotations

import os
import re
import resource
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.phones.house import House
from tests.phones.people import Company

pytestmark = pytest.mark.skipif(
    os.environ.get("TAPROOM_SCALED") == "1",
    reason="PostgreSQL writes elsewhere: tests/keeping/test_postgres_killed.py kills it",
)
IN_TROUBLE = re.compile(r"status of 503|Response Status Error Code 503")


@contextmanager
def full_disk(house: House) -> Iterator[None]:
    """Let no file of the house grow."""
    was = {p.pid: resource.prlimit(p.pid, resource.RLIMIT_FSIZE) for p in house.processes}
    try:
        for pid, (_now, most) in was.items():
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, most))
        yield
    finally:
        for pid, limits in was.items():
            resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)


def test_what_was_tapped_on_a_full_disk_is_kept_by_the_phone_and_done_once(
    company: Company,
) -> None:
    ana, ben = company.ana(), company.joined("Ben")
    company.look()
    ana.expects_trouble(IN_TROUBLE)
    before = len(company.events("number_picked"))
    with full_disk(company.house):
        ana.presses("#number-7")
        ana.reads("The house cannot write anything down just now", where="#notice")
        ana.reads("this phone sends it again by itself", where="#notice")
        expect(ana.sees("html")).to_have_attribute("data-unsent", "")
        assert ana.sees("html").get_attribute("data-line") != "off", "the socket stays up"
        assert len(company.events("number_picked")) == before
    # By itself: nobody taps again.
    expect(ana.sees("html")).not_to_have_attribute("data-unsent", "", timeout=10_000)
    assert len(company.events("number_picked")) == before + 1
    ben.catches_up()
    ana.catches_up()
