"""A campaign's first evening: a chapter on two phones, the GM's laptop and a tablet.

A third player's phone is looked at by nobody: each page that is open draws what each tap changes,
and hers would show nothing that the others' do not.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.phones.arriving import posts
from tests.phones.house import House
from tests.phones.knave import does, unfolds
from tests.phones.lost_lines import comes_back, goes_off
from tests.phones.people import Company, Person
from tests.phones.wicked import (
    FORMS,
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
    line_key,
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
    writes_strength,
)
from tests.phones.wicked_ready import (
    about,
    has_moved,
    has_rolled,
    has_taken,
    own_key,
    wants,
)
from tests.phones.wicked_records import another_table_takes_it_in, it_is_all_on_record
from tests.phones.wire import Wire

GATE = "She cuts the rope of the gate"
THOUGHT_UP = ("a general's cook", "a ferrywoman", "a teller of tallies")
STICKS = "Iri reaches for the tally sticks"


def test_two_chapters(company: Company, house: House, tmp_path: Path) -> None:
    """WA-3 to WA-16, WA-30 to WA-101 as people see them."""
    wire = Wire(house.port)
    company.on_leaving(wire.close)
    ana, people = begins(company, "Ben", "Cleo", "Dora", lines={"Ben": wire.address}, unseen="Dora")
    tess = company.tess()
    _they_read_the_oracle(company, ana, people, tess)
    _they_make_sheets(company, people)
    _they_name_interests(ana, people, tess)
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
    ben, cleo, _dora = people
    does(ben, "#open-chapter")
    tess.reads("Bronze and Dust", where="#story-board")
    cleo.catches_up()
    does(cleo, f"#oracle-{ORACLE}")
    company.house.dice_fall(*TOP_CARDS)
    ben.catches_up()
    does(ben, "#deal")
    expect(tess.sees("#story-board .board-card")).to_have_count(4)
    listed = [*puts_on_list(ben, 2), *THOUGHT_UP]
    for text in THOUGHT_UP:
        posts(cleo, "add_cast", text=text)
    company.catch_up()
    cleo.reads(listed[-1], where="#setup .cast-list")
    tess.reads(listed[-1], where="#cast-board")
    does(cleo, "#step-on")
    company.catch_up()
    takes_part(ben, listed[0])
    for person, text in zip(people[1:], listed[1:], strict=False):
        posts(person, "take_cast", line=line_key(person, text))
    posts(ana, "make_npc", name="Old Kesh", line=line_key(ana, listed[3]))
    ana.catches_up()
    makes_npc(ana, "Iri the Tally", listed[4], "maneuvering")
    assert dice_of(ana, "Iri the Tally")["maneuvering"]["base"] == [12, 8]
    does(ana, "#step-on")
    company.catch_up()


def _they_make_sheets(company: Company, people: list[Person]) -> None:
    """WA-12 to WA-14, WA-19: names, six dice laid by taps or all at once, a strength."""
    ben, cleo, dora = people
    sizes = zip(FORMS, (4, 6, 6, 8, 10, 12), strict=True)
    posts(dora, "write_sheet", character=own_key(dora), name="Dovan", **dict(sizes))
    posts(dora, "mark_ready", character=own_key(dora), on="true")
    posts(ben, "write_sheet", character=own_key(ben), name="Sarel")
    ben.catches_up()
    lays(ben, directly="covertly")
    assert dice_of(ben, "Sarel")["directly"]["base"] == 12
    opens_sheet(cleo)
    cleo.page.fill("#name", "Imra")
    cleo.page.fill("#description", "Bronze has never marked her.")
    lays_all(cleo, 4, 6, 8, 6, 10, 12)
    writes_strength(cleo, "The listening hawk", "potent", "covertly", "maneuvering")
    goes_back(cleo)
    cleo.reads("Imra", where="#sheet")
    cleo.reads("The listening hawk", where="#sheet")
    assert [pair["base"] for pair in dice_of(cleo, "Imra").values()] == [4, 6, 8, 6, 10, 12]
    for person in (ben, cleo):
        does(person, "#mark-ready")
    does(cleo, "#step-on")
    company.catch_up()


def _they_name_interests(ana: Person, people: list[Person], tess: Person) -> None:
    """WA-30 to WA-32, WA-34: the GM first, then in turn; play waits for the last of them."""
    ben, cleo, dora = people
    ben.reads("The GM begins", where="#setup")
    expect(ana.sees("#begin-play")).to_be_disabled()
    ana.reads("Still missing: Sarel 2 more", where="#gm-story")
    names_interest(ana, "The hero's share stays in his chest", "Sarel", of="Old Kesh")
    ben.reads("The GM goes on: what else would be best for Old Kesh?", where="#setup")
    wants(ana, "Iri the Tally", "The widow hangs for it", "Imra")
    ben.catches_up()
    names_interest(ben, "She has what is hers", "Old Kesh")
    cleo.reads("Your turn: what would be best for Imra?", where="#setup")
    for person, who, wanted, whom in (
        (cleo, "Imra", "The soldier stays with her", "Dovan"),
        (dora, "Dovan", "The general never hears of it", "Old Kesh"),
        (ben, "Sarel", "She dies by a worthy hand", "Dovan"),
        (cleo, "Imra", "Her son's murderer is found", "Old Kesh"),
        (dora, "Dovan", "Imra takes him in", "Imra"),
    ):
        wants(person, who, wanted, whom)
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
    has_taken(cleo, "Imra", "for_myself", "for_others")  # d8 and d6
    ana.catches_up()
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
    has_rolled(cleo, "Imra", 5, 4)
    has_moved(cleo, "Imra", "Sarel")
    hears(ben, "Imra stands at 5")
    has_rolled(ben, "Sarel", 9, 8)

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
    has_rolled(cleo, "Imra", 6, 3)
    has_rolled(ana, "Old Kesh", 8, 5)
    hears(ben, "tied at the top")
    does(ben, f"#press-{gate}-{key(ben, 'Sarel')}")
    has_rolled(ben, "Sarel", 7)
    has_rolled(ana, "Old Kesh", 2)


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
    has_rolled(ben, "Sarel", 6, 2, 1)
    has_rolled(ana, "Old Kesh", 7, 4, 1)
    has_moved(cleo, "Imra", "Old Kesh")
    has_rolled(ana, "Old Kesh", 4, 3, 1)

    ana.catches_up()
    offers(ana, "Old Kesh", "Imra", "He says who sold her son")
    hears(cleo, "He says who sold her son")
    offers(cleo, "Imra", "Old Kesh", "And he comes along, bound", "maneuvering", "state-captive")
    ana.reads(
        "Old Kesh loses a die size, maneuvering; Old Kesh is a captive", where="#gm-fights .offer"
    )
    does(ana, f"#take-{newest_offer(ana)}")
    assert dice_of(ana, "Old Kesh")["maneuvering"]["current"] == [8, 6]

    has_rolled(ben, "Sarel", 5, 3, 2)
    ben.catches_up()
    moves(ben, "Sarel", says="She is through the gate")
    ana.catches_up()
    does(ana, f"#hold-{gate}")
    ben.reads("These dice wait", where="#fight")


def _two_fight_elsewhere(company: Company, ana: Person, dora: Person, tess: Person) -> None:
    """WA-16, WA-38, WA-67: other dice meanwhile, rolled by the app, and the winner's choice."""
    both = [key(ana, name) for name in ("Dovan", "Iri the Tally")]
    posts(ana, "open_scene", where="The stables, the same night", who=both)
    ana.catches_up()
    sticks = starts(ana, STICKS, "Iri the Tally", "Dovan")
    tess.reads(STICKS, where="#fight-board")
    tess.reads(GATE, where="#fight-board .is-held")
    has_taken(dora, "Dovan", "with_love", "with_violence")
    has_taken(ana, "Iri the Tally", "maneuvering")
    company.catch_up()
    has_rolled(dora, "Dovan", 9, 11)
    company.house.dice_fall(4, 3)
    does(ana, f"#roll-{sticks}-{key(ana, 'Iri the Tally')}")
    has_moved(dora, "Dovan", "Iri the Tally")
    has_rolled(ana, "Iri the Tally", 5, 3)
    loss = {"who": both[0], "loser": both[1], "kind": "injured"}
    posts(dora, "settle", **loss, **about(dora, sticks))
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
    has_rolled(cleo, "Imra", 7, 2, 3, fight=gate)
    comes_back(ben, wire)
    hears(ben, "Round 3: roll.")
    ben.reads("10", where="#fight .fighter-roll")
    rolls(ben, "Sarel", 3, 2, 1, fight=gate)
    has_moved(cleo, "Imra", "Sarel", fight=gate)
    has_rolled(ben, "Sarel", 6, 2, 1, fight=gate)  # 7 against 10: in a third round lost for good
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
    """WA-85 to WA-88, WA-97, WA-98: her player chooses and picks, and she has grown."""
    ben, cleo, dora = people
    does(ana, "#open-chapter")
    tess.reads("Sarel is at the top of the owe list", where="#story-board")
    ben.catches_up()
    does(ben, "#bring-back")
    assert owed(ana) == []
    cleo.catches_up()
    expect(cleo.sees("#setup button.oracle")).to_have_count(0)
    posts(ben, "choose_oracle", oracle=ORACLE)
    ben.catches_up()
    picked = ben.sees("#entry-14 > span:last-child").inner_text()
    does(ben, "#entry-14")
    company.house.dice_fall(*TOP_CARDS[:3])
    hears(ben, "Deal 3 cards")
    posts(ben, "deal_cards")
    tess.reads(picked, where="#story-board")
    _the_others_are_new(ana, ben, cleo, dora)
    _she_grows_and_thinks_again(ben)
    does(ben, f"#return-mend-{key(ben, 'Sarel')}")
    assert dice_of(ben, "Sarel")["directly"]["current"] == 12
    tess.reads("Chapter 2", where="#story-board")


def _the_others_are_new(ana: Person, ben: Person, cleo: Person, dora: Person) -> None:
    """WA-11, WA-88: two of the new list are taken, and one is the GM's."""
    for text in THOUGHT_UP:
        posts(ben, "add_cast", text=text)
    posts(ben, "step_on")
    for person, text in zip((cleo, dora), THOUGHT_UP, strict=False):
        posts(person, "take_cast", line=line_key(person, text))
    posts(ana, "make_npc", name="The overseer", line=line_key(ana, THOUGHT_UP[-1]))
    posts(ana, "step_on")


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
