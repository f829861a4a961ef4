"""The years of a campaign, told: a chronicle of what happened or as somebody wrote it, the book of
all chapters, and Markdown to take along."""

from __future__ import annotations

import io
import re
import zipfile
from html import unescape

import pytest

from campaigns.models import PROSE, Chapter, Character, Interest, Moment, Part
from tests.campaigns import yearbook
from tests.campaigns.brawl import brawl_of, duel
from tests.campaigns.reading import reads, status, tess_of
from tests.campaigns.saga import all_rows
from tests.campaigns.troupe import Troupe
from tests.games.party import Person, notice


# --- the chronicle -------------------------------------------------------------------------------
def test_a_chronicle_is_written_from_what_happened(troupe: Troupe):
    """A paragraph for a scene and for a fight; of a fight, not its rolls."""
    brawl = duel(brawl_of(troupe))
    troupe.do(troupe.erin, "open_scene", where="The ford")
    brawl.rolls("Amek", 5, 6).rolls("Mekha", 6, 9)
    brawl.moves("Mekha", "Amek", says="Twists his wrist")
    told = reads(troupe.amy, "1/").split("What happened", 1)[1].split("Cast", 1)[0]
    assert "Amek: Pulls Mekha out by his hair. In the way: Mekha." in told
    assert "A scene: The ford." in told
    assert "“Twists his wrist”" in told
    assert "rolls" not in told


def test_a_chronicle_is_rewritten_by_anybody_who_plays_and_set_back(years: Troupe):
    address = f"/t/{years.table.code}/campaign/2/tell/"
    as_it_was = reads(years.amy, "2/")
    text = "It was <b>cold</b>.\r\n\r\nNobody came. Ñandú."
    assert years.amy.client.post(address, {"text": text, "tap": "tell-1"}).status_code == 302
    page = years.tom.sees("campaign/2/")
    assert "<p>It was &lt;b&gt;cold&lt;/b&gt;.</p><p>Nobody came. Ñandú.</p>" in page
    assert "It was &lt;b&gt;cold&lt;/b&gt;.\n\nNobody came." in years.tom.sees("campaign/2/tell/")
    years.undoes("chronicle_written")
    assert reads(years.amy, "2/") == as_it_was
    for tap, sent in (("tell-2", {"text": text}), ("tell-3", {"text": text, "reset": "1"})):
        years.amy.client.post(address, {**sent, "tap": tap})
    assert reads(years.amy, "2/") == as_it_was


def test_of_two_who_rewrite_a_chapter_at_once_neither_loses_a_word(years: Troupe):
    """Whoever is later reads what the other has written before it gives way."""
    address = f"/t/{years.table.code}/campaign/2/tell/"
    opened = [given_by(person.sees("campaign/2/tell/")) for person in (years.amy, years.tom)]
    for person, text, was, code in (
        (years.amy, "It was cold.", opened[0], 302),
        (years.tom, "It was hot.", opened[1], 409),
    ):
        answer = person.client.post(address, {"text": text, "tap": f"tell-{code}", "was": was})
        assert answer.status_code == code
    page = answer.content.decode()
    assert ">It was hot.</textarea>" in page
    assert "<p>It was cold.</p>" in page
    assert Chapter.objects.get(number=2).told == "It was cold."
    again = {"text": "It was hot.", "tap": "tell-2", "was": given_by(page)}
    assert years.tom.client.post(address, again).status_code == 302
    assert Chapter.objects.get(number=2).told == "It was hot."


def given_by(page: str) -> str:
    """Return the mark of the text that a page's form was given."""
    return page.split('name="was" value="', 1)[1].split('"', 1)[0]


def test_what_was_happening_stands_ready_to_be_rewritten(years: Troupe):
    page = years.amy.sees("campaign/2/tell/")
    typed = unescape(page.split("<textarea", 1)[1].split(">", 1)[1].split("</textarea>", 1)[0])
    assert typed.split("\n\n")[0].startswith("Chapter 2 begins")


@pytest.mark.parametrize("letter", ["x", "ж"])
def test_a_chronicle_too_long_is_refused_with_what_was_typed(years: Troupe, letter: str):
    """Also in letters that take several bytes each."""
    text = letter * (PROSE + 1)
    address = f"/t/{years.table.code}/campaign/2/tell/"
    before = all_rows()
    answer = years.amy.client.post(address, {"text": text, "tap": "tell-1"})
    assert answer.status_code == 422
    assert text in answer.content.decode()
    assert "too long" in notice(answer)
    assert all_rows() == before
    assert years.amy.client.post(address, {"text": text[:-1], "tap": "tell-2"}).status_code == 302


def test_the_telling_form_sends_long_texts_whole(years: Troupe):
    """As a part of several: encoded as an address, 60,000 letters would not go through the door."""
    assert 'method="post" class="stack" enctype="multipart/form-data"' in years.amy.sees(
        "campaign/2/tell/"
    )


def test_the_shared_screen_and_strangers_write_no_chronicle(years: Troupe):
    address = f"/t/{years.table.code}/campaign/2/tell/"
    before = all_rows()
    for person, code in ((tess_of(years), 403), (Person("Cleo"), 404)):
        before = all_rows()
        answer = person.client.post(address, {"text": "Mine", "tap": "tell-1"})
        assert answer.status_code == code
        assert all_rows() == before
    assert "Mine" in tess_of(years).client.post(address, {"text": "Mine"}).content.decode()


def test_a_moment_that_no_sentence_fits_is_passed_over(years: Troupe):
    """Years later an event may have other fields than its sentence wants."""
    chapter = Chapter.objects.get(number=2)
    before = reads(years.amy, "2/")
    for kind, data in (("harm_settled", {"name": 3}), ("pie_eaten", {}), ("dice_fell", {})):
        Moment.objects.create(chapter=chapter, number=0, kind=kind, data=data)
    assert (
        reads(years.amy, "2/", page=1).split("What happened")[0] == before.split("What happened")[0]
    )
    for page in ("book/", "markdown/", "2/tell/"):
        assert status(years.amy, page) == 200


# --- the book ------------------------------------------------------------------------------------
def test_the_book_tells_chapters_in_volumes_or_all_at_once(years: Troupe):
    yearbook.brought_in(years.table, yearbook.year(7, moments=20))
    first, last = reads(years.amy, "book/"), reads(years.amy, "book/", page=3)
    assert "The well at Tuar 1" in first
    assert "The well at Tuar 4" not in first
    assert "Volume 3" in last
    assert "The well at Tuar 7" in last
    whole = reads(years.amy, "book/", all=1, order="story")
    at = [whole.index(f"The well at Tuar {n} ") for n in (1, 3, 2, 4, 6, 5, 7)]
    assert at == sorted(at)


# --- Markdown ------------------------------------------------------------------------------------
def archive_of(person: Person) -> dict[str, str]:
    answer = person.client.get(f"/t/{person.code}/campaign/markdown/")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        assert {one.compress_type for one in archive.infolist()} == {zipfile.ZIP_DEFLATED}
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_every_link_in_the_archive_leads_somewhere(years: Troupe):
    files = archive_of(years.amy)
    assert {"README.md", "chapter-001.md", "character-004.md"} <= set(files)
    for name, text in files.items():
        for target in re.findall(r"(?<!\\)\]\(([^)]+)\)", text):
            assert target in files, (name, target)
    linked = set(re.findall(r"\]\(([^)]+)\)", files["README.md"]))
    assert linked == set(files) - {"README.md"}


def test_peoples_markup_is_read_as_words(years: Troupe):
    """Nothing that is typed becomes a link, a picture, a heading, a list or HTML."""
    evil = "# [x](http://evil) ![y](z) <script>* **b** | `c` ~~d~~ &amp; http://e.vil"
    Chapter.objects.filter(number=1).update(
        title=evil[:60],
        told=f"1. one\n- two\n+ three\n=== \n    code\n> said\n\n{evil}",
        end_note=evil,
    )
    Character.objects.filter(number=1).update(name="__init__[1](2)", description=f"1) {evil}")
    Part.objects.filter(chapter__number=1).update(epilogue=evil)
    Interest.objects.filter(chapter__number=1).update(text=evil)
    files = archive_of(years.amy)
    for text in (files["chapter-001.md"], files["README.md"], files["character-001.md"]):
        for one in (
            r"<script>",
            r"\*\*b",
            r"`c",
            r"~~d",
            r"!\[y",
            r"\]\(http",
            r"\]\(2",
            r"__i",
            "&amp",
        ):
            assert not re.search(rf"(?<!\\){one}", text), one
        body = re.sub(r"^#+ .*$|^- |^\d+\. \[", "", text, flags=re.MULTILINE)
        assert not re.search(r"^\s{0,3}(#|>|-|\+|=|1[.)])", body, flags=re.MULTILINE)
        assert not re.search(r"^ {4}", body, flags=re.MULTILINE)
