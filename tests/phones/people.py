"""The cast with real browsers: Ana hosts, Ben, Cleo and Dora have phones, Tess is the tablet."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, Response, WebSocket, expect

from tests.chunks import Chunks
from tests.phones import arriving
from tests.phones.asking import Cookies
from tests.phones.house import House
from tests.phones.slow_lines import HELD_BACK, SLOW_LINE
from tests.phones.windows import Window, Windows, listen, wait_for

# Without the service worker's own requests and without motion, unless a test is about them: each
# frame of each window is drawn by the processor.
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "locale": "en-GB",
    "service_workers": "block",
    "reduced_motion": "reduce",
}
TABLET: dict[str, Any] = {"viewport": {"width": 1180, "height": 820}}
SHOWN_SEQ = "(seq) => Number(document.querySelector('main')?.dataset.seq) >= seq"
LIVE = """() => document.readyState === 'complete'
  && document.querySelector('html[data-line="on"] main[data-page]')"""
# What a browser says of a request that the house refused, or that had no network: the tests that
# provoke it say so with `expects_trouble`.
REFUSED = re.compile(r"the server responded with a status of 4\d\d|Response Status Error Code 4")
NO_NETWORK = re.compile(r"ERR_|WebSocket connection|htmx:(sendError|afterRequest)")


@dataclass(frozen=True)
class Answered:
    """How the house answered a tap: a status as HTTP's, and words where there are any."""

    status: int
    text: Callable[[], str]


class Person:
    """Somebody with a browser of their own, who taps what is on the screen and reads it."""

    def __init__(self, name: str, company: Company, looks: dict[str, Any]) -> None:
        self.name = name
        self.looks = looks
        self.locale = str(looks["locale"])
        self.company = company
        self.cookies = Cookies()
        self.house = company.house
        self.address = self.house.address
        self.lag = 0  # milliseconds each way
        self.code = ""
        self.token = ""  # what its forms are sent with (`arriving`)
        self.waits_at = ""  # where its page is opened as soon as anybody looks
        self.frames: list[str] = []  # every message that its sockets heard
        self.answers: list[Response] = []  # of requests, where they are kept
        self.answered: list[Answered] = []  # taps, by the socket or by a request
        self.troubles: list[str] = []
        self._expected: list[re.Pattern[str]] = []
        self._window: Window | None = None
        self._page: Page | None = None

    # --- the browser ---------------------------------------------------------------------------

    @property
    def window(self) -> Window:
        """The browser, which nobody has before somebody looks."""
        if self._window is None:
            self._window = self.company.windows.take(self.looks)
            self._window.owner = self
            # Nobody else takes over what knows another address of the house.
            self._window.is_spent = self.address != self.house.address
            self.cookies.move_into(self._window.context)
        return self._window

    def goes_home(self) -> None:
        """Give the browser back, if there is one."""
        if self._window is not None:
            self.company.windows.give_back(self._window, self.house.address)

    @property
    def page(self) -> Page:
        """The window. With the first that anybody looks at all are opened who have come by then."""
        if self._page is None:
            self._page = self.window.page()
        self.company.look()
        return self._page

    @property
    def context(self) -> BrowserContext:
        """The browser: nobody takes over one that a test has laid hands on."""
        self.window.is_spent = True
        return self.window.context

    @property
    def has_window(self) -> bool:
        return self._page is not None

    def opens_page(self) -> None:
        """Open the browser again, whose only page was closed."""
        self._page = self.window.page()

    def hears_console(self, message: Any) -> None:
        if message.type == "error":
            self.troubles.append(f"console: {message.text}")

    def hears_pageerror(self, error: Exception) -> None:
        self.troubles.append(f"error in the page: {error}")

    def hears_websocket(self, socket: WebSocket) -> None:
        chunks = Chunks()

        def hear(frame: str | bytes) -> None:
            if not (text := chunks.whole(str(frame))):
                return
            self.frames.append(text)
            if text.startswith('{"did":'):
                told = json.loads(text)
                self.answered.append(Answered(told["status"], lambda: str(told["html"])))

        socket.on("framereceived", hear)

    def _hear_answer(self, response: Response) -> None:
        if response.url.endswith("/act/"):
            self.answered.append(Answered(response.status, response.text))

    def keeps_answers(self) -> None:
        """From now on keep every answer in `answers`: telling of each costs the driver a while."""
        self.page.on("response", self._keep_answer)

    def _keep_answer(self, response: Response) -> None:
        self.answers.append(response)

    def expects_trouble(self, pattern: re.Pattern[str]) -> None:
        """Say that this test provokes such messages in the console."""
        self._expected.append(pattern)

    def unexpected(self) -> list[str]:
        return [
            f"{self.name}: {trouble}"
            for trouble in self.troubles
            if not any(pattern.search(trouble) for pattern in self._expected)
        ]

    def goes(self, path: str) -> None:
        self.waits_at = ""
        self.page.goto(self.address + path)

    def sees(self, selector: str, **filters: Any) -> Locator:
        return self.page.locator(selector, **filters)

    def reads(self, text: str | re.Pattern[str], where: str = "body") -> None:
        """Wait until it stands there."""
        expect(self.sees(where)).to_contain_text(text, timeout=8000)

    def presses(self, selector: str) -> None:
        """Touch it with a finger."""
        self.sees(selector).tap()

    def taps(self, selector: str) -> int:
        """Press what acts at the table, and return how the house answered."""
        status = self.is_answered(lambda: self.presses(selector)).status
        if status == 204:
            self.catches_up()
        return status

    def is_answered(self, act: Callable[[], None]) -> Answered:
        """Do what sends a tap, and return the answer to it."""
        before, until = len(self.answered), time.monotonic() + 8
        page = self.page
        listen(page, "response", self._hear_answer)
        act()
        while len(self.answered) == before:
            assert time.monotonic() < until, f"{self.name}'s tap was never answered"
            page.wait_for_timeout(15)
        page.remove_listener("response", self._hear_answer)
        return self.answered[before]

    def posts_taps(self) -> None:
        """From now on each tap is a request of its own, as where the socket is not open."""
        self.page.evaluate("document.querySelector('main').dataset.code += '-'")

    def catches_up(self) -> None:
        """Wait until this screen shows everything that the log holds now."""
        self.shows(self.house.one("select seq from games_table where code = ?", self.code))

    def shows(self, seq: int) -> None:
        wait_for(self.page, SHOWN_SEQ, seq)

    # --- arriving ------------------------------------------------------------------------------

    def opens_table(self, rules: str = "brave_or_knave") -> str:
        """Open a table from the front page, and return its code."""
        self.goes("/")
        self.page.fill("#host_name", self.name)
        self.presses(f'label[for="rules-{rules}"]')
        self.presses("#open")
        self.is_live()
        self.code = self.sees("main").get_attribute("data-code") or ""
        return self.code

    def joins(self, code: str) -> None:
        """Type the code on the front page, then a name."""
        self.goes("/")
        self.page.fill("#code", code)
        self.presses("#join")
        self.sits_down(code)

    def scans(self, code: str) -> None:
        """Open the address that the table's QR code holds, then say a name."""
        key = self.house.one("select key from games_table where code = ?", code)
        self.goes(f"/j/{key}/")
        self.sits_down(code)

    def sits_down(self, code: str) -> None:
        self.page.fill("#name", self.name)
        self.presses("#sit")
        self.code = code
        self.is_live()

    def is_the_screen(self, code: str) -> None:
        self.goes(f"/t/{code}/screen/")
        self.presses("#as-screen")
        self.code = code
        self.is_live()

    def is_live(self) -> None:
        """Wait until the socket has drawn this page."""
        wait_for(self.page, LIVE)

    # --- playing -------------------------------------------------------------------------------

    @property
    def index(self) -> int:
        """This player's place in the bout, as buttons about them count it."""
        return int(
            self.house.one(
                'select e."order" from games_entrant e join games_game g on g.id = e.game_id'
                " join games_table t on t.id = g.table_id"
                " where t.code = ? and e.guild_name = ? order by g.id desc",
                self.code,
                self.name,
            )
        )

    def picks(self, number: int) -> int:
        return self.taps(f"#number-{number}")

    def begins(self) -> None:
        """Begin the bout; Ana, who sits first, has the die."""
        self.house.dice_fall(1)
        self.taps("#start")

    def rolls(self, face: int) -> None:
        """Tap the die; it falls as said."""
        self.sees("#roll").wait_for()
        self.house.dice_fall(face)
        self.taps("#roll")

    def shouts(self, call: str) -> None:
        """Shout, and wait until nobody else can have been first."""
        self.taps(f"#shout-{call}")
        self.is_in("challenge")

    def is_in(self, phase: str) -> None:
        where = "#table-centre" if self.sees("#table-centre").count() else "#stage"
        expect(self.sees(where)).to_have_attribute("data-phase", phase, timeout=8000)
        self.catches_up()

    def knocks(self, times: int = 3) -> None:
        for _knock in range(times):
            self.taps("#knock")

    def names(self, other: Person, call: str) -> None:
        self.taps(f"#name-{other.index}-{call}")

    def gives_up(self, finger: str) -> None:
        self.taps(f"#finger-{finger}")

    # --- at an instant -------------------------------------------------------------------------

    def has_a_clock(self) -> None:
        """Wait until the house has measured this phone's line, and the phone knows it."""
        until = time.monotonic() + 10
        while not any('"note":' in frame for frame in self.frames):
            assert time.monotonic() < until, f"{self.name}'s line was never measured"
            self.page.evaluate("dispatchEvent(new Event('online'))")  # asks the time at once
            self.page.wait_for_timeout(100 + 4 * self.lag)

    def holds_back(self, milliseconds: int) -> None:
        self.page.evaluate(HELD_BACK, milliseconds)


class Company:
    """Everybody in one test. Whatever went wrong on any of their screens fails it."""

    def __init__(self, windows: Windows, house: House) -> None:
        self.windows = windows
        self.house = house
        self.people: list[Person] = []
        self.code = ""
        self._leftovers: list[Callable[[], None]] = []
        house.dice_fall()

    def person(self, name: str, address: str = "", lag: int = 0, **options: Any) -> Person:
        """A newcomer with an empty browser of their own, and a line that long each way."""
        person = Person(name, self, {**PHONE, **options})
        if address:
            person.address = address
        if lag:
            person.context.add_init_script(f"{SLOW_LINE}({lag})")
        person.lag = lag
        self.people.append(person)
        return person

    def ana(self, **options: Any) -> Person:
        """Ana, at a table that she has just opened."""
        ana = self.person("Ana", **options)
        self.code = arriving.opens(ana)
        return ana

    def joined(self, name: str, **options: Any) -> Person:
        person = self.person(name, **options)
        arriving.sits_down(person, self.code)
        return person

    def tess(self, **options: Any) -> Person:
        """The shared tablet."""
        tess = self.person("Tess", **{**TABLET, **options})
        arriving.sits_down(tess, self.code, "screen")
        return tess

    def look(self) -> None:
        """Open the pages of all who have come by requests: they are live from then on.

        A test says so where something that they must hear of happens before the first tap.
        """
        for person in self.people:
            if path := person.waits_at:
                person.waits_at = ""
                person.page.goto(person.address + path, wait_until="commit")
                person.is_live()

    def only(self, *looking: Person) -> None:
        """Say that of those who have come nobody else will look at a screen: none is drawn."""
        for person in self.people:
            if person not in looking:
                person.waits_at = ""

    def catch_up(self) -> None:
        """Wait until every screen shows everything that the log holds now."""
        for person in self.people:
            if person.code and person.has_window:
                person.catches_up()

    def bout(self, lags: dict[str, int] | None = None, **numbers: int) -> list[Person]:
        """A bout has begun: Ana has the die, the others sit clockwise in the order given."""
        _first, *others = numbers
        people = [self.ana(), *(self.joined(one, lag=(lags or {}).get(one, 0)) for one in others)]
        self.begins({person: numbers[person.name] for person in people})
        return people

    def begins(self, numbers: dict[Person, int]) -> None:
        """Begin a bout by requests: these play, and the first of them has the die."""
        for person, number in numbers.items():
            arriving.posts(person, "pick_number", number=number)
        self.house.dice_fall(1)
        arriving.posts(next(iter(numbers)), "start_bout")
        self.catch_up()

    def on_leaving(self, do: Callable[[], None]) -> None:
        self._leftovers.append(do)

    def go_home(self) -> None:
        for person in self.people:
            person.goes_home()
        for do in self._leftovers:
            do()

    def events(self, kind: str) -> list[dict[str, Any]]:
        """What the log holds of one kind at this table."""
        rows = self.house.rows(
            "select e.data from games_event e join games_table t on t.id = e.table_id"
            " where t.code = ? and e.kind = ? order by e.seq",
            self.code,
            kind,
        )
        return [json.loads(row["data"]) for row in rows]
