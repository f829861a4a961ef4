"""Coming back (WA-97 to 101)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.engine import IllegalAction
from games.rules.wicked_age.forms import PC_DICE, PC_FORMS, SIZES
from games.rules.wicked_age.growth import (
    FormDie,
    come_back,
    fault_of_growing,
    grow,
    is_worn,
    mend,
    start_of_chapter,
)

FRESH = {form: FormDie(die, die) for form, die in zip(PC_FORMS, PC_DICE, strict=True)}
WORN = {**FRESH, "covertly": FormDie(12, 6), "for_myself": FormDie(8, 0)}

worn_forms = st.fixed_dictionaries(
    {
        form: st.sampled_from(SIZES[1:]).flatmap(
            lambda base: st.sampled_from(SIZES[: SIZES.index(base) + 1]).map(
                lambda current: FormDie(base, current)
            )
        )
        for form in PC_FORMS
    }
)


def test_wa99_forms_at_0_come_back_at_d4_and_nothing_else_does():
    back = come_back(WORN)
    assert back["for_myself"] == FormDie(8, 4)
    assert {form: back[form] for form in back if form != "for_myself"} == {
        form: die for form, die in WORN.items() if form != "for_myself"
    }


def test_wa98_mending_brings_every_form_back():
    assert mend(WORN) == FRESH


def test_wa99_where_mending_is_free_a_chapter_starts_mended():
    assert start_of_chapter(WORN, mending_is_free=True) == FRESH
    assert start_of_chapter(WORN) == come_back(WORN)


def test_wa98_what_is_whole_is_not_mended():
    assert is_worn(WORN)
    assert not is_worn(FRESH)


def test_wa98_growing_raises_base_and_what_is_left():
    assert grow(WORN, "for_others")["for_others"] == FormDie(8, 8)
    assert grow(come_back(WORN), "for_myself")["for_myself"] == FormDie(10, 6)


@pytest.mark.parametrize("form", ["covertly", "action"])
def test_wa98_no_form_grows_above_d12(form):
    assert fault_of_growing(WORN, form)
    with pytest.raises(IllegalAction) as refused:
        grow(WORN, form)
    assert refused.value.rule == "WA-98"


@given(worn_forms)
def test_whatever_was_worn_comes_back_within_its_base(forms):
    for after in (come_back(forms), mend(forms)):
        assert all(4 <= die.current <= die.base <= 12 for die in after.values())
    for form in forms:
        if fault_of_growing(forms, form) is None:
            die = grow(come_back(forms), form)[form]
            assert die.base == SIZES[SIZES.index(forms[form].base) + 1]
            assert die.current <= die.base
