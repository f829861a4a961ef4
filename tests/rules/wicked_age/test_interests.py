"""Best interests (WA-30 to 35)."""

from __future__ import annotations

import pytest

from games.rules.wicked_age.interests import CAP, Interest, Lack, fault_of, gate, warnings

AMEK, TAJIE, ESAN, PRIEST = ("amek", "pc"), ("tajie", "pc"), ("esan", "npc"), ("priest", "npc")


def of_npc(*targets, number: int = 1) -> Interest:
    return Interest("esan", "npc", targets, number)


def of_pc(*targets, number: int = 1) -> Interest:
    return Interest("amek", "pc", targets, number)


@pytest.mark.parametrize(
    ("interest", "is_first_npcs", "letters"),
    [
        (of_npc(AMEK), True, ()),
        (of_npc(AMEK, PRIEST), True, ("a",)),
        (of_npc(PRIEST), True, ("a", "b")),
        (of_npc(), True, ("b",)),
        (of_npc(), False, ()),
        (of_npc(ESAN), False, ()),
        (of_npc(AMEK, number=3), False, ()),
        (of_pc(ESAN), False, ()),
        (of_pc(TAJIE), False, ()),
        (of_pc(), False, ("c",)),
        (of_pc(AMEK), False, ("c",)),
        (of_pc(ESAN, number=3), False, ("d",)),
        (of_pc(number=3), False, ("c", "d")),
    ],
)
def test_wa34_what_the_book_warns_of(interest, is_first_npcs, letters):
    assert warnings(interest, is_first_npcs=is_first_npcs) == letters


def test_wa32_nobody_starts_before_every_pc_has_two_and_every_npc_one():
    assert gate({"amek": 2, "tajie": 1, "soru": 0}, {"esan": 1, "priest": 0}) == (
        Lack("tajie", "pc", 1),
        Lack("soru", "pc", 2),
        Lack("priest", "npc", 1),
    )
    assert gate({"amek": 2, "tajie": 3}, {"esan": 2}) == ()


def test_wa32_three_is_the_most():
    assert fault_of("the well", CAP) is None
    fault = fault_of("the well", CAP + 1)
    assert fault
    assert fault.rule == "WA-32"


@pytest.mark.parametrize("text", ["", "  \n"])
def test_wa35_an_interest_with_nothing_in_it_is_refused(text):
    fault = fault_of(text, 1)
    assert fault
    assert fault.rule == "WA-35"
