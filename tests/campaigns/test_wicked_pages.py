"""Every page of In a Wicked Age, at every place of a campaign, in both languages: it is there, its
ids are its own, what points to one finds it, its forms send what the table knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.models import Chapter, Character, Member
from campaigns.stage import PAGES
from games.models import Seat, Table
from tests.campaigns.conftest import SagaAt
from tests.campaigns.pages import Page, regions
from tests.campaigns.saga import BEFORE, Saga, grows, paths
from tests.games.party import Person, done
from tests.sizes import size

LANGUAGES = ("en", "es")
PLACES = ("bare", *BEFORE)


def speak(language: str) -> None:
    Seat.objects.update(language=language)


def looks(saga: Saga) -> list[tuple[Person, str]]:
    """Return who looks at which page."""
    return [(saga.amy, "phone"), (saga.erin, "gm"), (saga.tess, "screen")]


PATHS = {"phone": "", "gm": "gm/", "screen": "screen/"}
Faults = list[tuple[Any, ...]]


def wrong_with(*looks: tuple[Person, str], languages: tuple[str, ...] = LANGUAGES) -> Faults:
    """Look at pages in both languages; return what is wrong with them and with their regions."""
    wrong: Faults = []
    for language in languages:
        speak(language)
        for person, page in looks:
            html = person.sees(PATHS[page])
            assert f'lang="{language}"' in html[:400]
            faults = [*Page(html).wrong(), *wrong_with_regions(html, page)]
            wrong += [(person, page, language, fault) for fault in faults]
    return wrong


def wrong_with_regions(html: str, page: str) -> Iterator[str]:
    """Say what of a page a push would eat, or take the focus from."""
    for name, text in regions(html, PAGES[page]).items():
        if text is None:
            yield f"{name} is not there"
        elif (region := Page(text)).has_typed_text:
            yield f"{name} can be typed into"
        else:
            yield from (f"{name} has no id for {one}" for one in region.nameless)


@pytest.mark.parametrize("place", PLACES)
def test_a_place_of_a_campaign_has_its_pages(saga_at: SagaAt, place: str):
    """Everybody's; little is tried: one player's in another language, which goes round."""
    saga, turn = saga_at(place), PLACES.index(place) % 2
    first, second = LANGUAGES[turn], LANGUAGES[1 - turn]
    assert wrong_with(*looks(saga), languages=(first,)) == []
    assert wrong_with((saga.tom, "phone"), languages=size((second,), LANGUAGES)) == []
    assert wrong_with(*looks(saga), languages=size((), (second,))) == []


@pytest.mark.parametrize("place", ["bare", "choose", "answer"])
def test_who_joins_in_the_middle_has_a_page(saga_at: SagaAt, place: str):
    saga, lou = saga_at(place), Person("Lou")
    lou.joins(saga.table)
    assert wrong_with((lou, "phone"), (saga.erin, "gm"), languages=("en",)) == []


def test_who_joins_in_the_middle_is_told_what_to_do(saga_at: SagaAt):
    """A page without a character would be empty: it says why, when nothing can be done about it."""
    saga = saga_at("closing")
    late = Person("Late")
    late.joins(saga.table)
    shown = regions(late.sees(), ["asks", "setup"])
    assert "You play nobody in this chapter" in shown["asks"]
    assert "You play nobody in this chapter" in shown["setup"], "beside which the dock says nothing"
    assert "Mark your interests" not in shown["setup"]
    assert "You play nobody" not in saga.amy.sees()


def test_the_gm_has_a_phone_too(saga_at: SagaAt):
    assert wrong_with((saga_at("answer").erin, "phone")) == []


def test_back_from_a_sheet_leads_to_where_somebody_works(saga_at: SagaAt):
    """The GM goes from sheet to sheet, and came to the phone's page from each of them."""
    saga = saga_at("sheets")
    saga.dice.fall(*[1] * 60)  # names are suggested

    def leads(person: Person) -> str:
        seen = person.sees(f"character/{saga.pc('Amy').number}/")
        found = re.search(f'id="back" href="/t/{saga.table.code}/([^"]*)"', seen)
        assert found
        return found[1]

    assert (leads(saga.erin), leads(saga.amy)) == ("gm/", "")
    saga.do(saga.erin, "hand_host", who=saga.amy.seat)
    assert leads(saga.amy) == "", "she has come from her phone, where it stands"


def test_the_second_players_sheet_on_one_phone_is_theirs_to_write(saga_at: SagaAt):
    """Martha's seat has moved to Amy's phone: her sheet opened for Amy, who may not write on it."""
    saga = saga_at("sheets")
    saga.dice.fall(*[1] * 40)
    Seat.objects.filter(pk=saga.martha.row.pk).update(device=saga.amy.device)
    for name in ("Amy", "Martha"):
        seat, one = saga.table.seats.get(name=name).number, saga.pc(name)
        seen = saga.amy.sees(f"character/{one.number}/")
        assert 'id="name-card"' in seen
        assert f'name="seat" value="{seat}"' in seen
        assert f'id="back" href="/t/{saga.table.code}/?seat={seat}"' in seen


def test_whoever_loses_a_seat_in_a_chapter_leaves_pages_to_the_others(saga_at: SagaAt):
    saga = saga_at("answer")
    done(saga.martha.does("leave_table"))
    assert wrong_with(*looks(saga), languages=("en",)) == []


def test_a_closed_campaign_has_its_pages(saga_at: SagaAt):
    saga = saga_at("over")
    done(saga.erin.does("close_campaign", on="true"))
    assert wrong_with(*looks(saga), languages=("en",)) == []


def test_what_somebody_has_written_is_shown_as_written(saga_at: SagaAt):
    """Names with signs of HTML and of the program's own are only names."""
    saga, name = saga_at("answer"), '<i class="x">&%(name)s{{ x }}'
    Character.objects.update(name=name, description=name)
    Chapter.objects.update(title=name, when_and_where=name)
    Member.objects.filter(name="Amy").update(name=name)
    assert wrong_with(*looks(saga), languages=("es",)) == []
    for person, page in looks(saga):
        html = person.sees(PATHS[page])
        assert '<i class="x">' not in html
        assert "&lt;i class=&#34;x&#34;&gt;&amp;%(name)s{{ x }}" in html


NOT_THERE = {"over": ("chapter/print/", "fight/1/"), "settle": ()}


@pytest.mark.parametrize("place", NOT_THERE)
def test_the_pages_beside_the_live_ones(saga_at: SagaAt, place: str):
    """Sheets, oracles and records: what is there for whoever sits at the table."""
    saga, wrong = saga_at(place), []
    saga.dice.fall(*[1] * 5000)  # names are suggested
    for language, person in zip(LANGUAGES, (saga.amy, saga.erin), strict=True):
        speak(language)
        for path in paths(saga):
            answer = person.client.get(path)
            if answer.status_code in (403, 405) or path.endswith(NOT_THERE[place]):
                continue
            assert answer.status_code == 200, (path, answer.status_code)
            if answer["Content-Type"].startswith("text/html"):
                page = Page(answer.content.decode())
                wrong += [(path, language, fault) for fault in page.wrong()]
    assert wrong == []


# --- what a page costs ---------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["", "gm/", "screen/"])
def test_a_page_asks_the_same_few_questions_after_100_chapters(saga_at: SagaAt, page: str):
    saga = saga_at("answer")
    who = {"": saga.amy, "gm/": saga.erin, "screen/": saga.tess}[page]

    def asked() -> int:
        who.sees(page)
        with CaptureQueriesContext(connection) as found:
            who.sees(page)
        return len(found)

    few = asked()
    grows(saga, 100)
    assert asked() == few < 60


def test_the_shared_screen_says_nothing_of_tapping(saga_at: SagaAt):
    """Nobody can tap there: whoever reads it is sent to the phones."""
    saga = saga_at("cast")
    assert "Tap a phrase" in saga.amy.sees()
    assert "Tap a phrase" not in saga.tess.sees("screen/")


def test_the_gms_page_offers_nobody_who_cannot_play_this_game(saga_at: SagaAt):
    """The regulars know Brave or Knave alone, and nobody is told of bouts here."""
    saga = saga_at("cast")
    page = saga.erin.sees("gm/")
    assert "add-regular" not in page
    assert "In a bout" not in page
    done(saga.erin.does("turn_table", rules="brave_or_knave"))
    page = saga.erin.sees("gm/")
    assert "add-regular" in page
    assert "In a bout" in page


def test_ready_is_said_of_sheets_and_not_of_interests(saga_at: SagaAt):
    """WA-31: whose sheet is ready may still lack two interests, and the screen says which."""
    saga = saga_at("interests")
    saga.chapter.interests.all().delete()
    saga.chapter.parts.update(is_ready=True)
    board = regions(saga.tess.sees("screen/"), ["cast-board"])["cast-board"]
    assert board
    assert "ready" not in board
    assert "2 more interests" in board


def test_who_reads_another_language_is_told_why_the_oracle_does_not_speak_it(saga_at: SagaAt):
    """WA-7: all read the same elements aloud, so they are in the table's language."""
    saga = saga_at("cast")
    Seat.objects.filter(table=saga.amy.table, number=saga.amy.seat).update(language="es")
    assert "su oráculo habla en inglés" in saga.amy.sees()
    speak("en")
    assert "its oracle speaks" not in saga.amy.sees()


def test_a_table_whose_language_has_no_oracle_is_not_said_to_be_opened_in_another(saga_at: SagaAt):
    """WA-7: in a third language the oracle speaks English, which the table was not opened in."""
    saga = saga_at("cast")
    Table.objects.filter(pk=saga.amy.table.pk).update(language="pt")
    Seat.objects.filter(table=saga.amy.table, number=saga.amy.seat).update(language="es")
    page = saga.amy.sees()
    assert "se abrió en inglés" not in page
    assert "hablan en inglés a todo el mundo" in page


def test_who_has_chosen_is_not_said_to_play_nobody(saga_at: SagaAt):
    """WA-11: between the choosing and the sheets the GM reads whom everybody has taken."""
    saga = saga_at("choose")
    line = saga.chapter.cast_lines.filter(taken_by=None, state="open").first()
    assert line
    done(saga.amy.does("take_cast", line=line.pk))
    assert f"plays {line.text}" in saga.erin.sees("gm/")


def test_the_records_do_not_name_the_table_twice(saga_at: SagaAt):
    """Of two links with the same name nobody knows which leads where."""
    saga = saga_at("play")
    campaign = saga.chapter.campaign
    campaign.name = saga.amy.table.name
    campaign.save()
    assert re.search('id="to-campaign"[^>]*>Records<', saga.amy.sees("campaign/1/"))


def test_wa87_the_gm_reads_who_is_waited_for_without_a_phone(saga_at: SagaAt):
    """Who has got up from the table is waited for until the GM says that they are away."""
    saga = saga_at("choose")
    assert "Without a phone here" not in saga.erin.sees("gm/")
    done(saga.amy.does("leave_table"))
    amy = saga.chapter.campaign.members.get(name="Amy")
    assert "Without a phone here: Amy." in saga.erin.sees("gm/")
    done(saga.erin.does("mark_away", member=amy.pk, on="true"))
    assert "Without a phone here" not in saga.erin.sees("gm/")


def test_wa69_who_is_out_is_told_so_and_offered_no_dice(saga_at: SagaAt):
    """A button that can only be refused is none, and whoever is dead reads what is left to do."""
    saga = saga_at("play")
    part = saga.chapter.parts.get(member__name="Amy")
    assert "start" in may_type(saga.amy.sees())
    done(saga.erin.does("mark_character", character=part.character_id, state="dead"))
    page = saga.amy.sees()
    assert not {"start", "interest"} & may_type(page)
    assert f"{part.character.name} is out for the rest of this chapter" in page
    done(saga.erin.does("mark_character", character=part.character_id, state="captive"))
    page = saga.amy.sees()
    assert "start" in may_type(page)
    assert "is out for the rest" not in page


def may_type(page: str) -> set[str]:
    """Return what the sheet's region lets a player type."""
    found = re.search(r'id="sheet"[^>]* data-may="([^"]*)"', page)
    assert found
    return set(found[1].split())


@pytest.mark.parametrize(
    "path", ["knave/1/", "knave/1/print/", "knave/1/shop/", "graveyard/", "gm/as/2/"]
)
def test_another_games_pages_are_there_or_not_but_no_fault(saga_at: SagaAt, path: str):
    """A table turns from game to game, and old addresses stay in people's tabs."""
    saga = saga_at("turn")
    for who in (saga.erin, saga.amy):
        assert who.client.get(f"/t/{who.code}/{path}").status_code in (200, 302, 403, 404)


def test_the_shared_screen_leads_to_the_chapters_as_phones_do(saga_at: SagaAt):
    """Its records were those of bouts and fights: “Nothing has ended here yet”, chapter or not."""
    saga = saga_at("play")
    link = f'id="to-records" href="/t/{saga.amy.table.code}/campaign/"'
    assert link in saga.tess.sees("screen/")
    assert link in saga.amy.sees()
    assert "Chapters are told under “Campaigns”, above." in saga.tess.sees("records/")
