"""A server, a Chromium and a company of people with phones.

Playwright's loop owns the thread while it runs, so it lasts for this package
and no longer: tests elsewhere have a thread without a running loop.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from django.db import connection
from playwright.sync_api import Browser, Error, Playwright, sync_playwright

from tests.chromium import FLAGS, where
from tests.games.databases import copy_own_database
from tests.phones.house import House, house_in
from tests.phones.people import Company
from tests.phones.windows import Windows, noting_what_lasts
from tests.phones.wire import Wire


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/phones/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[House]:
    """Begin with the tests' own database where there is one: each worker would migrate a house."""
    folder = tmp_path_factory.mktemp("house")
    if connection.vendor == "sqlite":
        copy_own_database(folder / "taproom.sqlite3")
    yield from house_in(folder)


@pytest.fixture(scope="package")
def browser(house: House) -> Iterator[Browser]:
    """Launch it after the house, which needs a database and a thread without a running loop."""
    with sync_playwright() as playwright:
        browser = _launched(playwright)
        yield browser
        browser.close()


def _launched(playwright: Playwright) -> Browser:
    try:
        return playwright.chromium.launch(executable_path=where(), args=FLAGS)
    except Error as error:
        why = f"THE PHONE TESTS NEED CHROMIUM, AND THERE IS NONE: {error}"
        if os.environ.get("TAPROOM_REQUIRE_SERVICES") == "1":
            pytest.fail(why)
        pytest.skip(why)


@pytest.fixture(scope="package")
def windows(browser: Browser) -> Iterator[Windows]:
    with noting_what_lasts():
        yield Windows(browser)


@pytest.fixture
def company(windows: Windows, house: House) -> Iterator[Company]:
    """Who comes in during one test. Errors on any screen, or in the server's log, fail it."""
    said_before = len(house.log())
    company = Company(windows, house)
    yield company
    troubles = [trouble for person in company.people for trouble in person.unexpected()]
    company.go_home()
    broken = [line for line in house.log()[said_before:].splitlines() if "Traceback" in line]
    assert not troubles, "\n".join(troubles)
    assert not broken, house.log()[said_before:]


@pytest.fixture
def wire(company: Company) -> Wire:
    """A line that can be cut, as lifts and cellars cut it."""
    wire = Wire(company.house.port)
    company.on_leaving(wire.close)
    return wire
