"""Particular strengths (WA-19 to 25, WA-101 to 106)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.wicked_age.forms import NPC_FORMS, PC_FORMS
from games.rules.wicked_age.strengths import (
    Option,
    Strength,
    Version,
    die_of,
    fault_of,
    fault_of_new,
    fault_of_raise,
    fault_of_taking,
    forms_of,
    options_left,
    raised,
    significance,
    tidied,
)

FORMS = {"broad_form": "covertly", "hits_pc": "directly", "hits_npc": "action"}


def hawk(*options: Option, **forms: str) -> Strength:
    return Strength("hawk", "with_love", "maneuvering", Version(options, **forms))


def rule_of(fault) -> str:
    assert fault is not None
    return fault.rule


@pytest.mark.parametrize(
    "strength",
    [
        hawk(Option.POTENT),
        hawk(Option.BROAD, broad_form="covertly"),
        hawk(Option.CONSEQUENTIAL, hits_pc="directly", hits_npc="action"),
        hawk(Option.UNIQUE),
        hawk(Option.FAR_REACHING),
    ],
)
def test_wa21_a_new_strength_has_exactly_one_option(strength):
    assert fault_of_new(strength) is None
    assert significance(strength.version) == 1


@pytest.mark.parametrize(
    ("strength", "rule"),
    [
        (hawk(), "WA-21"),
        (hawk(Option.POTENT, Option.UNIQUE), "WA-21"),
        (hawk(Option.DOUBLY_POTENT), "WA-22"),
        (hawk(Option.BROAD), "WA-21"),
        (hawk(Option.BROAD, broad_form="action"), "WA-21"),
        (hawk(Option.BROAD, broad_form="with_love"), "WA-23"),
        (hawk(Option.CONSEQUENTIAL, hits_pc="directly"), "WA-21"),
        (hawk(Option.CONSEQUENTIAL, hits_npc="action"), "WA-21"),
        (Strength(" ", "with_love", "action", Version((Option.POTENT,))), "WA-19"),
        (Strength("hawk", "action", "action", Version((Option.POTENT,))), "WA-19"),
        (Strength("hawk", "with_love", "", Version((Option.POTENT,))), "WA-19"),
    ],
)
def test_what_is_no_new_strength_is_refused(strength, rule):
    assert rule_of(fault_of_new(strength)) == rule


def test_wa22_its_die_is_d8_then_d10_then_d12():
    potent = Version((Option.POTENT,))
    assert die_of(Version((Option.UNIQUE,))) == 8
    assert die_of(potent) == 10
    assert die_of(raised(potent, Option.DOUBLY_POTENT)) == 12


def test_wa22_doubly_potent_needs_potent():
    assert Option.DOUBLY_POTENT not in options_left(Version((Option.UNIQUE,)))
    assert Option.DOUBLY_POTENT in options_left(Version((Option.POTENT,)))
    fault = fault_of_raise(Version((Option.UNIQUE,)), Option.DOUBLY_POTENT, "with_love")
    assert rule_of(fault) == "WA-22"


def test_wa20_a_broad_strength_works_in_two_pc_forms():
    assert forms_of(hawk(Option.POTENT)) == ("with_love",)
    broad = hawk(Option.BROAD, broad_form="covertly")
    assert forms_of(broad) == ("with_love", "covertly")


def test_wa23_no_option_is_taken_twice():
    fault = fault_of_raise(Version((Option.UNIQUE,)), Option.UNIQUE, "with_love")
    assert rule_of(fault) == "WA-23"


def test_wa102_significance_ends_at_four():
    version = Version((Option.POTENT, Option.DOUBLY_POTENT, Option.UNIQUE, Option.FAR_REACHING))
    assert options_left(version) == ()
    assert rule_of(fault_of_raise(version, Option.BROAD, "with_love", **FORMS)) == "WA-102"


def test_wa106_what_another_has_cannot_become_unique():
    version = Version((Option.POTENT,))
    fault = fault_of_raise(version, Option.UNIQUE, "with_love", other_holders=1)
    assert rule_of(fault) == "WA-106"
    assert fault_of_raise(version, Option.UNIQUE, "with_love") is None
    shared = fault_of_raise(version, Option.FAR_REACHING, "with_love", other_holders=1)
    assert shared is None, "her own copy is raised, whoever else has it (WA-29)"


def test_wa101_broad_and_consequential_name_their_forms():
    version = Version((Option.POTENT,))
    for option in (Option.BROAD, Option.CONSEQUENTIAL):
        assert rule_of(fault_of_raise(version, option, "with_love")) == "WA-21"
        assert fault_of_raise(version, option, "with_love", **FORMS) is None


def test_wa25_a_unique_strength_has_one_living_holder():
    assert fault_of_taking(is_unique=True, living_holders=0) is None
    assert fault_of_taking(is_unique=False, living_holders=3) is None
    assert rule_of(fault_of_taking(is_unique=True, living_holders=1)) == "WA-25"


def test_forms_that_no_option_asks_for_are_left_out():
    assert tidied(Version((Option.POTENT,), **FORMS)) == Version((Option.POTENT,))
    broad = tidied(Version((Option.BROAD,), **FORMS))
    assert broad == Version((Option.BROAD,), broad_form="covertly")


@pytest.mark.parametrize("option", [Option.POTENT, Option.UNIQUE, Option.FAR_REACHING])
def test_wa101_one_more_option_leaves_the_forms_that_earlier_ones_named(option):
    held = Version((Option.BROAD, Option.CONSEQUENTIAL), **FORMS)
    assert raised(held, option) == Version((*held.options, option), **FORMS)


@given(st.sampled_from(PC_FORMS), st.sampled_from(NPC_FORMS), st.data())
def test_any_strength_that_grows_as_it_may_stays_legal(pc_form, npc_form, data):
    other = data.draw(st.sampled_from([form for form in PC_FORMS if form != pc_form]))
    named = {"broad_form": other, "hits_pc": pc_form, "hits_npc": npc_form}
    version = Version(())
    while left := options_left(version):
        option = data.draw(st.sampled_from(left))
        assert fault_of_raise(version, option, pc_form, **named) is None
        version = raised(version, option, **named)
        assert fault_of(Strength("hawk", pc_form, npc_form, version)) is None
    assert significance(version) == 4
    if Option.BROAD in version.options:
        assert version.broad_form == other
