"""A campaign's first evening: a chapter on three phones, the GM's laptop and a tablet."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.phones.arriving import posts
from tests.phones.house import House
from tests.phones.knave import does, unfolds
from tests.phones.people import Company, Person
from tests.phones.test_network import comes_back, goes_off
from tests.phones.wicked import (
    ORACLE,
    TOP_CARDS,
    begins,
    begins_play,
    dice_of,
    goes_back,
    goes_to,
    hears,
    interest_key,
    key,
    lays,
    lays_all,
    makes_npc,
    moves,
    names_interest,
    newest_offer,
    offers,
    opens_scene,
    opens_sheet,
    opens_typed,
    owed,
    owed_key,
    puts_on_list,
    rolls,
    saves,
    settles,
    starts,
    takes,
    takes_part,
    ticks,
    writes_sheet,
    writes_strength,
)
from tests.phones.wicked_ready import own_key, wants
from tests.phones.wicked_records import another_table_takes_it_in, it_is_all_on_record
from tests.phones.wire import Wire

GATE = "She cuts the rope of the gate"
STICKS = "Iri reaches for the tally sticks"


def test_two_chapters(company: Company, house: House, tmp_path: Path) -> None:
    """WA-3 to WA-16, WA-30 to WA-101 as people see them."""
    wire = Wire(house.port)
    company.on_leaving(wire.close)
    ana, people = begins(company, "Ben", "Cleo", "Dora", lines={"Ben": wire.address})
    tess = company.tess()
    _they_read_the_oracle(company, ana, people, tess)
    _they_make_sheets(company, people)
    _they_name_interests(company, ana, people, tess)
    gate = _three_fight_at_the_gate(company, ana, people, tess)
    _they_settle_and_cut_away(company, ana, people, gate)
    _two_fight_elsewhere(company, ana, people[2], tess)
    _the_last_round(company, ana, people, gate, wire)
    _the_chapter_ends(company, ana, people, tess)
    _the_top_of_the_list_comes_back(company, ana, people, tess)
    it_is_all_on_record(company, people[0], tmp_path, GATE)
    another_table_takes_it_in(company, tmp_path, GATE)


def _they_read_the_oracle(
    company: Company, ana: Person, people: list[Person], tess: Person
) -> None:
    """WA-3, WA-6 to WA-11, WA-16: players choose, deal, read, take; what is left is the GM's."""
    ben, cleo, dora = people
    does(ben, "#open-chapter")
    tess.reads("Bronze and Dust", where="#story-board")
    cleo.catches_up()
    does(cleo, f"#oracle-{ORACLE}")
    company.house.dice_fall(*TOP_CARDS)
    dora.catches_up()
    does(dora, "#deal")
    expect(tess.sees("#story-board .board-card")).to_have_count(4)
    ben.catches_up()
    listed = puts_on_list(ben, 5)
    company.catch_up()
    cleo.reads(listed[-1], where="#setup .cast-list")
    tess.reads(listed[-1], where="#cast-board")
    does(dora, "#step-on")
    company.catch_up()
    for person, text in zip(people, listed, strict=False):
        takes_part(person, text)
    ana.catches_up()
    makes_npc(ana, "Old Kesh", listed[3])
    makes_npc(ana, "Iri the Tally", listed[4], "maneuvering")
    assert dice_of(ana, "Iri the Tally")["maneuvering"]["base"] == [12, 8]
    does(ana, "#step-on")
    company.catch_up()


def _they_make_sheets(company: Company, people: list[Person]) -> None:
    """WA-12 to WA-14, WA-19: names, six dice laid by taps or all at once, a strength."""
    ben, cleo, dora = people
    writes_sheet(ben, "Sarel", "Bronze has never marked her.")
    lays(ben, directly="covertly")
    assert dice_of(ben, "Sarel")["directly"]["base"] == 12
    writes_sheet(cleo, "Imra")
    opens_sheet(cleo)
    writes_strength(cleo, "The listening hawk", "potent", "covertly", "maneuvering")
    goes_back(cleo)
    cleo.reads("The listening hawk", where="#sheet")
    writes_sheet(dora, "Dovan")
    opens_sheet(dora)
    lays_all(dora, 4, 6, 6, 8, 10, 12)
    goes_back(dora)
    assert [pair["base"] for pair in dice_of(dora, "Dovan").values()] == [4, 6, 6, 8, 10, 12]
    for person in people:
        does(person, "#mark-ready")
    does(dora, "#step-on")
    company.catch_up()


def _they_name_interests(company: Company, ana: Person, people: list[Person], tess: Person) -> None:
    """WA-30 to WA-32, WA-34: the GM first, then in turn; play waits for the last of them."""
    ben, cleo, dora = people
    ben.reads("The GM begins", where="#setup")
    expect(ana.sees("#begin-play")).to_be_disabled()
    ana.reads("Still missing: Sarel 2 more", where="#gm-story")
    names_interest(ana, "The hero's share stays in his chest", "Sarel", of="Old Kesh")
    ben.reads("The GM goes on: what else would be best for Old Kesh?", where="#setup")
    names_interest(ana, "The widow hangs for it", "Imra", of="Iri the Tally")
    names_interest(ben, "She has what is hers", "Old Kesh")
    cleo.reads("Cleo's turn", where="#setup")
    names_interest(cleo, "The soldier stays with her", "Dovan")
    for person, who, wanted, about in (
        (dora, "Dovan", "The general never hears of it", "Old Kesh"),
        (ben, "Sarel", "She dies by a worthy hand", "Dovan"),
        (cleo, "Imra", "Her son's murderer is found", "Old Kesh"),
        (dora, "Dovan", "Imra takes him in", "Imra"),
    ):
        wants(person, who, wanted, about)
    ana.catches_up()
    begins_play(ana)
    tess.reads("The soldier stays with her", where="#cast-board")


def _three_fight_at_the_gate(
    company: Company, ana: Person, people: list[Person], tess: Person
) -> int:
    """WA-36, WA-39 to WA-64, WA-76 to WA-81: a first round with typed dice, and two names owed."""
    ben, cleo, _dora = people
    opens_scene(ana, "The salt gate at dusk", "Sarel", "Imra", "Old Kesh")
    tess.reads("The salt gate at dusk", where="#story-board")
    gate = starts(ben, GATE, "Sarel", "Imra", "Old Kesh")
    company.catch_up()
    takes(ben, "Sarel", "covertly", "for_myself")  # d10 and d8
    takes(cleo, "Imra", "for_myself", "for_others")  # d8 and d6
    takes(ana, "Old Kesh", "action")  # d12 and d8
    company.catch_up()

    _one_presses_on(ana, people, gate)

    # WA-58: who answers before her turn has lost her move.
    ben.catches_up()
    moves(ben, "Sarel", "Old Kesh", says="She cuts low, and the rope with it")
    tess.reads("8", where="#fight-board .board-total:not(.flip)")
    ana.catches_up()
    rolls(ana, "Old Kesh", 9, 3)
    tess.reads("lost the move", where="#fight-board")
    cleo.catches_up()
    rolls(cleo, "Imra", 5, 4)
    moves(cleo, "Imra", "Sarel")
    hears(ben, "Imra stands at 5")
    rolls(ben, "Sarel", 9, 8)

    company.catch_up()
    ben.reads("over Imra", where="#fight")
    assert owed(ana) == ["Sarel", "Imra"]
    for name in owed(ana):
        tess.reads(name, where="#owe-strip")
    goes_to(cleo, "table")
    cleo.reads("comes back next", where="#owe .owe-line:first-child")
    goes_to(cleo, "me")
    return gate


def _one_presses_on(ana: Person, people: list[Person], gate: int) -> None:
    """WA-52: a tie at the top, and one of the two presses on."""
    ben, cleo, _dora = people
    rolls(ben, "Sarel", 8, 5)
    rolls(cleo, "Imra", 6, 3)
    rolls(ana, "Old Kesh", 8, 5)
    hears(ben, "tied at the top")
    does(ben, f"#press-{gate}-{key(ben, 'Sarel')}")
    rolls(ben, "Sarel", 7)
    ana.catches_up()
    rolls(ana, "Old Kesh", 2)


def _they_settle_and_cut_away(
    company: Company, ana: Person, people: list[Person], gate: int
) -> None:
    """WA-38, WA-65, WA-67, WA-70: a bought die, a loss outright, an offer and a better one."""
    ben, cleo, _dora = people
    does(ana, f"#gm-next-{gate}")
    company.catch_up()
    buy = f"#roll-{gate}-{key(cleo, 'Imra')}-buy"
    unfolds(cleo, buy)
    does(cleo, f"{buy}-{owed_key(cleo, 'Imra')}")
    assert owed(ana) == ["Sarel"]
    rolls(cleo, "Imra", 5, 3, 6)
    rolls(ben, "Sarel", 6, 2, 1)
    rolls(ana, "Old Kesh", 7, 4, 1)
    cleo.catches_up()
    moves(cleo, "Imra", "Old Kesh")
    ana.catches_up()
    rolls(ana, "Old Kesh", 4, 3, 1)

    offers(ana, "Old Kesh", "Imra", "He says who sold her son")
    hears(cleo, "He says who sold her son")
    offers(cleo, "Imra", "Old Kesh", "And he comes along, bound", "maneuvering", "state-captive")
    ana.reads(
        "Old Kesh loses a die size, maneuvering; Old Kesh is a captive", where="#gm-fights .offer"
    )
    does(ana, f"#take-{newest_offer(ana)}")
    assert dice_of(ana, "Old Kesh")["maneuvering"]["current"] == [8, 6]

    ben.catches_up()
    rolls(ben, "Sarel", 5, 3, 2)
    moves(ben, "Sarel", says="She is through the gate")
    ana.catches_up()
    does(ana, f"#hold-{gate}")
    ben.reads("These dice wait", where="#fight")


def _two_fight_elsewhere(company: Company, ana: Person, dora: Person, tess: Person) -> None:
    """WA-16, WA-38, WA-67: other dice meanwhile, rolled by the app, and the winner's choice."""
    opens_scene(ana, "The stables, the same night", "Dovan", "Iri the Tally")
    sticks = starts(ana, STICKS, "Iri the Tally", "Dovan")
    tess.reads(STICKS, where="#fight-board")
    tess.reads(GATE, where="#fight-board .is-held")
    dora.catches_up()
    takes(dora, "Dovan", "with_love", "with_violence")
    takes(ana, "Iri the Tally", "maneuvering")
    dora.catches_up()
    for person, name, faces in ((dora, "Dovan", (9, 11)), (ana, "Iri the Tally", (4, 3))):
        company.house.dice_fall(*faces)
        does(person, f"#roll-{sticks}-{key(person, name)}")
    dora.catches_up()
    moves(dora, "Dovan", "Iri the Tally")
    ana.catches_up()
    company.house.dice_fall(5, 3)
    does(ana, f"#roll-{sticks}-{key(ana, 'Iri the Tally')}")
    dora.catches_up()
    settles(dora, "Dovan", "Iri the Tally", "injured")
    assert dice_of(ana, "Iri the Tally")["maneuvering"]["current"] == [10, 6]


def _the_last_round(
    company: Company, ana: Person, people: list[Person], gate: int, wire: Wire
) -> None:
    """WA-50, WA-68: a phone loses the net, and finds everything again; the third round ends it."""
    ben, cleo, _dora = people
    does(ana, f"#unhold-{gate}")
    company.catch_up()
    goes_off(ben, wire)
    does(cleo, f"#next-{gate}-{key(cleo, 'Imra')}")
    rolls(cleo, "Imra", 7, 2, 3, fight=gate)
    comes_back(ben, wire)
    hears(ben, "Round 3: roll.")
    ben.reads("10", where="#fight .fighter-roll")
    rolls(ben, "Sarel", 3, 2, 1, fight=gate)
    cleo.catches_up()
    moves(cleo, "Imra", "Sarel", fight=gate)
    ben.catches_up()
    rolls(ben, "Sarel", 6, 2, 1, fight=gate)  # 7 against 10: in a third round lost for good
    cleo.catches_up()
    settles(cleo, "Imra", "Sarel", "exhausted", fight=gate)
    ben.catches_up()
    ben.reads("d12 → d10", where="#sheet")
    assert dice_of(ben, "Sarel")["with_violence"]["current"] == 0


def _the_chapter_ends(company: Company, ana: Person, people: list[Person], tess: Person) -> None:
    """WA-82, WA-83: interests get their last states, and one more line is written."""
    ben, cleo, _dora = people
    does(ana, "#propose-end")
    company.catch_up()
    does(ana, f"#last-{interest_key(ana, 'She has what is hers')}-lost")
    found = interest_key(cleo, "Her son's murderer is found")
    unfolds(cleo, f"#interest-{found}")
    does(cleo, f"#interest-{found}-achieved")
    opens_typed(ben, "epilogue")
    ben.page.fill("#epilogue-text", "They still sing of the gate, out of tune.")
    does(ben, "#epilogue-go")
    ana.catches_up()
    unfolds(ana, "#end-chapter-ask")
    does(ana, "#end-chapter")
    expect(ana.sees("#gm-story #open-chapter")).to_be_in_viewport(ratio=1)
    tess.reads("1 chapter is told", where="#story-board")


def _the_top_of_the_list_comes_back(
    company: Company, ana: Person, people: list[Person], tess: Person
) -> None:
    """WA-85 to WA-88: her player chooses, picks and deals."""
    ben, cleo, dora = people
    does(ana, "#open-chapter")
    tess.reads("Sarel is at the top of the owe list", where="#story-board")
    ben.catches_up()
    does(ben, "#bring-back")
    assert owed(ana) == []
    cleo.catches_up()
    expect(cleo.sees("#setup button.oracle")).to_have_count(0)
    does(ben, f"#oracle-{ORACLE}")
    picked = ben.sees("#entry-14 > span:last-child").inner_text()
    does(ben, "#entry-14")
    company.house.dice_fall(*TOP_CARDS[:3])
    hears(ben, "Deal 3 cards")
    does(ben, "#deal")
    tess.reads(picked, where="#story-board")
    cleo.catches_up()
    listed = puts_on_list(cleo, 3)
    does(cleo, "#step-on")
    company.catch_up()
    for person, text in zip((cleo, dora), listed, strict=False):
        takes_part(person, text)
    ana.catches_up()
    makes_npc(ana, "The overseer", listed[2])
    does(ana, "#step-on")
    _they_begin_again(company, ana, people, tess)


def _they_begin_again(company: Company, ana: Person, people: list[Person], tess: Person) -> None:
    """WA-12, WA-30 to WA-32, WA-97, WA-98: who came back grows, the others are new."""
    ben, cleo, dora = people
    _she_grows_and_thinks_again(ben)
    does(ben, f"#return-mend-{key(ben, 'Sarel')}")
    assert dice_of(ben, "Sarel")["directly"]["current"] == 12
    for person, name in ((cleo, "Hatti"), (dora, "Nebet")):
        posts(person, "write_sheet", character=own_key(person), name=name)
    ana.catches_up()
    does(ana, "#step-on")
    company.catch_up()
    names_interest(ana, "Sarel wears it, in doubt", "Sarel", of="The overseer")
    for person, who, about in (
        (ben, "Sarel", "Hatti"),
        (cleo, "Hatti", "Sarel"),
        (dora, "Nebet", "The overseer"),
    ):
        wants(person, who, "The crown is hers", about)
        wants(person, who, "The crown is melted", about)
    begins_play(ana)
    tess.reads("Chapter 2", where="#story-board")
    dora.reads("Take up dice", where="#typed-start")


def _she_grows_and_thinks_again(ben: Person) -> None:
    """WA-98 d: a form grows by a tap on the phone, and on her own page."""
    ben.catches_up()
    ben.reads("the choice on coming back", where="#sheet")
    grow, again = (f"#return-{what}-{key(ben, 'Sarel')}" for what in ("grow", "again"))
    unfolds(ben, grow)
    does(ben, f"{grow}-with_love")
    assert dice_of(ben, "Sarel")["with_love"]["base"] == 8
    does(ben, again)
    opens_sheet(ben)
    ticks(ben, "grow-for_others")
    saves(ben, "#grow")
    assert dice_of(ben, "Sarel")["for_others"]["base"] == 8
    goes_back(ben)
    does(ben, again)
