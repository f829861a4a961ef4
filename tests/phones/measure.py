"""How quick it is, by the clock: `python -m tests.phones.measure` prints what it measured.

Not a test: numbers of one machine. Seven devices at one table, all of them real browsers.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.chromium import FLAGS, where
from tests.phones.house import House
from tests.phones.people import TABLET, Company, Person
from tests.phones.windows import Windows

PRESSES = 30
# Notes on the page itself when it drew which number of the log.
WATCH = """() => {
  const main = document.querySelector('main');
  window.drawnAt = {};
  new MutationObserver(() => { window.drawnAt[main.dataset.seq] ??= Date.now(); })
    .observe(main, { attributes: true, attributeFilter: ['data-seq'] });
}"""
# Presses a button, and returns the instant.
PRESS = (
    "selector => { const at = Date.now(); document.querySelector(selector).click(); return at; }"
)
NAMES = ["Ana", "Ben", "Cleo", "Dora", "Edda", "Finn"]


def press_to_drawn(everyone: list[Person], house: House, company: Company) -> list[list[float]]:
    """Return, for each press, how many milliseconds later each device had drawn it."""
    waits = []
    for turn in range(PRESSES):
        person = everyone[turn % len(NAMES)]
        before = house.one("select seq from games_table where code = ?", company.code)
        at = person.page.evaluate(PRESS, f"#number-{2 + turn % 18}")
        for p in everyone:
            p.shows(before + 1)
        drawn = [p.page.evaluate(f"window.drawnAt[{before + 1}]") for p in everyone]
        waits.append([d - at for d in drawn])
    return waits


def main() -> None:
    house = House(Path(tempfile.mkdtemp())).opens()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=where(), args=FLAGS)
            company = Company(Windows(browser), house)
            company.ana()
            seated = []
            for name in NAMES[1:]:
                person = company.person(name)
                start = time.monotonic()
                person.scans(company.code)
                seated.append(time.monotonic() - start)
            tess = company.person("Tess", **TABLET)
            tess.is_the_screen(company.code)
            for person in company.people:
                person.page.evaluate(WATCH)
            waits = press_to_drawn(company.people, house, company)
            company.go_home()
            browser.close()
    finally:
        house.closes()
    last = sorted(max(row) for row in waits)
    own = sorted(row[i % len(NAMES)] for i, row in enumerate(waits))
    for label, numbers in (("own phone", own), ("last of seven", last)):
        median, p95 = statistics.median(numbers), numbers[int(len(numbers) * 0.95)]
        print(f"press to drawn, {label}: median {median:.0f} ms, 95 % {p95:.0f} ms")
    print("QR link to seated and live: " + ", ".join(f"{s:.2f} s" for s in seated))


if __name__ == "__main__":
    main()
