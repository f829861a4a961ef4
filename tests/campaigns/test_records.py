"""The years of a campaign: chapters, people, the owe list, search, chronicle, book, Markdown."""

from __future__ import annotations

import io
import json
import re
import zipfile
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.models import PROSE, Chapter, Character, Interest, Moment, Part, Sequence
from campaigns.services.sequence_record import full_record
from games.models import Table
from games.rules import records
from tests.campaigns import yearbook
from tests.campaigns.brawl import brawl_of, duel
from tests.campaigns.conftest import SagaAt, TroupeWhere
from tests.campaigns.saga import all_rows
from tests.campaigns.troupe import Troupe, fresh
from tests.games.party import Person, notice
from tests.sizes import size

PAGES = (
    "campaign/",
    "campaign/?order=story",
    "campaign/2/",
    "campaign/2/?page=2",
    "campaign/2/?fight=2",
    "campaign/2/tell/",
    "campaign/people/",
    "campaign/people/1/",
    "campaign/people/7/",
    "campaign/owed/",
    "campaign/search/",
    "campaign/search/?q=well",
    "campaign/book/",
    "campaign/book/?all=1&order=story",
)
FILES = ("campaign/markdown/", "campaign/file/", "campaign/file/?lines=1", "campaign/2/fight/1/")


def three_years(troupe: Troupe) -> None:
    """The troupe's table with a campaign of three chapters, the last one under way."""
    yearbook.brought_in(troupe.table, yearbook.year(3, moments=80))


@pytest.fixture
def years(troupe_where: TroupeWhere) -> Troupe:
    return troupe_where(three_years)


def tess_of(troupe: Troupe) -> Person:
    """Lay the shared tablet down."""
    tess = Person("Tess")
    tess.joins(troupe.table, role="screen")
    return tess


def opens(person: Person, place: str, /, **asked: Any) -> str:
    answer = person.client.get(f"/t/{person.code}/campaign/{place}", asked)
    assert answer.status_code == 200, (place, answer.status_code)
    return answer.content.decode()


def reads(person: Person, place: str, /, **asked: Any) -> str:
    """Return the words of a page of the records."""
    html = opens(person, place, **asked)
    inside = re.sub(r"<[^>]+>", " ", html.split("<main", 1)[1].split(">", 1)[1])
    return " ".join(unescape(inside).split())


def status(person: Person, page: str) -> int:
    code: int = person.client.get(f"/t/{person.code}/campaign/{page}").status_code
    return code


# --- who may read --------------------------------------------------------------------------------
def test_everybody_at_the_table_reads_everything_and_a_stranger_nothing(years: Troupe):
    tess, cleo = tess_of(years), Person("Cleo")
    for page in (*PAGES, *FILES):
        address = f"/t/{years.table.code}/{page}"
        for person in (years.erin, years.amy, tess):
            assert person.client.get(address).status_code == 200, (person, page)
        assert cleo.client.get(address).status_code == 404, page


def test_pages_are_in_the_readers_language(years: Troupe):
    """Sentences of what happened too: they are written when they are read."""
    ana = Person("Ana", language="es")
    ana.joins(years.table)
    assert "Chapter" not in reads(ana, "2/").replace("Chapters", "")


def test_the_shared_screen_is_not_offered_to_write(years: Troupe):
    assert 'id="rewrite"' not in tess_of(years).sees("campaign/2/")
    assert 'id="rewrite"' in years.amy.sees("campaign/2/")


def test_only_the_gm_is_offered_to_bring_a_campaign_in(years: Troupe):
    assert 'id="bring-in"' in years.erin.sees("campaign/")
    assert 'id="bring-in"' not in years.amy.sees("campaign/")


def test_the_games_records_lead_to_the_campaigns(years: Troupe):
    assert f"/t/{years.table.code}/campaign/" in years.amy.sees("records/")


# --- nothing there yet ---------------------------------------------------------------------------
def test_a_table_without_a_campaign_is_told_how_one_begins(saga_at: SagaAt):
    saga = saga_at("bare")
    assert "no campaign yet" in reads(saga.amy, "")
    assert 'id="bring-in"' in saga.erin.sees("campaign/")
    for page in ("people/", "owed/", "search/?q=a", "book/", "markdown/", "file/", "1/", "1/tell/"):
        assert status(saga.amy, page) == 404, page


def test_a_campaign_without_a_chapter_has_its_pages(troupe: Troupe):
    assert "No chapter has begun yet" in reads(troupe.amy, "")
    assert "Nobody yet" in reads(troupe.amy, "people/")
    assert "Nobody is owed" in reads(troupe.amy, "owed/")
    assert "Nothing found" in reads(troupe.amy, "search/", q="well")
    for page in ("book/", "book/?all=1", "markdown/", "file/", "search/"):
        assert status(troupe.amy, page) == 200, page


@pytest.mark.parametrize("number", ["0", "4", "99999999999999999999999"])
def test_what_is_not_there_is_not_found(years: Troupe, number: str):
    for page in (f"{number}/", f"{number}/tell/", f"{number}/fight/1/", "2/fight/77/"):
        assert status(years.amy, page) == 404, page
    assert status(years.amy, f"people/{number}77/") == 404


@pytest.mark.parametrize("page", ["0", "-1", "99999", "two", "²", "9" * 30])
def test_a_page_that_is_none_is_another(years: Troupe, page: str):
    for place in ("", "people/", "owed/", "2/", "people/1/", "book/", "search/?q=well"):
        join = "&" if "?" in place else "?"
        assert status(years.amy, f"{place}{join}page={page}&fight={page}") == 200, place


# --- chapters ------------------------------------------------------------------------------------
def test_chapters_stand_as_they_were_played_or_as_the_story_runs(years: Troupe):
    """WA-93: chapter 3 lies before chapter 2."""
    played, story = reads(years.amy, ""), reads(years.amy, "", order="story")
    at = [played.index(f"The well at Tuar {n}") for n in (3, 2, 1)]
    assert at == sorted(at)
    at = [story.index(f"The well at Tuar {n}") for n in (1, 3, 2)]
    assert at == sorted(at)
    assert "before chapter 2, the year of the flood" in story
    assert "5 fights" in played
    assert "under way" in played


def test_the_list_of_chapters_says_who_played_whom(years: Troupe):
    assert "Tajie (Amy), Íñigo Peñón (Martha), Óskar (Tom)" in reads(years.amy, "")


def test_a_chapter_tells_everything_that_is_kept_of_it(years: Troupe):
    """Section 15: cards, cast and who played whom, interests, scenes, fights, how it ended."""
    told = reads(years.amy, "2/")
    for words in (
        "Bronze and Dust · the year of the flood",
        "GM: Erin",
        "2♥ A well that gives salt water, and its keeper.",
        "Tajie Amy",
        "Dice covertly d8 · directly d10 · for myself d4",
        "Changed directly d10 → d8",
        "Hawk's eyes 3 d10 (potent)",
        "To keep the well lost",
        "At the well, 3",
        "Tajie : Pulls him out of the boat by his hair, 1",
        "In it to the end: Tajie",
        "The sun went down on it.",
        "She went up the river again.",
    ):
        assert words in told, words


def test_a_chapter_under_way_shows_sheets_as_they_are(years: Troupe):
    told = reads(years.amy, "3/")
    assert "Changed directly d10 → d8" in told
    assert "Hawk's eyes 4 d10" in told
    assert "still on the table" in told


def test_a_fights_rolls_stand_alone_when_they_are_asked_for(years: Troupe):
    told = reads(years.amy, "2/", fight=2).split("Roll by roll", 1)[1]
    assert "A scene:" not in told
    assert "Amek takes up d12, d10" in told
    assert "takes up" not in reads(years.amy, "2/", fight=77)


def test_a_fights_record_replays(years: Troupe):
    data = years.amy.client.get(f"/t/{years.table.code}/campaign/2/fight/1/").content.decode()
    row = Sequence.objects.select_related("game").get(chapter__number=2, number=1)
    assert data == full_record(row)
    assert records.replay(data).rules.NAME == "wicked_sequence"


def test_a_record_of_an_imported_fight_is_only_had_from_its_chapter(years: Troupe):
    """The games' own records know nothing of what was rolled at another table."""
    running = Sequence.objects.get(is_over=False)
    answer = years.erin.client.get(f"/t/{years.table.code}/records/{running.game_id}/")
    assert answer.status_code == 404


def test_chapters_lead_to_each_other(years: Troupe):
    page = years.amy.sees("campaign/2/")
    assert f'href="/t/{years.table.code}/campaign/1/"' in page
    assert f'href="/t/{years.table.code}/campaign/3/"' in page
    assert 'id="chapter-before"' not in years.amy.sees("campaign/1/")


# --- people and the owe list ---------------------------------------------------------------------
def test_everybody_is_listed_with_player_and_chapters(years: Troupe):
    told = reads(years.amy, "people/")
    assert "Óskar Martha 2" in told
    assert "Esan 8 the GM 1" in told


def test_a_character_over_the_chapters(years: Troupe):
    """Who played her, how she came back, her dice before and after, what is owed her."""
    told = reads(years.amy, "people/4/")
    for words in (
        "Íñigo Peñón",
        "One of the reed people.",
        "Written on the owe list",
        "Came back: mended: all dice as they were made",
        "Hawk's eyes 4 d10",
    ):
        assert words in told, words
    assert told.index("The well at Tuar 3") < told.index("The well at Tuar 1")


def test_the_owe_list_with_every_entrys_birth_and_end(years: Troupe):
    """WA-81: also those that were struck, for a die or for a chapter."""
    yearbook.brought_in(years.table, yearbook.year(5, moments=10))
    told = reads(years.amy, "owed/")
    assert "struck for a die in chapter 2, round 2: Pulls him out of the boat" in told
    assert "struck for chapter 3" in told
    assert "chapter 5: Pulls him out of the boat by his hair, 1" in told


# --- search --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("keeper", "element · chapter 1"),
        ("KEEPER", "element · chapter 1"),
        ("Íñigo", "character Íñigo Peñón"),
        ("inigo", "character Íñigo Peñón"),
        ("ÍÑIGO peñón", "character Íñigo Peñón"),
        ("peñon", "character Íñigo Peñón"),
        ("oskar", "character Óskar"),
        ("pozo ano 2", "said · chapter 2 ¡El pozo, año 2!"),
        ("O'Dell", "character Ruth “Rue” O'Dell"),
        ("“Rue”", "character Ruth “Rue” O'Dell"),
        ("100%", "element · chapter 1 A spearwoman, 100% sure of her cause."),
        ("garden share", "Two widows who share one garden."),
        ("reed people", "One of the reed people."),
        ("Hawk's eyes 3", "strength Hawk's eyes 3"),
        ("widow", "character list · chapter 1 a widow"),
        ("rid of them", "best interest · chapter 1 To be rid of them all"),
        ("at the well, 4", "scene · chapter 1 At the well, 4"),
        ("boat hair, 3", "fight · chapter 1 Pulls him out of the boat by his hair, 3"),
        ("up the river", "epilogue · chapter 1 She went up the river again."),
        ("sun went", "chapter 1 The well at Tuar 1 : The sun went down on it."),
        ("Tuar 2", "chapter 2 The well at Tuar 2"),
    ],
)
def test_words_are_found_wherever_they_stand(years: Troupe, asked: str, found: str):
    assert found in reads(years.amy, "search/", q=asked)


@pytest.mark.parametrize(
    "asked",
    [*'%_\\"([🜁\x00', ".*", "1_0", "100%sure", "' OR 1=1 --", "xylophone", "a" * 5000, "a b" * 90],
)
def test_what_is_not_there_is_not_found_and_nothing_breaks(years: Troupe, asked: str):
    told = reads(years.amy, "search/", q=asked)
    nothing = "Nothing found" in told or not asked.strip("\x00")
    assert nothing or asked in ("%", '"')


def test_nothing_asked_is_nothing_found(years: Troupe):
    assert "Nothing found" not in reads(years.amy, "search/", q="  ")


def test_what_is_found_comes_in_pages(years: Troupe):
    """All of it, and each once."""
    yearbook.brought_in(years.table, yearbook.year(6, moments=10))
    found: list[str] = []
    for page in range(1, 20):
        html = opens(years.amy, "search/", q="well", page=page)
        found += re.findall(r'<span class="eyebrow">(.*?)</a></li>', html, re.DOTALL)
        if 'id="page-after"' not in html:
            break
    assert page > 1
    wants = Interest.objects.filter(chapter__campaign=years.campaign, text__contains="well")
    assert sum("best interest" in one for one in found) == wants.count()
    assert sum("scene" in one for one in found) == 6 * 4


def test_another_campaigns_words_are_not_found(years: Troupe):
    """Not even another one's of the same table."""
    waiting = years.table.campaigns.get(is_in_front=False)
    Character.objects.create(campaign=waiting, number=1, name="Xylophone")
    assert "Nothing found" in reads(years.amy, "search/", q="xylophone")


def test_what_was_found_far_inside_a_text_is_shown_where_it_stands(years: Troupe):
    Chapter.objects.filter(number=1).update(told="x " * 400 + "The xylophone. " + "y " * 400)
    assert "x x The xylophone. y y" in reads(years.amy, "search/", q="xylophone")


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


# --- as quick however old ------------------------------------------------------------------------
def test_an_old_campaigns_pages_ask_the_database_as_often_as_a_young_ones(
    troupe: Troupe, monkeypatch: pytest.MonkeyPatch
):
    """4 chapters, and 25, or 100 with 20,000 moments; the live pages as well.

    In both the same people are in the last chapter, who go round in sixes.
    """
    # Names are suggested here and there.
    monkeypatch.setattr("games.rules.dice.SystemDice.roll", lambda dice, sides: 1)
    Table.objects.update(rules="wicked_age")
    live = ("", "gm/", "character/4/", "chapter/print/", "api")
    pages = [*live, "campaign/?page=2", *PAGES, FILES[0], FILES[3]]
    counts = []
    asked(troupe.erin, "")  # what is only read once
    many, moments = size((25, 80), (100, 200))
    for chapters in (4, many):
        kept = yearbook.year(chapters, moments=moments)
        yearbook.logged(yearbook.brought_in(troupe.table, kept))
        counts.append({page: asked(troupe.erin, page) for page in pages})
    assert Moment.objects.filter(chapter__campaign=troupe.campaign).count() == many * moments
    young, old = counts
    assert {page: old[page] for page in pages if old[page] > young[page]} == {}


def asked(person: Person, page: str) -> int:
    """Count what a page asks the database."""
    address = f"/api/tables/{person.code}/" if page == "api" else f"/t/{person.code}/{page}"
    with CaptureQueriesContext(connection) as queries:
        assert person.client.get(address).status_code == 200, page
    return len(queries)


# --- for programs --------------------------------------------------------------------------------
def test_a_program_reads_a_table_of_a_campaign(years: Troupe):
    Table.objects.update(rules="wicked_age")
    address = f"/api/tables/{years.table.code}/"
    told = json.loads(years.amy.client.get(address).content)
    assert told["game"] == "wicked_age"
    assert told["board"]["name"] == "The Salt Road"
    assert {"my", "scene", "seats"} <= set(told)
    assert json.loads(years.erin.client.get(address).content)["gm"]
    tess = tess_of(years)
    assert "my" not in json.loads(tess.client.get(address).content)
    assert Person("Cleo").client.get(address).status_code == 404


def test_a_program_brings_no_campaign_in(years: Troupe):
    """A file comes beside the tap, which the API has no place for: refused in words."""
    answer = years.erin.client.post(
        f"/api/tables/{years.table.code}/actions/",
        json.dumps({"seat": years.erin.seat, "action": {"action": "import_campaign"}, "tap": "a"}),
        content_type="application/json",
    )
    assert answer.status_code == 422
    assert "file" in answer.json()["error"]
    assert fresh(years.campaign).is_in_front
