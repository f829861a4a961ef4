"""A Knave evening: two phones, a referee's laptop and a tablet, from the dice to the grave.

A third knave is there whose phone nobody looks at: it would show nothing that the others do not.
"""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.phones.arriving import posts
from tests.phones.knave import (
    LAPTOP,
    Build,
    attacks,
    does,
    figure,
    forms_of,
    has,
    has_a_knave,
    in_pile,
    initiative,
    key_of,
    makes_a_knave,
    name_of,
    newest,
    of_the_list,
    prepares,
    strikes,
    thing,
    unfolds,
    wait_until,
)
from tests.phones.people import REFUSED, Company, Person
from tests.phones.slow_lines import they_press

BEN = Build(bonuses=(2, 1, 3, 1, 1, 1), hp=8, gear=(10, 1, 1, 7, 3, 1))
CLEO = Build(hp=2, gear=(1, 1, 20, 7, 3, 1))


def test_a_knave_evening(company: Company) -> None:
    """KN-1 to KN-8, KN-12 to KN-16 and KN-19 to KN-23 as people see them."""
    ana = company.person("Ana", viewport=LAPTOP)
    company.code = ana.opens_table("knave")
    ben, cleo, dora = (company.joined(name) for name in ("Ben", "Cleo", "Dora"))
    has_a_knave(dora)
    company.only(ana, ben, cleo)
    tess = company.tess()
    for person, build in ((ben, BEN), (cleo, CLEO)):
        makes_a_knave(person, build)
    company.catch_up()
    for person in (ben, cleo, dora):
        tess.reads(name_of(person), where="#party-board")

    _he_takes_his_armor_off_and_on(ben)
    _everybody_saves(company, ana, cleo, ben, dora)
    fallen = _they_fight(company, ana, [ben, cleo, dora], tess)
    _they_share_the_loot(company, ana, [ben, cleo, dora])
    _they_sleep(company, ana, cleo, ben, dora)
    _one_takes_a_level(ana, ben)
    _the_log_tells_it(ben, fallen)


def _he_takes_his_armor_off_and_on(ben: Person) -> None:
    """KN-5: armor counts while it is worn; KN-19: it can lose quality by a tap."""
    gambeson = thing(ben, "gambeson")
    unfolds(ben, f"#item-{gambeson}")
    for defense in (11, 12):
        does(ben, f"#equip-{gambeson}")
        expect(ben.sees("#number-armor_defense > summary b")).to_have_text(str(defense))
    does(ben, f"#break-{gambeson}")
    ben.reads("quality 2 of 3", where=f"#item-{gambeson}")


def _everybody_saves(
    company: Company, ana: Person, taps: Person, types: Person, unseen: Person
) -> None:
    """KN-8: more than 15; the referee sees who has not rolled."""
    does(ana, "#ask-wis")
    call = newest(company, "call")
    for person in (taps, types):
        person.reads("Wisdom save", where="#asks")
    _answers(unseen, call, 3)
    company.house.dice_fall(15)
    does(taps, f"#ask-{call}-{key_of(taps)}")
    taps.reads("success", where="#asks .my-roll")
    ana.catches_up()
    ana.reads("1 still has to roll", where="#gm-calls")
    expect(ana.sees("#gm-calls .is-missing")).to_contain_text(name_of(types))
    unfolds(types, f"#ask-{call}-{key_of(types)}-typed")
    does(types, f"#ask-{call}-{key_of(types)}-face-14")
    for words in ("real dice", "failure"):
        types.reads(words, where="#asks .my-roll")
    ana.catches_up()
    ana.reads("Everybody has rolled.", where="#gm-calls")
    does(ana, f"#close-call-{call}")


def _answers(person: Person, call: int, face: int) -> None:
    """Roll what is asked for, by a request."""
    person.house.dice_fall(face)
    posts(person, "roll_save", call=call, character=key_of(person))


def _they_fight(company: Company, ana: Person, people: list[Person], tess: Person) -> str:
    """KN-12 to KN-16, KN-19, KN-20: a fight to its end; return who fell in it."""
    ben, cleo, _dora = people
    encounter = prepares(ana, company, "orc", 2, "At the ford")
    does(ana, f"#start-fight-{encounter}")
    tess.reads("Who is faster?", where="#foes-board")
    initiative(ana, 2)
    tess.reads("The foes act", where="#foes-board")
    for hidden in ("4/4", "morale", "armor"):
        expect(tess.sees("#foes-board")).not_to_contain_text(hidden)

    # KN-19: a natural 20 wears the armor, and adds a die of damage.
    strikes(ana, "orc-1", ben, 20, 1, 1)
    ben.catches_up()
    expect(ben.sees("#sheet .hp-number b")).to_have_text("6")
    ben.presses("#tab-sheet")
    ben.reads("quality 1 of 3", where=f"#item-{thing(ben, 'gambeson')}")
    tess.reads("21", where="#table-strip .roll-total:not(.flip)")
    fallen = _one_dies_and_another_comes(company, ana, cleo)

    # KN-14, KN-15: the party strikes back; KN-20: half of them are down.
    tess.reads("You act", where="#foes-board")
    attacks(ben, "orc-1", 12, 8)
    ana.catches_up()
    expect(ana.sees("#foe-orc-2 .shaken")).to_be_visible()
    company.house.dice_fall(4, 4)
    does(ana, "#morale-due-orc-2")
    typed = f"attack-typed-{forms_of(cleo)}"
    unfolds(cleo, f"#{typed}")
    cleo.presses(f"label:has(#{typed}-orc-2)")
    does(cleo, f"#{typed}-face-5")
    tess.reads("real dice", where="#table-strip")
    tess.reads("miss", where="#table-strip")

    _a_second_round(ana, ben, cleo, tess)
    return fallen


def _a_second_round(ana: Person, ben: Person, cleo: Person, tess: Person) -> None:
    """The armor breaks, the last foe falls."""
    initiative(ana, 1)
    strikes(ana, "orc-2", ben, 20, 1, 1)
    ben.catches_up()
    assert has(ben, "gambeson") == 0
    ben.presses("#tab-game")
    ben.reads("armor 11", where="#fight")
    attacks(cleo, "orc-2", 19, 4)
    tess.reads("The foes are down or gone", where="#foes-board")
    ana.catches_up()
    does(ana, "#end-fight")
    expect(tess.sees("#foes-board.is-fight")).to_have_count(0)


def _one_dies_and_another_comes(company: Company, ana: Person, cleo: Person) -> str:
    """KN-16: a grave, the kit for the others, and a new knave at once."""
    fallen = name_of(cleo)
    grave = key_of(cleo)
    strikes(ana, "orc-2", cleo, 15, 3)
    cleo.catches_up()
    cleo.reads(f"{fallen} is dead.", where="#asks")
    makes_a_knave(cleo, Build(hp=5, weapon="spear"), "#new-after-death")
    cleo.presses("#tab-game")
    cleo.reads(f"What {fallen} carried", where="#loot")
    does(cleo, f"#take-{in_pile(company, 'sword')}")
    assert has(cleo, "sword") == 1
    cleo.reads(name_of(cleo), where="#fight")
    cleo.presses("#tab-table")
    cleo.presses("#to-graveyard")
    cleo.reads("Orc 2", where=f"#grave-{grave}")
    cleo.goes(f"/t/{company.code}/")
    cleo.is_live()
    return fallen


def _they_share_the_loot(company: Company, ana: Person, people: list[Person]) -> None:
    """Coins go round evenly, things to whoever takes them; of two at once one has it."""
    ben, cleo, dora = people
    unfolds(ana, "#new-pile")
    ana.page.fill("#pile-name", "The orcs' sack")
    ana.page.fill("#pile-silver", "7")
    does(ana, "#pile-shown")
    pile = newest(company, "pile")
    ana.presses(f'label[for="into-{pile}"]')
    ana.page.select_option("#thing-article", str(of_the_list(company, "torch")))
    ana.page.fill("#thing-count", "1")
    does(ana, "#add-thing")
    posts(ana, "add_item", pile=pile, article=of_the_list(company, "crowbar"), count=1)
    does(ana, f"#share-{pile}")
    assert {figure(person, "silver") for person in people} == {2}
    posts(dora, "claim_item", item=in_pile(company, "crowbar"), character=key_of(dora))
    assert has(dora, "crowbar") == 1
    company.catch_up()

    button = f"take-{in_pile(company, 'torch')}"
    racers = (cleo, ben)
    for person in racers:
        person.presses("#tab-game")
        person.expects_trouble(REFUSED)
    they_press(dict.fromkeys(racers, (button, 0)))
    wait_until(cleo, lambda: any(p.sees("#notice .notice").count() for p in racers))
    winner, loser = racers if has(cleo, "torch") else reversed(racers)
    assert (has(winner, "torch"), has(loser, "torch")) == (1, 0)
    loser.reads("somebody was quicker", where="#notice")
    loser.presses("#notice [data-dismiss]")
    expect(winner.sees("#notice .notice")).to_have_count(0)


def _they_sleep(company: Company, ana: Person, taps: Person, types: Person, unseen: Person) -> None:
    """KN-21: d8 and Constitution, never above the maximum, and a ration is eaten."""
    everybody = (taps, types, unseen)
    before = {p: figure(p, "hp") for p in everybody}
    does(ana, "#camp-night")
    call = newest(company, "call")
    _answers(unseen, call, 2)
    company.house.dice_fall(2)
    does(taps, f"#ask-{call}-{key_of(taps)}")
    unfolds(types, f"#ask-{call}-{key_of(types)}-typed")
    does(types, f"#ask-{call}-{key_of(types)}-face-1")
    for person, face in ((taps, 2), (types, 1), (unseen, 2)):
        healed = min(before[person] + face + 3, figure(person, "max_hp"))
        assert figure(person, "hp") == healed
        assert has(person, "travel-rations") == 1
        if person is not unseen:
            person.presses("#tab-sheet")
            expect(person.sees("#sheet .hp-number b")).to_have_text(str(healed))
    ana.catches_up()
    ana.reads("Day 2", where="#gm-time")
    does(ana, f"#close-call-{call}")


def _one_takes_a_level(ana: Person, ben: Person) -> None:
    """KN-22, KN-23: three abilities rise, and slots follow Constitution at once."""
    unfolds(ana, "#xp-other")
    ana.page.fill("#xp-amount", "1000")
    does(ana, "#xp-own")
    ben.presses("#tab-sheet")
    ben.reads("of 13 slots", where="#slots")
    unfolds(ben, "#level-up-2")
    for ability in ("str", "con", "wis"):
        ben.presses(f"label:has(#level-2-raise-{ability})")
    ben.house.dice_fall(5, 6)
    does(ben, "#level-2-roll")
    ben.reads("Level 2", where="#sheet")
    ben.reads("of 14 slots", where="#slots")
    expect(ben.sees("#sheet .hp-number")).to_contain_text(re.compile(r"/\s*11"))
    assert (figure(ben, "strength"), figure(ben, "wisdom"), figure(ben, "max_hp")) == (3, 2, 11)


def _the_log_tells_it(ben: Person, fallen: str) -> None:
    """What happened stands there in sentences."""
    name = name_of(ben)
    ben.presses("#tab-log")
    for sentence in (
        f"{name}'s Gambeson is damaged.",
        f"{fallen} is dead: Orc 2.",
        f"{name} rolls 14 and hits Orc 1 for 8.",
        "Morale: Orc 2 holds, with 8.",
        f"{name}'s Gambeson is destroyed!",
        "The fight is won.",
        f"{name} eats, sleeps, rolls 1 and regains",
    ):
        expect(ben.sees("#log-list li", has_text=sentence).first).to_be_visible()
