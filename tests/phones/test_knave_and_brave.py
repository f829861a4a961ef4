"""Between two adventures: the knaves sit down to Brave or Knave, and go on where they were."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.phones.arriving import posts
from tests.phones.knave import Build, does, has_a_knave, key_of, name_of, referee
from tests.phones.people import Company


def test_knaves_play_a_bout_at_their_own_table_and_go_on(company: Company) -> None:
    """Every page follows to the other game and back; guild names are the knaves' own."""
    ana = referee(company)
    ben, cleo = company.joined("Ben"), company.joined("Cleo")
    tess = company.tess()
    company.only(ana, ben, tess)
    for person in (ben, cleo):
        has_a_knave(person, Build(hp=5))
    names = {person: name_of(person) for person in (ben, cleo)}

    ana.presses("#turn-brave_or_knave")
    for person in (ana, ben, tess):
        expect(person.sees('main[data-game="brave_or_knave"]')).to_have_count(1, timeout=8000)
        person.is_live()
    ben.picks(7)
    posts(cleo, "pick_number", number=13)
    for person in (ben, cleo):
        tess.reads(names[person])
    company.house.dice_fall(1)
    posts(ana, "start_bout")
    company.catch_up()
    ben.rolls(1)  # BK-16: a GRAVE, and the other has won
    for person in (ben, tess):
        person.reads(f"{names[cleo]} wins. Honor is restored.")

    ana.presses("#turn-knave")
    for person in (ana, ben, tess):
        expect(person.sees('main[data-game="knave"]')).to_have_count(1, timeout=8000)
        person.is_live()
    expect(ben.sees("#sheet-name")).to_have_text(names[ben])
    does(ben, "#hp-less")
    ben.goes(f"/t/{company.code}/knave/{key_of(ben)}/")
    ben.reads(f"{names[ben]} lost a hand at Brave or Knave", where="#record")


def test_words_of_one_game_wait_while_the_table_plays_another(company: Company) -> None:
    """Whoever was in the middle of a sentence found an empty field when the table turned back."""
    ana = referee(company)
    ana.page.fill("#goal-text", "Find the bell")
    ana.presses("#stop-open")
    ana.page.fill("#line-text", "No dog dies")  # of no game: it waits in each
    for game in ("brave_or_knave", "wicked_age", "knave"):
        posts(ana, "turn_table", rules=game)
        expect(ana.sees(f'main[data-game="{game}"]')).to_have_count(1, timeout=8000)
        ana.is_live()
        expect(ana.sees("#line-text")).to_have_value("No dog dies")
    expect(ana.sees("#goal-text")).to_have_value("Find the bell")
