"""Between two adventures: the knaves sit down to Brave or Knave, and go on where they were."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.phones.knave import Build, does, has_a_knave, key_of, name_of, referee
from tests.phones.people import Company


def test_knaves_play_a_bout_at_their_own_table_and_go_on(company: Company) -> None:
    """Every screen follows to the other game and back; guild names are the knaves' own."""
    ana = referee(company)
    ben, cleo = company.joined("Ben"), company.joined("Cleo")
    tess = company.tess()
    for person in (ben, cleo):
        has_a_knave(person, Build(hp=5))
    names = {person: name_of(person) for person in (ben, cleo)}
    sheets = {person: f"/t/{company.code}/knave/{key_of(person)}/" for person in (ben, cleo)}

    ana.presses("#turn-brave_or_knave")
    for person in (ana, ben, cleo, tess):
        expect(person.sees('main[data-game="brave_or_knave"]')).to_have_count(1, timeout=8000)
        person.is_live()
    for person, number in ((ben, 7), (cleo, 13)):
        person.picks(number)
        tess.reads(names[person])
    ana.goes(f"/t/{company.code}/")
    ana.is_live()
    company.house.dice_fall(1)
    ana.taps("#start")
    company.catch_up()
    opener, other = (ben, cleo) if ben.sees("#roll").count() else (cleo, ben)
    opener.rolls(1)  # BK-16: a GRAVE, and the other has won
    for person in (ben, cleo, tess):
        person.reads(f"{names[other]} wins. Honour is restored.")

    ana.goes(f"/t/{company.code}/gm/")
    ana.is_live()
    ana.presses("#turn-knave")
    for person in (ana, ben, cleo, tess):
        expect(person.sees('main[data-game="knave"]')).to_have_count(1, timeout=8000)
        person.is_live()
    expect(ben.sees("#sheet-name")).to_have_text(names[ben])
    does(ben, "#hp-less")
    other.goes(sheets[other])
    other.reads(f"{names[other]} won a bout of Brave or Knave.", where="#record")
    opener.goes(sheets[opener])
    opener.reads(f"{names[opener]} lost a hand at Brave or Knave", where="#record")
