"""Whether an old campaign's pages open as quickly as a young one's.

`python -m bench.campaign_pages`: two tables in one database, of 3 chapters and of 100 with 20,000
moments, the chapters all of one make. Prints each page's median for both and their ratio, and exits
with 1 when one is above 1.5. It counts this process's time, SQLite's work included, so that what
else the machine does meanwhile is not in it.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402

from campaigns.models import Moment  # noqa: E402
from games import snapshot  # noqa: E402
from games.live.drawing import draw_all  # noqa: E402
from games.live.viewers import Viewer  # noqa: E402
from games.models import Table  # noqa: E402
from tests.campaigns import yearbook  # noqa: E402
from tests.games.party import Person  # noqa: E402

TIMES = 25
MOST = 1.5
YOUNG, OLD = 3, 100

PAGES = {
    "phone": "",
    "the GM's page": "gm/",
    "a sheet": "character/{pc}/",
    "the chapter on paper": "chapter/print/",
    "chapters": "campaign/",
    "chapters as the story runs": "campaign/?order=story",
    "chapters, the last page": "campaign/?page={last}",
    "a chapter": "campaign/{chapter}/",
    "a chapter, page 2": "campaign/{chapter}/?page=2",
    "a chapter, one fight": "campaign/{chapter}/?fight=2",
    "rewriting a chapter": "campaign/{chapter}/tell/",
    "everybody": "campaign/people/",
    "a character": "campaign/people/{pc}/",
    "an NPC": "campaign/people/{npc}/",
    "the owe list": "campaign/owed/",
    "search, much is found": "campaign/search/?q=well",
    "search, one thing is found": "campaign/search/?q=pozo+año+2!",
    "search, nothing is found": "campaign/search/?q=xylophone",
    "a volume of the book": "campaign/book/",
    "a fight's record": "campaign/{chapter}/fight/1/",
}


class Years:
    """A table whose campaign has gone on for so many chapters."""

    def __init__(self, chapters: int) -> None:
        self.erin, self.tess = Person("Erin"), Person("Tess")
        table = self.erin.opens_table(f"{chapters} chapters")
        for name in yearbook.PLAYERS:
            Person(name).joins(table)
        self.tess.joins(table, role="screen")
        Table.objects.filter(pk=table.pk).update(rules="wicked_age")
        campaign = yearbook.brought_in(table, yearbook.year(chapters))
        yearbook.logged(campaign)
        chapter = chapters - 1
        self.told = {
            "chapter": chapter,
            "pc": yearbook.pcs_of(chapters)[0],
            "npc": yearbook.npcs_of(chapter)[0],
            "last": -(-chapters // 10),
        }

    def opens(self, path: str) -> None:
        """Let Erin open a page."""
        address = f"/t/{self.erin.code}/{path.format(**self.told)}"
        answer = self.erin.client.get(address)
        assert answer.status_code == 200, (address, answer.status_code)

    def tablet(self) -> None:
        """Open the shared screen."""
        assert self.tess.client.get(f"/t/{self.tess.code}/screen/").status_code == 200

    def pushes(self) -> None:
        """Read the table and draw it for everybody, as after each tap."""
        table = self.erin.table
        pages = {"gm": "gm", "player": "phone", "screen": "screen"}
        viewers = {
            Viewer(pages[seat.role], seat.number, seat.device_id)
            for seat in table.seats.all()
            if seat.device_id
        }
        now = snapshot.load(table.pk)
        assert len(draw_all(now, viewers, {})) == len(viewers)


def main() -> int:
    call_command("migrate", verbosity=0)
    young, old = Years(YOUNG), Years(OLD)
    print(f"{YOUNG} and {OLD} chapters, {Moment.objects.count()} moments; milliseconds, medians")
    things: dict[str, Callable[[Years], Any]] = {
        name: partial(Years.opens, path=path) for name, path in PAGES.items()
    }
    things |= {"the tablet": Years.tablet, "a push to five devices": Years.pushes}
    ratios = []
    for name, do in things.items():
        before, after = medians(partial(do, young), partial(do, old))
        ratios.append(after / before)
        mark = "  too slow" if ratios[-1] > MOST else ""
        print(f"{name:<28}{before:8.1f}{after:8.1f}{ratios[-1]:8.2f}{mark}")
    print(f"{'at most':<44}{max(ratios):8.2f}")
    return 1 if max(ratios) > MOST else 0


def medians(*ways: Callable[[], Any]) -> list[float]:
    """Return each way's median time in milliseconds; they take turns."""
    times: list[list[float]] = [[] for _way in ways]
    for turn in range(TIMES + 2):
        for way, taken in zip(ways, times, strict=True):
            start = time.process_time()
            way()
            if turn >= 2:
                taken.append((time.process_time() - start) * 1000)
    return [statistics.median(taken) for taken in times]


if __name__ == "__main__":
    try:
        code = main()
    finally:
        shutil.rmtree(settings.DATA_DIR, ignore_errors=True)
    sys.exit(code)
