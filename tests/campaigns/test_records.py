"""The years of a campaign, read: chapters, people, the owe list, search, as quick however old."""

from __future__ import annotations

import json
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.models import Chapter, Character, Holding, Interest, Moment, Part, Sequence
from campaigns.services.sequence_record import full_record
from games.models import Table
from games.rules import records
from tests.campaigns import yearbook
from tests.campaigns.conftest import SagaAt
from tests.campaigns.reading import opens, reads, status, tess_of
from tests.campaigns.troupe import Troupe
from tests.games.party import Person, fresh
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
    assert "Chapter" not in reads(ana, "2/")


def test_the_shared_screen_is_not_offered_to_write(years: Troupe):
    assert 'id="rewrite"' not in tess_of(years).sees("campaign/2/")
    assert 'id="rewrite"' in years.amy.sees("campaign/2/")


def test_only_the_gm_is_offered_to_bring_a_campaign_in(years: Troupe):
    assert 'id="bring-in"' in years.erin.sees("campaign/")
    assert 'id="bring-in"' not in years.amy.sees("campaign/")


def test_the_games_records_lead_to_the_campaigns(years: Troupe):
    assert f"/t/{years.table.code}/campaign/" in years.amy.sees("records/")


def test_a_campaign_s_records_have_another_title_than_its_table(years: Troupe):
    """WCAG 2.4.2: among a browser's pages, both were called as the campaign."""
    assert "<title>Records: " in years.amy.sees("campaign/")


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
    """WA-93: chapter 3 takes place before chapter 2."""
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


def test_wa70_a_strength_that_was_lost_in_a_chapter_is_told_of(years: Troupe):
    """It was gone from the sheet, and no page said that it had ever been there."""
    part = Part.objects.get(chapter__number=2, character__name="Tajie")
    hook = {"number": 99, "name": "Moon hook", "options": ["potent"], "die": 10}
    part.before = {**part.before, "strengths": [*part.before["strengths"], hook]}
    part.save()
    person = f"people/{part.character.number}/"
    for page in ("2/", person):
        assert "Strengths lost Moon hook d10 (potent)" in reads(years.amy, page)
    assert "Hawk's eyes" not in reads(years.amy, person).split("Strengths lost", 1)[1][:60]


def test_wa60_who_was_in_a_fight_to_the_end_is_called_as_now(years: Troupe):
    """A name that was written anew is the same person's: as who began it, so who stayed in it."""
    Character.objects.filter(name="Tajie").update(name="Tajie of the Reeds")
    told = reads(years.amy, "2/")
    assert "In it to the end: Tajie of the Reeds" in told
    assert "Tajie of the Reeds : Pulls him out" in told


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
        # Keyboards set other quotation marks and apostrophes than the text has.
        ('"Rue" ruth', "character Ruth “Rue” O'Dell"),
        ("o’dell", "character Ruth “Rue” O'Dell"),
        ("“share one garden”", "Two widows who share one garden."),
        ('widows "One garden', "Two widows who share one garden."),
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
    [
        *'%_\\"([🜁\x00',
        ".*",
        '"garden share"',
        "1_0",
        "100%sure",
        "' OR 1=1 --",
        "xylophone",
        "a" * 5000,
        "a b" * 90,
    ],
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


def test_wa95_how_the_dead_came_back_is_found(years: Troupe):
    """A chapter's page tells it, in her player's own words."""
    Part.objects.filter(chapter__number=2, character__kind="pc").update(came_back_as="a xyloghost")
    assert "a xyloghost" in reads(years.amy, "search/", q="xyloghost")


def test_wa101_how_a_strength_grew_is_found(years: Troupe):
    """Whoever raises one is asked for it, and it stands on the sheet."""
    held = Holding.objects.filter(character__campaign=years.campaign).first()
    assert held
    Holding.objects.filter(pk=held.pk).update(note="in a xylostorm")
    found = reads(years.amy, "search/", q="xylostorm")
    assert f"strength {held.strength.name}" in found
    assert "in a xylostorm" in found
