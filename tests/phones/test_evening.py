"""An evening: three phones and a tablet, from the QR code to the hall of fame.

A fourth plays whose phone nobody looks at: hers would show nothing that the others' do not.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import expect

from tests.phones.arriving import posts
from tests.phones.house import House
from tests.phones.people import Company, Person


def fingers(person: Person, count: int) -> re.Pattern[str]:
    """How the ring says what somebody has left."""
    return re.compile(rf"{person.name}:\s+number \d+,\s*{count} fingers?")


def rolls_unseen(person: Person, face: int) -> None:
    """Roll by a request."""
    person.house.dice_fall(face)
    posts(person, "roll")


def test_an_evening_from_the_first_scan_to_the_hall_of_fame(company: Company, house: House) -> None:
    """BK-3, BK-7 to BK-18 and BK-20 to BK-22 as people see them."""
    ana = company.ana()
    # What is pressed may be moving; he rolls, shouts and names as often as anybody.
    ben = company.person("Ben", reduced_motion="no-preference")
    ben.scans(company.code)
    cleo = company.person("Cleo")
    cleo.joins(company.code)
    dora = company.joined("Dora")
    company.only()
    people, tess = [ana, ben, cleo, dora], company.tess()
    _they_choose_numbers(people, tess)
    _a_challenge_succeeds_and_a_tie_bounces(people, tess)
    _everybody_else_loses_a_finger(people, tess)
    _nobody_dares_and_the_die_comes_home(people, tess)
    _the_last_hand_wins(people, tess)
    _the_records_have_it(company, house, ana)


def _they_choose_numbers(people: list[Person], tess: Person) -> None:
    """BK-3."""
    ana, ben, cleo, dora = people
    posts(dora, "pick_number", number=2)
    for person, number in ((ana, 7), (ben, 13), (cleo, 17)):
        person.picks(number)
    ana.reads("Ben", where="#number-13")
    ana.reads("Everybody is ready")
    ana.begins()
    tess.reads("Ana opens with a roll")


def _a_challenge_succeeds_and_a_tie_bounces(people: list[Person], tess: Person) -> None:
    ana, ben, cleo, _dora = people
    # BK-7, BK-8, BK-13: a challenge that succeeds.
    ana.rolls(5)
    tess.reads("Shout! Who beats 5?")
    ben.shouts("brave")
    for person in (ana, cleo):
        person.reads("Ben must roll higher than 5")
    ben.rolls(11)
    cleo.reads("Shout! Who beats 11?")

    # BK-15: a tie goes back to who rolled it; BK-14, BK-20: it fails, and a finger goes.
    cleo.shouts("brave")
    cleo.rolls(11)
    tess.reads("Bounce!")
    ben.rolls(8)
    ben.gives_up("ring")
    for person in (ana, ben, cleo):
        expect(person.sees("#ring")).to_contain_text(fingers(ben, 4))
    ben.presses("#tab-sheet")
    expect(ben.sees("#hand .finger.lost")).to_have_count(1)
    picture = ben.sees("#hand").get_by_role("img")
    expect(picture).to_have_accessible_name("4 fingers left, gone: ring finger")
    ben.reads("4 fingers left")
    ben.presses("#tab-game")


def _everybody_else_loses_a_finger(people: list[Person], tess: Person) -> None:
    """BK-17: STAVE costs everybody else a finger, and the die stays."""
    ana, ben, cleo, dora = people
    ben.rolls(20)
    tess.reads("STAVE!", where=".cry")
    posts(dora, "finger", which="little")
    for person in (ana, cleo):
        person.gives_up("little")
    for person in (ana, cleo, dora):
        expect(ben.sees("#ring")).to_contain_text(fingers(person, 4))


def _nobody_dares_and_the_die_comes_home(people: list[Person], tess: Person) -> None:
    _ana, ben, cleo, dora = people
    # BK-11: three knocks, and the roller names who must.
    ben.rolls(10)
    ben.knocks(3)
    ben.reads("Choose who rolls next, and how.")
    ben.names(dora, "brave")

    # BK-13, then BK-18: Dora is safe, and the number is Ben's: the die is his.
    rolls_unseen(dora, 13)
    tess.reads("13 is Ben's number: the die is theirs.")
    ben.names(cleo, "knave")
    cleo.rolls(18)
    cleo.gives_up("thumb")
    tess.reads("Cleo opens with a roll")


def _the_last_hand_wins(people: list[Person], tess: Person) -> None:
    """BK-16: a 1 is GRAVE, whatever is left; BK-22: the last hand wins."""
    ana, ben, cleo, dora = people
    cleo.rolls(1)
    tess.reads("GRAVE!", where=".cry")
    cleo.reads("You are out")
    rolls_unseen(dora, 1)
    ana.rolls(1)
    for person in (ana, ben, cleo, tess):
        person.reads("Ben wins. Honor is restored.")
    expect(tess.sees(".winner-name")).to_have_text("Ben")
    tess.reads("GRAVE! Ana rolled a 1.", where=".story")


def _the_records_have_it(company: Company, house: House, ana: Person) -> None:
    """BK-22: the hall of fame, the story, and the record that replays."""
    ana.goes(f"/t/{company.code}/records/")
    row = ana.sees("table.figures tbody tr").first
    expect(row).to_contain_text(re.compile(r"Ben\s*1\s*1"))
    with ana.page.expect_download() as download:
        ana.presses("a[download]")
    record = Path(download.value.path()).read_bytes()
    assert json.loads(record.splitlines()[0])["seats"] == ["Ana", "Ben", "Cleo", "Dora"]
    end = house.replay(record)
    assert (end["phase"], end["winners"]) == ("over", ["Ben"])
    assert end["fingers"] == {"Ana": 0, "Ben": 4, "Cleo": 0, "Dora": 0}
