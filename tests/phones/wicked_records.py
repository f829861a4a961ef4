"""What is kept of a chapter that was played: its page, its book, its file at another table."""

from __future__ import annotations

import zipfile
from pathlib import Path

from tests.phones import arriving
from tests.phones.knave import unfolds
from tests.phones.people import Company, Person
from tests.phones.wicked import dice_of, goes_to


def it_is_all_on_record(company: Company, ben: Person, folder: Path, deed: str) -> None:
    """The chapter's page, the search, and the campaign as Markdown and as a file."""
    goes_to(ben, "table")
    ben.presses("#to-records")
    ben.presses("#chapter-1")
    for told in (
        "She cuts low, and the rope with it",
        "The same at the top: Sarel and Old Kesh.",
        "Imra is struck from the owe list for an advantage die.",
        "They still sing of the gate, out of tune.",
        "Imra leaves Sarel exhausted",
    ):
        ben.reads(told, where="main")
    ben.goes(f"/t/{company.code}/campaign/")
    ben.page.fill("#q", "out of tune")
    ben.presses("#search")
    ben.reads("They still sing of the gate", where=".found")
    ben.goes(f"/t/{company.code}/campaign/")
    for button, name in (("#to-markdown", "book.zip"), ("#to-file", "campaign.json")):
        with ben.page.expect_download() as download:
            ben.presses(button)
        download.value.save_as(folder / name)
    with zipfile.ZipFile(folder / "book.zip") as book:
        assert deed in book.read("chapter-001.md").decode()


def another_table_takes_it_in(company: Company, folder: Path, deed: str) -> None:
    """Fay brings the file in at a table of hers: everybody and everything is there."""
    fay = company.person("Fay")
    arriving.opens(fay, "wicked_age")
    fay.goes(f"/t/{fay.code}/campaign/")
    unfolds(fay, "#bring-in")
    fay.page.set_input_files("#file", folder / "campaign.json")
    with fay.page.expect_navigation():
        fay.presses("#bring")
    fay.goes(f"/t/{fay.code}/campaign/1/")
    fay.reads("Her son's murderer is found", where="main")
    fay.reads(deed, where="main")
    assert dice_of(fay, "Imra") == dice_of(company.people[0], "Imra")
